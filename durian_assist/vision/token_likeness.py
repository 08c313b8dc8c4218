"""How much a view of the photo is like a small turned picture of a token, at every place or about one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]
Points = NDArray[np.float64]

FINER = 4  # times that the turned pictures are drawn larger than they are used, for smooth edges
GRAIN = 5.0  # grey levels of spread that count as none: a phone's noise, halved many times, is less
# Glare or a lamp's shade on one token turns its colours against the table's: they take no more from its likeness.
VEILED = 0.5
REACH = 1  # pixels: how far about a place it is looked at closely, a pixel of the coarse view or more


class Kernels:
    """A token in several turns: `weights` (k, d, d) how far each pixel belongs to it, `pictures` (k, d, d, c) times the
    weights; `linear` (k, 2, 2) from the canvas to pixels, `middle` (2,) of the token there."""

    def __init__(self, token: Floats, mask: Mask, across: float, angles: Sequence[float]) -> None:
        """A token (h, w, c) of which `mask` (h, w) counts, `across` pixels wide, turned by angles (radians)."""
        self.middle = np.array([np.flatnonzero(mask.any(axis=k)).mean() + 0.5 for k in (0, 1)])
        ys, xs = np.nonzero(mask)
        scale = across / mask.shape[1]
        reach = float(np.hypot(xs + 0.5 - self.middle[0], ys + 0.5 - self.middle[1]).max()) * scale
        self.side = 2 * int(np.ceil(reach)) + 1
        turns = [np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) for a in angles]
        self.linear = scale * np.array(turns)
        self.weights = np.stack([self._drawn(mask.astype(np.float32), linear) for linear in self.linear])
        within = token * mask[..., None].astype(np.float32)
        drawn = np.stack([self._drawn(within, linear) for linear in self.linear])
        self.pictures = drawn.reshape(*self.weights.shape, token.shape[2])  # OpenCV drops a lone channel's axis
        self.scales = [Scale.of(w, p) for w, p in zip(self.weights, self.pictures, strict=True)]

    def _drawn(self, canvas: Floats, linear: Points) -> Floats:
        """A canvas as small as it is used, with smooth edges."""
        shift = np.full(2, self.side * FINER / 2 - 0.5) - linear @ self.middle * FINER
        large = cv2.warpAffine(canvas, np.column_stack([linear * FINER, shift]), (self.side * FINER,) * 2)
        return np.asarray(cv2.resize(large, (self.side, self.side), interpolation=cv2.INTER_AREA), np.float32)


@dataclass(frozen=True, slots=True)
class Scale:
    """What likeness to kernels is measured by, of one or (k,) of several: their `count` of pixels, `mean` (c,) or
    (c, k) colour, and length with that (`outer`) and without it (`inner`)."""

    count: Floats
    mean: Floats
    inner: Floats
    outer: Floats

    @staticmethod
    def of(weights: Floats, picture: Floats) -> Scale:
        count = weights.sum()
        mean = picture.sum(axis=(0, 1)) / count
        shares = np.maximum(weights, 1e-3)[..., None]
        inner = np.sqrt(((picture - weights[..., None] * mean) ** 2 / shares).sum())
        outer = np.sqrt((picture**2 / shares).sum())
        return Scale(*(np.asarray(number, np.float32) for number in (count, mean, inner, outer)))

    @staticmethod
    def together(scales: Sequence[Scale]) -> Scale:
        """Those of several kernels."""
        counts, inner, outer = (np.array([getattr(s, name) for s in scales]) for name in ("count", "inner", "outer"))
        return Scale(counts, np.stack([s.mean for s in scales], axis=1), inner, outer)


@dataclass(frozen=True, slots=True)
class Sums:
    """What of places' likeness depends on a kernel's weights alone: at each place, under the weights, `squares` the
    sum of the view's squared length and `totals` the sums of its channels."""

    squares: Floats
    totals: Sequence[Floats]


def likeness(product: Floats, sums: Sums, scale: Scale, against: bool) -> Floats:
    """Correlation of the token with each place; what has next to no contrast is like nothing.

    `product`: of the view with the kernel's picture at each place. `against`: view and token are given as they differ
    from the table, and must differ from it in the same way too.
    """
    least = GRAIN * GRAIN * len(sums.totals) * scale.count
    inner, left = product.copy(), sums.squares.copy()
    for total, level in zip(sums.totals, scale.mean, strict=True):
        inner -= total * level
        left -= total * total / scale.count
    within = inner / (np.sqrt(np.maximum(left, 0) + least) * scale.inner)
    if not against:
        return np.asarray(within, np.float32)
    outer = product / (np.sqrt(np.maximum(sums.squares, 0) + least) * scale.outer)
    return np.asarray(np.sqrt(np.maximum(within, 0) * np.maximum(outer, VEILED)), np.float32)


class Closely:
    """A view (h, w, c) in which kernels are compared with a few places, each in all their turns."""

    def __init__(self, view: Floats, kernels: Kernels) -> None:
        self._side = kernels.side
        self._size = (view.shape[1], view.shape[0])
        margin = kernels.side // 2 + REACH
        framed = cv2.copyMakeBorder(view, margin, margin, margin, margin, cv2.BORDER_REPLICATE)
        self._framed = framed.reshape(*framed.shape[:2], view.shape[2])
        count = len(kernels.weights)
        self._weights = kernels.weights.reshape(count, -1).T
        self._pictures = np.ascontiguousarray(kernels.pictures.transpose(0, 3, 1, 2)).reshape(count, -1).T
        self._scale = Scale.together(kernels.scales)

    def likeliest(self, x: int, y: int, against: bool) -> tuple[float, int, int, int]:
        """The best likeness within REACH of a pixel of the view, and its place x, y and turn."""
        x, y = min(max(x, 0), self._size[0] - 1), min(max(y, 0), self._size[1] - 1)
        whole = self._side + 2 * REACH
        part = self._framed[y : y + whole, x : x + whole]
        places = np.lib.stride_tricks.sliding_window_view(part, (self._side, self._side), axis=(0, 1))
        pixels = np.ascontiguousarray(places).reshape(-1, part.shape[2], self._side**2)
        totals = pixels @ self._weights
        sums = Sums((pixels**2).sum(axis=1) @ self._weights, [totals[:, k] for k in range(part.shape[2])])
        scores = likeness(pixels.reshape(len(pixels), -1) @ self._pictures, sums, self._scale, against)
        place, turn = divmod(int(scores.argmax()), scores.shape[1])
        down, across = divmod(place, 2 * REACH + 1)
        return float(scores.max()), x + across - REACH, y + down - REACH, turn


@dataclass(frozen=True, slots=True)
class Spectra:
    """A view (h, w, c) as the Fourier transforms of its channels and of its squared length, for kernels of one side."""

    planes: list[Floats]
    size: tuple[int, int]

    @staticmethod
    def of(view: Floats, side: int) -> Spectra:
        height, width = view.shape[:2]
        margin = side // 2
        tall, wide = (cv2.getOptimalDFTSize(n + 2 * margin) for n in (height, width))
        rest = (tall - height - margin, wide - width - margin)
        framed = cv2.copyMakeBorder(view, margin, rest[0], margin, rest[1], cv2.BORDER_REPLICATE)
        framed = framed.reshape(tall, wide, view.shape[2])
        planes = [framed[..., k] for k in range(view.shape[2])] + [(framed**2).sum(axis=2)]
        return Spectra([_spectrum(plane) for plane in planes], (height, width))

    def product(self, picture: Floats) -> Floats:
        """(h, w) of a kernel's picture (d, d, c) with every place."""
        total = np.zeros(self.planes[0].shape, np.float32)
        for k in range(picture.shape[2]):
            total += cv2.mulSpectrums(self.planes[k], self._kernel(picture[..., k]), 0, conjB=True)
        return self._back(total)

    def sums(self, weights: Floats) -> Sums:
        """At every place."""
        kernel = self._kernel(weights)
        products = (np.asarray(cv2.mulSpectrums(p, kernel, 0, conjB=True), np.float32) for p in self.planes)
        *totals, squares = map(self._back, products)
        return Sums(squares, totals)

    def _kernel(self, part: Floats) -> Floats:
        """The transform of a kernel (d, d)."""
        large = np.zeros(self.planes[0].shape, np.float32)
        large[: part.shape[0], : part.shape[1]] = part
        return _spectrum(large, part.shape[0])

    def _back(self, spectrum: Floats) -> Floats:
        plane = cv2.dft(spectrum, flags=cv2.DFT_INVERSE | cv2.DFT_SCALE | cv2.DFT_REAL_OUTPUT)
        return np.asarray(plane[: self.size[0], : self.size[1]], np.float32)


def _spectrum(plane: Floats, rows: int = 0) -> Floats:
    return np.asarray(cv2.dft(np.ascontiguousarray(plane, np.float32), nonzeroRows=rows), np.float32)
