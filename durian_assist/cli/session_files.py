"""Files of the session book: which form an export takes, and the text of an import."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from durian_assist.cli.session_text import standing_lines
from durian_assist.cli.tables_in import refuse_no_file
from durian_assist.common.names import UnknownName, listed, resolve
from durian_assist.common.paths import unusable
from durian_assist.errors import InputError, UsageError
from durian_assist.ledger.entries import Session
from durian_assist.ledger.exchange import export_json, parse_export
from durian_assist.ledger.sheets import to_csv, to_markdown

FORMS = ("json", "csv", "markdown")
_ENDINGS = {".json": "json", ".csv": "csv", ".md": "markdown", ".markdown": "markdown"}


def export_text(sessions: Sequence[Session], form: str) -> str:
    """The sessions in a form. Raises UsageError for several sessions in one that holds one only."""
    if form == "json":
        return export_json(sessions)
    if len(sessions) != 1:
        raise UsageError(f"{form} holds one session", mend="Name one session, or export to json.")
    session = sessions[0]
    standing: dict[str, Any] = session.standing.to_json()
    rows = session.rows()
    if form == "csv":
        return to_csv(session.setup, rows, standing["totals"])
    lines = [*standing_lines(session.setup, standing, len(rows)), *session.notes().get(None, [])]
    return to_markdown(session.setup, rows, standing, lines)


def export_form(form: str | None, out: str | None, as_json: bool) -> str:
    """The form that is asked for, by `--format`, the ending of the file, else json. Raises UsageError for another."""
    if form is None:
        ending = Path(out or "").suffix.casefold()
        if as_json or not ending:
            return "json"
        if ending not in _ENDINGS:
            mend = f"End it with {listed(_ENDINGS, 'or')}, or say what it is to be with --format."
            raise UsageError("the ending is none of an export", where=f"--out {out}", mend=mend)
        return _ENDINGS[ending]
    try:
        chosen = resolve(form, FORMS, {"md": "markdown"})
    except UnknownName as error:
        raise UsageError(error.sentence, where=f"--format {form}", mend=f"Forms: {listed(FORMS)}.") from None
    if as_json and chosen != "json":
        raise UsageError("--json and another --format were given", mend="Give one of the two.")
    return chosen


def read_export(name: str) -> list[Session]:
    """The sessions of a file, or of standard input for `-`."""
    try:
        if name != "-":
            refuse_no_file(Path(name), "Give the export in it.")
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise unusable("cannot be read", Path(name), error) from None
    where = "standard input" if name == "-" else name
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(
            "this is no UTF-8 text", where=where, mend="Give a file that `session export` wrote."
        ) from None
    return parse_export(text, where)
