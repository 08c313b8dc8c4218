"""The table as a plane measured in cards: where each card lies on it, how it is turned, and back to the photo.

On the plane every card is a unit square, so a card's pose is its centre and one angle (3 degrees of freedom) where a
photo shows four free corners.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from durian_assist.vision.rectify import Points, median, project

UNIT = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
# Mean distance of a fitted card's corners, in card sides, above which it is left out of the plane's fit.
MISFIT = 0.05
ROUNDS = 12


@dataclass(frozen=True, slots=True)
class Pose:
    """A unit square on the plane: centre and angle (radians, clockwise as seen).

    `misfit` is the mean distance of its corners from those of the quad that it was fitted to.
    """

    x: float
    y: float
    angle: float
    misfit: float = 0.0

    @property
    def corners(self) -> Points:
        c, s = np.cos(self.angle), np.sin(self.angle)
        return np.asarray(UNIT @ np.array([[c, s], [-s, c]]) + (self.x, self.y), np.float64)


@dataclass(frozen=True, slots=True)
class TablePlane:
    """`to_plane` (3, 3) takes photo pixels to the plane. One unit is the side of a card."""

    to_plane: Points

    @property
    def to_photo(self) -> Points:
        return np.asarray(np.linalg.inv(self.to_plane), np.float64)

    def pose(self, quad: Points) -> Pose:
        """The pose of a card with these corners (4, 2), clockwise from its top left."""
        return _rigid(project(self.to_plane, quad))

    def sides(self, quads: Points) -> Points:
        """The lengths (..., 4) of the sides of quads (..., 4, 2) of the photo, in cards."""
        flat = _flat(self.to_plane, quads)
        return np.asarray(np.linalg.norm(np.roll(flat, -1, axis=-2) - flat, axis=-1), np.float64)

    def quad(self, pose: Pose) -> Points:
        """Corners (4, 2) in the photo of a card with this pose."""
        return project(self.to_photo, pose.corners)


def _rigid(flat: Points) -> Pose:
    """The unit square nearest to four points of the plane (Procrustes without scale)."""
    centres, angles, _, misfits = _squares(flat[None])
    return Pose(float(centres[0, 0]), float(centres[0, 1]), float(angles[0]), float(misfits[0]))


def _squares(flat: Points) -> tuple[Points, Points, Points, Points]:
    """The unit squares nearest to quads (n, 4, 2): centres, angles, corners and mean distances of corners."""
    centres = flat.mean(1)
    p = flat - centres[:, None]
    turn = (p[..., 1] * UNIT[:, 0] - p[..., 0] * UNIT[:, 1]).sum(1)
    angles = np.arctan2(turn, (p * UNIT).sum((1, 2)))
    c, s = np.cos(angles), np.sin(angles)
    turned = np.stack([np.stack([c, s], -1), np.stack([-s, c], -1)], 1)
    corners = UNIT @ turned + centres[:, None]
    return centres, angles, corners, np.linalg.norm(corners - flat, axis=2).mean(1)


def plane_of(quads: Sequence[Points]) -> TablePlane:
    """The plane on which the quads (each (4, 2), clockwise) are unit squares, as nearly as can be.

    Fitted in turns: the rigid square nearest to each quad, then the homography to these squares. Quads that do not fit
    (bent cards, wrong corners) are left out as long as three are left.
    """
    corners = np.stack(quads).astype(np.float64)
    plane = _best_start(corners)
    for _ in range(ROUNDS):
        _, _, squares, misfit = _squares(_flat(plane, corners))
        use = misfit <= max(MISFIT, float(np.sort(misfit)[min(2, len(misfit) - 1)]))
        fitted = np.asarray(cv2.findHomography(corners[use].reshape(-1, 2), squares[use].reshape(-1, 2), 0)[0])
        if fitted.shape != (3, 3):
            break
        plane = fitted.astype(np.float64)
    return TablePlane(plane)


def _flat(to_plane: Points, quads: Points) -> Points:
    return project(to_plane, quads.reshape(-1, 2)).reshape(quads.shape)


def _best_start(corners: Points) -> Points:
    """The homography of that one quad which makes the others most nearly unit squares."""
    unit = UNIT.astype(np.float32)
    starts = np.stack([cv2.getPerspectiveTransform(quad.astype(np.float32), unit) for quad in corners])
    flat = np.concatenate([_flat(start, corners) for start in starts])
    misfits = _squares(flat)[3].reshape(len(corners), len(corners))
    return np.asarray(starts[int(median(misfits.T).argmin())], np.float64)
