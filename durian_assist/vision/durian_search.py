"""Finds the cards of a table photo on its plane: those known by their outlines, then those that a scan sees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.dash_plane import pose_of
from durian_assist.vision.durian_fit import Spot
from durian_assist.vision.durian_glints import without_glints
from durian_assist.vision.durian_ground import Ground
from durian_assist.vision.durian_layers import (
    CLEAR,
    HOPELESS,
    NEAR,
    SIZE_OFF,
    TRIES,
    UNCOVERED,
    Areas,
    Laid,
    Table,
    chosen,
    evidence,
    itself,
    strip,
)
from durian_assist.vision.durian_scan import EVEN, NOISE, PARTS, Box, Sighting
from durian_assist.vision.rectify import median

Points = NDArray[np.float64]

# Hand-laid cards of one table lie within some 8 degrees of its direction; a face is still recognised 3 degrees off.
TURNS = tuple(float(a) for a in np.radians((-5.0, 0.0, 5.0)))
MOST_TURN = float(np.radians(12.0))  # what is turned further and not clear is none of them
SIGHTING = 0.4  # least correlation in the scan that is looked into
MOST = 120  # sightings that come into question
PATIENCE = 12  # sightings in a row that are no card: most such are passed over after a glance
# A face is in the deck once. Where a cloth's pattern looks like one it does so all over the cloth: of the sightings of
# a face, of each of its parts, only the best come into question.
OF_A_FACE = 3
# Cards lie in rows and columns: next to a known one in its line (aside and away in card heights or widths) a sighting
# is worth so much more.
IN_LINE, ASIDE, NEXT = 0.2, 0.35, 1.3
OVER_NEXT = 2 * NEXT  # with a card between that was not seen
NO_TABLE = 0.3  # and where the picture shows no bare table so much
STRONG = 0.5  # a sighting that is looked into wherever it lies
EXPLAINED = 0.5  # share of a sighting that clear cards show
SAME = 0.25  # card heights between sightings of one card
QUALITY = 0.52  # least product of both correlations, of lightness after alignment and of colours
CERTAIN = 0.99  # a face that is so likely is not tried against others
OUTLINED = 0.4  # and of a card in an outline of its size
FAINT = 0.3  # a card has at least this share of the spread (contrast) of the table's other cards
DIM = 0.34  # a sighting of less quality is not looked into again


def seeded(table: Table, quads: Sequence[Points], taken: Sequence[Points]) -> list[Laid]:
    """The cards among pieces found by outline and art, no two in one place.

    `quads`: (4, 2) photo corners; `taken`: convex plane outlines of other pieces.
    """
    laid = []
    for quad in quads:
        pose = pose_of(table.plane.to_plane(quad), table.judge.aspect, 1.0)
        spot = Spot(pose.x, pose.y, pose.angle)
        verdict = table.judge.judge(table.picture, table.plane, spot, table.part("whole"))
        laid.append(_upright(table.look_into(spot, verdict.face, verdict.turned, "whole")))
    return chosen([card for card in laid if _good(card)], taken, table.judge.aspect)


def told_apart(table: Table, laid: Sequence[Laid], taken: Sequence[Points]) -> Table:
    """The table whose scanner leaves out the colours that only the bare table has, told by the cards `laid`, and knows
    how dim these are."""
    aspect = table.judge.aspect
    outlines = [card.spot.corners(aspect) for card in laid]
    if not outlines:
        return table
    ground = Ground.of(table.picture, table.plane, [*outlines, *taken], aspect)
    usual = float(median([table.spread(card.spot, table.part("whole")) for card in laid]))
    even = min(EVEN, NOISE * usual)
    return replace(table, scanner=replace(table.scanner, bare=ground.bare(outlines, taken), even=even))


def cards_on(
    table: Table, seeds: Sequence[Laid], sized: Sequence[Spot], taken: Sequence[Points], box: Box
) -> list[Laid]:
    """Every card that is found in the box of the plane, no two in one place.

    `seeds`: cards found by outline and art; `sized`: places of outlines of a card's size; `taken`: convex plane
    outlines of other pieces.
    """
    aspect = table.judge.aspect
    laid = with_sized(table, seeds, sized, taken)
    spreads = [table.spread(card.spot, table.part("whole")) for card in laid]
    faint = FAINT * float(median(spreads)) if spreads else 10.0
    seen = _sparse(_sightings(table, box, faint, laid, taken), [*taken, *(evidence(c, aspect) for c in laid)], aspect)
    laid = chosen(_found(table, seen, laid, taken), taken, aspect)
    laid = [card for card in laid if card.sized or itself(table, card, laid, taken)]
    return [card for card in laid if card.sized or table.spread(card.spot, table.part(card.part)) > faint]


def with_sized(table: Table, laid: Sequence[Laid], sized: Sequence[Spot], taken: Sequence[Points]) -> list[Laid]:
    """The cards, those in an outline of a card's size marked, and others that can be read in such outlines."""
    cards = list(laid)
    for spot in sized:
        near = [k for k, card in enumerate(cards) if lies_at(card, spot)]
        for k in near:
            cards[k] = replace(cards[k], sized=True)
        if all(cards[k].quality < CLEAR for k in near):
            card = _outlined(table, spot)
            kind = table.judge.faces[card.verdict.face].kind
            cards += [card] if card.quality > (CLEAR if kind == "back" else OUTLINED) else []
    return chosen(cards, taken, table.judge.aspect)


def upright_spot(table: Table, quad: Points) -> Spot:
    """The place on the plane of a card with these photo corners, within a quarter turn of upright."""
    pose = pose_of(table.plane.to_plane(quad), table.judge.aspect, 1.0)
    return Spot(pose.x, pose.y, (pose.angle + np.pi / 2) % np.pi - np.pi / 2)


def lies_at(card: Laid, spot: Spot) -> bool:
    """Whether a card lies where another place is."""
    return bool(np.hypot(card.spot.x - spot.x, card.spot.y - spot.y) < NEAR)


def _outlined(table: Table, spot: Spot) -> Laid:
    """The card in an outline of its size: as it lies there, or aligned to a likely face that then tells more surely."""
    verdict = table.judge.judge(table.picture, table.plane, spot, table.part("whole"))
    likely = [(verdict.face, verdict.turned), *((face, turned) for face, turned, _ in verdict.rivals[:TRIES])]
    tries = likely if verdict.confidence < CERTAIN else likely[:1]
    ways = [Laid(spot, verdict, "whole", 1.0), *(table.look_into(spot, *face, "whole") for face in tries)]
    best = replace(max(ways, key=lambda card: card.verdict.score * card.verdict.confidence), sized=True)
    return best if best.quality > CLEAR else without_glints(table, best, table.part("whole"))


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
        likeness = evidence.likeness(np.array([(s.pose.x, s.pose.y) for s in seen]), [*outlines, *taken])
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
    pieces = [_middle(outline) for outline in taken]
    cards = _Gathered(table, list(known), pieces)
    left = cards.gathered(list(seen), lambda s, worth: worth + (IN_LINE if cards.in_line(s) else 0.0))
    cards.gathered([entry for entry in left if entry[0].score > STRONG], lambda s, _: s.score)
    return joined(cards.cards, pieces, table.judge.aspect)


def joined(cards: Sequence[Laid], pieces: Sequence[tuple[float, float]], aspect: float) -> list[Laid]:
    """The cards without those that are not clear and lie in line with no other card nearby, nor with other `pieces`."""
    kept = []
    for card in cards:
        others = [(other.spot.x, other.spot.y) for other in cards if other is not card]
        if card.quality > CLEAR or _aligned((card.spot.x, card.spot.y), [*pieces, *others], aspect, OVER_NEXT):
            kept.append(card)
    return kept


def _aligned(place: tuple[float, float], others: Sequence[tuple[float, float]], aspect: float, reach: float) -> bool:
    """Whether a place lies in a row or column with one of the others, no further from it than `reach` cards."""
    away = [(abs(place[0] - x), abs(place[1] - y)) for x, y in others]
    return any((dx < ASIDE * aspect and dy < reach) or (dy < ASIDE and dx < reach * aspect) for dx, dy in away)


class _Gathered:
    """Cards found one after the other; what a clear one explains need not be looked at."""

    def __init__(self, table: Table, cards: list[Laid], pieces: list[tuple[float, float]]) -> None:
        self.table, self.cards = table, cards
        self._places = [(card.spot.x, card.spot.y) for card in cards] + pieces
        self._areas = Areas([evidence(card, table.judge.aspect) for card in cards])
        self._lined: dict[Sighting, tuple[bool, int]] = {}

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
            card = look(self.table, entry[0], hopeless=QUALITY)
            misses = 0 if _good(card) else misses + 1
            if misses == 0:
                self._add(card)
        return left

    def in_line(self, sighting: Sighting) -> bool:
        """Whether it lies next to a clear piece in its row or column.

        It is asked again and again: only the pieces that came since are looked at.
        """
        lined, known = self._lined.get(sighting, (False, 0))
        if not lined and known < len(self._places):
            place = (sighting.pose.x, sighting.pose.y)
            lined = _aligned(place, self._places[known:], self.table.judge.aspect, NEXT)
            self._lined[sighting] = (lined, len(self._places))
        return lined

    def _add(self, card: Laid) -> None:
        self.cards.append(card)
        if card.quality > CLEAR:
            self._places.append((card.spot.x, card.spot.y))
            self._areas.add(evidence(card, self.table.judge.aspect))

    def _explained(self, sighting: Sighting) -> bool:
        outline = strip(_spot(sighting), sighting.part, self.table.judge.aspect)
        return self._areas.share(outline) > EXPLAINED


def _spot(sighting: Sighting) -> Spot:
    return Spot(sighting.pose.x, sighting.pose.y, sighting.pose.angle)


def _middle(outline: Points) -> tuple[float, float]:
    x, y = outline.mean(axis=0).tolist()
    return x, y


def look(
    table: Table, sighting: Sighting, dim: float = DIM, hopeless: float = HOPELESS, least: float | None = None
) -> Laid:
    """The card at a sighting; other likely faces are tried where the likeliest leads nowhere clear.

    None is where it leads to a quality below `dim`. Where lightness fits less than `hopeless` no face is judged; one of
    a quality below `least` (that of `dim` if None) is no part of a whole card.
    """
    best = table.look_into(_spot(sighting), *sighting.faces[0], sighting.part, hopeless)
    for face, turned in sighting.faces[1:]:
        if not dim <= best.quality < CLEAR:
            break
        other = table.look_into(_spot(sighting), face, turned, sighting.part, hopeless)
        best = max(best, other, key=lambda card: card.quality)
    return _grown(table, best) if best.quality > (dim if least is None else least) else best


def _grown(table: Table, card: Laid) -> Laid:
    """The card as a whole one where all of it is seen, else as it was."""
    verdict = table.judge.judge(table.picture, table.plane, card.spot, table.part("whole"))
    if card.quality < CLEAR:
        whole = table.look_into(card.spot, verdict.face, verdict.turned, "whole")
        return _covered(table, whole) if whole.quality > card.quality else card
    least = max(CLEAR, card.quality - UNCOVERED)
    whole = replace(card, verdict=verdict, part="whole")
    same = (verdict.face, verdict.turned) == (card.verdict.face, card.verdict.turned)
    if least - UNCOVERED < whole.quality <= least or (whole.quality > least and not same):
        # It lies where its part fits best, and that may be the part of several faces, told apart by a numeral on the
        # rest.
        whole = table.look_into(card.spot, verdict.face, verdict.turned, "whole")
    return whole if whole.quality > least else card


def _covered(table: Table, whole: Laid) -> Laid:
    """The card by that part alone which shows its face much more clearly than the whole, else as it was."""
    if whole.quality > CLEAR:
        return whole
    verdict = whole.verdict
    parts = [table.look_into(whole.spot, verdict.face, verdict.turned, part) for part in PARTS]
    clearer = [card for card in parts if card.quality > whole.quality + UNCOVERED]
    return max(clearer, key=lambda card: card.quality, default=whole)


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
    straight = abs(np.sin(card.spot.angle)) < np.sin(MOST_TURN) or card.quality > CLEAR
    return bool(card.quality > QUALITY and abs(card.spot.size - 1) < SIZE_OFF and straight)


def _sparse(
    seen: Sequence[tuple[Sighting, float]], areas: Sequence[Points], aspect: float
) -> list[tuple[Sighting, float]]:
    """The best sightings, one for each place and part and few of a face, that are not explained by the areas."""
    kept: list[tuple[Sighting, float]] = []
    known = Areas(areas)
    near: dict[str, list[tuple[float, float]]] = {"upper": [], "lower": []}
    counts: dict[tuple[int, str], int] = {}
    for s, worth in seen:
        if len(kept) == MOST:
            break
        places, face = near[s.part], (s.faces[0][0], s.part)
        if counts.get(face, 0) == OF_A_FACE:
            continue
        if any((x - s.pose.x) ** 2 + (y - s.pose.y) ** 2 < SAME**2 for x, y in places):
            continue
        if known.share(strip(_spot(s), s.part, aspect)) < EXPLAINED:
            kept.append((s, worth))
            places.append((s.pose.x, s.pose.y))
            counts[face] = counts.get(face, 0) + 1
    return kept
