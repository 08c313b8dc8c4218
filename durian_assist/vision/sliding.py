"""Small pictures slid over a canvas: how well each of its windows correlates with the nearest of them.

Over the pixels in use of each window, channel by channel; its mean and its slope count for nothing, so that neither a
lamp's shine nor a shadow's edge hides what is printed on a card. Windows that are all in use (most) are cheap: what the
planes share with a picture is nothing there. Only in the others is that worked out, window by window.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from durian_assist.vision.rectify import Floats, Mask

# Thin frames correlate only to within a pixel of 20.
SCALE = 20
# The least share of a window that is in use.
LEAST_SHOWN = 0.12
# With no more than a hundredth of a canvas not in use, that is filled up and no more thought of; nor is it where only
# places are wanted of which more than nine tenths are in use.
ALL, NEARLY_ALL = 0.99, 0.9
# A mean and two slopes: (3, SCALE, SCALE) at right angles to each other and of length one.
_ACROSS = np.broadcast_to(np.arange(SCALE, dtype=np.float32) - (SCALE - 1) / 2, (SCALE, SCALE))
_PLANES = np.stack([p / np.linalg.norm(p) for p in (np.ones((SCALE, SCALE), np.float32), _ACROSS, _ACROSS.T)])
_RIDGE = 1e-4  # keeps the slopes of windows of a line or two apart
_AT_ONCE = 512  # windows laid out together: 0.8 MB, which stays in a core's cache


def without_slope(small: Floats) -> Floats:
    """(SCALE, SCALE, channels) a picture without its mean and its slopes."""
    return np.asarray(small - np.einsum("pyx,pc->yxc", _PLANES, np.einsum("pyx,yxc->pc", _PLANES, small)), np.float32)


def correlations(
    lab: Floats, use: Mask, pictures: Sequence[Floats], contrast: float, shown: float = LEAST_SHOWN
) -> tuple[Floats, Floats]:
    """For the window at each top left pixel: the best correlation, and with which picture; -1 with less than `contrast`
    in the first channel of the canvas `lab` (h, w, channels) or less than a share `shown` in `use` (h, w).

    `pictures` (SCALE, SCALE, channels) are without slope and of length one.
    """
    n = window_sums(use.astype(np.float32)) + 1e-3
    enough = n >= SCALE * SCALE * shown
    if use.mean() > ALL or shown > NEARLY_ALL:
        lab[~use] = lab[use].mean(0) if use.any() else 0.0
        use = np.ones_like(use)
        n = np.full_like(n, SCALE * SCALE)
    weight = use.astype(np.float32)
    seen = lab * weight[..., None]
    total = window_sums(seen).reshape(*n.shape, -1)
    square = window_sums(seen * seen).reshape(*n.shape, -1)
    spread = np.maximum(square - total * total / n[..., None], 0)
    best, which = np.full(n.shape, -1, np.float32), np.zeros(n.shape, np.float32)
    worth = enough & (spread[..., 0] >= n * contrast * contrast)
    if worth.any():
        part, under = _box(worth)
        partly = worth[part] & (n[part] < SCALE * SCALE)
        best[part], which[part] = _best_of(seen[under], weight[under], square[part].sum(-1), partly, pictures)
        best[~worth] = -1
    return best, which


def _box(worth: Mask) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    """The rectangle of windows with something in them, and that of the pixels below them."""
    rows, columns = np.flatnonzero(worth.any(1)), np.flatnonzero(worth.any(0))
    top, left, bottom, right = int(rows[0]), int(columns[0]), int(rows[-1]) + 1, int(columns[-1]) + 1
    pixels = (slice(top, bottom + SCALE - 1), slice(left, right + SCALE - 1))
    return (slice(top, bottom), slice(left, right)), pixels


def _best_of(
    seen: Floats, weight: Floats, square: Floats, partly: Mask, pictures: Sequence[Floats]
) -> tuple[Floats, Floats]:
    """For each window its best correlation with a picture, and with which.

    `seen` (h, w, channels) zero where `weight` (h, w) is; by window: `square` the sum of its squares, `partly` whether
    it is worth looking at and not all in use.
    """
    shares = np.stack([_slid(seen, plane) for plane in _PLANES])
    length = np.sqrt(np.maximum(square - np.square(shares).sum((0, -1)), 0)) + 1e-3
    dots = np.empty((int(partly.sum()), len(pictures)), np.float32)
    best, which = np.full(length.shape, -1, np.float32), np.zeros(length.shape, np.float32)
    for i, picture in enumerate(pictures):
        products = np.asarray(cv2.matchTemplate(seen, picture, cv2.TM_CCORR), np.float32)
        dots[:, i] = products[partly]
        scores = products / length
        which[scores > best] = i
        np.maximum(best, scores, out=best)
    if len(dots):
        scores = _partly_shown(weight, partly, shares[:, partly], square[partly], dots, pictures)
        which[partly] = scores.argmax(1)
        best[partly] = scores.max(1)
    return best, which


def _partly_shown(
    weight: Floats, partly: Mask, shares: Floats, square: Floats, dots: Floats, pictures: Sequence[Floats]
) -> Floats:
    """(n, pictures) the correlations of `n` windows that are not all in use.

    `shares` (3, n, channels) and `dots` (n, pictures): the products of what is seen with planes and pictures.
    """
    bank = np.stack(pictures)
    templates = _templates(bank)
    scores = np.empty_like(dots)
    for at, used in _windows(weight, partly):
        products = used @ templates
        slope = _Slope.of(products[:, :6])
        taken = slope.share(shares[:, at, None])
        shown = slope.share(np.moveaxis(products[:, 6 : -len(bank)].reshape(len(used), len(bank), 3, -1), 2, 0))
        length = np.sqrt(np.maximum(square[at] - np.square(taken).sum((0, 2, 3)), 0)) + 1e-3
        energy = products[:, -len(bank) :] - np.square(shown).sum((0, -1))
        dot = dots[at] - (shown * taken).sum((0, -1))
        scores[at] = dot / np.sqrt(np.maximum(energy, LEAST_SHOWN * LEAST_SHOWN)) / length[:, None]
    return scores


def _templates(bank: Floats) -> Floats:
    """(SCALE * SCALE, m) what a window's pixels in use are multiplied with, for its share of: the products of planes
    (6), each picture of `bank` (n, SCALE, SCALE, channels) times each plane (3) by channel, each picture's square."""
    products = [_PLANES[i] * _PLANES[j] for i in range(3) for j in range(i + 1)]
    shown = bank[:, None] * _PLANES[None, ..., None]
    along = np.moveaxis(shown, -1, 2).reshape(-1, SCALE, SCALE)
    laid = np.concatenate([np.stack(products), along, np.square(bank).sum(-1)])
    return np.ascontiguousarray(laid.transpose(2, 1, 0).reshape(SCALE * SCALE, -1))


def _windows(plane: Floats, chosen: Mask) -> Iterator[tuple[slice, Floats]]:
    """The chosen windows of a plane laid out column by column, (some, SCALE * SCALE) at a time, and which these are."""
    columns = np.ascontiguousarray(sliding_window_view(plane, SCALE, 0))
    laid = sliding_window_view(columns.reshape(len(columns), -1), SCALE * SCALE, 1)[:, ::SCALE]
    rows, starts = np.nonzero(chosen)
    for first in range(0, len(rows), _AT_ONCE):
        at = slice(first, first + _AT_ONCE)
        yield at, laid[rows[at], starts[at]]


@dataclass(frozen=True, slots=True)
class _Slope:
    """What the planes (a mean and two slopes) share with each of n windows over its pixels in use: the six entries (n,)
    of the Cholesky factor of their products."""

    lower: tuple[Floats, ...]

    @staticmethod
    def of(products: Floats) -> _Slope:
        """From (n, 6) the products of the planes with each other."""
        aa, ba, bb, ca, cb, cc = products.T
        l11 = np.sqrt(aa + _RIDGE)
        l21, l31 = ba / l11, ca / l11
        l22 = np.sqrt(np.maximum(bb - l21 * l21, 0) + _RIDGE)
        l32 = (cb - l31 * l21) / l22
        l33 = np.sqrt(np.maximum(cc - l31 * l31 - l32 * l32, 0) + _RIDGE)
        return _Slope((l11, l21, l22, l31, l32, l33))

    def share(self, parts: Floats) -> Floats:
        """Products (3, n, ...) with the planes as parts along three planes at right angles on each window's pixels."""
        l11, l21, l22, l31, l32, l33 = (entry.reshape(-1, *[1] * (parts.ndim - 2)) for entry in self.lower)
        first = parts[0] / l11
        second = (parts[1] - l21 * first) / l22
        return np.stack([first, second, (parts[2] - l31 * first - l32 * second) / l33])


def _slid(canvas: Floats, template: Floats) -> Floats:
    """(rows, columns, channels) the product of a template (SCALE, SCALE) with each window of a canvas."""
    planes = [np.ascontiguousarray(canvas[..., c]) for c in range(canvas.shape[-1])]
    return np.stack([np.asarray(cv2.matchTemplate(one, template, cv2.TM_CCORR), np.float32) for one in planes], -1)


def window_sums(plane: Floats) -> Floats:
    """The sum over the window at each top left pixel."""
    summed = cv2.boxFilter(plane, cv2.CV_32F, (SCALE, SCALE), anchor=(0, 0), normalize=False)
    return np.asarray(summed[: plane.shape[0] - SCALE + 1, : plane.shape[1] - SCALE + 1], np.float32)
