"""All cards of a table photo, explained as layers on one plane: where each lies, what covers it, what it shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.dash_plane import TablePlane, pose_of
from durian_assist.vision.durian_fit import FaceJudge, Spot, Verdict
from durian_assist.vision.durian_ground import Ground
from durian_assist.vision.durian_scan import PART, ROWS, Box, Scanner, Sighting
from durian_assist.vision.rectify import Picture, blown

Points = NDArray[np.float64]
Mask = NDArray[np.bool_]

# Hand-laid cards of one table lie within some 8 degrees of its direction; a face is still recognised 3 degrees off.
TURNS = tuple(float(a) for a in np.radians((-5.0, 0.0, 5.0)))
SIGHTING = 0.4  # least correlation in the scan that is looked into
MOST = 120  # sightings that come into question
PATIENCE = 9  # sightings in a row that are no card
# Cards lie in rows and columns: next to a known one in its line (aside and away in card heights or widths) a sighting
# is worth so much more.
IN_LINE, ASIDE, NEXT = 0.2, 0.35, 1.3
NO_TABLE = 0.3  # and where the picture shows no bare table so much
STRONG = 0.5  # a sighting that is looked into wherever it lies
EXPLAINED = 0.5  # share of a sighting that clear cards show
UNCOVERED = 0.1  # a card that others cover fits so much worse as a whole one
HOPELESS = 0.4  # below this nothing is judged
QUALITY = 0.52  # least product of both correlations, of lightness after alignment and of colours
SIZE_OFF = 0.14  # a card's size may differ from the plane's by this share
FAINT = 0.3  # a card has at least this share of the spread (contrast) of the table's other cards
CLEAR = 0.75  # a card of less quality is laid once more with other faces
DIM = 0.34  # and a sighting of less is not looked into again
TRIES = 3
COVERED = 0.03  # an overlap below this share of a card decides nothing


@dataclass(frozen=True, slots=True)
class Laid:
    """A card on the plane. `part` is the part of it by which it was found: whole, upper or lower."""

    spot: Spot
    verdict: Verdict
    part: str
    fit: float

    @property
    def quality(self) -> float:
        return self.fit * self.verdict.score


@dataclass(frozen=True, slots=True)
class Table:
    """What the work on one photo needs: the picture, its plane and the deck's faces at work size."""

    picture: Picture
    plane: TablePlane
    judge: FaceJudge
    scanner: Scanner

    def part(self, name: str) -> Mask:
        """(h, w) the part of a card's canvas: whole, upper or lower."""
        mask = np.zeros(self.judge.body.shape, np.bool_)
        rows = round(len(mask) * PART / ROWS)
        mask[: rows if name != "lower" else None] = name != "lower"
        if name == "lower":
            mask[-rows:] = True
        elif name == "whole":
            mask[:] = True
        return mask

    def spread(self, spot: Spot, mask: Mask) -> float:
        """Contrast of the masked card in grey levels, its channels' means removed."""
        crop = self.picture.warp(self.plane.matrix @ spot.canvas(*self.judge.size), self.judge.size)
        return float(np.sqrt(crop[mask].astype(np.float32).var(axis=0).mean()))

    def blown(self, spot: Spot, mask: Mask) -> float:
        """Share of the masked card clipped to white."""
        crop = self.picture.warp(self.plane.matrix @ spot.canvas(*self.judge.size), self.judge.size)
        return float(blown(crop)[mask].mean())

    def look_into(self, spot: Spot, face: int, turned: bool, part: str) -> Laid:
        """Align the part with the face, judge it, and align once more where another face fits better."""
        mask = self.part(part)
        moved, fit = self.judge.place(self.picture, self.plane, spot, face, turned, mask)
        if fit < HOPELESS:
            return Laid(moved, Verdict(face, turned, 0.0, 0.0, (), 1.0), part, fit)
        verdict = self.judge.judge(self.picture, self.plane, moved, mask)
        if (verdict.face, verdict.turned) != (face, turned):
            again, better = self.judge.place(self.picture, self.plane, moved, verdict.face, verdict.turned, mask)
            if better > fit:
                moved, fit = again, better
                verdict = self.judge.judge(self.picture, self.plane, moved, mask)
        return Laid(moved, verdict, part, fit)


def cards_on(table: Table, quads: Sequence[Points], taken: Sequence[Points], box: Box) -> list[Laid]:
    """Every card that is found in the box of the plane, no two in one place.

    `quads`: (4, 2) photo corners of cards found by their outlines; `taken`: convex plane outlines of other pieces.
    """
    aspect = table.judge.aspect
    laid = []
    for quad in quads:
        pose = pose_of(table.plane.to_plane(quad), aspect, 1.0)
        spot = Spot(pose.x, pose.y, pose.angle)
        verdict = table.judge.judge(table.picture, table.plane, spot, table.part("whole"))
        laid.append(_upright(table.look_into(spot, verdict.face, verdict.turned, "whole")))
    laid = chosen([card for card in laid if _good(card)], taken, aspect)
    spreads = [table.spread(card.spot, table.part("whole")) for card in laid]
    faint = FAINT * float(np.median(spreads)) if spreads else 10.0
    seen = _sparse(_sightings(table, box, faint, laid, taken), [*taken, *(evidence(c, aspect) for c in laid)], aspect)
    laid = chosen(_found(table, seen, laid, taken), taken, aspect)
    return [card for card in laid if table.spread(card.spot, table.part(card.part)) > faint]


def _sightings(
    table: Table, box: Box, faint: float, laid: Sequence[Laid], taken: Sequence[Points]
) -> list[tuple[Sighting, float]]:
    """What the scan sees and what it is worth, best first: a place that is no bare table is worth NO_TABLE more."""
    aspect = table.judge.aspect
    outlines = [card.spot.corners(aspect) for card in laid]
    seen = table.scanner.scan(table.picture, table.plane, box, TURNS, SIGHTING - NO_TABLE / 2, faint)
    evidence = None
    if seen and outlines:
        evidence = Ground.of(table.picture, table.plane, [*outlines, *taken], aspect).evidence(outlines, taken)
    worth = [s.score for s in seen]
    if evidence is not None:
        likeness = evidence.likeness(np.array([(s.pose.x, s.pose.y) for s in seen]))
        worth = [s.score + NO_TABLE * float(like) for s, like in zip(seen, likeness, strict=True)]
    both = [(s, w) for s, w in zip(seen, worth, strict=True) if w > SIGHTING]
    return sorted(both, key=lambda entry: -entry[1])


def _found(
    table: Table, seen: Sequence[tuple[Sighting, float]], known: Sequence[Laid], taken: Sequence[Points]
) -> list[Laid]:
    """The known cards and those among the sightings.

    First come those that are worth most and in line with known pieces, until nothing comes any more; then those that
    look most like a card by themselves: a gorilla has colours of its own and may lie aside.
    """
    cards = _Gathered(table, list(known), [_middle(outline) for outline in taken])
    left = cards.gathered(list(seen), lambda s, worth: worth + (IN_LINE if cards.in_line(s) else 0.0))
    cards.gathered([entry for entry in left if entry[0].score > STRONG], lambda s, _: s.score)
    return cards.cards


class _Gathered:
    """Cards found one after the other; what a clear one explains need not be looked at."""

    def __init__(self, table: Table, cards: list[Laid], pieces: list[tuple[float, float]]) -> None:
        self.table, self.cards = table, cards
        self._places = [(card.spot.x, card.spot.y) for card in cards] + pieces
        self._areas = [evidence(card, table.judge.aspect) for card in cards]

    def gathered(
        self, left: list[tuple[Sighting, float]], worth: Callable[[Sighting, float], float]
    ) -> list[tuple[Sighting, float]]:
        """Look into sightings, the worthiest first, until PATIENCE in a row are no cards; returns those left."""
        misses = 0
        while left and misses <= PATIENCE:
            entry = max(left, key=lambda e: worth(*e))
            left.remove(entry)
            if self._explained(entry[0]):
                continue
            card = look(self.table, entry[0])
            misses = 0 if _good(card) else misses + 1
            if misses == 0:
                self._add(card)
        return left

    def in_line(self, sighting: Sighting) -> bool:
        """Whether it lies next to a known piece in its row or column."""
        aspect = self.table.judge.aspect
        away = [(abs(sighting.pose.x - x), abs(sighting.pose.y - y)) for x, y in self._places]
        return any((dx < ASIDE * aspect and dy < NEXT) or (dy < ASIDE and dx < NEXT * aspect) for dx, dy in away)

    def _add(self, card: Laid) -> None:
        self.cards.append(card)
        if card.quality > CLEAR:
            self._places.append((card.spot.x, card.spot.y))
            self._areas.append(evidence(card, self.table.judge.aspect))

    def _explained(self, sighting: Sighting) -> bool:
        strip = _strip(_spot(sighting), sighting.part, self.table.judge.aspect)
        return sum(shared(strip, area) for area in self._areas) > EXPLAINED


def _spot(sighting: Sighting) -> Spot:
    return Spot(sighting.pose.x, sighting.pose.y, sighting.pose.angle)


def _middle(outline: Points) -> tuple[float, float]:
    x, y = outline.mean(axis=0).tolist()
    return x, y


def look(table: Table, sighting: Sighting, dim: float = DIM) -> Laid:
    """The card at a sighting; other likely faces are tried where the likeliest leads nowhere clear.

    None is where it leads to a quality below `dim`.
    """
    best = table.look_into(_spot(sighting), *sighting.faces[0], sighting.part)
    for face, turned in sighting.faces[1:]:
        if not dim <= best.quality < CLEAR:
            break
        best = max(best, table.look_into(_spot(sighting), face, turned, sighting.part), key=lambda card: card.quality)
    return _grown(table, best) if best.quality > DIM else best


def _grown(table: Table, card: Laid) -> Laid:
    """The card as a whole one where all of it is seen, else as it was."""
    if card.quality < CLEAR:
        verdict = table.judge.judge(table.picture, table.plane, card.spot, table.part("whole"))
        whole = table.look_into(card.spot, verdict.face, verdict.turned, "whole")
        return whole if whole.quality > card.quality else card
    verdict = table.judge.judge(table.picture, table.plane, card.spot, table.part("whole"))
    same = (verdict.face, verdict.turned) == (card.verdict.face, card.verdict.turned)
    whole = replace(card, verdict=verdict, part="whole")
    return whole if same and whole.quality > max(CLEAR, card.quality - UNCOVERED) else card


def _upright(card: Laid) -> Laid:
    """The same card with its canvas turned so that it stands within a quarter turn of the plane's upright."""
    angle = float(np.angle(np.exp(1j * card.spot.angle)))
    if abs(angle) <= np.pi / 2:
        return replace(card, spot=replace(card.spot, angle=angle))
    verdict = replace(
        card.verdict,
        turned=not card.verdict.turned,
        rivals=tuple((face, not turned, p) for face, turned, p in card.verdict.rivals),
    )
    return replace(card, spot=replace(card.spot, angle=angle - float(np.copysign(np.pi, angle))), verdict=verdict)


def _good(card: Laid) -> bool:
    return card.quality > QUALITY and abs(card.spot.size - 1) < SIZE_OFF


def _sparse(
    seen: Sequence[tuple[Sighting, float]], areas: Sequence[Points], aspect: float
) -> list[tuple[Sighting, float]]:
    """The best sightings, one for each place and part, that are not explained by the areas."""
    kept: list[tuple[Sighting, float]] = []
    for s, worth in seen:
        if len(kept) == MOST:
            break
        if any(k.part == s.part and np.hypot(k.pose.x - s.pose.x, k.pose.y - s.pose.y) < 0.25 for k, _ in kept):
            continue
        if sum(shared(_strip(_spot(s), s.part, aspect), area) for area in areas) < EXPLAINED:
            kept.append((s, worth))
    return kept


def chosen(cards: Sequence[Laid], taken: Sequence[Points], aspect: float) -> list[Laid]:
    """The best cards of which none claims what another, better one shows."""
    best: list[Laid] = []
    areas = list(taken)
    for card in sorted(cards, key=lambda c: -c.quality):
        shape = evidence(card, aspect)
        near = [c for c in best if np.hypot(c.spot.x - card.spot.x, c.spot.y - card.spot.y) < 0.3]
        if near or sum(shared(shape, area) for area in areas) > 0.3:
            continue
        best.append(card)
        areas.append(shape)
    return best


def evidence(card: Laid, aspect: float) -> Points:
    """(4, 2) plane outline of the part by which the card was found."""
    return _strip(card.spot, card.part, aspect)


def _strip(spot: Spot, part: str, aspect: float) -> Points:
    corners = spot.corners(aspect)
    top, bottom = {"whole": (0.0, 1.0), "upper": (0.0, PART / ROWS), "lower": (1 - PART / ROWS, 1.0)}[part]
    left, right = corners[[0, 1]], corners[[3, 2]]
    return np.concatenate([left + (right - left) * top, (left + (right - left) * bottom)[::-1]])


def shared(first: Points, second: Points) -> float:
    """Common area of two convex outlines as a share of the first."""
    a, b = first.astype(np.float32), second.astype(np.float32)
    if (a.max(axis=0) <= b.min(axis=0)).any() or (b.max(axis=0) <= a.min(axis=0)).any():
        return 0.0
    common, _ = cv2.intersectConvexConvex(a, b)
    return float(common) / max(float(cv2.contourArea(a)), 1e-9)


def judged(table: Table, cards: Sequence[Laid]) -> list[tuple[Laid, Mask]]:
    """The cards with final verdicts, each by what is left of it under those on top, and that visible part."""
    aspect = table.judge.aspect
    outlines = [card.spot.corners(aspect) for card in cards]
    above: list[list[int]] = [[] for _ in cards]
    for i in range(len(cards)):
        for j in range(i + 1, len(cards)):
            if shared(outlines[i], outlines[j]) > COVERED:
                top, low = (i, j) if _on_top(table, cards[i], cards[j]) else (j, i)
                above[low].append(top)
    result = []
    for k, card in enumerate(cards):
        covers = [cards[i] for i in above[k]]
        if card.part == "whole" and not covers and card.quality > CLEAR:
            result.append((card, table.part("whole")))
            continue
        best = _settled(table, card, covers)
        if best[0].quality < CLEAR:
            best = max(_second_tries(table, best[0], covers), key=lambda entry: entry[0].quality, default=best)
        result.append(best)
    return result


def _settled(table: Table, card: Laid, covers: Sequence[Laid]) -> tuple[Laid, Mask]:
    """The card aligned and judged by what its covers leave of it, and that visible part."""
    mask = _left(table, card, covers)
    moved, fit = table.judge.place(table.picture, table.plane, card.spot, card.verdict.face, card.verdict.turned, mask)
    spot = moved if abs(moved.size - 1) < SIZE_OFF else card.spot
    mask = _left(table, replace(card, spot=spot), covers)
    verdict = table.judge.judge(table.picture, table.plane, spot, mask)
    return replace(card, spot=spot, verdict=verdict, fit=fit), mask


def _second_tries(table: Table, card: Laid, covers: Sequence[Laid]) -> list[tuple[Laid, Mask]]:
    """The card, and what comes of it when each of its rivals is laid on it at the plane's own size."""
    tries = [_settled(table, card, covers)]
    for face, turned, _ in card.verdict.rivals[:TRIES]:
        verdict = replace(card.verdict, face=face, turned=turned)
        tries.append(_settled(table, replace(card, spot=replace(card.spot, size=1.0), verdict=verdict), covers))
    return tries


def _left(table: Table, card: Laid, above: Sequence[Laid]) -> Mask:
    """(h, w) what the cards above leave of the card's canvas, with a margin for their edges and shadows."""
    mask = np.ones(table.judge.body.shape, np.uint8)
    for other in above:
        cv2.fillConvexPoly(mask, _in_canvas(table, card.spot, other.spot), 0)
    return np.asarray(cv2.erode(mask, np.ones((3, 3), np.uint8), borderValue=1) > 0, np.bool_)


def _in_canvas(table: Table, spot: Spot, other: Spot) -> NDArray[np.int32]:
    """(4, 2) the other card's outline in pixels of the first one's canvas."""
    to_canvas = np.linalg.inv(spot.canvas(*table.judge.size))
    corners = other.corners(table.judge.aspect)
    return np.asarray(np.round(corners @ to_canvas[:2, :2].T + to_canvas[:2, 2]), np.int32)


def _on_top(table: Table, first: Laid, second: Laid) -> bool:
    """Whether the first card covers the second: whose picture is seen where both lie."""
    return _misfit(table, first, second) < _misfit(table, second, first)


def _misfit(table: Table, card: Laid, other: Laid) -> float:
    """Mean difference from the card's face where the other lies too, in units of the face's contrast."""
    judge = table.judge
    crop = table.picture.warp(table.plane.matrix @ card.spot.canvas(*judge.size), judge.size).astype(np.float32)
    both = np.zeros(judge.body.shape, np.uint8)
    cv2.fillConvexPoly(both, _in_canvas(table, card.spot, other.spot), 1)
    sure = table.part(card.part) & (cv2.dilate(both, np.ones((5, 5), np.uint8)) == 0) & judge.body
    if sure.sum() < 0.1 * sure.size:
        sure = table.part(card.part) & judge.body
    total = 0.0
    face = judge.colours(card.verdict.face, card.verdict.turned)
    for c in range(3):
        seen, want = crop[..., c], face[..., c]
        gain = float(seen[sure].std()) / (float(want[sure].std()) + 1e-3)
        expected = (want - float(want[sure].mean())) * gain + float(seen[sure].mean())
        where = (both > 0) & judge.body
        total += float(np.minimum(np.abs(seen - expected)[where], 80).mean()) if where.any() else 0.0
    return total
