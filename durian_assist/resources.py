"""Where the files that ship with the program lie, in a source tree and in an installed wheel alike."""

from __future__ import annotations

from pathlib import Path

from durian_assist.errors import InputError

_PACKAGE = Path(__file__).resolve().parent


def shipped(*parts: str) -> Path:
    """Path of a shipped file or folder, e.g. `shipped("calibration", "decks")`.

    A wheel carries them as `durian_assist/_data/...`, a source tree at its root.
    """
    for root in (_PACKAGE / "_data", _PACKAGE.parent):
        path = root.joinpath(*parts)
        if path.exists():
            return path
    name = "/".join(parts)
    raise InputError(
        f"the shipped file {name} is missing", mend="Reinstall durian-assist: its data files are incomplete."
    )
