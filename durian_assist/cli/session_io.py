"""`session chart|export|import|check`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from durian_assist.cli.options import named
from durian_assist.cli.output import emit_json, give, remember_done, say, tell
from durian_assist.cli.outputs import is_book, refuse_input
from durian_assist.cli.saving import open_book
from durian_assist.cli.session_group import session_argument, session_command, tell_removed
from durian_assist.cli.tables_in import near_name
from durian_assist.common.own_files import refuse_foreign
from durian_assist.common.paths import unusable
from durian_assist.common.text import visible
from durian_assist.errors import InputError, UsageError

if TYPE_CHECKING:
    from durian_assist.ledger.book import Book
    from durian_assist.ledger.chart_png import Lettering
    from durian_assist.ledger.entries import Session


def _out_option(text: str) -> Callable[[Any], Any]:
    return click.option("-o", "--out", callback=named, metavar="FILE", type=click.Path(path_type=str), help=text)


@session_command(
    "chart",
    session_argument,
    click.argument("file", required=False, type=click.Path(readable=False, path_type=str)),
    click.option(
        "-o",
        "--out",
        callback=named,
        metavar="FILE",
        type=click.Path(path_type=str),
        help="A .png or .svg file to write.",
    ),
)
def chart(name: str, file: str | None, out: str | None, db: str | None, as_json: bool) -> None:
    """Draw the totals over the rounds: as text, or to a .png or .svg FILE."""
    from durian_assist.cli.narrow import room
    from durian_assist.ledger.chart import WIDEST, series_of, text_chart

    book = open_book(db)
    target = _one_file(file, out)
    _refuse_book(target, book)
    if target is not None:
        refuse_foreign("--out", Path(target), "picture")
    session = book.session(name)
    series = series_of(session)
    if target is not None:
        _write_chart(Path(target), session, as_json=as_json)
    elif as_json:
        emit_json(series.to_json())
    else:
        say(text_chart(series, room() or WIDEST), whole=True)


def _one_file(file: str | None, out: str | None) -> str | None:
    if file and out:
        raise UsageError("two files were given", where=f"{file}, --out {out}", mend="Give one.")
    return out or file


def _write_chart(target: Path, session: Session, *, as_json: bool) -> None:
    from durian_assist.ledger.chart import series_of

    series = series_of(session)
    unreadable: tuple[str, ...] = ()
    if target.suffix.casefold() == ".svg":
        from durian_assist.ledger.chart_svg import svg_chart

        data = svg_chart(series).encode("utf-8")
    elif target.suffix.casefold() == ".png":
        from durian_assist.ledger.chart_png import png_chart

        data, unreadable = png_chart(series, _lettering(series.names))
    else:
        raise UsageError("a chart is a .png or a .svg file", where=str(target), mend="Or give no file, for text.")
    _write(target, data)
    if unreadable:
        names = ", ".join(unreadable)
        tell(f"warning: no font here can draw these names, so the picture numbers them: {names}. A .svg shows them.")
    emit_json({"file": str(target), "numbered": list(unreadable)}) if as_json else say(
        f"Written: {visible(str(target))}"
    )


def _lettering(names: tuple[str, ...]) -> Lettering | None:
    """OpenCV's outline font, loaded only where a name needs it."""
    if all(name.isascii() for name in names):
        return None
    from durian_assist.vision import lettering

    return lettering


def _refuse_book(target: str | None, book: Book) -> None:
    """Raises UsageError where the file to write is the session book itself, or another one."""
    if target is None:
        return
    refuse_input("--out", Path(target), [book.store.path])
    if is_book(Path(target)):
        what = "this is a session book, and writing it would destroy it"
        raise UsageError(what, where=f"--out {target}", mend="Name another file.")


def _write(target: Path, data: bytes) -> None:
    try:
        target.write_bytes(data)
    except OSError as error:
        raise unusable("cannot be written", target, error) from None
    remember_done(f"written {visible(str(target))}")


@session_command(
    "export",
    click.argument("names", nargs=-1, metavar="NAME..."),
    click.option(
        "--format", "form", metavar="FORMAT", help="json, csv or markdown; default: the file's ending, else json."
    ),
    click.option(
        "-o", "--out", callback=named, metavar="FILE", type=click.Path(path_type=str), help="The file to write."
    ),
    click.option("--all", "everything", is_flag=True, help="All sessions (json)."),
)
def export(
    names: tuple[str, ...], form: str | None, out: str | None, everything: bool, db: str | None, as_json: bool
) -> None:
    """Export sessions: as JSON with the whole log (it imports again unchanged), one as CSV or Markdown.

    \b
    durian-assist session export Friday --out friday.json
    durian-assist session export Friday --format markdown
    """
    from durian_assist.cli.session_files import export_form, export_text

    book = open_book(db)
    if everything == bool(names):
        raise UsageError("say which session to export", mend="Give its NAME, or --all.")
    _refuse_book(out, book)
    form = export_form(form, out, as_json)
    if out:
        refuse_foreign("--out", Path(out), form)
    text = export_text(book.sessions() if everything else [book.session(name) for name in names], form)
    if out:
        _write(Path(out), text.encode("utf-8"))
        tell(f"Written: {visible(out)}")
    else:
        give(text.encode("utf-8"))


@session_command(
    "import",
    click.argument("file", type=click.Path(readable=False, path_type=str)),
    click.option("--as", "copy", metavar="NAME", help="Import the one session as a copy of its own, under this name."),
)
def import_sessions(file: str, copy: str | None, db: str | None, as_json: bool) -> None:
    """Import what `export` wrote as JSON. Where a session clashes with one in the book, nothing is changed."""
    from durian_assist.cli.session_files import read_export
    from durian_assist.cli.session_rescore import rescored
    from durian_assist.common.names import listed
    from durian_assist.ledger.exchange import as_copy, import_into

    sessions = read_export(file)
    if copy is not None:
        if len(sessions) != 1:
            raise UsageError(f"the file holds {len(sessions)} sessions", where=f"--as {copy}", mend="Leave --as out.")
        sessions = [as_copy(sessions[0], copy)]
    book = open_book(db)
    import_into(book, sessions)
    names = [session.setup.name for session in sessions]
    remember_done(f"imported {listed(names)}")
    emit_json({"imported": names}) if as_json else say(f"Imported: {listed(names)}.")
    for name in names:
        tell_removed(book, name)
    for session in sessions:
        differs = rescored(session)
        for said in (*differs.faults, *differs.notes):
            tell(f"warning: {said}")


@session_command("check")
def check(db: str | None, as_json: bool) -> None:
    """Check the book: the file is sound, every total follows from the log, and every round's points from its record.

    Exit 1 where something is wrong, 3 where --db names no file.
    """
    from durian_assist.cli.session_rescore import rescored

    book = open_book(db)
    if db and not book.store.path.exists():
        raise InputError("there is no such file", where=str(book.store.path), mend=near_name(book.store.path))
    faults = book.check()
    found = [] if faults else [rescored(session) for session in book.sessions()]
    faults += [fault for differs in found for fault in differs.faults]
    notes = [note for differs in found for note in differs.notes]
    if as_json:
        emit_json({"sound": not faults, "findings": faults, "notes": notes})
    else:
        for note in notes:
            say(f"note: {note}")
        for fault in faults:
            say(fault)
        if book.store.missing:
            say(f"{book.store.path}: {book.store.without_content()}.")
        elif not faults:
            say(f"{book.store.path}: sound; every total follows from the log.")
    if faults:
        click.get_current_context().exit(1)
