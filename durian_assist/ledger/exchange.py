"""Sessions as one JSON file: the whole log, so that an import is the session itself and exports again identically."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import uuid4

from durian_assist.common.readings import QUESTIONS
from durian_assist.common.text import visible
from durian_assist.errors import DurianAssistError, InputError
from durian_assist.ledger.book import Book
from durian_assist.ledger.entries import Entry, Session, renamed, setup_from_json
from durian_assist.ledger.log import KINDS, BrokenLog, State, apply
from durian_assist.ledger.opening import checked_name, checked_note, checked_setup
from durian_assist.ledger.rounds import GAMES, MODES, RoundResult, Setup
from durian_assist.ledger.rows import insert_session
from durian_assist.ledger.standing import admit

FORMAT = "durian-assist sessions"
VERSION = 1
_MOST_CHARACTERS = 100_000_000
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z")
_UID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_POINTS = re.compile(r"(0|-?[1-9]\d{0,6})|-?\d{1,7}/2")


def export_json(sessions: Sequence[Session]) -> str:
    """The sessions with their whole logs as JSON text."""
    document = {
        "format": FORMAT,
        "version": VERSION,
        "sessions": [
            {"uid": session.uid, "entries": [entry.to_json() for entry in session.entries]} for session in sessions
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def import_into(book: Book, sessions: Sequence[Session]) -> None:
    """Put sessions into a book: all of them, or, where one of them clashes, none. Raises InputError."""
    with book.store.writing() as db:
        for session in sessions:
            insert_session(db, session)


def as_copy(session: Session, name: str) -> Session:
    """The session as a copy of its own under another name."""
    setup = checked_setup(replace(session.setup, name=name))
    entries = tuple(_named(entry, setup.name) for entry in session.entries)
    return replace(session, uid=str(uuid4()), setup=setup, entries=entries)


def _named(entry: Entry, name: str) -> Entry:
    return replace(entry, data={**entry.data, "name": name}) if "name" in entry.data else entry


def parse_export(text: str, where: str) -> list[Session]:
    """The sessions of an export. Raises InputError for what is none, naming the session and the entry."""
    document = _json(text, where)
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        mend = "Give a file that `session export NAME --format json` wrote."
        raise InputError("this is no export of the session book", where=where, mend=mend)
    if document.get("version") != VERSION:
        raise InputError(
            f"the export is of version {document.get('version')!r}, this program knows version {VERSION}",
            where=where,
            mend="Update durian-assist.",
        )
    sessions = document.get("sessions")
    if not isinstance(sessions, list) or not sessions:
        raise InputError("the export holds no sessions", where=where)
    return [_session(item, f"{where}: session {number}") for number, item in enumerate(sessions, 1)]


def _json(text: str, where: str) -> object:
    if len(text) > _MOST_CHARACTERS:
        raise InputError("this is too large for an export of the session book", where=where)
    try:
        document: object = json.loads(text, parse_constant=_refuse_constant)
        json.dumps(document, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise InputError(f"this is no JSON of the session book: {reason}", where=where) from None
    return document


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON number")


class _Fault(ValueError):
    """What is wrong with an entry."""


def _session(item: object, where: str) -> Session:
    if not isinstance(item, dict) or set(item) != {"uid", "entries"}:
        raise InputError('a session is a table with "uid" and "entries"', where=where)
    uid, raw = item["uid"], item["entries"]
    if not isinstance(uid, str) or not _UID.fullmatch(uid):
        raise InputError('"uid" is not of the form that the book gives', where=where)
    if not isinstance(raw, list) or not raw:
        raise InputError('"entries" is a list that starts with the entry `new`', where=where)
    state = State()
    try:
        session = Session(uid, _setup(raw[0]), (), state)
        for fields in raw:
            session = _followed(session, _entry(fields))
    except (_Fault, BrokenLog, DurianAssistError) as error:
        what = error.what if isinstance(error, DurianAssistError) else str(error)
        raise InputError(what, where=f"{where}, entry {state.last + 1}", mend="Nothing was imported.") from None
    return session


def _followed(session: Session, entry: Entry) -> Session:
    """The session with one more entry, which must be one that the book itself would have made."""
    if entry.result is not None and entry.round is not None:
        admit(session.setup, session.results, entry.result, entry.round)
    apply(session.state, entry.step)
    return replace(session, setup=renamed(session.setup, entry), entries=(*session.entries, entry))


def _setup(fields: object) -> Setup:
    data = fields.get("data") if isinstance(fields, dict) else None
    _require(isinstance(data, dict), 'the first entry has the setup in "data"')
    assert isinstance(data, dict)
    _require(set(data) == {"name", "game", "players", "mode", "deck", "readings"}, '"data" has other keys than a setup')
    _require(data["game"] in GAMES, '"game" is smuggler, durian or dash')
    _require(data["mode"] in ("", *MODES[data["game"]]), '"mode" is none of the game')
    named = isinstance(data["name"], str) and isinstance(data["deck"], str)
    _require(named and _plain(data["deck"]), '"name" and "deck" are plain texts')
    _require(_texts(data["players"]), '"players" is a list of texts')
    questions = {question.key: question for question in QUESTIONS[data["game"]]}
    readings = data["readings"]
    _require(isinstance(readings, dict), '"readings" is a table')
    for key, value in readings.items():
        known = key in questions and value in questions[key].choices
        _require(known, f'the reading "{key}" = "{value}" is not known; a newer program may have written it')
    setup = setup_from_json(data)
    _require(checked_setup(setup) == setup, "a name is not in the form in which the book keeps names")
    return setup


def _entry(fields: object) -> Entry:
    required = {"seq", "at", "program", "rules", "kind"}
    _require(isinstance(fields, dict) and required <= set(fields), "an entry has seq, at, program, rules and kind")
    assert isinstance(fields, dict)
    extra = set(fields) - required - {"round", "target", "data", "result"}
    _require(not extra, f"unknown keys: {', '.join(sorted(map(str, extra)))}")
    for key in ("seq", "round", "target"):
        value = fields.get(key, 1)
        _require(isinstance(value, int) and not isinstance(value, bool) and 1 <= value < 2**31, f'"{key}" is no number')
    for key in ("at", "program", "rules", "kind"):
        _require(isinstance(fields[key], str) and len(fields[key]) <= 100, f'"{key}" is a short text')
    _require(_is_time(fields["at"]), '"at" is a time such as 2026-11-29T20:15:00.000Z')
    _require(_plain(fields["program"], fields["rules"]), '"program" and "rules" are plain texts')
    kind = fields["kind"]
    _require(kind in KINDS, f'the kind "{kind}" is not known')
    _require(("target" in fields) == (kind in ("undo", "redo")), '"target" belongs to undo and redo')
    _require(("result" in fields) == (kind in ("add", "amend")), '"result" belongs to add and amend')
    _require(kind in ("add", "amend", "note", "undo", "redo") or "round" not in fields, '"round" belongs to rounds')
    data = fields.get("data", {})
    _require(isinstance(data, dict) and _data_fits(kind, data), f'"data" does not fit {kind}')
    result = _result(fields["result"]) if "result" in fields else None
    return Entry(
        fields["seq"],
        fields["at"],
        fields["program"],
        fields["rules"],
        kind,
        fields.get("round"),
        fields.get("target"),
        data,
        result,
    )


def _data_fits(kind: str, data: Mapping[str, Any]) -> bool:
    if kind == "new":
        return True
    if kind == "note":
        return set(data) == {"text"} and isinstance(data["text"], str) and checked_note(data["text"]) == data["text"]
    if kind == "undo" and data:
        return set(data) == {"name"} and isinstance(data["name"], str) and _is_name(data["name"])
    if kind not in ("add", "amend"):
        return not data
    return (
        set(data) <= {"source", "record", "photos", "read", "corrected", "deck", "guessed"}
        and isinstance(data.get("source", ""), str)
        and isinstance(data.get("record", ""), str)
        and isinstance(data.get("deck", ""), str)
        and isinstance(data.get("read", {}), dict)
        and _texts(data.get("corrected", []))
        and _texts(data.get("guessed", []))
        and isinstance(data.get("photos", []), list)
        and all(
            isinstance(photo, dict) and set(photo) == {"name", "sha256"} and _texts(list(photo.values()))
            for photo in data.get("photos", [])
        )
    )


def _is_name(name: str) -> bool:
    return checked_name(name, "session") == name


def _result(fields: object) -> RoundResult:
    _require(isinstance(fields, dict), '"result" is a table')
    assert isinstance(fields, dict)
    points, tokens = fields.get("points", {}), fields.get("tokens", {})
    _require(isinstance(points, dict) and _texts(list(points.values())), '"points" is a table of texts')
    _require(all(_POINTS.fullmatch(text) for text in points.values()), "points are whole numbers or halves")
    _require(isinstance(tokens, dict), '"tokens" is a table')
    held = [token for own in tokens.values() for token in (own if isinstance(own, list) else ["?"])]
    whole = all(isinstance(token, int) and not isinstance(token, bool) for token in held)
    _require(whole and isinstance(fields.get("token", 0), int), "tokens are whole numbers")
    words = [fields.get(key, "") for key in ("mode", "outcome", "smuggler", "takes")]
    _require(_texts(words) and _texts(fields.get("winners", [])), "a result's words are texts")
    _require(_plain(*words), "a result's words are plain texts")
    result = RoundResult.from_json(fields)
    _require(result.to_json() == fields, "the result is not in the form in which the book keeps results")
    return result


def _is_time(text: str) -> bool:
    try:
        return bool(_TIME.fullmatch(text)) and datetime.fromisoformat(text.replace("Z", "+00:00")) is not None
    except ValueError:
        return False


def _plain(*texts: str) -> bool:
    """Whether texts can be shown on a terminal as they are."""
    return all(visible(text) == text for text in texts)


def _texts(items: object) -> bool:
    return isinstance(items, list) and all(isinstance(item, str) for item in items)


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise _Fault(message)
