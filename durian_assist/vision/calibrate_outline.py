"""The outline of a piece that has no four sides: followed along its edge, past its shadow and its thick side."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.find_masks import Pixels
from durian_assist.vision.find_plane import Plane
from durian_assist.vision.find_shapes import along, sampled

Array = NDArray[np.float64]
Points = NDArray[np.float32]

_POINTS = 256
# Of the piece's size: how far inwards its edge may lie from the outline of the piece and its shadow, and how far where
# what is seen there turns out to be print; outwards a quarter of it.
_REACH, _SHORT_REACH = 0.12, 0.045
# A shadow lies on one side: where more than this share of the outline would move in by the short reach, that is print.
_ALL_ROUND = 0.6
# An edge of this share of the strongest one is as good as it.
_ENOUGH = 0.6
# Of two edges that are as strong the outer one is the piece's: the inner one is printed.
_DEPTH = 0.2


def followed(pixels: Pixels, outline: Points) -> Points:
    """The outline (n, 2) moved onto the strongest smooth edge at or just inside it, in photo pixels.

    The edge of the printed face against anything is stronger than that of the cut side against its shadow.
    """
    size = float(np.sqrt(cv2.contourArea(outline)))
    points, normals = along(outline, _POINTS)
    moved = _moves(pixels, points, normals, size, _REACH)
    if (moved < -_SHORT_REACH * size).mean() > _ALL_ROUND:
        moved = _moves(pixels, points, normals, size, _SHORT_REACH)
    return (points + normals * moved[:, None]).astype(np.float32)


def _moves(pixels: Pixels, points: Points, normals: Points, size: float, reach: float) -> Array:
    """How far each of the points is to move along its normal, in pixels."""
    step = max(0.5, size * reach / 60)
    offsets = np.arange(-reach * size, reach * size / 4, step)
    where = points[:, None, :] + normals[:, None, :] * np.append(offsets, offsets[-1] + [step, 2 * step])[None, :, None]
    colours = np.asarray(sampled(pixels, where), np.float64)
    change = np.linalg.norm(colours[:, 2:] - colours[:, :-2], axis=2)
    enough = _ENOUGH * np.median(change.max(axis=1))
    depth = _DEPTH * (1.0 - np.arange(len(offsets)) / len(offsets))
    path = _smoothest(1.0 - np.minimum(change / max(float(enough), 1e-6), 1.0) + depth)
    return np.asarray(offsets[path] + step, np.float64)


def _smoothest(cost: Array, bend: float = 0.15) -> NDArray[np.intp]:
    """Cheapest closed path through (n, m) costs whose index changes by at most one from row to row."""
    rounds = np.vstack([cost, cost])
    total = rounds[0].copy()
    back = np.zeros(rounds.shape, np.intp)
    index = np.arange(cost.shape[1])
    for row in range(1, len(rounds)):
        padded = np.pad(total, 1, constant_values=np.inf)
        options = np.stack([padded[:-2] + bend, padded[1:-1], padded[2:] + bend])
        best = options.argmin(axis=0)
        back[row] = np.clip(index + best - 1, 0, cost.shape[1] - 1)
        total = options.min(axis=0) + rounds[row]
    path = np.zeros(len(rounds), np.intp)
    path[-1] = int(total.argmin())
    for row in range(len(rounds) - 1, 0, -1):
        path[row - 1] = back[row, path[row]]
    # Half a round at each end still depends on where the path was cut open.
    half = len(cost) // 2
    return np.roll(path[half : half + len(cost)], half)


def upright_box(outline: Points, plane: Plane) -> Points:
    """The four corners, in the photo, of the rectangle round the outline that stands upright on the table.

    An outline with a straight side, such as half a disc, stands on it; a round one as the photo does.
    """
    flat = plane.flat(outline).astype(np.float32)
    low, high = flat.min(axis=0), flat.max(axis=0)
    box = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
    tight = cv2.boxPoints(cv2.minAreaRect(flat))
    start = int(np.argmin(tight.sum(axis=1)))
    tight = np.roll(tight, -start, axis=0)
    if cv2.contourArea(tight, oriented=True) < 0:
        tight = np.roll(tight[::-1], 1, axis=0)
    top = tight[1] - tight[0]
    leans = abs(float(np.degrees(np.arctan2(top[1], top[0]))))
    if leans < 20 and cv2.contourArea(tight) < 0.99 * cv2.contourArea(box.astype(np.float32)):
        box = tight.astype(np.float64)
    return plane.seen(box).astype(np.float32)
