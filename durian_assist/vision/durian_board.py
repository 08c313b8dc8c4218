"""The order board where its outline was not found: its picture is looked for on the plane that the cards gave."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.dash_plane import TablePlane
from durian_assist.vision.deck_profile import CardClass
from durian_assist.vision.durian_scan import Box
from durian_assist.vision.durian_seeds import Seed, SeedFinder
from durian_assist.vision.rectify import Picture

Points = NDArray[np.float64]

UNIT = 10  # pixels per card height
# How high a board may be against a card: the deck does not say, so all of these are tried.
HEIGHTS = tuple(0.35 * 1.13**k for k in range(12))
TURNS = tuple(float(a) for a in np.radians((0.0, -5.0, 5.0)))
LOOKED_AT = 8  # best places that are looked at closely
LIKELY = 0.45  # least correlation at the search's size


def board_on(picture: Picture, plane: TablePlane, box: Box, board: CardClass) -> Seed | None:
    """The board somewhere in the box of the plane, upright or upside down, within 8 degrees of it; None if not seen."""
    left, top, right, bottom = box
    size = (int((right - left) * UNIT), int((bottom - top) * UNIT))
    places: list[tuple[float, Points]] = []
    for angle in TURNS:
        to_plane = _view(box, size, angle)
        flat = picture.warp(plane.matrix @ to_plane, size)
        for height in HEIGHTS:
            places += _places(flat, board, height, plane.matrix @ to_plane)
    places.sort(key=lambda p: -p[0])
    finder = SeedFinder([board.references], board.aspect)
    seeds = [finder.aligned(picture, corners) for _, corners in places[:LOOKED_AT]]
    return max(seeds, key=lambda s: s.score, default=None)


def _view(box: Box, size: tuple[int, int], angle: float) -> Points:
    """(3, 3) from pixels of a view of the box, turned by `angle`, to the plane."""
    left, top, right, bottom = box
    cos, sin = np.cos(angle), np.sin(angle)
    view = np.eye(3)
    view[:2, :2] = np.array([[cos, -sin], [sin, cos]]) / UNIT
    view[:2, 2] = np.array([left + right, top + bottom]) / 2 - view[:2, :2] @ [(size[0] - 1) / 2, (size[1] - 1) / 2]
    return view


def _places(flat: NDArray[np.uint8], board: CardClass, height: float, to_photo: Points) -> list[tuple[float, Points]]:
    """The best place for a board of this height, upright and upside down: correlation and photo corners."""
    h = round(height * UNIT)
    w = round(height * UNIT * board.aspect)
    if flat.shape[0] < h or flat.shape[1] < w:
        return []
    small = cv2.resize(board.references[0], (w, h), interpolation=cv2.INTER_AREA)
    found = []
    for half in (small, np.ascontiguousarray(small[::-1, ::-1])):
        scores = np.nan_to_num(cv2.matchTemplate(flat, half, cv2.TM_CCOEFF_NORMED), posinf=0.0, neginf=0.0)
        _, score, _, (x, y) = cv2.minMaxLoc(scores)
        if score < LIKELY:
            continue
        corners = np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], np.float64) - 0.5
        seen = cv2.perspectiveTransform(corners[None], to_photo)[0]
        found.append((float(score), np.asarray(seen if half is small else np.roll(seen, -2, axis=0), np.float64)))
    return found
