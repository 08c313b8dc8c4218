"""Whose turn it is and where a card may go: the rules of placing luggage, on bit masks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from durian_assist.smuggler.geometry import CENTRE_BIT, FULL, GRID_CARDS, SIDES, Side, spread

NO_CELL_LEFT: Final = "no-cell-left"
LAST_ROUND: Final = "last-round"
NEVER: Final = "never"


@dataclass(frozen=True, slots=True)
class TurnOrder:
    """Who places when, for 3 or 4 players.

    `seats`: the occupied sides, clockwise from south. `start`: the side that faced the beige sequence. In round r
    (from 0) the active seat is r occupied seats clockwise from `start`; the others follow clockwise.
    """

    seats: tuple[Side, ...]
    start: Side

    def mover(self, placed: int) -> Side:
        """The side that places when `placed` cards lie in the grid."""
        players = len(self.seats)
        turn, position = divmod(placed, players)
        return self.seats[(self.seats.index(self.start) + turn + position) % players]

    def movers(self, cards: int = GRID_CARDS) -> tuple[Side, ...]:
        """The sides of the first `cards` placements."""
        return tuple(self.mover(placed) for placed in range(cards))

    def counts(self, placed: int) -> dict[Side, int]:
        """How many cards each side has in the grid after `placed` placements."""
        movers = self.movers(placed)
        return {side: movers.count(side) for side in self.seats}


def clockwise(seats: Sequence[Side]) -> tuple[Side, ...]:
    """The given sides in clockwise order from south."""
    return tuple(side for side in SIDES if side in seats)


def last_round_from(players: int) -> int:
    """Number of cards in the grid when the last round begins; with one or two players two cards are placed a round."""
    return GRID_CARDS - (players if players > 2 else 2)


def frontier(filled: int) -> int:
    """The empty cells that touch a card; the centre card counts, so the first card must touch it."""
    lying = filled | CENTRE_BIT
    return spread(lying) & ~lying & FULL


def aligned_cells(filled: int, own: int) -> int:
    """The cells where a side whose cards lie on `own` may place by the plain rule."""
    return frontier(filled) & ~spread(own)


def exemption_open(placed: int, players: int, exemption: str) -> bool:
    """Whether this reading of the exemption can apply at all when `placed` cards lie in the grid."""
    if exemption == LAST_ROUND:
        return placed >= last_round_from(players)
    return exemption == NO_CELL_LEFT


def legal_cells(filled: int, own: int, players: int, exemption: str) -> tuple[int, bool]:
    """Where a side may place now, as a mask, and whether it is exempt from the alignment rule.

    Exempt is a side for which no aligned cell is left anywhere in the grid; it may then use every cell that touches
    a card.
    """
    aligned = aligned_cells(filled, own)
    open_cells = frontier(filled)
    if aligned or not open_cells:
        return aligned, False
    if exemption_open(filled.bit_count(), players, exemption):
        return open_cells, True
    return 0, False
