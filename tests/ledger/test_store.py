"""The book's file: private, one of ours, migrated with a backup, and unharmed by whatever goes wrong."""

from __future__ import annotations

import os
import sqlite3
import stat
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from durian_assist.cli.saving import open_book
from durian_assist.errors import InputError
from durian_assist.ledger import schema, store
from durian_assist.ledger.book import Book
from tests.ledger.helpers import TYPED, points, setup

POSIX = sys.platform != "win32"


@pytest.fixture
def book(tmp_path: Path) -> Book:
    """A book with one round."""
    book = Book(tmp_path / "book.sqlite")
    book.new(setup())
    book.add("Friday", TYPED, points("Ann 1, Bo 2, Cy 3"))
    return book


def mode(path: Path) -> int:
    """Permission bits of a path."""
    return stat.S_IMODE(path.stat().st_mode)


def refused(book: Book, reason: str) -> None:
    """Adding a round is refused for that reason, and the book is as it was."""
    before = book.store.path.read_bytes()
    with pytest.raises(InputError, match=reason) as caught:
        book.add("Friday", TYPED, points("Ann 9"))
    assert caught.value.exit_code == 3
    assert book.store.path.read_bytes() == before


def test_the_default_book_is_private_to_the_user() -> None:
    book = Book()
    book.new(setup())
    assert book.store.path.is_relative_to(os.environ["HOME"])
    if POSIX:
        assert mode(book.store.path) == 0o600
        assert mode(book.store.path.parent) == 0o700


def test_a_book_elsewhere_is_private_and_its_folder_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir(mode=0o755)
    before = mode(folder)
    Book(folder / "book.sqlite").new(setup())
    assert mode(folder) == before
    if POSIX:
        assert mode(folder / "book.sqlite") == 0o600


def test_looking_makes_no_file(tmp_path: Path) -> None:
    book = Book(tmp_path / "book.sqlite")
    assert book.summaries() == []
    with pytest.raises(InputError, match="no session"):
        book.glance("Friday")
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_becomes_a_book(tmp_path: Path) -> None:
    path = tmp_path / "book.sqlite"
    path.touch()
    assert Book(path).summaries() == []
    Book(path).new(setup())
    assert len(Book(path).summaries()) == 1


@pytest.mark.parametrize("content", [b"x", b"Friday: Ann 12\n" * 500, b"SQLite format 2\x00", b"\xff\xd8\xff" * 999])
def test_a_file_that_is_no_database_stays_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "book.sqlite"
    path.write_bytes(content)
    for use in (lambda: Book(path).summaries(), lambda: Book(path).new(setup())):
        with pytest.raises(InputError, match="not an SQLite database"):
            use()
    assert path.read_bytes() == content


def test_a_truncated_book_is_said_to_be_damaged(book: Book) -> None:
    whole = book.store.path.read_bytes()
    book.store.path.write_bytes(whole[: len(whole) // 3])
    with pytest.raises(InputError, match="damaged"):
        book.glance("Friday")


def test_a_folder_is_no_book(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this is no file"):
        Book(tmp_path).new(setup())


def test_a_book_in_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be made"):
        Book(tmp_path / "nowhere" / "book.sqlite").new(setup())


def test_a_data_folder_that_is_a_file_is_named_with_the_ways_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(file))
    if Book().store.path.is_relative_to(file):
        with pytest.raises(InputError, match="is a file, not a folder") as caught:
            Book().summaries()
        assert "set XDG_DATA_HOME to a folder that is yours, or name another book with --db FILE" in caught.value.mend
    with pytest.raises(InputError, match=f"{file} is a file, not a folder") as caught:
        Book(file / "book.sqlite").new(setup())
    assert "XDG_DATA_HOME" not in caught.value.mend


def test_a_name_that_sqlite_takes_for_memory_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Book(Path(":memory:")).new(setup())
    assert len(Book(Path(":memory:")).summaries()) == 1


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE songs (name)")
        db.commit()
    before = path.read_bytes()
    with pytest.raises(InputError, match="another program"):
        Book(path).new(setup())
    assert path.read_bytes() == before


def test_a_newer_book_is_refused(book: Book) -> None:
    newer = len(schema.MIGRATIONS) + 1
    with closing(sqlite3.connect(book.store.path)) as db:
        db.execute(f"PRAGMA user_version = {newer}")
    with pytest.raises(InputError, match=f"version {newer}.*up to {newer - 1}"):
        book.glance("Friday")
    refused(book, "Update durian-assist")


def test_an_older_book_is_migrated_with_a_backup(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    before = book.glance("Friday")
    step = "CREATE TABLE places (name TEXT NOT NULL) STRICT;\nINSERT INTO places VALUES ('kitchen; table');\n"
    version = len(schema.MIGRATIONS)
    monkeypatch.setattr(store, "MIGRATIONS", (*schema.MIGRATIONS, step))
    assert book.glance("Friday") == before
    with closing(sqlite3.connect(book.store.path)) as db:
        assert db.execute("SELECT name FROM places").fetchall() == [("kitchen; table",)]
        assert db.execute("PRAGMA user_version").fetchone() == (version + 1,)
    backup = book.store.path.with_name(f"book.sqlite.version-{version}.backup")
    if POSIX:
        assert mode(backup) == 0o600
    monkeypatch.undo()
    assert Book(backup).glance("Friday") == before


def test_a_migration_works_out_the_totals_anew(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    spoil = "UPDATE sessions SET standing = '{}';\nDELETE FROM rounds;\n"
    monkeypatch.setattr(store, "MIGRATIONS", (*schema.MIGRATIONS, spoil))
    assert book.glance("Friday").standing["totals"] == {"Ann": 1, "Bo": 2, "Cy": 3}
    assert book.check() == []


def test_a_migration_that_fails_leaves_the_old_book(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = (*schema.MIGRATIONS, "CREATE TABLE half (a TEXT) STRICT;\nINSERT INTO nowhere VALUES (1);\n")
    monkeypatch.setattr(store, "MIGRATIONS", steps)
    with pytest.raises(InputError, match="could not be used"):
        book.glance("Friday")
    monkeypatch.undo()
    assert book.glance("Friday").rounds == 1
    assert book.check() == []


def test_backups_do_not_overwrite_each_other(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    old = book.store.path.read_bytes()
    version = len(schema.MIGRATIONS)
    monkeypatch.setattr(store, "MIGRATIONS", (*schema.MIGRATIONS, "CREATE TABLE a (b TEXT) STRICT;\n"))
    book.glance("Friday")
    book.store.path.write_bytes(old)
    book.glance("Friday")
    names = sorted(path.name for path in book.store.path.parent.iterdir())
    assert names == ["book.sqlite", f"book.sqlite.version-{version}.backup", f"book.sqlite.version-{version}.backup-2"]


def test_a_read_only_book_is_read_and_not_written(book: Book) -> None:
    book.store.path.chmod(0o400)
    assert book.glance("Friday").rounds == 1
    refused(book, "the book is read-only")


def test_a_book_in_a_read_only_folder_is_read_and_not_written(book: Book) -> None:
    book.store.path.parent.chmod(0o500)
    try:
        assert book.glance("Friday").rounds == 1
        refused(book, "folder is read-only")
    finally:
        book.store.path.parent.chmod(0o700)


def test_a_full_disk_leaves_the_book_as_it_was(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = book.store.path.stat().st_size // 4096
    connect = sqlite3.connect

    def on_a_full_disk(*args: object, **options: object) -> sqlite3.Connection:
        db: sqlite3.Connection = connect(*args, **options)  # type: ignore[call-overload]
        db.execute(f"PRAGMA max_page_count = {pages}")
        return db

    monkeypatch.setattr(sqlite3, "connect", on_a_full_disk)
    reasons: list[str] = []
    while not reasons:
        before = book.glance("Friday")
        try:
            book.add("Friday", TYPED, points("Ann 9"))
        except InputError as error:
            reasons.append(error.what)
    assert reasons == ["the disk is full"]
    assert book.glance("Friday") == before
    assert book.check() == []


def test_somebody_elses_change_that_does_not_end_is_said(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_PATIENCE", 0.05)
    with closing(sqlite3.connect(book.store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert book.glance("Friday").rounds == 1
        refused(book, "another program is writing")


def test_a_long_wait_for_somebody_else_is_told_once(
    book: Book, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(store, "_QUIET", 0.1)
    monkeypatch.setattr(store, "_PATIENCE", 0.5)
    told = open_book(str(book.store.path))
    told.add("Friday", TYPED, points("Ann 9"))
    assert capsys.readouterr().err == ""
    with closing(sqlite3.connect(book.store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        refused(told, "another program is writing")
    assert capsys.readouterr().err.count("Another program is writing to the book; waiting") == 1


def test_a_wait_for_who_keeps_the_whole_file_is_told_too(
    book: Book, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An exclusive lock stops readers as well, and so the first thing that a change reads."""
    monkeypatch.setattr(store, "_QUIET", 0.1)
    monkeypatch.setattr(store, "_PATIENCE", 0.5)
    told = open_book(str(book.store.path))
    with closing(sqlite3.connect(book.store.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        refused(told, "another program is writing")
    assert capsys.readouterr().err.count("Another program is writing to the book; waiting") == 1


def test_a_change_waits_for_somebody_elses(book: Book) -> None:
    other = sqlite3.connect(book.store.path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(0.3, other.execute, ("COMMIT",))
    timer.start()
    assert book.add("Friday", TYPED, points("Ann 9")).round == 2
    timer.join()
    other.close()


def test_an_old_sqlite_is_said(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 30, 0))
    with pytest.raises(InputError, match="too old"):
        book.glance("Friday")


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE entries SET result = NULL",
        "UPDATE entries SET at = '2001-01-01'",
        "DELETE FROM entries",
        "INSERT INTO entries SELECT 99, 77, 1, at, program, rules, kind, round, target, data, result FROM entries",
        "INSERT INTO entries SELECT 99, session, 99, at, program, rules, 'party', NULL, NULL, data, NULL FROM entries",
    ],
)
def test_the_log_is_kept_by_the_database_itself(book: Book, change: str) -> None:
    with closing(sqlite3.connect(book.store.path)) as db:
        db.execute("PRAGMA foreign_keys = ON")
        with pytest.raises(sqlite3.IntegrityError):
            db.execute(change)


def test_a_book_that_lost_its_version_is_called_damaged(book: Book) -> None:
    with closing(sqlite3.connect(book.store.path)) as db:
        db.execute("PRAGMA user_version = 0")
    refused(book, "it has tables, but no version")
    with pytest.raises(InputError, match="it has tables, but no version"):
        book.check()
