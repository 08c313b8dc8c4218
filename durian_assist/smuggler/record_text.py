"""A Smuggler table back to the text of a record."""

from __future__ import annotations

from durian_assist.records.write import toml_line
from durian_assist.smuggler.geometry import CENTRE, SIDES, SIZE, place_of
from durian_assist.smuggler.notation import grid_lines, write_card
from durian_assist.smuggler.table import BLIND, Move, Table


def write_table(table: Table) -> str:
    """The record (TOML) that reads back as the same table."""
    lines = [toml_line("game", "smuggler"), toml_line("mode", table.mode)]
    if table.mode == "competitive":
        lines.append(toml_line("smuggler", table.smuggler or "none"))
    if table.starts:
        lines.append(toml_line("starts", table.starts))
    cells = [write_card(table.grid[c]) if c in table.grid else "##" if c == CENTRE else "." for c in range(SIZE * SIZE)]
    lines += ['grid = """', *grid_lines(cells), '"""']
    if table.moves:
        lines.append(toml_line("moves", [_written(move) for move in table.moves]))
    if table.seated:
        lines += ["", "[seats]", *(toml_line(side, name) for side, name in table.players.items())]
        lines += [toml_line(side, BLIND) for side in SIDES if side in table.blind - table.implied]
    if table.hands:
        lines += ["", "[hands]"]
        lines += [toml_line(side, [luggage.text for luggage in hand]) for side, hand in table.hands.items()]
    return "\n".join(lines) + "\n"


def _written(move: Move) -> str:
    row, column = place_of(move.cell)
    return f"{row},{column}" + (f" {move.side}" if move.side else "")
