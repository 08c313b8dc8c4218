"""`dash score|resolve|resupply|check|setup`: the keys of the interface, flags over records, exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run

GAME = """game = "dash"
variant = "standard"
[[players]]
name = "Hasan"
collection = { red-prawn = 2, mao-shan-wang = 2, black-pearl = 3, golden-phoenix = 2, rotten = 2 }
love = ["red-prawn"]
hate = ["golden-phoenix"]
last_action = 12
[[players]]
name = "Jin"
collection = { sultan = 9 }
like = ["red-prawn"]
"""
TURN = """game = "dash"
[rows]
pahang = ["sultan", "sultan", "sultan", "rotten", "red-prawn"]
johor = ["black-pearl"]
[[players]]
name = "Jin"
action = 3
icons = ["take", "place"]
plantation = "pahang"
direction = "left"
[[players]]
name = "Hasan"
action = 21
icons = ["take", "take", "give"]
plantation = "pahang"
direction = "left"
give = ["sultan to Jin"]
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """The record in a file."""
    path = tmp_path / "game.toml"
    path.write_text(GAME, encoding="utf-8")
    return path


def answer(run: Run, *args: object, stdin: str | None = None, code: int = 0) -> Any:
    """The JSON answer of a command that ends with `code`."""
    result = run(*args, "--json", stdin=stdin)
    assert result.exit_code == code, result.output
    return json.loads(result.stdout)


def test_score_has_the_keys_of_the_interface(run: Run, game: Path) -> None:
    said = answer(run, "dash", "score", game)
    hasan = {key: said["players"]["Hasan"][key] for key in ("up", "down", "points", "place")}
    assert hasan == {"up": 15, "down": 4, "points": 11, "place": 1}
    assert (said["winners"], said["decided_by"]) == (["Hasan"], "points")
    assert [line["variety"] for line in said["players"]["Jin"]["lines"]] == [
        "mao-shan-wang",
        "black-pearl",
        "golden-phoenix",
        "red-prawn",
        "sultan",
        "rotten",
    ]


def test_score_by_flags_is_the_same(run: Run, game: Path) -> None:
    hasan = "Hasan: 2 red prawn, msw 2, bp 3, gp 2, rotten 2; love red-prawn; hate golden-phoenix; last 12"
    said = answer(run, "dash", "score", "--player", hasan, "--player", "Jin: sultan 9; like rp")
    assert said == answer(run, "dash", "score", game)


def test_flags_win_over_the_record_key_by_key(run: Run, game: Path) -> None:
    said = answer(run, "dash", "score", game, "--player", "jin: love sultan", "--variant", "haters")
    assert said["players"]["Jin"]["points"] == 27
    assert said["winners"] == ["Hasan"]


@pytest.mark.parametrize(
    ("correction", "points"),
    [("Jin.sultan=3", 3), ("jin.Sultan=3", 3), ("Jin.rotten=2", 7), ("Jin.love=sultan", 27), ("Jin.hate=sultan", -9)],
)
def test_set_corrects_one_place(run: Run, game: Path, correction: str, points: int) -> None:
    assert answer(run, "dash", "score", game, "--set", correction)["players"]["Jin"]["points"] == points


@pytest.mark.parametrize("correction", ["Zoe.sultan=3", "sultan=3", "Jin.=3", "Jin.sultan"])
def test_set_where_nothing_is(run: Run, game: Path, correction: str) -> None:
    assert run("dash", "score", game, "--set", correction).exit_code == 2


def test_set_corrects_a_card_of_a_row(run: Run) -> None:
    said = answer(run, "dash", "resolve", "-", "--set", "pahang.1=msw", stdin=TURN)
    assert said["steps"][0]["card"] == "mao-shan-wang"
    for place in ("pahang.0", "pahang.6", "penang.1"):
        assert run("dash", "resolve", "-", "--set", f"{place}=msw", stdin=TURN).exit_code == 2


def test_one_table_a_player(run: Run, tmp_path: Path) -> None:
    one, two = tmp_path / "one.toml", tmp_path / "two.toml"
    one.write_text("collection = { sultan = 2 }\n", encoding="utf-8")
    two.write_text('collection = { sultan = 1 }\nlove = ["sultan"]\n', encoding="utf-8")
    draft = tmp_path / "draft.toml"
    said = answer(run, "dash", "score", f"Hasan={one}", f"Jin={two}", "--set", "Hasan.rotten=1", "--draft", draft)
    assert {name: player["points"] for name, player in said["players"].items()} == {"Hasan": 1, "Jin": 3}
    assert answer(run, "dash", "score", draft)["players"]["Jin"] == said["players"]["Jin"]
    alone = answer(run, "dash", "score", two)
    assert (alone["players"]["player"]["points"], alone["winners"]) == (3, [])


def test_one_table_a_player_twice_the_same_name(run: Run, game: Path) -> None:
    assert run("dash", "score", f"Jin={game}", f"jin={game}").exit_code == 2
    assert run("dash", "score", f"Jin={game}").exit_code == 2


def test_one_file_is_not_the_table_of_two_players(run: Run, game: Path) -> None:
    refused = run("dash", "score", f"Jin={game}", f"Hasan={game.parent / '.' / game.name}")
    assert refused.exit_code == 2
    assert "this is the file of Jin already" in refused.stderr


def test_resolve_has_the_keys_of_the_interface(run: Run) -> None:
    said = answer(run, "dash", "resolve", "-", stdin=TURN)
    assert said["order"] == ["Jin", "Hasan"]
    assert said["rows"]["pahang"] == ["sultan", "rotten", "red-prawn"]
    assert said["collections"] == {"Jin": {"sultan": 1}, "Hasan": {"sultan": 1}}
    assert said["claimed"] is None


def test_resolve_by_flags_is_the_same(run: Run) -> None:
    rows = ["--row", "pahang=sultan,sultan,sultan,rotten,rp", "--row", "johor=bp"]
    turns = ["--turn", "Jin 3: take, place; left into pahang"]
    turns += ["--turn", "Hasan 21: take, take, give; left into pahang; gives sultan to Jin"]
    said = answer(run, "dash", "resolve", *rows, *turns)
    assert said == answer(run, "dash", "resolve", "-", stdin=TURN)


def test_a_choice_that_nobody_recorded_breaks_no_rule(run: Run) -> None:
    rows = ["--row", "pahang=sultan", "--row", "johor=sultan"]
    other = ["--turn", "Hasan 21: take; left into pahang"]
    for icon in ("place", "give"):
        turn = f"Jin 3: {icon}; left into pahang; holds rotten 1, sultan 1"
        said = answer(run, "dash", "resolve", *rows, "--turn", turn, *other, code=3)
        assert said["complete"] is False
        assert f"which card Jin decides to {icon} is not recorded" in said["findings"][0]["message"]
    wrong = [*rows, "--turn", "Jin 3: give; left into pahang; holds rotten 1; gives sultan to Hasan", *other]
    answer(run, "dash", "resolve", *wrong, code=1)


def test_resolve_compares_what_was_claimed(run: Run) -> None:
    claims = ["Jin: take sultan", "Jin: place sultan", "Hasan: take sultan", "Hasan: take sultan"]
    flags = [part for claim in claims for part in ("--claimed", claim)]
    right = answer(run, "dash", "resolve", "-", *flags, "--claimed", "Hasan: give sultan to Jin", stdin=TURN)
    assert right["claimed"] == {"right": True, "first_difference": None}
    wrong = answer(run, "dash", "resolve", "-", *flags, stdin=TURN, code=1)
    assert wrong["claimed"]["first_difference"]["step"] == 5
    text = run("dash", "resolve", "-", *flags, stdin=TURN).stdout
    assert "First difference: step 5: Hasan: give sultan to Jin was left out. [dash.give]" in text


def test_resupply_has_the_keys_of_the_interface(run: Run) -> None:
    rows = ["--row", "pahang=sultan,rotten,rp", "--row", "johor=bp,bp,bp,bp"]
    said = answer(run, "dash", "resupply", "--players", "2", "--deck-cards", "rp,rp,rp", *rows)
    assert [step["action"] for step in said["steps"]] == ["refill", "leave"]
    assert said["rows"]["pahang"] == ["sultan", "rotten", "red-prawn", "red-prawn", "red-prawn"]
    assert (said["last_round"], said["deck"]) == (False, 1)
    last = answer(run, "dash", "resupply", "--players", "2", "--deck-cards", "2", *rows)
    assert last["last_round"] is True
    assert "The next round is the last" in run("dash", "resupply", "--players", "2", "--deck-cards", "2", *rows).stdout


@pytest.mark.parametrize(("deck", "legal", "code"), [(18, True, 0), (17, False, 1), (19, False, 1), (None, None, 0)])
def test_check_adds_cards_up(run: Run, deck: int | None, legal: bool | None, code: int) -> None:
    record = 'removed = 4\n[rows]\npahang = ["rotten"]\njohor = ["?", "sultan"]\n'
    players = (
        '[[players]]\nname = "A"\ncollection = { sultan = 3 }\n[[players]]\nname = "B"\ncollection = { rotten = 2 }\n'
    )
    head = "" if deck is None else f"deck = {deck}\n"
    assert answer(run, "dash", "check", "-", stdin=head + record + players, code=code)["legal"] is legal
    assert ("All cards are there" in run("dash", "check", "-", stdin=head + record + players).stdout) == (legal is True)


@pytest.mark.parametrize(("players", "game", "row"), [(2, 30, 5), (3, 40, 6), (4, 50, 7), (5, 60, 8), (6, 60, 9)])
def test_game_setup_numbers(run: Run, players: int, game: int, row: int) -> None:
    said = answer(run, "dash", "setup", players)
    numbers = [said[key] for key in ("cards_in_game", "row", "laid_out", "deck")]
    assert numbers == [game, row, 2 * row, game - 2 * row]
    assert run("dash", "setup", 7).exit_code == 2


def test_who_wins_with_fewer_thumbs_up_wins_by_points(run: Run) -> None:
    said = run("dash", "score", "--player", "Ann: sultan 3", "--player", "Bo: sultan 4, rotten 3").output
    assert "Ann wins: most points (thumbs up less thumbs down)." in said


@pytest.mark.parametrize("name", ["black  pearl", "black\tpearl", "Black\n pearl", "black-pearl"])
@pytest.mark.parametrize("form", ["{} 2", "2 {}", "{}\t 2", "2  {} ,"])
def test_any_white_space_stands_in_a_flag(run: Run, name: str, form: str) -> None:
    cards = form.format(name)
    said = answer(run, "dash", "score", "--player", f"Ann: sultan 1, {cards}")
    assert said["players"]["Ann"]["points"] == 3
    jin = f"Jin\t3: take; left  into\tpahang; holds {cards}"
    round_ = ("--row", "pahang=rp", "--row", "johor=", "--turn", jin, "--turn", "Bo 4: take; left into johor")
    assert answer(run, "dash", "resolve", *round_)["collections"]["Jin"] == {"black-pearl": 2, "red-prawn": 1}


@pytest.mark.parametrize("word", ["takes", "Takes", "chooses"])
def test_a_card_that_was_taken_is_recorded_as_the_answer_says(run: Run, word: str) -> None:
    rows = ("--row", "pahang=rp,sultan", "--row", "johor=gp", "--reading", "take=any")
    turns = ("Jin 3: take; left into pahang", "Bo 4: take; left into johor")
    asked = run("dash", "resolve", *rows, "--turn", turns[0], "--turn", turns[1])
    assert '"takes sultan" in --turn' in asked.stdout
    said = answer(run, "dash", "resolve", *rows, "--turn", f"{turns[0]}; {word} sultan", "--turn", turns[1])
    assert said["collections"]["Jin"] == {"sultan": 1}


def test_skip_stands_for_the_choice_of_a_skipped_icon(run: Run) -> None:
    rows = ("--row", "pahang=rp", "--row", "johor=")
    gives = "P1 22: give, take, give; left into pahang; gives"
    others = ("--turn", "P3 31: take; left into johor", "--turn", "P5 32: take; left into johor")
    for choices in ("red-prawn to P3", "Skip, red-prawn to P3"):
        said = answer(run, "dash", "resolve", *rows, "--turn", f"{gives} {choices}", *others)
        assert said["collections"]["P3"] == {"red-prawn": 1}
    said = answer(run, "dash", "resolve", *rows, "--turn", f"{gives} sultan to P5, red-prawn to P3", *others, code=3)
    assert [finding["rule"] for finding in said["findings"]] == ["dash.skip"]


def test_a_number_below_zero_is_told_as_one(run: Run) -> None:
    said = run(
        "dash", "resupply", "--players", 4, "--deck-cards", -3, "--row", "pahang=sultan", "--row", "johor=sultan"
    )
    assert said.exit_code == 2
    assert "expected a whole number from 0 to 60, found the whole number -3" in said.stderr
