"""Tokens found by their picture: the mean token compared with every place of the photo, in every turn, made very small.

So small, a token is hardly more than its colours and where they lie; that is enough to tell it from nearly all else
on a table, costs little, and needs neither an outline nor sharp detail.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.rectify import Picture, project

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]
Points = NDArray[np.float64]

ACROSS = 20  # pixels across a token in the view that is looked at
TURNS = 24
FINER = 4  # times that the turned pictures are drawn larger than they are used, for smooth edges
GRAIN = 5.0  # grey levels of spread that count as none: a phone's noise, halved many times, is less
# Glare or a lamp's shade on one token turns its colours against the table's: they take no more from its likeness.
VEILED = 0.5
LIKE = 0.25  # least correlation of a place that is worth a closer look
AROUND = 1.5  # widths of a token: how far around a place its table reaches
APART = 0.3  # of a token's width: places nearer than that are one


@dataclass(frozen=True, slots=True)
class Sighting:
    """`place` (3, 3) from the token's canvas to the photo, and the correlation there."""

    place: Points
    score: float


@dataclass(frozen=True, slots=True)
class _Kernel:
    """A token in one turn: `weights` (d, d) how far each pixel belongs to it, `picture` (d, d, 3) times the weights;
    `linear` (2, 2) from the canvas to pixels, `middle` (2,) of the token there."""

    weights: Floats
    picture: Floats
    linear: Points
    middle: Points


class TokenScan:
    """One token (h, w, 3) in `TURNS` turns; `mask` (h, w) where it counts."""

    def __init__(self, token: Floats, mask: Mask) -> None:
        self._middle = np.array([np.flatnonzero(mask.any(axis=k)).mean() + 0.5 for k in (0, 1)])
        self._kernels = [self._kernel(token, mask, 2 * np.pi * k / TURNS) for k in range(TURNS)]

    def _kernel(self, token: Floats, mask: Mask, angle: float) -> _Kernel:
        ys, xs = np.nonzero(mask)
        scale = ACROSS / mask.shape[1]
        reach = float(np.hypot(xs + 0.5 - self._middle[0], ys + 0.5 - self._middle[1]).max()) * scale
        side = 2 * int(np.ceil(reach)) + 1
        linear = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        to_large = np.column_stack([linear * FINER, np.full(2, side * FINER / 2 - 0.5) - linear @ self._middle * FINER])
        large = (side * FINER, side * FINER)
        inside = cv2.warpAffine(mask.astype(np.float32), to_large, large)
        drawn = cv2.warpAffine(token, to_large, large) * inside[..., None]
        weights = np.asarray(cv2.resize(inside, (side, side), interpolation=cv2.INTER_AREA), np.float32)
        picture = np.asarray(cv2.resize(drawn, (side, side), interpolation=cv2.INTER_AREA), np.float32)
        return _Kernel(weights, picture, linear, self._middle)

    def sightings(self, view: View, most: int) -> list[Sighting]:
        """The `most` likeliest places of tokens that are ACROSS pixels wide in a view of the photo, best first.

        Where the view has a table the token's colours against it count, and the token is given so; otherwise only
        how they differ inside the token.
        """
        pixels = view.pixels - (view.table if view.table is not None else view.pixels.mean(axis=(0, 1)))
        best = np.full(pixels.shape[:2], -1.0, np.float32)
        turn = np.zeros(pixels.shape[:2], np.int32)
        spectra = _Spectra.of(pixels, self._kernels[0].weights.shape[0])
        for number, kernel in enumerate(self._kernels):
            likeness = _likeness(spectra, kernel, view.table is not None)
            better = likeness > best
            best[better] = likeness[better]
            turn[better] = number
        return list(self._peaks(best, turn, view.to_photo, most))

    def _peaks(self, best: Floats, turn: NDArray[np.int32], to_photo: Points, most: int) -> Iterator[Sighting]:
        left = best.copy()
        for _ in range(most):
            _, score, _, (x, y) = cv2.minMaxLoc(left)
            if score < LIKE:
                return
            kernel = self._kernels[int(turn[y, x])]
            place = np.eye(3)
            place[:2, :2] = kernel.linear
            place[:2, 2] = np.array([x, y]) - kernel.linear @ kernel.middle
            yield Sighting(to_photo @ place, float(score))
            cv2.circle(left, (x, y), round(APART * ACROSS), -1.0, -1)


@dataclass(frozen=True, slots=True)
class View:
    """The whole photo seen so that tokens are ACROSS pixels wide: `pixels` (h, w, 3) and `to_photo` (3, 3) from them.

    `table` (h, w, 3) what the table looks like at each pixel, where the photo's tokens are known.
    """

    pixels: Floats
    to_photo: Points
    table: Floats | None = None

    @staticmethod
    def of(picture: Picture, to_photo: Points) -> View:
        """`to_photo` affine, from a view that may begin anywhere."""
        height, width = picture.pixels.shape[:2]
        frame = np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]) - 0.5
        inverse = np.linalg.inv(to_photo)
        corners = frame @ inverse[:2, :2].T + inverse[:2, 2]
        low, high = corners.min(axis=0), corners.max(axis=0)
        shifted = to_photo @ np.array([[1, 0, low[0] + 0.5], [0, 1, low[1] + 0.5], [0, 0, 1.0]])
        size = (max(round(high[0] - low[0]), 1), max(round(high[1] - low[1]), 1))
        return View(picture.warp(shifted, size).astype(np.float32), np.asarray(shifted, np.float64))

    def with_table(self, tokens: Sequence[Points]) -> View:
        """The table is what lies around each pixel but for the tokens' outlines (n, 2) in the photo."""
        bare = np.ones(self.pixels.shape[:2], np.float32)
        inverse = np.asarray(np.linalg.inv(self.to_photo), np.float64)
        for outline in tokens:
            cv2.fillPoly(bare, [np.round(project(inverse, outline)).astype(np.int32)], 0.0)
        sigma = AROUND * ACROSS
        share = cv2.GaussianBlur(bare, (0, 0), sigma)[..., None] + 1e-3
        table = (cv2.GaussianBlur(self.pixels * bare[..., None], (0, 0), sigma) + 1e-3 * self.pixels) / share
        return View(self.pixels, self.to_photo, np.asarray(table, np.float32))

    def shown(self, place: Points, size: tuple[int, int]) -> Floats:
        """(h, w, 3) the canvas of `size` at a place (3, 3) of the photo, as it differs from the table."""
        assert self.table is not None
        to_view = np.linalg.inv(self.to_photo) @ place
        away = self.pixels - self.table
        return np.asarray(cv2.warpPerspective(away, to_view, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP))


@dataclass(frozen=True, slots=True)
class _Spectra:
    """A view (h, w, 3) as the Fourier transforms of its channels and of its squared length, for kernels of one side."""

    planes: list[Floats]
    size: tuple[int, int]

    @staticmethod
    def of(view: Floats, side: int) -> _Spectra:
        height, width = view.shape[:2]
        margin = side // 2
        tall, wide = (cv2.getOptimalDFTSize(n + 2 * margin) for n in (height, width))
        rest = (tall - height - margin, wide - width - margin)
        framed = cv2.copyMakeBorder(view, margin, rest[0], margin, rest[1], cv2.BORDER_REPLICATE)
        planes = [framed[..., k] for k in range(view.shape[2])] + [(framed**2).sum(axis=2)]
        return _Spectra([_spectrum(plane) for plane in planes], (height, width))

    def kernel(self, part: Floats) -> Floats:
        """The transform of a kernel (d, d)."""
        large = np.zeros(self.planes[0].shape, np.float32)
        large[: part.shape[0], : part.shape[1]] = part
        return _spectrum(large, part.shape[0])

    def filtered(self, pairs: Sequence[tuple[int, Floats]]) -> Floats:
        """(h, w) sum of the numbered planes, each correlated with its kernel."""
        total = np.zeros(self.planes[0].shape, np.float32)
        for plane, kernel in pairs:
            total += cv2.mulSpectrums(self.planes[plane], kernel, 0, conjB=True)
        back = cv2.dft(total, flags=cv2.DFT_INVERSE | cv2.DFT_SCALE | cv2.DFT_REAL_OUTPUT)
        return np.asarray(back[: self.size[0], : self.size[1]], np.float32)


def _spectrum(plane: Floats, rows: int = 0) -> Floats:
    return np.asarray(cv2.dft(np.ascontiguousarray(plane, np.float32), nonzeroRows=rows), np.float32)


def _likeness(view: _Spectra, kernel: _Kernel, against: bool) -> Floats:
    """(h, w) correlation of the token with the view about each pixel; what has next to no contrast is like nothing.

    `against`: view and token are given as they differ from the table, and must differ from it in the same way too.
    """
    count = np.float32(kernel.weights.sum())
    mean = np.asarray(kernel.picture.sum(axis=(0, 1)) / count, np.float32)
    weights = view.kernel(kernel.weights)
    squares = len(view.planes) - 1
    product = view.filtered([(k, view.kernel(kernel.picture[..., k])) for k in range(squares)])
    spread = view.filtered([(squares, weights)])
    totals = [view.filtered([(k, weights)]) for k in range(squares)]
    inner, left = product.copy(), spread.copy()
    for k, total in enumerate(totals):
        inner -= total * mean[k]
        left -= total * total / count
    within = _compared(inner, left, kernel.picture - kernel.weights[..., None] * mean, kernel.weights)
    if not against:
        return within
    outer = _compared(product, spread, kernel.picture, kernel.weights)
    return np.asarray(np.sqrt(np.maximum(within, 0) * np.maximum(outer, VEILED)), np.float32)


def _compared(product: Floats, spread: Floats, picture: Floats, weights: Floats) -> Floats:
    length = np.sqrt((picture**2 / np.maximum(weights, 1e-3)[..., None]).sum())
    least = GRAIN * GRAIN * weights.sum() * picture.shape[2]
    return np.asarray(product / (np.sqrt(np.maximum(spread, 0) + least) * length), np.float32)
