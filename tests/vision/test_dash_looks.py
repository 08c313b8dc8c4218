"""On which plane a Dash table is read: what is tried first, and what if no card has the size that it gives."""

from __future__ import annotations

import pytest

from durian_assist.vision import dash_looks
from durian_assist.vision.dash_looks import read_table
from durian_assist.vision.dash_plane import Floats
from durian_assist.vision.dash_seen import dash_deck
from durian_assist.vision.dash_table import TableReader
from durian_assist.vision.deck_profile import DeckProfile, Pixels, load_profile
from durian_assist.vision.rectify import Picture
from tests.vision.dash_scenes import column, paint, varieties


@pytest.fixture(scope="module")
def deck() -> DeckProfile:
    return load_profile("harbour-dash", "dash")


def test_photo_without_a_card_of_the_known_size_is_read(deck: DeckProfile, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where what fixes the plane is no card on it, there is nothing that others could lie beside: no card is found,
    and nothing fails."""
    scene = paint(deck, [(varieties(deck)[0], 0.0, 0.0, 0.0)])
    monkeypatch.setattr(TableReader, "_card_sized", lambda self, corners: False)
    assert not read_table(scene.pixels, dash_deck(deck)).others


def test_plane_of_a_preference_card_is_tried_before_slower_looks(
    deck: DeckProfile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it alone has an outline, the fan beside it is read on its plane."""
    preference = next(kind.name for kind in deck.classes if kind.name.startswith("pref/"))
    names = varieties(deck)[:4]
    scene = paint(deck, [*column(names, 0.5), (preference, 0.95, 0.4, 1.0)])
    looks: list[bool] = []

    def outlines(pixels: Pixels, *, thorough: bool = False) -> list[Floats]:
        looks.append(thorough)
        return [scene.cards[-1][1]]

    def search_quads(picture: Picture, shapes: tuple[Pixels, ...]) -> list[Floats]:
        raise AssertionError("cards were looked for in the whole photo")

    monkeypatch.setattr(dash_looks, "outlines", outlines)
    monkeypatch.setattr(dash_looks, "search_quads", search_quads)
    table = read_table(scene.pixels, dash_deck(deck))
    assert sorted(card.name for card in table.cards) == sorted(names)
    assert looks == [False]
