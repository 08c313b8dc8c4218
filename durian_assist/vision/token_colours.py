"""Shapes in a photo that have the colours of its known tokens, which the table has not.

A token that stands out from the table by neither lightness nor saturation still shows paper of its own colour.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.find_shapes import Shape, shapes_in
from durian_assist.vision.ground import Mask, Pixels, commoner
from durian_assist.vision.rectify import Picture

Points = NDArray[np.float64]

LONG_SIDE = 1000  # of the picture that is looked at
RIM = 9  # pixels: what lies so near to a token is its edge and its shadow, no table
# How many times commoner than on the table their colours must be on tokens: where a piece of a cloth has nearly their
# colour, only much commoner ones part it from a token that lies against it.
COMMONER = (3.0, 6.0, 12.0)
GRAIN = 3  # pixels: narrower bridges between pieces are noise


def of_their_colours(picture: Picture, tokens: Sequence[Points]) -> tuple[list[Shape], float]:
    """The shapes with the colours of the tokens, outlines (n, 2) in the photo, and the scale of their pixels to its."""
    height, width = picture.pixels.shape[:2]
    scale = min(1.0, LONG_SIDE / max(height, width))
    size = (round(width * scale), round(height * scale))
    small = np.asarray(cv2.resize(picture.pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
    known = _filled(small, [outline * scale for outline in tokens])
    near = cv2.dilate(known.astype(np.uint8), np.ones((RIM, RIM), np.uint8)) > 0
    times = commoner(small, known, ~near)
    masks = [np.asarray(times >= least, np.uint8) for least in COMMONER]
    even = [cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((GRAIN, GRAIN), np.uint8)) for mask in masks]
    return shapes_in([*masks, *(np.asarray(mask, np.uint8) for mask in even)]), scale


def _filled(picture: Pixels, outlines: Sequence[Points]) -> Mask:
    """(h, w) the pixels of a picture inside any outline."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    for outline in outlines:
        cv2.fillPoly(mask, [np.round(outline).astype(np.int32)], 1)
    return mask > 0
