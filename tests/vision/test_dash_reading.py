"""Dash photos: the shipped samples against their truth, and tables painted from the shipped references."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from typing import Any

import numpy as np
import pytest

from durian_assist.errors import InputError
from durian_assist.resources import shipped
from durian_assist.vision.dash_reading import DashReading, read_dash, wishes
from durian_assist.vision.dash_seen import SeenCard
from durian_assist.vision.deck_profile import DeckProfile, load_profile
from durian_assist.vision.photo import Photo, load_photo
from tests.vision.dash_scenes import CARD, Scene, column, paint, shifted, varieties

COLLECTIONS = ("dash-collection-00", "dash-collection-03", "dash-collection-04")
MARKETS = ("dash-market-00", "dash-market-01", "dash-market-02")


@pytest.fixture(scope="module")
def deck() -> DeckProfile:
    return load_profile("harbour-dash", "dash")


def sample(name: str, deck: DeckProfile) -> tuple[DashReading, dict[str, Any]]:
    """A sample photo read, and its truth."""
    truth: dict[str, Any] = json.loads(shipped("sample_images", f"{name}.json").read_text(encoding="utf-8"))
    return read_dash([load_photo(shipped("sample_images", f"{name}.jpg"))], deck), truth


def with_role(truth: dict[str, Any], role: str) -> list[dict[str, Any]]:
    return [card for card in truth["cards"] if card["role"] == role]


def read(scene: Scene, deck: DeckProfile) -> DashReading:
    return read_dash([Photo("scene", scene.pixels)], deck)


def assert_no_silent_fault(reading: DashReading, scene: Scene) -> None:
    """Every card is read rightly or is uncertain; nothing is read surely where no card lies."""
    unused = list(reading.cards)
    for name, corners in scene.cards:
        near = [c for c in unused if np.linalg.norm(c.corners.mean(axis=0) - corners.mean(axis=0)) < 0.12 * CARD]
        assert near, f"{name} at {corners.mean(axis=0)} was missed"
        assert near[0].name == name or near[0].candidates, f"{name} was read as {near[0].name}"
        unused = [card for card in unused if card is not near[0]]
    assert not [card for card in unused if not card.candidates]


@pytest.mark.parametrize("name", COLLECTIONS)
def test_sample_collection_counts_as_its_truth(name: str, deck: DeckProfile) -> None:
    reading, truth = sample(name, deck)
    assert reading.collection == Counter(card["id"] for card in with_role(truth, "collection"))
    assert reading.rows is None


@pytest.mark.parametrize("name", COLLECTIONS)
def test_sample_collection_corners_lie_on_the_cards_also_where_covered(name: str, deck: DeckProfile) -> None:
    reading, truth = sample(name, deck)
    for card in with_role(truth, "collection"):
        corners = np.array(card["corners"])
        height = np.linalg.norm(corners[3] - corners[0])
        offsets = [np.abs(c.corners - corners).max() for c in reading.cards if c.name == card["id"]]
        assert min(offsets) < 0.06 * height


@pytest.mark.parametrize("name", COLLECTIONS)
def test_sample_preference_card_is_read(name: str, deck: DeckProfile) -> None:
    reading, truth = sample(name, deck)
    assert reading.preference is not None
    assert [reading.preference.name] == [card["id"] for card in with_role(truth, "preference")]


def test_card_lost_in_glare_is_uncertain_and_no_other(deck: DeckProfile) -> None:
    reading, truth = sample("dash-collection-04", deck)
    glare = max(with_role(truth, "collection"), key=lambda card: float(card["blown"]))
    (question,) = reading.uncertain
    distance = np.array(question.corners).mean(axis=0) - np.array(glare["corners"]).mean(axis=0)
    assert np.abs(distance).max() < 30
    assert question.candidates


@pytest.mark.parametrize("name", MARKETS)
def test_sample_market_is_two_rows_from_left_to_right(name: str, deck: DeckProfile) -> None:
    reading, truth = sample(name, deck)
    market = sorted(with_role(truth, "market"), key=lambda card: int(card["col"]))
    rows = {p: [card["id"] for card in market if card["plantation"] == p] for p in ("pahang", "johor")}
    document = reading.to_json()
    assert document["rows"] == rows
    assert not reading.uncertain
    assert tomllib.loads(reading.to_record()) == {"game": "dash", "rows": rows}


def test_draw_deck_and_plantations_are_no_cards_of_the_market(deck: DeckProfile) -> None:
    reading, truth = sample("dash-market-02", deck)
    assert with_role(truth, "deck")
    assert len(reading.cards) == len(with_role(truth, "market"))


@pytest.mark.parametrize("covered", [0.45, 0.6, 0.66])
@pytest.mark.parametrize("turn", [0.0, 90.0, 184.0])
def test_fanned_columns_in_any_direction(covered: float, turn: float, deck: DeckProfile) -> None:
    names = varieties(deck)
    cards = [
        *shifted(column([names[0], names[1], names[0], names[2]], covered, seed=1), -1.2, -0.7),
        *shifted(column([names[3]], covered, seed=2), 0.0, -0.5),
        *shifted(column([names[4], names[5], names[4]], covered, seed=3), 1.2, -0.6),
    ]
    scene = paint(deck, cards, turn=turn, size=(2000, 2000))
    assert_no_silent_fault(read(scene, deck), scene)


@pytest.mark.parametrize("step", [0.32, 0.5])
def test_fanned_rows(step: float, deck: DeckProfile) -> None:
    """A strip of the border may not tell two varieties apart: then the card is uncertain, not wrong."""
    names = varieties(deck)
    cards = [(names[n % 6], -0.8 + n * step * 0.716, -0.7 + 0.01 * (n % 2), 0.5) for n in range(5)]
    cards += [(names[(n + 3) % 6], -0.8 + n * step * 0.716, 0.6, -0.8) for n in range(4)]
    scene = paint(deck, cards)
    assert_no_silent_fault(read(scene, deck), scene)


def test_forty_cards(deck: DeckProfile) -> None:
    names = varieties(deck)
    cards = []
    for n in range(8):
        cards += shifted(column([names[(n + k) % 6] for k in range(5)], 0.55, seed=n), -3.1 + 0.87 * n, -0.9)
    scene = paint(deck, cards, size=(3000, 2000))
    reading = read(scene, deck)
    assert_no_silent_fault(reading, scene)
    assert len(reading.cards) == 40


def test_card_covered_too_far_is_never_wrong_without_a_word(deck: DeckProfile) -> None:
    names = varieties(deck)
    cards = [(names[0], 0.0, 0.0, 0.0), (names[1], 0.01, 0.14, 0.5)]
    scene = paint(deck, cards)
    reading = read(scene, deck)
    top = [card for card in reading.cards if card.name == names[1] and not card.candidates]
    assert len(top) == 1
    assert all(card.name == names[0] or card.candidates for card in reading.cards if card is not top[0])


def test_a_table_without_a_card_of_the_deck_is_an_empty_collection_only_if_a_person_says_so(deck: DeckProfile) -> None:
    asked = read(paint(deck, []), deck)
    assert asked.to_json() == {"cards": [], "collection": {}, "uncertain": [{"candidates": ["none"]}]}
    assert tomllib.loads(asked.to_record()) == {"game": "dash", "collection": {}}
    assert asked.corrected("cards", "none").uncertain == ()
    with pytest.raises(InputError, match="this reading has no cards"):
        asked.corrected("cards", "sultan")


@pytest.mark.parametrize("name", ["smuggler-final-00", "durian-table-01"])
def test_a_photo_of_another_game_is_no_empty_collection(name: str, deck: DeckProfile) -> None:
    with pytest.raises(InputError, match="not like those of the deck harbour-dash"):
        sample(name, deck)


def test_preference_card_of_a_player_without_cards_is_read_and_the_cards_are_asked_for(deck: DeckProfile) -> None:
    """A lamp's shine may hide all of them."""
    name = next(kind.name for kind in deck.classes if kind.name.startswith("pref/"))
    reading = read_dash([Photo("scene", paint(deck, [(name, 0.3, 0.2, 4.0)]).pixels)], deck)
    assert reading.cards == ()
    assert reading.preference is not None
    assert reading.preference.name == name
    assert [(item.key, item.candidates) for item in reading.uncertain] == [("cards", ("none",))]
    assert "none of a variety of this deck was seen" in reading.to_record()
    assert reading.corrected("cards", "none").uncertain == ()


def test_photos_that_show_other_cards_than_the_first_one_are_refused(deck: DeckProfile) -> None:
    names = varieties(deck)
    both = paint(deck, [(names[0], -0.6, 0, 0), (names[1], 0.6, 0, 0)])
    one = paint(deck, [(names[0], -0.6, 0, 0)])
    with pytest.raises(InputError, match="does not show the same table as the first one") as refusal:
        read_dash([Photo("one", one.pixels), Photo("both", both.pixels)], deck)
    assert refusal.value.where == "both"
    reading = read_dash([Photo("both", both.pixels), Photo("again", both.pixels)], deck)
    assert (len(reading.cards), reading.photo, reading.uncertain) == (2, 0, ())


def test_deck_without_varieties_is_refused(deck: DeckProfile) -> None:
    backs = DeckProfile("backs", "dash", deck.folder, tuple(k for k in deck.classes if "/" in k.name))
    with pytest.raises(InputError, match="no varieties"):
        read_dash([Photo("p", np.zeros((400, 400, 3), np.uint8))], backs)


def seen(name: str, place: tuple[float, float], *candidates: str) -> SeenCard:
    return SeenCard(name, 0.4 if candidates else 0.99, np.zeros((4, 2)), place, candidates)


def reading_of(*cards: SeenCard, preference: SeenCard | None = None) -> DashReading:
    preferences = ("pref/love-sultan/hate-red-prawn", "pref/love-red-prawn")
    return DashReading(cards, preference, None, ("sultan", "red-prawn", "rotten"), preferences)


def test_correction_makes_a_card_sure() -> None:
    reading = reading_of(seen("sultan", (0, 0), "sultan", "red-prawn"), seen("rotten", (1, 0)))
    assert [item.key for item in reading.uncertain] == ["cards.1"]
    corrected = reading.corrected("cards.1", "rp")
    assert corrected.collection == {"red-prawn": 1, "rotten": 1}
    assert not corrected.uncertain


def test_correction_none_takes_a_card_away_and_keeps_the_rows() -> None:
    reading = reading_of(seen("sultan", (0, 0)), seen("rotten", (1, 0)), seen("red-prawn", (0, 1)))
    market = DashReading(reading.cards, None, {"pahang": [0, 1], "johor": [2]}, reading.varieties, ())
    assert market.corrected("cards.1", "none").to_json()["rows"] == {"pahang": ["rotten"], "johor": ["red-prawn"]}


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("cards.3", "sultan", "no cards.3"),
        ("3,2", "sultan", "no 3,2"),
        ("cards.1", "sultann-x", "not known"),
        ("preference", "pref/love-red-prawn", "no preference card"),
    ],
)
def test_correction_that_fits_nothing_is_refused(key: str, value: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        reading_of(seen("sultan", (0, 0))).corrected(key, value)


def test_uncertain_preference_card_can_be_corrected() -> None:
    card = seen("pref/love-sultan/hate-red-prawn", (3, 0), "pref/love-sultan/hate-red-prawn", "pref/love-red-prawn")
    reading = reading_of(seen("sultan", (0, 0)), preference=card)
    assert [item.key for item in reading.uncertain] == ["preference"]
    corrected = reading.corrected("preference", "pref/love-red-prawn")
    assert not corrected.uncertain
    record = tomllib.loads(corrected.to_record())
    assert (record["love"], record["like"], record["hate"]) == (["red-prawn"], [], [])


def test_record_says_what_is_uncertain() -> None:
    text = reading_of(seen("sultan", (0, 0), "sultan", "red-prawn")).to_record()
    assert "# card 1 is uncertain: sultan or red-prawn (--set cards.1=...)" in text
    assert tomllib.loads(text)["collection"] == {"sultan": 1}


def test_preference_class_names_are_wishes() -> None:
    assert wishes("pref/love-red-prawn/like-golden-phoenix/like-sultan/hate-black-pearl") == {
        "love": ["red-prawn"],
        "like": ["golden-phoenix", "sultan"],
        "hate": ["black-pearl"],
    }
