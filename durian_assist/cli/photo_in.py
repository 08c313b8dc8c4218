"""Photos or a camera to a record: load, read, ask a person about what is uncertain, write the draft."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from durian_assist.cli.output import tell
from durian_assist.cli.tables_in import Lay, PhotoWishes, is_record
from durian_assist.cli.whereabouts import placed
from durian_assist.common.names import listed
from durian_assist.common.paths import unusable
from durian_assist.errors import DurianAssistError, InputError, NeedsPerson, UsageError
from durian_assist.records.document import Document, load_record

if TYPE_CHECKING:
    from durian_assist.vision.deck_profile import DeckProfile
    from durian_assist.vision.photo import Photo
    from durian_assist.vision.reading import TableReading, Uncertain
    from durian_assist.vision.rectify import Floats


@dataclass(frozen=True, slots=True)
class PhotoTable:
    """A table read from photos: the photos as they are shown, the reading, and the record that it makes.

    `open` are the questions that neither a person nor a flag has settled, `guessed` their places, where `--accept` took
    the best guess. `as_read` is the reading before anybody corrected it, `answers` what people said on the terminal, as
    `--set` would say it.
    """

    photos: Sequence[Photo]
    profile: DeckProfile
    reading: TableReading
    document: Document
    as_read: TableReading
    open: tuple[Uncertain, ...] = ()
    answers: tuple[str, ...] = ()

    @property
    def guessed(self) -> tuple[str, ...]:
        """Where the best guess was taken."""
        return tuple(item.place for item in self.open)

    @property
    def warning(self) -> str:
        """What `--accept` must say."""
        return f"best guesses were taken for {listed(self.guessed)}" if self.guessed else ""


def read_photos(game: str, names: Sequence[str], wishes: PhotoWishes, lay: Lay) -> PhotoTable:
    """Read one table. Raises NeedsPerson where something stays uncertain without `--accept`; draft and overlay, which
    show what it is, are written before, the draft with all that was typed beside the photo. Where nothing does, the
    command writes the draft, as that of a record, once it knows that the flags fit."""
    table = best_table(game, names, wishes, lay=lay)
    if table.open and not wishes.accept:
        if wishes.draft:
            write_draft(wishes.draft, lay(table.document))
        if wishes.overlay:
            from durian_assist.cli.pictures import write_overlay

            write_overlay(wishes.overlay, table.photos, table.reading)
        raise needs_person(table.open, wishes)
    return table


def best_table(
    game: str, names: Sequence[str], wishes: PhotoWishes, owner: str = "", lay: Lay | None = None
) -> PhotoTable:
    """Read one table, that of `owner` where there is one a player, and ask about what is uncertain and what the flags
    that `lay` lays over it do not say; what stays so is the best guess, and `guessed` names it."""
    seen = read_only(game, names, wishes)
    said = said_by_flags(seen.reading, lay) if lay and seen.reading.uncertain else frozenset[str]()
    reading, answers = asked(seen.photos, seen.reading, wishes, owner, said)
    left = tuple(item for item in placed(reading.uncertain, seen.photos) if item.key not in said)
    name = f"{listed(names) or wishes.camera} (as read)"
    document = load_record(name, reading.to_record(), "toml", read=True)
    return PhotoTable(seen.photos, seen.profile, reading, document, seen.as_read, left, answers)


def said_by_flags(reading: TableReading, lay: Lay) -> frozenset[str]:
    """The keys of what is uncertain in a reading, but said by flags: they win over what the photo shows."""
    document = load_record("the reading", reading.to_record(), "toml", read=True)
    kept = {doubt.line for doubt in lay(document).doubts}
    # A record has one comment for each question, in their order.
    pairs = zip(reading.uncertain, document.doubts, strict=True)
    return frozenset(item.key for item, doubt in pairs if doubt.line not in kept)


@dataclass(frozen=True, slots=True)
class Seen:
    """What the photos show, before anybody was asked; `as_read` without the corrections of `--set`."""

    photos: Sequence[Photo]
    profile: DeckProfile
    reading: TableReading
    as_read: TableReading


def read_only(game: str, names: Sequence[str], wishes: PhotoWishes) -> Seen:
    """Photos to a reading with the corrections of `--set` in it; what is uncertain stays so."""
    from durian_assist.common.collector import without_collecting
    from durian_assist.common.parallel import Started
    from durian_assist.vision.colourless import for_want_of_colour, warning
    from durian_assist.vision.deck_profile import load_profile

    with without_collecting():
        # Photo and deck are decoded while the reader is imported.
        decoded = Started(lambda: _photos(names, wishes))
        deck = Started(lambda: load_profile(wishes.deck, game))
        reader = _reader(game)
        profile = deck.result()
        photos = decoded.result()
        as_seen = Started(lambda: _as_seen(profile))  # a second core has time for it now
        try:
            as_read = reading = reader(photos, profile)
        except InputError as error:
            from durian_assist.vision.poor_photo import for_poor_photos

            raise for_poor_photos(error, photos) or for_want_of_colour(error, photos, profile) from None
        from durian_assist.vision.mirrored import refuse_mirrored

        refuse_mirrored(photos, as_read.marks(), as_seen.result())
        for correction in wishes.corrections:
            reading = _corrected(reading, correction)
    if reading.uncertain:
        from durian_assist.vision.poor_photo import warnings

        for said in (*warnings(photos), warning(photos, profile)):
            if said:
                tell(f"warning: {said}")
    return Seen(photos, profile, reading, as_read)


def _as_seen(profile: DeckProfile) -> Floats:
    """The deck as cards are held against it to tell a mirror image."""
    from durian_assist.vision.mirrored import deck_as_seen

    return deck_as_seen(profile)


def _corrected(reading: TableReading, correction: str) -> TableReading:
    """The reading with one `--set` in it. Raises UsageError: what cannot be set is a fault of the command line."""
    try:
        return reading.corrected(*split_correction(correction))
    except InputError as error:
        raise UsageError(error.what, where=error.where, mend=error.mend) from None


def refuse_records(names: Sequence[str]) -> None:
    """Raise InputError where a name is no photo: nothing is there, a folder, or a record."""
    for name in names:
        if is_record(name):
            mend = "Give the photo; a record is scored with `durian-assist GAME score`."
            raise InputError("this is a record, not a photo", where=name, mend=mend)


def split_correction(text: str) -> tuple[str, str]:
    """`3,2=red6v` to its two parts. Raises UsageError."""
    key, equals, value = text.partition("=")
    if not equals or not key.strip() or not value.strip():
        raise UsageError("a correction is CELL=VALUE", where=f"--set {text}", mend="For example --set 3,2=red6v.")
    return key.strip(), value.strip()


def _photos(names: Sequence[str], wishes: PhotoWishes) -> Sequence[Photo]:
    if wishes.camera is not None:
        from durian_assist.vision.camera import photograph

        return [photograph(wishes.camera)]
    from durian_assist.vision.photo import load_photo

    return [load_photo(name) for name in names]


def _reader(game: str) -> Callable[[Sequence[Photo], DeckProfile], TableReading]:
    if game == "smuggler":
        from durian_assist.vision.smuggler_reading import read_smuggler

        return read_smuggler
    if game == "durian":
        from durian_assist.vision.durian_reading import read_durian

        return read_durian
    from durian_assist.vision.dash_reading import read_dash

    return read_dash


def asked(
    photos: Sequence[Photo], reading: TableReading, wishes: PhotoWishes, owner: str = "", said: Collection[str] = ()
) -> tuple[TableReading, tuple[str, ...]]:
    """Ask on the terminal about each uncertain card but those `said` by flags; an empty answer takes the best guess.
    Gives the answers too."""
    if wishes.accept or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return reading, ()
    questions = [item for item in placed(reading.uncertain, photos) if item.key not in said]
    if not questions:
        return reading, ()
    if owner:
        questions = [replace(item, place=f"{owner}, {item.place}") for item in questions]
    answers = []
    with crops_shown(photos, questions, owner):
        for number, question in enumerate(questions, 1):
            reading, answer = _answered(reading, question, f"[{number}/{len(questions)}]")
            answers.append(f"{question.key}={answer}")
    return reading, tuple(answers)


def _answered(reading: TableReading, question: Uncertain, number: str) -> tuple[TableReading, str]:
    best = question.candidates[0] if question.candidates else None
    others = f" ({listed(question.candidates, 'or')}?)" if question.candidates else ""
    while True:
        answer = click.prompt(f"{number} {question.place}{others}", default=best, err=True, type=str)
        try:
            return reading.corrected(question.key, answer), answer
        except DurianAssistError as error:
            # Nobody typed the --set that the error points to, only the answer.
            where = "" if answer in error.what else f'"{answer}"'
            tell(str(DurianAssistError(error.what, where=where, mend=error.mend)))


@contextmanager
def crops_shown(photos: Sequence[Photo], questions: Sequence[Uncertain], owner: str = "") -> Iterator[None]:
    """The uncertain cards on one sheet, named after the photo, as long as they are asked about: nothing is left behind
    that could be taken for the cards of another photo."""
    import tempfile

    from durian_assist.vision.overlay import crop_sheet
    from durian_assist.vision.picture import write_picture

    crops = [
        (photos[item.photo].pixels, item.corners, f"{n}: {item.place}")
        for n, item in enumerate(questions, 1)
        if item.corners
    ]
    if not crops:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="durian-assist-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / f"uncertain-cards-of-{_plain_name(owner or Path(photos[0].name).stem)}.png"
        write_picture(path, crop_sheet(crops))
        count = len(questions)
        tell(
            f"{count} card{'s' if count != 1 else ''} could not be told for sure. Look at them here, until all are "
            f"answered: {path}"
        )
        yield


def _plain_name(text: str) -> str:
    """Text as a part of a file's name that every system takes."""
    return "".join(char if char.isalnum() or char in "-_" else "-" for char in text)[:60] or "camera"


def needs_person(uncertain: Sequence[Uncertain], wishes: PhotoWishes) -> NeedsPerson:
    """The error that names every uncertain card and the ways out."""
    lines = [
        f"{item.place}: {listed(item.candidates, 'or') or 'no guess'}{f' ({item.why})' if item.why else ''}"
        for item in uncertain
    ]
    first = uncertain[0]
    example = f"--set '{first.key}={first.candidates[0] if first.candidates else '...'}'"
    draft = (
        f"correct {wishes.draft}, take out its comments and give that"
        if wishes.draft
        else "write the record with --draft FILE and correct it"
    )
    mend = f"Say what it is with {example}, or {draft}, or take the best guesses with --accept."
    if any("." in item.candidates for item in uncertain):
        mend += " A dot is a place without a card."
    count = len(uncertain)
    what = f"{count} card{'s' if count != 1 else ''} could not be told for sure:\n  " + "\n  ".join(lines)
    return NeedsPerson(what, mend=mend)


def write_draft(name: str, document: Document) -> None:
    """Write a record with its flags in it, a comment at each guess. Raises InputError where it cannot be written."""
    from durian_assist.cli.saving import record_text

    write_text(name, record_text(document))


def write_text(name: str, text: str) -> None:
    """Write a text file. Raises InputError where it cannot be written."""
    try:
        Path(name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise unusable("cannot be written", Path(name), error) from None
