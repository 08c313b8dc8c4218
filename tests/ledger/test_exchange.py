"""Exports: the same after import and export, also into another book; what clashes or is no export changes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durian_assist.cli.session_text import log_table, rounds_table, standing_lines, why_lines
from durian_assist.errors import InputError
from durian_assist.ledger.book import Book
from durian_assist.ledger.chart import series_of, text_chart
from durian_assist.ledger.exchange import as_copy, export_json, import_into, parse_export
from durian_assist.ledger.rounds import Brought, PhotoMark
from durian_assist.ledger.sheets import to_csv
from tests.ledger.helpers import TYPED, game_of_dash, points, setup, taken

READ = Brought(
    'grid = "..."\n', "zoë.jpg", (PhotoMark("zoë.jpg", "ab" * 32),), {"confidence": [0.1, None]}, ("3,2=red6v",)
)


@pytest.fixture
def book(tmp_path: Path) -> Book:
    """A book with a session of each game, with every kind of entry in it."""
    book = Book(tmp_path / "book.sqlite")
    book.new(setup(players="Ann Bo 小明"))
    book.add("Friday", READ, points("Ann 11/2, Bo -3, 小明 0", smuggler="Bo"))
    book.amend("Friday", 1, TYPED, points("Ann 5, Bo -3, 小明 0"))
    book.note("Friday", 'the "good" table', 1)
    book.undo("Friday")
    book.undo("Friday")
    book.redo("Friday")
    book.remove("Friday")
    book.undo("Friday")
    book.new(setup("durian", name="Bell"))
    for result in taken("Ann Bo Cy"):
        book.add("Bell", TYPED, result)
    book.new(setup("dash", name="Dash", mode="haters"))
    book.add("Dash", TYPED, game_of_dash("Ann 3, Bo 3, Cy 9", "Ann", "Bo", mode="haters"))
    return book


def document(book: Book) -> dict[str, Any]:
    """The book's export as values."""
    return dict(json.loads(export_json(book.sessions())))


def test_export_import_export_is_identical(book: Book, tmp_path: Path) -> None:
    text = export_json(book.sessions())
    other = Book(tmp_path / "other.sqlite")
    import_into(other, parse_export(text, "file"))
    assert export_json(other.sessions()) == text
    assert [item.standing for item in other.summaries()] == [item.standing for item in book.summaries()]
    assert other.check() == []


def test_an_imported_session_goes_on(book: Book, tmp_path: Path) -> None:
    other = Book(tmp_path / "other.sqlite")
    import_into(other, parse_export(export_json(book.sessions()), "file"))
    other.undo("Bell")
    assert other.add("Bell", TYPED, taken("Bo")[0]).standing["totals"] == {"Ann": 1, "Bo": 5, "Cy": 0}


def test_a_clash_changes_nothing(book: Book) -> None:
    sessions = parse_export(export_json(book.sessions()), "file")
    book.remove("Dash")
    before = [item.setup.name for item in book.summaries(removed=True)]
    with pytest.raises(InputError, match="in the book already"):
        import_into(book, [as_copy(sessions[0], "New"), sessions[2]])
    assert [item.setup.name for item in book.summaries(removed=True)] == before


def test_a_name_that_is_taken_is_a_clash(book: Book) -> None:
    (session,) = parse_export(export_json([book.session("Bell")]), "file")
    with pytest.raises(InputError, match='there is a session "Dash" already'):
        import_into(book, [as_copy(session, "dash")])
    import_into(book, [as_copy(session, "Bell too")])
    assert book.glance("Bell too").standing == book.glance("Bell").standing


def entry(number: int, **fields: object) -> Callable[[dict[str, Any]], None]:
    """A change of one entry of the first session; None takes a key out."""

    def change(values: dict[str, Any]) -> None:
        own = values["sessions"][0]["entries"][number - 1]
        for key, value in fields.items():
            own[key] = value
            if value is None:
                del own[key]

    return change


def at(path: str, value: object) -> Callable[[dict[str, Any]], None]:
    """A change of the value at a path such as `sessions.0.uid`."""

    def change(values: Any) -> None:
        *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
        for step in steps:
            values = values[step]
        values[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (at("format", "songs"), "no export"),
        (at("version", 2), "version 2"),
        (at("sessions", []), "no sessions"),
        (at("sessions.0", 1), "session 1: a session is"),
        (at("sessions.0.uid", "../x"), '"uid"'),
        (at("sessions.0.entries", []), '"entries"'),
        (at("sessions.0.entries.0.data.players", ["Ann"] * 2), "named twice"),
        (at("sessions.0.entries.0.data.players", "Ann"), "list of texts"),
        (at("sessions.0.entries.0.data.name", " Friday"), "not in the form"),
        (at("sessions.0.entries.0.data.name", "Fri\x1bday"), "cannot be shown"),
        (at("sessions.0.entries.0.data.game", "chess"), "smuggler, durian or dash"),
        (at("sessions.0.entries.0.data.mode", "haters"), "none of the game"),
        (at("sessions.0.entries.0.data.readings", {"half-points": "sideways"}), "is not known"),
        (at("sessions.0.entries.0.data.more", 1), "other keys"),
        (entry(2, seq=3), "entry 2: .*should be number 2"),
        (entry(2, seq=True), '"seq"'),
        (entry(2, at="yesterday"), '"at" is a time'),
        (entry(2, at="2026-02-30T10:00:00Z"), '"at" is a time'),
        (entry(2, rules="\x1b[2J"), "plain texts"),
        (entry(4, data={"text": "\x1b[2J"}), "a note is"),
        (entry(2, kind="party"), 'the kind "party"'),
        (entry(2, round=7), "should be round 1"),
        (entry(2, result=None), '"result" belongs'),
        (entry(2, extra=1), "unknown keys: extra"),
        (entry(2, data={"record": 5}), "does not fit add"),
        (entry(2, data={"photos": [{"name": "a"}]}), "does not fit add"),
        (entry(2, result={"points": {"Zoe": "1"}, "mode": "competitive"}), "Zoe is no player"),
        (entry(2, result={"points": {"Ann": "1/3"}, "mode": "competitive"}), "whole numbers or halves"),
        (entry(2, result={"points": {"Ann": "4/2"}, "mode": "competitive"}), "not in the form"),
        (entry(2, result={"points": {"Ann": 1}, "mode": "competitive"}), "table of texts"),
        (entry(2, result={"points": {"Ann": "1"}}), "no result of a round"),
        (entry(2, result={"takes": "Ann"}), "no result of a round"),
        (entry(3, round=9), "no such round"),
        (entry(4, data={"text": 5}), "does not fit note"),
        (entry(5, target=2), "not about the last change"),
        (entry(5, target=None), '"target" belongs'),
    ],
)
def test_what_is_no_export_is_refused_with_its_place(
    book: Book, change: Callable[[dict[str, Any]], None], reason: str
) -> None:
    values = document(book)
    change(values)
    with pytest.raises(InputError, match=reason) as caught:
        parse_export(json.dumps(values), "friday.json")
    assert str(caught.value).startswith("friday.json")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "[" * 100_000,
        '{"a": NaN}',
        '{"a": 1' + "0" * 5000 + "}",
        '{"format": "\\ud800"}',
        "game = 1",
    ],
)
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_export(text, "file")


SCALARS = (
    st.sampled_from(["\x1b[31m", "a\nb", "\u202e"])
    | st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=4)
)


def test_a_round_of_unknown_source_is_shown(book: Book) -> None:
    values = document(book)
    values["sessions"][0]["entries"][2]["data"] = {}
    (friday, *_) = parse_export(json.dumps(values), "file")
    assert "Source: an unknown source; rules " in "\n".join(why_lines(friday, 1, None))


@settings(max_examples=150)
@given(data=st.data())
def test_any_change_of_an_export_is_refused_or_imports(data: st.DataObject) -> None:
    """Never a traceback: what is accepted gives a session whose totals can be worked out."""
    values = json.loads(EXPORT)
    places: list[tuple[Any, Any]] = []

    def walk(node: Any) -> None:
        for key in list(node) if isinstance(node, dict) else range(len(node)):
            places.append((node, key))
            if isinstance(node[key], (dict, list)):
                walk(node[key])

    walk(values)
    node, key = data.draw(st.sampled_from(places))
    node[key] = data.draw(SCALARS | st.lists(SCALARS, max_size=2) | st.dictionaries(st.text(max_size=3), SCALARS))
    try:
        sessions = parse_export(json.dumps(values), "file")
    except InputError:
        return
    for session in sessions:
        rows, standing = session.rows(), session.standing.to_json()
        shown = [
            *standing_lines(session.setup, standing, len(rows)),
            log_table(session),
            rounds_table(session.setup, rows, standing),
        ]
        for number in range(1, len(rows) + 1):
            shown += why_lines(session, number, None)
        to_csv(session.setup, rows, standing["totals"])  # type: ignore[arg-type]
        text_chart(series_of(session))
        assert "\x1b" not in "".join(shown)


EXPORT = """{"format": "durian-assist sessions", "version": 1, "sessions": [{"uid":
 "b2f0a9a1-7c0c-4a4e-8a83-0a4f0f7d2f11", "entries": [
 {"seq": 1, "at": "2026-11-29T20:15:00.000Z", "program": "0.1.0", "rules": "0.1.0", "kind": "new", "data":
  {"name": "Friday", "game": "durian", "players": ["Ann", "Bo"], "mode": "", "deck": "", "readings": {}}},
 {"seq": 2, "at": "2026-11-29T20:15:00Z", "program": "0.1.0", "rules": "0.1.0", "kind": "add", "round": 1, "data":
  {"source": "a.jpg", "photos": [{"name": "a.jpg", "sha256": "00"}], "read": {"a": 1}}, "result": {"takes": "Bo"}},
 {"seq": 3, "at": "2026-11-29T20:15:00Z", "program": "0.1.0", "rules": "0.1.0", "kind": "add", "round": 2,
  "result": {"tokens": {"Ann": [2], "Bo": [1]}}},
 {"seq": 4, "at": "2026-11-29T20:15:00Z", "program": "0.1.0", "rules": "0.1.0", "kind": "undo", "round": 2,
  "target": 3}]}]}"""
