"""Laying a piece exactly on its class's reference: small steps of a homography, on lightness alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np

from durian_assist.vision.rectify import (
    Floats,
    Mask,
    Picture,
    Pixels,
    Points,
    around,
    blown,
    canvas_corners,
    canvas_to_photo,
)

# In standard deviations of lightness: a glint, a shadow's edge or a neighbour's corner pulls no harder than this.
OUTLIER = 1.5
# Steps smaller than this share of half the canvas are not worth another round: 0.06 pixels of 64.
STILL = 2e-3


def local_contrast(grey: Floats) -> Floats:
    """(h, w) lightness as its distance from the local mean, in local standard deviations: edges, whatever the light."""
    mean = cv2.blur(grey, around(grey), borderType=cv2.BORDER_REFLECT)
    square = cv2.blur(grey * grey, around(grey), borderType=cv2.BORDER_REFLECT)
    spread = np.sqrt(np.maximum(square - mean * mean, 0))
    spread += 0.3 * mean_and_spread(grey)[1] + 1e-3
    return np.asarray((grey - mean) / spread, np.float32)


def mean_and_spread(plane: Floats) -> tuple[float, float]:
    """Mean and standard deviation of a plane."""
    mean, spread = cv2.meanStdDev(plane)
    return float(mean[0, 0]), float(spread[0, 0])


@dataclass(slots=True)
class Aligner:
    """Fits a homography so that a photo's crop lies on one reference (inverse compositional Gauss-Newton on lightness).

    Baker and Matthews, Lucas-Kanade 20 years on (2004). Brightness and contrast are normalised away. `target` (h, w)
    has mean 0 and standard deviation 1; `slopes` (8, h * w): how it changes with each number of a homography's step;
    `prepare`: what is done to a crop before its lightness is taken, as it was to the reference.
    """

    size: tuple[int, int]
    target: Floats
    slopes: Floats
    prepare: Callable[[Pixels], Pixels] | None = None
    _solvers: dict[bool, Floats] = field(default_factory=dict)

    @staticmethod
    def of(lightness: Floats, prepare: Callable[[Pixels], Pixels] | None = None) -> Aligner:
        """`lightness` (h, w) of the reference, prepared as crops are to be."""
        h, w = lightness.shape
        smooth = local_contrast(np.asarray(cv2.GaussianBlur(lightness, (0, 0), 1.0), np.float32))
        mean, spread = mean_and_spread(smooth)
        target = (smooth - mean) / (spread + 1e-6)
        x, y = _axes(w, h)
        sx = np.asarray(cv2.Sobel(target, cv2.CV_32F, 1, 0, ksize=3, scale=w / 16))
        sy = np.asarray(cv2.Sobel(target, cv2.CV_32F, 0, 1, ksize=3, scale=h / 16))
        turn = sx * x + sy * y
        slopes = np.stack([sx, sy, sx * x, sx * y, sy * x, sy * y, -turn * x, -turn * y]).reshape(8, -1)
        return Aligner((w, h), np.asarray(target, np.float32), slopes, prepare)

    def _solver(self, rigid: bool) -> Floats:
        """(8, p) that takes differences in lightness to a step; `rigid`: of a shift and a turn."""
        if rigid not in self._solvers:
            self._solvers[rigid] = self._rigid_solver() if rigid else _solver(self.slopes)
        return self._solvers[rigid]

    def _rigid_solver(self) -> Floats:
        w, h = self.size
        # A turn by a small angle moves (x, y) by (-angle * y * h / w, angle * x * w / h) in these units.
        turn = self.slopes[4] * (w / h) - self.slopes[3] * (h / w)
        shape = np.array([1, 1, 1, h / w, w / h, 1, 1, 1], np.float32)
        back = (_RIGID * shape[:, None]) @ _solver(np.stack([self.slopes[0], self.slopes[1], turn]))
        return np.asarray(back, np.float32)

    def refine(
        self,
        picture: Picture,
        corners: Points,
        visible: Mask | None = None,
        rounds: int = 8,
        rigid: bool = False,
    ) -> Points:
        """Corners moved so that the crop fits; the given ones where it does not come closer.

        `visible` (h, w) bool: the crop's pixels that nothing else covers. `rigid`: shifts and turns only, for corners
        that have the piece's true shape already.
        """
        solver = self._solver(rigid)
        to_photo = canvas_to_photo(corners, self.size)
        best, best_error = corners, np.inf
        for _ in range(rounds):
            error, step = self._step(picture.warp(to_photo, self.size), visible, solver)
            if error < best_error:
                best, best_error = canvas_corners(to_photo, self.size), error
            elif error > best_error * 1.05:
                break
            to_photo = np.asarray(to_photo @ self._in_pixels(step), np.float64)
            if np.abs(step - np.eye(3)).max() < STILL:
                break
        return best

    def _step(self, crop: Pixels, visible: Mask | None, solver: Floats) -> tuple[float, Points]:
        """Mean squared difference where the piece is to be seen, and the (3, 3) step in units of half the canvas."""
        shown = crop if self.prepare is None else self.prepare(crop)
        plain = cv2.cvtColor(shown, cv2.COLOR_BGR2GRAY).astype(np.float32)
        grey = local_contrast(np.asarray(cv2.GaussianBlur(plain, (0, 0), 0.7), np.float32))
        use = ~blown(crop) if visible is None else visible & ~blown(crop)
        difference = self._difference(grey, None if use.all() else use.astype(np.float32))
        flat = difference.reshape(-1)
        p = np.clip((solver @ flat).astype(np.float64), -0.15, 0.15).tolist()
        step = np.array([[1 + p[2], p[3], p[0]], [p[4], 1 + p[5], p[1]], [p[6], p[7], 1.0]])
        return float(flat @ flat) / (float(np.count_nonzero(use)) + 1e-3), step

    def _difference(self, grey: Floats, weight: Floats | None) -> Floats:
        """(h, w) what a picture's normalised lightness is more than the target's, no harder than OUTLIER."""
        if weight is None:
            mean, spread = mean_and_spread(grey)
            difference = (grey - mean) / (spread + 1e-6) - self.target
        else:
            total = float(weight.sum()) + 1e-3
            mean = float((grey * weight).sum()) / total
            spread = float(np.sqrt(((grey - mean) ** 2 * weight).sum() / total)) + 1e-6
            difference = (grey - mean) / spread - (self.target - float((self.target * weight).sum()) / total)
        np.minimum(np.maximum(difference, -OUTLIER, out=difference), OUTLIER, out=difference)
        return difference if weight is None else np.asarray(difference * weight, np.float32)

    def _in_pixels(self, step: Points) -> Points:
        """The inverse of a step in units of half the canvas, in canvas pixels."""
        scale, back = _half_canvas(*self.size)
        return np.asarray(scale @ np.linalg.inv(step) @ back, np.float64)


@lru_cache
def _axes(w: int, h: int) -> tuple[Floats, Floats]:
    """Two planes (h, w): across and down a canvas in units of half of it."""
    x, y = np.meshgrid(np.linspace(-1, 1, w, dtype=np.float32), np.linspace(-1, 1, h, dtype=np.float32))
    return x, y


@lru_cache
def _half_canvas(w: int, h: int) -> tuple[Points, Points]:
    """(3, 3) from units of half a canvas to its pixels, and back."""
    scale = np.array([[(w - 1) / 2, 0, (w - 1) / 2], [0, (h - 1) / 2, (h - 1) / 2], [0, 0, 1]])
    return scale, np.linalg.inv(scale)


# Shift, shift, turn -> the eight numbers of a homography's step, for a square.
_RIGID = np.zeros((8, 3), np.float32)
_RIGID[0, 0] = _RIGID[1, 1] = _RIGID[4, 2] = 1
_RIGID[3, 2] = -1


def _solver(steepest: Floats) -> Floats:
    """(k, p) that takes differences in lightness to the least squares step, lightly damped."""
    normal = (steepest @ steepest.T).astype(np.float64)
    normal += np.diag(np.diag(normal)) * 0.01 + np.eye(len(normal)) * 1e-3
    return np.asarray(np.linalg.inv(normal).astype(np.float32) @ steepest, np.float32)
