"""Outlines of a card's size on the table's plane: cards lie there, however little glare leaves of their art."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.dash_plane import TablePlane, pose_of
from durian_assist.vision.durian_layers import NEAR
from durian_assist.vision.find_shapes import Shape

Points = NDArray[np.float64]

SIZE = 0.1  # most by which width and height differ from a card's (log): shadows, round corners, a bent card
CORNER = 0.1  # card heights by which a corner may lie off


def card_sized(shapes: Sequence[Shape], scale: float, plane: TablePlane, aspect: float) -> list[Points]:
    """Photo corners (4, 2) of the shapes that are as large as a card, the best of each place.

    The shapes' pixels are those of the photo times `scale`; which of a card's two ends is its upper one is open.
    """
    if not shapes:
        return []
    quads = plane.to_plane(np.concatenate([shape.quad for shape in shapes]).astype(np.float64) / scale)
    quads = quads.reshape(-1, 4, 2)
    fits = []
    for quad in quads[_as_large(quads, aspect)]:
        corners = _landscape(quad)
        off = _misfit(corners, aspect)
        if off is not None:
            fits.append((off, corners))
    best: list[Points] = []
    for _, corners in sorted(fits, key=lambda fit: fit[0]):
        if all(np.hypot(*(corners.mean(axis=0) - other.mean(axis=0))) > NEAR for other in best):
            best.append(corners)
    return [plane.to_photo(corners) for corners in best]


def _as_large(quads: Points, aspect: float) -> NDArray[np.bool_]:
    """(n,) whether the sides of a quad, taken in pairs, are those of a card, one way round or the other."""
    sides = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2)
    sides = np.log(np.maximum(sides[:, :2] + sides[:, 2:], 1e-6) / 2)
    ways = np.array([(np.log(aspect), 0.0), (0.0, np.log(aspect))])
    return np.asarray((np.abs(sides[:, None] - ways).max(axis=2) <= SIZE).any(axis=1), np.bool_)


def _landscape(corners: Points) -> Points:
    """The corners from one from which a long side goes, that side pointing to the right of the plane."""
    across, down = corners[1] - corners[0] + corners[2] - corners[3], corners[3] - corners[0] + corners[2] - corners[1]
    if np.hypot(*across) < np.hypot(*down):
        corners, across = np.roll(corners, -1, axis=0), down
    return corners if across[0] > 0 else np.roll(corners, -2, axis=0)


def _misfit(corners: Points, aspect: float) -> float | None:
    """How far a corner lies from that of a card (card heights), None where it is none."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    width, height = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    if height < 1e-6 or max(abs(np.log(width / aspect)), abs(np.log(height))) > SIZE:
        return None
    off = float(np.abs(pose_of(corners, aspect, 1.0).rectangle(aspect, 1.0) - corners).max())
    return off if off < CORNER else None
