"""What `calibrate` is given: the deck's name and what is known of it, its table, the photos and their labels."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from durian_assist.cli.output import tell
from durian_assist.cli.tables_in import refuse_no_file
from durian_assist.errors import InputError, UsageError

if TYPE_CHECKING:
    from durian_assist.vision.calibrate_deck import Labelled
    from durian_assist.vision.deck_profile import DeckProfile, DeckTable
    from durian_assist.vision.photo import Photo


def folder_for(name: str, to: Path | None) -> Path:
    """The folder of the deck of that name, or `to`. Raises UsageError for what is no name."""
    from durian_assist.vision.deck_shelf import user_decks_folder

    bad = not name.strip() or name != name.strip() or name.startswith((".", "-")) or len(name) > 80
    if bad or any(mark in name for mark in "/\\:\0\n\r\t"):
        raise UsageError("this is no name for a deck", where=repr(name), mend="Letters, digits and hyphens will do.")
    return to if to is not None else user_decks_folder() / name


def known_deck(folder: Path, game: str) -> DeckProfile | None:
    """The deck as it was before, if it is one of that game."""
    from durian_assist.vision.deck_files import read_profile
    from durian_assist.vision.deck_shelf import DECK_FILE

    if not (folder / DECK_FILE).exists():
        return None
    try:
        before = read_profile(folder)
    except InputError as error:
        raise InputError(error.what, where=error.where, mend="Calibrate it anew with --fresh.") from None
    if before.game != game:
        mend = "Choose another name, or forget the old deck with --fresh."
        raise InputError(f"the deck {folder.name} is one of {before.game}", where=f"--game {game}", mend=mend)
    return before


def read_deck_table(path: Path | None) -> tuple[DeckTable, ...]:
    """The deck table of a file, none without one. Raises InputError."""
    if path is None:
        return ()
    from durian_assist.smuggler.deck import read_deck
    from durian_assist.vision.deck_profile import DeckTable

    read = read_deck(path)
    if read is None:
        raise InputError("there is no [[type]] in the deck table", where=str(path), mend="See `rules show` and README.")
    return tuple(DeckTable(kind.name, kind.cards, kind.durians, kind.badge) for kind in read.types.values())


def check_table(names: Sequence[str], known: DeckProfile | None, table: Sequence[DeckTable], labels: str) -> None:
    """Raise InputError where the classes, named now or known before, do not fit the deck table, given now or known."""
    from durian_assist.cli.deck_words import check_against_table

    kept = table or (known.table if known else ())
    check_against_table(names, kept, labels)
    if known and table:
        check_against_table((card.name for card in known.classes), table, f"deck {known.name}, as it was before")


def load_photos(names: Sequence[str]) -> list[Photo]:
    """The photos, decoded. Raises InputError."""
    from durian_assist.vision.photo import load_photo

    for name in names:
        refuse_no_file(Path(name), "Give the photo in it.")
    return [load_photo(name) for name in names]


def labelled_photos(photos: Sequence[Photo], labels: Path, game: str) -> list[Labelled]:
    """The photos with the classes of their pieces, from a file of labels. Raises InputError."""
    from durian_assist.cli.deck_words import class_meant
    from durian_assist.vision.calibrate_labels import assigned, read_labels
    from durian_assist.vision.find_cards import find_cards

    return assigned(read_labels(labels, game, class_meant), photos, lambda p: len(find_cards(p.pixels)), str(labels))


def ask_labels(photos: Sequence[Photo], game: str, sheet: Path) -> list[Labelled]:
    """Ask on the terminal what each piece is, with all of them on one sheet to look at."""
    from durian_assist.vision.calibrate_deck import Labelled, faces_of
    from durian_assist.vision.calibrate_sheet import face_sheet
    from durian_assist.vision.picture import write_picture

    if not sys.stdin.isatty():
        raise UsageError("no --labels, and no terminal to ask on", mend="Give --labels FILE: one class a line.")
    labelled = []
    for photo in photos:
        count = click.prompt(f"How many pieces does {photo.name} show", type=click.IntRange(1, 200), err=True)
        faces = faces_of(Labelled(photo, ("?",) * count))
        write_picture(sheet, face_sheet(faces))
        tell(f"The pieces, numbered in reading order, are on {sheet}")
        names = tuple(_ask_label(number, game) for number in range(1, len(faces) + 1))
        labelled.append(Labelled(photo, names))
    return labelled


def _ask_label(number: int, game: str) -> str:
    from durian_assist.cli.deck_words import class_meant
    from durian_assist.vision.calibrate_labels import check_label

    while True:
        label = click.prompt(f"[{number}] class", type=str, err=True).strip()
        try:
            check_label(label, game, f"piece {number}")
            label = class_meant(label, game, f"piece {number}")
        except InputError as error:
            tell(str(error))
        else:
            return str(label)


def history(photos: Sequence[str], known: DeckProfile | None) -> dict[str, object]:
    """What the profile remembers of its making: when, and the names of its last photos."""
    from datetime import UTC, datetime

    before = known.extra.get("photos", []) if known else []
    names = [*(before if isinstance(before, list) else []), *(Path(photo).name for photo in photos)]
    return {"calibrated": datetime.now(UTC).isoformat(timespec="milliseconds"), "photos": names[-60:]}
