"""Look outwards from what was found on the pieces for an edge that goes all the way round: the piece's own.

A thin printed frame is seen far better than the edge of a dark card on a dark table, and a card whose edge runs into a
seam of the table has no contour of its own. But the edge is parallel to the frame, on all sides.
"""

from __future__ import annotations

from collections.abc import Sequence

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
# The weakest part of a side shows at least this share of what the whole side does: a seam ends somewhere.
EVERY_PART = 0.5
_POINTS = 40
_ODD_POINTS = 128


def grown(pieces: Sequence[Shape], plane: Plane, steps: NDArray[np.float32]) -> list[Shape]:
    """For each piece the shape of the strongest edge that goes round it at an even distance, where there is one.

    `steps` is the working picture's map of colour steps; all outlines are in its pixels.
    """
    found = [_wider_quad(p, plane, steps) if p.fill > FOUR_SIDED else _wider_outline(p, plane, steps) for p in pieces]
    return snapped([shape for shape in found if shape is not None], steps)


def _wider_quad(piece: Shape, plane: Plane, steps: NDArray[np.float32]) -> Shape | None:
    """The piece with each of its four sides moved out to the strongest edge there."""
    flat = plane.flat(piece.quad)
    size = float(np.sqrt(piece.area))
    ends = np.roll(flat, -1, axis=0)
    direction = (ends - flat) / np.linalg.norm(ends - flat, axis=1, keepdims=True)
    normal = np.stack([direction[:, 1], -direction[:, 0]], axis=1)
    moved = []
    for start, end, out in zip(flat, ends, normal, strict=True):
        share = np.linspace(0.1, 0.9, _POINTS)[:, None]
        edge = _edge(start * (1 - share) + end * share, np.broadcast_to(out, (_POINTS, 2)), size, plane, steps, 2)
        if edge is None:
            return None
        moved.append(edge)
    wider = flat + normal * np.array(moved)[:, None] + np.roll(normal * np.array(moved)[:, None], 1, axis=0)
    quad = plane.seen(wider).astype(np.float32)
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
    clear = (strength > STANDS_OUT * usual) & (weakest > EVERY_PART * strength)
    if not clear.any():
        return None
    return float(away[int(np.where(clear, strength, 0.0).argmax())])
