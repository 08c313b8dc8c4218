"""What the first bytes of a picture file say: its format, its size, and whether it is whole."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from durian_assist.errors import InputError

_OTHERS = {
    b"GIF8": "a GIF picture",
    b"BM": "a BMP picture",
    b"II*\0": "a TIFF or raw picture",
    b"MM\0*": "a TIFF or raw picture",
    b"%PDF": "a PDF document",
    b"PK\x03\x04": "a ZIP or office file",
    b"SQLite": "a database",
}
_HEIC_BRANDS = (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1", b"heif")
MEND = "Give a photo as JPEG, PNG, WebP or HEIC."


@dataclass(frozen=True, slots=True)
class Header:
    """`kind` is jpeg, png, webp or heic; `size` its width and height as stored, None where only a decoder can tell."""

    kind: str
    size: tuple[int, int] | None


def read_header(data: bytes, where: str) -> Header:
    """The header of a picture. Raises InputError for what is no picture of these four formats, or is cut off."""
    try:
        if data[:3] == b"\xff\xd8\xff":
            return Header("jpeg", _jpeg_size(data))
        if data[:8] == b"\x89PNG\r\n\x1a\n":
            return Header("png", _png_size(data))
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return Header("webp", _webp_size(data))
    except (struct.error, IndexError, EOFError):
        raise InputError("the picture is cut off", where=where, mend="Copy the photo again.") from None
    if data[4:8] == b"ftyp" and data[8:12] in _HEIC_BRANDS:
        return Header("heic", None)
    raise InputError(f"this is {_what(data)}, no photo that can be read", where=where, mend=MEND)


def _what(data: bytes) -> str:
    for start, name in _OTHERS.items():
        if data.startswith(start):
            return name
    if data[4:8] == b"ftyp":
        return "a video, or a picture of another kind"
    return "not a picture"


def _jpeg_size(data: bytes) -> tuple[int, int]:
    """Size from the frame header. Raises EOFError where the picture's end is missing."""
    place, size = 2, None
    while True:
        while data[place] != 0xFF:
            place += 1
        marker = data[place + 1]
        if marker in (0xFF, 0x01, *range(0xD0, 0xD9)):
            place += 1 if marker == 0xFF else 2
            continue
        (length,) = struct.unpack(">H", data[place + 2 : place + 4])
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[place + 5 : place + 9])
            size = (width, height)
        if marker == 0xDA:
            break
        place += 2 + length
    # The coded picture cannot hold these two bytes: they end it.
    if size is None or data.find(b"\xff\xd9", place) < 0:
        raise EOFError
    return size


def _png_size(data: bytes) -> tuple[int, int]:
    width, height = struct.unpack(">II", data[16:24])
    if data.rfind(b"IEND\xaeB`\x82") < 0:
        # A giant is refused for its size, whole or not.
        if width * height > 10**8:
            return width, height
        raise EOFError
    return width, height


def _webp_size(data: bytes) -> tuple[int, int]:
    (length,) = struct.unpack("<I", data[4:8])
    kind = data[12:16]
    if kind == b"VP8X":
        width, height = (int.from_bytes(data[k : k + 3], "little") + 1 for k in (24, 27))
    elif kind == b"VP8L":
        (bits,) = struct.unpack("<I", data[21:25])
        width, height = (bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1
    else:
        width, height = (value & 0x3FFF for value in struct.unpack("<HH", data[26:30]))
    if len(data) < length + 8:
        raise EOFError
    return width, height
