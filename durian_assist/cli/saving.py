"""`--save SESSION`: what a scoring command needs of the session book, before it scores and after.

reading, deck = session_choices(save, db, "smuggler", reading, deck)      # before scoring; without --save unchanged
...
if save:
    tell(save_round(save, db, "smuggler", document, loaded, tables, corrections))
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from durian_assist.errors import InputError, UsageError

if TYPE_CHECKING:
    from durian_assist.cli.tables_in import Loaded
    from durian_assist.ledger.book import Book, Change
    from durian_assist.ledger.rounds import Brought, PhotoMark, Setup
    from durian_assist.records.document import Document


def open_book(db: str | None) -> Book:
    """The book of `--db` or DURIAN_ASSIST_DB, else the one in the user's data folder."""
    from durian_assist.ledger.book import Book

    return Book(Path(db) if db else None)


def session_choices(
    save: str | None, db: str | None, game: str, reading: Sequence[str], deck: str | None
) -> tuple[tuple[str, ...], str | None]:
    """The `--reading` texts and the deck to score with: with `--save` those of the session.

    Raises UsageError where a reading given contradicts the session's, InputError where there is no such session.
    """
    if not save:
        return tuple(reading), deck
    setup = open_book(db).setup(save)
    check_game(setup, game)
    return reading_texts(setup, reading), deck or setup.deck or None


def check_game(setup: Setup, game: str) -> None:
    """Raises InputError where a session is of another game."""
    if setup.game != game:
        raise InputError(
            f"this session is of {setup.game}, the table of {game}",
            where=setup.name,
            mend="Open a session for it with `session new`, or name another one.",
        )


def reading_texts(setup: Setup, given: Sequence[str]) -> tuple[str, ...]:
    """The session's readings as `KEY=VALUE`. Raises UsageError where `given` contradicts them."""
    from durian_assist.common.readings import Readings

    held = setup.readings
    for text in given:
        asked = Readings.parse(setup.game, [*held.settings(), text])
        differs = [key for key in held.chosen if asked[key] != held[key]]
        if differs:
            raise UsageError(
                f"the session {setup.name} plays {differs[0]}={held[differs[0]]}",
                where=f"--reading {text}",
                mend="Leave the reading out; `session show --reading` tries another one without keeping it.",
            )
    return held.settings()


def save_round(
    save: str,
    db: str | None,
    game: str,
    document: Document,
    loaded: Loaded,
    tables: Sequence[str],
    corrections: Sequence[str] = (),
) -> str:
    """Add a scored table to a session as its next round; gives the sentence that says so.

    `document` is the record that was scored, flags and corrections in it; `loaded`, `tables` and `corrections` are
    as they came from the command line. The round is scored again from the text that is stored, so what the book
    says can always be worked out from what it keeps. Raises InputError where it cannot be the next round.
    """
    from durian_assist.cli.scoring import score_record

    book = open_book(db)
    setup = book.setup(save)
    check_game(setup, game)
    brought = brought_from(document, loaded, tables, corrections)
    return saved_sentence(book.add(save, brought, score_record(setup, brought.record or "").result))


def brought_from(
    document: Document, loaded: Loaded | None, tables: Sequence[str], corrections: Sequence[str]
) -> Brought:
    """What the book keeps of a table: the record as it was scored, the photos' names and hashes, what was read."""
    from durian_assist.ledger.rounds import Brought

    photo = loaded.photo if loaded else None
    return Brought(
        record_text(document),
        ", ".join(Path(table).name for table in tables) or "--camera",
        tuple(photo_mark(table) for table in tables) if photo else (),
        photo.reading.to_json() if photo else None,
        tuple(corrections),
    )


def photo_mark(name: str) -> PhotoMark:
    """Name and SHA-256 of a photo's file."""
    from hashlib import sha256

    from durian_assist.ledger.rounds import PhotoMark

    return PhotoMark(Path(name).name, sha256(Path(name).read_bytes()).hexdigest())


def record_text(document: Document) -> str:
    """The text of a record: as it was written where no flag changed it, else written anew with the flags in it."""
    from durian_assist.records.document import load_record, to_plain
    from durian_assist.records.write import toml_line

    values = to_plain(document.root)
    try:
        unchanged = to_plain(load_record(document.source.name, document.source.text).root) == values
    except InputError:
        unchanged = False
    if unchanged or not isinstance(values, dict):
        return document.source.text
    return "".join(toml_line(key, value) + "\n" for key, value in values.items() if value is not None)


def saved_sentence(change: Change) -> str:
    """`Saved as round 3 of Friday.`"""
    return f"Saved as round {change.round} of {change.setup.name}."
