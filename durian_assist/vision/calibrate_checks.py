"""Reasons to refuse a calibration photo, each with what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from durian_assist.errors import InputError
from durian_assist.vision.photo import Photo
from durian_assist.vision.poor_photo import WASHED_OUT, poor


def check_photo(photo: Photo) -> None:
    """Raise InputError where the photo as a whole is too small, too dark, washed out or blurred."""
    fault = poor(photo, white=WASHED_OUT)
    if fault:
        refuse(photo, fault.what, fault.mend)


def refuse_count(photo: Photo, found: int, names: Sequence[str]) -> NoReturn:
    """Raise the error for a photo that shows another number of pieces than its labels."""
    pieces = f"{found} piece{'s' if found != 1 else ''}"
    refuse(
        photo,
        f"{pieces} found, but the labels name {len(names)} ({names[0]}{' ... ' + names[-1] if len(names) > 1 else ''})",
        "Lay the cards apart in rows with gaps, none cut off by the edge of the picture, on a table of another "
        "colour, and check the labels.",
    )


def refuse(photo: Photo, what: str, mend: str) -> NoReturn:
    """Raise the error for a photo that is no good."""
    raise InputError(what, where=photo.name, mend=mend)
