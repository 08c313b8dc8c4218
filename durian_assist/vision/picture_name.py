"""Names of picture files that can be written; apart from the writing, so that asking needs no OpenCV."""

from __future__ import annotations

from pathlib import Path

from durian_assist.errors import UsageError

ENDINGS = (".png", ".jpg", ".jpeg", ".webp")


def check_picture_name(path: Path) -> None:
    """Raises UsageError where the ending is none of a picture file that can be written."""
    if path.suffix.casefold() not in ENDINGS:
        raise UsageError("this is no name of a picture file", where=str(path), mend="End it with .png, .jpg or .webp.")
