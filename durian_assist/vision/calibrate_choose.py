"""Of all the sets of equal shapes in a calibration photo the one that is the pieces, when their number is known.

Nothing is asked of the art. Pieces are not bare table, not print that lies in larger pieces, and the largest of what
goes round each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from durian_assist.vision.calibrate_table import like_the_table
from durian_assist.vision.find_candidates import Candidates
from durian_assist.vision.find_frames import FOUR_SIDED, OUTER_WORTH, extent, plane_of, square
from durian_assist.vision.find_sets import SizeSet, most_regular, singles, size_sets
from durian_assist.vision.find_shapes import Shape
from durian_assist.vision.find_size import overlap

MISSING = 1.0
AS_WELL_SEEN = 0.8
# More of its inside than this looks like the table round about: a place between seams or folds, not a piece.
BARE = 0.8
# What goes round a piece is larger by this at least; frames nearer to its edge are another matter.
ROUND = 1.2
# By how much the logarithm of that share and the form may differ from piece to piece: all are printed alike.
SAME_PRINT = 0.1
SAME_FILL = 0.03
# How much the logarithm of that share counts against how well the edge is seen, 0 to 1.
LARGE = 0.5
SAME_SIZE = 0.06  # of the logarithm of the sides; a shadow may be in it


def choose(found: Candidates, count: int) -> list[Shape]:
    """The set of separate shapes of one size that fits the count best; empty where there is none."""
    shapes = found.shapes
    every = size_sets(shapes) if count > 1 else singles(shapes)
    sets = _without_prints(every, found, count) if count > 1 else every
    if not sets:
        return []
    spare = max(1, count // 8) if count > 3 else 0
    nearest = min(max(abs(len(s.chosen) - count) - spare, 0) for s in sets)
    fitting = [s for s in sets if abs(len(s.chosen) - count) <= nearest + spare and s.chosen]
    fitting = _without_bare_table(fitting, found) or fitting
    # Dice and parts of the print agree in size too, but they are small.
    largest = max(s.root for s in fitting if s.worth > 0.75 * max(t.worth for t in fitting))
    large = [s for s in fitting if s.root > 0.85 * largest]
    best = most_regular(large, shapes, found.size, {s: -MISSING * abs(len(s.chosen) / count - 1) for s in large})
    pieces = [shapes[i] for i in best.chosen]
    return _round_about(pieces, found, count) if count > 1 else pieces


def _without_bare_table(sets: Sequence[SizeSet], found: Candidates) -> list[SizeSet]:
    """The sets most of whose shapes show something else than the table."""
    used = sorted({i for option in sets for i in option.chosen})
    bare = dict(zip(used, like_the_table([found.shapes[i] for i in used], found.pixels) > BARE, strict=True))
    return [option for option in sets if np.mean([bare[i] for i in option.chosen]) < 0.5]


def _round_about(inner: Sequence[Shape], found: Candidates, count: int) -> list[Shape]:
    """The shapes that go round the inner ones, one round each and all in one proportion: number plates lie on tokens.

    Those that are large and well seen; the inner ones themselves where there are none such.
    """
    rings = [[s for s in found.shapes if s.area > ROUND * piece.area and _holds(s, piece)] for piece in inner]
    larger = [np.log([s.area for s in ring]) - np.log(piece.area) for ring, piece in zip(rings, inner, strict=True)]
    worth = OUTER_WORTH * float(np.mean([piece.worth for piece in inner]))
    options: list[tuple[float, list[Shape]]] = []
    for usual, fill in {
        (r, s.fill) for ring, own in zip(rings, larger, strict=True) for s, r in zip(ring, own, strict=True)
    }:
        alike = [
            [
                s
                for s, r in zip(ring, own, strict=True)
                if abs(r - usual) < SAME_PRINT and abs(s.fill - fill) < SAME_FILL
            ]
            for ring, own in zip(rings, larger, strict=True)
        ]
        outer = list({id(s): s for s in (max(ring, key=lambda s: s.worth) for ring in alike if ring)}.values())
        seen = float(np.mean([s.worth for s in outer]))
        if len(outer) >= min(count, len(inner)) and seen > worth:
            options.append((seen + LARGE * float(usual), outer))
    for _, outer in sorted(options, key=lambda option: -option[0]):
        if _equal(outer, found.size) and not any(
            overlap(a.outline, b.outline) > 0.02 for a, b in combinations(outer, 2)
        ):
            return outer
    return list(inner)


def _equal(pieces: Sequence[Shape], size: tuple[int, int]) -> bool:
    """Whether the pieces have one size on a plane, and right angles where they have four sides."""
    plane = plane_of(pieces, size)
    sides = np.log([extent(piece, plane) for piece in pieces])
    even = float(np.abs(sides - np.median(sides, axis=0)).max()) < SAME_SIZE
    return even and all(square(plane.flat(piece.quad), piece.fill) for piece in pieces)


def _holds(outer: Shape, inner: Shape) -> bool:
    return overlap(outer.outline, inner.outline) > 0.97


def _without_prints(sets: Sequence[SizeSet], found: Candidates, count: int) -> list[SizeSet]:
    """The sets that are not prints: not much smaller than other pieces, few of them lying in larger pieces.

    What has not half as many likes as there are pieces is no such larger piece: a mat or a sheet of paper under the
    cards, or the outline of two cards that a die or a seam of the table joins.
    """
    likes = [option for option in sets if len(option.chosen) >= max(2, count / 2) and option.worth > AS_WELL_SEEN]
    largest = max((option.root**1.5 for option in likes), default=0.0)
    held = _held(likes, found)
    return [
        option
        for option in sets
        if option.root**1.5 > largest / 3 and sum(held[i] for i in option.chosen) <= len(option.chosen) / 4
    ]


def _held(likes: Sequence[SizeSet], found: Candidates) -> list[bool]:
    """For each shape whether it lies in a larger one that is equal to the others of its set."""
    holders = [_holders(shape, found.shapes) for shape in found.shapes]
    wanted = {i for own in holders for i in own}
    equal: set[int] = set()
    for option in likes:
        fresh = wanted.intersection(option.chosen) - equal
        if fresh and _equal([found.shapes[i] for i in option.chosen], found.size):
            equal |= fresh
    return [any(i in equal for i in own) for own in holders]


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
