"""Outlines that could be cards."""

from __future__ import annotations

import cv2
import numpy as np

from durian_assist.vision.outlines import outlines
from durian_assist.vision.rectify import Picture, Pixels

# A red and a green of one lightness (Rec. 601): no step of grey parts them.
RED, GREEN = (30, 30, 190), (40, 110, 18)
CREAM = (200, 230, 240)
CARD = 120


def _full_bleed() -> tuple[Pixels, list[tuple[int, int]]]:
    """Red cards printed to their edges on a green cloth, a light ring on each, and their top left corners (x, y)."""
    pixels = np.empty((900, 1200, 3), np.uint8)
    pixels[:] = GREEN
    noise = np.random.default_rng(5).integers(-6, 7, pixels.shape)
    places = [(200, 150), (700, 200), (450, 600)]
    for x, y in places:
        pixels[y : y + CARD, x : x + CARD] = RED
        cv2.circle(pixels, (x + CARD // 2, y + CARD // 2), CARD // 4, CREAM, 6)
    return np.asarray(np.clip(pixels + noise, 0, 255), np.uint8), places


def _found(pixels: Pixels, places: list[tuple[int, int]], *, hues: bool) -> int:
    """How many of some cards have an outline to within a twentieth of a card."""
    quads = [one.quad for one in outlines(Picture(pixels), 600, hues=hues)]
    wanted = [np.array([[x, y], [x + CARD, y], [x + CARD, y + CARD], [x, y + CARD]]) - 0.5 for x, y in places]
    return sum(any(np.abs(quad - card).max() < CARD / 20 for quad in quads) for card in wanted)


def test_cards_as_light_as_the_cloth_are_found_by_their_hue() -> None:
    pixels, places = _full_bleed()
    # Masks of lightness and of saturation find none of them: that is what the hues are for.
    assert _found(pixels, places, hues=False) == 0
    assert _found(pixels, places, hues=True) == len(places)
