"""Narrow terminals: nothing is wider than they are, nothing is lost, and nothing changes where nobody looks on."""

from __future__ import annotations

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durian_assist.cli.narrow import fitted, room, wrapped
from durian_assist.cli.output import table
from durian_assist.common.text import width
from tests.cli.test_session_tables import SMUGGLER
from tests.conftest import Run

HEADERS = ["points", "card", "where", "why"]
ROW = ["-3", "red6", "row 1, column 1", "beside a Durian at row 2, column 1: half of 6, lost"]


@pytest.mark.parametrize(
    ("said", "columns"), [("40", 40), ("5", 20), *((said, None) for said in ("0", "80", "wide", ""))]
)
def test_columns_says_how_wide_a_line_may_be(said: str, columns: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", said)
    assert room() == columns


def test_a_terminal_says_how_wide_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setattr("sys.stdout.fileno", lambda: 1)
    monkeypatch.setattr("os.get_terminal_size", lambda _: os.terminal_size((0, 0)))
    assert room() == 80
    monkeypatch.setattr("os.get_terminal_size", lambda _: os.terminal_size((52, 20)))
    assert room() == 52
    monkeypatch.setenv("COLUMNS", "90")
    assert room() == 90


@given(st.text("ab 小\n", max_size=200), st.integers(20, 60))
def test_breaking_lines_loses_no_word(text: str, columns: int) -> None:
    lines = wrapped(text, columns)
    assert lines.split() == text.split()
    assert all(width(line) <= columns or len(line.split()) == 1 for line in lines.split("\n"))
    assert wrapped(text, None) == text


def test_a_table_that_fits_stays() -> None:
    assert fitted([ROW], HEADERS, 100, table) == table([ROW], HEADERS)


def test_the_widest_column_is_broken_where_that_is_enough() -> None:
    lines = fitted([ROW], HEADERS, 64, table).split("\n")
    assert lines[0].split() == HEADERS
    assert max(map(len, lines)) <= 64
    assert " ".join(line[lines[0].index("why") :].strip() for line in lines[2:]) == ROW[3]


def test_else_rows_are_told_one_by_one() -> None:
    assert fitted([ROW], HEADERS, 34, table).split("\n") == [
        "points -3",
        "  card   red6",
        "  where  row 1, column 1",
        "  why    beside a Durian at row 2,",
        "         column 1: half of 6, lost",
    ]


def test_rows_of_short_cells_take_one_line_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    names = ["Ann", "Bartholomew", "Christine"]
    assert table([["1*", "3", "7½", ""], ["total", "3", "7½", "0"]], ["round", *names]).split("\n") == [
        "round 1*: Ann 3,",
        "    Bartholomew 7½",
        "total: Ann 3, Bartholomew 7½,",
        "    Christine 0",
    ]


@pytest.mark.parametrize("columns", [36, 40, 60, 79])
@pytest.mark.parametrize("verb", ["score", "check", "legal"])
def test_a_table_of_smuggler_fits(verb: str, columns: int, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    more = ["--side", "south"] if verb == "legal" else []
    record = SMUGGLER.replace('plum->\n"""', '.\n"""') if verb == "legal" else SMUGGLER
    lines = run("smuggler", verb, "-", *more, stdin=record).stdout.split("\n")
    assert max(map(len, lines)) <= columns
    assert ("blu=blue, gre=green, plu=plum" in lines) == (columns < 70)
    assert any("|blu5<|" in line or "| blue5 <  |" in line for line in lines)


def test_the_session_book_fits(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["Ann", "Bartholomew", "Christine", "Dorothea"]
    run("session", "new", "D", "--game", "dash", *(word for name in names for word in ("--player", name)))
    run("session", "add", "D", *(word for n, name in enumerate(names) for word in ("--points", f"{name}={n}")))
    document = run("session", "show", "D", "--json").stdout
    monkeypatch.setenv("COLUMNS", "40")
    text = run("session", "show", "D").stdout
    assert max(map(len, text.split("\n"))) <= 40
    assert "round 1: Ann 0, Bartholomew 1," in text
    assert "total: Ann 0, Bartholomew 1," in text
    assert max(map(len, run("session", "chart", "D").stdout.split("\n"))) <= 40
    assert run("session", "show", "D", "--json").stdout == document
    json.loads(document)
