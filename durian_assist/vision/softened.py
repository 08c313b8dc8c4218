"""A Gaussian blur of small pictures as two matrix products: a wide one takes a fraction of the time of a filter."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

# Of larger pictures, or by less, a filter's few weights for each pixel are less work than a row of the matrix; of one
# channel a product needs no other order of the pixels, and pays in small pictures from a lesser blur on.
SMALL, WIDE = 128, 4.0
SMALLER, LESS = 64, 1.5


def softened(picture: Floats, sigma: float) -> Floats:
    """A picture (h, w) or (h, w, n) softened by `sigma` pixels as `cv2.GaussianBlur` does it, but for rounding."""
    height, width = picture.shape[:2]
    small, wide = (SMALLER, LESS) if picture.ndim == 2 and sigma < WIDE else (SMALL, WIDE)
    if max(height, width) > small or sigma < wide:
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.float32).reshape(picture.shape)
    down, across = _weights(height, sigma), _weights(width, sigma).T
    if picture.ndim == 2:
        return np.asarray(down @ picture @ across, np.float32)
    planes = np.ascontiguousarray(picture.transpose(2, 0, 1))
    return np.ascontiguousarray((down @ (planes @ across)).transpose(1, 2, 0))


@lru_cache
def _weights(count: int, sigma: float) -> Floats:
    """(count, count) what each of a row of pixels becomes of all of them, beyond the ends as mirrored there."""
    kernel = cv2.getGaussianKernel(round(8 * sigma + 1) | 1, sigma, cv2.CV_32F)
    return np.asarray(cv2.sepFilter2D(np.eye(count, dtype=np.float32), -1, np.ones(1, np.float32), kernel), np.float32)
