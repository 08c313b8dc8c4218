"""What people do with the book: rounds, undo, redo, amended rounds, notes, removal; totals follow from the log."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from durian_assist.errors import InputError, UsageError
from durian_assist.ledger.book import Book
from durian_assist.ledger.exchange import export_json, import_into, parse_export
from durian_assist.ledger.opening import checked_note, checked_setup
from durian_assist.ledger.rounds import Brought, PhotoMark
from tests.ledger.helpers import TYPED, points, setup, taken


@pytest.fixture
def book(tmp_path: Path) -> Book:
    """A book with a session of three rounds."""
    book = Book(tmp_path / "book.sqlite")
    book.new(setup())
    for text in ("Ann 1, Bo 2, Cy 3", "Ann 4, Bo 4, Cy 4", "Ann 5, Bo 0, Cy 1"):
        book.add("Friday", TYPED, points(text))
    return book


def totals(book: Book, session: str = "Friday") -> dict[str, Any]:
    """The stored totals."""
    return dict(book.glance(session).standing["totals"])


def test_rounds_add_up(book: Book) -> None:
    assert totals(book) == {"Ann": 10, "Bo": 6, "Cy": 8}


def test_an_amended_round_counts_anew_and_the_old_one_is_kept(book: Book) -> None:
    book.amend("Friday", 1, TYPED, points("Ann 0, Bo 9, Cy 3"))
    assert totals(book) == {"Ann": 9, "Bo": 13, "Cy": 8}
    session = book.session("Friday")
    results = [session.entries[seq - 1].result for seq in session.state.versions[0]]
    assert [result.points["Bo"] for result in results if result] == [2, 9]


def test_undo_and_redo_take_changes_in_turn(book: Book) -> None:
    book.amend("Friday", 1, TYPED, points("Ann 0, Bo 9, Cy 3"))
    assert book.undo("Friday").about == book.session("Friday").entries[4]
    assert totals(book) == {"Ann": 10, "Bo": 6, "Cy": 8}
    book.undo("Friday")
    assert totals(book) == {"Ann": 5, "Bo": 6, "Cy": 7}
    book.redo("Friday")
    book.redo("Friday")
    assert totals(book) == {"Ann": 9, "Bo": 13, "Cy": 8}


def test_a_new_change_ends_redo(book: Book) -> None:
    book.undo("Friday")
    book.note("Friday", "late")
    with pytest.raises(InputError, match="nothing to redo"):
        book.redo("Friday")


def test_nothing_to_undo_is_said(tmp_path: Path) -> None:
    book = Book(tmp_path / "book.sqlite")
    book.new(setup())
    with pytest.raises(InputError, match="nothing to undo"):
        book.undo("Friday")


@pytest.mark.parametrize("number", [0, 4, 99])
def test_a_round_that_is_not_there_cannot_be_amended(book: Book, number: int) -> None:
    with pytest.raises(InputError, match=f"no round {number}.*\n.*rounds 1 to 3"):
        book.amend("Friday", number, TYPED, points("Ann 1"))


def test_a_removed_session_is_out_of_sight_and_comes_back(book: Book) -> None:
    book.remove("Friday")
    assert book.summaries() == []
    assert [summary.removed for summary in book.summaries(removed=True)] == [True]
    with pytest.raises(InputError, match="no session"):
        book.glance("Friday")
    book.undo("Friday")
    assert totals(book) == {"Ann": 10, "Bo": 6, "Cy": 8}


def test_a_removed_session_does_not_come_back_over_another_of_its_name(book: Book) -> None:
    book.remove("Friday")
    book.new(setup(name="FRIDAY"))
    book.remove("Friday")
    book.undo("Friday")
    assert [summary.setup.name for summary in book.summaries()] == ["FRIDAY"]
    with pytest.raises(InputError, match="nothing to undo"):
        book.undo("Friday")
    assert len(book.summaries(removed=True)) == 2


def test_a_removed_session_comes_back_under_another_name(book: Book, tmp_path: Path) -> None:
    book.remove("Friday")
    book.new(setup(name="FRIDAY"))
    book.bring_back("friday", "Friday two")
    assert totals(book, "Friday two") == {"Ann": 10, "Bo": 6, "Cy": 8}
    assert [item.setup.name for item in book.summaries()] == ["Friday two", "FRIDAY"]
    assert book.glance("Friday two").setup == book.session("Friday two").setup == book.setup("friday two")
    assert book.check() == []
    text = export_json([book.session("Friday two")])
    other = Book(tmp_path / "other.sqlite")
    import_into(other, parse_export(text, "file"))
    assert export_json([other.session("Friday two")]) == text
    with pytest.raises(InputError, match="was removed"):
        book.bring_back("Friday", "Friday three")


def test_a_removed_session_does_not_come_back_under_a_name_that_is_taken(book: Book) -> None:
    book.remove("Friday")
    book.new(setup(name="Saturday"))
    with pytest.raises(InputError, match='a session "Saturday" already'):
        book.bring_back("Friday", "saturday")
    book.undo("Friday")
    assert totals(book) == {"Ann": 10, "Bo": 6, "Cy": 8}


def test_names_are_found_without_case_and_by_a_unique_start(book: Book) -> None:
    assert book.setup("friday").name == "Friday"
    assert book.setup("Fri").name == "Friday"
    book.new(setup(name="Friends"))
    with pytest.raises(InputError, match="could be Friday or Friends"):
        book.setup("Fri")
    with pytest.raises(InputError, match="did you mean Friday"):
        book.setup("Fridays")


def test_a_name_is_taken_once(book: Book) -> None:
    with pytest.raises(InputError, match='there is a session "Friday" already'):
        book.new(setup(name="friday"))


def test_an_entry_keeps_where_its_round_came_from(book: Book) -> None:
    brought = Brought('game = "smuggler"\n', "a.jpg", (PhotoMark("a.jpg", "00ff"),), {"grid": []}, ("3,2=red6v",))
    book.add("Friday", brought, points("Ann 1, Bo 1, Cy 1"))
    entry = book.session("Friday").in_force[-1]
    assert entry.brought == brought
    assert entry.at.endswith("Z")
    assert entry.rules.startswith(entry.program + "+")


def test_the_end_of_a_game_of_durian_is_kept(tmp_path: Path) -> None:
    book = Book(tmp_path / "book.sqlite")
    book.new(setup("durian"))
    for result in taken("Ann Bo Cy Cy"):
        change = book.add("Friday", TYPED, result)
    assert change.standing["over"] is True
    with pytest.raises(InputError, match="the game is over"):
        book.add("Friday", TYPED, taken("Ann")[0])
    book.undo("Friday")
    assert book.add("Friday", TYPED, taken("Ann")[0]).standing["over"] is False


def test_stored_totals_that_do_not_follow_from_the_log_are_found(book: Book) -> None:
    with closing(sqlite3.connect(book.store.path)) as db:
        db.execute("""UPDATE sessions SET standing = '{"totals":{"Ann":99}}'""")
        db.execute("DELETE FROM rounds WHERE number = 2")
        db.commit()
    assert book.check() == [
        "Friday: the stored totals do not follow from the log",
        "Friday: stored rounds do not follow from the log: 2",
    ]


@pytest.mark.parametrize(
    ("game", "players", "reason"),
    [
        ("smuggler", ["A", "B", "C", "D", "E"], "played by 1 to 4"),
        ("durian", ["A"], "played by 2 to 7"),
        ("dash", list("ABCDEFG"), "played by 2 to 6"),
        ("smuggler", ["Ann", "ann"], "ann is named twice"),
        ("smuggler", ["Ann", " "], "name is empty"),
        ("smuggler", ["Ann", "--"], "name is empty"),
        ("smuggler", ["Ann", "Bo\x1b[31m"], "cannot be shown"),
        ("smuggler", ["Ann", "B" * 101], "longer than 100"),
        ("smuggler", ["Ann", "Team"], "stands for all players"),
    ],
)
def test_what_cannot_be_opened_is_refused(game: str, players: list[str], reason: str) -> None:
    from dataclasses import replace

    with pytest.raises(UsageError, match=reason):
        checked_setup(replace(setup(game), players=tuple(players)))


@pytest.mark.parametrize("name", ["O'Neil", 'The "A" team', "小明", "שלום", "🦍", "Zoë", "007", "=1+1", "a,b"])
def test_names_of_any_script_are_kept(tmp_path: Path, name: str) -> None:
    book = Book(tmp_path / "book.sqlite")
    book.new(checked_setup(setup(name=name)))
    assert book.setup(name).name == name


@pytest.mark.parametrize("text", ["", "  ", "x" * 1001, "\x07", "a\u202eb"])
def test_a_note_is_a_line_of_text(text: str) -> None:
    with pytest.raises(UsageError, match="a note is"):
        checked_note(text)


class BookMachine(RuleBasedStateMachine):
    """Random changes against a plain model: a list of versions of rounds and two stacks of what was before."""

    def __init__(self) -> None:
        super().__init__()
        import tempfile

        self.folder = tempfile.TemporaryDirectory()
        self.rounds: list[int] = []
        self.before: list[list[int]] = []
        self.after: list[list[int]] = []

    @initialize()
    def open(self) -> None:
        self.book = Book(Path(self.folder.name) / "book.sqlite")
        self.book.new(setup())

    def changed(self, rounds: list[int]) -> None:
        self.before.append(self.rounds)
        self.after.clear()
        self.rounds = rounds

    @rule(own=st.integers(-20, 20))
    def add(self, own: int) -> None:
        self.book.add("Friday", TYPED, points(f"Ann {own}, Bo {-own}/2, Cy 0"))
        self.changed([*self.rounds, own])

    @precondition(lambda self: bool(self.rounds))
    @rule(own=st.integers(-20, 20), place=st.integers(0, 99))
    def amend(self, own: int, place: int) -> None:
        place %= len(self.rounds)
        self.book.amend("Friday", place + 1, TYPED, points(f"Ann {own}, Bo {-own}/2, Cy 0"))
        self.changed([*self.rounds[:place], own, *self.rounds[place + 1 :]])

    @precondition(lambda self: bool(self.before))
    @rule()
    def undo(self) -> None:
        self.book.undo("Friday")
        self.after.append(self.rounds)
        self.rounds = self.before.pop()

    @precondition(lambda self: bool(self.after))
    @rule()
    def redo(self) -> None:
        self.book.redo("Friday")
        self.before.append(self.rounds)
        self.rounds = self.after.pop()

    @rule()
    def remove_and_take_it_back(self) -> None:
        self.book.remove("Friday")
        self.book.undo("Friday")
        self.after.clear()

    @precondition(lambda self: hasattr(self, "book"))
    @invariant()
    def stored_totals_follow_from_the_log(self) -> None:
        glance = self.book.glance("Friday")
        assert glance.rounds == len(self.rounds)
        expected = {"Ann": sum(self.rounds), "Bo": float(Fraction(-sum(self.rounds), 2)), "Cy": 0}
        assert glance.standing["totals"] == expected
        assert self.book.check() == []

    def teardown(self) -> None:
        self.folder.cleanup()


TestBookMachine = BookMachine.TestCase
TestBookMachine.settings = settings(max_examples=8, stateful_step_count=16, deadline=None)
