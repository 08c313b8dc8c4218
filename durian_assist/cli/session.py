"""`session new|list|show|add|amend|note|undo|redo|chart|export|import|remove|check`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from durian_assist.cli import session_io, session_undo
from durian_assist.cli.options import RoundNumber, camera_option, deck_option, reading_option, set_option
from durian_assist.cli.output import emit_json, give, remember_done, say
from durian_assist.cli.saving import deck_name, doubtful, open_book
from durian_assist.cli.session_group import changed, group, session_argument, session_command, tell_removed
from durian_assist.errors import UsageError

if TYPE_CHECKING:
    from durian_assist.ledger.book import Glance
    from durian_assist.ledger.entries import Session

__all__ = ["group", "session_io", "session_undo"]

F = TypeVar("F", bound=Callable[..., Any])

GAMES = ("smuggler", "durian", "dash")
_SHOWN = 20
"""Rounds that `show` prints without `--all`."""


@session_command(
    "new",
    session_argument,
    click.option("--game", required=True, metavar="GAME", help="smuggler, durian or dash."),
    click.option("--player", "players", multiple=True, required=True, metavar="NAME", help="A player; repeatable."),
    click.option(
        "--mode",
        "--variant",
        "mode",
        metavar="MODE",
        help="Smuggler: cooperative or competitive. Dash: standard or haters. Default: as the first round.",
    ),
    reading_option,
    deck_option,
)
def new(
    name: str,
    game: str,
    players: tuple[str, ...],
    mode: str | None,
    reading: tuple[str, ...],
    deck: str | None,
    db: str | None,
    as_json: bool,
) -> None:
    """Open the session NAME. Its readings and its deck are used for all its rounds.

    \b
    durian-assist session new Friday --game smuggler --player Ann --player Bo --player Cy
    """
    from durian_assist.cli.session_text import title
    from durian_assist.common.readings import Readings
    from durian_assist.ledger.opening import opened_setup
    from durian_assist.ledger.rounds import MODES, Setup
    from durian_assist.vision.deck_shelf import folder_of

    game = _choice("--game", game, GAMES)
    if mode is not None and not MODES[game]:
        raise UsageError(f"{game} has no modes", where=f"--mode {mode}")
    mode = _choice("--mode", mode, MODES[game]) if mode is not None else ""
    readings = Readings.parse(game, reading)
    if deck and not Path(deck).exists():
        folder_of(deck, game)
    setup = opened_setup(Setup(name, game, players, readings, mode, deck_name(deck)))
    book = open_book(db)
    book.new(setup)
    remember_done(f"opened {setup.name}")
    if as_json:
        from durian_assist.ledger.entries import setup_to_json

        emit_json(setup_to_json(setup))
    else:
        say(f"Opened {title(setup, 0, mode)}.")
    tell_removed(book, setup.name)


def _choice(option: str, text: str, choices: Sequence[str]) -> str:
    from durian_assist.common.names import UnknownName, listed, resolve

    try:
        return resolve(text, choices)
    except UnknownName as error:
        raise UsageError(error.sentence, where=f"{option} {text}", mend=f"It can be {listed(choices, 'or')}.") from None


@session_command("list", click.option("--removed", is_flag=True, help="List removed sessions too."))
def list_sessions(removed: bool, db: str | None, as_json: bool) -> None:
    """List the sessions: game, players, rounds, who leads, when last changed."""
    from durian_assist.cli.output import table
    from durian_assist.cli.session_text import local_time, say_hidden
    from durian_assist.common.names import listed
    from durian_assist.common.text import visible
    from durian_assist.ledger.entries import setup_to_json

    book = open_book(db)
    every = book.summaries(removed=True)
    found = [item for item in every if removed or not item.removed]
    if as_json:
        more = ("totals", "leaders", "over")
        emit_json(
            {
                "sessions": [
                    {
                        **setup_to_json(item.setup),
                        "mode": item.standing["mode"],
                        "rounds": item.rounds,
                        "removed": item.removed,
                        "opened": item.opened,
                        "changed": item.changed,
                        **{key: item.standing[key] for key in more},
                    }
                    for item in found
                ],
                "book": str(book.store.path),
            }
        )
    elif not found:
        there = book.store.without_content() if book.store.missing else "nothing in it"
        there += " but removed ones" if every else ""
        say(f"No sessions yet in the book {visible(str(book.store.path))}: {there}.")
        say("`durian-assist session new NAME --game GAME --player NAME ...` opens one.")
        say_hidden(len(every))
    else:
        rows = [
            (
                item.setup.name + (" (removed)" if item.removed else ""),
                f"{item.setup.game} {item.standing['mode']}".strip(),
                listed(item.setup.players),
                item.rounds,
                listed(item.standing["leaders"]),
                local_time(item.changed),
            )
            for item in found
        ]
        say(table(rows, ["session", "game", "players", "rounds", "leads", "changed"], right=[3]))
        say_hidden(len(every) - len(found))
        if db:
            say(f"\nBook: {visible(db)}")


@session_command(
    "show",
    session_argument,
    click.option("--why", type=RoundNumber(), metavar="ROUND", help="How the numbers of a round came about."),
    reading_option,
    click.option("--all", "everything", is_flag=True, help=f"All rounds, not only the last {_SHOWN}."),
    click.option("--log", is_flag=True, help="Every entry: rounds, corrections, undo and redo, notes."),
)
def show(
    name: str,
    why: int | None,
    reading: tuple[str, ...],
    everything: bool,
    log: bool,
    db: str | None,
    as_json: bool,
) -> None:
    """Show rounds, totals, and who leads. --reading KEY=VALUE tries another reading; it is not kept."""
    book = open_book(db)
    if why is None and not reading and not log:
        glance = book.glance(name, None if everything or as_json else _SHOWN)
        _show_json(glance, ()) if as_json else _show_text(glance, ())
        return
    session = book.session(name)
    if log:
        _show_log(session, as_json=as_json)
    elif why is not None:
        from durian_assist.cli.session_why import show_why

        show_why(session, why, reading, as_json=as_json)
    else:
        from durian_assist.cli.session_why import tried

        glance, notes = tried(session, reading, None if everything or as_json else _SHOWN)
        _show_json(glance, notes) if as_json else _show_text(glance, notes)


def _show_log(session: Session, *, as_json: bool) -> None:
    if as_json:
        emit_json({"session": session.setup.name, "log": [entry.to_json() for entry in session.entries]})
        return
    from durian_assist.cli.session_text import log_table

    say(log_table(session))


def _show_json(glance: Glance, tried: Sequence[str]) -> None:
    """Print the document from the stored rows as they are: parsing thousands of them would only cost time."""
    from durian_assist.ledger.entries import compact, setup_to_json

    head = {"session": glance.setup.name, **setup_to_json(glance.setup), **glance.standing, "tried": list(tried)}
    rows = ",\n  ".join(glance.rows)
    give(f'{compact(head)[:-1]},\n "rounds": [{rows}]}}\n')


def _show_text(glance: Glance, tried: Sequence[str]) -> None:
    import json

    from durian_assist.cli.session_text import rounds_table, standing_lines, title

    rows = [json.loads(row) for row in glance.rows]
    say(title(glance.setup, glance.rounds, glance.standing["mode"]))
    for note in tried:
        say(note)
    say()
    if rows:
        say(rounds_table(glance.setup, rows, glance.standing))
        hidden = glance.rounds - len(rows)
        if hidden:
            say(f"Rounds 1 to {hidden} are not shown; --all shows them.")
        if any(row["amended"] for row in rows):
            say("* amended; --why ROUND shows how it was before.")
        if any("guessed" in row for row in rows):
            say("? with guesses from a photo that nobody has confirmed; --why ROUND names them.")
        say()
    for line in standing_lines(glance.setup, glance.standing, glance.rounds):
        say(line)


def _round_options(command: F) -> F:
    """How a round is brought: a table, or bare points."""
    options = (
        click.argument("tables", nargs=-1, metavar="[TABLE]...", type=click.Path(readable=False, path_type=str)),
        click.option("--points", multiple=True, metavar="NAME=12", help="Points without a table; repeatable."),
        click.option("--takes", metavar="NAME", help="Durian: who took the round's token."),
        click.option("--winner", metavar="NAME", help="Dash: who won, where points alone do not tell."),
        click.option(
            "--seat", "seats", multiple=True, metavar="SIDE=NAME", help="Smuggler: who sat where; repeatable."
        ),
        click.option("--hand", "hands", multiple=True, metavar="SIDE=CARDS", help="Smuggler: cards left; repeatable."),
        click.option("--smuggler", metavar="NAME", help="Smuggler: who was the Smuggler."),
        click.option("--first", metavar="NAME", help="Durian: who took the round's first turn."),
        click.option("--caller", metavar="NAME", help="Durian: who rang the bell."),
        set_option,
        deck_option,
        camera_option,
        click.option("--accept", is_flag=True, help="Take the best guess for uncertain cards, and say so."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@session_command("add", session_argument, _round_options)
def add(name: str, db: str | None, as_json: bool, **options: Any) -> None:
    """Add the next round: from a TABLE (a photo or a record), or from points.

    \b
    durian-assist session add Friday table.jpg --seat south=Ann --seat west=Bo
    durian-assist session add Friday --points Ann=12 --points Bo=7.5
    """
    from durian_assist.cli.session_tables import bring

    book = open_book(db)
    brought, score = bring(book, name, options)
    warnings = [*score.warnings, *doubtful(book.session(name), brought)]
    change = book.add(name, brought, score.result)
    said = f"Saved as round {change.round} of {change.setup.name}"
    changed(change, said, as_json=as_json, warnings=warnings)


@session_command(
    "amend", session_argument, click.argument("number", metavar="ROUND", type=RoundNumber()), _round_options
)
def amend(name: str, number: int, db: str | None, as_json: bool, **options: Any) -> None:
    """Correct a ROUND: a new table or new points, or only --set on the record that was stored. Nothing is overwritten.

    \b
    durian-assist session amend Friday 3 --set 3,2=red6v
    durian-assist session amend Friday 3 --points Ann=11 --points Bo=7
    """
    from durian_assist.cli.session_tables import bring

    book = open_book(db)
    brought, score = bring(book, name, options, amending=number)
    change = book.amend(name, number, brought, score.result)
    changed(change, f"Amended round {number} of {change.setup.name}", as_json=as_json, warnings=score.warnings)


@session_command(
    "note",
    session_argument,
    click.argument("text"),
    click.option("--round", "number", type=RoundNumber(), metavar="ROUND", help="The round that the note is about."),
)
def note(name: str, text: str, number: int | None, db: str | None, as_json: bool) -> None:
    """Write a note TEXT to the session, or to one of its rounds with --round."""
    from durian_assist.ledger.opening import checked_note

    change = open_book(db).note(name, checked_note(text), number)
    where = f"round {number} of {change.setup.name}" if number else change.setup.name
    changed(change, f"Noted to {where}", as_json=as_json)
