"""Cards of which only a part has an outline: a band as light as the table parts it from the rest of the print."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from durian_assist.vision import dash_looks
from durian_assist.vision.dash_frames import inner_frames, wholes
from durian_assist.vision.dash_looks import read_table
from durian_assist.vision.dash_plane import Floats
from durian_assist.vision.dash_seen import dash_deck
from durian_assist.vision.deck_profile import CardClass, DeckProfile, Pixels, load_profile
from durian_assist.vision.rectify import Picture
from tests.vision.dash_scenes import paint, varieties

BAND = 0.16  # of a card's height


def banded(card: CardClass) -> CardClass:
    """A class in dark print with a light band from edge to edge along the top."""

    def printed(picture: Pixels) -> Pixels:
        dark = np.asarray(picture // 3, np.uint8)
        rows = round(BAND * len(dark))
        dark[:rows] = 255 - picture[:rows] // 8
        return dark

    return replace(card, references=tuple(printed(picture) for picture in card.references))


@pytest.fixture(scope="module")
def plain() -> DeckProfile:
    return load_profile("harbour-dash", "dash")


@pytest.fixture(scope="module")
def deck(plain: DeckProfile) -> DeckProfile:
    return replace(plain, classes=tuple(banded(card) for card in plain.classes))


def test_what_parts_the_print_of_a_deck_is_known_from_its_references(plain: DeckProfile, deck: DeckProfile) -> None:
    assert not inner_frames(dash_deck(plain).fine)
    frames = inner_frames(dash_deck(deck).fine)
    below = np.array([(0, BAND), (1, BAND), (1, 1), (0, 1)])
    assert min(np.abs(frame - below).max() for frame in frames) < 0.02


def test_a_card_lies_where_a_part_of_it_tells_whichever_way_it_is_turned() -> None:
    frame = np.array([(0, 0.2), (1, 0.2), (1, 1), (0, 1.0)])
    card = np.array([(50.0, 40.0), (120.0, 40.0), (120.0, 140.0), (50.0, 140.0)])
    part = np.array([(50.0, 60.0), (120.0, 60.0), (120.0, 140.0), (50.0, 140.0)])
    found = wholes([np.roll(part, 1, axis=0)], [frame], 0.7)
    assert min(np.abs(one - card).max() for one in found) < 1e-3
    upside_down = np.array([(120.0, 160.0), (50.0, 160.0), (50.0, 60.0), (120.0, 60.0)])
    assert min(np.abs(one - upside_down).max() for one in found) < 1e-3


def test_cards_of_which_only_a_part_has_an_outline_are_read_without_a_search_of_the_photo(
    deck: DeckProfile, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = varieties(deck)[:4]
    cards = [(name, 0.8 * (k % 4) - 1.2, 0.0, 0.5 * k) for k, name in enumerate(names)]
    scene = paint(deck, cards, table=(225, 225, 225))
    below = np.array([(0, BAND), (1, BAND), (1, 1), (0, 1)], np.float32)
    box = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)

    def outlines(pixels: Pixels, *, thorough: bool = False) -> list[Floats]:
        maps = [cv2.getPerspectiveTransform(box, corners.astype(np.float32)) for _, corners in scene.cards]
        return [np.asarray(cv2.perspectiveTransform(below[None], one)[0], np.float64) for one in maps]

    def search_quads(picture: Picture, shapes: tuple[Pixels, ...]) -> list[Floats]:
        raise AssertionError("cards were looked for in the whole photo")

    monkeypatch.setattr(dash_looks, "outlines", outlines)
    monkeypatch.setattr(dash_looks, "search_quads", search_quads)
    table = read_table(scene.pixels, dash_deck(deck))
    assert sorted(card.name for card in table.cards) == sorted(names)
    assert not table.doubts
