"""What of a table's picture is not bare table: learnt from the picture itself, from pieces known to lie on it.

Colours tell on most tables. Where cards and table have the same colour the cards' print does, on a plain table.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.rectify import median

Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Shares = NDArray[np.float32]

# Levels of each colour channel; with fewer, cards and a table of their colour fall together.
LEVELS = 16
# Neighbouring levels belong together: grain and light spread a colour over them.
SPREAD = 1.0
# A colour is foreign to the table where it is so many times commoner on cards, or where no table has it.
COMMONER = 3.0
# And a table's own where that is so much of it: a piece is some hundredth of it, in several colours.
COMMON = 0.002
# Print shows so many times the detail of the table's grain.
PRINT = 3.0
# And this share of what known pieces show on the average.
FAINT = 0.25


def foreign(pixels: Pixels, known: Mask, table: Mask) -> Mask:
    """(h, w) the pixels whose colour is that of the `known` pieces rather than that of the `table`'s pixels."""
    return np.asarray(commoner(pixels, known, table) >= COMMONER, np.bool_)


def commoner(pixels: Pixels, known: Mask, table: Mask) -> Shares:
    """(h, w) how many times commoner each pixel's colour is on the `known` pieces than on the `table`."""
    numbers = colour_numbers(pixels)
    return np.asarray(_ratios(numbers, known, table)[numbers], np.float32)


def table_colours(pixels: Pixels, known: Mask, table: Mask) -> Mask:
    """(LEVELS^3,) by colour number: whether it is the `table`'s rather than the `known` pieces'.

    Not where it is rare on the table: it may be that of a piece that is not known, under a veil of glare perhaps.
    """
    numbers = colour_numbers(pixels)
    common = _counts(numbers[table]) > COMMON
    return np.asarray(common & (_ratios(numbers, known, table) <= 1 / COMMONER), np.bool_)


def colour_numbers(pixels: Pixels) -> NDArray[np.int64]:
    """(h, w) the number of each pixel's colour."""
    blue, green, red = (plane // (256 // LEVELS) for plane in cv2.split(pixels))
    return np.asarray((blue.astype(np.int64) * LEVELS + green) * LEVELS + red, np.int64)


def _ratios(numbers: NDArray[np.int64], known: Mask, table: Mask) -> NDArray[np.float64]:
    """By colour number: how many times commoner it is on the pieces than on the table."""
    return np.asarray(_counts(numbers[known]) / _counts(numbers[table]), np.float64)


def detail(pixels: Pixels) -> Shares:
    """(h, w) how much each pixel differs from those next to it, in grey levels: soft light and shade do not."""
    fine, coarse = (cv2.GaussianBlur(pixels, (0, 0), sigma) for sigma in (0.7, 2.0))
    blue, green, red = cv2.split(cv2.absdiff(fine, coarse))
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.float32)


def printed(details: Shares, known: Mask, table: Mask) -> Mask:
    """(h, w) the pixels that show more `detail` than the grain of the `table`, which is mostly bare, and as `known`
    pieces do."""
    grain, usual = float(median(details[table])), float(details[known].mean())
    return np.asarray(details > max(PRINT * grain, FAINT * usual), np.bool_)


def _counts(numbers: NDArray[np.int64]) -> NDArray[np.float64]:
    """How common each colour is, neighbouring colours counted in, from a floor on."""
    counts = np.bincount(numbers, minlength=LEVELS**3).reshape(LEVELS, LEVELS, LEVELS).astype(np.float64)
    for axis in range(3):
        rows = np.moveaxis(counts, axis, 0).reshape(LEVELS, -1)
        even = cv2.GaussianBlur(rows, (1, 5), sigmaX=SPREAD, sigmaY=SPREAD, borderType=cv2.BORDER_CONSTANT)
        counts = np.asarray(np.moveaxis(even.reshape(LEVELS, LEVELS, LEVELS), 0, axis), np.float64)
    return np.asarray(counts.ravel() / max(counts.sum(), 1.0) + 1e-5, np.float64)
