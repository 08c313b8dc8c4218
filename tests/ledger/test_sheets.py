"""CSV and Markdown: numbers stay numbers, formulas are defused, names are shown as they are."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from durian_assist.ledger.sheets import defused, escaped, to_csv, to_markdown
from tests.ledger.helpers import setup

ROW: dict[str, Any] = {
    "round": 1,
    "time": "2026-11-29T20:15:00.000Z",
    "source": "a.jpg",
    "points": {"Ann": -3, "Bo": 5.5},
}


@pytest.mark.parametrize(
    "cell", ["=1+1", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1", "-", "=HYPERLINK(0)", "-3x", "+5"]
)
def test_a_cell_that_a_spreadsheet_would_run_is_defused(cell: str) -> None:
    assert defused(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["-3", "5.5", "-0.5", "Ann", "007", "a=b", "小明", ""])
def test_numbers_and_plain_names_stay(cell: str) -> None:
    assert defused(cell) == cell


def test_csv_has_a_header_the_rounds_and_the_totals() -> None:
    players = setup(players="Ann Bo =cmd()")
    row = {**ROW, "notes": ['say "hi", all', "@home"], "takes_token": "=cmd()"}
    text = to_csv(players, [row], {"Ann": -3, "Bo": 5.5, "=cmd()": 0})
    assert list(csv.reader(io.StringIO(text))) == [
        ["round", "time", "Ann", "Bo", "'=cmd()", "result", "source", "notes"],
        ["1", ROW["time"], "-3", "5.5", "", "'=cmd() takes the token", "a.jpg", 'say "hi", all / @home'],
        ["total", "", "-3", "5.5", "0", "", "", ""],
    ]


def test_markdown_is_a_table_that_shows_names_as_they_are() -> None:
    players = setup(players="Ann Bo a|b<i>", name="*Friday*")
    row = {**ROW, "notes": ["[x](y)"]}
    standing = {"totals": {"Ann": -3, "Bo": 5.5, "a|b<i>": 0}}
    lines = to_markdown(players, [row], standing, ["Bo leads."]).splitlines()
    assert lines[0] == r"# \*Friday\*"
    assert lines[2] == r"| round | Ann | Bo | a\|b&lt;i&gt; | result | notes |"
    assert lines[4] == r"| 1 | -3 | 5½ |  |  | \[x\](y) |"
    assert lines[5] == "| **total** | **-3** | **5½** | **0** |  |  |"
    assert lines[-1] == "Bo leads.  "


def test_markdown_writes_out_control_characters() -> None:
    assert escaped("a\nb") == r"a\\x0ab"
