"""Names of people drawn with the outline font that OpenCV 5 carries: Latin, Cyrillic, Greek, Chinese, Japanese,
Korean, Hebrew, Arabic. The stroke font of `cv2.putText` before it knows ASCII alone and writes "???"."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

# A character that no font has: what it is drawn as stands for every missing glyph.
_NOWHERE = "\U0010fffe"
_CELL = 48


def can_draw(text: str) -> bool:
    """Whether the font is there and has a glyph for every character of the text."""
    return hasattr(cv2, "FontFace") and not any(_missing(char) for char in text if not char.isspace())


def text_mask(text: str, size: int) -> NDArray[np.uint8]:
    """The text as ink from 0 to 255, shape (height, width), letters `size` pixels high, the baseline at half the
    height. Needs `can_draw`."""
    width = (len(text) + 2) * size * 2
    ink = _drawn(text, size, (3 * size, width))
    columns = np.flatnonzero(ink.any(axis=0))
    last = int(columns[-1]) + 1 if len(columns) else 1
    return ink[size // 2 : 2 * size + size // 2, :last]


def _drawn(text: str, size: int, shape: tuple[int, int]) -> NDArray[np.uint8]:
    canvas = np.zeros((*shape, 3), np.uint8)
    face = cv2.FontFace("uni")
    cv2.putText(canvas, text, (0, 3 * size // 2), (255, 255, 255), face, size, 400)
    return canvas[..., 0]


@cache
def _missing(char: str) -> bool:
    shape = (3 * _CELL, 3 * _CELL)
    return bool(np.array_equal(_drawn(char, _CELL, shape), _drawn(_NOWHERE, _CELL, shape))) and char != "?"
