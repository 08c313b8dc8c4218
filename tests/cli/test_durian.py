"""`durian score|call|odds|setup`: the keys of the interface, flags over records, exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run

RECORD = """game = "durian"
players = ["Ann", "Bo", "Cy"]
first = "Ann"
inventory = ["strawberry 1 | banana 3", "gorilla hannah", "grapes 2 | durian 1"]
orders = ["banana 3 | strawberry 1", "gorilla murphy flips 1", "grapes 2 | banana 1"]
caller = "Ann"
[tokens]
Ann = [1, 4]
Bo = [2]
Cy = [3]
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """The record in a file."""
    path = tmp_path / "table.toml"
    path.write_text(RECORD, encoding="utf-8")
    return path


def answer(run: Run, *args: object, stdin: str | None = None, code: int = 0) -> Any:
    """The JSON answer of a command that ends with `code`."""
    result = run(*args, "--json", stdin=stdin)
    assert result.exit_code == code, result.output
    return json.loads(result.stdout)


def test_call_has_the_keys_of_the_interface(run: Run, table: Path) -> None:
    said = answer(run, "durian", "call", table)
    assert {key: said[key] for key in ("verdict", "takes_token", "token", "over_after", "next_starter")} == {
        "verdict": "not too many",
        "takes_token": "Ann",
        "token": 5,
        "over_after": True,
        "next_starter": "Bo",
    }
    assert said["kinds"]["grapes"] == {"stock": 2, "ordered": 2}
    assert said["total"] == {"stock": 7, "ordered": 3}
    assert said["readings"] == {"per-kind": "not too many", "total": "not too many"}
    assert [step["player"] for step in said["steps"][:4]] == ["Ann", "Bo", "Cy", "Ann"]


def test_a_record_from_standard_input_and_as_json(run: Run, table: Path) -> None:
    as_json = json.dumps({"inventory": ["gorilla mitch"], "orders": ["banana 3 | strawberry 1"], "caller": "Bo"})
    assert answer(run, "durian", "call", "-", stdin=as_json)["takes_token"] == "Bo"
    assert answer(run, "durian", "call", "-", stdin=RECORD) == answer(run, "durian", "call", table)


def test_flags_win_over_the_record(run: Run, table: Path) -> None:
    said = answer(run, "durian", "call", table, "--tokens", "ANN=", "--tokens", "bo=1,2", "--caller", "an")
    assert (said["token"], said["over_after"]) == (4, False)
    said = answer(run, "durian", "call", table, "--caller", "Bo", code=1)
    assert said["takes_token"] is None
    assert "durian.caller" in {finding["rule"] for finding in said["findings"]}


@pytest.mark.parametrize(
    ("correction", "key", "value"),
    [
        ("orders.2=gorilla murphy flips 1", "verdict", "not too many"),
        ("orders.3=durian 2 | banana 1", "verdict", "too many"),
        ("inventory.3=durian 2 | banana 1", "verdict", "too many"),
        ("tokens.Ann=1", "token", 4),
        ("caller=Ann", "takes_token", "Ann"),
    ],
)
def test_set_corrects_one_place(run: Run, table: Path, correction: str, key: str, value: object) -> None:
    assert answer(run, "durian", "call", table, "--set", correction)[key] == value


def test_flags_alone_are_a_record_and_a_draft_keeps_it(run: Run, tmp_path: Path) -> None:
    draft = tmp_path / "draft.toml"
    flags = ["--players", "Ann, Bo", "--first", "Ann", "--open-card", "gorilla hannah", "--caller", "Bo"]
    cards = ["--inventory", "strawberry 1 | banana 2", "--inventory", "?", "--order", "banana 3 | strawberry 1"]
    said = answer(run, "durian", "odds", *flags, *cards, "--draft", draft)
    assert said["fraction"] == "0"
    assert answer(run, "durian", "odds", draft) == said


def test_odds_has_the_keys_of_the_interface(run: Run, table: Path) -> None:
    said = answer(run, "durian", "odds", table, "--all")
    assert said["fraction"] == "7/26"
    assert said["probability"] == pytest.approx(7 / 26)
    assert {name: seat["fraction"] for name, seat in said["seats"].items()} == {"Ann": "7/26", "Bo": "0", "Cy": "7/9"}
    marked = answer(run, "durian", "odds", table, "--set", "inventory.1=?")
    assert (marked["fraction"], marked["viewer"]) == ("7/26", None)
    assert answer(run, "durian", "odds", table, "--player", "cy")["fraction"] == "7/9"
    total = answer(run, "durian", "odds", table, "--reading", "compare=total")
    assert total["readings"][0]["value"] == "total"


def test_odds_say_where_the_list_counts_too_many_cards(run: Run, table: Path) -> None:
    """A card that the list does not hold takes none of those left away."""
    listed = ("durian", "odds", table, "--set", "orders.1=banana 2 | strawberry 1")
    assert "counted as left" not in run(*listed).output
    unlisted = run(*listed, "--set", "orders.3=grapes 3 | banana 1")
    assert "1 card of the table is beyond the list of the deck: 1 too many is counted as left" in unlisted.output


def test_odds_as_text(run: Run, table: Path) -> None:
    text = run("durian", "odds", table, "--all").stdout
    assert "As Ann sees it: too many orders with probability 7/26 = 26.9%" in text
    assert "[durian.odds]" in text


def test_score_has_the_keys_of_the_interface(run: Run) -> None:
    said = answer(run, "durian", "score", "--tokens", "Ann=3,4", "--tokens", "Bo=1", "--tokens", "Cy=2")
    assert said["players"]["Ann"] == {"points": 7, "tokens": [3, 4], "place": 3, "rule": "durian.tie"}
    assert (said["over"], said["winners"], said["warnings"]) == (True, ["Bo"], [])
    said = answer(run, "durian", "score", "--tokens", "Ann=1", "--tokens", "Bo=2", "--final")
    assert (said["over"], said["winners"]) == (False, ["Ann"])


def test_score_names_tokens_that_are_missing(run: Run) -> None:
    said = answer(run, "durian", "score", "--tokens", "Ann=1,4", "--tokens", "Bo=2")
    assert (said["over"], said["winners"]) == (None, [])
    assert said["warnings"][0]["rule"] == "durian.tokens-held"
    assert "token 3 is held by nobody" in said["warnings"][0]["message"]


def test_score_by_sides_of_a_photo(run: Run) -> None:
    record = "[tokens]\nsouth = [1]\nnorth = [2]\n"
    said = answer(run, "durian", "score", "-", "--at", "Ann=south", "--at", "Bo=n", stdin=record)
    assert {name: place["points"] for name, place in said["players"].items()} == {"Ann": 1, "Bo": 2}
    for both in (["--at", "Ann=south", "--at", "Ann=north"], ["--at", "Ann=all"]):
        said = answer(run, "durian", "score", "-", *both, stdin=record)
        assert {name: place["tokens"] for name, place in said["players"].items()} == {"Ann": [1, 2]}
    for wrong in ("Bo=south", "Bo=west", "Bo=middle", "Bo=all", "Bo"):
        assert run("durian", "score", "-", "--at", "Ann=south", "--at", wrong, stdin=record).exit_code == 2


@pytest.mark.parametrize(("players", "pile", "open_cards"), [(2, 28, 1), (3, 28, 0), (7, 24, 0)])
def test_setup(run: Run, players: int, pile: int, open_cards: int) -> None:
    said = answer(run, "durian", "setup", players)
    assert (said["draw_pile"], said["open_cards"]) == (pile, open_cards)
    assert str(pile) in run("durian", "setup", players).stdout


def test_dispute_shows_every_reading_of_every_question(run: Run, table: Path) -> None:
    said = answer(run, "durian", "call", table, "--dispute")
    values = [reading["value"] for one in said["disputes"] for reading in one["readings"]]
    assert values == ["per-kind", "total", "wasted", "redraw", "previous-player", "last-order"]
    assert "Who is called on? This makes no difference here." in run("durian", "call", table, "--dispute").stdout


def test_score_writes_a_draft_of_its_flags(run: Run, tmp_path: Path) -> None:
    draft = tmp_path / "draft.toml"
    assert run("durian", "score", "--tokens", "Ann=1", "--draft", draft).exit_code == 0
    assert "Ann = [1]" in draft.read_text(encoding="utf-8")


def test_odds_of_two_players_without_the_open_card_say_that_it_is_missing(run: Run) -> None:
    cards = ["--inventory", "grapes 1 | banana 2", "--inventory", "?", "--order", "durian 2 | grapes 1"]
    result = run("durian", "odds", "--players", "Ann,Bo", *cards, "--json")
    assert "durian.two-players" in [finding["rule"] for finding in json.loads(result.stdout)["findings"]]


def test_a_flip_before_any_order_is_told(run: Run) -> None:
    cards = [part for card in ("banana 1 | grapes 2", "banana 1 | grapes 2") for part in ("--inventory", card)]
    players = ("--players", "Ann,Bo,Cy", "--first", "Ann", "--caller", "Bo")
    result = run("durian", "call", *players, *cards, "--order", "gorilla mitch flips 9")
    assert result.exit_code == 1
    assert "only an order accepted earlier can be flipped: 0 orders lay there" in result.stdout + result.stderr
