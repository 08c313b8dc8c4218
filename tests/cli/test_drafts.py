"""The draft of a photo is a record with all that was typed beside it, and a comment at each guess."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from durian_assist.resources import shipped
from tests.conftest import Run


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    """Where a draft lies."""
    return tmp_path / "draft.toml"


def photo(name: str) -> Path:
    """A sample photo."""
    return shipped("sample_images", name)


def answered(run: Run, *args: object) -> dict[str, object]:
    """An answer in JSON, what it warns of left out."""
    document: dict[str, object] = json.loads(run(*args, "--json").stdout)
    assert "error" not in document
    return {key: value for key, value in document.items() if key not in ("warnings", "findings")}


def test_of_a_smuggler_table_keeps_every_flag(draft: Path, run: Run) -> None:
    deck = ("--deck", "harbour-smuggler")
    seats = ("--seat", "south=Ann,west=Bo", "--seat", "north=Cy,east=Di", "--hand", "south=red-", "--starts", "Bo")
    flags = (*seats, "--mode", "competitive", "--smuggler", "west")
    said = answered(run, "smuggler", "score", photo("smuggler-final-02.jpg"), *deck, *flags, "--draft", draft)
    assert answered(run, "smuggler", "score", draft, *deck) == said
    assert 'starts = "Bo"' in draft.read_text(encoding="utf-8")


def test_is_not_written_where_the_flags_beside_a_clear_photo_do_not_fit(draft: Path, run: Run) -> None:
    """A draft never overwrites a file: one with the slip in it would stand in the way of the command set right."""
    args = ("smuggler", "score", photo("smuggler-final-02.jpg"), "--deck", "harbour-smuggler", "--mode", "competitive")
    seats = ("--seat", "south=Ann,west=Bo", "--seat", "north=Cy,east=Di")
    assert run(*args, *seats, "--smuggler", "Eve", "--draft", draft).exit_code == 2
    assert not draft.exists()
    assert run(*args, *seats, "--smuggler", "Di", "--draft", draft).exit_code == 0
    assert 'smuggler = "Di"' in draft.read_text(encoding="utf-8")


def test_of_tokens_keeps_whose_they_are_and_says_which_number_is_a_guess(draft: Path, run: Run) -> None:
    args = ("durian", "score", photo("durian-tokens-03.jpg"), "--deck", "harbour-durian", "--at", "Ann=south")
    stopped = run(*args, "--tokens", "Bo=7", "--draft", draft)
    assert stopped.exit_code == 4
    assert "the third token, the 1 of south" in stopped.stderr
    text = draft.read_text(encoding="utf-8")
    assert "# uncertain: the third token, the 1 of Ann: 1 or 4 or 7" in text
    assert "Ann = [6, 2, 1, 3, 5]\nBo = [7]\n" in text
    mended = answered(run, "durian", "score", draft, "--set", "tokens.Ann=6,2,4,3,5")
    assert mended == answered(run, *args, "--tokens", "Bo=7", "--set", "tokens.3=4")


def test_tokens_said_anew_are_no_guess_any_more(draft: Path, run: Run) -> None:
    draft.write_text('game = "durian"\n# uncertain: the first token, the 1 of Ann: 1 or 4\n[tokens]\nAnn = [1, 2]\n')
    warned = run("durian", "score", draft)
    assert "the first token, the 1 of Ann: a guess" in warned.output
    assert "a guess" not in run("durian", "score", draft, "--tokens", "Ann=1,2").output


def test_of_a_round_of_durian_keeps_its_players(draft: Path, run: Run) -> None:
    flags = ("--players", "Ann,Bo,Cy,Di", "--first", "Ann", "--caller", "Bo", "--tokens", "Di=1")
    args = ("durian", "call", photo("durian-table-02.jpg"), "--deck", "harbour-durian")
    said = answered(run, *args, *flags, "--draft", draft)
    assert answered(run, "durian", "call", draft) == said


@pytest.mark.parametrize("named", [True, False])
def test_of_a_collection_of_dash_keeps_the_other_players(draft: Path, run: Run, named: bool) -> None:
    """Card by card the photo is asked about; the draft has the best guesses, and what the flags say beside them."""
    table = photo("dash-collection-04.jpg")
    flags = ("--player", "Jin: sultan 2, rotten 1; love sultan; last 4", "--variant", "haters")
    args = ("dash", "score", f"Hasan={table}" if named else table, "--deck", "harbour-dash", *flags)
    stopped = run(*args, "--draft", draft)
    assert stopped.exit_code == 4
    assert "# uncertain: " in draft.read_text(encoding="utf-8")
    assert answered(run, "dash", "score", draft) == answered(run, *args, "--accept")
