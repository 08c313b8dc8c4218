"""What the TOML and the JSON scanner share: a cursor over a text, and the offsets of a quoted text's characters."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from re import Pattern

from durian_assist.records.source import Fault, RecordError, Source, Span

# Deeper than any record; the standard parsers would run out of stack instead of saying so.
MOST_DEPTH = 40
_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}


@dataclass(slots=True)
class Cursor:
    """A place in a source that moves forward."""

    source: Source
    at: int = 0
    depth: int = field(default=0)

    def peek(self, count: int = 1) -> str:
        """The next characters, fewer at the end."""
        return self.source.text[self.at : self.at + count]

    def take(self, text: str) -> bool:
        """Step over `text` if it stands here."""
        if self.source.text.startswith(text, self.at):
            self.at += len(text)
            return True
        return False

    def skip(self, chars: str) -> None:
        """Step over any of `chars`."""
        text = self.source.text
        while self.at < len(text) and text[self.at] in chars:
            self.at += 1

    def until(self, chars: str) -> None:
        """Step to the next of `chars` or the end."""
        text = self.source.text
        while self.at < len(text) and text[self.at] not in chars:
            self.at += 1

    def span(self, start: int) -> Span:
        """From `start` to here."""
        return Span(self.source, start, self.at)

    def deeper(self) -> None:
        """One level down. Raises RecordError where the nesting is too deep."""
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise too_deep(Span(self.source, self.at, self.at + 1))


def too_deep(at: Span) -> RecordError:
    """The error for nesting that no record needs."""
    return RecordError([Fault(at, "lists and tables are nested too deep", f"at most {MOST_DEPTH} levels")])


def first_too_deep(source: Source, tokens: Pattern[str]) -> Span:
    """The first bracket that stands deeper than MOST_DEPTH; `tokens` finds texts and, named `open` and `close`,
    brackets. The start of the source where there is none."""
    depth = 0
    for token in tokens.finditer(source.text):
        depth += {"open": 1, "close": -1}.get(token.lastgroup or "", 0)
        if depth > MOST_DEPTH:
            return Span(source, token.start(), token.end())
    return Span(source, 0, 1)


def first_number(source: Source, tokens: Pattern[str], refused: Callable[[str], bool]) -> Span:
    """The first number, `number` by name in `tokens`, that a parser refused; the start of the source where none is."""
    for token in tokens.finditer(source.text):
        if token.lastgroup == "number" and refused(token[0]):
            return Span(source, token.start(), token.end())
    return Span(source, 0, 1)


def too_long(number: str) -> bool:
    """Has a number more digits than the standard parsers take?"""
    return len(number) > sys.get_int_max_str_digits()


def string_end(text: str, start: int, quote: str, *, escapes: bool) -> int:
    """Offset of the closing quote of a text that starts at `start` (behind its opening quote)."""
    at = start
    while at < len(text) and not text.startswith(quote, at):
        at += 2 if escapes and text[at] == "\\" else 1
    # TOML lets one or two quotes stand before the three that close.
    while len(quote) == 3 and text.startswith(quote, at + 1):
        at += 1
    return min(at, len(text))


def character_offsets(text: str, start: int, end: int) -> tuple[int, ...]:
    """Source offset of each character of the value that the escaped text between `start` and `end` stands for."""
    offsets: list[int] = []
    at = start
    while at < end:
        if text[at] != "\\":
            offsets.append(at)
            at += 1
            continue
        step, counts = _escape(text, at)
        offsets.extend([at] * counts)
        at += step
    return (*offsets, end)


def _escape(text: str, at: int) -> tuple[int, int]:
    """Length of the escape at `at` in the source and the number of characters that it stands for."""
    mark = text[at + 1 : at + 2]
    if mark in _HEX_DIGITS:
        step = 2 + _HEX_DIGITS[mark]
        high = mark == "u" and "d800" <= text[at + 2 : at + 6].lower() <= "dbff"
        return (step + 6 if high and text.startswith("\\u", at + step) else step), 1
    if mark and mark in " \t\n":  # TOML: a backslash at the line's end swallows the white space
        rest = text[at + 1 :]
        return 1 + len(rest) - len(rest.lstrip(" \t\n")), 0
    return 2, 1
