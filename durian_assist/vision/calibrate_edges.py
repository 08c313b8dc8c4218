"""How well an edge is seen along an outline in a calibration photo: wood grain, a shadow or print may hide it."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.find_masks import Pixels
from durian_assist.vision.find_shapes import along, sampled

Array = NDArray[np.float64]
Points = NDArray[np.float32]

# Of a piece's size: how far from an outline its edge may lie.
NEAR = 0.004
WEAK_STEP = 3.0  # Lab units; grain and noise stay below
# The outer tenth of each side is rounded off.
_SIDE = (0.1, 0.9)
_POINTS, _PARTS = 48, 8
# Beside the outline, of the piece's size: an edge there stands out from what lies so far inwards and outwards.
_BESIDE = tuple(way * share for way in (-1, 1) for share in (0.02, 0.03, 0.04, 0.05))
# An edge is a step so many times as large as those beside it, in so many of the parts of an outline.
_STANDS_OUT, _MOST_PARTS = 1.5, 0.7


def seen(pixels: Pixels, quads: Sequence[Points]) -> list[float]:
    """For each of some quads (4, 2) about one piece how well the worst of its sides lies on an edge, 0 to 1.

    1 is an edge as strong as is usual along all of them.
    """
    steps = [_steps(pixels, *_sides(quad), _size(quad)).reshape(4, _POINTS) for quad in quads]
    usual = max(float(np.median(np.stack(steps))), WEAK_STEP)
    return [float(np.sqrt(np.minimum(step / usual, 1.0)).mean(axis=1).min()) for step in steps]


def stands_out(pixels: Pixels, outline: Points) -> bool:
    """Whether an edge runs along the outline (n, 2) nearly all round, stronger than what is printed beside it."""
    points, normals = along(outline, _PARTS * _POINTS)
    size = _size(outline)
    on, *beside = (
        np.median(_steps(pixels, points + normals * (away * size), normals, size).reshape(_PARTS, -1), axis=1)
        for away in (0.0, *_BESIDE)
    )
    edge = on > _STANDS_OUT * np.maximum(np.median(np.stack(beside), axis=0), WEAK_STEP / 2)
    return float(edge.mean()) >= _MOST_PARTS


def _size(outline: Points) -> float:
    return float(np.sqrt(max(cv2.contourArea(outline.astype(np.float32)), 1.0)))


def _sides(quad: Points) -> tuple[Points, Points]:
    """(4 * _POINTS, 2) points along the sides of a quad and the unit normals there."""
    ends = np.roll(quad, -1, axis=0)
    share = np.linspace(*_SIDE, _POINTS)[None, :, None]
    points = quad[:, None] * (1 - share) + ends[:, None] * share
    direction = (ends - quad) / np.maximum(np.linalg.norm(ends - quad, axis=1, keepdims=True), 1e-9)
    normals = np.repeat(np.stack([direction[:, 1], -direction[:, 0]], axis=1), _POINTS, axis=0)
    return points.reshape(-1, 2).astype(np.float32), normals.astype(np.float32)


def _steps(pixels: Pixels, points: Points, normals: Points, size: float) -> Array:
    """(n,) the largest step of colour across the outline, in Lab units, within NEAR of each point."""
    near = max(1.0, NEAR * size)
    away = np.linspace(-2 * near, 2 * near, 17)
    where = points[:, None, :] + normals[:, None, :] * away[None, :, None].astype(np.float32)
    low = np.maximum(np.floor(where.reshape(-1, 2).min(axis=0)).astype(int) - 3, 0)
    high = np.maximum(np.ceil(where.reshape(-1, 2).max(axis=0)).astype(int) + 4, low + 1)
    part = pixels[low[1] : high[1], low[0] : high[0]]
    if part.size == 0:
        return np.zeros(len(points))
    lab = cv2.cvtColor(cv2.GaussianBlur(part, (5, 5), 0), cv2.COLOR_BGR2Lab)
    colours = np.asarray(sampled(np.asarray(lab, np.uint8), where - low.astype(np.float32)), np.float64)
    # Each step is taken across as far as an edge may lie off.
    change = np.linalg.norm(colours[:, 8:] - colours[:, :-8], axis=2)
    return np.asarray(change.max(axis=1), np.float64)
