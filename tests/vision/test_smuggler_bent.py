"""Hand cards that a wide lens bends off the table's plane: the grid is as it was, the hands are no longer its size."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from durian_assist.vision.photo import Photo
from durian_assist.vision.smuggler_reading import read_smuggler
from tests.vision.smuggler_scenes import FULL, MIDDLE, deck, photographed, table_of

HANDS = {"v": ("red-", 20.0, 4.0), "^": ("purple8", 0.0, -3.0)}


# From the middle of the table to the photo's edge (pixels): just beyond the hands.
HALF = 500


def through_a_wide_lens(photo: Photo, bend: float) -> Photo:
    """The table's middle, what lies at the edge of the photo drawn in by about `bend` of its distance from there."""
    x, y = MIDDLE
    pixels = photo.pixels[y - HALF : y + HALF, x - HALF : x + HALF]
    camera = np.array([[HALF, 0, HALF], [0, HALF, HALF], [0, 0, 1]], np.float64)
    bent = cv2.undistort(pixels, camera, np.array([bend, 0.0, 0.0, 0.0]))
    return Photo(photo.name, np.asarray(bent, np.uint8))


@pytest.mark.parametrize("bend", [0.0, 0.03, 0.06])
def test_hands_that_a_wide_lens_bends_are_read(bend: float) -> None:
    photo = through_a_wide_lens(photographed(table_of(FULL, HANDS), tilt=0.0), bend)
    reading = read_smuggler([photo], deck())
    assert reading.to_json()["hands"] == {"south": ["red-"], "north": ["purple8"]}
    assert reading.uncertain == ()
