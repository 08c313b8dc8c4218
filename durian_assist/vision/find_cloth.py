"""The squares of a checked cloth: rectangles of one size that nobody laid out.

They tile the plane: plain ones of their size touch them on every side, far more of them than a table holds cards.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.find_masks import Pixels
from durian_assist.vision.find_shapes import Shape, inside, sampled

# Lab units from the middle colour, and the share of the inside that keeps to it.
ONE_COLOUR, NEARLY_ALL = 14.0, 0.95
# Plain shapes among others as plain: more of them than any game's cards that lie face down edge to edge.
MANY = 40
# Sides of the four on which a shape of its size touches it; at the edge of what is seen one may be missing.
SIDES = 3
# Of the shape's size: how far the middles of two that touch are apart, and how much larger one may seem.
NEAR, FAR, LARGER = 0.75, 1.35, 1.3


def checked(shapes: Sequence[Shape], pixels: Pixels) -> NDArray[np.bool_]:
    """Which of the shapes in the picture (BGR) are squares of a checked cloth."""
    cloth = np.zeros(len(shapes), np.bool_)
    if len(shapes) <= MANY:
        return cloth
    index = np.flatnonzero(_plain(shapes, pixels))
    if len(index) <= MANY:
        return cloth
    quads = np.stack([shapes[int(i)].quad for i in index]).astype(np.float64)
    size = np.sqrt([shapes[int(i)].area for i in index])
    tiled = _touched_sides(quads, size) >= SIDES
    if tiled.sum() <= MANY:
        return cloth
    # Those at the edge of the cloth or beside a card are touched on fewer sides, parts of squares on none.
    cloth[index] = tiled | (size < LARGER * np.percentile(size[tiled], 95))
    return cloth


def _plain(shapes: Sequence[Shape], pixels: Pixels) -> NDArray[np.bool_]:
    """Which of the shapes are of one colour but for the weave of a cloth."""
    lab = np.asarray(cv2.cvtColor(cv2.GaussianBlur(pixels, (5, 5), 0), cv2.COLOR_BGR2Lab), np.uint8)
    colours = np.asarray(sampled(lab, inside(shapes, 16, 0.25)), np.float32)
    away = np.linalg.norm(colours - np.median(colours, axis=1, keepdims=True), axis=2)
    return np.asarray((away < ONE_COLOUR).mean(axis=1) > NEARLY_ALL, np.bool_)


def _touched_sides(quads: NDArray[np.float64], size: NDArray[np.float64]) -> NDArray[np.intp]:
    """For each of the quads (n, 4, 2) the number of its sides on which another one of its size touches it."""
    middle = quads.mean(axis=1)
    top = quads[:, 1] - quads[:, 0]
    way = middle[None] - middle[:, None]
    far = np.hypot(way[..., 0], way[..., 1]) / size[:, None]
    alike = np.abs(np.log(size[None] / size[:, None])) < np.log(LARGER)
    touching = (far > NEAR) & (far < FAR) & alike
    angle = np.arctan2(way[..., 1], way[..., 0]) - np.arctan2(top[:, 1], top[:, 0])[:, None]
    side = np.round(angle / (np.pi / 2)).astype(int) % 4
    return np.asarray(sum((touching & (side == k)).any(axis=1).astype(np.intp) for k in range(4)), np.intp)
