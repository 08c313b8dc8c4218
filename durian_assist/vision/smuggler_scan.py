"""Cards that no outline shows, found by what is printed on them: on a plane that is known, or on none at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from durian_assist.vision.lattice import main_angle
from durian_assist.vision.recognise import Identity, Recogniser
from durian_assist.vision.rectify import Floats, Picture, canvas_to_photo, median, white_of
from durian_assist.vision.scan import Peak, References, Strip, apart, peaks
from durian_assist.vision.smuggler_seen import SAME, SURE, SeenCards, on_plane
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
# Of all the places without a plane only so many are looked at closely.
MOST_TRIES = 30
# Seeds are looked for among cards that are all in the picture and free of glare.
WHOLE = 0.95
# Seen at a slant, a card agrees with no picture of it until it is aligned.
SLANT = 0.15


def scanned(picture: Picture, seen: SeenCards) -> SeenCards:
    """The cards with those that the plane shows round them. The plane gets better with each, so it is done in turns."""
    bank = References.of(seen.recogniser, seen.recogniser.classes, (0, 1, 2, 3))
    for _ in range(ROUNDS):
        places = _new_places(picture, seen, bank)
        sure = seen.sure(seen.recogniser.identify(picture, seen.plane.quad(place), rigid=True) for place in places)
        plane, cards = on_plane([*(c.identity for c in seen.cards), *sure])
        if len(cards) <= len(seen.cards):
            break
        seen = replace(seen, plane=plane, cards=cards)
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


def seeds_without_outlines(picture: Picture, recogniser: Recogniser, enough: int) -> Sequence[Identity]:
    """Sure cards in a photo in which no outline showed one, as many as are enough: slow, a last resort."""
    height, width = picture.pixels.shape[:2]
    bank = References.of(recogniser, recogniser.classes, (0, 1, 2, 3))
    white = white_of(picture.level(4)) if recogniser.photo_white is None else recogniser.photo_white
    found: list[tuple[Peak, TablePlane]] = []
    side = SMALLEST * max(height, width)
    while side <= LARGEST * max(height, width):
        plane = TablePlane(np.diag([1 / side, 1 / side, 1.0]))
        for tilt in LEVEL_TILTS:
            strip = Strip(np.array([width, height]) / 2 / side, np.radians(tilt), width / side, height / side)
            found += [(p, plane) for p in peaks(picture, plane, strip, white, bank, 0.0, MOST_PEAKS, shown=WHOLE)]
        side *= STEP
    seeds: list[Identity] = []
    for peak, plane in sorted(found, key=lambda f: -f[0].score)[:MOST_TRIES]:
        identity = recogniser.identify(picture, plane.quad(peak.pose), reach=SLANT)
        middle = identity.corners.mean(0)
        far = all(np.linalg.norm(middle - s.corners.mean(0)) > SAME / plane.to_plane[0, 0] for s in seeds)
        if identity.confidence >= SURE and far:
            seeds.append(identity)
        if len(seeds) >= enough:
            break
    return seeds
