"""`dash score|resolve|resupply|check|setup`."""

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
    from durian_assist.cli.dash_in import LoadedGame
    from durian_assist.common.answers import Finding
    from durian_assist.dash.scoring import Player

F = TypeVar("F", bound=Callable[..., Any])

SCORE_RECORD = """
\b
A record (TOML, or JSON with the same keys):
  game = "dash"
  variant = "standard"                # or "haters"
  [[players]]
  name = "Hasan"
  collection = { red-prawn = 2, mao-shan-wang = 2, black-pearl = 3, golden-phoenix = 2, rotten = 2 }
  love = ["red-prawn"]                # the preference card; [] where it names none
  like = []
  hate = ["golden-phoenix"]
  last_action = 12                    # action card of the last round, for ties
"""

RESOLVE_RECORD = """
\b
A record (TOML, or JSON with the same keys); rows run from left to right as the table is seen:
  game = "dash"
  [rows]
  pahang = ["sultan", "sultan", "sultan", "rotten", "red-prawn"]
  johor = ["black-pearl", "golden-phoenix", "rotten", "sultan", "sultan"]
  [[players]]
  name = "Jin"
  collection = {}
  action = 3                          # number of the action card
  icons = ["take", "place"]           # from top to bottom: take, place, give
  plantation = "pahang"
  direction = "left"                  # the end of the row that the card points to
  [[players]]
  name = "Hasan"
  collection = {}
  action = 21
  icons = ["take", "take", "give"]
  plantation = "pahang"
  direction = "left"
  give = ["sultan to Jin"]            # choices in the order of the icons: take (only with take=any), place, give;
                                      # none for an icon that could not be carried out, or "skip"

\b
  claimed = ["Jin: take sultan", "Jin: place sultan", "Hasan: take sultan", "Hasan: take sultan",
             "Hasan: give sultan to Jin"]   # optional, above the tables: what the players did
"""

RESUPPLY_RECORD = """
\b
A record (TOML, or JSON with the same keys); unknown cards are "?":
  game = "dash"
  players = 2                         # their number, their names, or tables as for `dash score`
  deck = 12                           # cards in the deck, or a list of them from the top
  flipped = ["sultan", "rotten"]      # optional: the cards flipped from it, in order
  claimed = ["refill pahang 2"]       # optional: what was done: refill, remove or new, the row, how many
  [rows]
  pahang = ["sultan", "rotten", "red-prawn"]
  johor = ["black-pearl", "golden-phoenix", "rotten", "sultan", "sultan"]
"""

CHECK_RECORD = """
\b
A record as for `dash score` and `dash resupply`, with
  removed = 5                         # cards that left the game with rotten rows, their number or a list
"""


@click.group(cls=Group)
def group() -> None:
    """Durian Dash: thumbs and winner, the round's actions, the resupply."""


def _photo_options(command: F) -> F:
    for option in (deck_option, camera_option, set_option, review_options, json_option, tables_argument):
        command = option(command)
    return command


def _supply_options(command: F) -> F:
    options = (
        click.option("--players", metavar="NUMBER", help="How many players."),
        click.option(
            "--deck-cards", metavar="NUMBER|A,B,C", help="Cards in the draw deck: how many, or which from the top."
        ),
        click.option(
            "--row", "rows", multiple=True, metavar="ROW=A,B,C", help="Cards of pahang or johor, left to right."
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def _claimed_option(command: F) -> F:
    return click.option(
        "--claimed", multiple=True, metavar="STEP", help="A step as it was done, in order; repeatable."
    )(command)


def _load(tables: Sequence[str], options: dict[str, Any]) -> LoadedGame:
    from durian_assist.cli.dash_in import Flags, load_dash
    from durian_assist.cli.tables_in import PhotoWishes, refuse_overlay

    wishes = PhotoWishes.of(options, tables)
    names = ("player", "turn", "variant", "players", "deck_cards", "rows", "claimed")
    game = load_dash(tables, wishes, Flags(**{key: options[key] for key in names if key in options}))
    if not game.photos:
        refuse_overlay(options["overlay"])
    if options["draft"]:
        from durian_assist.cli.photo_in import write_draft

        write_draft(options["draft"], game.document)
    return game


def _overlay(game: LoadedGame, options: dict[str, Any], players: Sequence[Player] = ()) -> None:
    if options["overlay"] and game.photos:
        from durian_assist.cli.dash_overlay import write_overlays

        write_overlays(game, options["overlay"], players)


def _photo_warnings(game: LoadedGame) -> list[Finding]:
    from durian_assist.cli.guesses import accepted, unconfirmed

    if game.photos and not game.owners:
        return accepted("dash.photo", game.warnings)
    return [*accepted("dash.photo", game.warnings), *unconfirmed("dash.photo", game.document, game.owners)]


@group.command("score", epilog=SCORE_RECORD)
@click.option(
    "--player",
    multiple=True,
    metavar="TEXT",
    help='"Hasan: red-prawn 2, rotten 1; love red-prawn; like sultan; hate golden-phoenix; last 12"; repeatable.',
)
@click.option("--variant", metavar="standard|haters", help="haters: the fewest thumbs win.")
@save_option
@_photo_options
def score(tables: tuple[str, ...], as_json: bool, save: str | None, db: str | None, **options: Any) -> None:
    """Collections and preference cards to thumbs, places and the winner.

    \b
    durian-assist dash score game.toml
    durian-assist dash score Hasan=photo1.jpg Jin=photo2.jpg --player "Hasan: love red-prawn; last 12"
    """
    from durian_assist.cli import dash_show
    from durian_assist.cli.dash_contradicted import contradicted
    from durian_assist.cli.dash_in import of_session
    from durian_assist.dash.record import read_game
    from durian_assist.dash.scoring import result

    if save:
        from durian_assist.cli.saving import session_choices

        _, options["deck"] = session_choices(save, db, "dash", (), options["deck"])
    loaded = of_session(_load(tables, options), save, db)
    game = read_game(loaded.document)
    _overlay(loaded, options, game.players)
    found = result(game.players, game.variant)
    extra = [*_photo_warnings(loaded), *contradicted(loaded, game.players)]
    if as_json:
        dash_show.emit_result(game, found, extra)
    else:
        dash_show.show_result(game, found, extra)
    if save:
        from durian_assist.cli.output import tell
        from durian_assist.cli.saving import save_round

        document, fixed = loaded.document, options["corrections"]
        tell(save_round(save, db, "dash", document, loaded.loaded, tables, fixed, photos=loaded.photos))


@group.command("resolve", epilog=RESOLVE_RECORD)
@click.option(
    "--turn",
    multiple=True,
    metavar="TEXT",
    help='"Jin 7: take, give; left into pahang; holds sultan 1; gives sultan to Hasan"; repeatable.',
)
@click.option("--row", "rows", multiple=True, metavar="ROW=A,B,C", help="Cards of pahang or johor, left to right.")
@_claimed_option
@reading_option
@_photo_options
def resolve(tables: tuple[str, ...], as_json: bool, reading: tuple[str, ...], **options: Any) -> None:
    """One round's action cards: order of play, every icon, rows and collections after.

    Exit code 1: the round stops at a broken rule, or what was claimed differs from the rules. Exit code 3: it stops at
    a choice that is not recorded.
    """
    from durian_assist.cli import dash_show_round as show
    from durian_assist.common.readings import Readings
    from durian_assist.dash.actions import resolve_round
    from durian_assist.dash.record_round import read_turn
    from durian_assist.errors import InputError

    readings = Readings.parse("dash", reading)
    loaded = _load(tables, options)
    turn = read_turn(loaded.document)
    _overlay(loaded, options)
    found = resolve_round(turn.actors, turn.rows, readings, turn.claimed)
    extra = _photo_warnings(loaded)
    if as_json:
        show.emit_resolution(found, readings, extra, claimed=turn.claimed is not None)
    else:
        show.show_resolution(found, readings, extra, claimed=turn.claimed is not None)
    if found.difference or not (found.complete or found.unrecorded):
        click.get_current_context().exit(1)
    if found.unrecorded:
        click.get_current_context().exit(InputError.exit_code)


@group.command("resupply", epilog=RESUPPLY_RECORD)
@_supply_options
@_claimed_option
@reading_option
@_photo_options
def resupply(tables: tuple[str, ...], as_json: bool, reading: tuple[str, ...], **options: Any) -> None:
    """The resupply at a round's end: which rows to refill or remove, in order; is the next round the last?

    Exit code 1: what was claimed differs from the rules.
    """
    from durian_assist.cli import dash_show_round as show
    from durian_assist.common.readings import Readings
    from durian_assist.dash.market import first_difference
    from durian_assist.dash.market import resupply as work_out
    from durian_assist.dash.record_round import read_restock

    readings = Readings.parse("dash", reading)
    loaded = _load(tables, options)
    restock = read_restock(loaded.document)
    _overlay(loaded, options)
    found = work_out(restock.supply, readings)
    difference = first_difference(found, restock.claimed) if restock.claimed is not None else None
    claimed = restock.claimed is not None
    extra = _photo_warnings(loaded)
    if as_json:
        show.emit_resupply(found, readings, difference, extra, claimed=claimed)
    else:
        show.show_resupply(found, difference, extra, claimed=claimed)
    if difference:
        click.get_current_context().exit(1)


@group.command("check", epilog=CHECK_RECORD)
@_supply_options
@_photo_options
def check(tables: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Whether collections, rows, deck and removed cards add up to the cards of the game.

    Exit code 1: they do not.
    """
    from durian_assist.cli import dash_show_round as show
    from durian_assist.dash.market import check_cards
    from durian_assist.dash.record_round import read_inventory
    from durian_assist.dash.varieties import CARDS_IN_GAME

    loaded = _load(tables, options)
    inventory = read_inventory(loaded.document)
    _overlay(loaded, options)
    in_game = CARDS_IN_GAME[inventory.players]
    findings = [*_photo_warnings(loaded), *check_cards(inventory.players, in_game, inventory.places)]
    if as_json:
        show.emit_check(inventory, in_game, findings)
    else:
        show.show_check(inventory, in_game, findings)
    if any(finding.severity == "error" for finding in findings):
        click.get_current_context().exit(1)


@group.command("setup")
@click.argument("players", metavar="PLAYERS", type=int)
@json_option
def setup(players: int, as_json: bool) -> None:
    """What to lay out for two to six PLAYERS."""
    from durian_assist.cli.output import emit_json, say
    from durian_assist.dash.guide import guide

    found = guide(players)
    if as_json:
        emit_json(found.to_json())
        return
    for number, (text, rule) in enumerate(found.steps, 1):
        say(f"{number:>3}. {text} [{rule}]")
