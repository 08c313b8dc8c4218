"""Look outwards from what was found on the pieces for an edge that goes all the way round: the piece's own.

A thin printed frame is seen far better than the edge of a dark card on a dark table, and a card whose edge runs into a
seam of the table has no contour of its own. But the edge is parallel to the frame, on all sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.find_frames import FOUR_SIDED
from durian_assist.vision.find_plane import Plane
from durian_assist.vision.find_shapes import STRONG_STEP, Shape, along, clockwise, sampled, snapped

Array = NDArray[np.float64]

# Of the root of the piece's area: the nearest and farthest edge looked for, and the step from line to line.
NEAREST, FARTHEST, STEP = 0.012, 0.24, 0.003
# An edge stands out against the other lines beside that side, such as the grain of the table, by this factor.
STANDS_OUT = 1.6
# The weakest part of a side shows at least this share of what the whole side does (a seam ends somewhere)
# and stands out too: it is the flank of an edge elsewhere, and grain here, where it does not.
EVERY_PART, PART_STANDS_OUT = 0.5, 1.12
# An edge parallel to the piece's on all sides is taken for as well seen as this share of the piece's own.
AS_GOOD_AS = 0.5
_POINTS = 40
_ODD_POINTS = 128


def grown(pieces: Sequence[Shape], plane: Plane, steps: NDArray[np.float32]) -> list[Shape]:
    """For each piece the shapes of the strongest edges that go round it: at an even distance, as most borders are wide,
    and for four-sided ones with each side at a distance of its own; none where there are no such edges.

    `steps` is the working picture's map of colour steps; all outlines are in its pixels.
    """
    found: list[tuple[Shape, float]] = []
    for piece in pieces:
        four_sided = piece.fill > FOUR_SIDED
        wider = _wider_quads(piece, plane, steps) if four_sided else [_wider_outline(piece, plane, steps)]
        found += [(shape, AS_GOOD_AS * piece.worth) for shape in wider if shape is not None]
    shapes = snapped([shape for shape, _ in found], steps)
    return [replace(s, worth=max(s.worth, least)) for s, (_, least) in zip(shapes, found, strict=True)]


def _wider_quads(piece: Shape, plane: Plane, steps: NDArray[np.float32]) -> list[Shape | None]:
    """The piece with its four sides moved out evenly, and each to the strongest edge there."""
    flat = plane.flat(piece.quad)
    size = float(np.sqrt(piece.area))
    ends = np.roll(flat, -1, axis=0)
    direction = (ends - flat) / np.linalg.norm(ends - flat, axis=1, keepdims=True)
    normal = np.stack([direction[:, 1], -direction[:, 0]], axis=1)
    share = np.linspace(0.1, 0.9, _POINTS)[None, :, None]
    points = flat[:, None] * (1 - share) + ends[:, None] * share
    normals = np.repeat(normal[:, None], _POINTS, axis=1)
    even = _edge(points.reshape(-1, 2), normals.reshape(-1, 2), size, plane, steps, 4)
    each = [_edge(side, out, size, plane, steps, 2) for side, out in zip(points, normals, strict=True)]
    return [_moved_out(flat, normal, [even] * 4, plane), _moved_out(flat, normal, each, plane)]


def _moved_out(flat: Array, normal: Array, moves: Sequence[float | None], plane: Plane) -> Shape | None:
    """The quad (4, 2) on the plane with its sides moved along their normals; None where one is not to be moved."""
    known = [move for move in moves if move is not None]
    if len(known) < 4:
        return None
    outwards = normal * np.array(known)[:, None]
    quad = plane.seen(flat + outwards + np.roll(outwards, 1, axis=0)).astype(np.float32)
    return Shape(quad, clockwise(quad), 1.0)


def _wider_outline(piece: Shape, plane: Plane, steps: NDArray[np.float32]) -> Shape | None:
    """The outline moved out by the same distance all round."""
    points, normal = along(plane.flat(piece.outline).astype(np.float32), _ODD_POINTS)
    edge = _edge(points.astype(np.float64), normal.astype(np.float64), float(np.sqrt(piece.area)), plane, steps, 6)
    if edge is None:
        return None
    wider = plane.seen(points + normal * edge).astype(np.float32)
    return Shape(wider, piece.quad, piece.fill)


def _edge(
    points: Array, normal: Array, size: float, plane: Plane, steps: NDArray[np.float32], parts: int
) -> float | None:
    """Distance on the plane, along the normals, to the line on which most of an edge is seen; None where none stands
    out along its whole length."""
    away = np.arange(NEAREST, FARTHEST, STEP) * size
    where = plane.seen(points[None] + normal[None] * away[:, None, None])
    height, width = steps.shape
    inside = np.asarray(((where > 1) & (where < np.array([width, height]) - 2)).all(axis=(1, 2)), np.bool_)
    seen = np.sqrt(np.minimum(sampled(steps, where) / STRONG_STEP, 1.0)) * inside[:, None]
    weakest = np.min([part.mean(axis=1) for part in np.array_split(seen, parts, axis=1)], axis=0)
    strength = seen.mean(axis=1)
    usual = float(np.median(strength[inside])) if inside.any() else 0.0
    # What is left of the piece's own edge comes first.
    away_from_own = int(np.argmax(strength <= STANDS_OUT * usual))
    strength[:away_from_own] = 0.0
    clear = (strength > STANDS_OUT * usual) & (weakest > np.maximum(EVERY_PART * strength, PART_STANDS_OUT * usual))
    if not clear.any():
        return None
    return float(away[int(np.where(clear, strength, 0.0).argmax())])
