"""`session undo|redo|remove`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from durian_assist.cli.options import named
from durian_assist.cli.saving import open_book
from durian_assist.cli.session_group import changed, session_argument, session_command
from durian_assist.errors import UsageError

if TYPE_CHECKING:
    from durian_assist.ledger.book import Change


@session_command(
    "undo",
    session_argument,
    click.option(
        "--as",
        "new_name",
        callback=named,
        metavar="OTHER",
        help="Bring back the removed session NAME under another name, where NAME is used again.",
    ),
)
def undo(name: str, new_name: str | None, db: str | None, as_json: bool) -> None:
    """Take back the last change that stands: a round, an amended round, a note, a removal."""
    book = open_book(db)
    change = book.undo(name) if new_name is None else book.bring_back(name, new_name)
    changed(change, f"Taken back: {_about(change)}", as_json=as_json)


@session_command("redo", session_argument)
def redo(name: str, db: str | None, as_json: bool) -> None:
    """Bring back what undo took back last."""
    change = open_book(db).redo(name)
    changed(change, f"Brought back: {_about(change)}", as_json=as_json)


def _about(change: Change) -> str:
    entry = change.about
    if entry is None:
        return change.setup.name
    words = {
        "add": f"round {entry.round}",
        "amend": f"the amendment of round {entry.round}",
        "note": f'the note "{entry.data.get("text")}"',
        "remove": "the removal",
    }
    return f"{words[entry.kind]} of {change.setup.name}"


@session_command("remove", session_argument, click.option("--yes", is_flag=True, help="Do not ask."))
def remove(name: str, yes: bool, db: str | None, as_json: bool) -> None:
    """Remove a session from the lists, after asking. It is kept, and `session undo` brings it back."""
    book = open_book(db)
    setup = book.setup(name)
    if not yes:
        try:
            sure = click.confirm(f"Remove the session {setup.name}?", err=True)
        except click.Abort as stopped:
            if isinstance(stopped.__context__, KeyboardInterrupt):
                raise
            raise UsageError("removing asks first, and nobody answered", mend="Give --yes.") from None
        if not sure:
            raise UsageError("nothing was removed", where=setup.name)
    change = book.remove(setup.name)
    changed(change, f"Removed {setup.name}; `session undo {setup.name}` brings it back", as_json=as_json)
