"""Slips of people at the table: each is answered with what to do instead, in the words that they typed."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import click
import pytest

from durian_assist.cli import durian_lay, photo_in, smuggler_in
from durian_assist.errors import InputError
from durian_assist.resources import shipped
from durian_assist.vision.reading import TableReading, Uncertain
from tests.conftest import Run

DURIAN = ("--deck", "harbour-durian")
ROWS = ("--row", "pahang=sultan,rotten", "--row", "johor=sultan", "--turn", "Bo 9: take; left into johor")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["smuggler", "score", "--set", "1,1=red6v", "--hand", "south=red6,west=green-"], "--hand west=green-"),
        (["smuggler", "legal", "--side", "south"], "say it all by flags, such as --set 2,3=red6v"),
        (["durian", "score"], "such as --tokens Ann=1,4"),
        (["durian", "call"], "such as --inventory 'strawberry 1 | banana 3'"),
        (["durian", "odds"], "such as --inventory 'strawberry 1 | banana 3'"),
        (["dash", "score"], "such as --player 'Hasan: sultan 2, rotten 1; love sultan'"),
        (["dash", "resolve"], "such as --turn 'Jin 7: take, place; left into pahang'"),
        (["dash", "resupply"], "such as --row pahang=sultan,rotten"),
        (
            ["dash", "resolve", *ROWS, "--turn", "Jin 7: take; rihgt into pahang"],
            '"rihgt" begins no part; did you mean r',
        ),
        (["dash", "resolve", *ROWS, "--turn", "Jin 7: tkae; right into pahang"], "did you mean take?"),
        (["dash", "resolve", *ROWS, "--turn", "Jin 7: take; place; left into johor"], "two parts are icons"),
        (["dash", "score", "--player", "Jin: sultan 2; loves sultan"], '"loves" begins no part; did you mean love?'),
        (["dash", "score", "--player", "Jin: sultan 2; sulta 1"], "two parts are collection"),
    ],
)
def test_a_wrong_command_line_names_the_right_one(run: Run, args: list[str], says: str) -> None:
    answered = run(*args)
    assert (answered.exit_code, says in answered.stderr) == (2, True), answered.stderr


@pytest.mark.parametrize("order", ["beige,yellow,red,green", "beige, yellow, red, green", "Beige yellow red green"])
def test_the_order_of_sequences_may_have_commas(run: Run, order: str) -> None:
    asked = run("smuggler", "turn", "4", "--round", "2", "--json", "--order")
    assert asked.exit_code == 2
    plain = run("smuggler", "turn", "4", "--round", "2", "--json", "--order", "beige-yellow-red-green")
    assert run("smuggler", "turn", "4", "--round", "2", "--json", "--order", order).stdout == plain.stdout


@pytest.mark.parametrize("key", ["last", "last_action"])
def test_the_last_action_is_set_by_its_name_in_the_flag_too(run: Run, key: str) -> None:
    said = ("dash", "score", "--player", "Ann: sultan 2", "--player", "Bo: sultan 2; last 7", "--json")
    assert json.loads(run(*said, "--set", f"Ann.{key}=12").stdout)["winners"] == ["Bo"]


def test_a_wish_of_a_flag_wins_over_the_same_variety_of_the_record(run: Run, tmp_path: Path) -> None:
    """Where the card was read otherwise, the flag moves the variety; what it does not speak of stays."""
    record = tmp_path / "game.toml"
    record.write_text(
        'game = "dash"\n[[players]]\nname = "Ann"\ncollection = { sultan = 2, red-prawn = 1 }\n'
        'love = ["red-prawn"]\nlike = ["sultan", "black-pearl"]\nhate = ["golden-phoenix"]\n'
    )
    flagged = json.loads(run("dash", "score", record, "--player", "Ann: love sultan", "--json").stdout)
    assert flagged["players"]["Ann"]["points"] == 7
    assert json.loads(run("dash", "score", record, "--set", "Ann.love=sultan", "--json").stdout) == flagged
    draft = tmp_path / "draft.toml"
    run("dash", "score", record, "--player", "Ann: love sultan", "--draft", draft)
    assert 'like = ["black-pearl"]\nhate = ["golden-phoenix"]' in draft.read_text(encoding="utf-8")
    twice = run("dash", "score", record, "--player", "Ann: love sultan; like sultan")
    assert (twice.exit_code, "sultan is named twice" in twice.stderr) == (2, True)


@pytest.mark.parametrize(
    ("command", "name", "says"),
    [
        ("score", "durian-table-02.jpg", "this is a table at the bell, without the tokens that players hold"),
        ("call", "durian-tokens-02.jpg", "these are the tokens that players hold, without a table at the bell"),
    ],
)
def test_a_photo_for_another_command_of_durian_names_it(run: Run, command: str, name: str, says: str) -> None:
    answered = run("durian", command, shipped("sample_images", name), *DURIAN)
    other = {"score": "call", "call": "score"}[command]
    assert (answered.exit_code, f"(as read): {says}" in answered.stderr) == (3, True)
    assert f"`durian-assist durian {other}`" in answered.stderr
    assert "1 | game" not in answered.stderr


@pytest.mark.parametrize(
    ("command", "name", "says", "other"),
    [
        ("score", "dash-market-00.jpg", "shows a market, not the collection", "`durian-assist dash resupply`"),
        ("resupply", "dash-collection-00.jpg", "shows a collection, not a market", "`durian-assist dash score`"),
        ("resolve", "dash-collection-00.jpg", "shows a collection, not a market", "`durian-assist dash score`"),
    ],
)
def test_a_photo_for_another_command_of_dash_names_it(run: Run, command: str, name: str, says: str, other: str) -> None:
    answered = run("dash", command, shipped("sample_images", name), "--deck", "harbour-dash")
    assert (answered.exit_code, says in answered.stderr, other in answered.stderr) == (3, True, True)
    assert "fault" not in answered.stderr


def test_what_flags_say_is_not_asked_of_the_photo(run: Run) -> None:
    """The value of one token is doubtful, but the flag says which tokens the player has."""
    score = ("durian", "score", shipped("sample_images", "durian-tokens-03.jpg"), *DURIAN, "--at", "Ann=south")
    assert run(*score).exit_code == 4
    said = run(*score, "--tokens", "Ann=6,2,4,3,5", "--json")
    assert (said.exit_code, json.loads(said.stdout)["players"]["Ann"]["tokens"]) == (0, [2, 3, 4, 5, 6])
    assert "guess" not in said.stdout


def test_a_hand_that_a_flag_says_is_no_question() -> None:
    record = """game = "smuggler"
# uncertain: row 1 column 1: red5v or red4v
# uncertain: hand of south: red6 or red-
grid = '''
red5v . .  . .
.     . .  . .
.     . ## . .
.     . .  . .
.     . .  . .
'''
hands = { south = ["red6"] }
"""
    asked = (Uncertain("1,1", "row 1 column 1", (), (), {}), Uncertain("hand.south", "hand of south", (), (), {}))
    reading = cast("TableReading", SimpleNamespace(uncertain=asked, to_record=lambda: record))
    flags = smuggler_in.Flags(hands=("south=red-",))
    assert photo_in.said_by_flags(reading, lambda read: smuggler_in.with_flags(read, flags)) == {"hand.south"}
    assert photo_in.said_by_flags(reading, lambda read: read) == frozenset()


def test_of_a_photo_flags_are_asked_for_and_no_line_of_it_is_shown(run: Run) -> None:
    photo = shipped("sample_images", "smuggler-final-02.jpg")
    score = ("smuggler", "score", photo, "--deck", "harbour-smuggler", "--mode", "competitive")
    without = run(*score)
    assert '"smuggler" was not given' in without.stderr
    assert "For example --smuggler west." in without.stderr
    assert "Say where Bo sits: --seat east=Bo" in run(*score, "--smuggler", "Bo").stderr
    seated = run(*score, "--seat", "south=Ann,west=Bo,north=Cy,east=Di", "--smuggler", "Bob")
    assert "Say where" not in seated.stderr


def test_a_token_set_to_the_value_of_another_is_shown_in_its_flag(run: Run) -> None:
    score = ("durian", "score", shipped("sample_images", "durian-tokens-03.jpg"), *DURIAN)
    twice = run(*score, "--set", "tokens.3=2")
    assert (twice.exit_code, "--set tokens.3=2: token 2 exists once" in twice.stderr) == (2, True)
    assert "--set tokens.2=..." in twice.stderr
    assert run(*score, "--set", "tokens.3=2", "--set", "tokens.2=4").exit_code == 0


def test_two_places_without_a_token_are_no_double() -> None:
    durian_lay.refuse_doubles({"tokens.1": ".", "tokens.2": ".", "orders.1": "."}, ("tokens.1=.", "tokens.2=."))


def test_accepting_in_a_record_without_guesses_says_that_there_were_none(run: Run, tmp_path: Path) -> None:
    record = tmp_path / "tokens.toml"
    record.write_text('game = "durian"\n[tokens]\nAnn = [1]\nBo = [2]\n')
    said = "There was nothing to accept"
    assert said in run("durian", "score", record, "--accept").stderr
    assert said not in run("durian", "score", record).stderr


def test_overlays_of_several_photos_are_named(run: Run, tmp_path: Path) -> None:
    pairs = [f"{name}={shipped('sample_images', f'dash-collection-0{n}.jpg')}" for name, n in (("Jin", 0), ("Bo", 3))]
    said = run("dash", "score", *pairs, "--deck", "harbour-dash", "--accept", "--overlay", tmp_path / "ds.png").stderr
    assert f"{tmp_path / 'ds-1.png'} (Jin) and {tmp_path / 'ds-2.png'} (Bo)" in said
    assert (tmp_path / "ds-2.png").is_file()


def test_a_wrong_answer_on_the_terminal_is_repeated_as_it_was_typed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def corrected(key: str, value: str) -> str:
        if value == "sultn":
            raise InputError('"sultn" is not known', where=f"--set {key}={value}", mend="It is one of these.")
        return "corrected"

    answers = iter(["sultn", "sultan"])
    monkeypatch.setattr(click, "prompt", lambda *_args, **_options: next(answers))
    question = Uncertain("cards.5", "card 5", ("sultan", "rotten"), (), {})
    reading = cast("TableReading", SimpleNamespace(corrected=corrected))
    settled: tuple[object, str] = photo_in._answered(reading, question, "[1/1]")
    assert settled == ("corrected", "sultan")
    assert capsys.readouterr().err == '"sultn" is not known\n  It is one of these.\n'


def test_an_overlay_of_several_photos_of_one_table_says_which_it_shows(run: Run, tmp_path: Path) -> None:
    photos = [shipped("sample_images", "durian-tokens-02.jpg")] * 2
    args = ("durian", "score", *photos, *DURIAN, "--accept", "--overlay", tmp_path / "seen.png")
    assert f"seen.png shows what was read in the first photo, {photos[0]}." in run(*args).stderr
    assert "Written" not in run("durian", "score", photos[0], *args[4:]).stderr
