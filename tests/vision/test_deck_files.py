"""Deck profiles: written and read again unchanged; damaged, missing or wrong ones answered with the way out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from durian_assist.errors import InputError
from durian_assist.vision.deck_files import read_profile, write_profile
from durian_assist.vision.deck_profile import CardClass, DeckProfile, DeckTable, load_profile
from durian_assist.vision.deck_shelf import decks, user_decks_folder

SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
HEXAGON = 0.5 + 0.5 * np.array([[np.cos(a), np.sin(a)] for a in np.arange(6) * np.pi / 3])


def deck(folder: Path, name: str = "mine", game: str = "smuggler", calibrated: str = "2026-01-01") -> DeckProfile:
    """A deck of two classes."""
    plain = np.full((70, 50, 3), 200, np.uint8)
    classes = (
        CardClass("red/durian/6", (plain, plain), SQUARE, "cards-1"),
        CardClass("Größe 七", (plain[:50],), HEXAGON, "tokens-1"),
    )
    table = (DeckTable("red", 6, 2, 6),)
    weakest = (("red/durian/6", "Größe 七", 0.25),)
    return DeckProfile(name, game, folder, classes, table, weakest, {"calibrated": calibrated})


def test_a_deck_reads_in_as_it_was_written(tmp_path: Path) -> None:
    written = deck(tmp_path / "mine")
    write_profile(written)
    read = load_profile(tmp_path / "mine", "smuggler")
    assert (read.name, read.game, read.table, read.weakest) == ("mine", "smuggler", written.table, written.weakest)
    assert [c.name for c in read.classes] == ["red/durian/6", "Größe 七"]
    assert read.classes[0].four_sided
    assert np.abs(read.classes[1].outline - HEXAGON).max() < 1e-3
    assert [len(c.references) for c in read.classes] == [2, 1]
    assert abs(int(read.classes[0].references[0].mean()) - 200) <= 1


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        pytest.param(lambda f: (f / "deck.toml").unlink(), "no deck.toml", id="no deck.toml"),
        pytest.param(lambda f: next((f / "references").iterdir()).unlink(), "missing", id="a picture is gone"),
        pytest.param(lambda f: next((f / "references").iterdir()).write_bytes(b"x"), "damaged", id="a broken picture"),
        pytest.param(lambda f: (f / "deck.toml").write_text("name = ["), "damaged", id="no TOML"),
        pytest.param(lambda f: (f / "deck.toml").write_text("a = 1"), "'name' is missing", id="no name"),
        pytest.param(
            lambda f: (f / "deck.toml").write_text('format = 1\nname = "a"\ngame = "dash"'), "no classes", id="empty"
        ),
        pytest.param(
            lambda f: (f / "deck.toml").write_text('name = "a"\ngame = "dash"\nclass = 3'), "list of tables", id="class"
        ),
    ],
)
def test_a_damaged_deck_is_a_clear_error(harm: object, says: str, tmp_path: Path) -> None:
    write_profile(deck(tmp_path / "mine"))
    assert callable(harm)
    harm(tmp_path / "mine")
    with pytest.raises(InputError) as caught:
        read_profile(tmp_path / "mine")
    assert says in caught.value.what
    assert "mine" in caught.value.where
    assert "again" in caught.value.mend


def test_a_deck_of_another_game_is_refused(tmp_path: Path) -> None:
    write_profile(deck(tmp_path / "mine"))
    with pytest.raises(InputError, match="for smuggler, not for dash"):
        load_profile(tmp_path / "mine", "dash")
    assert load_profile(tmp_path / "mine", "cards").name == "mine"


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(InputError, match="Did you mean harbour-dash"):
        load_profile("harbor-dash")


@pytest.mark.parametrize("name", ["", "..", ".", "no/such/deck", "nul\0"])
def test_strange_names_are_no_decks(name: str) -> None:
    with pytest.raises(InputError):
        load_profile(name)


def test_the_default_is_the_last_one_calibrated_and_never_a_shipped_one() -> None:
    with pytest.raises(InputError, match="none is calibrated for smuggler") as caught:
        load_profile(None, "smuggler")
    assert "calibrate deck" in caught.value.mend
    for name, day in (("old", "2026-01-02"), ("new", "2026-02-01"), ("older", "2025-12-31")):
        write_profile(deck(user_decks_folder() / name, name, calibrated=day))
    assert load_profile(None, "smuggler").name == "new"
    with pytest.raises(InputError):
        load_profile(None, "dash")


def test_a_deck_of_ones_own_stands_before_a_shipped_one_of_that_name() -> None:
    shipped = {entry.name for entry in decks()}
    assert {"harbour-smuggler", "harbour-dash", "harbour-durian"} <= shipped
    write_profile(deck(user_decks_folder() / "harbour-dash", "harbour-dash", "dash"))
    entry = next(entry for entry in decks() if entry.name == "harbour-dash")
    assert not entry.shipped
    assert load_profile("harbour-dash").folder == user_decks_folder() / "harbour-dash"


@pytest.mark.parametrize("name", ["harbour-smuggler", "harbour-dash", "harbour-durian"])
def test_the_shipped_decks_are_whole(name: str) -> None:
    profile = load_profile(name)
    assert len({card.name for card in profile.classes}) == len(profile.classes)
    assert all(len(card.references) == 2 for card in profile.classes)
    for group in {card.size_group for card in profile.classes}:
        sizes = {r.shape for card in profile.classes if card.size_group == group for r in card.references}
        assert len(sizes) == 1
