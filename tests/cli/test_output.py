"""Tables: plain ones are drawn without tabulate, and look the same."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tabulate import tabulate

from durian_assist.cli.output import table

CELL = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=9).map(str.strip)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[list[str]], list[str], list[int]]:
    columns = draw(st.integers(1, 4))
    line = st.lists(CELL, min_size=columns, max_size=columns)
    right = draw(st.lists(st.integers(0, columns - 1), unique=True))
    return draw(st.lists(line, min_size=1, max_size=4)), draw(line), right


@given(tables())
def test_plain_tables_look_as_tabulate_draws_them(case: tuple[list[list[str]], list[str], list[int]]) -> None:
    rows, headers, right = case
    align = ["right" if column in right else "left" for column in range(len(headers))]
    expected = tabulate(rows, headers=headers, tablefmt="simple", disable_numparse=True, colalign=align)
    assert table(rows, headers, right=right) == expected


def test_wide_characters_are_left_to_tabulate() -> None:
    lines = table([("小明", 3), ("007", 11)], ["player", "points"], right=(1,)).splitlines()
    assert lines[2].endswith(" 3")
    assert lines[3].startswith("007 ")
