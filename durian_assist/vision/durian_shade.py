"""The shade that lies on a card of bare paper, told from its print and taken off.

The leaves of a tree cast shadows as strong as a print, and where the print is sparse they are most of what local
contrast sees of a card. But all strokes and pictures of such a print are narrow: closed by a window that is wider than
any of them, a card is bare paper, and whatever is uneven in that is light.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]

HEIGHT = 60  # pixels of the canvas on which a deck is judged
# Of a card's height: wider than a picture among text, narrower than the shadow of a leaf or a hand, so that it follows
# these.
WINDOW = 0.22
SMOOTH = 1.0  # pixels by which the corners of the window's shape are smoothed
# Spread of the closed faces as a share of their mean. A shadow that takes half of the light from half of a card spreads
# it by a third: of paper on which it stands out, print and the light of the calibration leave no third of that.
EVEN = 0.1
SOME = 7  # faces that are enough to tell it
PAPER = 200.0  # grey level of evened paper: light enough to keep all of the print's steps, and nothing of it is clipped
DARKEST = 8.0  # paper in a shadow is lighter


def on_paper(faces: Sequence[Pixels]) -> bool:
    """Whether most of the faces (h, w, 3) are sparse print on bare paper, told by some of them."""
    some = faces[:: -(-len(faces) // SOME)] if faces else []
    return bool(some) and float(np.median([_uneven(face) for face in some])) < EVEN


def evened(crop: Pixels, height: float | None = None) -> Pixels:
    """The crop (h, w, 3) as if its paper were white and light fell on it evenly.

    `height` of a card in pixels, if that is not the crop's.
    """
    paper = _closed(crop, crop.shape[0] if height is None else height)
    even = crop.astype(np.float32) * (PAPER / np.maximum(paper, DARKEST))
    return np.asarray(np.minimum(even, 255.0), np.uint8)


def _closed(crop: Pixels, height: float) -> NDArray[np.float32]:
    """(h, w, 3) the crop without what is dark and narrower than the window, each channel by itself."""
    size = max(2 * (round(WINDOW * height) // 2) + 1, 3)
    window = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    soft = cv2.GaussianBlur(crop, (0, 0), 0.7)
    closed = cv2.morphologyEx(soft, cv2.MORPH_CLOSE, window).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(closed, (0, 0), SMOOTH), np.float32)


def _uneven(face: Pixels) -> float:
    """The spread of a closed face, as a share of its mean, in the channel in which it is greatest; its rim left out,
    where the table may show."""
    size = (round(HEIGHT * face.shape[1] / face.shape[0]), HEIGHT)
    small = np.asarray(cv2.resize(face, size, interpolation=cv2.INTER_AREA), np.uint8)
    rim = round(WINDOW * HEIGHT / 4)
    paper = _closed(small, HEIGHT)[rim:-rim, rim:-rim].reshape(-1, 3)
    return float((paper.std(axis=0) / (paper.mean(axis=0) + 1e-3)).max())
