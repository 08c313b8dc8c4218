"""`read smuggler|durian|dash|cards`: photo to record, nothing scored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from durian_assist.cli.main import Group
from durian_assist.cli.options import (
    camera_option,
    deck_option,
    json_option,
    named,
    review_options,
    set_option,
)
from durian_assist.cli.output import emit_json, say, tell
from durian_assist.cli.tables_in import PhotoWishes, refuse_no_file
from durian_assist.cli.whereabouts import placed
from durian_assist.errors import UsageError


@click.group(cls=Group)
def group() -> None:
    """Read a photo: what lies on the table, as a record. Nothing is scored."""


def _photos_argument(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.argument("photos", nargs=-1, metavar="[PHOTO]...", type=click.Path(readable=False, path_type=str))(
        command
    )


def _reading_command(game: str, text: str) -> None:
    @group.command(game, help=text)
    @_photos_argument
    @deck_option
    @camera_option
    @set_option
    @review_options
    @json_option
    def command(photos: tuple[str, ...], as_json: bool, **options: Any) -> None:
        _read(game, photos, options, as_json=as_json)


_reading_command("smuggler", "The grid and the hands of Durian Smuggler, finished or in progress.")
_reading_command("durian", "Durian: manager tokens, or the table at the bell with inventory and orders.")
_reading_command("dash", "Durian Dash: one player's collection, or the market's two rows.")


def _read(game: str, photos: tuple[str, ...], options: Mapping[str, Any], *, as_json: bool) -> None:
    from durian_assist.cli.photo_in import asked, needs_person, read_only, refuse_records, write_text

    wishes = PhotoWishes.of(options, photos)
    if not photos and wishes.camera is None:
        raise UsageError("no PHOTO was given", mend=f"For example: durian-assist read {game} table.jpg --deck NAME")
    refuse_records(photos)
    seen = read_only(game, photos, wishes)
    reading, _ = asked(seen.photos, seen.reading, wishes)
    if wishes.draft:
        write_text(wishes.draft, reading.to_record())
    if wishes.overlay:
        from durian_assist.cli.pictures import write_overlay

        write_overlay(wishes.overlay, seen.photos, reading)
    if as_json:
        emit_json(reading.to_json())
    else:
        say(reading.to_record().rstrip("\n"), whole=True)
    if reading.uncertain and not wishes.accept:
        error = needs_person(placed(reading.uncertain, seen.photos), wishes)
        tell(f"durian-assist: {error}")
        click.get_current_context().exit(error.exit_code)
    elif reading.uncertain:
        tell(_taken(len(reading.uncertain)))


def _taken(count: int) -> str:
    """What is said of best guesses that were taken."""
    cards = f"{count} cards that could" if count != 1 else "a card that could"
    return f"durian-assist: the best guess was taken for {cards} not be told for sure (--accept). Check on the table."


@group.command("cards")
@click.argument("photo", type=click.Path(readable=False, path_type=str))
@deck_option
@click.option(
    "--overlay",
    callback=named,
    metavar="FILE",
    type=click.Path(path_type=str),
    help="Write the photo with the cards outlined.",
)
@click.option("--accept", is_flag=True, help="Take the best guess for uncertain cards, and say so.")
@json_option
def cards(photo: str, deck: str | None, overlay: str | None, accept: bool, as_json: bool) -> None:
    """The cards of any calibrated deck, wherever they lie; without --deck they are only found.

    Cards that touch or overlap one another may be missing: `read smuggler`, `read durian` and `read dash` read tables.
    """
    from durian_assist.cli.outputs import check_overlay

    check_overlay(overlay, [photo])
    from durian_assist.vision.cards_reading import read_cards
    from durian_assist.vision.deck_profile import load_profile
    from durian_assist.vision.photo import load_photo

    refuse_no_file(Path(photo), "Give the photo in it.")
    profile = load_profile(deck, "cards") if deck else None
    picture = load_photo(photo)
    reading = read_cards(picture, profile)
    if overlay:
        from durian_assist.cli.pictures import write_overlay

        write_overlay(overlay, [picture], reading)
    if as_json:
        emit_json(reading.to_json())
    else:
        say(reading.summary())
    if reading.uncertain and not accept:
        count = len(reading.uncertain)
        tell(
            f"{count} card{'s' if count != 1 else ''} could not be told for sure. --overlay FILE shows where they lie."
        )
        click.get_current_context().exit(4)
    elif reading.uncertain:
        tell(_taken(len(reading.uncertain)))
