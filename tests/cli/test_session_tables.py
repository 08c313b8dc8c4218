"""Rounds that come to a session as tables: records, flags, corrections, `--save`; and what is worked out later."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from durian_assist.resources import shipped
from tests.cli.test_session import ok, players, show
from tests.conftest import Run

SMUGGLER = '''game = "smuggler"
mode = "competitive"
smuggler = "west"
grid = """
red5v   blue-<   green-^  red-<    plum4>
blue5<  red-^    plum7v   blue->   green-^
red-^   green4v  ##       plum->   red-<
plum-v  red-<    blue-^   green-v  blue->
green-> plum-v   red-<    blue-^   plum->
"""
[seats]
south = "Ann"
west = "Bo"
north = "Cy"
east = "Di"
[hands]
south = ["red6"]
'''
DURIAN = """game = "durian"   # as we played it
players = ["Ann", "Bo", "Cy"]
first = "Ann"
inventory = ["strawberry 1 | banana 3", "gorilla murphy", "grapes 2 | durian 1"]
orders = ["grapes 3 | strawberry 1", "banana 3 | durian 1"]
caller = "Cy"
"""
DASH = """game = "dash"
[[players]]
name = "Ann"
collection = { red-prawn = 2, mao-shan-wang = 2, black-pearl = 3, golden-phoenix = 2, rotten = 2 }
love = ["red-prawn"]
hate = ["golden-phoenix"]
[[players]]
name = "Bo"
collection = { sultan = 2, mao-shan-wang = 1 }
"""


@pytest.fixture
def table(tmp_path: Path) -> Any:
    """`table("name", text)` writes a record and gives its path."""

    def write(name: str, text: str) -> Path:
        path = tmp_path / f"{name}.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def friday(run: Run) -> None:
    """A session of Smuggler for four."""
    ok(run("session", "new", "Friday", "--game", "smuggler", *players("Ann", "Bo", "Cy", "Di")))


def rows(run: Run) -> list[dict[str, Any]]:
    """The rounds of the session Friday."""
    found: list[dict[str, Any]] = show(run)["rounds"]  # type: ignore[assignment]
    return found


@pytest.mark.usefixtures("friday")
def test_a_smuggler_table_adds_each_players_own_cards(run: Run, table: Any) -> None:
    """Two touching 5s: Ann loses half, Bo, the Smuggler, gains half; Ann's 7 and 4 are alone, her 6 is left in hand."""
    ok(run("session", "add", "Friday", table("one", SMUGGLER)))
    row = rows(run)[0]
    assert row["points"] == {"Ann": 2.5, "Bo": 2.5, "Cy": 0, "Di": 4}
    assert row["smuggler"] == "Bo"
    assert row["source"] == "one.toml"


@pytest.mark.usefixtures("friday")
def test_another_reading_is_tried_and_not_kept(run: Run, table: Any) -> None:
    ok(run("session", "add", "Friday", table("one", SMUGGLER)))
    ok(run("session", "add", "Friday", "--points", "Ann=1"))
    tried = show(run, "Friday", "--reading", "half-points=down")
    assert tried["totals"] == {"Ann": 4, "Bo": 2, "Cy": 0, "Di": 4}
    assert tried["tried"] == [
        "Tried with half-points=down; nothing of this is kept.",
        "Left as stored, without a record: round 2.",
    ]
    assert show(run)["totals"] == {"Ann": 3.5, "Bo": 2.5, "Cy": 0, "Di": 4}
    assert "Tried with half-points=down" in ok(run("session", "show", "Friday", "--reading", "half-points=down")).output


@pytest.mark.usefixtures("friday")
def test_why_lists_every_line_with_its_rule_and_the_lines_add_up(run: Run, table: Any) -> None:
    ok(run("session", "add", "Friday", table("one", SMUGGLER)))
    document = json.loads(ok(run("session", "show", "Friday", "--why", 1, "--json")).stdout)
    ann = [line for line in document["lines"] if line["player"] == "Ann (south)"]
    assert sum(line["points"] for line in ann) == 2.5
    assert {line["rule"] for line in ann} >= {"smuggler.adjacent", "smuggler.isolated", "smuggler.hand"}
    assert document["versions"][0]["data"]["record"] == SMUGGLER
    assert "smuggler.adjacent" in ok(run("session", "show", "Friday", "--why", 1)).output


@pytest.mark.usefixtures("friday")
def test_a_stored_record_is_corrected_cell_by_cell(run: Run, table: Any) -> None:
    ok(run("session", "add", "Friday", table("one", SMUGGLER), "--set", "1,5=plum->"))
    assert show(run)["totals"] == {"Ann": 2.5, "Bo": 2.5, "Cy": 0, "Di": 0}
    ok(run("session", "amend", "Friday", 1, "--set", "1,1=red-v", "--smuggler", "Cy"))
    assert show(run)["totals"] == {"Ann": 5, "Bo": 5, "Cy": 0, "Di": 0}
    why = ok(run("session", "show", "Friday", "--why", 1)).output
    assert "Corrected by a person: 1,5=plum->, 1,1=red-v and smuggler=Cy" in why
    ok(run("session", "undo", "Friday"))
    assert show(run)["totals"] == {"Ann": 2.5, "Bo": 2.5, "Cy": 0, "Di": 0}


@pytest.mark.usefixtures("friday")
def test_seats_are_named_by_flags(run: Run, table: Any) -> None:
    record = table("one", SMUGGLER.replace("[seats]", "[seats]\n").replace('"Ann"', '"Zoe"'))
    refused = run("session", "add", "Friday", record)
    assert refused.exit_code == 3
    assert '"Zoe" is not known' in refused.output
    ok(run("session", "add", "Friday", record, "--seat", "south=ann"))
    assert show(run)["totals"] == {"Ann": 2.5, "Bo": 2.5, "Cy": 0, "Di": 4}


def test_a_cooperative_table_has_one_result_for_all(run: Run, table: Any) -> None:
    ok(run("session", "new", "Co", "--game", "smuggler", "--mode", "cooperative", *players("Ann", "Bo", "Cy", "Di")))
    record = SMUGGLER.replace('mode = "competitive"\nsmuggler = "west"\n', "")
    ok(run("session", "add", "Co", table("one", record)))
    document = show(run, "Co")
    assert document["best"] == {"round": 1, "points": 4, "result": "fired"}
    assert document["leaders"] == []


def test_a_photo_is_kept_with_its_hash_and_what_was_read(run: Run) -> None:
    photo = shipped("sample_images", "smuggler-final-02.jpg")
    seats = ("--seat", "west=Ann", "--seat", "north=Bo", "--seat", "east=Cy")
    more = ("--mode", "competitive", "--deck", "harbour-smuggler")
    ok(run("session", "new", "Friday", "--game", "smuggler", *players("Ann", "Bo", "Cy"), *more))
    ok(run("session", "add", "Friday", photo, *seats, "--smuggler", "Ann", "--set", "1,1=red-<"))
    document = json.loads(ok(run("session", "show", "Friday", "--why", 1, "--json")).stdout)
    data = document["versions"][0]["data"]
    assert data["photos"] == [{"name": photo.name, "sha256": sha256(photo.read_bytes()).hexdigest()}]
    assert data["read"]["grid"][0][0]["type"] != "red"
    assert data["corrected"] == ["1,1=red-<"]
    assert sum(line["points"] for line in document["lines"]) == sum(document["points"].values())
    again = ok(run("session", "add", "Friday", photo, *seats, "--smuggler", "Ann"))
    assert "smuggler-final-02.jpg is the photo of round 1 already" in again.stderr
    ok(run("session", "undo", "Friday"))
    ok(run("session", "undo", "Friday"))
    assert "already" not in ok(run("session", "add", "Friday", photo, *seats, "--smuggler", "Ann")).stderr


def test_the_same_record_twice_is_told(run: Run, table: Any) -> None:
    ok(run("session", "new", "Friday", "--game", "smuggler", *players("Ann", "Bo", "Cy", "Di")))
    one = table("one", SMUGGLER)
    ok(run("session", "add", "Friday", one))
    said = "this is the very record of round 1: if that is a mistake"
    assert said in ok(run("session", "add", "Friday", one)).stderr
    ok(run("session", "undo", "Friday"))
    assert said in ok(run("smuggler", "score", one, "--save", "Friday")).stderr
    ok(run("session", "undo", "Friday"))
    assert said not in ok(run("session", "add", "Friday", table("two", SMUGGLER.replace("plum4", "plum5")))).stderr


@pytest.mark.parametrize(
    ("game", "record", "members", "spoil"),
    [
        ("smuggler", SMUGGLER, "Ann Bo Cy Di", {"points": {"Ann": "100", "Bo": "0", "Cy": "0", "Di": "4"}}),
        ("dash", DASH, "Ann Bo", {"winners": ["Bo"]}),
        ("durian", DURIAN, "Ann Bo Cy", {"takes": "Cy"}),
    ],
)
def test_stored_points_are_held_against_their_record(
    game: str, record: str, members: str, spoil: dict[str, Any], run: Run, table: Any, tmp_path: Path
) -> None:
    ok(run("session", "new", "S", "--game", game, *players(*members.split())))
    ok(run("session", "add", "S", table("one", record)))
    assert "sound; every total" in ok(run("session", "check")).output
    export = json.loads(ok(run("session", "export", "S")).stdout)
    for rules, code in ((None, 1), ("0.0.1+0", 0)):
        entry = export["sessions"][0]["entries"][1]
        entry["result"] |= spoil
        entry["rules"] = rules or entry["rules"]
        file, book = tmp_path / f"{code}.json", tmp_path / f"{code}.sqlite"
        file.write_text(json.dumps(export), encoding="utf-8")
        said = "S, round 1: stored is "
        assert f"warning: {said}" in ok(run("session", "import", file, "--db", book)).stderr
        checked = run("session", "check", "--db", book)
        assert (checked.exit_code, said in checked.stdout) == (code, True)
        assert ("saved under other rules" in checked.stdout) == (code == 0)


def test_the_sessions_mode_goes_into_a_record_that_names_none(run: Run, table: Any) -> None:
    more = ("--mode", "competitive")
    ok(run("session", "new", "Friday", "--game", "smuggler", *players("Ann", "Bo", "Cy", "Di"), *more))
    ok(run("session", "add", "Friday", table("one", SMUGGLER.replace('mode = "competitive"\n', ""))))
    document = json.loads(ok(run("session", "show", "Friday", "--why", 1, "--json")).stdout)
    assert 'mode = "competitive"' in document["versions"][0]["data"]["record"]


def test_the_sessions_deck_is_used_for_its_rounds(run: Run, table: Any) -> None:
    deck = table("deck", '[[type]]\nname = "red"\ncards = 28\ndurians = 2\nbadge = 5\n')
    ok(run("session", "new", "Friday", "--game", "smuggler", *players("Ann", "Bo", "Cy", "Di"), "--deck", deck))
    refused = run("session", "add", "Friday", table("one", SMUGGLER))
    assert refused.exit_code == 3
    assert "blue" in refused.output


DECK = "".join(
    f'[[type]]\nname = "{name}"\ncards = {cards}\ndurians = 2\nbadge = {badge}\n'
    for name, cards, badge in (("red", 7, 5), ("blue", 7, 5), ("green", 7, 4), ("plum", 7, 4))
)


@pytest.mark.parametrize("given", ["new", "add"])
def test_a_deck_is_kept_and_done_without_where_it_is_gone(run: Run, table: Any, given: str) -> None:
    deck = table("deck", DECK)
    options = {given: ("--deck", deck)}
    members = players("Ann", "Bo", "Cy", "Di")
    ok(run("session", "new", "Friday", "--game", "smuggler", *members, *options.get("new", ())))
    ok(run("session", "add", "Friday", table("one", SMUGGLER.replace("plum4>", "plum*>")), *options.get("add", ())))
    ok(run("session", "amend", "Friday", 1, "--set", "1,5=plum4>"))
    assert show(run)["totals"] == {"Ann": 2.5, "Bo": 2.5, "Cy": 0, "Di": 4}
    deck.unlink()
    why = ok(run("session", "show", "Friday", "--why", 1)).output
    assert "deck.toml is not there any more" in why


def test_a_round_of_durian_gives_its_token(run: Run, table: Any) -> None:
    ok(run("session", "new", "Bell", "--game", "durian", *players("Ann", "Bo", "Cy")))
    ok(run("session", "add", "Bell", table("one", DURIAN)))
    ok(run("session", "amend", "Bell", 1, "--set", "orders.1=grapes 2 | strawberry 1"))
    ok(run("session", "undo", "Bell"))
    document = show(run, "Bell")
    assert document["tokens"] == {"Ann": [], "Bo": [1], "Cy": []}
    assert "durian.compare" in ok(run("session", "show", "Bell", "--why", 1)).output
    assert show(run, "Bell", "--reading", "compare=total")["tokens"] == {"Ann": [], "Bo": [], "Cy": [1]}


def test_a_round_of_durian_that_names_nobody_who_went_first_says_so(run: Run, table: Any) -> None:
    ok(run("session", "new", "Bell", "--game", "durian", *players("Ann", "Bo", "Cy")))
    without = "\n".join(line for line in DURIAN.splitlines() if not line.startswith(("first", "caller")))
    refused = run("session", "add", "Bell", table("one", without))
    assert refused.exit_code == 3
    assert "it names no first and no caller" in refused.output
    assert "--first NAME and --caller NAME" in refused.output
    assert "--takes NAME" in refused.output


def test_a_round_without_names_has_those_of_the_session_and_says_so(run: Run, table: Any) -> None:
    ok(run("session", "new", "Bell", "--game", "durian", *players("Ann", "Bo", "Cy")))
    left_out = ("first", "caller", "players")
    without = table("one", "\n".join(line for line in DURIAN.splitlines() if not line.startswith(left_out)))
    said = "the round names no players: taken from the session, clockwise Ann, Bo and Cy"
    saved = ok(run("durian", "call", without, "--first", "Ann", "--caller", "Cy", "--save", "Bell", "--json"))
    answer = json.loads(saved.stdout)
    assert (answer["takes_token"], answer["next_starter"]) == ("Bo", "Cy")
    assert said in saved.stdout
    added = ok(run("session", "add", "Bell", without, "--first", "Ann", "--caller", "Cy"))
    assert f"warning: {said}" in added.stderr
    assert show(run, "Bell")["tokens"] == {"Ann": [], "Bo": [1, 2], "Cy": []}
    assert 'players = ["Ann", "Bo", "Cy"]' in ok(run("session", "show", "Bell", "--why", 2)).output
    named = ok(run("session", "add", "Bell", table("two", DURIAN)))
    assert said not in named.stderr


def test_who_went_first_is_said_and_mended_by_a_flag(run: Run, table: Any) -> None:
    ok(run("session", "new", "Bell", "--game", "durian", *players("Ann", "Bo", "Cy")))
    without = table("one", "\n".join(line for line in DURIAN.splitlines() if not line.startswith(("first", "caller"))))
    ok(run("session", "add", "Bell", without, "--first", "Bo", "--caller", "Ann"))
    assert show(run, "Bell")["tokens"]["Cy"] == [1]  # type: ignore[index]
    ok(run("session", "amend", "Bell", 1, "--first", "Ann", "--caller", "Cy"))
    assert show(run, "Bell")["tokens"]["Bo"] == [1]  # type: ignore[index]
    why = ok(run("session", "show", "Bell", "--why", 1)).output
    assert "Corrected by a person: first=Ann and caller=Cy" in why


def test_call_and_score_save_their_round(run: Run, table: Any) -> None:
    ok(run("session", "new", "Bell", "--game", "durian", *players("Ann", "Bo", "Cy")))
    saved = ok(run("durian", "call", table("one", DURIAN), "--save", "Bell", "--json"))
    assert json.loads(saved.stdout)["takes_token"] == "Bo"
    assert "Saved as round 1 of Bell." in saved.stderr
    ok(run("durian", "score", "--tokens", "Bo=1,3", "--tokens", "Ann=2", "--tokens", "Cy=", "--save", "Bell"))
    assert show(run, "Bell")["tokens"] == {"Ann": [2], "Bo": [1, 3], "Cy": []}
    behind = run("durian", "score", "--tokens", "Bo=1", "--tokens", "Ann=2", "--save", "Bell")
    assert behind.exit_code == 3
    assert "Bo 3" in behind.output


def test_a_reading_against_the_sessions_is_refused(run: Run, table: Any) -> None:
    ok(run("session", "new", "Bell", "--game", "durian", *players("Ann", "Bo", "Cy"), "--reading", "compare=total"))
    refused = run("durian", "call", table("one", DURIAN), "--save", "Bell", "--reading", "compare=per-kind")
    assert refused.exit_code == 2
    assert "plays compare=total" in refused.output
    saved = ok(run("durian", "call", table("one", DURIAN), "--save", "Bell", "--json"))
    assert json.loads(saved.stdout)["takes_token"] == "Cy"
    assert show(run, "Bell")["tokens"] == {"Ann": [], "Bo": [], "Cy": [1]}


def test_a_round_that_broke_the_rules_gives_nobody_a_token(run: Run, table: Any) -> None:
    ok(run("session", "new", "Bell", "--game", "durian", *players("Ann", "Bo", "Cy")))
    refused = run("session", "add", "Bell", table("one", DURIAN), "--caller", "Bo")
    assert refused.exit_code == 3
    assert "Cy's turn" in refused.output
    assert show(run, "Bell")["rounds"] == []


def test_a_game_of_dash_counts_as_a_win(run: Run, table: Any) -> None:
    ok(run("session", "new", "D", "--game", "dash", *players("Ann", "Bo")))
    saved = ok(run("dash", "score", table("one", DASH), "--save", "D"))
    assert "Ann leads with 11 thumbs." in saved.stderr
    ok(run("session", "add", "D", "-", stdin=DASH.replace("sultan = 2", "sultan = 9")))
    document = show(run, "D")
    assert (document["totals"], document["wins"]) == ({"Ann": 22, "Bo": 17}, {"Ann": 1, "Bo": 1})
    ok(run("session", "amend", "D", 2, "--set", "Bo.sultan=0"))
    assert show(run, "D")["wins"] == {"Ann": 2, "Bo": 0}


@pytest.mark.parametrize(
    ("game", "record", "reason"),
    [
        ("durian", DASH, "another game"),
        ("dash", DURIAN, "another game"),
        ("smuggler", SMUGGLER.replace("red5v", "red5x"), "one.toml"),
        ("smuggler", SMUGGLER.replace("red5v", "."), "not full"),
        ("dash", DASH.replace('"Bo"', '"Ana"'), "player who is not in the session"),
        ("dash", DASH.replace('"Bo"', '"an"'), "twice"),
        ("dash", DASH.replace("sultan = 2", "sultan = -2"), "one.toml"),
        ("durian", 'game = "durian"\n[tokens]\nAnn = [2]\n', "no result of a round"),
    ],
)
def test_a_table_that_does_not_fit_is_refused_and_saves_nothing(
    run: Run, table: Any, game: str, record: str, reason: str
) -> None:
    ok(run("session", "new", "S", "--game", game, *players("Ann", "Bo", "Cy", "Di")))
    refused = run("session", "add", "S", table("one", record))
    assert refused.exit_code == 3, refused.output
    assert reason in refused.output
    assert show(run, "S")["rounds"] == []


def test_saving_to_a_session_of_another_game_is_refused(run: Run, table: Any) -> None:
    ok(run("session", "new", "S", "--game", "dash", *players("Ann", "Bo")))
    refused = run("durian", "call", table("one", DURIAN), "--save", "S")
    assert refused.exit_code == 3
    assert "session is of dash" in refused.output


def test_a_stranger_at_a_cooperative_table_is_named(run: Run, table: Any) -> None:
    ok(run("session", "new", "Co", "--game", "smuggler", "--mode", "cooperative", *players("Ann", "Bo", "Cy", "Di")))
    text = SMUGGLER.replace('mode = "competitive"', "").replace('smuggler = "west"', "")
    said = ok(run("session", "add", "Co", table("zed", text), "--seat", "east=Zed"))
    assert "warning: Zed is not in the session, whose players are Ann, Bo, Cy and Di" in said.stderr
    assert "not in the session" not in ok(run("session", "add", "Co", table("ours", text))).stderr
    saved = ok(run("smuggler", "score", table("new", f"# again\n{text}"), "--seat", "east=Zed", "--save", "Co"))
    assert "warning: Zed is not in the session, whose players are Ann, Bo, Cy and Di" in saved.stderr
    ours = ok(run("smuggler", "score", table("more", f"# more\n{text}"), "--save", "Co"))
    assert "not in the session" not in ours.stderr


def test_a_round_that_does_not_follow_the_last_one_is_warned_of(run: Run, table: Any) -> None:
    """Bo takes the first token, so Cy, to the left, starts the second round."""
    ok(run("session", "new", "Bell", "--game", "durian", *players("Ann", "Bo", "Cy")))
    ok(run("durian", "call", table("one", DURIAN), "--save", "Bell"))
    wrong = ("--first", "Ann", "--caller", "Cy")
    said = "by the book Cy starts this round, to the left of Bo, who took the last token; here it was Ann"
    assert f"warning: {said}" in ok(run("durian", "call", table("two", DURIAN), *wrong, "--save", "Bell")).stderr
    ok(run("session", "undo", "Bell"))
    added = ok(run("session", "add", "Bell", table("two", DURIAN), *wrong, "--json"))
    assert said in json.loads(added.stdout)["warnings"]
    ok(run("session", "undo", "Bell"))
    follows = ("--first", "Cy", "--caller", "Bo")
    assert "by the book" not in ok(run("durian", "call", table("two", DURIAN), *follows, "--save", "Bell")).stderr


@pytest.mark.parametrize(
    ("seated", "turned"), [('"Bo", "Cy", "Ann"', False), ('"Cy", "Bo", "Ann"', True), ('"Ann", "Cy", "Bo"', True)]
)
def test_players_who_sit_the_other_way_round_are_warned_of(run: Run, table: Any, seated: str, turned: bool) -> None:
    ok(run("session", "new", "Bell", "--game", "durian", *players("Ann", "Bo", "Cy")))
    record = DURIAN.replace('"Ann", "Bo", "Cy"', seated).replace('caller = "Cy"', "")
    caller = "Bo" if turned else "Cy"
    said = ok(run("durian", "call", table("one", record), "--caller", caller, "--save", "Bell")).stderr
    assert ("the round seats the players clockwise" in said) is turned
    assert ("the session Ann, Bo and Cy" in said) is turned


@pytest.mark.parametrize(
    ("game", "args", "flag"),
    [
        ("durian", ["--takes", "Bo", "--first", "Ann"], "--first"),
        ("durian", ["--takes", "Bo", "--caller", "Cy"], "--caller"),
        ("smuggler", ["--points", "Ann=1", "--points", "Bo=2", "--seat", "south=Ann"], "--seat"),
        ("smuggler", ["--points", "Ann=1", "--points", "Bo=2", "--hand", "south=red6"], "--hand"),
    ],
)
def test_what_is_said_of_a_table_that_is_not_there_is_refused(run: Run, game: str, args: list[str], flag: str) -> None:
    """It would be neither checked nor kept."""
    ok(run("session", "new", "S", "--game", game, *players("Ann", "Bo", "Cy")))
    refused = run("session", "add", "S", *args)
    assert (refused.exit_code, f"{flag}: {flag} says something of a table" in refused.stderr) == (2, True)
    assert show(run, "S")["rounds"] == []


def test_a_table_without_a_mode_has_that_of_its_session(run: Run, table: Any) -> None:
    ok(run("session", "new", "H", "--game", "dash", "--variant", "haters", *players("Ann", "Bo")))
    saved = ok(run("dash", "score", table("one", DASH), "--save", "H"))
    assert "Bo wins: fewest points, haters variant." in saved.stdout
    assert show(run, "H")["rounds"][0]["winners"] == ["Bo"]  # type: ignore[index]
    against = run("dash", "score", table("one", DASH), "--variant", "standard", "--save", "H")
    assert (against.exit_code, "the session is haters" in against.stderr) == (3, True)
    four = players("Ann", "Bo", "Cy", "Di")
    ok(run("session", "new", "S", "--game", "smuggler", "--mode", "competitive", *four))
    ok(
        run(
            "smuggler",
            "score",
            table("two", SMUGGLER.replace('mode = "competitive"\n', "")),
            "--smuggler",
            "west",
            "--save",
            "S",
        )
    )
    assert show(run, "S")["mode"] == "competitive"
