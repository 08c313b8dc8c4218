"""Load a photo: bytes to BGR pixels as a person sees the picture (EXIF rotation applied)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.common.paths import unusable
from durian_assist.errors import InputError
from durian_assist.vision.photo_header import MEND, read_header

Pixels = NDArray[np.uint8]

# Phones take 12 to 50 megapixels; what is larger would need gigabytes to look at.
MOST_PIXELS = 80_000_000
LEAST_SIDE = 32
MOST_BYTES = 250_000_000


@dataclass(frozen=True, slots=True)
class Photo:
    """A photo in memory. `pixels` is (height, width, 3) uint8 BGR as shown."""

    name: str
    pixels: Pixels

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.pixels.shape[1], self.pixels.shape[0]


def load_photo(path: str | Path) -> Photo:
    """Read a photo file: JPEG, PNG, WebP or HEIC, of any depth and colour model.

    Raises InputError where the file is missing, is no such picture, is cut off, or is too small or too large; the size
    is read from the header, before anything is decoded.
    """
    where = str(path)
    data = _bytes(Path(path), where)
    header = read_header(data, where)
    if header.size is not None:
        _check_size(header.size, where)
    pixels = _decode_heic(data, where) if header.kind == "heic" else _decode(data)
    if pixels is None:
        raise InputError("the picture is damaged and cannot be decoded", where=where, mend="Copy the photo again.")
    _check_size((pixels.shape[1], pixels.shape[0]), where)
    return Photo(where, pixels)


def _bytes(path: Path, where: str) -> bytes:
    try:
        if path.is_dir():
            raise InputError("this is a folder, not a photo", where=where, mend=MEND)
        if path.exists() and path.stat().st_size > MOST_BYTES:
            raise InputError("the file is too large for a photo", where=where, mend=MEND)
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError("there is no such file", where=where, mend="Check the name and the folder.") from None
    except OSError as error:
        raise unusable("the photo cannot be read", path, error) from None
    except ValueError as error:
        raise InputError(f"the photo cannot be read: {error}", where=where, mend=MEND) from None
    if not data:
        raise InputError("the file is empty", where=where, mend="Copy the photo again.")
    return data


def _check_size(size: tuple[int, int], where: str) -> None:
    width, height = size
    if width * height > MOST_PIXELS:
        raise InputError(
            f"the picture is too large ({width} x {height} pixels)",
            where=where,
            mend=f"Save it smaller: up to {MOST_PIXELS // 1_000_000} megapixels are read, and 12 are plenty.",
        )
    if min(width, height) < LEAST_SIDE:
        raise InputError(
            f"the picture is too small to show a table ({width} x {height} pixels)",
            where=where,
            mend="Give the photo at its full size.",
        )


def _decode(data: bytes) -> Pixels | None:
    try:
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:  # what the decoder itself refuses
        return None
    return None if pixels is None else np.asarray(pixels, np.uint8)


def _decode_heic(data: bytes, where: str) -> Pixels | None:
    import pillow_heif

    try:
        picture = pillow_heif.open_heif(data, convert_hdr_to_8bit=True, bgr_mode=True)
        _check_size(picture.size, where)
        pixels = np.asarray(picture)
    except (ValueError, OSError, EOFError, RuntimeError, SyntaxError):
        return None
    if pixels.ndim == 2:
        pixels = np.repeat(pixels[..., None], 3, axis=2)
    return np.ascontiguousarray(pixels[..., :3], np.uint8)
