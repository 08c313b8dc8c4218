"""Cards that no outline shows, found by what is printed on them: on a plane that is known, or on none at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from durian_assist.vision.lattice import main_angle
from durian_assist.vision.recognise import Identity, Recogniser
from durian_assist.vision.rectify import Floats, Picture, Points, canvas_to_photo, median, white_of
from durian_assist.vision.scan import Peak, References, Strip, apart, peaks
from durian_assist.vision.smuggler_growth import spans_grid
from durian_assist.vision.smuggler_seen import LEAST_ALIKE, SAME, SURE, SeenCards, on_plane
from durian_assist.vision.table_plane import Pose, TablePlane

# The part of the table that is scanned reaches so far from the middle of the known cards, in cards: a grid of five,
# seen from its far corner, and the hands beside it.
AROUND = 6.0
ROUNDS = 4
TILTS = (0.0, -8.0, 8.0)
MOST_PEAKS = 40
# Without a plane: sides of a card in the photo that are tried, as shares of its longer side, and the step between them.
SMALLEST, LARGEST, STEP = 0.045, 0.2, 1.12
LEVEL_TILTS = (0.0, -12.0, 12.0)
# So many sizes are looked through at once.
SIZES_AT_ONCE = 5
# Of all their places only so many are looked at closely.
MOST_TRIES = 30
# Of the seeds so many may be something else, or bent.
MOST_OFF_PLANE = 1
# Seeds are looked for among cards that are all in the picture and free of glare.
WHOLE = 0.95
# Seen at a slant, a card agrees with no picture of it until it is aligned.
SLANT = 0.15


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """A place in the photo that a reference comes near: the correlation, corners (4, 2) and side in pixels."""

    score: float
    quad: Points
    side: float


def scanned(picture: Picture, seen: SeenCards) -> SeenCards:
    """The cards with those that the plane shows round them, until they span a grid.

    The plane gets better with each, so it is done in turns.
    """
    bank = References.of(seen.recogniser, seen.recogniser.classes, (0, 1, 2, 3))
    alike = seen.alike
    for _ in range(ROUNDS):
        places = _new_places(picture, seen, bank)
        quads = [seen.plane.quad(place) for place in places]
        sure = seen.sure(
            seen.recogniser.identify(picture, quad, rigid=True, least=LEAST_ALIKE, alike=alike) for quad in quads
        )
        plane, cards = on_plane([*(c.identity for c in seen.cards), *sure])
        if len(cards) <= len(seen.cards):
            break
        seen = replace(seen, plane=plane, cards=cards)
        if spans_grid(cards):
            break
    return seen


def _new_places(picture: Picture, seen: SeenCards, bank: References) -> list[Pose]:
    """Where a reference comes near on the plane and no card is known yet."""
    poses = [c.pose for c in seen.cards]
    middle = median([[p.x, p.y] for p in poses])
    white = white_of_cards(picture, seen)
    found: list[Peak] = []
    for tilt in TILTS:
        strip = Strip(middle, main_angle(poses) + np.radians(tilt), 2 * AROUND, 2 * AROUND)
        found += peaks(picture, seen.plane, strip, white, bank, 0.0, MOST_PEAKS)
    places = [p.pose for p in apart(found, MOST_PEAKS)]
    return [p for p in places if all(np.hypot(p.x - k.x, p.y - k.y) > SAME for k in poses)]


def white_of_cards(picture: Picture, seen: SeenCards) -> Floats:
    """The white patch of the photo: the median of those of some cards."""
    if seen.recogniser.photo_white is not None:
        return seen.recogniser.photo_white
    size = (24, 24)
    some = seen.cards[:: max(1, len(seen.cards) // 6)]
    patches = [white_of(picture.warp(canvas_to_photo(c.identity.corners, size), size)) for c in some]
    return np.asarray(median(patches), np.float32)


def seeds_without_outlines(
    picture: Picture, recogniser: Recogniser, enough: int, likely: Sequence[Identity] = ()
) -> Sequence[Identity]:
    """Sure cards in a photo in which no outline showed one, as many as are enough: slow, a last resort.

    Cards as large as those that are `likely` ones are looked for first, then large ones: small ones cost ten times as
    much. What looks like a large card may be a part of several, but such parts agree on no plane: only where all but
    one do are the other sizes left out.
    """
    bank = References.of(recogniser, recogniser.classes, (0, 1, 2, 3))
    white = white_of(picture.level(4)) if recogniser.photo_white is None else recogniser.photo_white
    looks: dict[_Found, Identity] = {}
    found: list[_Found] = []
    seeds: list[Identity] = []
    for sides in _sizes(_side_of(picture, likely)):
        found += [place for side in sides for place in _places_of_size(picture, side, white, bank)]
        seeds = _sure_ones(picture, recogniser, found, looks, enough)
        if len(seeds) >= enough and len(on_plane(seeds)[1]) >= len(seeds) - MOST_OFF_PLANE:
            break
    return seeds


def _side_of(picture: Picture, cards: Sequence[Identity]) -> float | None:
    """The usual side of some cards as a share of the photo's longer side."""
    if not cards:
        return None
    sides = [np.linalg.norm(np.roll(card.corners, -1, axis=0) - card.corners, axis=1).mean() for card in cards]
    longer: int = max(picture.pixels.shape[:2])
    return float(median(sides)) / longer


def _sizes(likely: float | None) -> list[list[float]]:
    """The sides to try as shares of the photo's longer side, some together: those near the likely one, then the largest
    first."""
    count = int(np.log(LARGEST / SMALLEST) / np.log(STEP)) + 1
    sides = [SMALLEST * STEP**k for k in reversed(range(count))]
    near = [side for side in sides if likely is not None and abs(np.log(side / likely)) < 1.5 * np.log(STEP)]
    others = [side for side in sides if side not in near]
    return [near] * bool(near) + [others[i : i + SIZES_AT_ONCE] for i in range(0, len(others), SIZES_AT_ONCE)]


def _places_of_size(picture: Picture, share: float, white: Floats, bank: References) -> list[_Found]:
    """Where a reference comes near, seen from straight above, its side a share of the photo's longer one."""
    height, width = picture.pixels.shape[:2]
    side = share * max(height, width)
    plane = TablePlane(np.diag([1 / side, 1 / side, 1.0]))
    places: list[_Found] = []
    for tilt in LEVEL_TILTS:
        strip = Strip(np.array([width, height]) / 2 / side, np.radians(tilt), width / side, height / side)
        near = peaks(picture, plane, strip, white, bank, 0.0, MOST_PEAKS, shown=WHOLE)
        places += [_Found(peak.score, plane.quad(peak.pose), side) for peak in near]
    return places


def _sure_ones(
    picture: Picture, recogniser: Recogniser, found: Sequence[_Found], looks: dict[_Found, Identity], enough: int
) -> list[Identity]:
    """The sure cards among the likeliest places, one for each card. `looks`: what is known of places, added to."""
    seeds: list[Identity] = []
    for place in sorted(found, key=lambda f: -f.score)[:MOST_TRIES]:
        if place not in looks:
            looks[place] = recogniser.identify(picture, place.quad, reach=SLANT, least=LEAST_ALIKE)
        identity = looks[place]
        middle = identity.corners.mean(0)
        far = all(np.linalg.norm(middle - s.corners.mean(0)) > SAME * place.side for s in seeds)
        if identity.confidence >= SURE and far:
            seeds.append(identity)
        if len(seeds) >= enough:
            break
    return seeds
