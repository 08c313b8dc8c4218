"""What `smuggler legal|setup` are asked: sides, cells and modes as people type them."""

from __future__ import annotations

from typing import cast

from durian_assist.common.answers import Finding
from durian_assist.common.names import UnknownName, listed, resolve
from durian_assist.errors import UsageError
from durian_assist.smuggler.geometry import CENTRE, SIDE_OF_ARROW, SIDES, Side
from durian_assist.smuggler.notation import parse_cell
from durian_assist.smuggler.play import TurnOrder
from durian_assist.smuggler.reach import counts_fit
from durian_assist.smuggler.table import Mode, Table


def side_asked(table: Table, text: str) -> Side:
    """The occupied side that a name or a side's name means. Raises UsageError."""
    names: dict[str, Side] = {name: side for side, name in table.players.items()}
    names.update({side: side for side in SIDES})
    side = SIDE_OF_ARROW.get(text) or side_named(text, names, f"--side {text}")
    if side not in table.seats:
        raise UsageError(
            f"nobody sits at {side} [smuggler.empty-seat]",
            where=f"--side {text}",
            mend=f"Occupied sides: {listed(table.seats)}.",
        )
    return side


def side_named(text: str, names: dict[str, Side], where: str) -> Side:
    """The side that a text means; `where` is the flag it stands in. Raises UsageError."""
    try:
        return names[resolve(text, names)]
    except UnknownName as error:
        raise UsageError(error.sentence, where=where, mend=f"Sides: {listed(SIDES)}.") from None


def cell_asked(text: str) -> int:
    """A cell of `--why`. Raises UsageError."""
    cell = parse_cell(text)
    if cell is None or cell == CENTRE:
        mend = "Cells are ROW,COLUMN from 1,1 (far left) to 5,5; the centre card lies at 3,3."
        raise UsageError("this is no cell for a luggage card", where=f"--why {text}", mend=mend)
    return cell


def turn_note(table: Table, side: Side) -> list[Finding]:
    """A word where it is another side's turn, by the counts and the starting side, if these tell."""
    if table.full:
        return [Finding("smuggler.grid-full", "note", "grid", "The grid is full: nobody places any more.")]
    if len(table.players) < 3:
        return []
    starts = [table.starts] if table.starts else table.seats
    fitting = [start for start in starts if counts_fit(table.own, table.seats, start)]
    movers = {TurnOrder(table.seats, start).mover(len(table.grid)) for start in fitting}
    if not movers or side in movers:
        return []
    whose = listed((table.title(mover) for mover in table.seats if mover in movers), "or")
    message = f"It is the turn of {whose}, not of {table.title(side)}."
    return [Finding("smuggler.turn-order", "warning", "turn", message)]


def mode_asked(text: str) -> Mode:
    """A mode by any unique start. Raises UsageError."""
    try:
        return cast("Mode", resolve(text, ("cooperative", "competitive")))
    except UnknownName as error:
        mend = "The modes are cooperative and competitive."
        raise UsageError(error.sentence, where=f"--mode {text}", mend=mend) from None
