"""`session ...` as people type it."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import Result

from tests.conftest import Run


@pytest.fixture
def friday(run: Run) -> None:
    """A session of three with two rounds."""
    ok(run("session", "new", "Friday", "--game", "smuggler", *players("Ann", "Bo", "小明")))
    ok(add(run, "Ann=12", "Bo=7.5", "小明=-3"))
    ok(add(run, "Ann=1", "Bo=5½", "小明=0"))


def players(*names: str) -> list[str]:
    """`--player` for each name."""
    return [word for name in names for word in ("--player", name)]


def add(run: Run, *points: str, session: str = "Friday") -> Result:
    """Add a round by points."""
    return run("session", "add", session, *(word for pair in points for word in ("--points", pair)))


def ok(result: Result) -> Result:
    """The result of a command that must work."""
    assert result.exit_code == 0, result.output
    return result


def show(run: Run, session: str = "Friday", *more: str) -> dict[str, object]:
    """`session show --json`."""
    return dict(json.loads(ok(run("session", "show", session, "--json", *more)).stdout))


@pytest.mark.usefixtures("friday")
def test_show_has_rounds_as_rows_and_players_as_columns(run: Run) -> None:
    lines = ok(run("session", "show", "Friday")).output.splitlines()
    assert lines[0] == "Friday: smuggler competitive, Ann, Bo and 小明, 2 rounds"
    words = [line.split() for line in lines]
    assert ["round", "Ann", "Bo", "小明"] in words
    assert ["1", "12", "7½", "-3"] in words
    assert ["2", "1", "5½", "0"] in words
    assert ["total", "13", "13", "-3"] in words
    assert lines[-1] == "Ann and Bo lead together with 13."


@pytest.mark.usefixtures("friday")
def test_show_json_has_the_keys_of_the_interface(run: Run) -> None:
    document = show(run)
    assert document["totals"] == {"Ann": 13, "Bo": 13, "小明": -3}
    assert document["leaders"] == ["Ann", "Bo"]
    assert document["places"] == {"Ann": 1, "Bo": 1, "小明": 3}
    assert document["over"] is False
    rounds = document["rounds"]
    assert isinstance(rounds, list)
    assert [row["points"] for row in rounds] == [{"Ann": 12, "Bo": 7.5, "小明": -3}, {"Ann": 1, "Bo": 5.5, "小明": 0}]


def test_a_long_session_shows_its_last_rounds_and_says_how_to_see_all(run: Run) -> None:
    ok(run("session", "new", "Long", "--game", "smuggler", *players("Ann", "Bo", "Cy")))
    for number in range(23):
        ok(add(run, f"Ann={number}", session="Long"))
    text = ok(run("session", "show", "Long")).output
    assert "Rounds 1 to 3 are not shown; --all shows them." in text
    assert ok(run("session", "show", "Long", "--all")).output.count("\n") == text.count("\n") + 2
    assert len(show(run, "Long")["rounds"]) == 23  # type: ignore[arg-type]


@pytest.mark.usefixtures("friday")
def test_an_evening_with_corrections_is_explained(run: Run) -> None:
    ok(run("session", "amend", "friday", 1, "--points", "Ann=10", "--points", "Bo=7.5", "--points", "小明=-3"))
    ok(run("session", "note", "Friday", "Bo counted again", "--round", 1))
    assert show(run)["totals"] == {"Ann": 11, "Bo": 13, "小明": -3}
    assert "Taken back: round 2 of Friday" not in ok(run("session", "undo", "Friday")).output
    assert "Taken back: the amendment of round 1 of Friday." in ok(run("session", "undo", "Friday")).output
    assert "Brought back: the amendment of round 1 of Friday." in ok(run("session", "redo", "Friday")).output
    assert 'Brought back: the note "Bo counted again"' in ok(run("session", "redo", "Friday")).output
    text = ok(run("session", "show", "Friday")).output
    assert "1*" in text
    assert "Bo counted again" in text
    why = ok(run("session", "show", "Friday", "--why", 1)).output
    assert "Ann 12, Bo 7½, 小明 -3 (no longer counts)" in why
    assert "Ann 10, Bo 7½, 小明 -3" in why
    log = json.loads(ok(run("session", "show", "Friday", "--log", "--json")).stdout)["log"]
    assert [entry["kind"] for entry in log] == ["new", "add", "add", "amend", "note", "undo", "undo", "redo", "redo"]


class Interrupted(BytesIO):
    """Standard input at which somebody presses Ctrl-C."""

    def read1(self, *_: object) -> bytes:
        raise KeyboardInterrupt


@pytest.mark.usefixtures("friday")
def test_stopping_at_the_question_of_remove_is_no_wrong_command_line(run: Run) -> None:
    assert run("session", "remove", "Friday", stdin=Interrupted()).exit_code == 130
    assert "Friday" in ok(run("session", "list")).output


@pytest.mark.usefixtures("friday")
def test_remove_asks_and_can_be_undone(run: Run) -> None:
    assert run("session", "remove", "Friday", stdin="n\n").exit_code == 2
    assert run("session", "remove", "Friday").exit_code == 2
    ok(run("session", "remove", "Friday", stdin="y\n"))
    listed = ok(run("session", "list")).output
    assert "No sessions yet" in listed
    assert "1 removed session not listed; `session list --removed` lists them too." in listed
    assert "Friday (removed)" in ok(run("session", "list", "--removed")).output
    ok(run("session", "undo", "Friday"))
    assert show(run)["totals"] == {"Ann": 13, "Bo": 13, "小明": -3}
    ok(run("session", "remove", "Friday", "--yes"))


@pytest.mark.usefixtures("friday")
def test_list_names_sessions_and_leaders(run: Run) -> None:
    ok(run("session", "new", "Bell", "--game", "durian", *players("Ann", "Bo")))
    (first, second) = json.loads(ok(run("session", "list", "--json")).stdout)["sessions"]
    assert (first["name"], first["rounds"], first["leaders"]) == ("Friday", 2, ["Ann", "Bo"])
    assert (second["name"], second["game"], second["over"]) == ("Bell", "durian", False)
    text = ok(run("session", "list")).output
    assert "Friday" in text
    assert "Book:" not in text


def test_a_book_without_a_name_is_not_silently_the_own_one(run: Run) -> None:
    refused = run("session", "list", "--db", "")
    assert (refused.exit_code, "--db: nothing is named" in refused.output) == (2, True)


def test_a_name_that_the_locale_could_not_decode_is_found(run: Run) -> None:
    ok(run("session", "new", "Party 🎉", "--game", "dash", *players("Ann", "Zoë")))
    raw = "Party 🎉".encode().decode("ascii", "surrogateescape")
    zoe = "Zoë".encode().decode("ascii", "surrogateescape")
    assert "Zoë 2." in ok(add(run, "Ann=1", f"{zoe}=2", session=raw)).output
    for spoilt in ("Party \udcff", "Party \ud83d"):
        refused = run("session", "show", spoilt)
        assert refused.exit_code == 3
        assert "is not known" in refused.output


def test_list_names_the_book_that_was_asked_for(run: Run, tmp_path: Path) -> None:
    book = tmp_path / "other.sqlite"
    empty = ok(run("session", "list", "--db", book)).output
    assert f"No sessions yet in the book {book}: there is no such file yet." in empty
    ok(run("session", "new", "Bell", "--game", "durian", *players("Ann", "Bo"), "--db", book))
    assert ok(run("session", "list", "--db", book)).output.rstrip().endswith(f"Book: {book}")
    assert json.loads(ok(run("session", "list", "--db", book, "--json")).stdout)["book"] == str(book)
    ok(run("session", "remove", "Bell", "--yes", "--db", book))
    assert f"{book}: nothing in it but removed ones." in ok(run("session", "list", "--db", book)).output


def test_cooperative_rounds_by_points_keep_the_best(run: Run) -> None:
    ok(run("session", "new", "Co", "--game", "smuggler", "--mode", "coop", *players("Ann", "Bo", "Cy")))
    for points in ("team=33", "45.5", "19"):
        ok(add(run, points, session="Co"))
    document = show(run, "Co")
    assert document["best"] == {"round": 2, "points": 45.5, "result": "huge promotion"}
    assert document["results"] == {"salary raise": 1, "huge promotion": 1, "fired": 1}
    assert "Best of 3 rounds: 45½ in round 2, huge promotion." in run("session", "show", "Co").output
    assert add(run, "Ann=3", session="Co").exit_code == 2


def test_durian_by_taker_and_by_token(run: Run) -> None:
    ok(run("session", "new", "Bell", "--game", "durian", *players("Ann", "Bo", "Cy")))
    ok(run("session", "add", "Bell", "--takes", "ann"))
    ok(add(run, "Bo=2", session="Bell"))
    assert add(run, "Bo=2", session="Bell").exit_code == 3
    assert add(run, "Bo=3", "Ann=1", session="Bell").exit_code == 2
    for name in ("Cy", "Cy"):
        text = ok(run("session", "add", "Bell", "--takes", name)).output
    assert "The game is over: Ann wins with 1." in text
    assert show(run, "Bell")["winners"] == ["Ann"]
    refused = run("session", "add", "Bell", "--takes", "Ann")
    assert refused.exit_code == 3
    assert "the game is over" in refused.output


def test_dash_by_points_counts_wins(run: Run) -> None:
    ok(run("session", "new", "D", "--game", "dash", "--variant", "haters", *players("Ann", "Bo")))
    ok(add(run, "Ann=12", "Bo=7", session="D"))
    ok(add(run, "Ann=5", "Bo=5", session="D"))
    document = show(run, "D")
    assert (document["leaders"], document["wins"], document["unresolved"]) == (["Bo"], {"Ann": 0, "Bo": 1}, [2])
    text = ok(run("session", "show", "D")).output
    assert "won by Bo" in text
    assert "unresolved: Ann and Bo are tied" in text
    assert "Tied with no tie-breaker recorded, which is nobody's win: round 2." in text
    ok(run("session", "amend", "D", 2, "--points", "Ann=5", "--points", "Bo=5", "--winner", "Ann"))
    assert show(run, "D")["wins"] == {"Ann": 1, "Bo": 1}
    for halves in ("5,5", "½", "-3.5"):
        refused = add(run, f"Ann={halves}", "Bo=5", session="D")
        assert (refused.exit_code, "thumbs of Durian Dash are whole numbers" in refused.output) == (2, True)


@pytest.mark.usefixtures("friday")
@pytest.mark.parametrize(
    ("args", "code", "reason"),
    [
        (["add", "Friday"], 2, "no table and no points"),
        (["add", "Friday", "--points", "Ann"], 2, "NAME=NUMBER"),
        (["add", "Friday", "--points", "Zoe=1"], 2, '"Zoe" is not known'),
        (["add", "Friday", "--points", "Ann=x"], 2, "no number of points"),
        (["add", "Friday", "--points", "Ann=1", "--points", "an=2"], 2, "has points already"),
        (["add", "Friday", "--points", "team=44"], 2, "not known"),
        (["add", "Friday", "--takes", "Ann"], 2, "--takes is for durian"),
        (["add", "Friday", "table.toml", "--points", "Ann=1"], 2, "either a table or points"),
        (["add", "Friday", "table.toml"], 3, "no such file"),
        (["add", "Monday", "--points", "Ann=1"], 3, '"Monday" is not known'),
        (["amend", "Friday", "9", "--points", "Ann=1"], 3, "no round 9"),
        (["amend", "Friday", "1", "--set", "3,2=red6v"], 3, "no record"),
        (["show", "Friday", "--why", "3"], 3, "rounds 1 to 2"),
        (["show", "Friday", "--reading", "half-points=sideways"], 2, "half-points can be"),
        (["new", "Friday", "--game", "smuggler", "--player", "Ann"], 3, "already"),
        (["new", "X", "--game", "chess", "--player", "Ann"], 2, "smuggler, durian or dash"),
        (["new", "X", "--game", "durian", "--mode", "haters", "--player", "Ann"], 2, "no modes"),
        (["note", "Friday", "x", "--round", "7"], 3, "no round 7"),
        (["redo", "Friday"], 3, "nothing to redo"),
        (["chart", "Friday", "chart.gif"], 2, ".png or a .svg"),
        (["export"], 2, "which session"),
        (["export", "Friday", "--format", "xls"], 2, "csv"),
        (["import", "nothing.json"], 3, "cannot be read"),
    ],
)
def test_what_is_wrong_is_said_and_changes_nothing(run: Run, args: list[str], code: int, reason: str) -> None:
    before = ok(run("session", "export", "--all")).stdout
    result = run("session", *args)
    assert result.exit_code == code, result.output
    assert reason in result.output
    assert "Traceback" not in result.output
    assert ok(run("session", "export", "--all")).stdout == before


@pytest.mark.usefixtures("friday")
def test_export_and_import_into_another_book(run: Run, tmp_path: Path) -> None:
    file, other = tmp_path / "friday.json", tmp_path / "other.sqlite"
    ok(run("session", "export", "Friday", "--out", file))
    ok(run("session", "import", file, "--db", other))
    assert ok(run("session", "export", "Friday", "--db", other)).stdout == file.read_text(encoding="utf-8")
    clash = run("session", "import", file, "--db", other)
    assert clash.exit_code == 3
    assert "in the book already" in clash.output
    ok(run("session", "import", file, "--db", other, "--as", "Copy"))
    assert show(run, "Copy", "--db", str(other))["totals"] == show(run)["totals"]


@pytest.mark.usefixtures("friday")
def test_export_takes_its_form_from_the_ending(run: Run, tmp_path: Path) -> None:
    for ending, start in ((".csv", "round,time,Ann,Bo,小明"), (".md", "# Friday"), (".json", "{")):
        file = tmp_path / f"friday{ending}"
        ok(run("session", "export", "Friday", "--out", file))
        assert file.read_text(encoding="utf-8").startswith(start)


@pytest.mark.usefixtures("friday")
def test_chart_as_text_and_to_files(run: Run, tmp_path: Path) -> None:
    assert "o Ann   13" in ok(run("session", "chart", "Friday")).output
    svg, png = tmp_path / "a.svg", tmp_path / "a.png"
    ok(run("session", "chart", "Friday", svg))
    ok(run("session", "chart", "Friday", "--out", png))
    assert "小明 -3" in svg.read_text(encoding="utf-8")
    assert png.read_bytes().startswith(b"\x89PNG")
    lines = json.loads(ok(run("session", "chart", "Friday", "--json")).stdout)["lines"]
    assert lines["Bo"] == [0, 7.5, 13]


@pytest.mark.usefixtures("friday")
def test_check_finds_a_sound_book_and_a_spoilt_one(run: Run, tmp_path: Path) -> None:
    import sqlite3
    from contextlib import closing

    book = tmp_path / "spoilt.sqlite"
    file = tmp_path / "friday.json"
    ok(run("session", "export", "Friday", "--out", file))
    ok(run("session", "import", file, "--db", book))
    assert json.loads(ok(run("session", "check", "--json", "--db", book)).stdout)["sound"] is True
    with closing(sqlite3.connect(book)) as db:
        db.execute("DELETE FROM rounds")
        db.commit()
    result = run("session", "check", "--db", book)
    assert result.exit_code == 1
    assert "do not follow from the log: 1 and 2" in result.output


def test_the_environment_names_the_book(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DURIAN_ASSIST_DB", str(tmp_path / "mine.sqlite"))
    ok(run("session", "new", "Friday", "--game", "dash", *players("Ann", "Bo")))
    assert (tmp_path / "mine.sqlite").exists()
    assert json.loads(ok(run("session", "list", "--json", "--db", tmp_path / "none.sqlite")).stdout)["sessions"] == []


def test_readings_and_deck_are_kept_with_the_session(run: Run) -> None:
    more = ("--reading", "half-points=down", "--deck", "harbour-smuggler")
    ok(run("session", "new", "Friday", "--game", "smuggler", *players("Ann", "Bo", "Cy"), *more))
    document = show(run)
    assert document["deck"] == "harbour-smuggler"
    assert document["readings"] == {"half-points": "down", "exemption": "no-cell-left"}
    assert "half-points=down, deck harbour-smuggler" in run("session", "show", "Friday").output


@pytest.mark.usefixtures("friday")
def test_a_removed_session_whose_name_is_used_again_comes_back(run: Run) -> None:
    ok(run("session", "remove", "Friday", "--yes"))
    again = ok(run("session", "new", "Friday", "--game", "dash", *players("Di", "Eva")))
    assert "`durian-assist session undo Friday --as OTHER` brings that one back" in again.stderr
    assert "--as OTHER" in run("session", "undo", "Friday").stderr
    ok(run("session", "undo", "Friday", "--as", "Old"))
    assert show(run, "Old")["totals"] == {"Ann": 13, "Bo": 13, "小明": -3}


@pytest.mark.usefixtures("friday")
def test_correcting_one_number_leaves_the_others(run: Run) -> None:
    ok(run("session", "amend", "Friday", 1, "--points", "Ann=10", "--points", "Bo=7.5", "--smuggler", "Bo"))
    amended = ok(run("session", "amend", "Friday", 1, "--points", "小明=2"))
    assert "points that were not given stay as they were: Ann 10, Bo 7½" in amended.stderr
    document = show(run)
    assert document["totals"] == {"Ann": 11, "Bo": 13, "小明": 2}
    assert document["rounds"][0]["smuggler"] == "Bo"  # type: ignore[index]


def test_correcting_one_number_of_dash_finds_the_winner_anew(run: Run) -> None:
    ok(run("session", "new", "D", "--game", "dash", *players("Ann", "Bo", "Cy")))
    tied = ("Ann=5", "Bo=5", "Cy=1")
    ok(run("session", "add", "D", *(word for pair in tied for word in ("--points", pair)), "--winner", "Bo"))
    ok(run("session", "amend", "D", 1, "--points", "Cy=2"))
    assert show(run, "D")["wins"] == {"Ann": 0, "Bo": 1, "Cy": 0}
    ok(run("session", "amend", "D", 1, "--points", "Ann=6"))
    assert show(run, "D")["wins"] == {"Ann": 1, "Bo": 0, "Cy": 0}
    assert "no round 2" in run("session", "amend", "D", 2, "--points", "Ann=6").stderr


@pytest.mark.parametrize(
    ("variant", "winner", "ahead"), [("standard", "Ann", "Bo has the most"), ("haters", "Bo", "Ann has the fewest")]
)
def test_a_winner_against_the_points_is_refused(run: Run, variant: str, winner: str, ahead: str) -> None:
    ok(run("session", "new", "D", "--game", "dash", "--variant", variant, *players("Ann", "Bo")))
    refused = run("session", "add", "D", "--points", "Ann=1", "--points", "Bo=5", "--winner", winner)
    assert refused.exit_code == 2
    assert ahead in refused.output
    assert show(run, "D")["rounds"] == []


@pytest.mark.parametrize("flag", ["--winner", "--takes", "--caller"])
def test_an_option_given_twice_is_refused(run: Run, flag: str) -> None:
    refused = run("session", "add", "D", "--json", flag, "Ann", flag, "Bo")
    assert refused.exit_code == 2
    assert f"{flag}: this is given twice" in refused.stderr
    assert json.loads(refused.stdout)["error"]["where"] == flag


@pytest.mark.parametrize("word", ["blind", "None"])
def test_nobody_at_a_smuggler_table_is_called_by_a_word_of_its_flags(run: Run, word: str) -> None:
    refused = run("session", "new", "S", "--game", "smuggler", *players("Ann", word))
    assert refused.exit_code == 2
    assert f'"{word}" stands for' in refused.output
    ok(run("session", "new", "S", "--game", "dash", *players("Ann", word)))


def test_one_thumb_is_one(run: Run) -> None:
    ok(run("session", "new", "D", "--game", "dash", *players("Ann", "Bo")))
    assert "Ann leads with 1 thumb." in ok(add(run, "Ann=1", "Bo=0", session="D")).stdout
    assert "Bo leads with 2 thumbs." in ok(add(run, "Ann=0", "Bo=2", session="D")).stdout


@pytest.mark.parametrize(
    "args", [("show", "Friday", "--why", "x"), ("amend", "Friday", "0"), ("note", "Friday", "late", "--round", "1.5")]
)
@pytest.mark.usefixtures("friday")
def test_what_is_no_round_is_said_in_plain_words(run: Run, args: tuple[str, ...]) -> None:
    refused = run("session", *args)
    assert refused.exit_code == 2
    assert f'"{args[-1]}" is no round' in refused.stderr


@pytest.mark.usefixtures("friday")
def test_an_export_of_an_unknown_ending_is_asked_about(run: Run, tmp_path: Path) -> None:
    refused = run("session", "export", "Friday", "--out", tmp_path / "friday.pdf")
    assert (refused.exit_code, "End it with .json, .csv, .md or .markdown" in refused.stderr) == (2, True)
    assert not (tmp_path / "friday.pdf").exists()
    for words in (("--out", "friday"), ("--out", "friday.txt", "--format", "markdown")):
        ok(run("session", "export", "Friday", words[0], tmp_path / words[1], *words[2:]))


def test_an_empty_file_is_called_empty(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    for command in ("list", "check"):
        assert "the file is empty" in ok(run("session", command, "--db", tmp_path / "empty.db")).output
    assert "there is no such file yet" in ok(run("session", "list", "--db", tmp_path / "none.db")).output
    assert "there is no such file yet" in ok(run("session", "check")).output


def test_a_book_that_is_not_there_is_not_checked(run: Run, tmp_path: Path) -> None:
    """A misspelt name must not look like a sound book."""
    (tmp_path / "evenings.db").touch()
    refused = run("session", "check", "--db", tmp_path / "evening.db")
    assert refused.exit_code == 3
    assert "evening.db: there is no such file\n  Did you mean evenings.db" in refused.stderr
