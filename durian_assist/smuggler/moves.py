"""A recorded order of play, move by move: who was on turn, and was the cell allowed?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from durian_assist.common.answers import Finding
from durian_assist.smuggler.geometry import TOUCHING, Side, cell_name, cells_of
from durian_assist.smuggler.play import TurnOrder, frontier, legal_cells
from durian_assist.smuggler.table import Table


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a cell is closed to a side: the rule and one sentence."""

    rule: str
    message: str


def why_not(cell: int, filled: int, own: int, side: str, players: int, exemption: str) -> Refusal | None:
    """Why `side`, whose cards lie on `own`, may not place on `cell` now; None where it may."""
    cells, _ = legal_cells(filled, own, players, exemption)
    if cells >> cell & 1:
        return None
    name = cell_name(cell)
    if filled >> cell & 1:
        return Refusal("smuggler.growth", f"A card lies at {name} already.")
    if not frontier(filled) >> cell & 1:
        if not filled:
            return Refusal("smuggler.first-card", f"The first card must touch the centre card; {name} does not.")
        return Refusal("smuggler.growth", f"No card touches {name}.")
    beside = cell_name(next(cells_of(TOUCHING[cell] & own)))
    message = f"{name[:1].upper()}{name[1:]} touches a card of {side} at {beside}"
    if not cells:
        return Refusal("smuggler.exemption", f"{message}, and by this reading {side} is not exempt now.")
    count = cells.bit_count()
    other = next(cells_of(cells))
    return Refusal(
        "smuggler.alignment",
        f"{message}, and {side} has {count} aligned cell{'s' if count != 1 else ''} left, such as {cell_name(other)}.",
    )


def check_moves(table: Table, exemption: str) -> Iterator[Finding]:
    """Every move that broke a rule; after a fault play goes on as it was recorded."""
    if not table.moves:
        return
    yield from _same_cards(table)
    sides = [table.grid[move.cell].side if move.cell in table.grid else move.side for move in table.moves]
    turned = _turn_findings(table, sides)
    yield from turned
    filled, own = 0, dict[Side, int]()
    for number, (move, side) in enumerate(zip(table.moves, sides, strict=True), 1):
        if side is None or filled >> move.cell & 1:
            continue
        title = table.title(side)
        refusal = why_not(move.cell, filled, own.get(side, 0), title, len(table.players), exemption)
        if refusal:
            mend = "Take the card back and place it on an allowed cell: `smuggler legal` names them."
            yield Finding(refusal.rule, "error", f"move {number}", refusal.message, mend)
        filled |= 1 << move.cell
        own[side] = own.get(side, 0) | 1 << move.cell


def _same_cards(table: Table) -> Iterator[Finding]:
    """The moves must fill exactly the cells with cards, each once, by the side that the card points to."""
    cells = [move.cell for move in table.moves]
    for number, move in enumerate(table.moves, 1):
        where, place = f"move {number}", cell_name(move.cell)
        if move.cell not in table.grid:
            message = f"The move fills {place}, but no card lies there."
            yield Finding("smuggler.moves", "error", where, message, "Correct the move or the grid.")
        elif move.side and move.side != table.grid[move.cell].side:
            message = (
                f"By the moves {move.side} placed at {place}, but the card points to {table.grid[move.cell].side}."
            )
            yield Finding("smuggler.arrow", "error", where, message, "Turn the card, or correct the move.")
        if move.cell in cells[: number - 1]:
            yield Finding("smuggler.moves", "error", where, f"{place} was filled before.", "Correct the move.")
    missing = [cell for cell in table.grid if cell not in cells]
    if missing:
        message = f"No move fills {cell_name(missing[0])}" + (
            f" and {len(missing) - 1} more cells." if missing[1:] else "."
        )
        yield Finding("smuggler.moves", "error", "moves", message, "Write every placement, in order.")


def _turn_findings(table: Table, sides: Sequence[Side | None]) -> list[Finding]:
    """The first move out of turn, for the starting side that fits longest."""
    if len(table.players) < 3 or not sides:
        return []
    starts = (table.starts,) if table.starts else table.seats
    movers: Mapping[Side, tuple[Side, ...]] = {s: TurnOrder(table.seats, s).movers(len(sides)) for s in starts}
    first = {start: _first_difference(movers[start], sides) for start in starts}
    start = max(starts, key=lambda s: len(sides) + 1 if first[s] is None else first[s] or 0)
    at = first[start]
    if at is None:
        return []
    due, was = movers[start][at], sides[at]
    message = f"It was the turn of {table.title(due)}, not of {table.title(was) if was else 'nobody'}"
    message += f", where {table.title(start)} faced the beige sequence."
    return [Finding("smuggler.turn-order", "error", f"move {at + 1}", message, "`smuggler turn` gives the order.")]


def _first_difference(due: Sequence[Side], sides: Sequence[Side | None]) -> int | None:
    return next((at for at, (want, side) in enumerate(zip(due, sides, strict=True)) if want != side), None)
