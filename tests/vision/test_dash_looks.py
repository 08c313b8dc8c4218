"""On which plane a Dash table is read: what is tried first, and what if no card has the size that it gives."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from durian_assist.errors import InputError
from durian_assist.vision import dash_looks, dash_reading
from durian_assist.vision.dash_looks import read_table
from durian_assist.vision.dash_plane import Floats
from durian_assist.vision.dash_reading import read_dash
from durian_assist.vision.dash_seeds import outlines
from durian_assist.vision.dash_seen import SeenCard, SeenTable, dash_deck
from durian_assist.vision.dash_table import TableReader
from durian_assist.vision.deck_profile import DeckProfile, Pixels, load_profile
from durian_assist.vision.photo import Photo
from durian_assist.vision.rectify import Picture
from tests.vision.dash_scenes import CARD, Scene, column, paint, varieties


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


def seen(sure: int, doubts: int, support: int, *, alone: bool = False) -> SeenTable:
    cards = [
        SeenCard("sultan", 0.9, np.zeros((4, 2)), (0.0, 0.0), ("sultan",) * (n < doubts)) for n in range(sure + doubts)
    ]
    return SeenTable(tuple(cards), support=support, alone=alone)


@pytest.mark.parametrize(
    ("table", "sound", "thin"),
    [
        (seen(1, 0, 4), True, False),
        (seen(6, 3, 4), True, False),
        (seen(6, 4, 4), False, False),
        (seen(4, 0, 1), True, False),
        (seen(3, 0, 3), False, True),
        (seen(8, 3, 3), False, True),
        (replace(seen(8, 0, 5), mended=True), True, True),
        (seen(3, 0, 3, alone=True), True, False),
        (seen(1, 1, 1, alone=True), False, False),
        (seen(0, 0, 1), False, False),
    ],
)
def test_the_plane_of_few_cards_is_trusted_only_if_many_are_met_on_it_or_there_is_nothing_else(
    table: SeenTable, sound: bool, thin: bool
) -> None:
    assert (table.sound, table.thin) == (sound, thin)


@pytest.mark.parametrize(
    ("table", "senseless"),
    [
        (seen(3, 5, 3), True),
        (seen(4, 4, 3), False),
        (seen(3, 4, 3), False),
        (seen(20, 40, 1), True),
        (seen(3, 11, 4), False),
    ],
)
def test_dozens_of_doubts_are_a_photo_that_cannot_be_made_out(
    table: SeenTable, senseless: bool, deck: DeckProfile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few cards in doubt are asked about."""
    monkeypatch.setattr(dash_reading, "read_table", lambda *_: table)
    photo = Photo("table.jpg", np.zeros((8, 8, 3), np.uint8))
    assert table.senseless == senseless
    if not senseless:
        assert len(read_dash([photo], deck).cards) == len(table.cards)
        return
    with pytest.raises(InputError, match="most of what looks like one is in doubt") as refusal:
        read_dash([photo], deck)
    assert refusal.value.where == "table.jpg"


def test_where_there_may_be_more_cards_is_told_if_there_may_be(
    deck: DeckProfile, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = seen(2, 0, 1)
    more = replace(table, maybe=seen(0, 1, 1).cards)
    for found, count in ((more, 3), (replace(more, alone=True), 2)):
        monkeypatch.setattr(dash_looks, "_best_table", lambda *_, found=found: found)
        monkeypatch.setattr(dash_looks, "_ending", lambda _, table: table)
        assert len(read_table(np.zeros((8, 8, 3), np.uint8), dash_deck(deck)).cards) == count


def with_more(scene: Scene, deck: DeckProfile) -> Pixels:
    """The scene, and in a corner something of a card's colours and none of its print."""
    face = next(kind.references[-1] for kind in deck.classes if kind.name == scene.cards[0][0])
    mixed = np.random.default_rng(3).permutation(face.reshape(-1, 3)).reshape(face.shape)
    width, height = round(CARD * face.shape[1] / face.shape[0]), round(CARD)
    pixels = scene.pixels.copy()
    pixels[60 : 60 + height, 60 : 60 + width] = cv2.resize(mixed, (width, height), interpolation=cv2.INTER_NEAREST)
    return pixels


@pytest.mark.parametrize("more", [False, True])
def test_few_cards_are_all_cards_unless_something_else_has_their_colours(
    more: bool, deck: DeckProfile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then the slower looks are taken, and where they find nothing either a person is asked."""
    names = varieties(deck)[:2]
    scene = paint(deck, [(names[0], 0.0, 0.5, 0.0), (names[1], 0.8, 0.5, 1.0)])
    looks: list[bool] = []

    def counted(pixels: Pixels, *, thorough: bool = False) -> list[Floats]:
        looks.append(thorough)
        return outlines(pixels, thorough=thorough)

    monkeypatch.setattr(dash_looks, "outlines", counted)
    reading = read_dash([Photo("scene", with_more(scene, deck) if more else scene.pixels)], deck)
    assert sorted(card.name for card in reading.cards) == sorted(names)
    assert looks == ([False, True] if more else [False])
    assert [item.key for item in reading.uncertain] == (["cards"] if more else [])
    assert ("# whether there are no more cards" in reading.to_record()) is more
    if more:
        assert not reading.corrected("cards", "none").uncertain
