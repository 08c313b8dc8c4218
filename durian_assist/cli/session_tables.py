"""How a round comes to the session book: a table with its flags, bare points, or corrections of a stored record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from durian_assist.cli.saving import brought_from, guessed_in, record_text, with_deck, with_mode, with_players
from durian_assist.cli.scoring import score_document
from durian_assist.cli.session_points import Typed, completed, typed_result
from durian_assist.cli.tables_in import PhotoWishes
from durian_assist.errors import InputError, UsageError
from durian_assist.ledger.book import Book
from durian_assist.ledger.rounds import Brought, RoundResult, RoundScore, Setup
from durian_assist.records.document import Document, load_record

if TYPE_CHECKING:
    from durian_assist.cli.durian_in import Flags as DurianFlags
    from durian_assist.cli.photo_in import PhotoTable
    from durian_assist.cli.smuggler_in import Flags as SmugglerFlags

_FLAGS: Mapping[str, tuple[str, ...]] = {
    "smuggler": ("seats", "hands", "smuggler"),
    "durian": ("takes", "first", "caller"),
    "dash": ("winner",),
}
"""Options that only one game has."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table as a record with the flags in it, and the readings of the photos that it came from."""

    document: Document
    photos: tuple[PhotoTable, ...] = ()


def bring(
    book: Book, name: str, options: Mapping[str, Any], *, amending: int | None = None
) -> tuple[Brought, RoundScore]:
    """The round that the command line brings, and its score under the session's readings.

    Raises UsageError for a command line that says nothing, too much or what the game has not, and whatever loading
    and scoring a table raises.
    """
    glance = book.glance(name, 1)
    setup = glance.setup
    _refuse_other_games(setup, options)
    typed = Typed(options["points"], options["takes"], options["winner"], options["smuggler"])
    tables, camera = options["tables"], options["camera"]
    if typed.given:
        if tables or camera or options["corrections"]:
            raise UsageError("a round is either a table or points", mend="Give one of the two.")
        _refuse_idle(options)
        mode = glance.standing["mode"]
        typed, kept = completed(setup, mode, typed, _before(book, name, amending)) if amending else (typed, ())
        return Brought(None, "typed in"), RoundScore(typed_result(setup, mode, typed), (), kept)
    if tables or camera:
        wishes = PhotoWishes(
            options["deck"] or setup.deck or None, camera, options["corrections"], None, options["accept"]
        )
        table = _load(setup, tables, wishes, options)
        document, seated = with_players(setup, with_mode(setup, glance.standing["mode"], table.document))
        score = score_document(replace(setup, deck=wishes.deck or ""), document)
        score = replace(score, warnings=(*seated, *score.warnings))
        brought = brought_from(document, table.photos, tables, options["corrections"], options["deck"])
        return brought, score
    if amending is not None and _changes(options):
        return _corrected(book, name, amending, options)
    raise UsageError("no table and no points were given", mend="Give a TABLE, or --points NAME=12 for each player.")


def _refuse_idle(options: Mapping[str, Any]) -> None:
    """Raise UsageError for what says something of a table where there is none: it would be neither checked nor kept."""
    for key in ("first", "caller", "seats", "hands"):
        if options[key]:
            option = f"--{key.removesuffix('s')}"
            what = f"{option} says something of a table, and this round has none"
            mend = "Leave it out, or give the TABLE instead; `session note` keeps a remark."
            raise UsageError(what, where=option, mend=mend)


def _before(book: Book, name: str, number: int) -> RoundResult:
    """What a round brought so far; nothing where there is no such round, which the book refuses."""
    return dict(enumerate(book.session(name).results, 1)).get(number, RoundResult())


def _refuse_other_games(setup: Setup, options: Mapping[str, Any]) -> None:
    for game, flags in _FLAGS.items():
        given = [flag for flag in flags if options[flag]]
        if given and game != setup.game:
            option = given[0].removesuffix("s") if given[0] in ("seats", "hands") else given[0]
            raise UsageError(f"--{option} is for {game}, this session is of {setup.game}", where=setup.name)


def _changes(options: Mapping[str, Any]) -> list[str]:
    """What the command line changes in a record, as the book keeps it."""
    single = [f"{flag}={options[flag]}" for flag in ("smuggler", "first", "caller") if options[flag]]
    return [*options["corrections"], *options["seats"], *options["hands"], *single]


def _corrected(book: Book, name: str, number: int, options: Mapping[str, Any]) -> tuple[Brought, RoundScore]:
    """The stored record of a round with further corrections, and its score."""
    session = book.session(name)
    if number > len(session.state.versions):
        raise InputError(f"there is no round {number}", where=session.setup.name)
    before = session.in_force[number - 1].brought
    if before.record is None:
        raise InputError(
            f"round {number} has no record that could be corrected",
            where=session.setup.name,
            mend="Give the points anew with --points, or a TABLE.",
        )
    document = load_record(f"round {number} of {session.setup.name}", before.record)
    mended = _flagged(session.setup, document, options)
    score = score_document(with_deck(session.setup, before), mended)
    corrected = (*before.corrected, *_changes(options))
    return replace(before, record=record_text(mended), corrected=corrected, guessed=guessed_in(mended)), score


def _load(setup: Setup, tables: Sequence[str], wishes: PhotoWishes, options: Mapping[str, Any]) -> Table:
    """The table of the command line with the flags in it."""
    if setup.game == "durian":
        from durian_assist.cli.durian_in import load_durian

        loaded = load_durian(tables, wishes, _durian_flags(options))
        return Table(loaded.document, (loaded.photo,) if loaded.photo else ())
    if setup.game == "dash":
        from durian_assist.cli.dash_in import Flags as DashFlags
        from durian_assist.cli.dash_in import load_dash

        game = load_dash(tables, wishes, DashFlags())
        return Table(game.document, game.photos)
    from durian_assist.cli.smuggler_in import load_smuggler

    loaded = load_smuggler(tables, wishes, _smuggler_flags(options))
    return Table(loaded.document, (loaded.photo,) if loaded.photo else ())


def _durian_flags(options: Mapping[str, Any]) -> DurianFlags:
    from durian_assist.cli.durian_in import Flags

    return Flags(first=options["first"], caller=options["caller"])


def _smuggler_flags(options: Mapping[str, Any]) -> SmugglerFlags:
    from durian_assist.cli.smuggler_in import Flags

    smuggler = (options["smuggler"],) if options["smuggler"] else ()
    return Flags(seats=options["seats"], hands=options["hands"], smuggler=smuggler)


def _flagged(setup: Setup, document: Document, options: Mapping[str, Any]) -> Document:
    """A stored record with flags and corrections in it."""
    if setup.game == "durian":
        from durian_assist.cli.durian_in import with_flags

        return with_flags(document, _durian_flags(options), options["corrections"])
    if setup.game == "dash":
        from durian_assist.cli import dash_in

        return dash_in.with_flags(document, dash_in.Flags(), options["corrections"])
    from durian_assist.cli import smuggler_in

    return smuggler_in.with_flags(document, _smuggler_flags(options), options["corrections"])
