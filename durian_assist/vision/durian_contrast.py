"""A card's picture as local contrast, with the glare on it left out: what can be compared whatever the light does."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.rectify import BLOWN_VALUE, blown
from durian_assist.vision.softened import softened

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

NEIGHBOURHOOD = 0.15  # of a card's height
QUIET = 4.0  # grey levels of spread that count as none
# A lamp's reflection is a white spot with a steep rim: white narrower than the first (shares of a card's height) is
# paper, and so much round a wider one belongs to its rim.
SPOT, RIM = 0.1, 0.15


def contrast(crop: Pixels, known: Mask | None = None, height: float | None = None) -> Floats:
    """(h, w, 3) colours as deviation from their neighbourhood, in units of its spread over all channels.

    Neither the room's colour nor a shadow, a sleeve or a veil of glare across a card changes it much. Only the pixels
    `known` (h, w) count, all others are 0. `height` of a card in pixels, if that is not the crop's.
    """
    pixels = cv2.GaussianBlur(crop, (0, 0), 0.7).astype(np.float32)
    sigma = NEIGHBOURHOOD * (crop.shape[0] if height is None else height)
    if known is None:
        away = pixels - softened(pixels, sigma)
        spread = np.sqrt(softened(mean_square(away), sigma))
    else:
        away, spread = deviation(pixels, known, sigma)
    return np.asarray(away / (spread + QUIET)[..., None], np.float32)


def deviation(pixels: Floats, known: Mask, sigma: float) -> tuple[Floats, Floats]:
    """(h, w, n) deviation of the `known` pixels from the mean of those within `sigma`, and its spread (h, w)."""
    weight = known.astype(np.float32)
    total = softened(weight, sigma) + np.float32(1e-3)
    mean = softened(pixels * weight[..., None], sigma) / total[..., None]
    away = np.asarray((pixels - mean) * weight[..., None], np.float32)
    return away, np.asarray(np.sqrt(softened(mean_square(away), sigma) / total), np.float32)


def mean_square(values: Floats) -> Floats:
    """(h, w) the mean of the squares of the channels of (h, w, n), one after the other: over so short an axis numpy's
    own mean takes seven times as long."""
    total = np.square(values[..., 0])
    for channel in range(1, values.shape[2]):
        total += np.square(values[..., channel])
    return np.asarray(total / values.shape[2], np.float32)


def unglared(crop: Pixels, height: float | None = None, rim: float = RIM) -> Mask | None:
    """(h, w) the pixels that no lamp's reflection reaches; None where there is none.

    `height` of a card in pixels, if that is not the crop's; `rim`: what is left out round a white spot (of it).
    """
    if int(crop.max()) <= BLOWN_VALUE:
        return None
    white = blown(crop)
    height = float(crop.shape[0]) if height is None else height
    spot = _round(SPOT * height)
    if np.count_nonzero(white) < spot.sum():
        return None
    spots = cv2.morphologyEx(white.astype(np.uint8), cv2.MORPH_OPEN, spot)
    if not spots.any():
        return None
    return np.asarray(cv2.dilate(spots, _round(2 * rim * height + 1)) == 0, np.bool_)


def _round(across: float) -> Pixels:
    size = max(round(across), 2)
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)
