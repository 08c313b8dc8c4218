"""A draft's guesses that nobody has confirmed are said wherever the record goes, until a person settles them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_session import ok, players, show
from tests.conftest import Run

SMUGGLER = '''game = "smuggler"
# uncertain: row 1 column 1: red5v or red4v
# uncertain: hand of south: red6 or red-
grid = """
red5v   blue-<   green-^  red-<    plum4>
blue5<  red-^    plum7v   blue->   green-^
red-^   green4v  ##       plum->   red-<
plum-v  red-<    blue-^   green-v  blue->
green-> plum-v   red-<    blue-^   plum->
"""
[hands]
south = ["red6"]
'''
DURIAN = """game = "durian"
# uncertain: inventory card 1: strawberry 1 | banana 3 or banana 1 | grapes 2
# uncertain: order 2: grapes 2 | banana 1 or grapes 3 | banana 1
players = ["Ann", "Bo", "Cy"]
first = "Ann"
inventory = ["strawberry 1 | banana 3", "gorilla murphy", "grapes 2 | durian 1"]
orders = ["grapes 3 | strawberry 1", "banana 3 | durian 1"]
caller = "Cy"
"""
DASH = """game = "dash"
# card 2 is uncertain: sultan or red-prawn (--set cards.2=...)
collection = { sultan = 2 }
"""
UNCONFIRMED = "a guess from the photo that nobody has confirmed"


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    """Where a draft lies."""
    return tmp_path / "draft.toml"


def doubted(run: Run, *args: object) -> list[str]:
    """The places that the warnings of an answer in JSON call guesses."""
    document = json.loads(ok(run(*args, "--json")).stdout)
    found = document.get("warnings") or document.get("findings") or []
    return [finding["where"] for finding in found if UNCONFIRMED in finding["message"]]


@pytest.mark.parametrize("command", [["score"], ["check"], ["legal", "--side", "south"]])
def test_a_smuggler_draft_is_not_taken_for_truth(command: list[str], draft: Path, run: Run) -> None:
    draft.write_text(SMUGGLER, encoding="utf-8")
    assert f"{UNCONFIRMED}: red5v or red4v" in run("smuggler", *command, draft).output
    document = json.loads(run("smuggler", *command, draft, "--json").stdout)
    found = document.get("warnings") or document["findings"]
    assert [f["where"] for f in found if UNCONFIRMED in f["message"]] == ["row 1 column 1", "hand of south"]


def test_corrections_settle_guesses(draft: Path, run: Run) -> None:
    draft.write_text(SMUGGLER, encoding="utf-8")
    assert doubted(run, "smuggler", "score", draft, "--set", "1,1=red4v") == ["hand of south"]
    assert doubted(run, "smuggler", "score", draft, "--hand", "south=red6") == ["row 1 column 1"]
    assert doubted(run, "smuggler", "score", draft, "--set", "1,1=red5v", "--set", "hand.south=red-") == []
    draft.write_text(SMUGGLER.replace("# uncertain: row 1 column 1: red5v or red4v\n", ""), encoding="utf-8")
    assert doubted(run, "smuggler", "score", draft) == ["hand of south"]


def test_a_durian_draft_is_not_taken_for_truth(draft: Path, run: Run, tmp_path: Path) -> None:
    draft.write_text(DURIAN, encoding="utf-8")
    assert doubted(run, "durian", "call", draft) == ["inventory card 1", "order 2"]
    assert doubted(run, "durian", "call", draft, "--set", "orders.2=banana 3 | durian 1") == ["inventory card 1"]
    again = tmp_path / "again.toml"
    ok(run("durian", "call", draft, "--caller", "Bo", "--order", "grapes 3 | strawberry 1", "--draft", again))
    assert doubted(run, "durian", "odds", again) == ["inventory card 1"]


def test_a_dash_draft_is_not_taken_for_truth(draft: Path, run: Run, tmp_path: Path) -> None:
    draft.write_text(DASH, encoding="utf-8")
    assert doubted(run, "dash", "score", draft) == ["card 2"]
    other = tmp_path / "other.toml"
    other.write_text(DASH, encoding="utf-8")
    assert doubted(run, "dash", "score", f"Ann={draft}", f"Bo={other}") == ["Ann, card 2", "Bo, card 2"]


def test_the_session_book_keeps_the_mark(draft: Path, run: Run, tmp_path: Path) -> None:
    draft.write_text(SMUGGLER, encoding="utf-8")
    ok(run("session", "new", "Friday", "--game", "smuggler", *players("Ann", "Bo")))
    added = ok(run("session", "add", "Friday", draft, "--seat", "south=Ann", "--seat", "west=Bo"))
    assert f"warning: row 1 column 1: {UNCONFIRMED}" in added.stderr
    assert show(run)["rounds"][0]["guessed"] == ["row 1 column 1", "hand of south"]  # type: ignore[index]
    shown = ok(run("session", "show", "Friday")).output
    assert "1?" in shown
    assert "? with guesses from a photo that nobody has confirmed" in shown
    assert UNCONFIRMED in ok(run("session", "show", "Friday", "--why", 1)).output
    ok(run("session", "amend", "Friday", 1, "--set", "1,1=red5v", "--hand", "south=red6"))
    assert "guessed" not in show(run)["rounds"][0]  # type: ignore[index]
    copy = tmp_path / "friday.json"
    ok(run("session", "export", "Friday", "--out", copy))
    ok(run("session", "import", copy, "--db", tmp_path / "other.db"))
    ok(run("session", "check"))
