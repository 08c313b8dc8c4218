"""The table's plane in a photo: how the camera is tilted towards it, and pictures of it from straight above.

A pinhole camera with its centre in the picture's middle is assumed. Pieces of one size on a plane tell the tilt:
a piece's area to the power 1/3 changes linearly across the picture, and its corners are right angles.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Main cameras of phones are 24 to 28 mm on a 36 mm wide frame; an error of a tenth changes an aspect by 0.4 %.
USUAL_FOCAL = 0.75  # of the long side
MOST_QUADS = 48


@dataclass(frozen=True, slots=True)
class Plane:
    """`to_plane` is the 3 x 3 homography from photo pixels to the plane seen from straight above (same scale in
    the middle of the photo); `residual` the mean misfit of the pieces that it was found from; `focal` the camera's
    focal length as a share of the long side."""

    to_plane: Array
    residual: float
    focal: float = USUAL_FOCAL

    def flat(self, points: NDArray[Any]) -> Array:
        """Points (..., 2) of the photo as they lie on the plane."""
        return _moved(self.to_plane, points)

    def seen(self, points: NDArray[Any]) -> Array:
        """Points (..., 2) of the plane as they are seen in the photo."""
        return _moved(np.linalg.inv(self.to_plane).astype(np.float64), points)


def _moved(homography: Array, points: NDArray[Any]) -> Array:
    flat = np.asarray(points, np.float64).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(flat, homography), np.float64).reshape(np.shape(points))


def tilted(size: tuple[int, int], tilts: Array, focal: float = USUAL_FOCAL) -> Array:
    """Homographies (n, 3, 3) that take a photo of `size` (width, height) to the plane, for tilts (n, 2): pitch and
    yaw in radians."""
    width, height = size
    f = focal * max(size)
    camera = np.array([[f, 0, width / 2], [0, f, height / 2], [0, 0, 1.0]])
    return np.asarray(camera @ _turns(tilts) @ np.linalg.inv(camera), np.float64)


def _turns(tilts: Array) -> Array:
    """Rotations (n, 3, 3) about axes in the picture's plane, by Rodrigues' formula."""
    angle = np.linalg.norm(tilts, axis=1)
    x, y = (tilts / np.maximum(angle, 1e-12)[:, None]).T
    zero = np.zeros_like(x)
    across = np.stack([zero, zero, y, zero, zero, -x, -y, x, zero], axis=1).reshape(-1, 3, 3)
    sine, rest = np.sin(angle)[:, None, None], (1 - np.cos(angle))[:, None, None]
    return np.asarray(np.eye(3) + sine * across + rest * (across @ across), np.float64)


def plane_of_quads(
    quads: NDArray[Any], size: tuple[int, int], focal: float = USUAL_FOCAL, same_size: bool = True
) -> Plane:
    """The plane on which the quads (n, 4, 2) are rectangles, all of one size where `same_size`."""
    # More quads than these say no more about the plane, but take their time.
    quads = quads[:: -(-len(quads) // MOST_QUADS)]
    count = len(quads)
    points = np.concatenate([np.asarray(quads, np.float64).reshape(-1, 2), np.ones((count * 4, 1))], axis=1)

    def misfit(tilts: Array) -> Array:
        flat = _flat(tilted(size, tilts, focal), points).reshape(len(tilts), count, 4, 2)
        sides = np.roll(flat, -1, axis=2) - flat
        lengths = np.maximum(np.linalg.norm(sides, axis=3), 1e-9)
        unit = sides / lengths[..., None]
        corner = (unit * np.roll(unit, -1, axis=2)).sum(axis=3)
        opposite = np.log(lengths[:, :, :2] / lengths[:, :, 2:])
        total = np.square(corner).mean(axis=(1, 2)) + np.square(opposite).mean(axis=(1, 2))
        if same_size and count > 1:
            areas = np.log(lengths).sum(axis=2) / 2
            total += np.square(areas - np.median(areas, axis=1, keepdims=True)).mean(axis=1)
        return np.asarray(total + 1e-4 * np.square(tilts).sum(axis=1), np.float64)

    return _best_tilt(misfit, size, focal)


def plane_of_outlines(outlines: list[NDArray[np.float32]], size: tuple[int, int], focal: float = USUAL_FOCAL) -> Plane:
    """The plane on which outlines of equal pieces have equal areas and the same height and width."""
    ends = np.cumsum([len(outline) for outline in outlines])
    points = np.concatenate([np.vstack(outlines).astype(np.float64), np.ones((int(ends[-1]), 1))], axis=1)

    def misfit(tilts: Array) -> Array:
        total = 1e-4 * np.square(tilts).sum(axis=1)
        shapes = np.split(_flat(tilted(size, tilts, focal), points), ends[:-1], axis=1)
        areas = np.log(np.maximum(np.stack([_areas(shape) for shape in shapes], axis=1), 1e-6))
        widths = np.log(np.maximum(np.stack([np.ptp(shape[..., 0], axis=1) for shape in shapes], axis=1), 1e-6))
        return np.asarray(total + areas.var(axis=1) + widths.var(axis=1), np.float64)

    return _best_tilt(misfit, size, focal)


def _flat(homographies: Array, points: Array) -> Array:
    """Homogeneous points (m, 3) through each homography: (n, m, 2)."""
    moved = points @ homographies.transpose(0, 2, 1)
    return np.asarray(moved[..., :2] / np.where(np.abs(moved[..., 2:]) < 1e-9, 1e-9, moved[..., 2:]), np.float64)


def _areas(shapes: Array) -> Array:
    """Areas (n,) of outlines (n, m, 2)."""
    x, y = shapes[..., 0], shapes[..., 1]
    return np.asarray(np.abs((x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1)).sum(axis=1)) / 2, np.float64)


def _best_tilt(misfit: Callable[[Array], Array], size: tuple[int, int], focal: float) -> Plane:
    """Coarse to fine search over pitch and yaw up to 60 degrees."""
    grid = np.array([(pitch, yaw) for pitch in range(-4, 5) for yaw in range(-4, 5)], np.float64)
    middle, step, lowest = np.zeros(2), np.radians(12.0), np.inf
    while step > np.radians(0.1):
        tilts = np.clip(middle + grid * step, -np.radians(60), np.radians(60))
        values = misfit(tilts)
        middle, lowest = tilts[int(values.argmin())], float(values.min())
        step /= 4
    return Plane(tilted(size, middle[None], focal)[0], float(np.sqrt(lowest)), focal)
