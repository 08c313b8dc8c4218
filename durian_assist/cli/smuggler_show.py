"""Answers of `smuggler score|check|legal` as JSON and as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from durian_assist.cli.output import paint, say, table
from durian_assist.cli.smuggler_grid import show_grid
from durian_assist.common.answers import Finding, points_json, points_text
from durian_assist.common.text import visible
from durian_assist.smuggler.geometry import place_of
from durian_assist.smuggler.scoring import CardLine, Score
from durian_assist.smuggler.table import Table

_COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}


def score_json(score: Score) -> dict[str, object]:
    """JSON of `smuggler score`."""
    return {
        "status": score.status,
        "mode": score.mode,
        "total": points_json(score.total),
        "result": score.result,
        "rule": "smuggler.bands" if score.mode == "cooperative" else "smuggler.competitive",
        "seats": {
            side: {"player": seat.player, "role": seat.role, "points": points_json(seat.points), "place": seat.place}
            for side, seat in score.seats.items()
        },
        "cards": [_line_json(line) for line in score.lines],
        "warnings": [finding.to_json() for finding in score.warnings],
        "readings": [dict(note) for note in score.readings],
    }


def _line_json(line: CardLine) -> dict[str, object]:
    """One card. A card in hand has no row, column or `placed_by`; `hand` is the side that holds it."""
    row, column = place_of(line.cell) if line.cell is not None else (None, None)
    return {
        "row": row,
        "column": column,
        "type": line.luggage.type,
        "face": line.luggage.face,
        "badge": line.luggage.badge,
        "placed_by": line.side if line.cell is not None else None,
        "hand": line.side if line.cell is None else None,
        "points": points_json(line.points),
        "rule": line.rule,
        "text": line.text,
    }


def show_score(shown: Table, score: Score) -> None:
    """Text of `smuggler score`."""
    points = {
        line.cell: line.points for line in score.lines if line.cell is not None and line.luggage.badge is not None
    }
    show_grid(shown, {cell: points_text(value, sign=True) for cell, value in points.items()})
    say()
    counted = [line for line in score.lines if line.points or line.luggage.badge is not None]
    rows = [
        (points_text(line.points, sign=True), line.luggage.text, line.where, line.text, line.rule) for line in counted
    ]
    say(table(rows, ["points", "card", "where", "why", "rule"], right=(0,)))
    zeros = len(score.lines) - len(counted)
    if zeros:
        say(f"{zeros} further card{'s' if zeros != 1 else ''} without a Durian: 0 points each. [smuggler.empty]")
    say()
    seats = [
        (side, visible(seat.player or ""), seat.role, points_text(seat.points), seat.place or "")
        for side, seat in score.seats.items()
    ]
    say(table(seats, ["side", "player", "role", "points", "place"], right=(3, 4)))
    say()
    say(paint(_verdict(score), "green" if score.status == "final" else "yellow", bold=True))
    show_findings(score.warnings)
    show_readings(score.readings)


def _verdict(score: Score) -> str:
    total = points_text(score.total)
    if score.status == "partial":
        return f"So far {total} points; this is no final score. [smuggler.grid-full]"
    if score.mode == "cooperative":
        return f"Total {total}: {score.result}. [smuggler.bands]"
    first = [visible(seat.player or side) for side, seat in score.seats.items() if seat.place == 1]
    verb = "has" if len(first) == 1 else "share first place with"
    best = max(seat.points for seat in score.seats.values() if seat.place is not None)
    return f"{' and '.join(first)} {verb} the most points of this round: {points_text(best)}. [smuggler.competitive]"


def show_findings(findings: Sequence[Finding]) -> None:
    """Findings, as they are ordered."""
    for finding in findings:
        mend = f"\n    {visible(finding.mend)}" if finding.mend else ""
        head = paint(finding.severity, _COLOURS[finding.severity], bold=True)
        say(f"{head}: {finding.where}: {visible(finding.message)} [{finding.rule}]{mend}")


def show_readings(readings: Sequence[Mapping[str, str]]) -> None:
    """The house readings that decided something."""
    for note in readings:
        say(f"reading {note['key']}={note['value']} ({note['source']}): {note['meaning']}. [{note['rule']}]")
