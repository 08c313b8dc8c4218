"""Can a grid have come about, from which starting seats, how far can play be legal, and what would mend it?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product
from math import comb, prod
from typing import Final

from durian_assist.smuggler.exemption import clashes
from durian_assist.smuggler.geometry import Side, cells_of, connected_to_centre, mask_of, spread
from durian_assist.smuggler.history import Search
from durian_assist.smuggler.play import TurnOrder, legal_cells

Owned = Mapping[Side, int]

# How many positions, and parts of a grid at a time, are looked at to find how far play can be legal; beyond that
# the answer is "at least".
_MOST_VISITED: Final = 6_000
_MOST_PARTS: Final = 12_000
# A side with more cards than this (it should have 6 or 8) is not searched: the parts of its cards are too many.
_MOST_OWN: Final = 12


@dataclass(frozen=True, slots=True)
class Reach:
    """The verdict for one grid: a legal order (cells) for each starting side for which there is one."""

    orders: Mapping[Side, tuple[int, ...]]

    @property
    def reachable(self) -> bool:
        return bool(self.orders)


@dataclass(frozen=True, slots=True)
class Prefix:
    """Play can be legal for `placements` cards; `exact` where no longer legal play exists."""

    placements: int
    exact: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """A repair: the card at `cell` pointing to `to` instead of `side`."""

    cell: int
    side: Side
    to: Side


def reach(own: Owned, seats: Sequence[Side], starts: Iterable[Side], exemption: str) -> Reach:
    """Decide a grid for each of `starts`. `seats` are the occupied sides (three or four), clockwise."""
    filled = _all(own)
    placed = filled.bit_count()
    orders = {}
    if all(side in seats for side, cards in own.items() if cards):
        for start in starts:
            order = TurnOrder(tuple(seats), start)
            if _counts(own, seats) == order.counts(placed):
                found = Search(own, order, exemption).legal_order(filled)
                if found is not None:
                    orders[start] = found
    return Reach(orders)


def impossible_clashes(own: Owned, seats: Sequence[Side], starts: Iterable[Side], exemption: str) -> set[int]:
    """Touching cards of one side (two cells as a mask) that no moment of play explains, whoever of `starts` began."""
    if max(map(int.bit_count, own.values()), default=0) > _MOST_OWN:
        return set()
    searches = (Search(own, TurnOrder(tuple(seats), start), exemption) for start in starts)
    found = [set(search.impossible_clashes(_all(own))) for search in searches]
    return set.intersection(*found) if found else set()


def counts_fit(own: Owned, seats: Sequence[Side], start: Side) -> bool:
    """Whether each side has as many cards as its turns so far."""
    return _counts(own, seats) == TurnOrder(tuple(seats), start).counts(_all(own).bit_count())


def turns(own: Owned, seats: Sequence[Side], starts: Sequence[Side], exemption: str) -> Iterator[Turn]:
    """Every single card whose turning to another side makes the grid reachable, in reading order."""
    side_of = {cell: side for side, cards in own.items() for cell in cells_of(cards)}
    for cell, side in sorted(side_of.items()):
        for to in seats:
            if to != side and reach(_turned(own, cell, side, to), seats, starts, exemption).reachable:
                yield Turn(cell, side, to)


def exchanges(own: Owned, seats: Sequence[Side], starts: Sequence[Side], exemption: str) -> Iterator[tuple[Turn, Turn]]:
    """Every pair of cards, one of them beside a card of its own side, whose exchanged sides make the grid reachable."""
    touching = mask_of(cell for _, one, other in clashes(own) for cell in (one, other))
    side_of = {cell: side for side, cards in own.items() for cell in cells_of(cards)}
    for (one, side), (other, to) in combinations(sorted(side_of.items()), 2):
        if side != to and (1 << one | 1 << other) & touching:
            turned = _turned(_turned(own, one, side, to), other, to, side)
            if reach(turned, seats, starts, exemption).reachable:
                yield Turn(one, side, to), Turn(other, to, side)


def longest_prefix(own: Owned, seats: Sequence[Side], starts: Sequence[Side], exemption: str) -> Prefix:
    """How many of these cards can have been placed legally, whichever they were."""
    best = _played_on(own, seats, starts, exemption)
    if max(map(int.bit_count, own.values()), default=0) > _MOST_OWN:
        return Prefix(best, exact=False)
    orders = [TurnOrder(tuple(seats), start) for start in starts]
    searches = [Search(own, order, exemption, whole=False) for order in orders]
    for placed in range(_all(own).bit_count() - 1, best, -1):
        for search in searches:
            counts = search.order.counts(placed)
            if prod(comb(own.get(side, 0).bit_count(), count) for side, count in counts.items()) > _MOST_PARTS:
                return Prefix(best, exact=False)
            for part in _parts(own, counts):
                if search.legal_order(part) is not None:
                    return Prefix(placed, exact=True)
                if sum(one.visited for one in searches) > _MOST_VISITED:
                    return Prefix(best, exact=False)
    return Prefix(best, exact=True)


def _parts(own: Owned, counts: Mapping[Side, int]) -> list[int]:
    """Parts of the cards with these counts that hang together, those with the fewest clashes first."""
    choices = [[mask_of(cells) for cells in combinations(list(cells_of(own.get(s, 0))), n)] for s, n in counts.items()]
    parts = [sum(part) for part in product(*choices)]
    parts = [part for part in parts if connected_to_centre(part) == part]
    return sorted(parts, key=lambda part: sum((spread(m & part) & m & part).bit_count() for m in own.values()))


def _played_on(own: Owned, seats: Sequence[Side], starts: Sequence[Side], exemption: str) -> int:
    """A length of legal play, found by playing forwards with at most 50 positions a placement."""
    best = 0
    for start in starts:
        order = TurnOrder(tuple(seats), start)
        level, placed = {0}, 0
        while level:
            best = max(best, placed)
            cards = own.get(order.mover(placed), 0)
            found: set[int] = set()
            for before in level:
                cells, _ = legal_cells(before, before & cards, len(seats), exemption)
                found.update(before | 1 << cell for cell in cells_of(cells & cards & ~before))
            level, placed = set(islice(sorted(found), 50)), placed + 1
    return best


def explainable(own: Owned, exemption: str, most: int = 20_000) -> bool | None:
    """Whether the cards can lie there if any side may have placed at any moment: growth and alignment alone.

    For one or two players, whose turn order is not followed. None where more than `most` sets of cards were looked at.
    """
    stack = [_all(own)]
    seen = set(stack)
    while stack:
        filled = stack.pop()
        # What hangs together and has no touching cards of one side can be laid in some order.
        if not any(spread(cards & filled) & cards & filled for cards in own.values()):
            return True
        if len(seen) > most:
            return None
        fresh = {before for before in _befores(own, filled, exemption) if before not in seen}
        seen |= fresh
        stack.extend(sorted(fresh))
    return False


def _befores(own: Owned, filled: int, exemption: str) -> Iterator[int]:
    for cards in own.values():
        for cell in cells_of(cards & filled):
            before = filled & ~(1 << cell)
            if connected_to_centre(before) == before:
                cells, _ = legal_cells(before, before & cards, 2, exemption)
                if cells >> cell & 1:
                    yield before


def _turned(own: Owned, cell: int, side: Side, to: Side) -> dict[Side, int]:
    bit = 1 << cell
    return {**own, side: own[side] & ~bit, to: own.get(to, 0) | bit}


def _counts(own: Owned, seats: Sequence[Side]) -> dict[Side, int]:
    return {side: own.get(side, 0).bit_count() for side in seats}


def _all(own: Owned) -> int:
    filled = 0
    for cards in own.values():
        filled |= cards
    return filled
