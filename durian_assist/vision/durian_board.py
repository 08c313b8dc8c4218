"""The order board where its outline was not found: its picture is looked for on the plane that the cards gave."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.dash_plane import TablePlane
from durian_assist.vision.deck_profile import CardClass
from durian_assist.vision.durian_contrast import contrast
from durian_assist.vision.durian_fit import ALIGN_HEIGHT, STAGES, Aligner, Spot
from durian_assist.vision.durian_scan import Box
from durian_assist.vision.durian_seeds import Seed, SeedFinder
from durian_assist.vision.rectify import Picture
from durian_assist.vision.token_align import lightness

Points = NDArray[np.float64]

# Height of the board in pixels where it is looked for, whatever it is on the table: the smaller a picture, the more
# places look like it by chance, so places of boards of several heights can only be held against each other so.
ROWS = 8
# How high a board may be against a card: the deck does not say, so all of these are tried. A board that is a tenth
# off still looks alike.
HEIGHTS = tuple(0.35 * 1.2**k for k in range(9))
TURNS = tuple(float(a) for a in np.radians((0.0, -5.0, 5.0)))
LOOKED_AT = 5  # best places that are looked at closely
LIKELY = 0.45  # least correlation at the search's size
SAME = 0.5  # card heights between the centres of what is one place
ALIKE_SIZE = 0.25  # and of their sizes (log): from one so far off the board still moves onto its place
ENOUGH = 0.9  # a board that fits so well need not be looked for elsewhere


@dataclass(frozen=True, slots=True)
class Place:
    """Where the board may lie: correlation, centre and turn on the plane, its height (card heights)."""

    score: float
    x: float
    y: float
    angle: float
    height: float

    def like(self, other: Place) -> bool:
        """Whether both are one place, one size and one way up."""
        near = (
            np.hypot(self.x - other.x, self.y - other.y) < SAME and abs(np.log(self.height / other.height)) < ALIKE_SIZE
        )
        return bool(near and np.cos(self.angle - other.angle) > 0)

    def corners(self, plane: TablePlane, aspect: float) -> Points:
        """(4, 2) photo corners."""
        return plane.to_photo(Spot(self.x, self.y, self.angle, self.height).corners(aspect))


def board_on(picture: Picture, plane: TablePlane, box: Box, board: CardClass) -> Seed | None:
    """The board somewhere in the box of the plane, upright or upside down, within 8 degrees of it; None if not seen."""
    finder, fitter = SeedFinder([board.references], board.aspect), _Fitter(board)
    places: list[Place] = []
    looked_at: list[Place] = []
    best: Seed | None = None
    # Most boards lie as straight as the cards: the others' turns are looked through where none is found so.
    for turns in (TURNS[:1], TURNS[1:]):
        places += [place for h in HEIGHTS for a in turns for place in _places(picture, plane, box, board, h, a)]
        for place in [p for p in _apart(places)[:LOOKED_AT] if p not in looked_at]:
            looked_at.append(place)
            for corners in (fitter.fitted(picture, plane, place), place.corners(plane, board.aspect)):
                seed = finder.aligned(picture, corners)
                best = seed if best is None or seed.score > best.score else best
                if best.score > ENOUGH:
                    return best
    return best


def _view(box: Box, unit: float, angle: float) -> tuple[Points, tuple[int, int]]:
    """(3, 3) from pixels of a view of the box, turned by `angle`, to the plane, and the view's size.

    `unit`: pixels a card height.
    """
    left, top, right, bottom = box
    width, height = int((right - left) * unit), int((bottom - top) * unit)
    cos, sin = np.cos(angle), np.sin(angle)
    view = np.eye(3)
    view[:2, :2] = np.array([[cos, -sin], [sin, cos]]) / unit
    view[:2, 2] = np.array([left + right, top + bottom]) / 2 - view[:2, :2] @ [(width - 1) / 2, (height - 1) / 2]
    return view, (width, height)


def _places(
    picture: Picture, plane: TablePlane, box: Box, board: CardClass, height: float, angle: float
) -> list[Place]:
    """The best places in a view of the box for a board of this height, upright and upside down.

    By local contrast: the edge of a shadow or of a window's reflection on it is stronger than its print.
    """
    unit, size = ROWS / height, (round(ROWS * board.aspect), ROWS)
    to_plane, (across, down) = _view(box, unit, angle)
    if down < size[1] or across < size[0]:
        return []
    flat = contrast(picture.warp(plane.matrix @ to_plane, (across, down)), height=unit)
    small = np.asarray(cv2.resize(board.references[0], size, interpolation=cv2.INTER_AREA), np.uint8)
    upright = contrast(small, height=unit)
    found = []
    for half, turn in ((upright, 0.0), (np.ascontiguousarray(upright[::-1, ::-1]), np.pi)):
        scores = np.nan_to_num(cv2.matchTemplate(flat, half, cv2.TM_CCOEFF_NORMED), posinf=0.0, neginf=0.0)
        _, score, _, (x, y) = cv2.minMaxLoc(scores)
        if score > LIKELY:
            at = to_plane @ np.array([x + (size[0] - 1) / 2, y + (size[1] - 1) / 2, 1.0])
            found.append(Place(float(score), float(at[0]), float(at[1]), angle + turn, height))
    return found


def _apart(places: list[Place]) -> list[Place]:
    """The best places, best first, no two alike."""
    kept: list[Place] = []
    for place in sorted(places, key=lambda p: -p.score):
        if not any(place.like(other) for other in kept):
            kept.append(place)
    return kept


class _Fitter:
    """Moves a place to where the board fits best on the plane: shift, turn and size."""

    def __init__(self, board: CardClass) -> None:
        size = (round(ALIGN_HEIGHT * board.aspect), ALIGN_HEIGHT)
        small = np.asarray(cv2.resize(board.references[0], size, interpolation=cv2.INTER_AREA), np.uint8)
        self.aspect, self.mask = board.aspect, np.ones(size[::-1], np.bool_)
        self.aligners = [Aligner.of(lightness(small), *stage) for stage in STAGES]

    def fitted(self, picture: Picture, plane: TablePlane, place: Place) -> Points:
        """(4, 2) photo corners of the board there."""
        unit = TablePlane(np.asarray(plane.matrix @ np.diag([place.height, place.height, 1.0]), np.float64))
        spot = Spot(place.x / place.height, place.y / place.height, place.angle)
        for aligner in self.aligners:
            spot, _ = aligner.fit(picture, unit, spot, self.mask)
        return unit.to_photo(spot.corners(self.aspect))
