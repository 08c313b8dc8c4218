"""The `session` group itself, and what its commands share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from durian_assist.cli.main import Group
from durian_assist.cli.options import db_option, json_option
from durian_assist.cli.output import emit_json, remember_done, say, tell

if TYPE_CHECKING:
    from durian_assist.ledger.book import Book, Change


@click.group(cls=Group)
def group() -> None:
    """The session book: totals over many rounds, kept for years."""


def session_command(name: str, *options: Callable[[Any], Any]) -> Callable[[Any], click.Command]:
    """A command of the group with `--db` and `--json`, and further options."""

    def made(function: Any) -> click.Command:
        decorated = function
        for option in reversed((*options, db_option, json_option)):
            decorated = option(decorated)
        command: click.Command = group.command(name)(decorated)
        return command

    return made


session_argument = click.argument("name")


def changed(change: Change, sentence: str, *, as_json: bool, warnings: Sequence[str] = ()) -> None:
    """Say what was done and where the session stands now."""
    remember_done(sentence)
    for warning in warnings:
        tell(f"warning: {warning}")
    if as_json:
        done = {"session": change.setup.name, "did": change.kind, "round": change.round, "warnings": list(warnings)}
        emit_json({**done, **change.standing})
        return
    say(f"{sentence}.")
    if change.kind != "remove":
        from durian_assist.cli.session_text import points_of, standing_lines

        say(f"Totals: {points_of(change.standing['totals'])}.")
        for line in standing_lines(change.setup, change.standing, change.rounds):
            say(line)


def tell_removed(book: Book, name: str) -> None:
    """A removed session whose name is used again can still be brought back, and nobody would guess how."""
    from shlex import quote

    if book.has_removed(name):
        tell(
            f"note: a session of this name was removed; `durian-assist session undo {quote(name)} --as OTHER` brings "
            "that one back under another name."
        )
