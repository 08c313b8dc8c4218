"""TABLE arguments to a record: a record file, `-`, photos or a camera. Games only ever see the record."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from durian_assist.cli.output import tell
from durian_assist.common.paths import unusable
from durian_assist.errors import InputError, UsageError
from durian_assist.records.document import Document, decode, load_record, read_text

if TYPE_CHECKING:
    from durian_assist.cli.photo_in import PhotoTable

_RECORD_ENDINGS = (".toml", ".json")
_PHOTO_ENDINGS = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif")


# Flags that can be a whole record of a game, by the names of their options.
_INSTEAD = {
    "smuggler": (("corrections", "--set 2,3=red6v, one for each card"),),
    "durian": (
        ("inventory", "--inventory 'strawberry 1 | banana 3' and --order"),
        ("tokens", "--tokens Ann=1,4"),
    ),
    "dash": (
        ("turn", "--turn 'Jin 7: take, place; left into pahang' and --row pahang=sultan,rotten"),
        ("rows", "--row pahang=sultan,rotten"),
        ("player", "--player 'Hasan: sultan 2, rotten 1; love sultan'"),
    ),
}

# A record with the flags of the command line in it.
Lay = Callable[[Document], Document]


@dataclass(frozen=True, slots=True)
class PhotoWishes:
    """What the command line says about reading from photos, and about the files that come of it."""

    deck: str | None = None
    camera: str | None = None
    corrections: tuple[str, ...] = ()
    draft: str | None = None
    accept: bool = False
    overlay: str | None = None

    @classmethod
    def of(cls, options: Mapping[str, Any], tables: Sequence[str]) -> PhotoWishes:
        """From the options of a command. Raises UsageError where a file that it would write must not be written."""
        from durian_assist.cli.outputs import check_draft, check_overlay

        wishes = cls(**{field.name: options[field.name] for field in fields(cls) if field.name in options})
        inputs = [file_of(table) for table in tables] + ([wishes.camera] if wishes.camera else [])
        check_overlay(wishes.overlay, inputs)
        check_draft(wishes.draft)
        return wishes


@dataclass(frozen=True, slots=True)
class Loaded:
    """A table as a record; where it came from photos, the reading too.

    `corrections` are those `--set` texts that are still to be applied to the record: all of them for a record, none
    for a reading, which took them in.
    """

    document: Document
    photo: PhotoTable | None = None
    corrections: tuple[str, ...] = ()


def load_tables(game: str, tables: Sequence[str], wishes: PhotoWishes, lay: Lay) -> Loaded:
    """Load what stands on the command line; the draft of a photo is written with the flags in it, which `lay` lays over
    a record.

    Raises UsageError (2) for a command line that does not fit, InputError (3) for input that cannot be used and
    NeedsPerson (4) where a reading is uncertain and nobody can be asked.
    """
    if wishes.camera is None and not tables:
        forms = "Give a photo, a record (.toml or .json), `-` for standard input, or --camera"
        mend = f"{forms}{_or_flags(game)}. `durian-assist {game} COMMAND --help` shows how."
        raise UsageError("no TABLE was given", mend=mend)
    records = [table for table in tables if is_record(table)]
    if wishes.camera is not None and tables:
        raise UsageError("--camera stands instead of TABLE, not beside it", mend="Give one of the two.")
    if not records:
        from durian_assist.cli.photo_in import read_photos

        photo = read_photos(game, tables, wishes, lay)
        return Loaded(photo.document, photo)
    if len(tables) > 1:
        raise UsageError("several tables were given", mend="Give one record, or several photos of one table.")
    document = load_record_file(records[0])
    if wishes.accept and not document.doubts:
        tell("There was nothing to accept: a record has no guesses but those that its comments mark.")
    return Loaded(document, None, wishes.corrections)


def _or_flags(game: str) -> str:
    """The flags that can stand instead of a TABLE for the command that runs, in words: the first that it has."""
    import click

    context = click.get_current_context(silent=True)
    has = {param.name for param in context.command.params} if context else set()
    flags = [example for name, example in _INSTEAD.get(game, ()) if name in has]
    return f"; or say it all by flags, such as {flags[0]}" if flags else ""


def load_record_file(name: str) -> Document:
    """The record of a file or, for `-`, of standard input."""
    if name == "-":
        return load_record("standard input", decode(sys.stdin.buffer.read(), "standard input"))
    return load_record(name, read_text(Path(name)))


def file_of(table: str) -> str:
    """The file of a TABLE, or of `NAME=FILE`."""
    name, equals, file = table.partition("=")
    return file if equals and name and not Path(table).exists() else table


def refuse_overlay(name: str | None) -> None:
    """Raise UsageError where an overlay is wanted of a table that came from no photo."""
    if name:
        mend = "Give the photo itself as TABLE, or leave --overlay out."
        raise UsageError("there is no photo to draw on", where=f"--overlay {name}", mend=mend)


def is_record(name: str) -> bool:
    """Whether a TABLE is a record: by its ending, else by its first bytes. Raises InputError where no file is there."""
    if name == "-":
        return True
    path = Path(name)
    if path.is_symlink() and not path.exists():
        raise InputError("this is a link to a file that is not there", where=name, mend="Give the file itself.")
    if not path.exists():
        raise InputError("there is no such file", where=name, mend=near_name(path))
    refuse_no_file(path, "Give the photo or the record in it.", piped=True)
    ending = path.suffix.casefold()
    if ending in _RECORD_ENDINGS or ending in _PHOTO_ENDINGS:
        return ending in _RECORD_ENDINGS
    return _looks_like_text(path)


def refuse_no_file(path: Path, of_folder: str, *, piped: bool = False) -> None:
    """Raises InputError for a folder, and for a pipe or a device: waiting for it or reading it might never end.
    `piped`: a record may come from a pipe instead."""
    if path.is_dir():
        raise InputError("this is a folder", where=str(path), mend=of_folder)
    if path.exists() and not path.is_file():
        way = "; a record can come from a pipe as `-`: ... | durian-assist GAME COMMAND -" if piped else "."
        raise InputError("this is no file but a pipe or a device", where=str(path), mend=f"Give a file{way}")


def _looks_like_text(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            head = file.read(4096)
    except OSError as error:
        raise unusable("cannot be read", path, error) from None
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    if not head or b"\0" in head or head.startswith(b"%PDF"):
        return False
    try:
        head[:-4].decode("utf-8-sig")
    except UnicodeDecodeError:
        return False
    return True


def near_name(path: Path) -> str:
    """Files beside it whose names are nearly the same, as a mend."""
    from durian_assist.common.names import closest, listed

    folder = path.parent
    names = [entry.name for entry in folder.iterdir()][:2000] if folder.is_dir() else []
    near = closest(path.name, names)
    return f"Did you mean {listed(near, 'or')}?" if near else "Check the name and the folder."
