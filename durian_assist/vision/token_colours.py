"""Shapes in a photo that have the colours of its known tokens, which the table has not.

A token that stands out from the table by neither lightness nor saturation still shows paper of its own colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.find_shapes import Shape, shapes_in
from durian_assist.vision.ground import Mask, Pixels, Shares, commoner
from durian_assist.vision.rectify import Picture

Points = NDArray[np.float64]

LONG_SIDE = 1000  # of the picture that is looked at
RIM = 9  # pixels: what lies so near to a token is its edge and its shadow, no table
# How many times commoner than on the table their colours must be on tokens: where a piece of a cloth has nearly their
# colour, only much commoner ones part it from a token that lies against it.
COMMONER = (3.0, 6.0, 12.0)
GRAIN = 3  # pixels: narrower bridges between pieces are noise


@dataclass(frozen=True, slots=True)
class TheirColours:
    """A photo as `small` (h, w, 3) as colours need it, its pixels `scale` times those of the photo; `known` (h, w)
    where the known tokens are, and how many `times` commoner each pixel's colour is on these than on the table."""

    small: Pixels
    scale: float
    known: Mask
    times: Shares

    @classmethod
    def of(cls, picture: Picture, tokens: Sequence[Points]) -> TheirColours:
        """The colours of the tokens, outlines (n, 2) in the photo."""
        height, width = picture.pixels.shape[:2]
        scale = min(1.0, LONG_SIDE / max(height, width))
        size = (round(width * scale), round(height * scale))
        small = np.asarray(cv2.resize(picture.pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
        known = filled(small.shape[:2], [outline * scale for outline in tokens])
        return cls(small, scale, known, commoner(small, known, ~widened(known)))

    def shapes(self) -> list[Shape]:
        """The shapes with these colours, in pixels of `small`."""
        masks = [np.asarray(self.times >= least, np.uint8) for least in COMMONER]
        even = [cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((GRAIN, GRAIN), np.uint8)) for mask in masks]
        return shapes_in([*masks, *(np.asarray(mask, np.uint8) for mask in even)])


def widened(tokens: Mask) -> Mask:
    """(h, w) the tokens with their edges and shadows."""
    return np.asarray(cv2.dilate(tokens.astype(np.uint8), np.ones((RIM, RIM), np.uint8)) > 0, np.bool_)


def filled(size: tuple[int, ...], outlines: Sequence[Points]) -> Mask:
    """(h, w) the pixels of a picture of that size inside any outline."""
    mask = np.zeros(size, np.uint8)
    for outline in outlines:
        cv2.fillPoly(mask, [np.round(outline).astype(np.int32)], 1)
    return mask > 0
