"""Lays one known picture exactly on a place in the photo, whatever the light does across it.

Both are compared as local contrast (each pixel against its neighbourhood's mean and spread), so that neither a veil
of glare nor a shadow's edge pulls the fit.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.durian_contrast import deviation
from durian_assist.vision.rectify import Picture

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]
Points = NDArray[np.float64]

REACH = 1 / 16  # of the canvas's width: the neighbourhood
QUIET = 3.0  # grey levels of spread that count as none
MOST_STEP = 0.15
HOPE = 0.1  # least correlation at the start that is worth any work


def local_contrast(light: Floats, reach: float = REACH, known: Mask | None = None) -> Floats:
    """(h, w) lightness as deviation from its neighbourhood, in units of the neighbourhood's spread.

    `reach` of the neighbourhood as a share of the width. Only the pixels `known` (h, w) count, all others are 0.
    """
    sigma = max(1.5, light.shape[1] * reach)
    if known is not None:
        away, spread = deviation(light[..., None], known, sigma)
        return np.asarray(away[..., 0] / (spread + QUIET), np.float32)
    away = light - cv2.GaussianBlur(light, (0, 0), sigma)
    spread = np.sqrt(cv2.GaussianBlur(away * away, (0, 0), sigma))
    return np.asarray(away / (spread + QUIET), np.float32)


def lightness(crop: NDArray[np.uint8]) -> Floats:
    """Lightness, softened as far as a photo's noise and a calibration photo's sharpness need it."""
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), 0.8), np.float32)


@dataclass(frozen=True, slots=True)
class AffineAligner:
    """Fits an affine map (2, 3), canvas to photo, by inverse compositional Gauss-Newton (Baker and Matthews 2004)."""

    target: Floats
    mask: Mask
    slopes: Floats
    solver: Floats

    @staticmethod
    def of(light: Floats, mask: Mask) -> AffineAligner:
        """`light` (h, w) of the known picture, `mask` where it counts."""
        target = local_contrast(light)
        height, width = target.shape
        gx = cv2.Sobel(target, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8) * (width / 2)
        gy = cv2.Sobel(target, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8) * (width / 2)
        x, y = _grid(width, height)
        slopes = (np.stack([gx, gy, gx * x, gx * y, gy * x, gy * y]) * mask).reshape(6, -1).astype(np.float32)
        normal = (slopes @ slopes.T).astype(np.float64)
        normal += np.diag(np.diag(normal)) * 0.01 + np.eye(6) * 1e-3
        return AffineAligner(target, mask, slopes, np.linalg.solve(normal, slopes).astype(np.float32))

    def fit(self, picture: Picture, affine: Points, rounds: int = 8) -> tuple[Points, float]:
        """The affine map (of the canvas in units of half its width about its middle, see `centred`) where the photo
        fits best, and the correlation of local contrast there."""
        height, width = self.target.shape
        unit = np.array([[2 / width, 0, (1 - width) / width], [0, 2 / width, (1 - height) / width], [0, 0, 1.0]])
        best, best_score = affine, -1.0
        use = self.mask.reshape(-1)
        count = float(use.sum())
        target = self.target.reshape(-1)
        spread = float(np.sqrt((target[use] ** 2).mean())) + 1e-6
        for _ in range(rounds):
            to_photo = np.vstack([affine, [0, 0, 1.0]]) @ unit
            seen = local_contrast(lightness(picture.warp(to_photo, (width, height)))).reshape(-1)
            seen_spread = float(np.sqrt((seen[use] ** 2).mean())) + 1e-6
            score = float((seen[use] * target[use]).sum()) / (count * spread * seen_spread)
            if score <= best_score + 5e-4 or (best_score < 0 and score < HOPE):
                best, best_score = (affine, score) if best_score < 0 else (best, best_score)
                break
            best, best_score = affine, score
            difference = np.clip(seen * (spread / seen_spread) - target, -2.0, 2.0) * use
            p = np.clip((self.solver @ difference).astype(np.float64), -MOST_STEP, MOST_STEP)
            step = np.array([[1 + p[2], p[3], p[0]], [p[4], 1 + p[5], p[1]], [0, 0, 1.0]])
            affine = (np.vstack([affine, [0, 0, 1.0]]) @ np.linalg.inv(step))[:2]
        return best, best_score


def centred(affine: Points, size: tuple[int, int]) -> Points:
    """An affine map from canvas pixels (`size` w, h) as one from units of half the width about the canvas's middle."""
    width, height = size
    to_pixels = np.array([[width / 2, 0, width / 2], [0, width / 2, height / 2], [0, 0, 1.0]])
    return np.asarray((np.vstack([affine, [0, 0, 1.0]]) @ to_pixels)[:2], np.float64)


def in_pixels(affine: Points, size: tuple[int, int]) -> Points:
    """The inverse of `centred`."""
    width, height = size
    to_units = np.array([[2 / width, 0, -1], [0, 2 / width, -height / width], [0, 0, 1.0]])
    return np.asarray((np.vstack([affine, [0, 0, 1.0]]) @ to_units)[:2], np.float64)


def _grid(width: int, height: int) -> tuple[Floats, Floats]:
    x, y = np.meshgrid(np.arange(width) - (width - 1) / 2, np.arange(height) - (height - 1) / 2)
    return np.asarray(x * 2 / width, np.float32), np.asarray(y * 2 / width, np.float32)
