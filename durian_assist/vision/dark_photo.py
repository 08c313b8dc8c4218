"""Photos taken in so little light that not even their brightest part is half as light as it could be.

What the readings hold for contrast, for grain and for glare is told in shares of the full scale: so a dark photo is
made so light first that its brightest part is white. That makes its grain stronger too, which is therefore evened out.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.rectify import quantile

Pixels = NDArray[np.uint8]

# Glare, white paper or a lamp is at least so light in a photo taken well enough (of 255): a stop below the full scale.
HALF = 128
# Of the pixels so many may be lighter than the brightest part: sparkles and grain.
SPARKLES = 0.001
# What has this share of the brightest part's light or more is white as glare is, which the rest of the grain makes a
# little darker here and there; white paper beside glare has less.
WHITE = 0.98
# Grain is evened out over so much of the photo's long side: less than the finest print that a reading uses, as a card
# is at least a twentieth of that side and is named at 96 pixels.
GRAIN = 1 / 2000
# Pixels of the photo's long side when its brightest part is looked for, and of a step of the first, quick look.
SMALL, STEP = 500, 16


def lightened(pixels: Pixels) -> Pixels:
    """A photo (height, width, 3), where it is dark so light that its brightest part is white; else as it is."""
    if quantile(np.ascontiguousarray(pixels[::STEP, ::STEP]), 1 - SPARKLES) >= HALF:
        return pixels
    long_side = max(pixels.shape[:2])
    fine = cv2.GaussianBlur(pixels.astype(np.uint16) << 8, (0, 0), max(GRAIN * long_side, 0.5))
    share = min(SMALL / long_side, 1.0)
    small = cv2.resize(fine, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    brightest = float(quantile(small.max(axis=2), 1 - SPARKLES))
    return np.asarray(cv2.convertScaleAbs(fine, alpha=255 / max(WHITE * brightest, 1.0)), np.uint8)
