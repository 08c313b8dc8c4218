"""`--save SESSION`: what a scoring command needs of the session book, before it scores and after.

reading, deck = session_choices(save, db, "smuggler", reading, deck)      # before scoring; without --save unchanged
...
if save:
    tell(save_round(save, db, "smuggler", document, loaded, tables, corrections))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from durian_assist.errors import InputError, UsageError

if TYPE_CHECKING:
    from durian_assist.cli.photo_in import PhotoTable
    from durian_assist.cli.tables_in import Loaded
    from durian_assist.ledger.book import Book, Change
    from durian_assist.ledger.entries import Session
    from durian_assist.ledger.rounds import Brought, PhotoMark, Setup
    from durian_assist.records.document import Document


def open_book(db: str | None) -> Book:
    """The book of `--db` or DURIAN_ASSIST_DB, else the one in the user's data folder."""
    from durian_assist.ledger.book import Book

    book = Book(Path(db) if db else None)
    book.store.waiting = _tell_waiting
    return book


def _tell_waiting(seconds: float) -> None:
    from durian_assist.cli.output import tell

    tell(f"Another program is writing to the book; waiting for it, up to {seconds:.0f} seconds ...")


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
    photos: Sequence[PhotoTable] = (),
    deck: str | None = None,
) -> str:
    """Add a scored table to a session as its next round; gives the sentence that says so.

    `document` is the record that was scored, flags and corrections in it; `loaded`, `tables` and `corrections` are
    as they came from the command line; `photos` are the readings where there are several (one a player), `deck` the
    deck that was used. The round is scored here as it will be scored from the book, whatever the command showed.
    Raises InputError where it cannot be the next round.
    """
    from durian_assist.cli.output import remember_done
    from durian_assist.cli.scoring import score_document

    book = open_book(db)
    setup = book.setup(save)
    check_game(setup, game)
    readings = photos or ((loaded.photo,) if loaded.photo else ())
    brought = brought_from(document, readings, tables, corrections, deck if deck != setup.deck else None)
    score = score_document(with_deck(setup, brought), document)
    again = [f"warning: {warning}" for warning in (*score.at_odds, *doubtful(book.session(save), brought))]
    change = book.add(save, brought, score.result)
    remember_done(f"saved as round {change.round} of {change.setup.name}")
    return "\n".join([*again, saved_sentence(change)])


def doubtful(session: Session, brought: Brought) -> list[str]:
    """Warnings about the next round of a session: it may be there already, or not follow the last one."""
    from durian_assist.cli.durian_seats import at_odds

    return [*repeated(session, brought), *at_odds(session, brought.record)]


def repeated(session: Session, brought: Brought) -> list[str]:
    """Warnings where a round comes from a photo or a record that another round came from: arrow up and Enter at the
    table counts a round twice."""
    from shlex import quote

    mend = f"if that is a mistake, take this round back with `durian-assist session undo {quote(session.setup.name)}`"
    photos = session.rounds_of(brought.photos)
    if photos:
        return [f"{photo} is the photo of round {number} already: {mend}" for photo, number in photos]
    return [f"this is the very record of round {number}: {mend}" for number in session.rounds_with(brought.record)[-1:]]


def with_deck(setup: Setup, brought: Brought) -> Setup:
    """The session's setup with the deck that was named for a round."""
    return replace(setup, deck=brought.deck or setup.deck)


def with_mode(setup: Setup, mode: str, document: Document) -> Document:
    """The record with the session's mode where it names none, so that it stands in what is stored."""
    from durian_assist.records.document import flag_node

    key = {"smuggler": "mode", "dash": "variant"}.get(setup.game)
    root = document.root.value
    if not mode or key is None or not isinstance(root, dict) or key in root:
        return document
    return document.with_node([key], flag_node(f"session {setup.name}", mode))


def with_mode_of(save: str | None, db: str | None, document: Document) -> Document:
    """The same with the mode of the session that the round is saved to; without `--save` as it is."""
    if not save:
        return document
    glance = open_book(db).glance(save, 1)
    return with_mode(glance.setup, glance.standing["mode"], document)


def with_players(setup: Setup, document: Document) -> tuple[Document, tuple[str, ...]]:
    """A round of Durian that names no players with those of the session, and the sentence that says so.

    Their order is the session's: the record's cards and turns follow it clockwise.
    """
    from durian_assist.common.names import listed
    from durian_assist.records.document import Node, flag_node

    root = document.root.value
    if setup.game != "durian" or not isinstance(root, dict) or "inventory" not in root:
        return document, ()
    named = root.get("players")
    if named is not None and named.value != []:
        return document, ()
    nodes = [flag_node(f"session {setup.name}", player) for player in setup.players]
    said = f"the round names no players: taken from the session, clockwise {listed(setup.players)}"
    return document.with_node(["players"], Node(nodes, nodes[0].span, nodes[0].key)), (said,)


def brought_from(
    document: Document,
    photos: Sequence[PhotoTable],
    tables: Sequence[str],
    corrections: Sequence[str],
    deck: str | None = None,
) -> Brought:
    """What the book keeps of a table: the record as it was scored, the photos' names and hashes, what was read."""
    from durian_assist.cli.tables_in import file_of, is_record
    from durian_assist.ledger.rounds import Brought

    files = [file_of(table) for table in tables]
    names = ["standard input" if file == "-" else Path(file).name for file in files]
    read: dict[str, object] = {}
    if len(photos) == 1:
        read = photos[0].as_read.to_json()
    elif photos:
        read = {"readings": [photo.as_read.to_json() for photo in photos]}
    return Brought(
        record_text(document),
        ", ".join(names) or ("a camera" if photos else "the command line"),
        tuple(photo_mark(file) for file in files if photos and not is_record(file)),
        read or None,
        (*corrections, *(answer for photo in photos for answer in photo.answers)),
        deck_name(deck),
        guessed_in(document),
    )


def guessed_in(document: Document) -> tuple[str, ...]:
    """The places of a record that are guesses nobody has confirmed."""
    return tuple(doubt.place for doubt in document.doubts)


def deck_name(deck: str | None) -> str:
    """A deck as the book keeps it: its name, or the whole path of its file or folder."""
    return str(Path(deck).absolute()) if deck and Path(deck).exists() else deck or ""


def photo_mark(name: str) -> PhotoMark:
    """Name and SHA-256 of a photo's file."""
    from hashlib import sha256

    from durian_assist.ledger.rounds import PhotoMark

    return PhotoMark(Path(name).name, sha256(Path(name).read_bytes()).hexdigest())


def record_text(document: Document) -> str:
    """The text of a record: as it was written where no flag changed it, else written anew with the flags in it.

    Guesses that nobody has confirmed keep their comments.
    """
    from durian_assist.records.document import load_record, to_plain
    from durian_assist.records.write import toml_document

    values = to_plain(document.root)
    try:
        before = load_record(document.source.name, document.source.text)
        unchanged = to_plain(before.root) == values and before.doubts == document.doubts
    except InputError:
        unchanged = False
    if unchanged or not isinstance(values, dict):
        return document.source.text
    return doubt_comments(document) + toml_document(values)


def doubt_comments(document: Document) -> str:
    """The comments that mark the guesses of a record."""
    return "".join(doubt.comment for doubt in document.doubts)


def saved_sentence(change: Change) -> str:
    """`Saved as round 3 of Friday.`, the totals, and where the session stands now."""
    from durian_assist.cli.session_text import points_of, standing_lines

    totals = f"Totals: {points_of(change.standing['totals'])}."
    lines = standing_lines(change.setup, change.standing, change.rounds)
    return "\n".join([f"Saved as round {change.round} of {change.setup.name}.", totals, *lines])
