"""Streaks of light on a card are left out, whatever the card; what is printed on it is not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from durian_assist.vision.deck_profile import CardClass
from durian_assist.vision.glints import SIDE, _prudent, glints, without_glints
from durian_assist.vision.photo import Photo
from durian_assist.vision.recognise import Candidate, Identity, Recogniser
from durian_assist.vision.rectify import Picture, Pixels, canvas_to_photo
from durian_assist.vision.smuggler_reading import read_smuggler, square_classes
from durian_assist.vision.smuggler_seen import SURE
from tests.vision.smuggler_scenes import FULL, deck, photographed, table_of
from tests.vision.test_recognise import QUAD, painted
from tests.vision.test_smuggler_reading import cells, read_cells

STREAKS = (((150, 90), (250, 420), 26), ((300, 60), (340, 430), 16))
CARDS = ["red/empty", "red/durian/6", "orange/durian/5", "yellow/empty", "green/durian/9", "purple/empty"]


def dark(pixels: Pixels) -> Pixels:
    """As a deck in deep colours looks: streaks of light do not show on white."""
    return np.asarray(pixels * 0.45, np.uint8)


def recogniser() -> Recogniser:
    return Recogniser(
        [CardClass(c.name, tuple(map(dark, c.references[:1])), c.outline, "card") for c in square_classes(deck())]
    )


def streaked(pixels: Pixels, strength: float = 0.55) -> tuple[Pixels, Pixels]:
    """The picture under two streaks of light, and where they lie (0 or 255)."""
    where = np.zeros(pixels.shape[:2], np.uint8)
    for start, end, width in STREAKS:
        cv2.line(where, start, end, 255, width)
    soft = cv2.GaussianBlur(where, (0, 0), 3)[..., None] / 255 * strength
    return (pixels * (1 - soft) + 245 * soft).astype(np.uint8), where


@pytest.mark.parametrize("name", CARDS)
def test_streaks_are_glints_and_the_print_is_not(name: str) -> None:
    pixels, where = streaked(dark(painted(name, 0)))
    seen = recogniser().identify(Picture(dark(painted(name, 0))), QUAD)
    found = glints(recogniser(), Picture(pixels), seen)
    to_photo = canvas_to_photo(seen.corners, (SIDE, SIDE))
    laid = cv2.warpPerspective(where, to_photo, (SIDE, SIDE), flags=cv2.INTER_AREA | cv2.WARP_INVERSE_MAP) > 127
    assert found[laid].mean() > 0.6
    assert found[~cv2.dilate(laid.astype(np.uint8), np.ones((7, 7), np.uint8)).astype(bool)].mean() < 0.1


@pytest.mark.parametrize("name", CARDS)
@pytest.mark.parametrize("turns", [0, 3])
def test_a_card_is_known_better_without_its_streaks(name: str, turns: int) -> None:
    picture = Picture(streaked(dark(painted(name, turns)))[0])
    seen = recogniser().identify(picture, QUAD)
    clear = without_glints(recogniser(), picture, seen, 0.9)
    assert clear.best.name == name
    assert np.abs(clear.corners - np.roll(QUAD, -turns, axis=0)).max() < 8
    assert clear.best.score > seen.best.score + 0.05


def identity(first: float, second: float) -> Identity:
    ranked = (Candidate("red/empty", 0, first, 0.98), Candidate("orange/empty", 0, second, 0.02))
    return Identity(ranked, 0.98, 1.0, QUAD, 0.2)


@pytest.mark.parametrize(("first", "second", "sure"), [(0.67, 0.65, False), (0.67, 0.52, True), (0.8, 0.78, True)])
def test_a_lead_that_is_smaller_than_what_the_place_lacks_of_the_usual_is_not_trusted(
    first: float, second: float, sure: bool
) -> None:
    prudent = _prudent(identity(first, second), 0.8)
    assert (prudent.confidence >= SURE) == sure
    assert sum(c.probability for c in prudent.ranked) == pytest.approx(1.0)


def test_a_grid_in_sleeves_under_streaks_is_read() -> None:
    pixels = photographed(table_of(FULL), tilt=8.0).pixels.copy()
    h, w = pixels.shape[:2]
    where = np.zeros((h, w), np.uint8)
    for share in (0.36, 0.44, 0.52, 0.6):
        cv2.line(where, (round(share * w), 0), (round((share + 0.05) * w), h), 255, w // 60)
    soft = cv2.GaussianBlur(where, (0, 0), 2)[..., None] / 255 * 0.6
    photo = Photo("sleeves.jpg", (pixels * (1 - soft) + 245 * soft).astype(np.uint8))
    reading = read_smuggler([photo], deck())
    said, laid = ([cell for row in grid for cell in row] for grid in (read_cells(reading), cells(FULL)))
    assert sum(a != b for a, b in zip(said, laid, strict=True)) <= len(reading.uncertain) <= 4
