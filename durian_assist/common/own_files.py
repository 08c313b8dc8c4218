"""Files that this program wrote itself, told by what is in them: only such a file may be written over.

Pictures and charts carry a mark where their kind of file keeps comments; exports of the session book are known by
their first lines.
"""

from __future__ import annotations

import re
import zlib
from pathlib import Path

from durian_assist.errors import UsageError

MARK = b"durian-assist output"
_IHDR_END = 33
"""Bytes of a PNG file before its second chunk: the signature and the header, which are always as long."""
_START, _END = 4096, 64
"""Bytes at the start and the end of a file that are looked at; every mark lies well within them."""
_EXPORTS = {
    "json": re.compile(rb'\{\s*"format": "durian-assist sessions"'),
    "csv": re.compile(rb"round,time,[^\r\n]*,result,source,notes\r?\n"),
    "markdown": re.compile(rb"# [^\n]*\n\n\| round \|[^\n]* result \| notes \|\n"),
}


def marked(picture: bytes) -> bytes:
    """The bytes of a PNG, JPEG or WebP file with the mark as its comment; another file as it is."""
    if picture.startswith(b"\x89PNG"):
        body = b"tEXt" + b"Software\0" + MARK
        chunk = (len(body) - 4).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")
        return picture[:_IHDR_END] + chunk + picture[_IHDR_END:]
    if picture.startswith(b"\xff\xd8\xff\xe0"):  # the JFIF header, which comes first
        at = 4 + int.from_bytes(picture[4:6], "big")
        return picture[:at] + b"\xff\xfe" + (len(MARK) + 2).to_bytes(2, "big") + MARK + picture[at:]
    if picture.startswith(b"RIFF"):
        chunks = picture[8:] + b"note" + len(MARK).to_bytes(4, "little") + MARK
        return b"RIFF" + len(chunks).to_bytes(4, "little") + chunks
    return picture


def refuse_foreign(option: str, file: Path, kind: str) -> None:
    """Raises UsageError where a file with something in it lies there that is no earlier output of the same kind:
    `picture` (a chart too), `json`, `csv` or `markdown`."""
    if not file.is_file() or not file.stat().st_size or _is_own(file, kind):
        return
    what = "this file is there already, and it is no such output of this program"
    raise UsageError(what, where=f"{option} {file}".strip(), mend="Name another file, or delete that one first.")


def _is_own(file: Path, kind: str) -> bool:
    with file.open("rb") as opened:
        start = opened.read(_START)
        opened.seek(max(0, file.stat().st_size - _END))
        end = opened.read()
    return MARK in start + end if kind == "picture" else bool(_EXPORTS[kind].match(start))
