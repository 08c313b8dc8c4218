"""What people do with the session book. Every change is one entry of the log, in one transaction, with the totals
that follow from it; a reader sees the book before or after a change, never between."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from durian_assist import __version__
from durian_assist.errors import InputError
from durian_assist.ledger.entries import Entry, Session, brought_to_json, renamed, setup_from_json, setup_to_json
from durian_assist.ledger.log import Step, apply, replay
from durian_assist.ledger.opening import checked_name
from durian_assist.ledger.rounds import Brought, RoundResult, Setup
from durian_assist.ledger.rows import (
    differences,
    insert_entry,
    insert_session,
    load,
    rederive,
    refuse_taken,
    removed_row,
    row_of,
    setup_of,
    unknown_session,
    write_state,
)
from durian_assist.ledger.standing import admit
from durian_assist.ledger.store import Store


def now() -> str:
    """The present time as entries keep it: UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def rules_version(game: str) -> str:
    """The version of the rules that an entry was made under: the program's, and a mark of the game's catalogue."""
    from hashlib import sha256

    from durian_assist.rules import catalogue

    files = sorted(Path(catalogue.__file__).parent.glob(f"{game}*.toml"))
    return f"{__version__}+{sha256(b''.join(file.read_bytes() for file in files)).hexdigest()[:8]}"


@dataclass(frozen=True, slots=True)
class Glance:
    """What `show` needs: the stored totals and the last rounds, each a JSON text; nothing of the older log."""

    setup: Setup
    standing: Mapping[str, Any]
    rounds: int
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """A line of `list`."""

    setup: Setup
    rounds: int
    removed: bool
    opened: str
    changed: str
    standing: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Change:
    """A change that was made. `about` is the change that an undo or redo was about."""

    setup: Setup
    kind: str
    round: int | None
    standing: Mapping[str, Any]
    rounds: int
    about: Entry | None = None


@dataclass(slots=True)
class Book:
    """The session book. `path` None is the one in the user's data folder; `clock` gives the time of entries."""

    path: Path | None = None
    clock: Callable[[], str] = now
    store: Store = field(init=False)

    def __post_init__(self) -> None:
        self.store = Store(self.path, rederive)

    def summaries(self, *, removed: bool = False) -> list[Summary]:
        """Every session, in the order in which they came into the book."""
        if self.store.missing:
            return []
        with self.store.reading() as db:
            rows = db.execute(
                "SELECT s.name, s.rounds, s.removed, s.standing, f.data, f.at, l.at FROM sessions s"
                " JOIN entries f ON f.session = s.id AND f.seq = 1"
                " JOIN entries l ON l.session = s.id AND l.seq = s.entries"
                " WHERE s.removed = 0 OR ? ORDER BY s.id",
                (removed,),
            ).fetchall()
        return [
            Summary(
                replace(setup_from_json(json.loads(data)), name=name),
                rounds,
                bool(gone),
                opened,
                changed,
                json.loads(standing),
            )
            for name, rounds, gone, standing, data, opened, changed in rows
        ]

    def new(self, setup: Setup) -> None:
        """Open a session. Raises InputError where the name is taken."""
        from uuid import uuid4

        entry = self._entry(setup, Step(1, "new"), setup_to_json(setup))
        with self.store.writing() as db:
            insert_session(db, Session(str(uuid4()), setup, (entry,), replay([entry.step])))

    def setup(self, name: str) -> Setup:
        """How a session was opened."""
        with self._reading(name) as db:
            return setup_of(db, row_of(db, name))

    def glance(self, name: str, last: int | None = None) -> Glance:
        """The stored totals and the `last` rounds, or all."""
        with self._reading(name) as db:
            session = row_of(db, name)
            rounds, standing = db.execute("SELECT rounds, standing FROM sessions WHERE id = ?", (session,)).fetchone()
            first = 1 if last is None else max(1, rounds - last + 1)
            rows = db.execute(
                "SELECT shown FROM rounds WHERE session = ? AND number >= ? ORDER BY number", (session, first)
            )
            shown = tuple(row[0] for row in rows)
            return Glance(setup_of(db, session), json.loads(standing), rounds, shown)

    def session(self, name: str) -> Session:
        """A session with its whole log."""
        with self._reading(name) as db:
            return load(db, row_of(db, name))

    def sessions(self) -> list[Session]:
        """Every session that is not removed, with its whole log."""
        if self.store.missing:
            return []
        with self.store.reading() as db:
            ids = db.execute("SELECT id FROM sessions WHERE removed = 0 ORDER BY id").fetchall()
            return [load(db, session) for (session,) in ids]

    def add(self, name: str, brought: Brought, result: RoundResult) -> Change:
        """Add the next round. Raises InputError where it cannot follow (the game is over, another mode)."""
        return self._change(name, "add", data=brought_to_json(brought), result=result)

    def amend(self, name: str, number: int, brought: Brought, result: RoundResult) -> Change:
        """Put another version of a round in force; the old one stays in the log."""
        return self._change(name, "amend", number, data=brought_to_json(brought), result=result)

    def note(self, name: str, text: str, number: int | None = None) -> Change:
        """Write a note to a round or to the session."""
        return self._change(name, "note", number, data={"text": text})

    def remove(self, name: str) -> Change:
        """Remove a session from the lists. Its log stays, and `undo` brings it back."""
        return self._change(name, "remove")

    def undo(self, name: str) -> Change:
        """Take back the last change that stands. Raises InputError where there is none."""
        return self._change(name, "undo")

    def bring_back(self, name: str, new: str) -> Change:
        """Bring the last removed session of this name back under a `new` one. Raises InputError where there is none."""
        return self._change(name, "undo", data={"name": checked_name(new, "session")})

    def has_removed(self, name: str) -> bool:
        """Whether a session of this name was removed."""
        if self.store.missing:
            return False
        with self.store.reading() as db:
            return removed_row(db, name) is not None

    def redo(self, name: str) -> Change:
        """Bring back the change that was taken back last. Raises InputError where there is none."""
        return self._change(name, "redo")

    def check(self) -> list[str]:
        """What is wrong with the book: SQLite's own checks, and whether every stored total follows from the log."""
        if self.store.missing:
            return []
        with self.store.reading() as db:
            faults = [text for (text,) in db.execute("PRAGMA integrity_check") if text != "ok"]
            faults += [f"a row of {row[0]} refers to nothing" for row in db.execute("PRAGMA foreign_key_check")]
            for (session,) in db.execute("SELECT id FROM sessions ORDER BY id").fetchall():
                faults += differences(db, session)
        return faults

    @contextmanager
    def _reading(self, name: str) -> Iterator[sqlite3.Connection]:
        if self.store.missing:
            raise unknown_session(name, [])
        with self.store.reading() as db:
            yield db

    def _entry(self, setup: Setup, step: Step, data: Mapping[str, Any], result: RoundResult | None = None) -> Entry:
        rules = rules_version(setup.game)
        return Entry(step.seq, self.clock(), __version__, rules, step.kind, step.round, step.target, data, result)

    def _change(
        self,
        name: str,
        kind: str,
        number: int | None = None,
        *,
        data: Mapping[str, Any] | None = None,
        result: RoundResult | None = None,
    ) -> Change:
        if self.store.missing:
            raise unknown_session(name, [])
        with self.store.writing() as db:
            row = _removed(db, name) if kind == "undo" and data else row_of(db, name, removed=kind == "undo")
            before = load(db, row)
            setup, state = before.setup, before.state
            step = _step(before, kind, number)
            if result is not None and step.round is not None:
                admit(setup, before.results, result, step.round)
            about = before.entries[step.target - 1] if step.target else None
            entry = self._entry(setup, step, data or {}, result)
            apply(state, step)
            setup = renamed(setup, entry)
            after = replace(before, setup=setup, entries=(*before.entries, entry))
            insert_entry(db, row, entry)
            if about and about.kind == "remove" and kind == "undo":
                refuse_taken(db, setup.name)
            standing = write_state(db, row, after)
            return Change(setup, kind, step.round, standing, len(state.versions), about)


def _removed(db: sqlite3.Connection, name: str) -> int:
    row = removed_row(db, name)
    if row is None:
        mend = "`session list --removed` names those that were removed."
        raise InputError("no session of this name was removed", where=name, mend=mend)
    return row


def _step(session: Session, kind: str, number: int | None) -> Step:
    """The step that a change is. Raises InputError where it cannot be made."""
    state, seq = session.state, session.state.last + 1
    where = session.setup.name
    if kind == "add":
        return Step(seq, kind, len(state.versions) + 1)
    if kind in ("undo", "redo"):
        changes = state.done if kind == "undo" else state.undone
        if not changes:
            mend = "`session show --log` lists what was done."
            if kind == "undo":
                mend += " A removed session of the same name is brought back with `session undo NAME --as OTHER`."
            raise InputError(f"there is nothing to {kind}", where=where, mend=mend)
        return Step(seq, kind, changes[-1].round, changes[-1].seq)
    if number is not None and not 1 <= number <= len(state.versions):
        count = len(state.versions)
        mend = f"It has rounds 1 to {count}." if count else "It has no rounds yet."
        raise InputError(f"there is no round {number}", where=where, mend=mend)
    return Step(seq, kind, number)
