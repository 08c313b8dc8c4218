"""The table as a plane: one homography and one card size explain every card that lies flat on it.

Plane units: the height of a collection card is 1. A pose is (x, y, angle) of a card's centre, angle in radians,
clockwise as the plane is shown; a card at angle 0 stands upright in the plane.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# A phone's main lens is 24 to 28 mm of full frame: its focal length is about 0.75 of the picture's long side.
PHONE_FOCAL = 0.75
# Below this number of cards eight free parameters follow the corners' noise; a camera's pose has six.
ENOUGH_FOR_FREE_FIT = 4


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a card lies in the plane: its centre and its turn from upright (radians, clockwise)."""

    x: float
    y: float
    angle: float

    @property
    def centre(self) -> tuple[float, float]:
        """The card's centre."""
        return float(self.x), float(self.y)

    def rectangle(self, width: float, height: float) -> Floats:
        """Corners (4, 2) of a card of this size: own top left first, clockwise."""
        half = 0.5 * np.array([(-width, -height), (width, -height), (width, height), (-width, height)])
        cos, sin = np.cos(self.angle), np.sin(self.angle)
        return np.asarray(half @ np.array([(cos, sin), (-sin, cos)]) + (self.x, self.y), np.float64)


@dataclass(frozen=True, slots=True)
class TablePlane:
    """`matrix` takes plane points to photo pixels, (3, 3)."""

    matrix: Floats

    def to_photo(self, points: Floats) -> Floats:
        """Plane points (n, 2) to photo pixels (n, 2)."""
        return transform(self.matrix, points)

    def to_plane(self, points: Floats) -> Floats:
        """Photo pixels (n, 2) to plane points (n, 2)."""
        return transform(np.linalg.inv(self.matrix), points)


def transform(matrix: Floats, points: Floats) -> Floats:
    """Apply a homography to points (n, 2)."""
    out = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(out[:, :2] / out[:, 2:], np.float64)


def pose_of(corners: Floats, width: float, height: float) -> Pose:
    """The rigid pose that best carries a card of this size onto its four corners (least squares)."""
    centre = corners.mean(axis=0)
    model = Pose(0.0, 0.0, 0.0).rectangle(width, height)
    spread = corners - centre
    cross = float((model[:, 0] * spread[:, 1] - model[:, 1] * spread[:, 0]).sum())
    angle = np.arctan2(cross, float((model * spread).sum()))
    return Pose(float(centre[0]), float(centre[1]), float(angle))


def fit_plane(quads: Sequence[Floats], aspect: float, picture: tuple[int, int], rounds: int = 25) -> TablePlane:
    """The plane in which every quad (4, 2) of photo pixels is a card `aspect` wide and 1 high.

    Cards' poses and the plane are improved in turn; quads that fit badly in the end are left out and the rest is
    fitted again. `picture` is the photo's (width, height).
    """
    plane = _from_one(quads[0], aspect)
    kept = list(quads)
    for _ in range(2):
        plane = _alternate(plane, kept, aspect, picture, rounds)
        errors = [_misfit(plane, quad, aspect) for quad in kept]
        limit = 3.0 * float(np.median(errors)) + 1.0
        better = [quad for quad, error in zip(kept, errors, strict=True) if error <= limit]
        if len(better) == len(kept):
            break
        kept = better
    return _upright(plane, kept, aspect)


def _from_one(quad: Floats, aspect: float) -> TablePlane:
    rectangle = Pose(0.0, 0.0, 0.0).rectangle(aspect, 1.0)
    return TablePlane(_homography(rectangle, quad))


def _homography(source: Floats, target: Floats) -> Floats:
    found, _ = cv2.findHomography(source, target, 0)
    if found is None:
        raise ValueError("corners that span no plane")
    return np.asarray(found, np.float64)


def _alternate(
    plane: TablePlane, quads: Sequence[Floats], aspect: float, picture: tuple[int, int], rounds: int
) -> TablePlane:
    target = np.concatenate(list(quads))
    for _ in range(rounds):
        poses = [pose_of(plane.to_plane(quad), aspect, 1.0) for quad in quads]
        source = np.concatenate([pose.rectangle(aspect, 1.0) for pose in poses])
        if len(quads) >= ENOUGH_FOR_FREE_FIT:
            plane = TablePlane(_homography(source, target))
        else:
            plane = _camera_plane(source, target, picture) or plane
    return plane


def _camera_plane(source: Floats, target: Floats, picture: tuple[int, int]) -> TablePlane | None:
    """The plane as a phone's camera would see it: six parameters instead of eight."""
    width, height = picture
    focal = PHONE_FOCAL * max(width, height)
    camera = np.array([(focal, 0, width / 2), (0, focal, height / 2), (0, 0, 1.0)])
    flat = np.column_stack([source, np.zeros(len(source))])
    found, turn, shift = cv2.solvePnP(flat, target, camera, None, flags=cv2.SOLVEPNP_IPPE)
    if not found:
        return None
    rotation = cv2.Rodrigues(turn)[0]
    return TablePlane(np.asarray(camera @ np.column_stack([rotation[:, 0], rotation[:, 1], shift.ravel()]), np.float64))


def _misfit(plane: TablePlane, quad: Floats, aspect: float) -> float:
    """Largest distance in photo pixels between a quad and the card that explains it."""
    pose = pose_of(plane.to_plane(quad), aspect, 1.0)
    return float(np.abs(plane.to_photo(pose.rectangle(aspect, 1.0)) - quad).max())


def _upright(plane: TablePlane, quads: Sequence[Floats], aspect: float) -> TablePlane:
    """Turn the plane so that the cards' middle direction stands upright in it."""
    angles = np.array([pose_of(plane.to_plane(quad), aspect, 1.0).angle for quad in quads])
    mean = float(np.angle(np.exp(1j * angles).mean()))
    nearest = angles[np.argsort(np.abs(np.angle(np.exp(1j * (angles - mean)))))]
    cos, sin = np.cos(nearest[0]), np.sin(nearest[0])
    return TablePlane(np.asarray(plane.matrix @ np.array([(cos, -sin, 0), (sin, cos, 0), (0, 0, 1.0)]), np.float64))
