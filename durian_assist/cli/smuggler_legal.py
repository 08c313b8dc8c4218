"""What `smuggler legal|setup|turn` are asked: sides, cells, modes and rounds as people type them."""

from __future__ import annotations

from typing import cast

from durian_assist.common.answers import Finding
from durian_assist.common.names import UnknownName, fold, listed, resolve
from durian_assist.errors import UsageError
from durian_assist.smuggler.geometry import CENTRE, SIDE_OF_ARROW, SIDES, Side
from durian_assist.smuggler.guide import SEQUENCES, THREE_PLAYERS, Round, round_of
from durian_assist.smuggler.notation import parse_cell
from durian_assist.smuggler.play import TurnOrder
from durian_assist.smuggler.reach import counts_fit
from durian_assist.smuggler.table import Mode, Table


def side_asked(table: Table, text: str) -> Side:
    """The occupied side that a name or a side's name means. Raises UsageError."""
    names: dict[str, Side] = {name: side for side, name in table.players.items()}
    names.update({side: side for side in SIDES})
    side = SIDE_OF_ARROW.get(text) or _resolved(text, names, f"--side {text}")
    if side not in table.seats:
        raise UsageError(
            f"nobody sits at {side} [smuggler.empty-seat]",
            where=f"--side {text}",
            mend=f"Occupied sides: {listed(table.seats)}.",
        )
    return side


def _resolved(text: str, names: dict[str, Side], where: str) -> Side:
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


def rounds_asked(players: int, number: int | None, starts: str, absent: str | None, order: str | None) -> list[Round]:
    """The rounds that `smuggler turn` shows. Raises UsageError."""
    if not 1 <= players <= 4:
        raise UsageError("Durian Smuggler is for one to four players", where=f"smuggler turn {players}")
    sides: dict[str, Side] = {side: side for side in SIDES}
    start = _resolved(starts, sides, f"--starts {starts}")
    empty = _absent(players, start, absent)
    seats = tuple(side for side in SIDES if side != empty)
    if number is not None:
        return [round_of(number, seats, start, players, _order(order, players))]
    rounds = round_of(1, seats, start, players).rounds
    return [round_of(one, seats, start, players, _order(order, players)) for one in range(1, rounds + 1)]


def _absent(players: int, start: Side, absent: str | None) -> Side | None:
    if players != 3:
        if absent is not None:
            raise UsageError("only with three players a side stays empty", where=f"--absent {absent}")
        return None
    if absent is None:
        return SIDES[(SIDES.index(start) + 3) % 4]
    side = _resolved(absent, {s: s for s in SIDES}, f"--absent {absent}")
    if side == start:
        raise UsageError("the starting side cannot be the empty one", where=f"--absent {absent}")
    return side


def _order(text: str | None, players: int) -> tuple[str, ...] | None:
    """The card's order of sequences, clockwise. Raises UsageError for one that no card can have."""
    if text is None:
        return None
    if players < 3:
        what = "with one or two players one card has the order of the sequences"
        raise UsageError(what, where=f"--order {text}", mend="Leave --order out.")
    known = (THREE_PLAYERS,) if players == 3 else SEQUENCES
    order = tuple(fold(text.replace(",", " ")).split("-"))
    if players == 3:
        order = tuple(colour for colour in order if colour != "red")
    if order in known:
        return order
    mend = "It can be " + listed(("-".join(one) for one in SEQUENCES), "or") + "."
    raise UsageError("no sequence card has this order", where=f"--order {text}", mend=mend)
