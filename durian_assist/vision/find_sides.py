"""Fit the sides of a four-sided card to the colour step at its edge, to a fraction of a pixel."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.find_masks import Pixels
from durian_assist.vision.find_shapes import sampled

Points = NDArray[np.float32]
Array = NDArray[np.float64]

# A card's corners are rounded: the outer tenth of each side does not lie on its line.
_SIDE_FROM, _SIDE_TO = 0.1, 0.9


def fit_sides(pixels: Pixels, quads: Points, reach: float, count: int = 64) -> tuple[Points, Array]:
    """Quads (n, 4, 2) with each side moved onto the strongest step within `reach` pixels.

    Returns the quads and (n, 4) the mean step along each fitted side, in grey levels per pixel. Corners are
    those of the straight sides prolonged, so before rounding.
    """
    if len(quads) == 0:
        return quads, np.zeros((0, 4))
    starts, ends = quads.astype(np.float64), np.roll(quads, -1, axis=1).astype(np.float64)
    direction = ends - starts
    direction /= np.maximum(np.linalg.norm(direction, axis=2, keepdims=True), 1e-9)
    normal = np.stack([direction[..., 1], -direction[..., 0]], axis=2)
    share = np.linspace(_SIDE_FROM, _SIDE_TO, count)[None, None, :, None]
    points = starts[:, :, None, :] + (ends - starts)[:, :, None, :] * share
    offsets = np.arange(-reach - 1, reach + 1.01, 0.5)
    profile = _profiles(pixels, points, normal, offsets)
    change = np.linalg.norm(profile[..., 2:, :] - profile[..., :-2, :], axis=-1)
    middle = offsets[1:-1]
    liked = change * np.exp(-0.5 * (middle / (0.7 * reach)) ** 2)
    where, strength = _peaks(liked, change, middle)
    lines = _fit_lines(points + normal[:, :, None, :] * where[..., None], strength, normal)
    return _corners(lines, quads), _mean_step(lines, points, change, middle)


def _profiles(pixels: Pixels, points: Array, normal: Array, offsets: Array) -> Array:
    """Colours (n, 4, count, len(offsets), 3) across each side."""
    where = points[:, :, :, None, :] + normal[:, :, None, None, :] * offsets[:, None]
    colours = sampled(pixels, where.reshape(where.shape[0] * 4, -1, 2))
    return np.asarray(colours, np.float64).reshape(*where.shape[:-1], 3)


def _peaks(liked: Array, change: Array, middle: Array) -> tuple[Array, Array]:
    """Offset (to a fraction of a step, by a parabola) and strength of the best change in each profile."""
    best = np.clip(liked.argmax(axis=-1), 1, liked.shape[-1] - 2)[..., None]
    left, peak, right = (np.take_along_axis(change, best + k, -1)[..., 0] for k in (-1, 0, 1))
    bend = left - 2 * peak + right
    shift = np.where(bend < -1e-9, 0.5 * (left - right) / np.where(bend < -1e-9, bend, 1.0), 0.0)
    step = middle[1] - middle[0]
    return middle[best[..., 0]] + np.clip(shift, -1, 1) * step, peak


def _fit_lines(points: Array, strength: Array, normal: Array, rounds: int = 6) -> Array:
    """Robust lines (n, 4, 3) as a x + b y + c = 0 with a unit normal, by reweighted least squares."""
    weights = strength + 1e-6
    line = np.zeros((*points.shape[:2], 3))
    for _ in range(rounds):
        total = weights.sum(axis=2)[..., None]
        mean = (points * weights[..., None]).sum(axis=2) / total
        spread = points - mean[:, :, None, :]
        xx, yy = ((weights * spread[..., k] ** 2).sum(axis=2) for k in (0, 1))
        xy = (weights * spread[..., 0] * spread[..., 1]).sum(axis=2)
        angle = 0.5 * np.arctan2(2 * xy, xx - yy)
        across = np.stack([-np.sin(angle), np.cos(angle)], axis=2)
        across *= np.where((across * normal).sum(axis=2, keepdims=True) < 0, -1.0, 1.0)
        line = np.concatenate([across, -(across * mean).sum(axis=2, keepdims=True)], axis=2)
        miss = (points * across[:, :, None, :]).sum(axis=3) + line[..., 2:]
        weights = (strength + 1e-6) / (1 + (miss / 0.7) ** 2) ** 2
    return line


def _corners(lines: Array, quads: Points) -> Points:
    """Where neighbouring sides meet; the old corner where they do not."""
    before = np.roll(lines, 1, axis=1)
    cross = np.cross(before, lines)
    safe = np.abs(cross[..., 2:]) > 1e-6
    met = np.where(safe, cross[..., :2] / np.where(safe, cross[..., 2:], 1.0), quads)
    far = np.linalg.norm(met - quads, axis=2, keepdims=True) > 0.15 * np.sqrt(_areas(quads))[:, None, None]
    return np.where(far, quads, met).astype(np.float32)


def _areas(quads: Points) -> Array:
    return np.array([max(cv2.contourArea(q), 1.0) for q in quads])


def _mean_step(lines: Array, points: Array, change: Array, middle: Array) -> Array:
    """Mean change within a pixel of the fitted line, (n, 4)."""
    miss = -((points * lines[:, :, None, :2]).sum(axis=3) + lines[..., 2:])
    near = np.abs(middle - miss[..., None]) <= 1.0
    best = np.where(near, change, 0.0).max(axis=-1)
    return np.asarray(best.mean(axis=2), np.float64)
