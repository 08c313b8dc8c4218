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

from durian_assist.vision.rectify import median

Floats = NDArray[np.float64]

# Phones' main lenses are 24 to 28 mm of full frame: a focal length of about 0.75 of the picture's long side. Cropped
# pictures and other lenses lie around it.
FOCALS = (0.75, 0.6, 0.95)
# Below this number of cards the focal length follows the corners' noise.
ENOUGH_FOR_FOCAL = 4
# Eight free parameters need cards spread by this much (card heights, standard deviation) in every direction: the
# uncovered cards of fans lie in one row, which says nothing of the perspective across it.
SPREAD_FOR_FREE_FIT = 0.8
# By how much the corners of a card that is laid on its print are off, as a share of its height: curled paper, a print
# cut a little askew.
CORNERS = 0.03
# Degrees: most photos of a table are taken nearly from above.
TILT = 20.0
# Corners that a phone's view misses by more than this share of a card's height were taken otherwise.
WORST_CAMERA = 0.08


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
        return transform(np.asarray(np.linalg.inv(self.matrix), np.float64), points)


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


def fit_plane(quads: Sequence[Floats], aspect: float, picture: tuple[int, int], rounds: int = 7) -> TablePlane:
    """The plane in which every quad (4, 2) of photo pixels is a card `aspect` wide and 1 high.

    Cards' poses and the plane are improved in turn; quads that fit badly in the end are left out and the rest is
    fitted again. `picture` is the photo's (width, height).
    """
    kept = list(quads)
    for _ in range(2):
        plane = _fit(kept, aspect, picture, rounds)
        errors = [_misfit(plane, quad, aspect) for quad in kept]
        limit = 3.0 * float(median(errors)) + 1.0
        better = [quad for quad, error in zip(kept, errors, strict=True) if error <= limit]
        if len(better) == len(kept):
            break
        kept = better
    return _upright(plane, kept, aspect)


def likely_planes(quads: Sequence[Floats], aspect: float, picture: tuple[int, int]) -> list[TablePlane]:
    """The plane of `fit_plane`; of a few cards, whose corners are off by some of what tells the tilt, also the one seen
    from straight above, of which photos are taken more often than from a steep side. The likelier one first.
    """
    plane = fit_plane(quads, aspect, picture)
    if len(quads) >= ENOUGH_FOR_FOCAL:
        return [plane]
    size = float(median([np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).mean() for quad in quads]))
    size /= (1 + aspect) / 2
    level = _upright(TablePlane(np.diag([size, size, 1.0])), quads, aspect)

    def unlikely(one: TablePlane) -> float:
        off = _error(one, quads, aspect) / (CORNERS * size)
        return float(len(quads) * off**2 + (_tilt(one, picture) / TILT) ** 2)

    return sorted([plane, level], key=unlikely)


def _tilt(plane: TablePlane, picture: tuple[int, int]) -> float:
    """The angle in degrees between the table's and the picture's plane, for the usual lens."""
    width, height = picture
    focal = FOCALS[0] * max(width, height)
    seen = np.diag([1.0, 1.0, focal]) @ np.array([(1, 0, -width / 2), (0, 1, -height / 2), (0, 0, 1.0)]) @ plane.matrix
    normal = np.cross(seen[:, 0], seen[:, 1])
    return float(np.degrees(np.arccos(min(1.0, abs(normal[2]) / float(np.linalg.norm(normal))))))


def _from_one(quad: Floats, aspect: float) -> TablePlane:
    rectangle = Pose(0.0, 0.0, 0.0).rectangle(aspect, 1.0)
    return TablePlane(_homography(rectangle, quad))


def _homography(source: Floats, target: Floats) -> Floats:
    found, _ = cv2.findHomography(source, target, 0)
    if found is None:
        raise ValueError("corners that span no plane")
    return np.asarray(found, np.float64)


def _laid(plane: TablePlane, quads: Sequence[Floats], aspect: float) -> Floats:
    """Plane points (4n, 2) of the rigid cards that come nearest to the quads; `pose_of` for all at once."""
    corners = plane.to_plane(np.concatenate(list(quads))).reshape(-1, 4, 2)
    centres = corners.mean(axis=1, keepdims=True)
    model, spread = Pose(0.0, 0.0, 0.0).rectangle(aspect, 1.0), corners - centres
    cross = (model[:, 0] * spread[..., 1] - model[:, 1] * spread[..., 0]).sum(axis=1)
    angle = np.arctan2(cross, (model * spread).sum(axis=(1, 2)))
    cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]
    turned = np.stack([cos * model[:, 0] - sin * model[:, 1], sin * model[:, 0] + cos * model[:, 1]], axis=-1)
    return np.asarray((turned + centres).reshape(-1, 2), np.float64)


def _fit(quads: Sequence[Floats], aspect: float, picture: tuple[int, int], rounds: int) -> TablePlane:
    focals = FOCALS if len(quads) >= ENOUGH_FOR_FOCAL else FOCALS[:1]
    views = [view for focal in focals for view in _camera_fits(quads, aspect, picture, focal, rounds)]
    best = min(views, key=lambda plane: _error(plane, quads, aspect), default=None)
    size = float(np.linalg.norm(quads[0][3] - quads[0][0]))
    if best is None or _error(best, quads, aspect) > WORST_CAMERA * size:
        best = _from_one(quads[0], aspect)
    centres = best.to_plane(np.array([quad.mean(axis=0) for quad in quads]))
    spread = np.linalg.svd(centres - centres.mean(axis=0), compute_uv=False)[-1] / len(quads) ** 0.5
    if len(quads) >= ENOUGH_FOR_FOCAL and spread > SPREAD_FOR_FREE_FIT:
        return _free_fit(best, quads, aspect, rounds)
    return best


def _error(plane: TablePlane, quads: Sequence[Floats], aspect: float) -> float:
    """Mean distance in photo pixels between corners and the cards that explain them."""
    seen = plane.to_photo(_laid(plane, quads, aspect))
    return float(np.linalg.norm(seen - np.concatenate(list(quads)), axis=1).mean())


def _free_fit(plane: TablePlane, quads: Sequence[Floats], aspect: float, rounds: int) -> TablePlane:
    target = np.concatenate(list(quads))
    for _ in range(rounds):
        plane = TablePlane(_homography(_laid(plane, quads, aspect), target))
    return plane


def _camera_fits(
    quads: Sequence[Floats], aspect: float, picture: tuple[int, int], share: float, rounds: int
) -> list[TablePlane]:
    """The plane as a camera with a focal length of `share` of the picture's long side sees it.

    A single card seen nearly from above allows two tilts: both are followed.
    """
    width, height = picture
    focal = share * max(width, height)
    camera = np.array([(focal, 0, width / 2), (0, focal, height / 2), (0, 0, 1.0)])
    target = np.concatenate(list(quads))
    first = np.column_stack([Pose(0.0, 0.0, 0.0).rectangle(aspect, 1.0), np.zeros(4)])
    _, turns, shifts, _ = cv2.solvePnPGeneric(first, quads[0], camera, None, flags=cv2.SOLVEPNP_IPPE)
    planes = []
    for view in zip(turns, shifts, strict=True):
        turn, shift = (np.asarray(part, np.float64) for part in view)
        for _ in range(rounds):
            source = _laid(_seen_by(camera, turn, shift), quads, aspect)
            flat = np.column_stack([source, np.zeros(len(source))])
            refined = cv2.solvePnPRefineLM(flat, target, camera, None, turn, shift)
            turn, shift = (np.asarray(part, np.float64) for part in refined)
        planes.append(_seen_by(camera, turn, shift))
    return planes


def _seen_by(camera: Floats, turn: Floats, shift: Floats) -> TablePlane:
    rotation = cv2.Rodrigues(turn)[0]
    matrix = camera @ np.column_stack([rotation[:, 0], rotation[:, 1], shift.ravel()])
    return TablePlane(np.asarray(matrix, np.float64))


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
