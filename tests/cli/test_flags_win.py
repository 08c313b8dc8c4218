"""Where a fault was said, and what wins: flags over records, and each fault at the place where somebody typed it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Run

GRID = """
red6v    blue-<   green-^  red-<    purple8v
blue7<   orange-v yellow4^ green9>  red-v
red-^    green-v  ##       purple-> orange5^
yellow-v blue-^   purple-< red6^    yellow-<
orange-> yellow4> blue7v   orange5< green->
"""
SEATS = {"south": "Ann", "west": "Bo", "north": "Cy", "east": "Di"}


def record(tmp_path: Path, *, seats: dict[str, str] = SEATS, top: str = "", grid: str = GRID) -> str:
    """A record with these lines above its grid."""
    file = tmp_path / "table.toml"
    names = "\n".join(f'{side} = "{name}"' for side, name in seats.items())
    file.write_text(f'game = "smuggler"\n{top}grid = """{grid}"""\n[seats]\n{names}\n')
    return str(file)


def test_a_card_that_cannot_be_is_a_fault_of_the_flag_that_said_it(run: Run, tmp_path: Path) -> None:
    result = run("smuggler", "score", record(tmp_path), "--set", "1,1=red*v", "--json")
    fault = json.loads(result.stdout)["error"]["faults"][0]
    assert (result.exit_code, fault["file"], fault["line"], fault["column"]) == (2, "command line", 1, 11)
    assert "--set 1,1=red*v" in result.stderr


def test_the_cooperative_mode_of_a_flag_wins_over_the_smuggler_of_a_record(run: Run, tmp_path: Path) -> None:
    competitive = record(tmp_path, top='mode = "competitive"\nsmuggler = "west"\n')
    won = run("smuggler", "score", competitive, "--mode", "coop", "--json")
    assert (won.exit_code, json.loads(won.stdout)["mode"]) == (0, "cooperative")
    both = run("smuggler", "score", competitive, "--mode", "cooperative", "--smuggler", "west")
    assert (both.exit_code, "nobody is the Smuggler" in both.stderr) == (2, True)


@pytest.mark.parametrize("as_rows", [False, True])
def test_each_card_that_points_to_an_empty_seat_is_shown(run: Run, tmp_path: Path, as_rows: bool) -> None:
    three = {side: name for side, name in SEATS.items() if side != "north"}
    file = record(tmp_path, seats=three, top='mode = "competitive"\nsmuggler = "west"\n')
    if as_rows:
        rows = GRID.strip().splitlines()
        body = {"game": "smuggler", "mode": "competitive", "smuggler": "west", "grid": rows, "seats": three}
        Path(file).with_suffix(".json").write_text(json.dumps(body))
        file = str(Path(file).with_suffix(".json"))
    result = run("smuggler", "score", file, "--json")
    faults = json.loads(result.stdout)["error"]["faults"]
    assert (result.exit_code, len(faults)) == (3, GRID.count("^"))
    assert all(fault["rule"] == "smuggler.empty-seat" and fault["file"] == file for fault in faults)
    if not as_rows:
        assert [(f["line"], f["column"]) for f in faults[:2]] == [(5, 19), (6, 19)]
        assert "^^^^^^^" in result.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('hands = { south = "red6" }', "the hand of south has the wrong type"),
        ('game = "dash"', "this record is of another game"),
        ("game = 1", '"game" has the wrong type'),
    ],
)
def test_wrong_types_and_games_are_faults(run: Run, tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "table.toml"
    file.write_text(f'{text}\ngrid = """{GRID}"""\n')
    result = run("smuggler", "score", str(file))
    assert (result.exit_code, said in result.stderr) == (3, True)


@pytest.mark.parametrize("cell", ["red--v", "red-?v", "red-*v"])
def test_a_card_has_one_face(run: Run, tmp_path: Path, cell: str) -> None:
    result = run("smuggler", "score", record(tmp_path, grid=GRID.replace("red6v ", cell)))
    assert (result.exit_code, "the face stands twice" in result.stderr) == (3, True)


@pytest.mark.parametrize("game", ["Smuggler", "DURIAN", "Dash"])
def test_a_game_is_read_without_regard_to_case(run: Run, tmp_path: Path, game: str) -> None:
    bodies = {
        "smuggler": f'grid = """{GRID}"""',
        "durian": "[tokens]\nAnn = [1]\nBo = [2]",
        "dash": '[[players]]\nname = "Ann"\ncollection = { sultan = 1 }',
    }
    file = tmp_path / "table.toml"
    file.write_text(f'game = "{game}"\n{bodies[game.lower()]}\n')
    assert run(game.lower(), "score", str(file)).exit_code == 0


@pytest.mark.parametrize("key", ["first", "caller"])
def test_an_empty_name_is_a_fault(run: Run, tmp_path: Path, key: str) -> None:
    file = tmp_path / "round.toml"
    inventory = 'inventory = ["strawberry 1 | banana 3", "grapes 2 | durian 1"]'
    file.write_text(f'game = "durian"\n{inventory}\norders = []\n{key} = "  "\n')
    result = run("durian", "call", str(file))
    assert (result.exit_code, f"round.toml:4:{len(key) + 4}: a player has no name" in result.stderr) == (3, True)


def test_a_draft_is_no_json_as_that_has_no_comments(run: Run, tmp_path: Path) -> None:
    result = run("smuggler", "score", record(tmp_path), "--draft", str(tmp_path / "draft.json"))
    assert (result.exit_code, "Name it draft.toml." in result.stderr) == (2, True)
    assert not (tmp_path / "draft.json").exists()


@pytest.mark.parametrize("args", [["smuggler", "legal"], ["smuggler", "setup", "x"], ["foo"], ["session", "new", "a"]])
def test_a_command_line_that_is_wrong_is_answered_in_json_too(run: Run, args: list[str]) -> None:
    result = run(*args, "--json")
    error = json.loads(result.stdout)["error"]
    assert (result.exit_code, error["exit"]) == (2, 2)
    assert error["what"]
    assert run(*args).stdout == ""


def test_a_session_says_its_mode_in_lists_and_is_opened_with_no_unknown_deck(run: Run) -> None:
    new = ("session", "new", "Friday", "--game", "smuggler", "--player", "Ann", "--player", "Bo")
    refused = run(*new, "--deck", "nope")
    assert (refused.exit_code, "nope" in refused.stderr) == (3, True)
    assert run(*new, "--mode", "competitive").exit_code == 0
    assert json.loads(run("session", "list", "--json").stdout)["sessions"][0]["mode"] == "competitive"


@pytest.mark.parametrize("text", ["", 'name = "x"\n'])
def test_a_deck_with_nothing_in_it_is_named(run: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "deck.toml").write_text(text)
    result = run("smuggler", "score", record(tmp_path), "--deck", str(tmp_path / "mine"))
    assert (result.exit_code, "deck.toml: this is no deck and no deck table" in result.stderr) == (3, True)


def test_more_points_than_the_list_has_are_said_as_halves(run: Run, tmp_path: Path) -> None:
    cells = ["red60v", *["red-^", "red->"] * 5, "red-v", "##", *["red-<", "red-^"] * 5, "blue5v", "gold6<"]
    grid = "\n".join(" ".join(cells[i : i + 5]) for i in range(0, 25, 5))
    said = run("smuggler", "score", record(tmp_path, grid=f"\n{grid}\n")).output
    assert "54½ points are more than the list of results has" in said


def test_an_order_of_sequences_that_a_game_of_two_has_not(run: Run) -> None:
    two = run("smuggler", "turn", "2", "--order", "beige-yellow-green-red")
    assert (two.exit_code, "Leave --order out." in two.stderr) == (2, True)
