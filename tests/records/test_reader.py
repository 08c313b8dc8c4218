"""The reader: every fault of a record is told at once, each with its place."""

from __future__ import annotations

import pytest

from durian_assist.records.document import load_record
from durian_assist.records.reader import Reader
from durian_assist.records.source import RecordError

RECORD = """game = "smugler"
mod = "x"
rounds = -1
partial = 1
names = ["Ann", 3]
seats = 4
players = [{ name = "Ann" }, 5]
"""


def test_all_faults_are_listed_in_the_order_of_the_text() -> None:
    reader = Reader(load_record("r.toml", RECORD))
    root = reader.root
    root.only("game", "mode", "rounds", "partial", "names", "seats", "players")
    assert root.choice("game", ["smuggler", "dash"], "dash") == "dash"
    assert root.integer("rounds") is None
    assert root.flag("partial") is False
    assert [node.value for node in root.texts("names")] == ["Ann"]
    assert root.view("seats") is None
    assert len(root.views("players")) == 1
    root.missing("starts", "the side that faced beige")
    with pytest.raises(RecordError) as caught:
        reader.finish()
    lines = [fault.span.line for fault in caught.value.faults]
    assert lines == [1, 1, 2, 3, 4, 5, 6, 7]
    text = str(caught.value)
    assert "did you mean smuggler?" in text
    assert "Did you mean mode?" in text
    assert "expected a whole number from 0 up, found the whole number -1" in text
    assert text.endswith("8 faults in the record")


def test_a_good_record_has_no_faults() -> None:
    reader = Reader(load_record("r.json", '{"game": "DASH", "n": 3, "t": "x", "p": true, "l": ["a"]}'))
    root = reader.root
    root.only("game", "n", "t", "p", "l")
    assert root.choice("game", ["smuggler", "dash"], "smuggler") == "dash"
    assert (root.integer("n", maximum=3), root.text("t"), root.flag("p")) == (3, "x", True)
    reader.finish()


def test_a_caret_stands_under_wide_characters() -> None:
    reader = Reader(load_record("r.toml", 'n = ["文字", 3]\n'))
    reader.root.texts("n")
    with pytest.raises(RecordError) as caught:
        reader.finish()
    shown = str(caught.value).splitlines()[1:3]
    assert shown == ['   1 | n = ["文字", 3]', "     |              ^"]


def test_a_long_line_is_shown_around_the_fault() -> None:
    reader = Reader(load_record("r.toml", f'n = "{"a" * 500}"\nm = ["{"b" * 500}", 3]\n'))
    reader.root.texts("m")
    with pytest.raises(RecordError) as caught:
        reader.finish()
    line, caret = str(caught.value).splitlines()[1:3]
    assert len(line) < 140
    assert line[caret.index("^")] == "3"


def test_a_file_full_of_faults_ends_after_many() -> None:
    reader = Reader(load_record("a.toml", "".join(f"k{number} = 1\n" for number in range(20_000))))
    with pytest.raises(RecordError, match="200 faults in the record, and perhaps more"):
        reader.root.only("game")


def test_the_same_fault_is_said_once() -> None:
    reader = Reader(load_record("a.toml", "name = 1\nother = 2\n"))
    reader.root.text("name")
    reader.root.text("name")
    reader.root.text("other")
    with pytest.raises(RecordError, match="2 faults"):
        reader.finish()


def test_a_wrong_type_is_answered_with_how_that_type_is_written() -> None:
    reader = Reader(load_record("r.toml", 'n = "3"\nt = 3\nl = "x"\nv = 4\nf = "yes"\nw = [4]\n'))
    root = reader.root
    root.integer("n"), root.text("t"), root.nodes("l"), root.view("v"), root.flag("f"), root.texts("w"), root.views("w")
    with pytest.raises(RecordError) as caught:
        reader.finish()
    assert len(caught.value.faults) == 7
    assert all(fault.mend for fault in caught.value.faults)
