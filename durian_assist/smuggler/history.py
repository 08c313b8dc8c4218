"""Could this grid have come about by legal play? Decided exactly, with one legal order as the proof.

Who places the k-th card is known (see `play.TurnOrder`), only the cells are open. The search goes backwards: from the
cards that lie there, take away one that the side on turn can have placed last, and so on to the empty grid. Going
backwards the rare event is checked first: a card beside one of its own side needs a moment when that side had no
aligned cell anywhere, and such moments come late. A set of filled cells that failed once is never searched again, and
two necessary conditions cut most sets at once:

- growth: even if every side could place all its cards that touch something, each turn must find a card to place;
- alignment: cards of one side that touch need a moment when that side was exempt (see `exemption`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from durian_assist.smuggler.exemption import Moment, moments_of_clashes
from durian_assist.smuggler.geometry import CENTRE_BIT, TOUCHING, Side, cells_of, spread
from durian_assist.smuggler.play import TurnOrder, aligned_cells, exemption_open, legal_cells

# Positions looked at backwards before the game is also followed forwards; doubled each time.
_FIRST_BUDGET = 300


@dataclass(slots=True)
class Search:
    """One grid and one turn order. `own`: the cells of each side's cards, as masks.

    `whole`: only the whole grid will be asked for, so that positions from which it cannot be filled are left out;
    without it any part of the grid may be asked for, one after the other, and all that was found out is kept.
    """

    own: Mapping[Side, int]
    order: TurnOrder
    exemption: str
    whole: bool = True
    visited: int = 0
    _dead: set[int] = field(default_factory=set)
    _turns: tuple[int, ...] = ()
    _exempt: tuple[bool, ...] = ()
    _levels: list[set[int]] = field(default_factory=lambda: [{0}])
    _players: int = 0
    _budget: int = 0
    _clashes: list[tuple[int, list[Moment]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        movers = self.order.movers()
        self._players = players = len(self.order.seats)
        self._turns = tuple(self.own.get(side, 0) for side in movers)
        self._exempt = tuple(exemption_open(placed, players, self.exemption) for placed in range(len(movers)))
        moves = {
            side: (*(placed * self._exempt[placed] for placed, mover in enumerate(movers) if mover == side), 0)
            for side in self.own
        }
        counts = [
            tuple((cards, movers[:placed].count(side)) for side, cards in self.own.items())
            for placed in range(len(movers))
        ]
        self._clashes = moments_of_clashes(self.own, moves, counts)

    def impossible_clashes(self, filled: int) -> list[int]:
        """Touching cards of one side (two cells as a mask) that no moment of play explains, in this turn order."""
        return [both for both, moments in self._clashes if not both & ~filled and not _explained(filled, moments)]

    def legal_order(self, filled: int) -> tuple[int, ...] | None:
        """The cells in one legal order of placing exactly the cards of `filled`, or None where there is none."""
        placed = filled.bit_count()
        budget = _FIRST_BUDGET
        while self._possible(filled, placed):
            self._budget = self.visited + budget
            trail: list[int] = []
            try:
                return tuple(trail) if self._reach(filled, placed, trail) else None
            except _OutOfBudget:
                if not self._forward(filled, placed, budget):
                    return None
                budget *= 2
        return None

    def _forward(self, filled: int, placed: int, budget: int) -> bool:
        """Play on from the start, all ways at once, for some `budget` of positions; False where play cannot go on."""
        while len(self._levels) < placed and budget > 0:
            level = len(self._levels) - 1
            own = self._turns[level]
            found: set[int] = set()
            for before in self._levels[level]:
                cells, _ = legal_cells(before, before & own, self._players, self.exemption)
                found.update(before | 1 << cell for cell in cells_of(cells & own))
            budget -= len(self._levels[level]) + len(found)
            if self.whole:
                found = {after for after in found if self._grows(filled, placed, after, level + 1)}
            self._levels.append(found)
        return bool(self._levels[-1])

    def _reach(self, filled: int, placed: int, trail: list[int]) -> bool:
        """Whether `filled` can be reached; fills `trail` with the order."""
        if not placed:
            return True
        if filled in self._dead:
            return False
        self.visited += 1
        if self.visited > self._budget:
            raise _OutOfBudget
        for cell in self._last_cards(filled, placed):
            if self._reach(filled ^ (1 << cell), placed - 1, trail):
                trail.append(cell)
                return True
        self._dead.add(filled)
        return False

    def _last_cards(self, filled: int, placed: int) -> list[int]:
        """The cells that can have been filled last, those hard to explain otherwise first."""
        own = self._turns[placed - 1]
        exempt: list[int] = []
        plain: list[int] = []
        for cell in cells_of(own & filled):
            before = filled ^ (1 << cell)
            touching = TOUCHING[cell]
            if not touching & (before | CENTRE_BIT) or before in self._dead:
                continue
            clash = touching & before & own
            if clash and (not self._exempt[placed - 1] or aligned_cells(before, before & own)):
                continue
            if self._possible(before, placed - 1):
                (exempt if clash else plain).append(cell)
            else:
                self._dead.add(before)
        return exempt + plain

    def _possible(self, filled: int, placed: int) -> bool:
        """The necessary conditions of the module's docstring; exact where play from the start was followed so far."""
        if placed < len(self._levels):
            return filled in self._levels[placed]
        for both, moments in self._clashes:
            if not both & ~filled and not _explained(filled, moments):
                return False
        return self._grows(filled, placed)

    def _grows(self, filled: int, placed: int, lying: int = 0, turn: int = 0) -> bool:
        """From `lying` on, with cards laid as soon as they touch something, no turn is without a card of its own."""
        reached, goal = lying | CENTRE_BIT, filled | CENTRE_BIT
        turns = self._turns
        due = {own: (own & lying).bit_count() for own in turns}
        while turn < placed:
            own = turns[turn]
            due[own] += 1
            reached |= spread(reached) & own & filled
            if reached == goal:
                return True
            if (reached & own).bit_count() < due[own]:
                return False
            turn += 1
        return reached == goal


def _explained(filled: int, moments: list[Moment]) -> bool:
    """Whether one of the moments can have come before `filled`; the one found goes first, to be found again at once."""
    for index, moment in enumerate(moments):
        if moment.within(filled):
            moments.insert(0, moments.pop(index))
            return True
    return False


class _OutOfBudget(Exception):
    """The search backwards has looked at as many positions as it was allowed; control flow within this module."""
