"""The faces of a Durian deck as rows of numbers, so that a card is compared with many at once by matrix products."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Bank:
    """Pictures as rows, channel by channel (3, n, p), so that sums over a mask are plain matrix products."""

    planes: Floats
    squares: Floats

    @staticmethod
    def of(pictures: Floats) -> Bank:
        """From (n, h, w, 3)."""
        planes = np.ascontiguousarray(pictures.reshape(len(pictures), -1, 3).transpose(2, 0, 1))
        return Bank(planes, np.square(planes).sum(axis=0))

    def correlations(self, view: Floats, use: Mask, rows: NDArray[np.int64]) -> Floats:
        """(len(rows),) correlation of the view (3, p) with these rows over the pixels in use (p,), means taken off."""
        m = use.astype(np.float32)
        count = float(m.sum()) + 1e-3
        x = view * m
        x -= m * (x.sum(axis=1, keepdims=True) / count)
        every = len(rows) == self.planes.shape[1]
        planes, squares = (self.planes, self.squares) if every else (self.planes[:, rows], self.squares[rows])
        dot = np.matmul(planes, x[..., None])[..., 0].sum(axis=0)
        means = planes @ m
        spread = squares @ m - np.square(means).sum(axis=0) / count
        return np.asarray(dot / np.sqrt(np.maximum(spread * float((x * x).sum()), 1e-6)), np.float32)
