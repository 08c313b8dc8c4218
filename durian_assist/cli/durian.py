"""`durian score|call|odds|setup`."""

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
    from durian_assist.durian.round import Round

F = TypeVar("F", bound=Callable[..., Any])

RECORD_HELP = """
\b
A record (TOML, or JSON with the same keys):
  game = "durian"
  players = ["Ann", "Bo", "Cy"]       # clockwise
  first = "Ann"                       # took the round's first turn
  inventory = ["strawberry 1 | banana 2", "gorilla hannah", "grapes 2 | durian 1"]
  # open_card = "banana 1 | grapes 2" # with two players only
  orders = [                          # in order of play, the accepted side first
    "banana 3 | strawberry 1",
    "gorilla murphy flips 1",         # order 1; gorillas are not counted
    "grapes 2 | banana 1",
  ]
  caller = "Ann"
  [tokens]                            # held before this round
  Bo = [1]
  # [deck]                            # optional: all cards of your own copy
  # "strawberry 1 | banana 3" = 1     # this one, once
"""


@click.group(cls=Group)
def group() -> None:
    """Durian (Oink Games): manager tokens, the bell, the odds."""


def _photo_options(command: F) -> F:
    for option in (deck_option, camera_option, set_option, review_options, json_option, tables_argument):
        command = option(command)
    return command


def _tokens_option(command: F) -> F:
    return click.option("--tokens", multiple=True, metavar="NAME=1,4", help="Tokens a player holds; repeatable.")(
        command
    )


def _round_options(command: F) -> F:
    options = (
        click.option("--players", metavar="A,B,C", help="The players, clockwise."),
        click.option("--first", metavar="NAME", help="Who took the round's first turn."),
        click.option("--caller", metavar="NAME", help="Who rings the bell."),
        click.option(
            "--inventory", multiple=True, metavar="CARD", help="A card of the inventory, in order; repeatable."
        ),
        click.option("--open-card", metavar="CARD", help="The open card of two players."),
        click.option("--order", "orders", multiple=True, metavar="CARD", help="A card drawn, in order; repeatable."),
        _tokens_option,
    )
    for option in reversed(options):
        command = option(command)
    return command


def _load(tables: Sequence[str], options: dict[str, Any]) -> Loaded:
    from durian_assist.cli.durian_in import Flags, load_durian
    from durian_assist.cli.tables_in import PhotoWishes, refuse_overlay

    wishes = PhotoWishes.of(options, tables)
    names = ("players", "first", "caller", "inventory", "open_card", "orders", "tokens", "at")
    loaded = load_durian(tables, wishes, Flags(**{key: options[key] for key in names if key in options}))
    if loaded.photo and options["overlay"]:
        from durian_assist.cli.pictures import write_overlay

        write_overlay(options["overlay"], loaded.photo.photos, loaded.photo.reading)
    if not loaded.photo:
        refuse_overlay(options["overlay"])
    return loaded


def _photo_warnings(loaded: Loaded) -> list[Finding]:
    from durian_assist.cli.guesses import said_of

    return said_of("durian.photo", loaded)


def _nameless(loaded: Loaded, names: Sequence[str]) -> list[Finding]:
    """Tokens of a photo are sorted by the side on which they lie; whose they are only people can say."""
    from durian_assist.cli.durian_lay import SIDES
    from durian_assist.common.answers import Finding
    from durian_assist.common.names import listed

    sides = [name for name in names if name in SIDES]
    if not loaded.photo or not sides or len(names) < 2:
        return []
    message = f"the tokens on {listed(sides)} have no player's name; each side is taken as one player."
    mend = "Say whose they are with --at Ann=south, or --at Ann=all where all are one player's."
    return [Finding("durian.photo", "warning", "tokens", message, mend)]


@group.command("score")
@_tokens_option
@click.option(
    "--at", multiple=True, metavar="NAME=SIDE", help="Whose tokens lie on a side of the photo, or all; repeatable."
)
@click.option("--final", is_flag=True, help="Name who is ahead although the game is not over.")
@save_option
@_photo_options
def score(
    tables: tuple[str, ...], as_json: bool, final: bool, save: str | None, db: str | None, **options: Any
) -> None:
    """Tokens held to points, places, and whether the game is over.

    \b
    durian-assist durian score --tokens Ann=1,4 --tokens Bo=2 --tokens Cy=3
    durian-assist durian score tokens.jpg --at Ann=south --at Bo=north
    """
    from durian_assist.cli import durian_show
    from durian_assist.cli.output import emit_json, tell
    from durian_assist.durian.record import read_tokens
    from durian_assist.durian.tokens import standing

    if save:
        from durian_assist.cli.saving import session_choices

        _, options["deck"] = session_choices(save, db, "durian", (), options["deck"])
    loaded = _load(tables, options)
    held = read_tokens(loaded.document)
    if options["draft"]:
        from durian_assist.cli.photo_in import write_draft

        write_draft(options["draft"], loaded.document)
    result = standing(held, final=final)
    findings = [*_photo_warnings(loaded), *_nameless(loaded, list(held)), *result.findings]
    if as_json:
        emit_json(durian_show.standing_json(result, findings))
    else:
        durian_show.show_standing(result, findings)
    if save:
        from durian_assist.cli.saving import save_round

        tell(save_round(save, db, "durian", loaded.document, loaded, tables, options["corrections"]))


@group.command("call", epilog=RECORD_HELP)
@_round_options
@click.option("--dispute", is_flag=True, help="Show how the verdict changes under each reading of each open question.")
@reading_option
@save_option
@_photo_options
def call(
    tables: tuple[str, ...],
    as_json: bool,
    dispute: bool,
    reading: tuple[str, ...],
    save: str | None,
    db: str | None,
    **options: Any,
) -> None:
    """One round up to the bell: who takes which token, step by step.

    Exit code 1: the round broke a rule; every fault is listed.
    """
    from durian_assist.cli import durian_show
    from durian_assist.cli.output import emit_json
    from durian_assist.common.readings import Readings
    from durian_assist.durian.verdict import rule_on

    if save:
        from durian_assist.cli.saving import session_choices

        reading, options["deck"] = session_choices(save, db, "durian", reading, options["deck"])
    readings = Readings.parse("durian", reading)
    loaded, seated = _seated(_load(tables, options), save, db)
    round_ = _all_known(_round(loaded, options["draft"]), loaded)
    ruling = rule_on(round_, readings)
    extra = [*seated, *_photo_warnings(loaded)]
    if as_json:
        emit_json(durian_show.ruling_json(ruling, extra, dispute=dispute))
    else:
        durian_show.show_ruling(ruling, extra, dispute=dispute)
    if not ruling.legal:
        if save:
            from durian_assist.cli.output import tell

            tell(f"Not saved in {save}: the round broke a rule.")
        click.get_current_context().exit(1)
    if save:
        from durian_assist.cli.output import tell
        from durian_assist.cli.saving import save_round

        tell(save_round(save, db, "durian", loaded.document, loaded, tables, options["corrections"]))


def _seated(loaded: Loaded, save: str | None, db: str | None) -> tuple[Loaded, list[Finding]]:
    """With `--save`, a round that names no players has those of the session, and a finding says so."""
    if not save:
        return loaded, []
    from dataclasses import replace

    from durian_assist.cli.saving import open_book, with_players
    from durian_assist.common.answers import Finding

    document, said = with_players(open_book(db).setup(save), loaded.document)
    mend = "If they sat otherwise, name them in their order with --players."
    return replace(loaded, document=document), [
        Finding("durian.setup", "warning", "players", f"{text}.", mend) for text in said
    ]


def _round(loaded: Loaded, draft: str | None) -> Round:
    """The round of a record or a photo, written to `--draft FILE` with the flags in it."""
    from durian_assist.durian.record import read_round, write_record

    round_ = read_round(loaded.document)
    if draft:
        from durian_assist.cli.photo_in import write_draft, write_text
        from durian_assist.cli.saving import doubt_comments

        if loaded.photo:
            write_draft(draft, loaded.document)
        else:
            write_text(draft, doubt_comments(loaded.document) + write_record(round_))
    return round_


def _all_known(round_: Round, loaded: Loaded) -> Round:
    if None not in round_.inventory:
        return round_
    from durian_assist.records.reader import Reader

    reader = Reader(loaded.document)
    cards = reader.root.nodes("inventory")
    for number, card in enumerate(round_.inventory):
        if card is None:
            reader.fault(
                cards[number],
                f"card {number + 1} of the inventory is not known (?), but at the bell every card is turned",
                expected="the card",
                mend="Write the card; for a round still on, `durian odds` says how likely too many orders are.",
            )
    reader.finish()
    return round_


@group.command("odds", epilog=RECORD_HELP)
@_round_options
@click.option("--player", metavar="NAME", help="Whose eyes: this player's own card is hidden.")
@click.option("--all", "all_seats", is_flag=True, help="The odds as each player sees them.")
@reading_option
@_photo_options
def odds(
    tables: tuple[str, ...],
    as_json: bool,
    player: str | None,
    all_seats: bool,
    reading: tuple[str, ...],
    **options: Any,
) -> None:
    """How likely it is that the orders exceed the stock, as one player sees it.

    That player sees every card but the own one, which is equally likely any card left. Cards written "?" are hidden;
    without any, the player is --player, the caller, or the one whose turn it is.
    """
    from durian_assist.cli.durian_odds import odds_answer, show_odds
    from durian_assist.cli.durian_show import show_findings
    from durian_assist.common.readings import Readings

    readings = Readings.parse("durian", reading)
    loaded = _load(tables, options)
    answer = odds_answer(_round(loaded, options["draft"]), readings, player, all_seats=all_seats)
    extra = _photo_warnings(loaded)
    if as_json:
        from durian_assist.cli.output import emit_json

        emit_json({**answer.to_json(), "findings": [finding.to_json() for finding in (*extra, *answer.findings)]})
    else:
        show_odds(answer)
        show_findings([*extra, *answer.findings])
    if any(finding.severity == "error" for finding in answer.findings):
        click.get_current_context().exit(1)


@group.command("setup")
@click.argument("players", metavar="PLAYERS", type=int)
@json_option
def setup(players: int, as_json: bool) -> None:
    """What to lay out for two to seven PLAYERS."""
    from durian_assist.cli.output import emit_json, say
    from durian_assist.durian.guide import guide

    found = guide(players)
    if as_json:
        emit_json(found.to_json())
        return
    for number, step in enumerate(found.steps, 1):
        say(f"{number:>3}. {step.text} [{step.rule}]")
