"""All cards of a table photo, explained as layers on one plane: where each lies, what covers it, what it shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.dash_plane import TablePlane
from durian_assist.vision.durian_fit import FaceJudge, Spot, Verdict
from durian_assist.vision.durian_scan import PART, ROWS, Scanner
from durian_assist.vision.rectify import Picture, blown

Points = NDArray[np.float64]
Mask = NDArray[np.bool_]

HOPELESS = 0.4  # where lightness fits less no face is judged
SIZE_OFF = 0.14  # a card's size may differ from the plane's by this share
CLEAR = 0.75  # a card of less quality is laid once more with other faces
TRIES = 3
COVERED = 0.03  # an overlap below this share of a card decides nothing
UNCOVERED = 0.1  # a card that others cover fits so much worse as a whole one
NEAR = 0.3  # card heights between the centres of what is one card
CLAIMED = 0.3  # share of a card that others show, beyond which it is none
LEAST_SEEN = 0.1  # of a card: what lies beyond the frame of the photo looks like anything
UNSHARED = 0.15  # a card loses no more correlation by what clearer ones show of it: the rim of one is no other


@dataclass(frozen=True, slots=True)
class Laid:
    """A card on the plane. `part` is the part of it by which it was found: whole, upper or lower.

    `counted` false: how many cards lie before it in its column is not sure. `sized`: an outline of a card's size
    tells that it is one and where it lies. `lit` (h, w): what of it no streaks of light hide, if they hid its face.
    """

    spot: Spot
    verdict: Verdict
    part: str
    fit: float
    counted: bool = True
    sized: bool = False
    lit: Mask | None = field(default=None, compare=False)

    @property
    def quality(self) -> float:
        """How well it fits its face, nothing where next to nothing of it is seen."""
        return self.fit * self.verdict.score if self.verdict.seen > LEAST_SEEN else 0.0


@dataclass(frozen=True, slots=True)
class Table:
    """What the work on one photo needs: the picture, its plane and the deck's faces at work size.

    What was once looked into is known: a slot is tried again whenever what lies round it has changed.
    """

    picture: Picture
    plane: TablePlane
    judge: FaceJudge
    scanner: Scanner
    _looks: dict[tuple[object, ...], Laid] = field(default_factory=dict, compare=False)

    def part(self, name: str) -> Mask:
        """(h, w) the part of a card's canvas: whole, upper, lower, left or right."""
        mask = np.zeros(self.judge.body.shape, np.bool_)
        rows, half = round(len(mask) * PART / ROWS), len(mask[0]) // 2
        shown = {
            "whole": np.s_[:, :],
            "upper": np.s_[:rows, :],
            "lower": np.s_[-rows:, :],
            "left": np.s_[:, :half],
            "right": np.s_[:, -half:],
        }[name]
        mask[shown] = True
        return mask

    def spread(self, spot: Spot, mask: Mask) -> float:
        """Contrast of the masked card in grey levels, its channels' means removed."""
        crop = self.picture.warp(self.plane.matrix @ spot.canvas(*self.judge.size), self.judge.size)
        return float(np.sqrt(crop[mask].astype(np.float32).var(axis=0).mean()))

    def blown(self, spot: Spot, mask: Mask) -> float:
        """Share of the masked card clipped to white."""
        crop = self.picture.warp(self.plane.matrix @ spot.canvas(*self.judge.size), self.judge.size)
        return float(blown(crop)[mask].mean())

    def bright(self, spot: Spot, value: int) -> float:
        """Share of the card of which no channel is darker than `value`."""
        crop = self.picture.warp(self.plane.matrix @ spot.canvas(*self.judge.size), self.judge.size)
        return float((crop.min(axis=2) >= value).mean())

    def look_into(self, spot: Spot, face: int, turned: bool, part: str, hopeless: float = HOPELESS) -> Laid:
        """Align the part with the face, judge it, and align once more where another face fits better.

        Where lightness fits less than `hopeless` nothing is judged and the quality is 0.
        """
        key = (spot, face, turned, part, hopeless)
        return self.once(key, lambda: self._looked_into(spot, face, turned, part, hopeless))

    def once(self, key: tuple[object, ...], look: Callable[[], Laid]) -> Laid:
        """What a look of this `key` shows on the table's plane, looked for once."""
        whole = (self.plane.matrix.tobytes(), *key)
        if whole not in self._looks:
            self._looks[whole] = look()
        return self._looks[whole]

    def _looked_into(self, spot: Spot, face: int, turned: bool, part: str, hopeless: float) -> Laid:
        mask = self.part(part)
        moved, fit = self.judge.place(self.picture, self.plane, spot, face, turned, mask)
        if fit < hopeless:
            return Laid(moved, Verdict(face, turned, 0.0, 0.0, (), 1.0), part, fit)
        verdict = self.judge.judge(self.picture, self.plane, moved, mask)
        if (verdict.face, verdict.turned) != (face, turned):
            again, better = self.judge.place(self.picture, self.plane, moved, verdict.face, verdict.turned, mask)
            if better > fit:
                moved, fit = again, better
                verdict = self.judge.judge(self.picture, self.plane, moved, mask)
        return Laid(moved, verdict, part, fit)


def chosen(cards: Sequence[Laid], taken: Sequence[Points], aspect: float) -> list[Laid]:
    """The best cards of which none claims what another, better one shows."""
    best: list[Laid] = []
    areas = Areas(taken)
    for card in sorted(cards, key=lambda c: -c.quality):
        shape = evidence(card, aspect)
        near = any(np.hypot(c.spot.x - card.spot.x, c.spot.y - card.spot.y) < NEAR for c in best)
        if not near and areas.share(shape) <= CLAIMED:
            best.append(card)
            areas.add(shape)
    return best


def itself(table: Table, card: Laid, others: Sequence[Laid], taken: Sequence[Points]) -> bool:
    """Whether the card shows its face beside what clearer `others` and pieces `taken` (plane outlines) show of it."""
    aspect = table.judge.aspect
    clearer = [evidence(other, aspect) for other in others if other is not card and other.quality > card.quality]
    outline = evidence(card, aspect)
    known = [piece for piece in (*clearer, *taken) if Areas([piece]).share(outline) > COVERED]
    if not known:
        return True
    shown = np.zeros(table.judge.body.shape, np.uint8)
    for piece in known:
        cv2.fillConvexPoly(shown, _on_canvas(table, card.spot, piece), 1)
    left = table.part(card.part) & (cv2.dilate(shown, np.ones((5, 5), np.uint8)) == 0)
    verdict = table.judge.judge(table.picture, table.plane, card.spot, left, card.lit)
    same = (verdict.face, verdict.turned) == (card.verdict.face, card.verdict.turned)
    return same and verdict.score > card.verdict.score - UNSHARED


class Areas:
    """Convex outlines on the plane."""

    def __init__(self, outlines: Iterable[Points]) -> None:
        self._outlines: list[NDArray[np.float32]] = []
        self._boxes: list[tuple[float, float, float, float]] = []
        for outline in outlines:
            self.add(outline)

    def add(self, outline: Points) -> None:
        """One more."""
        self._outlines.append(outline.astype(np.float32))
        self._boxes.append(_bounds(outline))

    def share(self, outline: Points) -> float:
        """The share of an outline that lies on them, all overlaps added up."""
        left, top, right, bottom = _bounds(outline)
        own = outline.astype(np.float32)
        common = 0.0
        for other, box in zip(self._outlines, self._boxes, strict=True):
            if box[0] < right and left < box[2] and box[1] < bottom and top < box[3]:
                common += float(cv2.intersectConvexConvex(own, other)[0])
        return common / max(float(cv2.contourArea(own)), 1e-9)


def _bounds(outline: Points) -> tuple[float, float, float, float]:
    xs, ys = outline[:, 0].tolist(), outline[:, 1].tolist()
    return min(xs), min(ys), max(xs), max(ys)


def evidence(card: Laid, aspect: float) -> Points:
    """(4, 2) plane outline of the part by which the card was found."""
    return strip(card.spot, card.part, aspect)


def strip(spot: Spot, part: str, aspect: float) -> Points:
    """(4, 2) plane outline of the part of a card at the spot."""
    corners = spot.corners(aspect)
    top, bottom = {"whole": (0.0, 1.0), "upper": (0.0, PART / ROWS), "lower": (1 - PART / ROWS, 1.0)}[part]
    left, right = corners[[0, 1]], corners[[3, 2]]
    return np.concatenate([left + (right - left) * top, (left + (right - left) * bottom)[::-1]])


def judged(table: Table, cards: Sequence[Laid]) -> list[tuple[Laid, Mask]]:
    """The cards with final verdicts, each by what is left of it under those on top, and that visible part."""
    aspect = table.judge.aspect
    outlines = [card.spot.corners(aspect) for card in cards]
    above: list[list[int]] = [[] for _ in cards]
    for i in range(len(cards)):
        for j in range(i + 1, len(cards)):
            if Areas([outlines[j]]).share(outlines[i]) > COVERED:
                top, low = (i, j) if _on_top(table, cards[i], cards[j]) else (j, i)
                above[low].append(top)
    result = []
    for k, card in enumerate(cards):
        covers = [cards[i] for i in above[k]]
        if card.part == "whole" and not covers and (card.sized or card.quality > CLEAR):
            result.append((card, table.part("whole")))
            continue
        best = _settled(table, card, covers)
        if best[0].quality < CLEAR:
            best = max(_second_tries(table, best[0], covers), key=lambda entry: entry[0].quality, default=best)
        # What fits only by the part by which it was found is covered by something that is not known.
        covered = card.part != "whole" and best[0].quality < card.quality - UNCOVERED
        result.append((card, table.part(card.part)) if covered else best)
    return result


def _settled(table: Table, card: Laid, covers: Sequence[Laid]) -> tuple[Laid, Mask]:
    """The card aligned and judged by what its covers leave of it, and that visible part."""
    mask = _left(table, card, covers)
    face, turned = card.verdict.face, card.verdict.turned
    moved, fit = table.judge.place(table.picture, table.plane, card.spot, face, turned, mask, card.lit)
    spot = moved if abs(moved.size - 1) < SIZE_OFF else card.spot
    mask = _left(table, replace(card, spot=spot), covers)
    verdict = table.judge.judge(table.picture, table.plane, spot, mask, card.lit)
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
    return _on_canvas(table, spot, other.corners(table.judge.aspect))


def _on_canvas(table: Table, spot: Spot, outline: Points) -> NDArray[np.int32]:
    """A plane outline (4, 2) in pixels of a card's canvas."""
    to_canvas = np.linalg.inv(spot.canvas(*table.judge.size))
    return np.asarray(np.round(outline @ to_canvas[:2, :2].T + to_canvas[:2, 2]), np.int32)


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
