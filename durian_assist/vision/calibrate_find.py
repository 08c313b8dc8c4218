"""Find the pieces of a calibration photo: their number is known, they lie apart in rows, upright."""

from __future__ import annotations

from collections.abc import Sequence

from durian_assist.vision.calibrate_regular import regular
from durian_assist.vision.find_candidates import candidates, scaled
from durian_assist.vision.find_frames import outermost
from durian_assist.vision.find_masks import Pixels
from durian_assist.vision.find_sets import most_regular, singles, size_sets
from durian_assist.vision.find_shapes import Shape

# Less than this share of an outline being seen is no piece.
SEEN = 0.72
MISSING = 1.0


def find_pieces(pixels: Pixels, count: int) -> list[Shape]:
    """The `count` most likely pieces, in photo pixels; another number where the photo does not show so many."""
    found = candidates(pixels, SEEN)
    places = _places(found.shapes, count, found.size)
    if not places:
        return []
    outlines = outermost(places, found.shapes, found.size)
    return [scaled(s, 1 / found.scale) for s in regular(places, outlines, count, found.steps, found.all)]


def _places(shapes: Sequence[Shape], count: int, size: tuple[int, int]) -> list[Shape]:
    """The set of separate shapes of one size that fits the count best."""
    sets = size_sets(shapes) if count > 1 else singles(shapes)
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
