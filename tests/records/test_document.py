"""Texts to nodes: the values are those of the standard parsers, the places those of the text."""

from __future__ import annotations

import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durian_assist.errors import InputError
from durian_assist.records.document import Node, decode, load_record, to_plain
from durian_assist.records.source import RecordError
from durian_assist.records.write import toml_line

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=12)
SCALARS = st.booleans() | st.integers(-(2**62), 2**62) | TEXT | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3), max_leaves=8
)
TABLES = st.dictionaries(TEXT, VALUES, max_size=4)

WRITTEN = '''# by hand
game = "smuggler"   # a comment with "quotes"
"odd key" = 0x1F
a.b = 4
grid = """
red6v  blue->
.\t"quoted" green\\u0041- \\
   swallowed
"""
[seats]
south = 'An"n'
[[players]]
name = "H"
collection = { red-prawn = 2, "x y" = [1, 2.5,
 ] } # end
love = [ # inside
  "red", 'lit\\eral',
]
[[players]]
name = """J"""""
[players.deep]
day = 1979-05-27
[[players.deep.er]]
x = true
'''


def leaves(node: Node) -> list[Node]:
    """All nodes that hold no others."""
    if isinstance(node.value, dict):
        return [leaf for item in node.value.values() for leaf in leaves(item)]
    if isinstance(node.value, list):
        return [leaf for item in node.value for leaf in leaves(item)]
    return [node]


def source_of(node: Node) -> str:
    return node.span.source.text[node.span.start : node.span.end]


def test_toml_by_hand_means_what_tomllib_says() -> None:
    assert to_plain(load_record("t.toml", WRITTEN).root) == tomllib.loads(WRITTEN)


def test_every_toml_value_stands_where_its_span_says() -> None:
    for leaf in leaves(load_record("t.toml", WRITTEN).root):
        assert tomllib.loads(f"x = {source_of(leaf)}") == {"x": leaf.value}


def test_characters_of_a_text_with_escapes_are_found() -> None:
    root = load_record("t.toml", WRITTEN).root
    assert isinstance(root.value, dict)
    grid = root.value["grid"]
    assert isinstance(grid.value, str)
    start = grid.value.index("green")
    span = grid.part(start, start + 6)
    assert (span.line, WRITTEN[span.start : span.end]) == (7, "green\\u0041")


@given(TABLES)
def test_json_values_and_places(table: dict[str, object]) -> None:
    root = load_record("t.json", json.dumps(table)).root
    assert to_plain(root) == table
    for leaf in leaves(root):
        assert json.loads(source_of(leaf)) == leaf.value


@given(TABLES)
def test_toml_written_reads_back(table: dict[str, object]) -> None:
    text = "\n".join(toml_line(key, value) for key, value in table.items())
    root = load_record("t.toml", text).root
    assert to_plain(root) == table
    for leaf in leaves(root):
        if leaf.offsets is not None:
            assert isinstance(leaf.value, str)
            assert len(leaf.offsets) == len(leaf.value) + 1


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_with_a_place(text: str) -> None:
    for name in ("t.toml", "t.json"):
        try:
            load_record(name, text)
        except RecordError as error:
            places = [fault.span.shown() for fault in error.faults]
        else:
            places = ["read"]
        assert places


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.toml", "a = \n", "a.toml:1:5: this is not valid TOML: invalid value"),
        ("a.toml", "a = 1\n  a = 2\n", "a.toml:2:3: the key a is given twice"),
        ("a.toml", '"a b" = 1\n"a b" = "x = 2"\n', 'a.toml:2:1: the key "a b" is given twice'),
        ("a.toml", "[t]\nb = 1\n[t]\n", "A key may stand only once"),
        ("a.json", '{"a": 1, "a": [2]}', 'a.json:1:10: the key "a" is given twice'),
        ("a.json", '{"a" 1}', "a.json:1:6: this is not valid JSON: expecting ':' delimiter"),
        ("a.json", '{"b": "NaN",\n "a": NaN}', "a.json:2:7: this JSON cannot be used: NaN is no number"),
        ("a.json", '{"a": [1, -Infinity]}', "a.json:1:11: this JSON cannot be used: -Infinity is no number"),
        ("a.json", "[1]", "a.json:1:1: a record is a table of keys"),
        ("a.toml", 's = "[["\nx = ' + "[" * 5000, "a.toml:2:45: lists and tables are nested too deep"),
        ("a.json", '{"x":\n' + "[" * 5000, "a.json:2:40: lists and tables are nested too deep"),
        ("a.json", '{"x": ' + "[" * 50 + "]" * 50 + "}", "nested too deep"),
        ("a.toml", "a." * 3000 + "b = 1", "nested too deep"),
        ("a.toml", "# 9\nx = " + "9" * 5000, "a.toml:2:5: this TOML holds a number that is too large"),
        ("a.json", '{"x": 9, "y": ' + "9" * 5000 + "}", "a.json:1:15: this JSON cannot be used: a number is"),
    ],
)
def test_broken_texts(name: str, text: str, says: str) -> None:
    with pytest.raises(RecordError) as caught:
        load_record(name, text)
    assert says in str(caught.value)


def test_control_characters_are_written_out() -> None:
    with pytest.raises(RecordError) as caught:
        load_record("a.json", '{"a": "\u202e", "b": zz}')
    assert "\u202e" not in str(caught.value)
    assert "\\u202e" in str(caught.value)


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(RecordError, match=r"a\.toml:2:3: this is no UTF-8 text"):
        decode("\ufeffä\na ".encode() + b"\xff", "a.toml")
    with pytest.raises(InputError, match="too large"):
        decode(b"a" * 1_000_001, "a.toml")
    assert decode("\ufeffa\r\nb".encode(), "a.toml") == "a\nb"


def test_a_flag_wins_and_its_fault_points_into_the_flag() -> None:
    document = load_record("a.toml", "[seats]\nsouth = 'Ann'\n").with_flag(
        ("seats", "west"), "Bo", "--seat west=Bo", part="Bo"
    )
    assert to_plain(document.root) == {"seats": {"south": "Ann", "west": "Bo"}}
    assert isinstance(document.root.value, dict)
    seats = document.root.value["seats"].value
    assert isinstance(seats, dict)
    assert seats["west"].span.shown() == "   1 | --seat west=Bo\n     |             ^^"


def test_a_key_of_thousands_of_parts_is_refused_at_once() -> None:
    for part in ("a", '"a"', "a "):
        with pytest.raises(RecordError, match="nested too deep") as caught:
            load_record("a.toml", f"x = 1\n{f'{part}.' * 30_000}b = 1")
        assert caught.value.faults[0].span.line == 2
    assert load_record("a.toml", f"{'a.' * 30}b = 1").root.value
    assert load_record("a.toml", 'a = "' + "word" * 100_000 + '"').root.value


def test_line_ends_of_every_system_are_line_ends() -> None:
    for end in (b"\n", b"\r\n", b"\r"):
        assert decode(b"a = 1" + end + b"b = 2", "a.toml") == "a = 1\nb = 2"


@pytest.mark.parametrize("begin", [b"\xff\xd8\xff\xe0", b"\x89PNG\r\n", b"GIF89a"])
def test_a_picture_is_told_from_a_record(begin: bytes) -> None:
    with pytest.raises(InputError, match="this is a picture and no record") as told:
        decode(begin + bytes(9), "standard input")
    assert "as a file" in str(told.value.mend)
