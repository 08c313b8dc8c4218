"""What is only table: a piece looks different inside its outline than round about it."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.find_masks import Pixels
from durian_assist.vision.find_shapes import Shape, along, sampled

Array = NDArray[np.float64]

# Colours nearer than this, in Lab units with lightness at half weight, are one: grain and light vary by as much.
SAME_COLOUR = 7.0
# A colour that so many of the samples round about have is the table's.
COMMON = 0.04
_ROUND_ABOUT = (1.08, 1.16)  # of the outline's reach from its middle: past the shadow, short of the next piece
_INSIDE = (0.25, 0.45, 0.6, 0.72, 0.82, 0.9)
_POINTS = 64


def like_the_table(shapes: Sequence[Shape], pixels: Pixels) -> Array:
    """For each shape the share of its inside, 0 to 1, whose colours are common just outside it and at the edge of the
    picture; `pixels` as BGR. A plain piece of print is like the print round it, but not like the table."""
    if not shapes:
        return np.zeros(0)
    lab = np.asarray(cv2.cvtColor(cv2.GaussianBlur(pixels, (5, 5), 0), cv2.COLOR_BGR2Lab), np.uint8)
    rim = _rim(lab)
    shares = []
    for shape in shapes:
        inside = _colours(lab, shape, _INSIDE)
        shares.append((_like(inside, _colours(lab, shape, _ROUND_ABOUT)) & _like(inside, rim)).mean())
    return np.array(shares)


def _rim(lab: NDArray[np.uint8]) -> Array:
    """Colours (n, 3) along the edge of the picture, where a calibration photo shows the table."""
    height, width = lab.shape[:2]
    across, down = np.linspace(0, width - 1, _POINTS), np.linspace(0, height - 1, _POINTS)
    where = [np.stack([across, np.full(_POINTS, y)], axis=1) for y in (0.01 * height, 0.99 * height)]
    where += [np.stack([np.full(_POINTS, x), down], axis=1) for x in (0.01 * width, 0.99 * width)]
    return _sampled(lab, np.stack(where))


def _colours(lab: NDArray[np.uint8], shape: Shape, reaches: Sequence[float]) -> Array:
    """Colours (n, 3) on copies of the outline drawn smaller or larger about its middle."""
    points = along(shape.outline, _POINTS)[0].astype(np.float64)
    middle = shape.centre
    where = np.stack([middle + (points - middle) * reach for reach in reaches])
    return _sampled(lab, where)


def _sampled(lab: NDArray[np.uint8], where: Array) -> Array:
    return np.asarray(sampled(lab, where), np.float64).reshape(-1, 3) * (0.5, 1.0, 1.0)


def _like(inside: Array, outside: Array) -> NDArray[np.bool_]:
    """Which of the colours inside are common outside."""
    near = np.linalg.norm(inside[:, None] - outside[None], axis=2) < SAME_COLOUR
    return np.asarray(near.mean(axis=1) > COMMON, np.bool_)
