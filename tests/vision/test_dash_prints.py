"""Cards on which a veil of light lies: their colours tell nothing, their fine print does."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from durian_assist.vision.dash_halves import LIKE_A_CARD
from durian_assist.vision.dash_library import Library
from durian_assist.vision.dash_parts import PartSearch
from durian_assist.vision.dash_plane import Pose
from durian_assist.vision.dash_prints import lay_printed
from durian_assist.vision.dash_seen import COARSE, FINE, DashDeck, dash_deck
from durian_assist.vision.dash_sheet import Sheet
from durian_assist.vision.dash_slide import Slider
from durian_assist.vision.dash_whole import FAINT, prints_near, whole_cards
from durian_assist.vision.deck_profile import load_profile
from durian_assist.vision.layers import Explanation

TABLE, DARK = 90, 0.2
KNOWN, VEILED = (0.9, 1.2), (1.7, 1.2)


@pytest.fixture(scope="module")
def parts() -> DashDeck:
    """A deck of dark cards: light that a lamp throws on them is stronger than their print."""
    deck = dash_deck(load_profile("harbour-dash", "dash"))
    dark = Library(deck.fine.names, deck.fine.pictures * np.float32(DARK))
    return replace(deck, fine=dark, coarse=dark.at(COARSE))


def veil(shape: tuple[int, int]) -> NDArray[np.float32]:
    """A lamp's light, which falls off within a card: (h, w, 1) of 0 to 1."""
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]] / np.float32(FINE)
    return np.asarray(np.exp(-((x - 2.2) ** 2 + (y - 1.2) ** 2) / 0.15)[..., None], np.float32)


def explained(parts: DashDeck, at: tuple[float, float], strength: float, *, card: bool = True) -> Explanation:
    """A table with one card that is known and, with `card`, one at `at`, on which a lamp's light lies (grey levels)."""
    pixels = np.full((int(2.4 * FINE), int(4.2 * FINE), 3), TABLE, np.float32)
    width, height = parts.fine.size
    for number, (x, y) in enumerate((KNOWN, at)[: 1 + card]):
        left, top = round(x * FINE - width / 2), round(y * FINE - height / 2)
        pixels[top : top + height, left : left + width] = parts.fine.pictures[number] * 255
    lit = pixels + strength * veil(pixels.shape[:2])
    sheet = Sheet(np.asarray(np.clip(lit, 0, 255), np.uint8), FINE, (0.0, 0.0))
    search = PartSearch(sheet.at(COARSE), parts.coarse.shapes), PartSearch(sheet, parts.fine.shapes)
    layers = Explanation(*search, parts.fine)
    layers.lay(layers.look(Pose(*KNOWN, 0.0)), LIKE_A_CARD)
    return layers


def laid(parts: DashDeck, layers: Explanation) -> list[tuple[float, float]]:
    near = prints_near(layers.coarse.sheet, [card.pose for card in layers.laid])
    return [pose.centre for pose in lay_printed(layers, whole_cards(near, parts.coarse.prints, [0], FAINT))]


def test_card_under_a_veil_beside_a_known_one_is_laid_by_its_print(parts: DashDeck) -> None:
    layers = explained(parts, VEILED, 170)
    assert layers.look(Pose(*VEILED, 0.0)).score < LIKE_A_CARD
    assert laid(parts, layers) == [pytest.approx(VEILED, abs=0.03)]
    assert len(layers.laid) == 2


def test_bare_table_under_a_veil_is_no_card(parts: DashDeck) -> None:
    assert laid(parts, explained(parts, VEILED, 170, card=False)) == []


def test_what_is_in_no_row_or_column_of_known_cards_is_not_laid(parts: DashDeck) -> None:
    assert laid(parts, explained(parts, (3.1, 1.2), 30)) == []


@pytest.mark.parametrize(("count", "height"), [(1, 40), (1, 14), (4, 14)], ids=["large", "small", "many small"])
def test_pictures_slid_over_a_window_correlate_as_one_by_one(count: int, height: int) -> None:
    rng = np.random.default_rng(3)
    window = rng.integers(0, 256, (70, 60, 3), np.uint8)
    shapes = [*rng.integers(0, 256, (count, height, 34, 3), np.uint8), window[9 : 9 + height, 5:39]]
    expected = [cv2.matchTemplate(window, shape, cv2.TM_CCOEFF_NORMED) for shape in shapes]
    slider = Slider(shapes)
    assert np.abs(np.array(slider.each(window)) - expected).max() < 1e-4
    assert np.abs(slider.best(window) - np.max(expected, axis=0)).max() < 1e-4
    assert divmod(int(slider.best(window).argmax()), expected[0].shape[1]) == (9, 5)


def test_a_window_of_one_colour_correlates_with_nothing() -> None:
    shape = np.random.default_rng(4).integers(0, 256, (20, 15), np.uint8)
    assert np.abs(Slider([shape]).best(np.full((40, 40), 77, np.uint8))).max() < 0.05
