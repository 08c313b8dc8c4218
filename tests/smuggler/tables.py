"""Tables for tests: grids from text, legal play, disturbed grids, and a second, simple search that shares no code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from durian_assist.records.document import load_record
from durian_assist.smuggler.geometry import SIDES, Side, cells_of
from durian_assist.smuggler.play import TurnOrder, legal_cells
from durian_assist.smuggler.record import read_table
from durian_assist.smuggler.table import Table

CELLS = [cell for cell in range(25) if cell != 12]
BESIDE = {
    cell: [
        5 * row + column
        for row, column in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1))
        if 0 <= row < 5 and 0 <= column < 5
    ]
    for cell in range(25)
    for r, c in [divmod(cell, 5)]
}


def table_of(grid: str, **keys: str) -> Table:
    """A table from the lines of a grid (`/` between rows) and further lines of its record."""
    rows = "\n".join(grid.split("/"))
    head = "".join(f"{key} = {value}\n" for key, value in keys.items())
    return read_table(load_record("test.toml", f'game = "smuggler"\n{head}grid = """\n{rows}\n"""\n'))


def played(rng: Random, seats: tuple[Side, ...], start: Side, cards: int, exemption: str) -> dict[Side, int] | None:
    """Legal play at random, as each side's cells; None where a side got stuck."""
    order, own, filled = TurnOrder(seats, start), dict.fromkeys(seats, 0), 0
    for placed in range(cards):
        side = order.mover(placed)
        cells, _ = legal_cells(filled, own[side], len(seats), exemption)
        if not cells:
            return None
        bit = 1 << rng.choice(list(cells_of(cells)))
        own[side] |= bit
        filled |= bit
    return own


def disturbed(rng: Random, own: Mapping[Side, int], most: int = 3) -> dict[Side, int]:
    """Up to `most` exchanges of two cards' sides; now and then a card moved to an empty cell, or turned."""
    owner = {cell: side for side, cards in own.items() for cell in cells_of(cards)}
    for _ in range(rng.randint(0, most)):
        one, other = rng.choice(list(owner)), rng.choice(list(owner))
        owner[one], owner[other] = owner[other], owner[one]
    empty = [cell for cell in CELLS if cell not in owner]
    if empty and rng.random() < 0.2:
        owner[rng.choice(empty)] = owner.pop(rng.choice(list(owner)))
    if rng.random() < 0.05:
        owner[rng.choice(list(owner))] = rng.choice(list(own))
    return {side: sum(1 << cell for cell, who in owner.items() if who == side) for side in own}


def random_case(rng: Random, least: int, most: int) -> tuple[dict[Side, int], tuple[Side, ...], str]:
    """A table of three or four players, its seats and a reading of the exemption."""
    absent = rng.choice((None, *SIDES))
    seats = tuple(side for side in SIDES if side != absent)
    exemption = rng.choice(("no-cell-left", "no-cell-left", "last-round", "never"))
    own = None
    while own is None:
        own = played(rng, seats, rng.choice(seats), rng.randint(least, most), rng.choice((exemption, "no-cell-left")))
    return disturbed(rng, own), seats, exemption


def simple_search(
    own: Mapping[Side, int], seats: Sequence[Side], start: Side, exemption: str, most: int = 50_000
) -> bool | None:
    """Can these cards be placed legally? Plays all ways forwards, cell by cell; None beyond `most` positions."""
    owner = {cell: side for side, cards in own.items() for cell in CELLS if cards >> cell & 1}
    positions = {frozenset[int]()}
    for placed in range(len(owner)):
        turn, place = divmod(placed, len(seats))
        side = seats[(seats.index(start) + turn + place) % len(seats)]
        late = placed >= 24 - len(seats)
        found: set[frozenset[int]] = set()
        for lying in positions:
            open_cells = [c for c in CELLS if c not in lying and any(b == 12 or b in lying for b in BESIDE[c])]
            aligned = [c for c in open_cells if not any(b in lying and owner[b] == side for b in BESIDE[c])]
            exempt = exemption == "no-cell-left" or (exemption == "last-round" and late)
            allowed = aligned or (open_cells if exempt else [])
            found.update(lying | {cell} for cell in allowed if owner.get(cell) == side)
        positions = found
        if len(positions) > most:
            return None
    return bool(positions)


def replays(order: Sequence[tuple[int, Side]], seats: Sequence[Side], start: Side, exemption: str) -> bool:
    """Whether an order of play keeps the rules, checked without the package's own rules."""
    lying: dict[int, Side] = {}
    for placed, (cell, side) in enumerate(order):
        turn, place = divmod(placed, len(seats))
        open_cells = [c for c in CELLS if c not in lying and any(b == 12 or b in lying for b in BESIDE[c])]
        aligned = [c for c in open_cells if not any(lying.get(b) == side for b in BESIDE[c])]
        exempt = exemption == "no-cell-left" or (exemption == "last-round" and placed >= 24 - len(seats))
        if side != seats[(seats.index(start) + turn + place) % len(seats)]:
            return False
        if cell not in (aligned or (open_cells if exempt else [])):
            return False
        lying[cell] = side
    return True
