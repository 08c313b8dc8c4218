"""`smuggler score|check|legal|setup|turn` on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run

FULL = '''game = "smuggler"
grid = """
red6<    yellow-^ red-<    blue->   green9^
yellow-^ red-v    yellow-^ red-v    blue->
blue8>   yellow-v ##       blue->   red6v
yellow-v red-<    yellow-v red-<    blue-^
red-<    yellow-^ red-<    green-> blue8>
"""
[seats]
south = "Ann"
west = "Bo"
north = "Cy"
east = "李"
[hands]
south = ["red-"]
west = ["blue-"]
north = ["red-"]
east = ["green4"]
'''


def answer(run: Run, *args: object, stdin: str | None = None, exit_code: int = 0) -> Any:
    result = run(*args, "--json", stdin=stdin)
    assert result.exit_code == exit_code, result.output
    return json.loads(result.stdout)


def test_score_json_has_the_keys_of_the_interface(run: Run) -> None:
    said = answer(run, "smuggler", "score", "-", stdin=FULL)
    assert {"status", "mode", "total", "result", "seats", "cards", "warnings"} <= set(said)
    assert (said["status"], said["mode"], said["total"], said["result"]) == ("final", "cooperative", 33, "salary raise")
    assert said["seats"]["east"] == {"player": "李", "role": "security", "points": 12, "place": None}
    assert {"row", "column", "type", "badge", "placed_by", "points", "rule"} <= set(said["cards"][0])
    assert said["cards"][0]["placed_by"] == "west"
    grid = [card for card in said["cards"] if card["row"] is not None]
    assert len(grid) == 24
    assert sum(card["points"] for card in said["cards"]) == said["total"]


def test_score_text_shows_the_grid_with_points_in_the_cells(run: Run) -> None:
    text = run("smuggler", "score", "-", stdin=FULL).stdout
    assert "|  red6 <   | yellow- ^ |" in text
    assert "|    +6     |" in text
    assert "left: Bo (west); right: 李 (east)" in text
    assert "Total 33: salary raise. [smuggler.bands]" in text
    lines = [line for line in text.splitlines() if line.startswith("     +") or line[4:6] == " |"]
    assert len({len(line) for line in lines}) == 1


def test_a_flag_wins_over_the_record(run: Run) -> None:
    flags = ["--hand", "east=green-", "--seat", "east=Di", "--set", "1,1=red-<"]
    said = answer(run, "smuggler", "score", "-", *flags, stdin=FULL)
    assert said["seats"]["east"] == {"player": "Di", "role": "security", "points": 16, "place": None}
    assert said["seats"]["west"]["points"] == 0


def test_set_takes_away_and_adds_cards_and_hands(run: Run) -> None:
    said = answer(run, "smuggler", "score", "-", "--set", "1,1=.", "--partial", stdin=FULL)
    assert said["status"] == "partial"
    assert said["result"] is None
    said = answer(run, "smuggler", "score", "-", "--set", "hand.east=green-", stdin=FULL)
    assert said["seats"]["east"]["points"] == 16
    rows = json.dumps({"grid": ["red6v . . . .", ". . . . .", ". . ## . .", ". . . . .", ". . . . ."]})
    assert answer(run, "smuggler", "score", "-", "--partial", "--set", "5,5=red6^", stdin=rows)["total"] == 12


def test_competitive_by_name_and_by_side(run: Run) -> None:
    for who in ("Bo", "west", "w", "<"):
        said = answer(run, "smuggler", "score", "-", "--mode", "comp", "--smuggler", who, stdin=FULL)
        assert said["seats"]["west"]["role"] == "smuggler"
        assert said["seats"]["west"]["points"] == -6
        assert {side: seat["place"] for side, seat in said["seats"].items()} == {
            "south": 3, "west": 4, "north": 2, "east": 1,
        }  # fmt: skip
    text = run("smuggler", "score", "-", "--mode", "competitive", "--smuggler", "Bo", stdin=FULL).stdout
    assert "李 has the most points of this round: 12. [smuggler.competitive]" in text


def test_check_json_has_the_keys_of_the_interface(run: Run) -> None:
    said = answer(run, "smuggler", "check", "-", stdin=FULL)
    assert {"legal", "findings", "history"} <= set(said)
    assert said["legal"] is True
    assert {"verdict", "starts", "order"} <= set(said["history"])
    assert len(said["history"]["order"]) == 24
    row, column, side = said["history"]["order"][0]
    assert (row, column) in [(2, 3), (3, 2), (3, 4), (4, 3)]
    assert side == said["history"]["starts"][0]


def test_the_order_given_reads_as_moves(run: Run) -> None:
    said = answer(run, "smuggler", "check", "-", stdin=FULL)
    moves = f"moves = {json.dumps(said['history']['order'])}\n"
    assert answer(run, "smuggler", "check", "-", stdin=moves + FULL)["legal"] is True
    order = said["history"]["order"]
    order[3], order[4] = order[4], order[3]
    again = answer(run, "smuggler", "check", "-", stdin=f"moves = {json.dumps(order)}\n" + FULL, exit_code=1)
    assert again["findings"][0]["rule"] == "smuggler.turn-order"


def test_check_names_one_legal_order_or_the_repair(run: Run) -> None:
    text = run("smuggler", "check", "-", stdin=FULL).stdout
    assert "Numbers: one legal order of play." in text
    assert "Legal." in text
    result = run("smuggler", "check", "-", "--set", "1,1=red6v", stdin=FULL)
    assert result.exit_code == 1
    assert "row 1, column 1 to west" in result.stdout


def test_exchange_is_looked_for_when_asked(run: Run) -> None:
    flags = ["--set", "1,1=red6^", "--set", "5,2=yellow-<"]
    said = answer(run, "smuggler", "check", "-", *flags, "--exchange", stdin=FULL, exit_code=1)
    assert said["history"]["repairs"] == []
    assert said["history"]["exchanges"]
    assert said["history"]["longest"]["placements"] >= 20


def test_legal_json_has_the_keys_of_the_interface(run: Run) -> None:
    said = answer(run, "smuggler", "legal", "-", "--side", "Cy", "--set", "1,1=.", "--set", "5,5=.", stdin=FULL)
    assert {"side", "cells", "exemption"} <= set(said)
    assert said["side"] == "north"
    assert said["findings"] == []


def test_legal_says_whose_turn_it_is(run: Run) -> None:
    said = answer(run, "smuggler", "legal", "--side", "south", "--starts", "west", "--set", "2,3=red?<")
    assert [finding["message"] for finding in said["findings"]] == ["It is the turn of north, not of south."]
    assert answer(run, "smuggler", "legal", "-", "--side", "south", stdin=FULL)["cells"] == []


def test_setup_and_turn(run: Run) -> None:
    assert "deal 4 to each player" in run("smuggler", "setup", "4").stdout
    assert "beige, yellow, red, green" in run("smuggler", "setup", "4").stdout
    rounds = answer(run, "smuggler", "turn", "4", "--starts", "west")["rounds"]
    assert [one["active"] for one in rounds] == ["west", "north", "east", "south", "west", "north"]
    one = answer(run, "smuggler", "turn", "4", "--round", "3", "--order", "beige-red-yellow-green")
    assert one["sequences"] == ["yellow"]
    assert "1: south hands a card to the left, to west." in run("smuggler", "turn", "1", "--round", "1").stdout


@pytest.mark.parametrize("order", ["beige-yellow-green-red", "beige-yellow-red-green", "beige-red-yellow-green"])
@pytest.mark.parametrize("start", ["south", "west", "north", "east"])
def test_with_three_players_nobody_faces_red(run: Run, start: str, order: str) -> None:
    """The sequences lie clockwise as the sides do, so that start and order tell the empty side, and so on."""
    sides = ["south", "west", "north", "east"]
    empty = sides[(sides.index(start) + order.split("-").index("red")) % 4]
    seated = [side for side in sides if side != empty]
    for flags in (["--starts", start], ["--absent", empty], ["--starts", start, "--absent", empty]):
        said = answer(run, "smuggler", "turn", "3", "--order", order, *flags)
        assert (said["rounds"][0]["active"], said["absent"], said["assumed"]) == (start, empty, [])
        assert sorted(said["rounds"][0]["order"]) == sorted(seated)
    for other in seated:
        wrong = run("smuggler", "turn", "3", "--order", order, "--starts", start, "--absent", other)
        assert (wrong.exit_code, "red would face" in wrong.stderr) == (2, other != start)


def test_seats_that_nobody_named_are_said(run: Run) -> None:
    said = answer(run, "smuggler", "turn", "3", "--starts", "north")
    assert (said["absent"], [step["rule"] for step in said["assumed"]]) == ("west", ["smuggler.setup"])
    assert "note: West is taken to be the empty side" in run("smuggler", "turn", "3", "--starts", "north").stdout
    one = answer(run, "smuggler", "turn", "3", "--absent", "west", "--round", "2")
    assert [step["rule"] for step in one["assumed"]] == ["smuggler.turn-order"]
    assert answer(run, "smuggler", "turn", "4", "--starts", "west")["assumed"] == []
    unsaid = run("smuggler", "turn", "3", "--absent", "south")
    assert (unsaid.exit_code, "which side faces beige was not said" in unsaid.stderr) == (2, True)


@pytest.mark.parametrize(
    ("args", "exit_code"),
    [
        (["turn", "3", "--absent", "south"], 2),
        (["turn", "4", "--absent", "south"], 2),
        (["turn", "5"], 2),
        (["turn", "4", "--round", "9"], 2),
        (["setup", "2", "--mode", "solo"], 2),
        (["score"], 2),
        (["legal", "--side", "up", "--set", "2,3=red?v"], 2),
        (["score", "--set", "nonsense"], 2),
        (["score", "no-such-file.toml"], 3),
    ],
)
def test_wrong_command_lines(run: Run, args: list[str], exit_code: int) -> None:
    result = run("smuggler", *args)
    assert result.exit_code == exit_code
    assert "durian-assist" in result.stderr


def test_a_deck_table_in_a_file(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "mine.toml"
    kinds = (("red", 9, 2, 6), ("yellow", 9, 0, 4), ("blue", 8, 2, 8), ("green", 2, 2, 9))
    table.write_text("".join(
        f'[[type]]\nname = "{name}"\ncards = {cards}\ndurians = {durians}\nbadge = {badge}\n'
        for name, cards, durians, badge in kinds
    ))  # fmt: skip
    said = answer(run, "smuggler", "check", "-", "--deck", table, stdin=FULL, exit_code=1)
    messages = [finding["message"] for finding in said["findings"] if finding["severity"] == "error"]
    assert "A green Durian shows 4, but the deck's green Durians show 9." in messages
    assert "11 red cards are on the table, but the deck has 9." in messages


def test_a_round_is_saved_to_a_session(run: Run) -> None:
    assert (
        run(
            "session",
            "new",
            "Friday",
            "--game",
            "smuggler",
            *[x for n in ("Ann", "Bo", "Cy", "李") for x in ("--player", n)],
        ).exit_code
        == 0
    )
    result = run("smuggler", "score", "-", "--save", "Friday", stdin=FULL)
    assert result.exit_code == 0, result.output
    assert "Saved as round 1 of Friday." in result.stderr


def test_a_draft_of_a_record_has_the_corrections_in_it(run: Run, tmp_path: Path) -> None:
    draft = tmp_path / "draft.toml"
    first = answer(run, "smuggler", "score", "-", "--set", "1,1=red4<", "--draft", draft, stdin=FULL)
    assert "red4<" in draft.read_text(encoding="utf-8")
    assert answer(run, "smuggler", "score", draft)["total"] == first["total"]


def test_a_grid_that_is_not_full_is_scored_but_not_saved(run: Run) -> None:
    assert run("session", "new", "S", "--game", "smuggler", "--player", "Ann", "--player", "Bo").exit_code == 0
    seats = ["--seat", "south=Ann", "--seat", "west=Bo"]
    refused = run("smuggler", "score", "--partial", "--set", "2,3=red6v", *seats, "--save", "S")
    assert (refused.exit_code, refused.stdout) == (3, "")
    assert "no round for the book" in refused.stderr


def test_seats_may_be_given_together(run: Run) -> None:
    cells = "--set", "3,4=red-v", "--set", "2,3=blue-<"
    said = json.loads(run("smuggler", "score", *cells, "--partial", "--seat", "south=Ann,west=Bo", "--json").stdout)
    assert {side: seat["player"] for side, seat in said["seats"].items() if seat["player"]} == {
        "south": "Ann",
        "west": "Bo",
    }


@pytest.mark.parametrize("seat", ["south=Ann,Bo", "south=Ann=Bo", "south"])
def test_a_seat_that_is_no_seat_is_refused(run: Run, seat: str) -> None:
    result = run("smuggler", "score", "--set", "3,4=red-v", "--partial", "--seat", seat)
    assert result.exit_code == 2
    assert 'a name has no "," and no "="' in result.stderr


def test_sides_that_nobody_named_are_called_blind_decks_without_a_player(run: Run) -> None:
    result = run("smuggler", "score", "--set", "3,4=red-v", "--set", "2,3=blue-<", "--partial", "--seat", "west=Bo")
    assert "south is not named: taken for a blind deck, where no player sits." in result.output


@pytest.mark.parametrize("flags", [["--smuggler", "none"], []])
def test_none_as_the_smuggler_is_true_of_a_cooperative_game(run: Run, flags: list[str]) -> None:
    """A competitive record of which flags make a cooperative one."""
    record = FULL.replace("grid", 'mode = "competitive"\nsmuggler = "none"\ngrid', 1)
    said = answer(run, "smuggler", "score", "-", "--mode", "cooperative", *flags, stdin=record)
    assert (said["mode"], said["total"]) == ("cooperative", 33)


def test_an_arrow_may_be_a_capital_letter(run: Run) -> None:
    record = FULL.replace("red-v", "red-V", 1)
    said = answer(run, "smuggler", "score", "-", "--set", "1,2=yellow-V", stdin=record)
    before = answer(run, "smuggler", "score", "-", "--set", "1,2=yellow-v", stdin=FULL)
    assert said["cards"] == before["cards"]
