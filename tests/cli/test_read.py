"""The read commands: what they print, draft and mark, through the real pipeline, and what they refuse."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest

from durian_assist.cli import photo_in
from durian_assist.errors import InputError
from durian_assist.resources import shipped
from durian_assist.vision.reading import Uncertain
from tests.conftest import Run

DECK = ("--deck", "harbour-smuggler")


@pytest.fixture(scope="module")
def photo() -> Path:
    return shipped("sample_images", "smuggler-midgame-01.jpg")


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (["smuggler"], 2, "no PHOTO was given"),
        (["smuggler", "nothing.jpg"], 3, "nothing.jpg: there is no such file"),
        (["dash", "."], 3, "this is a folder"),
        (["durian", "table.toml"], 3, "this is a record, not a photo"),
        (["smuggler", "text.jpg", *DECK], 3, "text.jpg"),
        (["smuggler", "text.jpg"], 3, "a photo needs a deck"),
        (["smuggler", "text.jpg", "--deck", "harbour-dash"], 3, "this deck is for dash"),
    ],
)
def test_what_cannot_be_read(
    args: list[str], code: int, says: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("table.toml").write_text('game = "durian"\n')
    Path("text.jpg").write_text("no picture")
    result = run("read", *args)
    assert result.exit_code == code
    assert says in result.stderr


def test_a_grid_in_progress_is_read_drafted_and_drawn(run: Run, photo: Path, tmp_path: Path) -> None:
    draft, overlay = tmp_path / "draft.toml", tmp_path / "seen.png"
    result = run("read", "smuggler", photo, *DECK, "--json", "--draft", draft, "--overlay", overlay)
    assert result.exit_code == 0
    lying = sum(cell not in (None, "centre") for row in json.loads(result.stdout)["grid"] for cell in row)
    truth = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))
    assert lying == len(truth["cards"]) - 1
    assert draft.read_text(encoding="utf-8") == run("read", "smuggler", photo, *DECK).stdout
    assert overlay.stat().st_size > 10_000
    checked = run("smuggler", "check", draft, *DECK, "--json")
    assert json.loads(checked.stdout)["history"]["verdict"] == "reachable"


def test_a_correction_goes_into_the_record(run: Run, photo: Path) -> None:
    before = run("read", "smuggler", photo, *DECK).stdout
    after = run("read", "smuggler", photo, *DECK, "--set", "1,1=red?V").stdout
    assert before != after
    assert after.split('"""')[1].split()[0] == "red?v"


@pytest.mark.parametrize(
    ("correction", "says"),
    [
        ("6,6=red?v", '"6,6" is no place'),
        ("1,1=pink5v", "The deck's types are red, "),
        ("1,1=red5x", "does not say which way the card lies"),
        ("1,1=red99v", "It has red"),
    ],
)
def test_a_bad_correction_is_a_fault_of_the_command_line(run: Run, photo: Path, correction: str, says: str) -> None:
    result = run("read", "smuggler", photo, *DECK, "--set", correction)
    assert result.exit_code == 2
    assert says in result.stderr


def test_read_cards_says_what_it_may_have_left_out(run: Run) -> None:
    """Fourteen cards of this table lie in columns that touch."""
    photo = shipped("sample_images", "durian-table-04.jpg")
    said = run("read", "cards", photo, "--deck", "harbour-durian")
    assert "Cards that touch or overlap one another may be missing here: `durian-assist read durian`" in said.stdout
    notes = json.loads(run("read", "cards", photo, "--json").stdout)["notes"]
    assert notes == ["Cards that touch or overlap one another may be missing here: lay them apart."]


@pytest.mark.parametrize(
    ("args", "near"),
    [
        (["read", "durian", "text.jpg", "--deck", "harbour-dach"], "harbour-durian"),
        (["read", "dash", "text.jpg", "--deck", "harbour-durin"], "harbour-dash"),
        (["smuggler", "score", "--partial", "--set", "1,1=.", "--deck", "harbour-dasher"], "harbour-smuggler"),
    ],
)
def test_only_decks_of_the_game_are_offered(
    args: list[str], near: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text.jpg").write_text("no picture")
    refused = run(*args)
    game = near.removeprefix("harbour-")
    assert refused.exit_code == 3
    assert f"Did you mean {near}? Known decks of {game}: {near}. A folder" in refused.output


def test_a_deck_for_cards_may_be_of_any_game(run: Run) -> None:
    refused = run("read", "cards", "text.jpg", "--deck", "harbour-dach")
    assert (
        "Did you mean harbour-dash? Known decks: harbour-dash, harbour-durian and harbour-smuggler." in refused.output
    )


@pytest.mark.parametrize(
    ("game", "name", "code"), [("smuggler", "smuggler-midgame-01.jpg", 3), ("dash", "dash-market-00.jpg", 4)]
)
def test_a_photo_without_colour_says_so(game: str, name: str, code: int, run: Run, tmp_path: Path) -> None:
    import cv2

    picture = cv2.imread(str(shipped("sample_images", name)), cv2.IMREAD_GRAYSCALE)
    assert picture is not None
    cv2.imwrite(str(tmp_path / "grey.jpg"), picture)
    result = run("read", game, tmp_path / "grey.jpg", "--deck", f"harbour-{game}")
    assert result.exit_code == code
    assert f"the cards of the deck harbour-{game} are told apart by colour" in result.stderr


@pytest.mark.parametrize(("count", "said"), [(1, "for a card that could not be told"), (2, "for 2 cards that could")])
def test_guesses_that_were_accepted_are_said(
    run: Run, monkeypatch: pytest.MonkeyPatch, photo: Path, count: int, said: str
) -> None:
    reading = SimpleNamespace(uncertain=(None,) * count, to_json=lambda: {"cards": []}, to_record=lambda: "")
    monkeypatch.setattr(photo_in, "read_only", lambda *_: SimpleNamespace(reading=reading, photos=()))
    result = run("read", "dash", photo, "--accept", "--json")
    assert (result.exit_code, json.loads(result.stdout), said in result.stderr) == (0, {"cards": []}, True)


@dataclass(frozen=True)
class Sure:
    """Stands for a reading: the kinds of its cards, `?` where a card could not be told."""

    kinds: tuple[str, ...]

    @property
    def uncertain(self) -> tuple[Uncertain, ...]:
        return tuple(
            Uncertain(f"cards.{n}", f"card {n}", ("sultan", "rotten"), (), {})
            for n, kind in enumerate(self.kinds)
            if kind == "?"
        )

    def corrected(self, key: str, value: str) -> Sure:
        at = int(key.rpartition(".")[2])
        if value not in {"sultan", "rotten"}:
            raise InputError(f'"{value}" is not known')
        return Sure((*self.kinds[:at], value, *self.kinds[at + 1 :]))

    def to_json(self) -> dict[str, object]:
        return {"cards": list(self.kinds)}

    def to_record(self) -> str:
        return f"cards = {list(self.kinds)}\n"


@pytest.mark.parametrize(
    ("terminal", "flags", "typed", "code", "kinds"),
    [
        (True, (), "sultn\nrotten\n\n", 0, ["rotten", "black-pearl", "sultan"]),
        (True, (), None, 130, None),
        (True, ("--accept",), None, 0, ["?", "black-pearl", "?"]),
        (False, (), "rotten\n\n", 4, ["?", "black-pearl", "?"]),
    ],
)
def test_read_asks_on_a_terminal(
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    photo: Path,
    tmp_path: Path,
    terminal: bool,
    flags: tuple[str, ...],
    typed: str | None,
    code: int,
    kinds: list[str] | None,
) -> None:
    """Exit code 4 is for where nobody can be asked; what was answered stands in the answer and in the draft."""
    seen = SimpleNamespace(reading=Sure(("?", "black-pearl", "?")), photos=())
    monkeypatch.setattr(photo_in, "read_only", lambda *_: seen)
    stream = SimpleNamespace(isatty=lambda: terminal)
    monkeypatch.setattr(photo_in, "sys", SimpleNamespace(stdin=stream, stderr=stream))
    draft = tmp_path / "draft.toml"
    result = run("read", "dash", photo, "--json", "--draft", draft, *flags, stdin=typed)
    assert result.exit_code == code
    assert ("[1/2] card 0 (sultan or rotten?)" in result.stderr) == (terminal and not flags)
    if kinds is None:
        assert not draft.exists()
    else:
        assert json.loads(result.stdout) == {"cards": kinds}
        assert draft.read_text(encoding="utf-8") == f"cards = {kinds}\n"
