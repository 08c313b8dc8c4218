"""From a quadrilateral in a photo to an upright picture of the piece, in comparable colours, and back.

A canvas is an upright picture of a piece with its corners (before rounding) at the canvas's own corners. Corners are
(4, 2) float, in photo pixels, the piece's own top left first, then clockwise as seen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]
Points = NDArray[np.float64]
Mask = NDArray[np.bool_]

BLOWN_VALUE = 250
BLOWN_SATURATION = 24
# Lightness (0 to 100) that is added before dividing by it: black ink has no colour to be scaled up.
DARKEST = 5.0
# The value that the white patch is brought to.
NEUTRAL = 240.0


# The photo is not halved more often than this.
SMALLEST_LEVEL = 5


@dataclass(slots=True)
class Picture:
    """A photo with its halved sizes, made when asked for, so that small canvases are cut out without aliasing."""

    pixels: Pixels
    _levels: list[Pixels] = field(default_factory=list)

    def level(self, k: int) -> Pixels:
        """The photo halved `k` times."""
        if not self._levels:
            self._levels.append(self.pixels)
        while len(self._levels) <= k:
            last = self._levels[-1]
            size = (max(last.shape[1] // 2, 1), max(last.shape[0] // 2, 1))
            self._levels.append(np.asarray(cv2.resize(last, size, interpolation=cv2.INTER_AREA), np.uint8))
        return self._levels[k]

    def warp(self, to_photo: Points, size: tuple[int, int]) -> Pixels:
        """Cut out a canvas of `size` (width, height); `to_photo` (3, 3) takes canvas pixels to photo pixels."""
        return self.halved(_level_for(to_photo, size), to_photo, size)

    def halved(self, k: int, to_photo: Points, size: tuple[int, int]) -> Pixels:
        """The same from the photo halved `k` times."""
        return np.asarray(
            cv2.warpPerspective(
                self.level(k),
                _halving(k) @ to_photo,
                size,
                flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                borderMode=cv2.BORDER_REPLICATE,
            ),
            np.uint8,
        )

    def inside(self, to_photo: Points, size: tuple[int, int]) -> Mask:
        """(height, width) bool: which canvas pixels lie inside the photo's frame."""
        height, width = self.pixels.shape[:2]
        w, h = size
        edge = project(to_photo, np.array([[0, 0], [w, 0], [w, h], [0, h]], float))
        if (edge >= 0).all() and (edge[:, 0] < width).all() and (edge[:, 1] < height).all():
            return np.ones((h, w), np.bool_)
        x, y = np.arange(w), np.arange(h)[:, None]
        across, down, depth = (row[0] * x + (row[1] * y + row[2]) for row in to_photo)
        across, down = across / depth, down / depth
        return np.asarray((across >= 0) & (across < width) & (down >= 0) & (down < height), np.bool_)


def _level_for(to_photo: Points, size: tuple[int, int]) -> int:
    """How often to halve the photo: its pixels per canvas pixel (geometric mean at the middle) as a power of two."""
    w, h = size
    (a, b, c), (d, e, f), (p, q, r) = to_photo.tolist()
    determinant = a * (e * r - f * q) - b * (d * r - f * p) + c * (d * q - e * p)
    depth = p * w / 2 + q * h / 2 + r
    area = abs(determinant) / max(abs(depth) ** 3, 1e-12)
    return min(max(math.floor(0.5 * math.log2(max(area, 1.0)) + 0.2), 0), SMALLEST_LEVEL)


@lru_cache
def _halving(k: int) -> Points:
    """(3, 3) photo pixel index to pixel index after `k` halvings (pixel centres at whole numbers)."""
    s = 0.5**k
    return np.array([[s, 0, 0.5 * s - 0.5], [0, s, 0.5 * s - 0.5], [0, 0, 1]], float)


def project(homography: Points, points: Points) -> Points:
    """Apply a (3, 3) homography to (n, 2) points."""
    p = points @ homography[:, :2].T + homography[:, 2]
    return np.asarray(p[:, :2] / p[:, 2:], np.float64)


_TURNS = [np.roll(np.arange(4), -turns) for turns in range(4)]


def turned_corners(corners: Points, turns: int) -> Points:
    """The same four corners, from corner number `turns` on. (np.roll does it in twenty times the time.)"""
    return corners[_TURNS[turns % 4]]


def canvas_to_photo(corners: Points, size: tuple[int, int], margin: int = 0) -> Points:
    """(3, 3) from canvas pixels to photo pixels; the canvas has `size` plus `margin` pixels all round the piece."""
    w, h = size
    a = margin - 0.5
    box = np.array([[a, a], [a + w, a], [a + w, a + h], [a, a + h]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(box, np.asarray(corners, np.float32)), np.float64)


def canvas_corners(to_photo: Points, size: tuple[int, int], margin: int = 0) -> Points:
    """The inverse of `canvas_to_photo`: where the canvas's corners lie in the photo."""
    w, h = size
    a = margin - 0.5
    return project(to_photo, np.array([[a, a], [a + w, a], [a + w, a + h], [a, a + h]], float))


def median(values: ArrayLike) -> Points:
    """The median along the first axis. That of numpy loads a package of its own at its first call, a tenth of the time
    that decoding a photo takes."""
    known = np.asarray(values)
    low, high = (len(known) - 1) // 2, len(known) // 2
    ordered = np.partition(known, (low, high), axis=0)
    return np.asarray(ordered[low], np.float64) / 2 + np.asarray(ordered[high], np.float64) / 2


def quantile(values: ArrayLike, share: float) -> float:
    """What a share of all values stays below, between two of them as `np.quantile` has it, which loads the same."""
    known = np.asarray(values).ravel()
    place = share * (len(known) - 1)
    first = math.floor(place)
    ordered = np.partition(known, (first, math.ceil(place)))
    before, after = float(ordered[first]), float(ordered[math.ceil(place)])
    return before + (after - before) * (place - first)


def blown(crop: Pixels) -> Mask:
    """Pixels without information: clipped to white by glare (bright in every channel, no colour left)."""
    blue, green, red = cv2.split(crop)
    high, low = cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red)
    return np.asarray((high > BLOWN_VALUE) & (low > BLOWN_VALUE - BLOWN_SATURATION), np.bool_)


def white_of(crop: Pixels, mask: Mask | None = None) -> Floats:
    """(3,) the white patch: the 90th percentile of each channel, mostly the card's own bright border."""
    flat = crop.reshape(-1, 3) if mask is None or mask.all() else crop[mask]
    if len(flat) == 0:
        return np.full(3, 255, np.float32)
    k = int(0.9 * (len(flat) - 1))
    return np.asarray(np.maximum(np.partition(flat, k, axis=0)[k], 16), np.float32)


def to_lab(crop: Pixels, white: Floats) -> Floats:
    """(..., 3) float32 lightness (0 to 100 for the white patch and above) and two opponent colours of a crop.

    The white patch is made neutral. What is lighter than it keeps its hue: on dark cards a ribbon may well be. Like CIE
    Lab in what it separates and in scale, but linear (that of YCrCb): one product with a matrix.
    """
    return np.asarray(cv2.transform(crop.astype(np.float32), _TO_LAB * (NEUTRAL / white)), np.float32)


# Blue, green, red to lightness of 100 and the colours red and blue less lightness (ITU-R BT.601).
_LIGHT = np.array([0.114, 0.587, 0.299])
_RED, _BLUE = np.array([0.0, 0.0, 1.0]) - _LIGHT, np.array([1.0, 0.0, 0.0]) - _LIGHT
_TO_LAB = np.stack([_LIGHT * (100 / 255), _RED * 0.713, _BLUE * 0.564])


def evened(lab: Floats) -> Floats:
    """The Lab picture (h, w, 3) of a piece with its light evened out: brightness and colours over the local lightness.

    A shadow or the shine of a lamp scales what it lies on; the art's own large light and dark parts go too, in the
    photo as in the reference.
    """
    light = np.ascontiguousarray(lab[..., 0])
    gain = (float(light.mean()) + DARKEST) / (cv2.blur(light, around(light), borderType=cv2.BORDER_REFLECT) + DARKEST)
    return np.asarray(lab * gain[..., None], np.float32)


def around(plane: Floats) -> tuple[int, int]:
    """The window, two fifths of a piece, over which light is taken to be even."""
    h, w = plane.shape
    return max(w * 2 // 5, 3), max(h * 2 // 5, 3)


def clipped(crop: Pixels) -> Mask:
    """Pixels whose hue cannot be trusted: full in one channel, not in all."""
    blue, green, red = cv2.split(crop)
    high, low = cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red)
    return np.asarray((high > BLOWN_VALUE) & (low <= BLOWN_VALUE - BLOWN_SATURATION), np.bool_)
