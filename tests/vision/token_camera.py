"""A camera over a table of tokens: how a place of the table is seen in its photo."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.rectify import project
from durian_assist.vision.token_plane import VIEW

Points = NDArray[np.float64]

SIZE = (4000, 3000)


def camera(pitch: float, roll: float = 0.0) -> Points:
    """(3, 3) from a table, in token widths about the photo's middle, to a photo taken from 20 widths away."""
    tilt, turn = np.radians([pitch, roll])
    about_x = np.array([(1, 0, 0), (0, np.cos(tilt), -np.sin(tilt)), (0, np.sin(tilt), np.cos(tilt))])
    about_z = np.array([(np.cos(turn), -np.sin(turn), 0), (np.sin(turn), np.cos(turn), 0), (0, 0, 1)])
    moved = about_z @ about_x
    focal = SIZE[0] / 2 / VIEW
    lens = np.array([(focal, 0, SIZE[0] / 2), (0, focal, SIZE[1] / 2), (0, 0, 1.0)])
    return np.asarray(lens @ np.column_stack([moved[:, 0], moved[:, 1], (0, 0, 20.0)]), np.float64)


def slope(to_photo: Points, centre: Points) -> Points:
    """(2, 2) of the map at a place of the table, turned as a token lies there."""
    step = 1e-4
    steps = project(to_photo, centre + step * np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]))
    angle = 2.0 * centre.sum()
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    return np.asarray((steps[1:] - steps[0]).T / step @ turn, np.float64)
