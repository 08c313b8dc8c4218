"""Lays one known picture exactly on a place in the photo, whatever the light does across it.

Both are compared as local contrast (each pixel against its neighbourhood's mean and spread), so that neither a veil
of glare nor a shadow's edge pulls the fit. A place is a map (3, 3) from the canvas to the photo.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.durian_contrast import deviation
from durian_assist.vision.rectify import Picture
from durian_assist.vision.softened import softened

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]
Points = NDArray[np.float64]

REACH = 1 / 16  # of the canvas's width: the neighbourhood
QUIET = 3.0  # grey levels of spread that count as none
WIDE = 6.0  # pixels of spread from which on a neighbourhood is summed up as boxes
MOST_STEP = 0.15
HOPE = 0.1  # least correlation at the start that is worth any work
PLANE = 6  # numbers of an affine map; two more make it one of a plane seen aslant


def local_contrast(light: Floats, reach: float = REACH, known: Mask | None = None) -> Floats:
    """(h, w) lightness as deviation from its neighbourhood, in units of the neighbourhood's spread.

    `reach` of the neighbourhood as a share of the width. Only the pixels `known` (h, w) count, all others are 0.
    """
    sigma = max(1.5, light.shape[1] * reach)
    if known is not None:
        away, spread = deviation(light[..., None], known, sigma)
        return np.asarray(away[..., 0] / (spread + QUIET), np.float32)
    away = light - softened(light, sigma)
    spread = np.sqrt(np.maximum(softened(away * away, sigma), 0))
    return np.asarray(away / (spread + QUIET), np.float32)


def whole_contrast(light: Floats) -> Floats:
    """(h, w) the local contrast of a canvas that counts whole, its wide neighbourhoods summed up as boxes three times
    over: they are off by a hundredth, in a sixth of the time."""
    sigma = light.shape[1] * REACH
    if sigma < WIDE:
        return local_contrast(light)
    away = light - _boxed(light, sigma)
    spread = np.sqrt(np.maximum(_boxed(away * away, sigma), 0))
    return np.asarray(away / (spread + QUIET), np.float32)


def _boxed(plane: Floats, sigma: float) -> Floats:
    """(h, w) a plane softened by three boxes of odd width whose squares of spread add up to nearly that of `sigma`."""
    narrow = math.isqrt(math.floor(4 * sigma**2 + 1))
    narrow -= 1 - narrow % 2
    wider = int((12 * sigma**2 - 3 * (narrow**2 - 1)) / (4 * narrow + 4))
    for width in [narrow] * (3 - wider) + [narrow + 2] * wider:
        plane = np.asarray(cv2.boxFilter(plane, -1, (width, width)), np.float32)
    return plane


def lightness(crop: NDArray[np.uint8]) -> Floats:
    """Lightness, softened as far as a photo's noise and a calibration photo's sharpness need it."""
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), 0.8), np.float32)


@dataclass(frozen=True, slots=True)
class Aligner:
    """Fits the map of a plane, canvas to photo, by inverse compositional Gauss-Newton (Baker and Matthews 2004).

    `solvers` (6, n) and (8, n) give the step of an affine map, and of one seen aslant, from the n pixels' differences.
    """

    target: Floats
    mask: Mask
    solvers: tuple[Floats, Floats]

    @staticmethod
    def of(light: Floats, mask: Mask) -> Aligner:
        """`light` (h, w) of the known picture, `mask` where it counts."""
        target = whole_contrast(light)
        height, width = target.shape
        gx = cv2.Sobel(target, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8) * (width / 2)
        gy = cv2.Sobel(target, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8) * (width / 2)
        x, y = _grid(width, height)
        outwards = gx * x + gy * y
        ways = [gx, gy, gx * x, gx * y, gy * x, gy * y, -outwards * x, -outwards * y]
        slopes = (np.stack(ways) * mask).reshape(len(ways), -1).astype(np.float32)
        normal = (slopes @ slopes.T).astype(np.float64)
        normal += np.diag(np.diag(normal)) * 0.01 + np.eye(len(ways)) * 1e-3
        affine, aslant = (np.linalg.inv(normal[:k, :k]).astype(np.float32) @ slopes[:k] for k in (PLANE, len(ways)))
        return Aligner(target, mask, (affine, aslant))

    def fit(
        self, picture: Picture, place: Points, rounds: int = 8, *, aslant: bool = False, seen: Mask | None = None
    ) -> tuple[Points, float]:
        """The map (of the canvas in units of half its width about its middle, see `centred`) where the photo fits
        best, and the correlation of local contrast there.

        `aslant` fits the perspective too, `seen` (h, w) are the pixels of the canvas that nothing hides.
        """
        best, best_score = place, -1.0
        weight = self._weight(seen)
        solver = self.solvers[aslant]
        target = self.target.reshape(-1) * weight
        length = _length(target)
        for _ in range(rounds):
            light = shown(picture, place, self.target.shape).reshape(-1) * weight
            own = _length(light)
            score = float(light @ target) / (own * length)
            if score <= best_score + 5e-4 or (best_score < 0 and score < HOPE):
                best, best_score = (place, score) if best_score < 0 else (best, best_score)
                break
            best, best_score = place, score
            difference = np.clip(light * (length / own) - target, -2.0, 2.0)
            place = place @ np.linalg.inv(_step((solver @ difference).astype(np.float64)))
        return best, best_score

    def likeness(self, picture: Picture, place: Points, others: Sequence[Aligner], seen: Mask | None) -> list[float]:
        """The correlation at a place, as it is, with each of some others' pictures on a canvas and mask like this."""
        weight = self._weight(seen)
        light = shown(picture, place, self.target.shape).reshape(-1) * weight
        targets = [other.target.reshape(-1) * weight for other in others]
        return [float(light @ target) / (_length(light) * _length(target)) for target in targets]

    def _weight(self, seen: Mask | None) -> Floats:
        """(n,) 1 for the pixels that count."""
        return (self.mask if seen is None else self.mask & seen).reshape(-1).astype(np.float32)


def shown(picture: Picture, place: Points, size: tuple[int, ...]) -> Floats:
    """(h, w) `size` the local contrast of the photo on the canvas, which `place` (see `centred`) maps to the photo."""
    height, width = size
    unit = np.array([[2 / width, 0, (1 - width) / width], [0, 2 / width, (1 - height) / width], [0, 0, 1.0]])
    return whole_contrast(lightness(picture.warp(place @ unit, (width, height))))


def _length(values: Floats) -> float:
    """Of a vector (n,), never 0."""
    return float(np.sqrt(values @ values)) + 1e-6


def _step(p: Points) -> Points:
    """(3, 3) the small map of 6 or 8 numbers, none larger than MOST_STEP."""
    p = np.clip(p, -MOST_STEP, MOST_STEP)
    last = [p[6], p[7], 1.0] if len(p) > PLANE else [0.0, 0.0, 1.0]
    return np.array([[1 + p[2], p[3], p[0]], [p[4], 1 + p[5], p[1]], last])


def centred(place: Points, size: tuple[int, int]) -> Points:
    """A map (3, 3) from canvas pixels (`size` w, h) as one from units of half the width about the canvas's middle."""
    width, height = size
    to_pixels = np.array([[width / 2, 0, width / 2], [0, width / 2, height / 2], [0, 0, 1.0]])
    return _scaled(place @ to_pixels)


def in_pixels(place: Points, size: tuple[int, int]) -> Points:
    """The inverse of `centred`."""
    width, height = size
    to_units = np.array([[2 / width, 0, -1], [0, 2 / width, -height / width], [0, 0, 1.0]])
    return _scaled(place @ to_units)


def _scaled(place: Points) -> Points:
    return np.asarray(place / place[2, 2], np.float64)


def _grid(width: int, height: int) -> tuple[Floats, Floats]:
    x, y = np.meshgrid(np.arange(width) - (width - 1) / 2, np.arange(height) - (height - 1) / 2)
    return np.asarray(x * 2 / width, np.float32), np.asarray(y * 2 / width, np.float32)
