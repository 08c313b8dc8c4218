"""The grid as people see it, and a smaller one for narrow terminals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from durian_assist.cli.narrow import room
from durian_assist.cli.output import paint, say
from durian_assist.common.text import visible, width
from durian_assist.smuggler.geometry import ARROWS, CENTRE, SIZE
from durian_assist.smuggler.table import Table

_LEAST_START = 3
# Columns between two cells, and on both sides.
_RULES = SIZE + 1


@dataclass(frozen=True, slots=True)
class _Texts:
    """What stands in the cells: the card with its arrow, and `below` it; the size of a cell and of the margin."""

    tops: tuple[str, ...]
    below: tuple[str, ...]
    margin: int
    size: int

    @property
    def width(self) -> int:
        """Columns of a line."""
        return self.margin + SIZE * self.size + _RULES


def show_grid(shown: Table, below: Mapping[int, str], marked: Mapping[int, str] | None = None) -> None:
    """The grid with each card's arrow, `below` it its points; `marked` cells stand out in their colour.

    Where the terminal is too narrow, types are cut to a start that no other type has, and the cut ones are explained.
    """
    columns, starts = room(), {}
    texts = _full(shown, below)
    if columns is not None and texts.width > columns:
        starts = _starts(shown)
        texts = _small(shown, below, starts)
    _draw(shown, texts, marked or {})
    cut = [f"{start}={visible(name)}" for name, start in starts.items() if start != name]
    if cut:
        say(", ".join(cut))


def _full(shown: Table, below: Mapping[int, str]) -> _Texts:
    tops = tuple(_top(shown, cell, " ") for cell in range(SIZE * SIZE))
    size = max(7, *(width(text) + 2 for text in (*tops, *below.values())))
    return _Texts(tops, tuple(below.get(cell, "") for cell in range(SIZE * SIZE)), 5, size)


def _small(shown: Table, below: Mapping[int, str], starts: Mapping[str, str]) -> _Texts:
    tops = tuple(_top(shown, cell, "", starts) for cell in range(SIZE * SIZE))
    under = tuple(below.get(cell, "").removeprefix("to ") for cell in range(SIZE * SIZE))
    return _Texts(tops, under, 2, max(4, *map(width, (*tops, *under))))


def _starts(shown: Table) -> dict[str, str]:
    """The shortest start of three letters or more that each type of the grid has to itself."""
    names = sorted({card.luggage.type for card in shown.grid.values()})
    found = {}
    for name in names:
        others = [other for other in names if other != name]
        lengths = range(_LEAST_START, len(name) + 1)
        found[name] = next((name[:n] for n in lengths if not any(o.startswith(name[:n]) for o in others)), name)
    return found


def _draw(shown: Table, texts: _Texts, marked: Mapping[int, str]) -> None:
    size, left = texts.size, " " * texts.margin
    rule = "+" + "+".join(["-" * size] * SIZE) + "+"

    def side(name: str) -> None:
        title = visible(shown.title(name)) if name in shown.seats else name
        say(f"{left}{title.center(len(rule)).rstrip()}", whole=True)

    side("north")
    say(f"{left}{''.join(str(column + 1).center(size + 1) for column in range(SIZE)).rstrip()}", whole=True)
    for row in range(SIZE):
        cells = range(row * SIZE, row * SIZE + SIZE)
        say(f"{left}{rule}", whole=True)
        for head, line in ((str(row + 1), texts.tops), ("", texts.below)):
            parts = [_painted(_centred(line[cell], size), cell, marked) for cell in cells]
            say(f"{head.rjust(texts.margin - 1)} |{'|'.join(parts)}|", whole=True)
    say(f"{left}{rule}", whole=True)
    side("south")
    west, east = (visible(shown.title(name)) if name in shown.seats else "-" for name in ("west", "east"))
    say(f"{left}left: {west}; right: {east}")


def _top(shown: Table, cell: int, gap: str, starts: Mapping[str, str] | None = None) -> str:
    if cell == CENTRE:
        return "##"
    card = shown.grid.get(cell)
    if card is None:
        return "."
    luggage = card.luggage
    text = (starts or {}).get(luggage.type, luggage.type) + luggage.text.removeprefix(luggage.type)
    return f"{text}{gap}{ARROWS[card.side]}"


def _centred(text: str, size: int) -> str:
    space = size - width(text)
    return " " * (space // 2) + text + " " * (space - space // 2)


def _painted(text: str, cell: int, marked: Mapping[int, str]) -> str:
    return paint(text, marked[cell], bold=True) if cell in marked else text
