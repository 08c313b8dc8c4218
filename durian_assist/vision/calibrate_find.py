"""Find the pieces of a calibration photo: their number is known, they lie apart in rows, upright."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from durian_assist.vision.calibrate_choose import AS_WELL_SEEN, choose
from durian_assist.vision.calibrate_grow import grown
from durian_assist.vision.calibrate_regular import regular
from durian_assist.vision.find_candidates import Candidates, candidates, scaled
from durian_assist.vision.find_frames import outermost, plane_of, sides_of
from durian_assist.vision.find_masks import Pixels
from durian_assist.vision.find_shapes import Shape
from durian_assist.vision.find_size import overlap

# Less than this share of an outline being seen is no piece.
SEEN = 0.72
GROWTHS = 3
LARGER = 1.01
SAME_SIDES = 0.04  # of the logarithm: 4 %


def find_pieces(pixels: Pixels, count: int) -> list[Shape]:
    """The `count` most likely pieces, in photo pixels; another number where the photo does not show so many."""
    found = candidates(pixels, SEEN, table_at_rim=True)
    places = choose(found, count)
    if not places:
        return []
    outlines = _grown_outwards(places, found)
    pieces = regular(places, outlines, count, found.steps, found.all)
    return [scaled(s, 1 / found.scale) for s in (*pieces, *_further(pieces, found))]


def _grown_outwards(places: Sequence[Shape], found: Candidates) -> list[Shape | None]:
    """The places grown to the outermost outline that they have in common; None at a place that lacks it."""
    shapes = list(found.shapes)
    outlines = outermost(places, shapes, found.size)
    for _ in range(GROWTHS):
        known = [piece for piece in outlines if piece is not None]
        plane = plane_of(known, found.size)
        here = [place if piece is None else piece for place, piece in zip(places, outlines, strict=True)]
        wider = grown(here, plane, found.steps)
        if not wider:
            break
        shapes += wider
        before, outlines = outlines, outermost(places, shapes, found.size)
        if _extent(outlines) < LARGER * _extent(before):
            break
    return outlines


def _extent(outlines: Sequence[Shape | None]) -> float:
    return float(np.median([piece.area for piece in outlines if piece is not None]))


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
