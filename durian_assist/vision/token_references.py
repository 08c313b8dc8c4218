"""References of tokens laid on one another: two photos of one token are seldom cut at quite the same line.

A cut along a ring inside the edge shows the art a tenth larger than one along the edge. The mean of both is a double
picture that no token looks like, so references that do not lie on those of their own value are moved until they do.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.rectify import Picture, median
from durian_assist.vision.token_align import Aligner, centred, in_pixels, lightness, shown

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]
Points = NDArray[np.float64]

WIDTHS = (40, 64)  # of the canvases: on the small one a size half a step off still leads to the right one
# References of one value that correlate so well lie on one another: their light and grain are all that differs.
TOGETHER = 0.8
# Sizes of the art against another reference's that are tried: cut along an inner ring it is up to a quarter larger.
SIZES = tuple(1.03**k for k in range(-8, 9))


def together(references: Sequence[Sequence[Pixels]], mask: Mask) -> list[list[Pixels]]:
    """The references (h, w, 3) of each value, those moved that do not lie on one another; `mask` (h, w) of the face."""
    if max(map(len, references)) == 1:
        return [list(own) for own in references]
    faces = [np.stack([_face(picture, mask) for picture in own]) for own in references]
    apart = [bool((own @ own.T).min() < TOGETHER) for own in faces]
    if not any(apart):
        return [list(own) for own in references]
    everyone = np.concatenate(faces)
    usual = everyone[int(median(everyone @ everyone.T).argmax())]
    firsts = [int((own @ usual).argmax()) for own in faces]
    return [
        [picture if not moved or k == first else _laid_on(own[first], picture, mask) for k, picture in enumerate(own)]
        for own, moved, first in zip(references, apart, firsts, strict=True)
    ]


def _laid_on(known: Pixels, picture: Pixels, mask: Mask) -> Pixels:
    """The picture (h, w, 3) moved and resized to lie on a known one; as it is where it is nowhere more like it."""
    height, width = mask.shape
    shown_by = Picture(picture)
    coarse, fine = (_aligner(known, mask, across) for across in WIDTHS)
    as_it_is = centred(np.eye(3), (width, height))
    middle = np.array([width, height]) / 2
    starts = [
        centred(np.array([[s, 0, middle[0] * (1 - s)], [0, s, middle[1] * (1 - s)], [0, 0, 1.0]]), (width, height))
        for s in SIZES
    ]
    start = max(starts, key=lambda start: coarse.fit(shown_by, start, rounds=1)[1])
    place, score = fine.fit(shown_by, coarse.fit(shown_by, start)[0])
    if score < max(TOGETHER, fine.fit(shown_by, as_it_is, rounds=1)[1]):
        return picture
    return shown_by.warp(in_pixels(place, (width, height)) @ _corner(), (width, height))


def _aligner(known: Pixels, mask: Mask, across: int) -> Aligner:
    """Fits pictures to a known one on a canvas `across` pixels wide."""
    size = (across, round(across * mask.shape[0] / mask.shape[1]))
    small = np.asarray(cv2.resize(mask.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0, np.bool_)
    return Aligner.of(np.asarray(cv2.resize(lightness(known), size, interpolation=cv2.INTER_AREA), np.float32), small)


def _face(picture: Pixels, mask: Mask) -> Floats:
    """(n,) the local contrast of a face, of length 1."""
    height, width = mask.shape
    size = (WIDTHS[0], round(WIDTHS[0] * height / width))
    small = cv2.resize(mask.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
    face = shown(Picture(picture), centred(np.eye(3), (width, height)), small.shape)[small]
    return np.asarray(face / np.linalg.norm(face), np.float32)


def _corner() -> Points:
    """(3, 3) from the indices of pixels to coordinates that count from the canvas's edge."""
    return np.array([[1.0, 0, 0.5], [0, 1.0, 0.5], [0, 0, 1.0]])
