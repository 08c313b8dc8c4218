"""Why a file cannot be used, and what to do about it: the system's words name neither the folder nor a way out."""

from __future__ import annotations

import os
from pathlib import Path

from durian_assist.errors import InputError


def unusable(what: str, path: Path, error: OSError, *, otherwise: str = "name another file") -> InputError:
    """The error that a file system's refusal of `path` is for people. `what` could not be done, e.g. `cannot be
    written`; `otherwise` is the second way out, beside mending what stands in the way."""
    why, mend = _explained(path.absolute(), error)
    return InputError(f"{what}: {why}", where=str(path), mend=f"{mend}, or {otherwise}.")


def _explained(path: Path, error: OSError) -> tuple[str, str]:
    """The reason, and how to mend it."""
    if isinstance(error, NotADirectoryError):
        file = next((folder for folder in path.parents if folder.exists() and not folder.is_dir()), path.parent)
        return f"{file} is a file, not a folder", "Move that file away"
    if isinstance(error, FileNotFoundError) and path.parent.exists():
        return "there is no such file", "Check the name"
    if isinstance(error, FileNotFoundError):
        missing = path.parent
        while not missing.parent.exists():
            missing = missing.parent
        return f"there is no folder {missing}", "Make the folder"
    if isinstance(error, PermissionError):
        closed = _closed(path)
        return f"you have no right to {closed}", "Ask for that right (`ls -ld` shows who has it)"
    if isinstance(error, IsADirectoryError):
        return "this is a folder", "Name a file in it"
    return error.strerror or str(error), "Look at the disk"


def _closed(path: Path) -> str:
    """What a person may not do, and where: the outermost folder or file that is closed."""
    for folder in reversed(path.parents):
        if folder.exists() and not os.access(folder, os.X_OK):
            return f"look into {folder}"
    if path.exists():
        return f"read and write {path}"
    return f"write in {next(folder for folder in path.parents if folder.exists())}"
