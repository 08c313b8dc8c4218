"""Pictures of one size slid over a window: how well the best of them correlates at every place.

What OpenCV's normalised matching does for one picture at a time: what the places' own spread is, half of its time, is
worked out once for all pictures.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from durian_assist.vision.deck_profile import Pixels

Scores = NDArray[np.float32]

# A place without any spread (of the sum of squares of grey levels) correlates with nothing.
FLAT = 1.0
# So many pictures or more of no more than so many values each are compared at once, in half the time, in windows of no
# more than so many values: larger ones do not stay in a core's cache.
AT_ONCE, SMALL, FEW = 3, 2000, 20_000


class Slider:
    """`shapes` are pictures (h, w) or (h, w, channels) of one size."""

    def __init__(self, shapes: Sequence[Pixels]) -> None:
        self._shapes = [_unit(shape) for shape in shapes]
        self._columns = np.ascontiguousarray(np.reshape(self._shapes, (len(shapes), -1)).T)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the pictures in pixels."""
        return self._shapes[0].shape[1], self._shapes[0].shape[0]

    def each(self, window: Pixels) -> list[Scores]:
        """Zero-mean correlation (rows, columns) of each shape with what the window shows to the right of and below
        every place."""
        spread = self._spread(window)
        seen = window.astype(np.float32)
        return [np.asarray(cv2.matchTemplate(seen, s, cv2.TM_CCORR) / spread, np.float32) for s in self._shapes]

    def best(self, window: Pixels) -> Scores:
        """The correlation of the shape that fits best, at every place."""
        if len(self._shapes) >= AT_ONCE and len(self._columns) <= SMALL and window.size <= FEW:
            return np.asarray(self._products(window).max(2) / self._spread(window), np.float32)
        first, *others = self.each(window)
        for other in others:
            np.maximum(first, other, out=first)
        return first

    def _products(self, window: Pixels) -> Scores:
        """(rows, columns, shapes) the products of what the window shows at every place with all shapes at once."""
        width, height = self.size
        channels = window.size // (window.shape[0] * window.shape[1])
        row = width * channels
        lines = window.reshape(len(window), -1).astype(np.float32)
        columns = sliding_window_view(lines, row, axis=1)[:, ::channels].transpose(1, 0, 2)
        laid = np.ascontiguousarray(columns).reshape(len(columns), -1)
        places = range(len(window) - height + 1)
        return np.stack([laid[:, row * y : row * (y + height)] @ self._columns for y in places])

    def _spread(self, window: Pixels) -> Scores:
        """The standard deviation of every place's pixels, times the root of their number."""
        width, height = self.size
        tables = (np.asarray(table, np.float64) for table in cv2.integral2(window, sdepth=cv2.CV_64F))
        sums, squares = (_boxes(table, width, height) for table in tables)
        spread = squares.sum(-1) - np.square(sums).sum(-1) / (width * height)
        return np.asarray(np.sqrt(np.maximum(spread, FLAT)), np.float32)


def _boxes(table: NDArray[np.float64], width: int, height: int) -> NDArray[np.float64]:
    """The sums (rows, columns, channels) over the box at every place, from an integral image."""
    boxes = table[height:, width:] - table[:-height, width:] - table[height:, :-width] + table[:-height, :-width]
    return boxes.reshape(*boxes.shape[:2], -1)


def _unit(shape: Pixels) -> Scores:
    """A picture without the mean of each channel and of length one; of one colour only, it is like nothing."""
    plain = shape.astype(np.float32)
    plain -= plain.mean(axis=(0, 1))
    return plain / max(float(np.sqrt(np.square(plain).sum())), FLAT)
