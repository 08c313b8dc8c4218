"""What a narrow terminal shows: lines broken between words, tables with fewer columns or row by row."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from typing import TextIO

from durian_assist.common.text import width

_LEAST_ROOM = 20
# Test runners and build servers say so many columns although they keep the output: it stays as it is. A terminal that
# says 0 columns does not know (a serial line, `script`), and is taken to have so many.
_USUAL = 80
# A column of texts is not made narrower than this; a row is told instead.
_LEAST_COLUMN = 16
# Cells up to this wide are told side by side, longer ones each on a line of its own.
_SHORT = 16
_STYLE = re.compile(r"\x1b\[[\d;]*m")

Draw = Callable[[Sequence[Sequence[str]], Sequence[str]], str]


def room(stream: TextIO | None = None) -> int | None:
    """Columns of a line: those that COLUMNS says, else those of the terminal; None where no terminal looks on, unless
    COLUMNS asks for less than every terminal has."""
    said = os.environ.get("COLUMNS", "")
    asked = int(said) if said.isascii() and said.isdigit() and len(said) < 6 else 0
    stream = stream or sys.stdout
    if not stream.isatty():
        return max(asked, _LEAST_ROOM) if 0 < asked < _USUAL else None
    try:
        return max(asked or os.get_terminal_size(stream.fileno()).columns or _USUAL, _LEAST_ROOM)
    except (OSError, ValueError):
        return None


def seen_width(text: str) -> int:
    """Columns that a text takes, styles left out."""
    return width(_STYLE.sub("", text) if "\x1b" in text else text)


def wrapped(text: str, columns: int | None, hang: int = 4) -> str:
    """The text with lines wider than `columns` broken between words; what follows is indented `hang` deeper."""
    if columns is None:
        return text
    return "\n".join(part for line in text.split("\n") for part in _broken(line, columns, hang))


def _broken(line: str, columns: int, hang: int) -> list[str]:
    if seen_width(line) <= columns:
        return [line]
    start = line[: len(line) - len(line.lstrip(" "))]
    indent = start + " " * hang if len(start) + hang <= columns // 2 else start
    return _packed(line.split(), columns, start, indent)


def _packed(words: Sequence[str], columns: int, start: str, indent: str) -> list[str]:
    """Lines of as many words as fit, at least one in each."""
    lines = [start + words[0]]
    for word in words[1:]:
        if seen_width(f"{lines[-1]} {word}") <= columns:
            lines[-1] += f" {word}"
        else:
            lines.append(indent + word)
    return lines


def fitted(body: Sequence[Sequence[str]], headers: Sequence[str], columns: int, draw: Draw) -> str:
    """A table as `draw` draws it where it fits into `columns`; else with its widest column broken into lines; else row
    by row."""
    whole = draw(body, headers)
    over = max(map(seen_width, whole.split("\n"))) - columns
    if over <= 0 or not body:
        return whole
    widths = [max(map(width, (headers[at], *(row[at] for row in body)))) for at in range(len(headers))]
    widest = widths.index(max(widths))
    if widths[widest] - over >= _LEAST_COLUMN:
        return draw(_split(body, widest, widths[widest] - over), headers)
    short = all(width(cell) <= _SHORT for row in body for cell in row[1:])
    return "\n".join(_told(row, headers, columns) if short else _listed(row, headers, columns) for row in body)


def _split(body: Sequence[Sequence[str]], at: int, columns: int) -> list[list[str]]:
    """Rows in which the cells of one column go on in further rows."""
    rows = []
    for row in body:
        for number, part in enumerate(_broken(row[at], columns, 0)):
            rows.append([part if place == at else cell if not number else "" for place, cell in enumerate(row)])
    return rows


def _told(row: Sequence[str], headers: Sequence[str], columns: int) -> str:
    """`round 1: Ann 12, Bo 7½, Smuggler: Bo`."""
    cells = [f"{head} {cell}".strip() for head, cell in zip(headers[1:], row[1:], strict=True) if cell]
    words = [f"{_title(row, headers)}:", *(f"{cell}," for cell in cells[:-1]), *cells[-1:]]
    return "\n".join(_packed(words, columns, "", "    "))


def _listed(row: Sequence[str], headers: Sequence[str], columns: int) -> str:
    """The first cell, and below it a line for every other one."""
    rest = [(head, cell) for head, cell in zip(headers[1:], row[1:], strict=True) if cell]
    pad = max((width(head) for head, _ in rest), default=0)
    lines = [_title(row, headers)]
    for head, cell in rest:
        if pad > columns // 3:
            lines += _broken(f"  {head}: {cell}", columns, 2)
            continue
        parts = _broken(cell, columns - pad - 4, 0)
        lines.append(f"  {head}{' ' * (pad - width(head))}  {parts[0]}")
        lines += [" " * (pad + 4) + part for part in parts[1:]]
    return "\n".join(lines)


def _title(row: Sequence[str], headers: Sequence[str]) -> str:
    number = row[0].rstrip("*?").lstrip("+-").replace("½", "").isdigit()
    return f"{headers[0]} {row[0]}" if number else row[0] or headers[0]
