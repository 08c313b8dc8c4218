"""The book's file: where it lies, who may read it, how it is opened, migrated and written without being harmed.

The rollback journal is used, not the write-ahead log: the book stays one file that can be copied and read from a
read-only place. Every change is one transaction that takes the write lock first, so people writing at once queue up.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from durian_assist.common.paths import unusable
from durian_assist.errors import InputError
from durian_assist.ledger.schema import APPLICATION_ID, MIGRATIONS

_HEADER = b"SQLite format 3\x00"
_OLDEST_SQLITE = (3, 38, 0)
# Seconds to wait for other people's changes to end; one takes milliseconds.
_PATIENCE = 90.0
# Seconds of waiting after which people are told of it.
_QUIET = 2.0
# SQLite asks for a lock ever more seldom, up to ten times a second: with many writers one of them could starve. So it
# is made to start anew after this many seconds.
_ASK_ANEW = 0.06
_ANSWERS = {
    "SQLITE_NOTADB": ("this is no session book: it is not an SQLite database", "Give the right file with --db."),
    "SQLITE_CORRUPT": ("the book is damaged", "Nothing was changed. Put back a copy of it, or import an export."),
    "SQLITE_FULL": ("the disk is full", "Nothing was changed. Make room and run the command again."),
    "SQLITE_READONLY": ("the book cannot be written", "Nothing was changed. Allow writing to the file and its folder."),
    "SQLITE_BUSY": ("another program is writing to the book", "Nothing was changed. Run the command again."),
    "SQLITE_LOCKED": ("another program is writing to the book", "Nothing was changed. Run the command again."),
    "SQLITE_CANTOPEN": ("the book cannot be opened", "Check that the file and its folder can be read and written."),
    "SQLITE_IOERR": (
        "the disk gave an error while the book was used",
        "Nothing was changed. Check that the disk has room and is well, and run the command again.",
    ),
    "SQLITE_PERM": ("the book cannot be opened", "Check who may read and write the file."),
    "SQLITE_AUTH": ("the book cannot be opened", "Check who may read and write the file."),
}


def default_path() -> Path:
    """The book in the user's data folder."""
    from platformdirs import user_data_path

    return user_data_path("durian-assist", appauthor=False) / "sessions.sqlite"


class Store:
    """One book file. Every use opens it, and closes it again."""

    def __init__(self, path: Path | None, rederive: Callable[[sqlite3.Connection], None]) -> None:
        """Without `path` the book in the user's data folder, which is made private to the user.

        `rederive` works out everything anew that follows from the log; it is called after a migration. `waiting` may
        be set to what tells people that others write, and how many seconds are waited at most.
        """
        self.rederive = rederive
        self.waiting: Callable[[float], None] = lambda _seconds: None
        self.private_folder = path is None
        self.path = (path or default_path()).absolute()

    @property
    def missing(self) -> bool:
        """Whether there is no book yet. Raises InputError for a path that can be none."""
        try:
            mode = self.path.stat()
        except FileNotFoundError:
            return True
        except OSError as error:
            raise self._unusable("the book cannot be opened", error) from None
        if not stat.S_ISREG(mode.st_mode):
            raise InputError("this is no file", where=str(self.path), mend="--db names a file, new or existing.")
        return mode.st_size == 0

    def without_content(self) -> str:
        """Why there is nothing in a book that is `missing`."""
        if self.path.exists():
            return "the file is empty: nothing was kept in it yet, or its contents were lost"
        return "there is no such file yet"

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection that sees one state of the book throughout. The book must not be `missing`."""
        with self._explained(), closing(self._connect()) as db:
            if self._version(db) < len(MIGRATIONS):
                self._migrate(db)
            db.execute("BEGIN")
            yield db
            db.execute("ROLLBACK")

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A connection inside a change: committed at the end, undone by any error. Creates the book where needed."""
        self._make_file()
        self._refuse_read_only()
        with self._explained(), closing(self._connect()) as db:
            if self._version(db) < len(MIGRATIONS):
                self._migrate(db)
            _begin_change(db, self.waiting)
            try:
                yield db
                db.execute("COMMIT")
            finally:
                if db.in_transaction:
                    db.execute("ROLLBACK")

    def _make_file(self) -> None:
        if not self.missing or self.path.exists():
            return
        try:
            if self.private_folder:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self.path.parent.chmod(0o700)
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
        except OSError as error:
            raise self._unusable("the book cannot be made", error) from None

    def _unusable(self, what: str, error: OSError) -> InputError:
        folder = "set XDG_DATA_HOME to a folder that is yours, or " if self.private_folder else ""
        return unusable(what, self.path, error, otherwise=f"{folder}name another book with --db FILE")

    def _refuse_read_only(self) -> None:
        """A file without any right to write is respected even where the user could write to it all the same."""
        for path, what in ((self.path, "the book is read-only"), (self.path.parent, "the book's folder is read-only")):
            if not path.stat().st_mode & 0o222 or not os.access(path, os.W_OK):
                mend = "Nothing was changed. Allow writing to it, or name another book with --db."
                raise InputError(what, where=str(path), mend=mend)

    def _connect(self) -> sqlite3.Connection:
        if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
            raise InputError(
                f"SQLite {sqlite3.sqlite_version} is too old for the session book",
                mend="Use a Python that comes with SQLite 3.38 or later.",
            )
        with self.path.open("rb") as file:
            head = file.read(len(_HEADER))
        if head and head != _HEADER:
            raise self._error("SQLITE_NOTADB")
        db = sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None)
        try:
            db.execute("PRAGMA foreign_keys = ON")
            # The first that reads the file: it waits where another program keeps the whole of it to itself.
            _insisting(db, "PRAGMA synchronous = EXTRA", self.waiting)
        except sqlite3.Error:
            db.close()
            raise
        return db

    def _version(self, db: sqlite3.Connection) -> int:
        """Schema version of the file, 0 for an empty one. Raises InputError for a newer or a foreign one."""
        version = int(db.execute("PRAGMA user_version").fetchone()[0])
        owner = int(db.execute("PRAGMA application_id").fetchone()[0])
        tables = int(db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0])
        if owner != APPLICATION_ID and (owner or tables):
            raise InputError(
                "this SQLite database belongs to another program",
                where=str(self.path),
                mend="Give the right file with --db.",
            )
        if tables and not version:
            raise InputError(
                "the book is damaged: it has tables, but no version",
                where=str(self.path),
                mend="Nothing was changed. Put back a copy of it, or import an export.",
            )
        if version > len(MIGRATIONS):
            raise InputError(
                f"the book is of version {version}, this program knows versions up to {len(MIGRATIONS)}",
                where=str(self.path),
                mend="Nothing was changed. Update durian-assist.",
            )
        return version

    def _migrate(self, db: sqlite3.Connection) -> None:
        """Bring the book to the present version in one transaction, an old one with a backup beside it."""
        self._refuse_read_only()
        _begin_change(db, self.waiting)
        try:
            version = self._version(db)
            if version:
                self._back_up(version)
            for number in range(version, len(MIGRATIONS)):
                for statement in _statements(MIGRATIONS[number]):
                    db.execute(statement)
            if version:
                self.rederive(db)
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
            db.execute("COMMIT")
        finally:
            if db.in_transaction:
                db.execute("ROLLBACK")

    def _back_up(self, version: int) -> None:
        """Copy the book as it is now to `NAME.version-1.backup`, with a number where that is taken."""
        name, number = f"{self.path.name}.version-{version}.backup", 1
        while True:
            copy = self.path.with_name(name if number == 1 else f"{name}-{number}")
            try:
                os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
                break
            except FileExistsError:
                number += 1
        with closing(sqlite3.connect(self.path)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)

    def _error(self, name: str) -> InputError:
        short = "_".join(name.split("_")[:2])
        unknown = (f"the book could not be used ({name})", _ANSWERS["SQLITE_CORRUPT"][1])
        what, mend = _ANSWERS.get(short, unknown)
        return InputError(what, where=str(self.path), mend=mend)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Every error of SQLite or the file system as a sentence with a way out."""
        try:
            yield
        except sqlite3.Error as error:
            raise self._error(getattr(error, "sqlite_errorname", type(error).__name__)) from error
        except OSError as error:
            raise self._unusable("the book cannot be used", error) from error


def _begin_change(db: sqlite3.Connection, waiting: Callable[[float], None]) -> None:
    """Take the write lock, waiting for those who have it."""
    _insisting(db, "BEGIN IMMEDIATE", waiting)


def _insisting(db: sqlite3.Connection, statement: str, waiting: Callable[[float], None]) -> sqlite3.Cursor:
    """What a statement gives, waiting for those who have the lock that it needs; `waiting` is called once where that
    takes a while."""
    start = time.monotonic()
    deadline, said = start + _PATIENCE, False
    db.execute(f"PRAGMA busy_timeout = {round(1000 * min(_ASK_ANEW, _PATIENCE))}")
    while True:
        try:
            found = db.execute(statement)
            break
        except sqlite3.OperationalError as error:
            if not error.sqlite_errorname.startswith("SQLITE_BUSY") or time.monotonic() > deadline:
                raise
            if not said and time.monotonic() > start + _QUIET:
                said = True
                waiting(_PATIENCE)
    db.execute(f"PRAGMA busy_timeout = {round(1000 * _PATIENCE)}")
    return found


def _statements(script: str) -> Iterator[str]:
    """The statements of a script one by one; `executescript` would commit between them."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
