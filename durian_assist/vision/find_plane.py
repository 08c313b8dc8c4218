"""The table's plane in a photo: how the camera is tilted towards it, and pictures of it from straight above.

A pinhole camera with its centre in the picture's middle is assumed. Pieces of one size on a plane tell the tilt:
a piece's area to the power 1/3 changes linearly across the picture, and its corners are right angles.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Main cameras of phones are 24 to 28 mm on a 36 mm wide frame; an error of a tenth changes an aspect by 0.4 %.
USUAL_FOCAL = 0.75  # of the long side


@dataclass(frozen=True, slots=True)
class Plane:
    """`to_plane` is the 3 x 3 homography from photo pixels to the plane seen from straight above (same scale in
    the middle of the photo); `residual` the mean misfit of the pieces that it was found from."""

    to_plane: Array
    residual: float

    def flat(self, points: NDArray[np.floating]) -> Array:
        """Points (..., 2) of the photo as they lie on the plane."""
        return _moved(self.to_plane, points)

    def seen(self, points: NDArray[np.floating]) -> Array:
        """Points (..., 2) of the plane as they are seen in the photo."""
        return _moved(np.linalg.inv(self.to_plane), points)


def _moved(homography: Array, points: NDArray[np.floating]) -> Array:
    flat = np.asarray(points, np.float64).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(flat, homography), np.float64).reshape(np.shape(points))


def tilted(size: tuple[int, int], pitch: float, yaw: float, focal: float = USUAL_FOCAL) -> Array:
    """Homography that takes a photo of `size` (width, height) to the plane, for tilts in radians."""
    width, height = size
    f = focal * max(size)
    camera = np.array([[f, 0, width / 2], [0, f, height / 2], [0, 0, 1.0]])
    turn = cv2.Rodrigues(np.array([pitch, yaw, 0.0]))[0]
    return np.asarray(camera @ turn @ np.linalg.inv(camera), np.float64)


def plane_of_quads(quads: NDArray[np.floating], size: tuple[int, int], same_size: bool = True) -> Plane:
    """The plane on which the quads (n, 4, 2) are rectangles, all of one size where `same_size`."""

    def misfit(tilt: Array) -> float:
        flat = _moved(tilted(size, *tilt), quads)
        sides = np.roll(flat, -1, axis=1) - flat
        lengths = np.maximum(np.linalg.norm(sides, axis=2), 1e-9)
        unit = sides / lengths[..., None]
        corner = (unit * np.roll(unit, -1, axis=1)).sum(axis=2)
        opposite = np.log(lengths[:, :2] / lengths[:, 2:])
        terms = [np.square(corner).mean(), np.square(opposite).mean()]
        if same_size and len(quads) > 1:
            areas = np.log(lengths[:, 0] * lengths[:, 1] * lengths[:, 2] * lengths[:, 3]) / 2
            terms.append(np.square(areas - np.median(areas)).mean())
        return float(sum(terms)) + 1e-4 * float(tilt @ tilt)

    return _best_tilt(misfit, size)


def plane_of_outlines(outlines: list[NDArray[np.float32]], size: tuple[int, int]) -> Plane:
    """The plane on which outlines of equal pieces have equal areas and the same height and width."""

    def misfit(tilt: Array) -> float:
        homography = tilted(size, *tilt)
        shapes = [_moved(homography, outline).astype(np.float32) for outline in outlines]
        areas = np.log([max(cv2.contourArea(shape), 1e-6) for shape in shapes])
        widths = np.log([np.ptp(shape[:, 0]) for shape in shapes])
        return float(areas.var() + widths.var()) + 1e-4 * float(tilt @ tilt)

    return _best_tilt(misfit, size)


def _best_tilt(misfit: Callable[[Array], float], size: tuple[int, int]) -> Plane:
    """Coarse to fine search over pitch and yaw up to 60 degrees."""
    best = np.zeros(2)
    lowest = misfit(best)
    step = np.radians(12.0)
    grid = np.array([(p, y) for p in range(-4, 5) for y in range(-4, 5)], np.float64)
    for centre_step in (step, step / 3, step / 9, step / 27, step / 81):
        for shift in grid * centre_step * (1.0 if centre_step == step else 0.75):
            tilt = shift if centre_step == step else middle + shift
            if np.abs(tilt).max() > np.radians(60):
                continue
            value = misfit(tilt)
            if value < lowest:
                best, lowest = tilt, value
        middle = best
    return Plane(tilted(size, float(best[0]), float(best[1])), float(np.sqrt(lowest)))
