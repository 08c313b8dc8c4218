"""The totals of a session over its rounds: the numbers that a chart draws, and the chart as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from durian_assist.common.answers import points_json, points_text
from durian_assist.common.text import width
from durian_assist.ledger.entries import Session, round_points
from durian_assist.ledger.rounds import TEAM
from durian_assist.ledger.standing import mode_of

WIDEST = 80
"""Columns that a line of a text chart takes at most."""
_ROWS, _COLUMNS = 15, 60
_MARKS = "ox+*#@%&"


@dataclass(frozen=True, slots=True)
class Series:
    """What a chart shows. `values[i][n]` is what name i has after round n, from `first` on.

    Competing players start at 0 before round 1 and add up; a cooperative session shows each round's own result.
    """

    title: str
    label: str
    names: tuple[str, ...]
    values: tuple[tuple[Fraction, ...], ...]
    first: int

    @property
    def rounds(self) -> int:
        """Number of the last round."""
        return self.first + len(self.values[0]) - 1

    def to_json(self) -> dict[str, object]:
        """JSON form."""
        lines = {name: [points_json(v) for v in own] for name, own in zip(self.names, self.values, strict=True)}
        return {"title": self.title, "label": self.label, "first_round": self.first, "lines": lines}


def series_of(session: Session) -> Series:
    """The numbers of a session's chart."""
    setup, results = session.setup, session.results
    mode = mode_of(setup, results)
    if mode == "cooperative":
        own = tuple(result.points[TEAM] for result in results)
        return Series(setup.name, "points of each round", (TEAM,), (own or (Fraction(0),),), 1 if own else 0)
    gained = round_points(setup, results)
    zero = Fraction(0)
    values = tuple(
        tuple(accumulate((points.get(name, zero) for points in gained), initial=zero)) for name in setup.players
    )
    few = setup.game == "durian" or mode == "haters"
    unit = "thumbs" if setup.game == "dash" else "points"
    return Series(setup.name, f"total {unit}{', fewest lead' if few else ''}", setup.players, values, 0)


def text_chart(series: Series, room: int = WIDEST) -> str:
    """The chart in characters, up to `room` of them wide: a mark for each name, the largest value at the top, rounds to
    the right."""
    lowest, highest = bounds(series.values)
    gutter = max(len(str(round(value))) for value in (highest, (highest + lowest) / 2, lowest))
    columns = max(10, min(_COLUMNS, max(20, 4 * len(series.values[0])), room - gutter - 2))
    grid = [[" "] * columns for _ in range(_ROWS)]
    for own, mark in zip(series.values, _MARKS, strict=False):
        for column in range(columns):
            value = _between(own, column / (columns - 1))
            row = round((highest - value) / (highest - lowest) * (_ROWS - 1))
            grid[row][column] = mark if grid[row][column] == " " else "="
    labels = {0: str(round(highest)), _ROWS // 2: str(round((highest + lowest) / 2)), _ROWS - 1: str(round(lowest))}
    lines = [f"{labels.get(n, ''):>{gutter}} |{''.join(row).rstrip()}" for n, row in enumerate(grid)]
    ends = f"round {series.first}", f"round {series.rounds}"
    lines.append(" " * gutter + " +" + "-" * columns)
    lines.append(" " * gutter + f"  {ends[0]}{ends[1]:>{columns - len(ends[0])}}")
    return "\n".join([f"{series.title}: {series.label}", "", *lines, "", *_legend(series)])


def _legend(series: Series) -> list[str]:
    wide = max(width(name) for name in series.names)
    lines = [
        f"{mark} {name}{' ' * (wide - width(name))}  {points_text(own[-1])}"
        for name, own, mark in zip(series.names, series.values, _MARKS, strict=False)
    ]
    return [*lines, *(["= several"] if len(series.names) > 1 else [])]


def bounds(values: Sequence[Sequence[Fraction]]) -> tuple[float, float]:
    """Lowest and highest value, 0 among them and never the same."""
    flat = [float(value) for own in values for value in own]
    lowest, highest = min(0.0, *flat), max(0.0, *flat)
    return (lowest, highest) if lowest < highest else (0.0, 1.0)


def _between(own: Sequence[Fraction], share: float) -> float:
    """The value at a share of the way from the first to the last round."""
    place = share * (len(own) - 1)
    before = min(int(place), len(own) - 1)
    after = min(before + 1, len(own) - 1)
    return float(own[before]) + (float(own[after]) - float(own[before])) * (place - before)
