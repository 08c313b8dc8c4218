"""The first cards of a photo of Durian, by their outlines."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from durian_assist.vision.durian_faces import durian_deck
from durian_assist.vision.durian_outlines import agreeing
from durian_assist.vision.durian_seeds import Seed, card_finder
from durian_assist.vision.find_shapes import Shape
from durian_assist.vision.rectify import Picture
from tests.vision.durian_scene import drawn_deck

DECK = durian_deck(drawn_deck())


@pytest.mark.parametrize(("width", "height"), [(252, 180), (252, 110)], ids=["from above", "flat"])
def test_a_card_is_known_from_a_steep_view(width: int, height: int) -> None:
    face = next(f for f in DECK.faces if f.kind == "fruit")
    pixels = np.full((400, 500, 3), (70, 95, 120), np.uint8)
    pixels[100 : 100 + height, 120 : 120 + width] = cv2.resize(face.references[0], (width, height))
    quad = np.array([(120, 100), (120 + width, 100), (120 + width, 100 + height), (120, 100 + height)], np.float32)
    seeds = card_finder(DECK).seeds(Picture(pixels), [Shape(quad, quad, 1.0)], 1.0, [])
    assert [seed.score > 0.9 for seed in seeds] == [True]
    assert seeds[0].corners == pytest.approx(quad, abs=12)


def test_rings_and_flowers_of_a_cloth_are_not_compared_with_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    finder, compared = card_finder(DECK), 0

    def compare(*_: object) -> tuple[float, int, bool]:
        nonlocal compared
        compared += 1
        return 0.0, 0, False

    monkeypatch.setattr(finder, "_compare", compare)
    quad = np.array([(120, 100), (372, 100), (372, 280), (120, 280)], np.float32)
    finder.seeds(
        Picture(np.zeros((400, 500, 3), np.uint8)), [Shape(quad, quad, fill) for fill in (0.79, 0.95)], 1.0, []
    )
    assert compared == 1


def test_a_table_seen_aslant_shows_its_cards_in_different_sizes() -> None:
    def seed(x: float, side: float, score: float) -> Seed:
        return Seed(np.array([(x, 0), (x + 1.4 * side, 0), (x + 1.4 * side, side), (x, side)], np.float64), score)

    far, near, board = seed(0, 100, 0.97), seed(300, 130, 0.95), seed(600, 300, 0.96)
    part = seed(900, 120, 0.8)
    assert agreeing([far, near, board, part]) == [far, near]
    assert agreeing([]) == []


def test_what_is_twice_as_long_on_one_side_as_on_the_other_is_no_card_however_much_it_looks_like_one() -> None:
    corners = np.array([(0, 0), (231, 13), (230, 84), (100, 120)], np.float64)
    card = np.array([(0, 0), (231, 13), (230, 144), (-10, 160)], np.float64)
    assert [seed.score for seed in agreeing([Seed(corners, 0.97), Seed(card, 0.95)])] == [0.95]
