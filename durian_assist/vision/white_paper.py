"""Paper that a photo shows as pure white: what is no glare although it is clipped.

A phone that exposes for a dark table lets the cards' paper run to pure white. It then looks like the glare of a lamp,
of which nothing can be told (see `rectify.blown`), but it is what the reference shows too: white. Glare fades out
around its middle, and so does the print that it lies on; only at a card's edge it may end at once. Paper ends at once
everywhere, at print in full ink or at the table, and the print leaves it nowhere wide.
"""

from __future__ import annotations

import cv2
import numpy as np

from durian_assist.vision.rectify import BLOWN_VALUE, Picture, Pixels, blown

# Long side, in pixels, of the photo halved until it is at most this: lines of print are still seen, noise is not.
LOOKED_AT = 1200
REACH = 2  # pixels there within which paper ends: what fades out over more is light
DARK = 200  # of 255, darkest channel: what is as light as that may be print or paper in the glare's own veil
ENDS_AT_ONCE = 0.5  # of a white region's outline
WIDEST = 0.25  # of the square root of a region's area: a disc that fits into paper between prints
LEAST = 60  # pixels there: of a smaller white spot hardly more than its outline is seen


def with_paper(picture: Picture) -> Picture:
    """The photo with its clipped paper set to the lightest value that is not taken for glare; itself if it has none."""
    pixels = picture.pixels
    level = next(k for k in range(16) if max(pixels.shape[:2]) >> k <= LOOKED_AT)
    small = picture.level(level)
    white = blown(small).astype(np.uint8)
    if int(np.count_nonzero(white)) < LEAST:
        return picture
    paper = _paper(small, white)
    if not paper.any():
        return picture
    # The outlines of paper are clipped only in part where the photo is small: they belong to it.
    wide = cv2.dilate(paper, np.ones((3, 3), np.uint8))
    left, top, width, height = (side << level for side in cv2.boundingRect(wide))
    rows, columns = slice(top, top + height), slice(left, left + width)
    large = cv2.resize(wide, (wide.shape[1] << level, wide.shape[0] << level), interpolation=cv2.INTER_NEAREST)
    toned = pixels.copy()
    part, where = toned[rows, columns], large[rows, columns] > 0
    shown = part[where]
    shown[blown(shown[:, None])[:, 0]] = BLOWN_VALUE
    part[where] = shown
    return Picture(toned)


def _paper(small: Pixels, white: Pixels) -> Pixels:
    """(h, w) 1 in the white regions that end at once, else 0."""
    number, found, stats, _ = cv2.connectedComponentsWithStats(white, connectivity=8)
    labels = np.asarray(found, np.int32)
    blue, green, red = cv2.split(small)
    darkest = cv2.erode(cv2.min(cv2.min(blue, green), red), np.ones((2 * REACH + 1, 2 * REACH + 1), np.uint8))
    outline = (white - cv2.erode(white, np.ones((3, 3), np.uint8))).astype(bool)
    of = labels[outline]
    length = np.bincount(of, minlength=number)
    sharp = np.bincount(of, weights=darkest[outline] < DARK, minlength=number)
    depth = np.zeros(number, np.float32)
    np.maximum.at(depth, labels[white > 0], cv2.distanceTransform(white, cv2.DIST_L2, cv2.DIST_MASK_3)[white > 0])
    area = stats[:, cv2.CC_STAT_AREA]
    whole = (area >= LEAST) & (sharp > ENDS_AT_ONCE * length) & (depth <= WIDEST * np.sqrt(area))
    whole[0] = False
    return np.asarray(whole[labels], np.uint8)
