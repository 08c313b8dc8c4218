"""How much a token is like references where the values differ, each moved by a few pixels to where it fits best.

The same correlation as OpenCV's masked matching gives for one reference at a time: what the token shows at each move is
cut out and evened once for all references, and they are compared by one matrix product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]
Box = tuple[slice, slice]

REACH = 3  # pixels of the canvas by which a number may lie off
FLAT = 1e-6  # length of what has no contrast: it is like nothing


@dataclass(frozen=True, slots=True)
class Shifts:
    """What a canvas shows in a region at every move: `rows` (moves, p) of mean 0 and length 1 of the p pixels that are
    `inside` (h, w) the region's `box` on the canvas."""

    box: Box
    inside: Mask
    rows: Floats

    @staticmethod
    def of(light: Floats, region: Mask) -> Shifts:
        """Of a canvas (h, w) and a region of it, moved by up to REACH pixels as far as the canvas goes."""
        rows, columns = box = box_of(region)
        above, before = max(rows.start - REACH, 0), max(columns.start - REACH, 0)
        window = light[above : rows.stop + REACH, before : columns.stop + REACH]
        inside = region[box]
        return Shifts(box, inside, _unit(sliding_window_view(window, inside.shape)[..., inside]))

    def best(self, references: Sequence[Floats]) -> Floats:
        """(k,) the highest correlation of each of some references, cut out to the box, at any move."""
        own = _unit(np.stack([reference[self.inside] for reference in references]))
        return np.asarray((self.rows @ own.T).max(axis=0), np.float32)


def box_of(region: Mask) -> Box:
    """The rows and columns of the canvas within which a region lies."""
    ys, xs = np.nonzero(region)
    return slice(int(ys.min()), int(ys.max()) + 1), slice(int(xs.min()), int(xs.max()) + 1)


def _unit(values: Floats) -> Floats:
    """Rows (n, p) of mean 0 and length 1, from (..., p)."""
    flat = values.reshape(-1, values.shape[-1])
    away = flat - flat.mean(axis=1, keepdims=True)
    return np.asarray(away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), FLAT), np.float32)
