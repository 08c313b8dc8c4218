"""Text from strangers made safe to show on a terminal."""

from __future__ import annotations

import unicodedata

_DIRECTION = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")


def visible(text: str) -> str:
    """The same text with control and direction-changing characters written out as `\\x1b` or `\\u202e`."""
    return "".join(_shown(char) for char in text)


def _shown(char: str) -> str:
    if char != "\t" and (unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"} or char in _DIRECTION):
        return f"\\x{ord(char):02x}" if ord(char) < 256 else f"\\u{ord(char):04x}"
    return char


def seen(text: str) -> str:
    """Text without the characters that nobody sees (zero width spaces and joiners, soft hyphens)."""
    return text if text.isascii() else "".join(char for char in text if unicodedata.category(char) != "Cf")


def as_utf8(text: str) -> str:
    """Text of a command line that its locale could not decode, read as UTF-8; bytes that are none become U+FFFD."""
    if text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text):
        return text
    return text.encode("utf-8", "surrogateescape" if _escaped(text) else "replace").decode("utf-8", "replace")


def _escaped(text: str) -> bool:
    """Whether every surrogate stands for a byte that could not be decoded."""
    return all("\udc80" <= char <= "\udcff" for char in text if "\ud800" <= char <= "\udfff")


def width(text: str) -> int:
    """Columns that `text` takes on a terminal: wide characters two, combining marks none."""
    return sum(_columns(char) for char in text)


def _columns(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1


def plural(count: int, word: str, several: str = "") -> str:
    """`1 round`, `2 rounds`; `several` where the word takes more than an s."""
    return f"{count} {word if count == 1 else several or word + 's'}"


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def ordinal(number: int) -> str:
    """`third` for 3; from eleven on in figures: `11th`, `22nd`."""
    if 1 <= number <= len(_ORDINALS):
        return _ORDINALS[number - 1]
    last = number % 10 if number % 100 not in (11, 12, 13) else 0
    return f"{number}{('th', 'st', 'nd', 'rd')[last] if last < 4 else 'th'}"
