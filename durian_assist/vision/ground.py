"""What of a table's picture is not bare table: learnt from the picture itself, from pieces known to lie on it.

Colours tell on most tables. Where cards and table have the same colour the cards' print does, on a plain table.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.rectify import blown

Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Shares = NDArray[np.float32]

# Levels of each colour channel; with fewer, cards and a table of their colour fall together.
LEVELS = 16
# Neighbouring levels belong together: grain and light spread a colour over them.
SPREAD = 1.0
# A colour is foreign to the table where it is so many times commoner on cards, or where no table has it.
COMMONER = 3.0
# Of the bare table so much may be busier than what counts as print.
GRAIN = 0.1


def foreign(pixels: Pixels, known: Mask, table: Mask) -> Mask:
    """(h, w) the pixels whose colour is that of the `known` pieces rather than that of the `table`'s pixels."""
    bins = (pixels // (256 // LEVELS)).astype(np.int64)
    numbers = (bins[..., 0] * LEVELS + bins[..., 1]) * LEVELS + bins[..., 2]
    on_cards, on_table = _counts(numbers[known]), _counts(numbers[table])
    return np.asarray((on_cards >= COMMONER * on_table)[numbers], np.bool_)


def printed(pixels: Pixels, table: Mask) -> Mask:
    """(h, w) the pixels that differ more from their neighbours than all but GRAIN of the `table` do, or are glare."""
    steps = np.zeros(pixels.shape[:2], np.float32)
    for channel in cv2.split(pixels):
        smooth = cv2.GaussianBlur(channel, (0, 0), 1.0).astype(np.float32)
        across, down = cv2.Scharr(smooth, cv2.CV_32F, 1, 0), cv2.Scharr(smooth, cv2.CV_32F, 0, 1)
        steps = np.maximum(steps, cv2.magnitude(across, down))
    # Bare or not, most of the table is: half of what is no known piece is taken as its grain.
    usual = float(np.quantile(steps[table], 0.5)) if table.any() else 0.0
    level = usual * _tail(GRAIN)
    return np.asarray((steps > level) | blown(pixels), np.bool_)


def _tail(share: float) -> float:
    """How far out, in medians, that share of the lengths of random gradients (Rayleigh) lies."""
    return float(np.sqrt(np.log(1 / share) / np.log(2)))


def _counts(numbers: NDArray[np.int64]) -> NDArray[np.float64]:
    """How common each colour is, neighbouring colours counted in, from a floor on."""
    counts = np.bincount(numbers, minlength=LEVELS**3).reshape(LEVELS, LEVELS, LEVELS).astype(np.float64)
    for axis in range(3):
        rows = np.moveaxis(counts, axis, 0).reshape(LEVELS, -1)
        even = cv2.GaussianBlur(rows, (1, 5), sigmaX=SPREAD, sigmaY=SPREAD, borderType=cv2.BORDER_CONSTANT)
        counts = np.asarray(np.moveaxis(even.reshape(LEVELS, LEVELS, LEVELS), 0, axis), np.float64)
    return np.asarray(counts.ravel() / max(counts.sum(), 1.0) + 1e-5, np.float64)
