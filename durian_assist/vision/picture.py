"""Write a picture file: PNG, JPEG or WebP by its ending."""

from __future__ import annotations

from pathlib import Path

import cv2

from durian_assist.common.own_files import marked, refuse_foreign
from durian_assist.common.paths import unusable
from durian_assist.errors import InputError
from durian_assist.vision.photo import Pixels
from durian_assist.vision.picture_name import check_picture_name


def write_picture(path: Path, pixels: Pixels, *, photo: bool = False) -> None:
    """Write `pixels` (h, w, 3) BGR, with the mark of this program unless it is a `photo`.

    Raises UsageError for another ending, or where a file of other people lies there; InputError where it cannot be
    written.
    """
    check_picture_name(path)
    if not photo:
        refuse_foreign("", path, "picture")
    done, data = cv2.imencode(path.suffix.casefold(), pixels)
    if not done:
        raise InputError("the picture is too large for this kind of file", where=str(path), mend="End it with .png.")
    try:
        _put(path, data.tobytes() if photo else marked(data.tobytes()))
    except OSError as error:
        raise unusable("cannot be written", path, error) from None


def _put(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: a full disk leaves no half picture, and the one that lay there as it was."""
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    whole = path.resolve()
    part = whole.with_name(f".{whole.name}.part")
    try:
        part.write_bytes(data)
        part.replace(whole)
    finally:
        part.unlink(missing_ok=True)
