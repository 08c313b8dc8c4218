"""The root command: help without imports, near misses, errors as sentences."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from durian_assist.cli.main import GROUPS
from tests.conftest import Run


@pytest.mark.parametrize("group", GROUPS)
def test_every_group_has_help(group: str, run: Run) -> None:
    result = run(group, "--help")
    assert result.exit_code == 0
    assert "Usage:" in result.output


@pytest.mark.parametrize(
    ("args", "heavy"),
    [
        (["--help"], ["cv2", "numpy", "tabulate", "difflib", "platformdirs", "tomllib", "sqlite3"]),
        (["smuggler", "--help"], ["cv2", "numpy", "tabulate", "difflib", "platformdirs", "sqlite3"]),
    ],
)
def test_help_imports_nothing_heavy(args: list[str], heavy: list[str]) -> None:
    code = (
        "import sys\nfrom durian_assist.cli.main import app\n"
        f"try: app({args!r})\nexcept SystemExit: pass\n"
        f"print(sorted(set({heavy!r}) & set(sys.modules)), file=sys.stderr)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stderr.strip() == "[]"


def test_unknown_commands_are_answered_with_the_closest(run: Run) -> None:
    result = run("smugler")
    assert result.exit_code == 2
    assert "No such command 'smugler'. Did you mean smuggler" in result.output
    result = run("rules", "lst")
    assert result.exit_code == 2
    assert "Did you mean list?" in result.output


def test_ctrl_c_is_no_broken_rule(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """130 as shells have it; 1 would mean that `check` found a broken rule."""

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("durian_assist.cli.smuggler_in.load_tables", stopped)
    result = run("smuggler", "check", "table.jpg")
    assert (result.exit_code, result.output) == (130, "")


def test_a_file_that_the_system_refuses_is_a_sentence(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied", "/nowhere/decks")

    monkeypatch.setattr("durian_assist.vision.deck_shelf.decks", refused)
    result = run("calibrate", "list")
    assert result.exit_code == 3
    assert "/nowhere/decks: this file or folder cannot be used: you have no right to write in /" in result.output


def test_text_that_no_file_can_hold_is_a_sentence(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        "a\udcff".encode()

    monkeypatch.setattr("durian_assist.vision.deck_shelf.decks", refused)
    result = run("calibrate", "list", "--json")
    assert result.exit_code == 2
    assert "a\\udcff: this has bytes that are no UTF-8 text" in result.stderr
    assert json.loads(result.stdout)["error"]["exit"] == 2


def test_a_stopped_process_waits_for_no_thread_and_shows_no_traceback() -> None:
    code = (
        "import threading, time\nimport durian_assist.cli.main as cli\nfrom durian_assist.__main__ import main\n"
        "def stopped(): raise KeyboardInterrupt\n"
        "threading.Thread(target=time.sleep, args=[60]).start()\ncli.main = stopped\nmain()"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=30)
    assert (result.returncode, result.stderr) == (130, "\ndurian-assist: stopped\n")


@pytest.mark.parametrize("args", [["setup", "4"], ["setup", "4", "--json"]])
def test_a_reader_that_went_away_changes_no_exit_code(args: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as gone:
        command = [sys.executable, "-m", "durian_assist", "smuggler", *args]
        result = subprocess.run(command, stdout=gone, stderr=subprocess.PIPE, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")


def test_module_runs_as_the_command() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "durian_assist", "--version"], capture_output=True, text=True, check=True
    )
    assert result.stdout.startswith("durian-assist, version ")


@pytest.mark.parametrize(
    ("tables", "code", "says"),
    [
        ([], 2, "no TABLE was given"),
        (["nothing.toml"], 3, "nothing.toml: there is no such file"),
        (["tabel.toml"], 3, "Did you mean table.toml?"),
        (["."], 3, "this is a folder"),
        (["table.toml", "table.toml"], 2, "several tables were given"),
        (["--camera", "0", "table.toml"], 2, "--camera stands instead of TABLE"),
    ],
)
def test_tables_that_cannot_be_used(
    tables: list[str], code: int, says: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("table.toml").write_text('game = "smuggler"\n')
    result = run("smuggler", "score", *tables)
    assert result.exit_code == code
    assert says in result.stderr
    assert result.stdout == ""


def test_with_json_an_error_is_a_document_too(run: Run) -> None:
    result = run("smuggler", "score", "nothing.toml", "--json")
    assert result.exit_code == 3
    error = json.loads(result.stdout)["error"]
    assert (error["where"], error["exit"]) == ("nothing.toml", 3)


def test_a_file_without_an_ending_is_known_by_its_first_bytes(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "table"
    table.write_text("game = 3\n")
    result = run("smuggler", "score", table)
    assert result.exit_code == 3
    assert f"{table}:1:8:" in result.stderr


@pytest.mark.parametrize(("args", "code"), [(["--set", "2,3=red"], 2), (["nothing.toml", "--set", "2,3=red"], 3)])
def test_a_fault_in_a_flag_is_one_of_the_command_line(args: list[str], code: int, run: Run) -> None:
    assert run("smuggler", "score", *args).exit_code == code


@pytest.mark.parametrize("command", [["smuggler", "check"], ["smuggler", "score"], ["durian", "call"]])
def test_the_record_in_the_help_is_a_good_one(command: list[str], run: Run) -> None:
    text = run(*command, "--help").output
    start = text.index('    game = "')
    lines = text[start:].splitlines()
    end = next((number for number, line in enumerate(lines) if line.startswith("  A cell")), len(lines))
    result = run(*command, "-", stdin="\n".join(line[4:] for line in lines[:end]))
    assert result.exit_code == 0
    assert not any(word in result.output for word in ("error:", "warning:"))


def test_what_fails_after_the_answer_adds_no_second_document(run: Run) -> None:
    players = ["--player", "Ann", "--player", "Bo"]
    assert run("session", "new", "S", "--game", "dash", *players).exit_code == 0
    scored = run("dash", "score", "--player", "Zed: sultan 1", "--save", "S", "--json")
    assert scored.exit_code == 3
    assert "players" in json.loads(scored.stdout)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
@pytest.mark.parametrize(
    "command",
    [
        ["dash", "score"],
        ["read", "dash"],
        ["read", "cards"],
        ["session", "import"],
        ["smuggler", "check"],
        ["calibrate", "test", "harbour-dash"],
        ["calibrate", "deck", "mine", "--game", "dash", "a.jpg", "--labels"],
    ],
)
@pytest.mark.parametrize("name", ["pipe", "pipe.toml", "pipe.jpg", "/dev/null"])
def test_pipes_and_devices_are_not_waited_for(command: list[str], name: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / name
    if not path.exists():
        os.mkfifo(path)
    result = run(*command, path)
    assert (result.exit_code, "this is no file but a pipe or a device" in result.output) == (3, True)
    # A dash stands for standard input only where a record is taken.
    takes_records = command in (["dash", "score"], ["smuggler", "check"], ["read", "dash"])
    assert ("a record can come from a pipe" in result.output) == takes_records


def test_a_record_of_another_encoding_is_told_so_whatever_its_name(run: Run, tmp_path: Path) -> None:
    for name in ("table", "table.toml"):
        (tmp_path / name).write_text('game = "dash"', encoding="utf-16")
        result = run("dash", "score", tmp_path / name)
        assert (result.exit_code, "this is UTF-16 text" in result.output) == (3, True)


@pytest.mark.parametrize(
    "args", [["dash", "score", "no\x1b[31m.toml"], ["x\x1b[31m"], ["session", "show", "\x1b]0;title\x07"]]
)
def test_what_an_error_repeats_cannot_steer_a_terminal(args: list[str], run: Run) -> None:
    result = run(*args)
    assert result.exit_code in (2, 3)
    assert "\x1b" not in result.output
    assert "\\x1b" in result.output


def test_a_pdf_is_no_record(run: Run, tmp_path: Path) -> None:
    (tmp_path / "scan.pdf").write_text("%PDF-1.4")
    result = run("read", "smuggler", tmp_path / "scan.pdf", "--deck", "harbour-smuggler")
    assert (result.exit_code, "this is a PDF document" in result.output) == (3, True)
