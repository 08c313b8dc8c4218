"""Dash read from photos that were taken in little light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from durian_assist.vision.dark_photo import Pixels, lightened
from durian_assist.vision.dash_reading import read_dash
from durian_assist.vision.deck_profile import DeckProfile, load_profile
from durian_assist.vision.photo import Photo
from tests.vision.dash_scenes import paint, printed_dark, varieties


@pytest.fixture(scope="module")
def deck() -> DeckProfile:
    return load_profile("harbour-dash", "dash")


def darkened(pixels: Pixels, share: float, seed: int = 5) -> Pixels:
    """The photo with a share of its light, and the grain that a camera adds then."""
    grain = np.random.default_rng(seed).normal(0, 5, pixels.shape)
    return np.clip(pixels * share + grain, 0, 255).astype(np.uint8)


def test_a_photo_with_a_light_part_is_left_as_it_is() -> None:
    photo = np.full((600, 800, 3), 20, np.uint8)
    photo[100:200, 100:200] = 200
    assert lightened(photo) is photo


def test_the_brightest_part_of_a_dark_photo_becomes_white_without_its_grain() -> None:
    photo = np.full((1500, 2000, 3), 100, np.uint8)
    photo[300:600, 300:600] = 250
    light = lightened(darkened(photo, 0.2))
    assert light[320:580, 320:580].mean() == pytest.approx(250, abs=6)
    assert light[900:, 900:].mean() == pytest.approx(104, abs=6)
    assert light[900:, 900:].std() < 12  # of 25 that the grain would have


@pytest.mark.parametrize("radius", [90, 110, 150])
def test_glare_in_a_dark_photo_still_hides_a_card(radius: int, deck: DeckProfile) -> None:
    """Its white is a dark grey there: as that it was taken for bare table, and the card vanished without a word."""
    names = varieties(deck)[:5]
    scene = paint(deck, [(name, -2.0 + n, 0.0, 0.0) for n, name in enumerate(names)])
    middle = scene.cards[2][1].mean(axis=0)
    spot = np.zeros(scene.pixels.shape[:2], np.float32)
    cv2.circle(spot, (round(middle[0]), round(middle[1])), radius, 1.0, -1)
    light = np.clip(scene.pixels + 420 * cv2.GaussianBlur(spot, (0, 0), 25)[..., None], 0, 255).astype(np.uint8)
    reading = read_dash([Photo("dark", darkened(light, 0.2))], deck)
    assert [card.name for card in reading.cards if not card.candidates] == [*names[:2], *names[3:]]
    asked = [np.mean(one.corners, axis=0) for one in reading.uncertain if one.corners]
    assert any(np.hypot(*(place - middle)) < 70 for place in asked)


def test_a_dark_deck_in_a_dark_photo_is_read(deck: DeckProfile) -> None:
    """Its print has less contrast there than grain may have in a photo taken well."""
    dark = printed_dark(deck)
    names = varieties(dark)
    scene = paint(dark, [(name, -2.5 + n, 0.0, n - 2.0) for n, name in enumerate(names)], table=(120, 150, 170))
    reading = read_dash([Photo("dark", darkened(scene.pixels, 0.22))], dark)
    assert [card.name for card in reading.cards] == names
    assert reading.uncertain == ()
