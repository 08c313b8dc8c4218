"""Sessions in and out of the book's tables: found by name, loaded from the log, written with what follows from it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

from durian_assist.common.names import UnknownName, fold, listed, resolve
from durian_assist.errors import InputError
from durian_assist.ledger.entries import Entry, Session, compact, renamed, setup_from_json
from durian_assist.ledger.log import BrokenLog, replay
from durian_assist.ledger.rounds import RoundResult, Setup


def unknown_session(name: str, known: Sequence[str]) -> InputError:
    """The error for a session that is not there, with the closest names."""
    try:
        resolve(name, known)
    except UnknownName as error:
        sentence = f"the session {error.sentence}" if known else f'there is no session "{name}"'
        mend = "`session list` names them all." if known else "`session new` opens one."
        return InputError(sentence, mend=mend)
    return InputError(f'there is no session "{name}"')


def row_of(db: sqlite3.Connection, name: str, *, removed: bool = False) -> int:
    """The row of a session that is not removed; with `removed` of the last removed one where there is no other."""
    found = db.execute("SELECT id FROM sessions WHERE folded = ? AND removed = 0", (fold(name),)).fetchone()
    gone = removed_row(db, name) if found is None and removed else None
    if gone is not None:
        return gone
    if found is None:
        known = {row[1]: row[0] for row in db.execute("SELECT id, name FROM sessions WHERE removed = 0")}
        try:
            return int(known[resolve(name, known)])
        except UnknownName:
            raise unknown_session(name, list(known)) from None
    return int(found[0])


def removed_row(db: sqlite3.Connection, name: str) -> int | None:
    """The row of the last session of this name that is removed."""
    found = db.execute(
        "SELECT id FROM sessions WHERE folded = ? AND removed = 1 ORDER BY id DESC LIMIT 1", (fold(name),)
    ).fetchone()
    return None if found is None else int(found[0])


def setup_of(db: sqlite3.Connection, session: int) -> Setup:
    """How a session was opened, under the name that it has now."""
    name, data = db.execute(
        "SELECT s.name, f.data FROM sessions s JOIN entries f ON f.session = s.id AND f.seq = 1 WHERE s.id = ?",
        (session,),
    ).fetchone()
    return replace(setup_from_json(json.loads(data)), name=name)


def load(db: sqlite3.Connection, session: int) -> Session:
    """A session from its log. Raises InputError where the log is broken."""
    rows = db.execute(
        "SELECT seq, at, program, rules, kind, round, target, data, result FROM entries WHERE session = ? ORDER BY seq",
        (session,),
    )
    entries = tuple(_entry_of(row) for row in rows)
    uid, name = db.execute("SELECT uid, name FROM sessions WHERE id = ?", (session,)).fetchone()
    setup = reduce(renamed, entries, setup_from_json(entries[0].data))
    try:
        state = replay(entry.step for entry in entries)
    except BrokenLog as error:
        raise InputError(f"the log is broken: {error}", where=name, mend="Put back a copy of the book.") from None
    return Session(uid, setup, entries, state)


def _entry_of(row: tuple[Any, ...]) -> Entry:
    seq, at, program, rules, kind, number, target, data, result = row
    scored = None if result is None else RoundResult.from_json(json.loads(result))
    return Entry(seq, at, program, rules, kind, number, target, json.loads(data), scored)


def insert_entry(db: sqlite3.Connection, session: int, entry: Entry) -> None:
    """Append an entry to a session's log."""
    result = None if entry.result is None else compact(entry.result.to_json())
    db.execute(
        "INSERT INTO entries (session, seq, at, program, rules, kind, round, target, data, result)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            session,
            entry.seq,
            entry.at,
            entry.program,
            entry.rules,
            entry.kind,
            entry.round,
            entry.target,
            compact(entry.data),
            result,
        ),
    )


def refuse_taken(db: sqlite3.Connection, name: str) -> None:
    """Raises InputError where a session that is not removed has the name."""
    taken = db.execute("SELECT name FROM sessions WHERE folded = ? AND removed = 0", (fold(name),)).fetchone()
    if taken:
        raise InputError(
            f'there is a session "{taken[0]}" already',
            where=name,
            mend="Choose another name (for an import: --as NAME). `session list` names them all.",
        )


def insert_session(db: sqlite3.Connection, session: Session) -> None:
    """Put a whole session into the book. Raises InputError where it, or its name, is there already."""
    known = db.execute("SELECT name FROM sessions WHERE uid = ?", (session.uid,)).fetchone()
    if known:
        raise InputError(
            f'this very session is in the book already, as "{known[0]}"',
            where=session.setup.name,
            mend="Import it into another book (--db), or as a copy of its own with --as NAME.",
        )
    if not session.state.removed:
        refuse_taken(db, session.setup.name)
    setup = session.setup
    cursor = db.execute(
        "INSERT INTO sessions (uid, name, folded, game, removed, entries, rounds, standing)"
        " VALUES (?, ?, ?, ?, ?, 1, 0, '{}')",
        (session.uid, setup.name, fold(setup.name), setup.game, int(session.state.removed)),
    )
    row = int(cursor.lastrowid or 0)
    for entry in session.entries:
        insert_entry(db, row, entry)
    write_state(db, row, session)


def stored_state(session: Session) -> tuple[tuple[object, ...], dict[int, tuple[int, str]]]:
    """What follows from a session's log, as `sessions` and `rounds` hold it."""
    head = (
        int(session.state.removed),
        session.state.last,
        len(session.state.versions),
        compact(session.standing.to_json()),
    )
    rows = zip(session.state.rounds, session.rows(), strict=True)
    return head, {number: (seq, compact(row)) for number, (seq, row) in enumerate(rows, 1)}


def write_state(db: sqlite3.Connection, row: int, session: Session) -> dict[str, Any]:
    """Bring the stored totals and rounds of a session to what its log says; gives the standing in JSON form."""
    head, rounds = stored_state(session)
    name = session.setup.name
    db.execute(
        "UPDATE sessions SET name = ?, folded = ?, removed = ?, entries = ?, rounds = ?, standing = ? WHERE id = ?",
        (name, fold(name), *head, row),
    )
    before = _stored_rounds(db, row)
    for number in before.keys() - rounds.keys():
        db.execute("DELETE FROM rounds WHERE session = ? AND number = ?", (row, number))
    for number, (seq, shown) in rounds.items():
        if before.get(number) != (seq, shown):
            db.execute("INSERT OR REPLACE INTO rounds VALUES (?, ?, ?, ?)", (row, number, seq, shown))
    standing: dict[str, Any] = json.loads(str(head[-1]))
    return standing


def rederive(db: sqlite3.Connection) -> None:
    """Work out the stored totals and rounds of every session anew from its log."""
    for (row,) in db.execute("SELECT id FROM sessions ORDER BY id").fetchall():
        write_state(db, row, load(db, row))


def _stored_rounds(db: sqlite3.Connection, row: int) -> dict[int, tuple[int, str]]:
    rows = db.execute("SELECT number, entry, shown FROM rounds WHERE session = ?", (row,))
    return {number: (seq, shown) for number, seq, shown in rows}


def differences(db: sqlite3.Connection, row: int) -> list[str]:
    """Where the stored totals of a session are not what its log says."""
    session = load(db, row)
    head, rounds = stored_state(session)
    stored = db.execute("SELECT removed, entries, rounds, standing FROM sessions WHERE id = ?", (row,)).fetchone()
    faults = [] if stored == head else [f"{session.setup.name}: the stored totals do not follow from the log"]
    kept = _stored_rounds(db, row)
    wrong = [number for number in kept.keys() | rounds.keys() if kept.get(number) != rounds.get(number)]
    if wrong:
        faults.append(
            f"{session.setup.name}: stored rounds do not follow from the log: {listed(map(str, sorted(wrong)))}"
        )
    return faults
