"""Cards of a deck in a photo where no outline is seen: fans on a table of their own colour.

The photo, turned and scaled in steps, is compared with the deck's pictures at a few pixels a card: coarse enough to
bear a tilted camera. In grey, which takes a third of the time and tells where a card is as well; the corners found are
named and aligned afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.rectify import Picture

Pixels = NDArray[np.uint8]
Points = NDArray[np.float64]

# Card heights looked for, as shares of the photo's long side, and the step between them.
LEAST, MOST, STEP = 1 / 26, 1 / 3, 1.14
TURNS = (-9.0, 0.0, 9.0)
LIKELY = 0.5
# A card whose scale and turn are met correlates by this much; one scale further on by less.
CLEAR, PASSED = 0.75, 0.08
# Of one scale and turn the best places only: one good card is enough.
BEST = 4


def search_quads(picture: Picture, shapes: tuple[Pixels, ...]) -> list[Points]:
    """Corners (4, 2) in photo pixels, own top left first, of places that look like one of `shapes`, best first.

    `shapes` are upright pictures (height, width, 3) of one size.
    """
    found: list[tuple[float, Points]] = []
    height, width = picture.pixels.shape[:2]
    card = shapes[0].shape[0]
    greys = tuple(_grey(shape) for shape in shapes)
    share, top = MOST, 0.0
    # Large cards first: their pictures are small. Once a clear find is passed, smaller cards are not looked for.
    while share >= LEAST:
        ratio = card / (share * max(height, width))
        here = [
            (score, _corners(back, x, y, shapes[0]))
            for degrees in (quarter * 90 + turn for quarter in range(4) for turn in TURNS)
            for view, back in (_turned(picture, ratio, degrees),)
            for score, x, y in _places(_grey(view), greys)
        ]
        best = max((score for score, _ in here), default=0.0)
        if top >= CLEAR and best < top - PASSED:
            break
        found, top, share = found + here, max(top, best), share / STEP
    return [quad for _, quad in sorted(found, key=lambda entry: -entry[0])[:40]]


def _grey(picture: Pixels) -> Pixels:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def _turned(picture: Picture, ratio: float, degrees: float) -> tuple[Pixels, Points]:
    """The whole photo scaled and turned, and the (3, 3) that takes its pixels back to the photo's."""
    height, width = picture.pixels.shape[:2]
    angle = np.radians(degrees)
    cos, sin = float(np.cos(angle)), float(np.sin(angle))
    w = int(np.ceil((abs(cos) * width + abs(sin) * height) * ratio))
    h = int(np.ceil((abs(sin) * width + abs(cos) * height) * ratio))
    to_middle = np.array([(1, 0, -w / 2), (0, 1, -h / 2), (0, 0, 1.0)])
    turn = np.array([(cos / ratio, -sin / ratio, width / 2), (sin / ratio, cos / ratio, height / 2), (0, 0, 1.0)])
    back = turn @ to_middle
    return picture.warp(back, (w, h)), back


def _places(view: Pixels, shapes: tuple[Pixels, ...]) -> Iterator[tuple[float, int, int]]:
    if view.shape[0] < shapes[0].shape[0] or view.shape[1] < shapes[0].shape[1]:
        return
    scores = np.max([cv2.matchTemplate(view, shape, cv2.TM_CCOEFF_NORMED) for shape in shapes], axis=0)
    for _ in range(BEST):
        y, x = np.unravel_index(int(scores.argmax()), scores.shape)
        score = float(scores[y, x])
        if score < LIKELY:
            return
        yield score, int(x), int(y)
        reach = shapes[0].shape[1] // 2
        scores[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1] = -1


def _corners(back: Points, x: int, y: int, shape: Pixels) -> Points:
    height, width = shape.shape[:2]
    box = np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], float) - 0.5
    moved = np.column_stack([box, np.ones(4)]) @ back.T
    return np.asarray(moved[:, :2] / moved[:, 2:], np.float64)
