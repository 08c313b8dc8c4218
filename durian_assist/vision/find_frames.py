"""From prints to cards: a piece is grown to the outermost frame that most pieces of its kind have."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.find_plane import USUAL_FOCAL, Plane, plane_of_outlines, plane_of_quads
from durian_assist.vision.find_shapes import Shape

Array = NDArray[np.float64]

FOUR_SIDED = 0.94
IRREGULAR = 3.0
LEVEL_TOLERANCE = 0.018
# An outer frame may be seen less well than the print inside it: white borders on light tables.
OUTER_WORTH = 0.45
MOST = 0.6
MOST_SIZES = 160  # guesses of the cards' size that are tried
# A frame larger by a twentieth is preferred even if it is seen half as well.
OUTWARDS = 10.0
FRAME_MARGIN = 1.5  # pixels of the working picture


def plane_of(pieces: Sequence[Shape], size: tuple[int, int], focal: float = USUAL_FOCAL) -> Plane:
    """The table's plane from equal pieces lying on it, for a picture of `size` (width, height)."""
    if np.median([piece.fill for piece in pieces]) > FOUR_SIDED:
        return plane_of_quads(np.stack([piece.quad for piece in pieces]), size, focal)
    return plane_of_outlines([piece.outline for piece in pieces], size, focal)


def sides_of(quad: Array) -> Array:
    """Mean width and height of a quad (4, 2)."""
    lengths = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return np.array([lengths[0] + lengths[2], lengths[1] + lengths[3]]) / 2


def extent(shape: Shape, plane: Plane) -> Array:
    """Width and height of a shape on the plane; of one without four sides, whose quad may lie round it in several
    ways, along and across the picture."""
    if shape.fill > FOUR_SIDED:
        return sides_of(plane.flat(shape.quad))
    return np.asarray(np.ptp(plane.flat(shape.outline), axis=0), np.float64)


def outermost(
    pieces: Sequence[Shape], shapes: Sequence[Shape], size: tuple[int, int], focal: float = USUAL_FOCAL
) -> list[Shape | None]:
    """The pieces, each grown to the outermost frame that most of them have in one size; None where one lacks it.

    A printed frame lies inside its card on all sides; a shadow joins a card on one or two sides only.
    The tilt of the table is not known well while some pieces are frames and others are cards: two guesses of it are
    made better in turn, and the more regular outcome is taken.
    """
    rings = [[piece, *(s for s in shapes if frames(s, piece))] for piece in pieces]
    starts = [plane_of(pieces, size, focal)]
    if np.median([piece.fill for piece in pieces]) > FOUR_SIDED:
        starts.append(plane_of_quads(np.stack([p.quad for p in pieces]), size, focal, same_size=False))
    outcomes: list[tuple[float, list[Shape | None]]] = []
    for start in starts:
        plane = start
        for _ in range(3):
            value, chosen = _largest_level(rings, plane)
            plane = plane_of([s for s in chosen if s is not None], size, focal)
        outcomes.append((value - IRREGULAR * plane.residual, chosen))
    return max(outcomes, key=lambda outcome: outcome[0])[1]


def _largest_level(rings: list[list[Shape]], plane: Plane) -> tuple[float, list[Shape | None]]:
    """From each ring its shape of the largest size that most rings have, and how good that choice is."""
    regular_rings = [ring[:1] + [s for s in ring[1:] if square(plane.flat(s.quad), s.fill)] for ring in rings]
    flat = [[np.log(extent(s, plane)) for s in ring] for ring in regular_rings]
    best: tuple[float, list[Shape | None]] = (-np.inf, [ring[0] for ring in rings])
    sizes = [own for ring in flat for own in ring]
    for sides in sizes[:: -(-len(sizes) // MOST_SIZES)]:
        level = [_nearest(ring, own, sides) for ring, own in zip(regular_rings, flat, strict=True)]
        worth = [s.worth for s in level if s is not None]
        if len(worth) < MOST * len(rings):
            continue
        value = len(worth) / len(rings) + 0.5 * float(np.mean(worth)) + OUTWARDS * float(sides.mean())
        if value > best[0]:
            best = (value, level)
    return best


def square(quad: Array, fill: float) -> bool:
    """Whether a quad on the plane has right angles; outlines without four sides need not."""
    return fill <= FOUR_SIDED or bool(right_angled(quad[None])[0])


def right_angled(quads: Array) -> NDArray[np.bool_]:
    """Which of the quads (n, 4, 2) on the plane have right angles to 3 degrees."""
    sides = np.roll(quads, -1, axis=1) - quads
    unit = sides / np.maximum(np.linalg.norm(sides, axis=2, keepdims=True), 1e-9)
    return np.asarray(np.abs((unit * np.roll(unit, -1, axis=1)).sum(axis=2)).max(axis=1) < 0.05, np.bool_)


def _nearest(ring: list[Shape], own: list[Array], sides: Array) -> Shape | None:
    """Of the shapes round one place the best seen one that has the sides given."""
    alike = [s for s, o in zip(ring, own, strict=True) if np.abs(o - sides).max() < LEVEL_TOLERANCE]
    return max(alike, key=lambda s: s.worth, default=None)


def frames(outer: Shape, inner: Shape) -> bool:
    """Whether `outer` goes round `inner` with a margin on all sides and is of the same kind of shape."""
    if not 1.01 < outer.area / inner.area < 2.0 or outer.worth < OUTER_WORTH * inner.worth:
        return False
    if abs(outer.fill - inner.fill) > 0.05:
        return False
    # A corner in another colour is cut off the outline of a card, but its four sides go round it.
    four_sided = min(outer.fill, inner.fill) > FOUR_SIDED
    return _margin(*((s.quad if four_sided else s.outline) for s in (outer, inner))) > FRAME_MARGIN


def _margin(outer: NDArray[np.float32], inner: NDArray[np.float32]) -> float:
    """Least distance in pixels from the inner outline out to the outer one; negative where it sticks out."""
    if (inner.min(axis=0) < outer.min(axis=0)).any() or (inner.max(axis=0) > outer.max(axis=0)).any():
        return -1.0
    return float(
        min(cv2.pointPolygonTest(outer, (float(x), float(y)), True) for x, y in inner[:: 3 if len(inner) > 4 else 1])
    )
