"""A chart as lines, markers and texts on a canvas, before it becomes SVG or PNG.

Sizes are chosen so that the picture can still be read at the width of a chat window, a third of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor, log10

from durian_assist.common.answers import points_json
from durian_assist.common.text import width
from durian_assist.ledger.chart import Series, bounds

WIDTH, HEIGHT = 1200, 800
SIZE = 38
"""Height of the letters, pixels."""
# Okabe and Ito's colours, told apart by people who see fewer colours too; the markers differ as well.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = ("circle", "square", "triangle", "diamond", "cross", "ring", "bar")
INK, PALE = "#333333", "#DDDDDD"
_TOP, _BOTTOM, _LEFT = 110, 130, 120
# The share of a letter's height that an average letter is wide.
_LETTER = 0.56
_MOST_NAME = 14
# Up to so many rounds each one is marked; above, so few that the lines can still be told apart.
_MOST_MARKED, _FEW_MARKERS = 30, 10


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points (x, y) in pixels."""

    points: tuple[tuple[float, float], ...]
    colour: str
    width: float


@dataclass(frozen=True, slots=True)
class Marker:
    """A mark at a point."""

    x: float
    y: float
    shape: str
    colour: str


@dataclass(frozen=True, slots=True)
class Text:
    """A text whose middle line is at y; `anchor` start, middle or end tells where x is."""

    x: float
    y: float
    text: str
    anchor: str = "start"
    colour: str = INK
    size: int = SIZE


@dataclass(frozen=True, slots=True)
class Drawing:
    """Everything on the canvas, in the order in which it is drawn."""

    lines: tuple[Line, ...]
    markers: tuple[Marker, ...]
    texts: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class _Scale:
    """From rounds and values to pixels."""

    first: int
    last: int
    low: float
    high: float
    right: float

    def x(self, number: float) -> float:
        return _LEFT + (number - self.first) / max(1, self.last - self.first) * (self.right - _LEFT)

    def y(self, value: float) -> float:
        return _TOP + (self.high - value) / (self.high - self.low) * (HEIGHT - _TOP - _BOTTOM)


def layout(series: Series) -> Drawing:
    """The chart of a session."""
    ends = [f"{shortened(name)} {number(own[-1])}" for name, own in zip(series.names, series.values, strict=True)]
    room = max(width(end) for end in ends) * SIZE * _LETTER + 50
    low, high, step = _axis(*bounds(series.values))
    scale = _Scale(series.first, series.rounds, low, high, WIDTH - room)
    lines, texts = _frame(series, scale, step)
    markers: list[Marker] = []
    places = _apart([scale.y(float(own[-1])) for own in series.values], SIZE * 1.15)
    for index, (own, end) in enumerate(zip(series.values, ends, strict=True)):
        colour, shape = COLOURS[index % len(COLOURS)], MARKERS[index % len(MARKERS)]
        points = tuple((scale.x(series.first + n), scale.y(float(value))) for n, value in enumerate(own))
        lines.append(Line(points, colour, 5))
        every = 1 if len(points) <= _MOST_MARKED else ceil(len(points) / _FEW_MARKERS)
        markers += [Marker(x, y, shape, colour) for x, y in (*points[::every], points[-1])]
        texts.append(Text(scale.right + 28, places[index], end, "start", colour))
    return Drawing(tuple(lines), tuple(markers), tuple(texts))


def _frame(series: Series, scale: _Scale, step: float) -> tuple[list[Line], list[Text]]:
    """Title, grid and the numbers at both axes."""
    lines: list[Line] = []
    texts = [
        Text(30, 50, shortened(series.title, 34), "start", INK, SIZE + 8),
        Text(WIDTH - 30, 50, series.label, "end", INK, SIZE - 8),
    ]
    for count in range(ceil(scale.low / step), round(scale.high / step) + 1):
        value = count * step
        y = scale.y(value)
        lines.append(Line(((_LEFT, y), (scale.right, y)), INK if value == 0 else PALE, 2))
        texts.append(Text(_LEFT - 18, y, f"{value:g}", "end", INK, SIZE - 6))
    for number_ in _round_ticks(series.first, series.rounds):
        texts.append(Text(scale.x(number_), HEIGHT - _BOTTOM + 44, str(number_), "middle", INK, SIZE - 6))
    texts.append(Text((_LEFT + scale.right) / 2, HEIGHT - 36, "round", "middle", INK, SIZE - 8))
    return lines, texts


def _axis(lowest: float, highest: float) -> tuple[float, float, float]:
    """Lower end, round upper end and step of the value axis: some five steps of 1, 2 or 5 times a power of ten.

    What is little below a step does not cost a whole step of room.
    """
    raw = (highest - lowest) / 5
    power = 10 ** floor(log10(raw)) if raw >= 1 else 1
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw)
    return max(floor(lowest / step) * step, lowest - 0.3 * step), ceil(highest / step) * step, step


def _round_ticks(first: int, last: int) -> list[int]:
    """At most some nine rounds that get a number, the last one among them."""
    step = next(s * 10**p for p in range(7) for s in (1, 2, 5) if (last - first) / (s * 10**p) <= 8)
    ticks = [number_ for number_ in range(first, last + 1) if number_ % step == 0 and last - number_ >= step * 0.6]
    return [*ticks, last]


def _apart(places: Sequence[float], least: float) -> list[float]:
    """The same heights moved so that no two are nearer than `least`, in their order and on the canvas."""
    order = sorted(range(len(places)), key=lambda index: places[index])
    moved = list(places)
    for before, index in pairwise(order):
        moved[index] = max(moved[index], moved[before] + least)
    limit = HEIGHT - SIZE * 0.6
    for index in reversed(order):
        moved[index] = min(moved[index], limit)
        limit = moved[index] - least
    return moved


def shortened(name: str, most: int = _MOST_NAME) -> str:
    """A name of at most so many columns, cut with three dots."""
    if width(name) <= most:
        return name
    cut = name
    while cut and width(cut) > most - 3:
        cut = cut[:-1]
    return cut.rstrip() + "..."


def number(points: Fraction) -> str:
    """Points as a decimal number: not every font has a half."""
    return f"{points_json(points):g}" if abs(points) < 10**5 else str(points_json(points))
