"""When could a side have been without an aligned cell? What the cards of one grid allow, before any search.

A side whose cards lie on P at some moment is exempt only if every empty cell that touches a card also touches a card of
P. So whatever a grown shape touches and P does not touch must be filled as well: from P and the centre card this closes
to a set of cells, the *need* of P, that has to lie there at that moment. Most P need more cards than had been placed by
then, or need a card of the side's own that is not in P, and are ruled out for good.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from durian_assist.smuggler.geometry import CENTRE_BIT, FULL, TOUCHING, Side, cells_of, spread

# Two touching cells with cards of one side.
Clash: TypeAlias = tuple[Side, int, int]
# Each side's cards in the whole grid, as a mask, and how many of them lie there at some moment.
Counts: TypeAlias = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """A turn at which one side can have been exempt.

    `lying`: the side's cards that lie there; `later`: those that do not yet; `unshielded`: the cells that no card of
    `lying` touches; `need`: what must be filled; `counts`: how many cards of each side lie there.
    """

    lying: int
    later: int
    unshielded: int
    need: int
    counts: Counts

    def within(self, filled: int) -> bool:
        """Whether this moment can have come before the cards of `filled` lay there (a necessary condition).

        Cards are taken away from `filled` that cannot have lain there at that moment: the side's later ones, then every
        one that touches an empty cell that is not shielded. What is left must hold the need and enough cards.
        """
        if self.need & ~filled:
            return False
        left = filled & ~self.later
        empty = self.unshielded & ~left
        gone = spread(empty) & (left | CENTRE_BIT)
        while gone:
            left &= ~gone
            if gone & CENTRE_BIT or self.need & ~left:
                return False
            empty = self.unshielded & ~left
            gone = spread(empty) & (left | CENTRE_BIT)
        for cards, count in self.counts:  # noqa: SIM110 - a plain loop: this is the search's innermost step
            if (left & cards).bit_count() < count:
                return False
        return True


def clashes(own: Mapping[Side, int]) -> list[Clash]:
    """Every pair of touching cells with cards of the same side."""
    return [
        (side, cell, other)
        for side, cards in own.items()
        for cell in cells_of(cards)
        for other in cells_of(TOUCHING[cell] & cards)
        if cell < other
    ]


def moments_of_clashes(
    own: Mapping[Side, int], placed_at: Mapping[Side, tuple[int, ...]], counts_at: Sequence[Counts]
) -> list[tuple[int, list[Moment]]]:
    """For each clash its two cells as a mask, and the moments at which it can have arisen.

    `placed_at[side][n]` is the number of cards in the grid when `side` has placed n and is on turn, or 0 where there is
    no exemption then; `counts_at[placed]` tells how many cards of each side lie there then.
    """
    pairs = clashes(own)
    moments = {side: _moments(own[side], placed_at[side], counts_at) for side in {pair[0] for pair in pairs}}
    found = []
    for side, one, other in pairs:
        both = 1 << one | 1 << other
        found.append((both, [moment for moment in moments[side] if 0 < moment.lying & both < both]))
    return found


def _moments(cards: int, placed_at: tuple[int, ...], counts_at: Sequence[Counts]) -> list[Moment]:
    """Every moment at which the side with these cards can have been exempt and placed beside an own card."""
    found = []
    lying = cards
    while lying:
        lying = (lying - 1) & cards
        count = lying.bit_count()
        placed = placed_at[count] if count < len(placed_at) else 0
        later = cards & ~lying
        if placed and spread(lying) & later:
            need = _need(lying, later)
            counts = counts_at[placed]
            if need and all((need & own).bit_count() <= most for own, most in counts):
                found.append(Moment(lying, later, FULL & ~spread(lying) & ~CENTRE_BIT, need, counts))
    return found


def _need(lying: int, later: int) -> int:
    """What must be filled for a side to be exempt with the cards of `lying`; 0 where that takes a card of `later`."""
    unshielded = FULL & ~spread(lying)
    filled = lying | CENTRE_BIT
    while True:
        grown = filled | (spread(filled) & unshielded)
        if grown & later:
            return 0
        if grown == filled:
            return filled & ~CENTRE_BIT
        filled = grown
