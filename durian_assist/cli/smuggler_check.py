"""Answers of `smuggler check` and `smuggler legal`, as JSON and as text."""

from __future__ import annotations

from collections.abc import Sequence

from durian_assist.cli.output import paint, say
from durian_assist.cli.smuggler_grid import show_grid
from durian_assist.cli.smuggler_show import show_findings, show_readings
from durian_assist.common.answers import Finding
from durian_assist.common.names import listed
from durian_assist.smuggler.check import History, Report
from durian_assist.smuggler.geometry import ARROWS, Side, cell_name, place_of
from durian_assist.smuggler.moves import Refusal
from durian_assist.smuggler.reach import Turn
from durian_assist.smuggler.table import Table


def report_json(report: Report, extra: Sequence[Finding]) -> dict[str, object]:
    """JSON of `smuggler check`."""
    return {
        "legal": report.legal,
        "findings": [finding.to_json() for finding in (*extra, *report.findings)],
        "history": history_json(report.history),
        "readings": [dict(note) for note in report.readings],
    }


def history_json(history: History) -> dict[str, object]:
    """The history's part of it. `longest`: how many of the cards legal play can have placed, where not all."""
    prefix = history.prefix
    return {
        "verdict": history.verdict,
        "starts": list(history.starts),
        "order": [[*place_of(cell), side] for cell, side in history.order],
        "longest": {"placements": prefix.placements, "exact": prefix.exact} if prefix else None,
        "repairs": [_turn_json(turn) for turn in history.repairs],
        "exchanges": [[_turn_json(one), _turn_json(other)] for one, other in history.exchanges],
    }


def _turn_json(turn: Turn) -> dict[str, object]:
    row, column = place_of(turn.cell)
    return {"row": row, "column": column, "from": turn.side, "to": turn.to}


def show_report(shown: Table, report: Report, extra: Sequence[Finding]) -> None:
    """Text of `smuggler check`: the grid with the number of each placement in its cell, the verdict, the findings."""
    history = report.history
    numbers = {cell: str(number) for number, (cell, _) in enumerate(history.order, 1)}
    repairs = {turn.cell: "yellow" for turn in history.repairs}
    show_grid(shown, numbers or {turn.cell: f"to {turn.to}" for turn in history.repairs}, repairs)
    if numbers:
        say("Numbers: one legal order of play.")
    say()
    words = {True: "Legal.", False: "Not legal.", None: "Whether all of it is legal cannot be decided."}
    colours = {True: "green", False: "red", None: "yellow"}
    say(paint(words[report.legal], colours[report.legal], bold=True))
    if history.order:
        moves = [f"{place_of(c)[0]},{place_of(c)[1]}{ARROWS[side]}" for c, side in history.order]
        say(f"Order: {' '.join(moves)}")
    if history.repairs:
        turns = [f"{cell_name(turn.cell)} to {turn.to}" for turn in history.repairs]
        say(f"Any one of these turns would mend it: {'; '.join(turns)}.")
    show_findings((*extra, *report.findings))
    show_readings(report.readings)


def legal_json(
    side: Side, cells: Sequence[int], exempt: bool, why: Sequence[tuple[int, Refusal | None]], notes: Sequence[Finding]
) -> dict[str, object]:
    """JSON of `smuggler legal`."""
    return {
        "side": side,
        "cells": [list(place_of(cell)) for cell in cells],
        "exemption": exempt,
        "rule": "smuggler.exemption" if exempt else "smuggler.alignment",
        "why": [
            {
                "row": place_of(cell)[0],
                "column": place_of(cell)[1],
                "legal": refusal is None,
                "rule": refusal.rule if refusal else "smuggler.exemption" if exempt else "smuggler.alignment",
                "message": refusal.message if refusal else f"{cell_name(cell)} is allowed.",
            }
            for cell, refusal in why
        ],
        "findings": [finding.to_json() for finding in notes],
    }


def show_legal(
    shown: Table, side: Side, cells: Sequence[int], exempt: bool, why: Sequence[tuple[int, Refusal | None]]
) -> None:
    """Text of `smuggler legal`."""
    show_grid(shown, dict.fromkeys(cells, "here"), dict.fromkeys(cells, "green"))
    say()
    title = shown.title(side)
    if not cells:
        say(f"{title} may not place anywhere now.")
    elif exempt:
        names = listed(cell_name(cell) for cell in cells)
        say(f"{title} has no aligned cell left, so any cell that touches a card will do: {names}. [smuggler.exemption]")
    else:
        say(f"{title} may place at {listed(cell_name(cell) for cell in cells)}. [smuggler.alignment]")
    for cell, refusal in why:
        if refusal:
            say(f"{cell_name(cell)}: no. {refusal.message} [{refusal.rule}]")
        else:
            say(f"{cell_name(cell)}: yes. [{'smuggler.exemption' if exempt else 'smuggler.alignment'}]")
