"""Cards that lie outside the grid in front of a side: that side's hand.

A hand card lies in the strip beside the grid with its bottom edge towards its side. Cards that outlines showed are
taken first, those off the table's plane after them; beside a side without any the strip is searched with all
references, by lightness and, where a hand should lie or the frame cuts its place off, by colour too: a card on a busy
cloth, in glare or cut off is not dropped. Draw decks lie askew or at a corner and are no hand, and neither is a pencil
or a stripe that goes on beyond a card's outline.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from durian_assist.common.parallel import side_by_side
from durian_assist.vision.beyond import goes_on
from durian_assist.vision.glints import without_glints
from durian_assist.vision.lattice import Cell
from durian_assist.vision.recognise import Identity
from durian_assist.vision.rectify import SMALLEST_LEVEL, Points, blown, project
from durian_assist.vision.scan import References, Strip, apart, peaks
from durian_assist.vision.sliding import LEAST_SHOWN, SCALE, window_sums
from durian_assist.vision.smuggler_bent import bent_cards
from durian_assist.vision.smuggler_cards import Laid, face_of
from durian_assist.vision.smuggler_cells import SUSPICIOUS, Answer, Sighting, in_progress, ordered, sighting, weighed
from durian_assist.vision.smuggler_seen import LOOSE, SAME, SURE, SeenCard
from durian_assist.vision.smuggler_table import TableColours
from durian_assist.vision.smuggler_view import BARE, GridView
from durian_assist.vision.table_plane import Pose

# In lattice steps from the middle: the grid ends at 2.5, people lay their last card within an arm's length of it.
NEAREST, FARTHEST = 2.75, 5.5
ALONG = 3.0
# A hand lies a hand's breadth from the grid, mostly: its far edge is here.
USUAL_FAR = 4.3
# And its middle mostly here.
USUAL = 3.5
# Degrees between a card's bottom edge and its side: up to the first surely a hand, beyond the second surely none.
STRAIGHT, ASKEW = 22.0, 33.0
# While the grid is in progress people hold their cards: what lies face down beside it is a draw deck, unless it is laid
# as straight as the cards of a grid are, which lie askew by half of that at most.
PILE_ASKEW = STRAIGHT / 2

# Turns in degrees at which a strip is looked through.
STRIP_TILTS = (-12.0, -4.0, 4.0, 12.0)
MOST_PEAKS = 3
# Correlation of a peak with a reference before it is aligned: a card has 0.5 and more, one cut off by the frame less.
LEAST_ALIKE = 0.36
# Least confidence to be reported, with its doubt: a card that the frame cuts off is never as clear as a whole one.
LEAST_WHOLE, LEAST_CUT_OFF = 0.5, 0.3
WHOLE = 0.9
# A whole card without glare correlates by more than this share of what the photo's cards usually do, cloth by less.
CLOTH = 2 / 3
# How far the sides of what may be an unreadable card differ from a card's.
OWN_SIZE = 0.06
# No card shows in a window of a card's size of which more is blown out.
BLIND = 0.85
# A card that lies askew, or face down beside a grid in progress (it may be a draw deck or a blind deck), is more likely
# a hand than not, and never surely one.
NO_HAND = 0.4


@dataclass(frozen=True, slots=True)
class HandCard:
    """A card in front of side number `side`; its sighting's sides are those of the table as the photo shows it."""

    side: int
    sighting: Sighting


def read_hands(view: GridView, cells: Mapping[Cell, Sighting]) -> tuple[HandCard, ...]:
    """Every hand card beside a grid with these cells, south first; a doubtful one is among them with its doubt."""
    known = [card.identity.corners for card in (*view.cards.values(), *view.others)]
    known += [seen.quad for seen in cells.values() if seen.best is not None]

    def ending(hands: Mapping[int, list[HandCard]]) -> dict[int, list[HandCard]]:
        return {side: _ending(view, hand, known) for side, hand in hands.items()}

    cards = _ending(view, [h for h in (_outlined(view, card) for card in view.others) if h is not None], known)
    waiting = in_progress(cells)
    if not waiting:
        cards += _bent(view, cards, known)
    # A player sits where cards point to.
    seats = {seen.best.side for seen in cells.values() if seen.best is not None and seen.confidence >= SURE}
    left = [side for side in range(4) if not any(card.side == side for card in cards)]
    # The game ends with a card in each hand, shown or not; in a grid in progress people hold theirs.
    likely = () if waiting else seats
    found = ending(_searched(view, left, _references(view, colours=False), waiting, likely)) if left else {}
    # Where others show a hand, a player has one too.
    wanted = seats if (cards or any(found.values())) and not waiting else set()
    again = [side for side in left if not _sure(found[side]) and (side in wanted or _cut_off(view, side))]
    if again and not waiting:
        by_colour = ending(_searched(view, again, _references(view, colours=True), waiting, wanted))
        found |= {side: by_colour[side] or found[side] for side in again}
    every = [*cards, *(card for hand in found.values() for card in hand)]
    shown = {c.side for c in every if c.sighting.best is not None and not _face_down(c.sighting.best)}
    # Blind decks, two of four seats or more, show none.
    most = 2 * len(shown) > len(seats)
    for side in left:
        hand = found[side] or _ending(view, _unreadable(view, side), known)
        cards += hand or (_blinded(view, side) or _unseen(view, side, most) if side in wanted else [])
    if waiting:
        cards = [_doubted(card) if _face_down(card.sighting.best) else card for card in cards if not _pile(view, card)]
    return tuple(sorted(cards, key=lambda c: c.side))


def _ending(view: GridView, cards: Sequence[HandCard], known: Sequence[Points]) -> list[HandCard]:
    """The cards without those in doubt that go on beyond their outline; a sure one that does so is doubted.

    `known`: outlines (4, 2) of all pieces that are known, themselves among them.
    """
    kept = []
    for card in cards:
        quad = card.sighting.quad
        others = [other for other in known if np.linalg.norm(other.mean(0) - quad.mean(0)) > SAME * _side(quad)]
        if not goes_on(view.picture, quad, others):
            kept.append(card)
        elif _sure([card]):
            kept.append(_doubted(card))
    return kept


def _side(quad: Points) -> float:
    """The side (pixels) of a square card with these corners (4, 2)."""
    return float(np.linalg.norm(quad[0] - quad[2]) / np.sqrt(2))


def _face_down(answer: Answer) -> bool:
    return isinstance(answer, Laid) and answer.face.kind == "back"


def _pile(view: GridView, card: HandCard) -> bool:
    """Is a face-down card beside a grid in progress askew, as draw decks lie and hands hardly do?"""
    turn = view.plane.pose(card.sighting.quad).angle - view.lattice.angle
    askew = abs((turn + np.pi / 4) % (np.pi / 2) - np.pi / 4)
    return _face_down(card.sighting.best) and float(np.degrees(askew)) > PILE_ASKEW


def _doubted(card: HandCard) -> HandCard:
    """A card that may be no hand: it keeps its name, and a person must say whether it counts."""
    odds: dict[Answer, float] = {None: NO_HAND}
    for answer, p in card.sighting.odds:
        odds[answer] = odds.get(answer, 0.0) + p * (1 - NO_HAND)
    return HandCard(card.side, Sighting(ordered(odds.items()), card.sighting.quad))


def _outlined(view: GridView, card: SeenCard) -> HandCard | None:
    """A sure card outside the grid as a hand card; None where it lies as no hand does."""
    place = _side_of(view, card.pose)
    if place is None:
        return None
    side, askew = place
    seen = sighting(view, card.identity)
    if askew > ASKEW or not isinstance(seen.best, Laid):
        return None
    if askew <= STRAIGHT:
        return HandCard(side, seen)
    return _doubted(HandCard(side, seen))


def _side_of(view: GridView, pose: Pose) -> tuple[int, float] | None:
    """The side in front of whose strip a card lies, and by how many degrees its bottom edge does not face it."""
    row, column = view.lattice.place(pose)
    out, along = max(abs(row), abs(column)), min(abs(row), abs(column))
    if not NEAREST < out < FARTHEST or along > ALONG:
        return None
    side = (0 if row > 0 else 2) if abs(row) > abs(column) else (3 if column > 0 else 1)
    turn = pose.angle - view.lattice.angle - side * np.pi / 2
    return side, abs(float(np.degrees((turn + np.pi) % (2 * np.pi) - np.pi)))


def _bent(view: GridView, cards: Sequence[HandCard], known: list[Points]) -> list[HandCard]:
    """The hands that a lens has bent, of sides without a card among these; `known`, as for `_ending`, is added to."""

    def alone(pose: Pose) -> bool:
        place = _side_of(view, pose)
        return place is not None and not any(card.side == place[0] for card in cards)

    bent = bent_cards(view, alone)
    known += [card.identity.corners for card in bent]
    return _ending(view, [hand for card in bent if (hand := _outlined(view, card)) is not None], known)


def _searched(
    view: GridView, sides: Sequence[int], bank: References, waiting: bool, wanted: Collection[int] = ()
) -> dict[int, list[HandCard]]:
    """The hand card of each side that no outline showed, if there is one: that which is most like a reference.

    `waiting`: the grid is in progress; `wanted`: sides that should have one.
    """
    view.picture.level(SMALLEST_LEVEL)  # the levels are made once, not by several threads at once
    places = side_by_side([partial(_peaks, view, side, bank) for side in sides])
    return {
        side: _likeliest(view, side, poses, waiting, side in wanted) for side, poses in zip(sides, places, strict=True)
    }


def _likeliest(view: GridView, side: int, poses: Sequence[Pose], waiting: bool, wanted: bool) -> list[HandCard]:
    """The card at that of some places which is most like a reference."""
    seen = [identity for pose in poses if (identity := _confirmed(view, side, pose, wanted)) is not None]
    if not seen:
        return []
    likeliest = max(seen, key=lambda i: i.best.score)
    best = weighed(sighting(view, likeliest), face_down=waiting)
    if _surely_none(best):
        return []
    card = HandCard(side, best)
    # People hold their cards while the grid grows: a part of one that shows there is more likely something else.
    return [_doubted(card) if waiting and _sure([card]) and not _as_clear(view, likeliest) else card]


def _as_clear(view: GridView, seen: Identity) -> bool:
    """Is a card whole and as like its reference as this photo's cards are?"""
    return 1 - seen.glare > WHOLE and seen.best.score >= SUSPICIOUS * view.usual


def _sure(found: Sequence[HandCard]) -> bool:
    return bool(found) and found[0].sighting.confidence >= SURE


def _surely_none(seen: Sighting) -> bool:
    return seen.best is None and seen.confidence >= SURE


def _cut_off(view: GridView, side: int) -> bool:
    """Does the frame cut off the place where a hand usually lies?"""
    corners = [(out, along) for out in (NEAREST, USUAL_FAR) for along in (-0.5 * ALONG, 0.5 * ALONG)]
    outward = view.lattice.angle + side * np.pi / 2
    out, right = np.array([-np.sin(outward), np.cos(outward)]), np.array([np.cos(outward), np.sin(outward)])
    at = project(view.plane.to_photo, np.stack([view.lattice.origin + o * out + a * right for o, a in corners]))
    height, width = view.picture.pixels.shape[:2]
    return bool((at < 0).any() or (at >= (width, height)).any())


def _unreadable(view: GridView, side: int) -> list[HandCard]:
    """Something of a card's size and shape lies straight in front of a side, and is like no reference: glare, a sleeve.

    It is not said to be a card; a person must look.
    """
    things = [pose for outline in view.outlines if (pose := _straight(view, side, outline.quad)) is not None]
    table = TableColours.of(view, things) if things else None
    for pose in things:
        if table is not None and not table.like(view, view.quad(pose)):
            identity = view.recogniser.identify(view.picture, view.quad(pose), rotations=(0,), rigid=True)
            seen = sighting(view, identity)
            odds = [(answer, p * (1 - NO_HAND)) for answer, p in seen.alike]
            return [HandCard(side, Sighting(ordered([*odds, (None, NO_HAND)]), seen.quad))]
    return []


def _blinded(view: GridView, side: int) -> list[HandCard]:
    """Too bright a photo shows nothing in a place where the side's hand may lie: whether it does, a person must say."""
    strip = _strip(view, side, 0.0, USUAL_FAR)
    to_photo = np.asarray(view.plane.to_photo @ strip.to_plane, np.float64)
    blind = blown(view.picture.warp(to_photo, strip.size)) & view.picture.inside(to_photo, strip.size)
    shares = window_sums(blind.astype(np.float32)) / SCALE**2
    row, column = divmod(int(shares.argmax()), shares.shape[1])
    if shares[row, column] < BLIND:
        return []
    x, y = project(strip.to_plane, np.array([[column, row]]) + (SCALE - 1) / 2)[0]
    return [HandCard(side, Sighting(((None, NO_HAND),), view.quad(Pose(float(x), float(y), strip.angle))))]


def _unseen(view: GridView, side: int, most: bool) -> list[HandCard]:
    """A hand in which nothing was made out where `most` others surely show theirs: the game ends with one card in each
    hand (End of Game), so a person must say what it is."""
    if not most:
        return []
    step = 0.5 * float(np.linalg.norm(view.lattice.right) + np.linalg.norm(view.lattice.down))
    outward = view.lattice.angle + side * np.pi / 2
    x, y = view.lattice.origin + USUAL * step * np.array([-np.sin(outward), np.cos(outward)])
    return [HandCard(side, Sighting(((None, NO_HAND),), view.quad(Pose(float(x), float(y), outward))))]


def _straight(view: GridView, side: int, quad: Points) -> Pose | None:
    """The pose, bottom to its side, of a quad with a card's size and shape that lies straight in front of the side."""
    sides = view.plane.sides(quad)
    if not (sides.min() > 1 - OWN_SIZE and sides.max() < 1 + OWN_SIZE):
        return None
    pose = view.plane.pose(quad)
    turn = (pose.angle - view.lattice.angle + np.pi / 4) % (np.pi / 2) - np.pi / 4
    straight = replace(pose, angle=view.lattice.angle + side * np.pi / 2 + turn)
    place = _side_of(view, straight)
    if pose.misfit > LOOSE or place is None or place[0] != side or place[1] > STRAIGHT:
        return None
    return straight


def _confirmed(view: GridView, side: int, pose: Pose, wanted: bool = False) -> Identity | None:
    """What lies at a pose, where it is a card of that side's hand, in doubt or not.

    Where one is `wanted`, what streaks of light leave of a doubtful one is looked at too.
    """
    identity = view.recogniser.identify(view.picture, view.quad(pose), rotations=(0,), rigid=True, least=LEAST_ALIKE)
    if wanted and identity.card > 0 and min(identity.card, identity.confidence) < SURE:
        identity = without_glints(view.recogniser, view.picture, identity, view.usual)
    place = _side_of(view, view.plane.pose(identity.corners))
    if place is None or place[0] != side or place[1] > ASKEW or face_of(identity.best.name) is None:
        return None
    shown = 1 - identity.glare
    if shown > WHOLE and identity.best.score < CLOTH * view.usual:
        return None
    least = LEAST_WHOLE if shown > WHOLE else LEAST_CUT_OFF
    doubtful = identity.card < SURE and identity.confidence < least
    return None if shown < LEAST_SHOWN or doubtful else identity


def _references(view: GridView, *, colours: bool) -> References:
    """What a hand card may look like from its side."""
    cards = [card for card in view.recogniser.classes if face_of(card.name) is not None]
    return References.of(view.recogniser, cards, (0,), colours=colours)


def _peaks(view: GridView, side: int, bank: References) -> list[Pose]:
    """Where in a side's strip a reference comes near, the likeliest first."""
    least = BARE * view.recogniser.contrast

    def beside(pose: Pose) -> bool:
        return _side_of(view, pose) is not None

    strips = [_strip(view, side, tilt) for tilt in STRIP_TILTS]
    found = [
        peak
        for strip in strips
        for peak in peaks(view.picture, view.plane, strip, view.white, bank, least, MOST_PEAKS, beside)
    ]
    return [p.pose for p in apart(found, MOST_PEAKS)]


def _strip(view: GridView, side: int, tilt: float, far: float = FARTHEST) -> Strip:
    """The part of the table in front of a side, up to cards `far` from the middle, its canvas turned by `tilt` degrees
    more than the side."""
    step = 0.5 * float(np.linalg.norm(view.lattice.right) + np.linalg.norm(view.lattice.down))
    low, high = NEAREST * step - 0.5, far * step + 0.5
    outward = view.lattice.angle + side * np.pi / 2
    middle = view.lattice.origin + (low + high) / 2 * np.array([-np.sin(outward), np.cos(outward)])
    return Strip(middle, outward + np.radians(tilt), 2 * ALONG * step + 1, high - low)
