"""`calibrate deck|list|show|test|camera`: teach the program a deck from photos of its cards."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from durian_assist.cli import calibrate_in as given
from durian_assist.cli.calibrate_warnings import warnings
from durian_assist.cli.main import Group
from durian_assist.cli.options import json_option
from durian_assist.cli.output import emit_json, say, table, tell
from durian_assist.cli.tables_in import refuse_no_file
from durian_assist.common.text import plural
from durian_assist.errors import InputError

if TYPE_CHECKING:
    from durian_assist.vision.calibrate_test import Named
    from durian_assist.vision.deck_profile import DeckProfile

GAMES = ("smuggler", "durian", "dash", "cards")


@click.group(cls=Group)
def group() -> None:
    """Teach the program a deck from photos; list, show and test decks."""


@group.command("deck")
@click.argument("name")
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO...", type=click.Path(readable=False, path_type=str))
@click.option("--game", required=True, type=click.Choice(GAMES), help="The game; `cards` for any other cards.")
@click.option(
    "--labels",
    metavar="FILE",
    type=click.Path(readable=False, path_type=Path),
    help="One class a line, in reading order.",
)
@click.option(
    "--table", "table_file", metavar="FILE", type=click.Path(path_type=Path), help="The deck table (smuggler)."
)
@click.option("--sheet", metavar="FILE", type=click.Path(path_type=Path), help="Where to write the sheet of crops.")
@click.option("--to", metavar="FOLDER", type=click.Path(path_type=Path), help="Write the deck to this folder.")
@click.option("--fresh", is_flag=True, help="Forget what the deck of that name learned before.")
@json_option
def deck(
    name: str,
    photos: tuple[str, ...],
    game: str,
    labels: Path | None,
    table_file: Path | None,
    sheet: Path | None,
    to: Path | None,
    fresh: bool,
    as_json: bool,
) -> None:
    """Learn the deck NAME from photos of its cards, laid out upright in rows with gaps.

    Further photos of the same cards make the deck better.

    \b
    durian-assist calibrate deck mine --game dash --labels mine.labels fronts.jpg backs.jpg
    """
    from durian_assist.cli.outputs import refuse_input
    from durian_assist.common.own_files import refuse_foreign

    refuse_input("--sheet", sheet, (*photos, labels, table_file))
    if sheet:
        refuse_foreign("--sheet", sheet, "picture")
    for file in filter(None, (labels, table_file)):
        refuse_no_file(Path(file), "Give the file in it.")
    from durian_assist.vision.calibrate_deck import calibrated
    from durian_assist.vision.deck_files import write_profile

    folder = given.folder_for(name, to)
    known = None if fresh else given.known_deck(folder, game)
    deck_table = given.read_deck_table(table_file)
    pictures = given.load_photos(photos)
    if labels:
        labelled = given.labelled_photos(pictures, labels, game)
    else:
        labelled = given.ask_labels(pictures, game, sheet or Path(f"{name}.png"))
    names = [name for item in labelled for name in item.names]
    given.check_table(names, known, deck_table, str(labels or name))
    extra = given.history(photos, known)
    profile = calibrated(name, game, folder, labelled, deck_table, known, extra)
    write_profile(profile)
    if sheet and labels:
        _write_sheet(profile, sheet)
    left = {card.name for card in known.classes} - set(names) if known else set()
    _warn(profile, left)
    if as_json:
        emit_json(_deck_json(profile, left))
    else:
        pieces = sum(len(item.names) for item in labelled)
        learned = f"{plural(len(profile.classes), 'class', 'classes')} from {plural(pieces, 'piece')}"
        say(f"{name}: {learned} in {plural(len(photos), 'photo')}.")
        say(f"Written to {folder}")
        say(_weakest_text(profile))


def _deck_json(profile: DeckProfile, left: Collection[str] = ()) -> dict[str, object]:
    return {
        "deck": profile.name,
        "game": profile.game,
        "folder": str(profile.folder),
        "classes": [card.name for card in profile.classes],
        "references": {card.name: len(card.references) for card in profile.classes},
        "weakest": [{"pair": [a, b], "margin": round(margin, 3)} for a, b, margin in profile.weakest],
        "warnings": warnings(profile, left),
    }


def _warn(profile: DeckProfile, left: Collection[str] = ()) -> None:
    for warning in warnings(profile, left):
        tell(f"WARNING: {warning}")


def _weakest_text(profile: DeckProfile) -> str:
    if not profile.weakest:
        return "There are no two classes that could be confused."
    rows = [(first, second, f"{margin:.3f}") for first, second, margin in profile.weakest]
    return "Most easily confused:\n" + table(rows, ("class", "looks like", "margin"), right=(2,))


@group.command("list")
@json_option
def list_decks(as_json: bool) -> None:
    """The decks that --deck can name, the default of each game marked."""
    from durian_assist.vision.deck_shelf import GAMES as ORDER
    from durian_assist.vision.deck_shelf import decks

    entries = decks()
    defaults = {
        game: max((e for e in entries if not e.shipped and e.game == game), key=lambda e: e.calibrated, default=None)
        for game in ORDER
    }
    if as_json:
        keys = ("name", "game", "calibrated", "shipped")
        rows = [
            {k: getattr(e, k) for k in keys} | {"folder": str(e.folder), "default": e is defaults.get(e.game)}
            for e in entries
        ]
        emit_json({"decks": rows})
        return
    marks = ["shipped" if e.shipped else "default" if e is defaults.get(e.game) else "" for e in entries]
    rows_text = [(e.name, e.game, e.calibrated[:10], m) for e, m in zip(entries, marks, strict=True)]
    say(table(rows_text, ("deck", "game", "calibrated", "")) if rows_text else "No deck is calibrated yet.")


@group.command("show")
@click.argument("name", metavar="DECK")
@click.option(
    "--sheet", metavar="FILE", type=click.Path(path_type=Path), help="The contact sheet; default DECK-sheet.png."
)
@json_option
def show(name: str, sheet: Path | None, as_json: bool) -> None:
    """What a deck holds, and all of its references on one contact sheet."""
    from dataclasses import replace

    from durian_assist.vision.calibrate_weakest import weakest_pairs
    from durian_assist.vision.deck_profile import load_profile

    # Told anew: what the deck's file holds may have been told by an older program.
    profile = load_profile(name)
    profile = replace(profile, weakest=weakest_pairs(profile.classes))
    path = sheet or Path(f"{profile.folder.name}-sheet.png")
    _write_sheet(profile, path)
    _warn(profile)
    if as_json:
        types = [{"name": t.name, "cards": t.cards, "durians": t.durians, "badge": t.badge} for t in profile.table]
        emit_json(_deck_json(profile) | {"table": types, "sheet": str(path)})
        return
    say(f"{profile.name}, a deck of {profile.game}, in {profile.folder}")
    rows = [
        (c.name, len(c.references), f"{c.references[0].shape[1]} x {c.references[0].shape[0]}", c.size_group)
        for c in profile.classes
    ]
    say(table(rows, ("class", "pictures", "pixels", "size"), right=(1,)))
    if profile.table:
        kinds = [(t.name, t.cards, t.durians, t.badge) for t in profile.table]
        say("\n" + table(kinds, ("type", "cards", "durians", "badge"), right=(1, 2, 3)))
    say("\n" + _weakest_text(profile))
    say(f"\nContact sheet: {path}")


def _write_sheet(profile: DeckProfile, path: Path) -> None:
    from durian_assist.vision.calibrate_sheet import contact_sheet
    from durian_assist.vision.picture import write_picture

    write_picture(path, contact_sheet(profile))


@group.command("test")
@click.argument("name", metavar="DECK")
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO...", type=click.Path(readable=False, path_type=str))
@click.option("--truth", is_flag=True, help="Compare with the truth: a JSON file of the same name beside each photo.")
@json_option
def test(name: str, photos: tuple[str, ...], truth: bool, as_json: bool) -> None:
    """How well a deck tells its cards apart on further photos.

    With --truth every card is named where the truth file says that it lies; without, the cards found are named.
    """
    from durian_assist.vision.deck_profile import load_profile

    profile = load_profile(name)
    if truth:
        _test_with_truth(profile, photos, as_json=as_json)
    else:
        _test_without_truth(profile, photos, as_json=as_json)


def _test_with_truth(profile: DeckProfile, photos: Sequence[str], *, as_json: bool) -> None:
    from durian_assist.vision.calibrate_test import named, truth_of

    cards = [c for photo in given.load_photos(photos) for c in named(photo, truth_of(Path(photo.name)), profile)]
    if not cards:
        raise InputError(f"the truth names no card of the deck {profile.name}", where=", ".join(photos))
    wrong = [card for card in cards if not card.right]
    if as_json:
        emit_json(
            {
                "deck": profile.name,
                "cards": len(cards),
                "right": len(cards) - len(wrong),
                "accuracy": round(1 - len(wrong) / len(cards), 4),
                "uncertain": sum(card.uncertain for card in cards),
                "silently_wrong": sum(not card.uncertain for card in wrong),
                "wrong": [_wrong_json(card) for card in wrong],
            }
        )
        return
    share = 100 * (1 - len(wrong) / len(cards))
    doubt = sum(card.uncertain for card in cards)
    say(f"{len(cards) - len(wrong)} of {plural(len(cards), 'card')} right ({share:.1f} %), {doubt} uncertain")
    if wrong:
        rows = [(Path(c.photo).name, c.truth, c.name, f"{c.confidence:.2f}") for c in wrong]
        say(table(rows, ("photo", "is", "taken for", "confidence"), right=(3,)))


def _wrong_json(card: Named) -> dict[str, object]:
    return {"photo": card.photo, "truth": card.truth, "name": card.name, "confidence": round(card.confidence, 3)}


def _test_without_truth(profile: DeckProfile, photos: Sequence[str], *, as_json: bool) -> None:
    from durian_assist.vision.cards_reading import read_cards

    readings = {photo.name: read_cards(photo, profile) for photo in given.load_photos(photos)}
    if as_json:
        emit_json({"deck": profile.name, "photos": {name: reading.to_json() for name, reading in readings.items()}})
        return
    for name, reading in readings.items():
        say(f"{name}: {reading.summary()}")


@group.command("camera")
@click.argument("source")
@click.option("--photo", metavar="FILE", type=click.Path(path_type=Path), help="Keep the picture taken.")
@json_option
def camera(source: str, photo: Path | None, as_json: bool) -> None:
    """Try a camera: its number, a stream's address or a video file. Is its picture good enough to read cards?"""
    from durian_assist.vision.calibrate_checks import check_photo
    from durian_assist.vision.camera import photograph
    from durian_assist.vision.find_cards import find_cards

    picture = photograph(source)
    if photo is not None:
        from durian_assist.vision.picture import write_picture

        write_picture(photo, picture.pixels, photo=True)
    check_photo(picture)
    cards = len(find_cards(picture.pixels))
    width, height = picture.size
    if as_json:
        emit_json({"source": source, "width": width, "height": height, "cards": cards})
    else:
        say(f"{source}: {width} x {height} pixels, sharp and bright enough; {plural(cards, 'card')} found.")
