"""Find the pieces of a calibration photo: their number is known, they lie apart in rows, upright."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from durian_assist.vision.calibrate_regular import regular
from durian_assist.vision.find_candidates import Candidates, candidates, scaled
from durian_assist.vision.find_frames import FOUR_SIDED, outermost, plane_of, sides_of
from durian_assist.vision.find_masks import Pixels
from durian_assist.vision.find_sets import SizeSet, most_regular, singles, size_sets
from durian_assist.vision.find_shapes import Shape
from durian_assist.vision.find_size import overlap

# Less than this share of an outline being seen is no piece.
SEEN = 0.72
MISSING = 1.0
AS_WELL_SEEN = 0.8
SAME_SIDES = 0.04  # of the logarithm: 4 %


def find_pieces(pixels: Pixels, count: int) -> list[Shape]:
    """The `count` most likely pieces, in photo pixels; another number where the photo does not show so many."""
    found = candidates(pixels, SEEN)
    places = _places(found.shapes, count, found.size)
    if not places:
        return []
    outlines = outermost(places, found.shapes, found.size)
    pieces = regular(places, outlines, count, found.steps, found.all)
    return [scaled(s, 1 / found.scale) for s in (*pieces, *_further(pieces, found))]


def _further(pieces: Sequence[Shape], found: Candidates) -> list[Shape]:
    """Shapes like the pieces that lie beside them: the photo shows more than were asked for."""
    plane = plane_of(pieces, found.size)
    usual = np.median([np.log(sides_of(plane.flat(p.quad))) for p in pieces], axis=0)
    worth = float(np.median([p.worth for p in pieces]))
    kept = list(pieces)
    for shape in found.shapes:
        alike = abs(shape.fill - pieces[0].fill) < 0.05 and shape.worth > AS_WELL_SEEN * worth
        same = np.abs(np.log(sides_of(plane.flat(shape.quad))) - usual).max() < SAME_SIDES
        if alike and same and all(overlap(shape.outline, other.outline) < 0.1 for other in kept):
            kept.append(shape)
    return kept[len(pieces) :]


def _places(shapes: Sequence[Shape], count: int, size: tuple[int, int]) -> list[Shape]:
    """The set of separate shapes of one size that fits the count best."""
    sets = _without_prints(size_sets(shapes), shapes) if count > 1 else singles(shapes)
    if not sets:
        return []
    spare = max(1, count // 8) if count > 3 else 0
    nearest = min(max(abs(len(s.chosen) - count) - spare, 0) for s in sets)
    fitting = [s for s in sets if abs(len(s.chosen) - count) <= nearest + spare and s.chosen]
    # Dice and parts of the print agree in size too, but they are small.
    largest = max(s.root for s in fitting if s.worth > 0.75 * max(t.worth for t in fitting))
    large = [s for s in fitting if s.root > 0.85 * largest]
    best = most_regular(large, shapes, size, {s: -MISSING * abs(len(s.chosen) / count - 1) for s in large})
    return [shapes[i] for i in best.chosen]


def _without_prints(sets: Sequence[SizeSet], shapes: Sequence[Shape]) -> list[SizeSet]:
    """The sets that are not prints: not much smaller than other pieces, few of them lying in larger pieces.

    What has no like, a mat or a sheet of paper under the cards, is no such larger piece.
    """
    likes = [option for option in sets if len(option.chosen) > 1 and option.worth > AS_WELL_SEEN]
    alike = {i for option in likes for i in option.chosen}
    largest = max((option.root**1.5 for option in likes), default=0.0)
    held = [any(i in alike for i in _holders(shape, shapes)) for shape in shapes]
    return [
        option
        for option in sets
        if option.root**1.5 > largest / 3 and sum(held[i] for i in option.chosen) <= len(option.chosen) / 4
    ]


def _holders(shape: Shape, shapes: Sequence[Shape]) -> list[int]:
    """Indices of well seen four-sided shapes, more than twice as large, that the shape lies in."""
    return [
        i
        for i, other in enumerate(shapes)
        if other.fill > FOUR_SIDED
        and other.worth > AS_WELL_SEEN
        and other.area > 2 * shape.area
        and overlap(shape.outline, other.outline) > 0.95
    ]
