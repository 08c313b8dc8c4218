"""Cards of a grid in progress that something covers for the most part."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from durian_assist.vision.photo import Photo
from durian_assist.vision.recognise import Recogniser
from durian_assist.vision.rectify import Picture
from durian_assist.vision.smuggler_reading import read_smuggler, square_classes
from durian_assist.vision.smuggler_table import TableColours
from durian_assist.vision.smuggler_view import view_grid
from tests.vision.smuggler_scenes import CARD, MIDDLE, PITCH, deck, photographed, table_of

BEGUN = """
.       .        red?v    .        .
.       blue?<   green?^  .        .
.       .        ##       purple?> .
.       .        .        red?^    .
.       .        .        .        .
"""
GREEN = (-1, 0)  # row and column from the middle


def covered(share: float, side: int, colour: tuple[int, int, int] = (70, 95, 120)) -> Photo:
    """A sheet of the table's colour over so much of the green card, from one side (0 the far one, then clockwise)."""
    pixels = photographed(table_of(BEGUN), tilt=0.0).pixels.copy()
    row, column = GREEN
    left, top = MIDDLE[0] + column * PITCH - CARD / 2, MIDDLE[1] + row * PITCH - CARD / 2
    box = np.array([[0, 0], [1, 0], [1, share], [0, share]]) - 0.5
    turn = np.array([[0.0, 1.0], [-1.0, 0.0]])
    for _ in range(side):
        box = box @ turn
    corners = (box + 0.5) * CARD + (left, top)
    sheet = np.zeros(pixels.shape[:2], np.uint8)
    cv2.fillConvexPoly(sheet, corners.round().astype(np.int32), 1)
    grain = np.random.default_rng(side).integers(0, 12, pixels.shape)
    pixels[sheet > 0] = (np.array(colour) + grain)[sheet > 0]
    return Photo("covered.jpg", pixels)


@pytest.mark.parametrize("side", range(4))
@pytest.mark.parametrize("share", [0.5, 0.65])
def test_a_card_of_which_a_part_is_seen_is_asked_about(share: float, side: int) -> None:
    reading = read_smuggler([covered(share, side)], deck())
    place = reading.cells[GREEN]
    said = {one.key for one in reading.uncertain}
    assert said <= {"2,3"}
    assert place.best is not None or said
    assert any(answer is not None and answer.face.luggage == "green" for answer, _ in place.odds)


def test_bare_places_are_not_asked_about() -> None:
    assert read_smuggler([photographed(table_of(BEGUN), tilt=0.0)], deck()).uncertain == ()


def test_the_colours_along_the_sides_of_a_cell_are_told_apart() -> None:
    photo = covered(0.65, 1)
    view = view_grid(Picture(photo.pixels), Recogniser(square_classes(deck())), "photo.jpg")
    shares = TableColours.of(view).along_sides(view, view.quad(view.lattice.at(GREEN)))
    assert shares[1] > 0.9
    assert shares[3] < 0.5
