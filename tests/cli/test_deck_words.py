"""A slip in the labels or the table of a deck is answered, and teaches nothing."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from durian_assist.cli.deck_words import class_meant
from durian_assist.errors import InputError
from tests.cli.test_calibrate import GREEN, SQUARE, calibrate, folder
from tests.conftest import Run
from tests.vision.drawn import photo

__all__ = ["folder"]


@pytest.mark.parametrize(
    ("game", "label", "meant"),
    [
        ("durian", "strawberry1-banana3", "strawberry1-banana3"),
        ("durian", "banana3-strawberry1", "banana3-strawberry1"),
        ("durian", "gorilla/Hannah", "gorilla/hannah"),
        ("durian", "token/7", "token/7"),
        ("durian", "durian/back", "durian/back"),
        ("durian", "board/order", "board/order"),
        ("dash", "msw", "mao-shan-wang"),
        ("dash", "dash/back", "dash/back"),
        ("dash", "plantation/pahang", "plantation/pahang"),
        ("dash", "pref/love-sultan/hate-rp", "pref/love-sultan/hate-red-prawn"),
        ("dash", "pref/like-sultan/like-black-pearl", "pref/like-sultan/like-black-pearl"),
        ("smuggler", "sultna/durian/6", "sultna/durian/6"),
        ("cards", "sultna", "sultna"),
    ],
)
def test_what_a_game_has_is_taken(game: str, label: str, meant: str) -> None:
    assert class_meant(label, game, "labels:1:1") == meant


@pytest.mark.parametrize(
    ("game", "label", "says"),
    [
        ("dash", "sultna", "did you mean sultan?"),
        ("dash", "plantation/pahan9", "did you mean pahang?"),
        ("dash", "pref/love-sultna", "did you mean sultan?"),
        ("dash", "pref/love-rotten", '"rotten" is not known'),
        ("dash", "pref/love-sultan/hate-sultan", "names each variety once"),
        ("dash", "pref/love-sultan/love-red-prawn", "at most 1 under love"),
        ("durian", "grapes1-bananna2", "did you mean banana?"),
        ("durian", "gorilla/hana", "did you mean hannah?"),
        ("durian", "token/8", "manager tokens are 1 to 7"),
        ("durian", "strawberry1-banana9", "two or three on the other"),
        ("durian", "grapes1-grapes2", "two different fruits"),
    ],
)
def test_what_no_game_has_is_refused(game: str, label: str, says: str) -> None:
    with pytest.raises(InputError, match=f"no class of a {game} deck: .*") as refused:
        class_meant(label, game, "labels:1:1")
    assert says in str(refused.value)
    assert str(refused.value).count("\n") == 1


def test_a_misspelt_label_is_told_where_it_stands(run: Run, folder: Path) -> None:
    Path("deck.labels").write_text("# photo one.png\nsultan\nsultna\nrotten\n", encoding="utf-8")
    said = run("calibrate", "deck", "mine", "--game", "dash", "--labels", "deck.labels", "one.png")
    assert said.exit_code == 3
    assert "deck.labels:3:1: 'sultna' is no class of a dash deck" in said.stderr


@pytest.mark.parametrize(
    ("table", "says"),
    [
        (
            'name = "red"\ncards = 6\ndurians = 2\nbadge = 8',
            "has the badge 6, but the deck table gives red the badge 8",
        ),
        ('name = "reed"\ncards = 6\ndurians = 2\nbadge = 6', "did you mean reed?"),
        ('name = "red"\ncards = 6\ndurians = 0\nbadge = 6', "is a Durian, but the deck table gives red none"),
        ('name = "red"\ncards = 6\ndurians = 7\nbadge = 6', "table.toml:4:11: red has more durians than cards"),
    ],
)
def test_a_table_that_cannot_be_is_refused(run: Run, folder: Path, table: str, says: str) -> None:
    Path("table.toml").write_text(f"[[type]]\n{table}\n", encoding="utf-8")
    command = ("calibrate", "deck", "mine", "--game", "smuggler", "--labels", "deck.labels", "--table", "table.toml")
    said = run(*command, "one.png", "two.png")
    assert (said.exit_code, says in said.stderr) == (3, True)


def test_a_class_with_a_slip_of_an_earlier_time_is_forgotten_by_fresh(run: Run, folder: Path) -> None:
    """Of one card photographed twice, the first time under another name."""
    Path("deck.labels").write_text("# photo one.png\nreed/empty\nblue/empty\ngreen/empty\n", encoding="utf-8")
    calibrate(run, photos=("one.png",))
    cv2.imwrite("one.png", photo([1, 2, 3], SQUARE, GREEN, columns=3, tilt=0.03).pixels)
    Path("deck.labels").write_text("# photo one.png\nred/empty\nblue/empty\ngreen/empty\n", encoding="utf-8")
    again = calibrate(run, photos=("one.png",))
    assert "calibrate mine anew from all of its photos with --fresh" in str(again["warnings"])
    assert "the class reed/empty is of an earlier calibration" in str(again["warnings"])
    assert calibrate(run, "--fresh", photos=("one.png",))["warnings"] == []


def test_one_photo_is_not_called_photos(run: Run, folder: Path) -> None:
    Path("deck.labels").write_text("# photo one.png\nred/empty\nblue/empty\ngreen/empty\n", encoding="utf-8")
    said = run("calibrate", "deck", "mine", "--game", "smuggler", "--labels", "deck.labels", "one.png")
    assert "mine: 3 classes from 3 pieces in 1 photo.\n" in said.stdout
