"""The 5 x 5 grid and its four sides.

A cell is a number 0..24, row by row as the photo shows it: cell 0 is row 1, column 1 (far left), the centre card
lies on cell 12. A set of cells is a bit mask of 25 bits, so that the history search can look at many of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Literal

Side = Literal["south", "west", "north", "east"]

# South is the photographer's side. Seen from above, clockwise (towards each player's left) is south, west, north, east.
SIDES: Final[tuple[Side, ...]] = ("south", "west", "north", "east")
ARROWS: Final[dict[Side, str]] = {"south": "v", "west": "<", "north": "^", "east": ">"}
SIDE_OF_ARROW: Final[dict[str, Side]] = {arrow: side for side, arrow in ARROWS.items()}

SIZE: Final = 5
CENTRE: Final = 12
FULL: Final = (1 << 25) - 1
CENTRE_BIT: Final = 1 << CENTRE
GRID_CARDS: Final = 24

_LEFT = sum(1 << (SIZE * row) for row in range(SIZE))
_NOT_LEFT = FULL & ~_LEFT
_NOT_RIGHT = FULL & ~(_LEFT << (SIZE - 1))


def spread(mask: int) -> int:
    """The cells that touch (up, down, left, right) a cell of `mask`; of `mask` itself only those that touch another."""
    return ((mask & _NOT_RIGHT) << 1) | ((mask & _NOT_LEFT) >> 1) | ((mask << SIZE) & FULL) | (mask >> SIZE)


TOUCHING: Final[tuple[int, ...]] = tuple(spread(1 << cell) for cell in range(SIZE * SIZE))


def cell_at(row: int, column: int) -> int:
    """The cell at row 1..5 and column 1..5."""
    return (row - 1) * SIZE + column - 1


def place_of(cell: int) -> tuple[int, int]:
    """Row and column, both from 1."""
    return cell // SIZE + 1, cell % SIZE + 1


def cell_name(cell: int) -> str:
    row, column = place_of(cell)
    return f"row {row}, column {column}"


def mask_of(cells: Iterable[int]) -> int:
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


def cells_of(mask: int) -> Iterator[int]:
    """The cells of a mask, in reading order."""
    while mask:
        bit = mask & -mask
        yield bit.bit_length() - 1
        mask ^= bit


def neighbours(cell: int) -> Iterator[int]:
    """The luggage cells that touch a cell: the centre card is no luggage and links nothing."""
    return cells_of(TOUCHING[cell] & ~CENTRE_BIT)


def connected_to_centre(filled: int) -> int:
    """The part of `filled` that hangs together with the centre card."""
    reached = CENTRE_BIT
    while True:
        grown = reached | (spread(reached) & filled)
        if grown == reached:
            return reached & ~CENTRE_BIT
        reached = grown
