"""`smuggler score|check|legal|setup|turn`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from durian_assist.cli.main import Group
from durian_assist.cli.options import (
    camera_option,
    deck_option,
    json_option,
    reading_option,
    review_options,
    save_option,
    set_option,
    tables_argument,
)

if TYPE_CHECKING:
    from durian_assist.cli.tables_in import Loaded
    from durian_assist.common.answers import Finding
    from durian_assist.smuggler.deck import DeckTable
    from durian_assist.smuggler.scoring import Score
    from durian_assist.smuggler.table import Table

F = TypeVar("F", bound=Callable[..., Any])

RECORD_HELP = '''
\b
A record (TOML, or JSON with the same keys):
  game = "smuggler"
  mode = "competitive"          # cooperative (default) | competitive
  smuggler = "west"             # competitive: side or name, or "none"
  starts = "south"              # optional: the side that faced beige
  grid = """
  red6v   blue->  green-^ red-<   plum4v
  blue8<  red->   red->   gold-^  plum->
  red-^   green4v ##      plum-<  gold6v
  gold->  plum-<  red-^   blue-v  green-<
  plum-v  gold-^  green-> plum-^  red-<
  """
  # moves = ["3,2 south", ...]  # optional: every placement, in order
  [seats]                       # south is the side of the photographer
  south = "Ann"
  west = "Bo"
  north = "Cy"
  east = "Di"                   # "blind": a side without a player
  [hands]                       # the card left at the end
  south = ["blue8"]
  west = ["blue-"]
  north = ["gold-"]
  east = ["green-"]
\b
A cell is TYPE FACE SIDE: a luggage type; a badge, * (badge from the
deck table), - (empty) or ? (face down); the side that the arrow points
to: v south, < west, ^ north, > east. `.` is empty, ## the centre card.
'''


@click.group(cls=Group)
def group() -> None:
    """Durian Smuggler: score, check, legal, setup, turn."""


def _table_options(command: F) -> F:
    options = (
        click.option("--seat", "seats", multiple=True, metavar="SIDE=NAME", help='Who sits where, or "blind".'),
        click.option("--hand", "hands", multiple=True, metavar="SIDE=CARDS", help="Cards in hand: south=red6,green-."),
        click.option("--mode", metavar="MODE", help="cooperative (default) or competitive."),
        click.option("--smuggler", multiple=True, metavar="SIDE|NAME", help='Who was the Smuggler, or "none".'),
        click.option("--starts", metavar="SIDE|NAME", help="Who faced the beige sequence."),
        deck_option,
        camera_option,
        set_option,
        review_options,
        reading_option,
        json_option,
        tables_argument,
    )
    for option in reversed(options):
        command = option(command)
    return command


def _load(
    tables: Sequence[str], options: dict[str, Any], save: str | None = None, db: str | None = None
) -> tuple[Loaded, Table, DeckTable | None]:
    """The table with flags in it; one to be saved that names no mode has that of its session."""
    from dataclasses import replace

    from durian_assist.cli.saving import with_mode_of
    from durian_assist.cli.smuggler_in import Flags, deck_of, load_smuggler
    from durian_assist.cli.tables_in import PhotoWishes, refuse_overlay
    from durian_assist.smuggler.record import read_table

    flags = Flags(**{key: options[key] for key in ("seats", "hands", "mode", "smuggler", "starts")})
    loaded = load_smuggler(tables, PhotoWishes.of(options, tables), flags)
    loaded = replace(loaded, document=with_mode_of(save, db, loaded.document))
    deck = deck_of(loaded, options["deck"])
    table = read_table(loaded.document, deck)
    if not loaded.photo:
        refuse_overlay(options["overlay"])
    if options["draft"]:
        from durian_assist.cli.photo_in import write_draft

        write_draft(options["draft"], loaded.document)
    return loaded, table, deck


def _photo_warnings(loaded: Loaded) -> list[Finding]:
    from durian_assist.cli.guesses import said_of

    return said_of("smuggler.photo", loaded)


def _overlay(loaded: Loaded, name: str | None, lines: dict[str, list[str]]) -> None:
    if loaded.photo and name:
        from durian_assist.cli.pictures import write_overlay

        write_overlay(name, loaded.photo.photos, loaded.photo.reading, lines)


def _overlay_lines(table: Table, result: Score) -> dict[str, list[str]]:
    """Owner and points for every card, by its key in the reading."""
    from durian_assist.common.answers import points_text
    from durian_assist.smuggler.geometry import place_of

    lines: dict[str, list[str]] = {}
    for line in result.lines:
        owner = table.players.get(line.side, line.side)
        points = points_text(line.points, sign=True) if line.luggage.badge is not None else ""
        key = "{},{}".format(*place_of(line.cell)) if line.cell is not None else f"hand.{line.side}"
        lines.setdefault(key, []).append(f"{owner} {points}".strip())
    return lines


@group.command("score", epilog=RECORD_HELP)
@_table_options
@click.option("--partial", is_flag=True, help="Score a grid that is not full, and say so.")
@save_option
def score(
    tables: tuple[str, ...],
    as_json: bool,
    partial: bool,
    save: str | None,
    db: str | None,
    reading: tuple[str, ...],
    **options: Any,
) -> None:
    """Who scored what, and why: a line for every card.

    \b
    durian-assist smuggler score table.jpg --deck harbour-smuggler
    durian-assist smuggler score table.toml --mode competitive --smuggler west
    """
    from dataclasses import replace

    from durian_assist.cli import smuggler_show
    from durian_assist.cli.output import emit_json, tell
    from durian_assist.cli.smuggler_in import placed
    from durian_assist.common.readings import Readings
    from durian_assist.errors import InputError
    from durian_assist.smuggler.scoring import NobodySits
    from durian_assist.smuggler.scoring import score as score_table

    if save:
        from durian_assist.cli.saving import session_choices

        reading, options["deck"] = session_choices(save, db, "smuggler", reading, options["deck"])
    readings = Readings.parse("smuggler", reading)
    loaded, table, deck = _load(tables, options, save, db)
    try:
        result = score_table(table, readings, deck, partial=partial)
    except NobodySits as error:
        raise placed(error, loaded) from None
    if save and result.status == "partial":
        mend = "Finish the game, or leave --save out."
        raise InputError("the grid is not full: this is no round for the book", where=f"--save {save}", mend=mend)
    result = replace(result, warnings=(*_photo_warnings(loaded), *result.warnings))
    _overlay(loaded, options["overlay"], _overlay_lines(table, result))
    if as_json:
        emit_json(smuggler_show.score_json(result))
    else:
        smuggler_show.show_score(table, result)
    if save:
        from durian_assist.cli.saving import save_round

        fixed, named = options["corrections"], options["deck"]
        tell(save_round(save, db, "smuggler", loaded.document, loaded, tables, fixed, deck=named))


@group.command("check", epilog=RECORD_HELP)
@_table_options
@click.option("--exchange", is_flag=True, help="Also look for two cards whose exchanged sides would mend the grid.")
def check(tables: tuple[str, ...], as_json: bool, reading: tuple[str, ...], exchange: bool, **options: Any) -> None:
    """Is this table legal? Could it have come about at all? Finished or not, face up or down.

    Exit code 1: a rule was broken; every finding is listed, worst first.
    """
    from durian_assist.cli import smuggler_check
    from durian_assist.cli.output import emit_json
    from durian_assist.common.readings import Readings
    from durian_assist.smuggler.check import check as check_table

    readings = Readings.parse("smuggler", reading)
    loaded, table, deck = _load(tables, options)
    report = check_table(table, readings, deck, exchange=exchange, sure=_confidence(loaded))
    extra = _photo_warnings(loaded)
    _overlay(loaded, options["overlay"], {})
    if as_json:
        emit_json(smuggler_check.report_json(report, extra))
    else:
        smuggler_check.show_report(table, report, extra)
    if report.legal is False:
        click.get_current_context().exit(1)


def _confidence(loaded: Loaded) -> dict[int, float]:
    """How sure a photo's reading is of each cell."""
    from durian_assist.smuggler.notation import parse_cell

    marks = loaded.photo.reading.marks() if loaded.photo else ()
    cells = ((parse_cell(mark.key), mark.confidence) for mark in marks)
    return {cell: confidence for cell, confidence in cells if cell is not None}


@group.command("legal", epilog=RECORD_HELP)
@click.option("--side", required=True, metavar="SIDE|NAME", help="Who wants to place a card.")
@click.option("--why", multiple=True, metavar="ROW,COLUMN", help="Why this cell, or why not; repeatable.")
@_table_options
def legal(
    tables: tuple[str, ...], as_json: bool, reading: tuple[str, ...], side: str, why: tuple[str, ...], **options: Any
) -> None:
    """Where a side may place a card now."""
    from durian_assist.cli import smuggler_check
    from durian_assist.cli.output import emit_json
    from durian_assist.cli.smuggler_legal import cell_asked, side_asked, turn_note
    from durian_assist.common.readings import Readings
    from durian_assist.smuggler.geometry import cells_of
    from durian_assist.smuggler.moves import why_not
    from durian_assist.smuggler.play import legal_cells

    exemption = Readings.parse("smuggler", reading)["exemption"]
    loaded, table, _ = _load(tables, options)
    _overlay(loaded, options["overlay"], {})
    seat = side_asked(table, side)
    asked = [cell_asked(text) for text in why]
    own, players = table.own.get(seat, 0), len(table.players)
    mask, exempt = legal_cells(table.filled, own, players, exemption)
    cells = list(cells_of(mask))
    title = table.title(seat)
    answers = [(cell, why_not(cell, table.filled, own, title, players, exemption)) for cell in asked]
    notes = [*_photo_warnings(loaded), *turn_note(table, seat)]
    if as_json:
        emit_json(smuggler_check.legal_json(seat, cells, exempt, answers, notes))
    else:
        smuggler_check.show_legal(table, seat, cells, exempt, answers)
        from durian_assist.cli.smuggler_show import show_findings

        show_findings(notes)


@group.command("setup")
@click.argument("players", metavar="PLAYERS", type=int)
@click.option("--mode", metavar="MODE", default="cooperative", help="cooperative (default) or competitive.")
@json_option
def setup(players: int, mode: str, as_json: bool) -> None:
    """What to lay out for one to four PLAYERS."""
    from durian_assist.cli.output import emit_json, say
    from durian_assist.cli.smuggler_legal import mode_asked
    from durian_assist.smuggler import guide

    found = guide.setup(players, mode_asked(mode))
    if as_json:
        emit_json(found.to_json())
        return
    for number, step in enumerate(found.steps, 1):
        say(f"{number:>3}. {step.text} [{step.rule}]")
    say(f"\n{found.rounds} rounds; cards are dealt from the deck in {found.refills} of them.")
    if players > 2:
        say(f"Sequences clockwise from beige: {'; or '.join(', '.join(order) for order in found.sequences)}.")


@group.command("turn")
@click.argument("players", metavar="PLAYERS", type=int)
@click.option("--round", "number", metavar="N", type=int, help="The round, from 1; all rounds without it.")
@click.option("--starts", metavar="SIDE", help="The side that faces beige (1-2 players: sequence 1); south without it.")
@click.option("--absent", metavar="SIDE", help="Three players: the side where nobody sits, which faces red.")
@click.option("--order", metavar="COLOURS", help="The card's sequences clockwise: beige-yellow-green-red.")
@json_option
def turn(
    players: int, number: int | None, starts: str | None, absent: str | None, order: str | None, as_json: bool
) -> None:
    """Who is active in which round, who places when, and what the sequence says."""
    from durian_assist.cli.output import emit_json, say
    from durian_assist.cli.smuggler_turn import turns_asked

    turns = turns_asked(players, number, starts, absent, order)
    if as_json:
        emit_json(turns.to_json(one=number is not None))
        return
    for step in turns.sitting.assumed:
        say(f"note: {step.text} [{step.rule}]")
    for one in turns.rounds:
        say(f"Round {one.number} of {one.rounds}: {one.active} is active.")
        for step in one.steps:
            say(f"    {step.text} [{step.rule}]")
