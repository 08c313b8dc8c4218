"""Files that a command is asked to write: refused before any work where that would destroy something."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from durian_assist.common.own_files import refuse_foreign
from durian_assist.errors import UsageError


def check_overlay(name: str | None, inputs: Sequence[str]) -> None:
    """Raises UsageError where the overlay of these tables, or one of several, is no picture, or would be written over
    one of them or over another file that is no overlay."""
    if not name:
        return
    from durian_assist.vision.picture_name import check_picture_name

    path = Path(name)
    check_picture_name(path)
    several = [numbered(path, number) for number in range(len(inputs))] if len(inputs) > 1 else []
    for file in (path, *several):
        refuse_input("--overlay", file, inputs)
        refuse_foreign("--overlay", file, "picture")


def check_draft(name: str | None) -> None:
    """Raises UsageError where a file with something in it is there: people correct drafts by hand; and for a name that
    says JSON, which has no comments to mark what is uncertain."""
    if name and Path(name).suffix.casefold() == ".json":
        what = "a draft marks what is uncertain in comments, and JSON has none"
        raise UsageError(what, where=f"--draft {name}", mend=f"Name it {Path(name).with_suffix('.toml').name}.")
    if name and Path(name).is_file() and Path(name).stat().st_size:
        what = "this file is there already, and a draft never overwrites one"
        raise UsageError(what, where=f"--draft {name}", mend="Name another file, or delete that one first.")


def is_book(file: Path) -> bool:
    """Whether an SQLite database lies there: nothing that this program writes over."""
    if not file.is_file():
        return False
    with file.open("rb") as opened:
        return opened.read(16) == b"SQLite format 3\0"


def refuse_input(option: str, file: Path | None, inputs: Iterable[str | Path | None]) -> None:
    """Raises UsageError where the file to write is one that the command reads, links followed."""
    read = (Path(name) for name in inputs if name)
    if file is not None and file.exists() and any(path.exists() and path.samefile(file) for path in read):
        what = "this file is read by the same command, and writing it would destroy it"
        raise UsageError(what, where=f"{option} {file}", mend="Name another file.")


def numbered(path: Path, number: int) -> Path:
    """The overlay of photo `number` (from 0) of several: the number, from 1, is put before the ending."""
    return path.with_stem(f"{path.stem}-{number + 1}")
