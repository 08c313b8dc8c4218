"""How likely it is that the orders exceed the stock, for one who cannot see some cards of the inventory.

The cards not seen are equally likely to be any of those left in the deck. All counts are exact: every hand of hidden
cards is weighed by the number of ways to draw it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import TypeAlias

from durian_assist.durian.cards import FRUITS, Card, gorillas_in, stock_of, transcribed_deck
from durian_assist.durian.round import Lying, Round
from durian_assist.durian.verdict import TOO_MANY, seen_cards, weigh


@dataclass(frozen=True, slots=True)
class Odds:
    """Probability of too many orders, with the number of hidden cards and of cards that each of them may be."""

    probability: Fraction
    hidden: int
    pool: int


def odds(round_: Round, orders: tuple[Lying, ...], reading: str, *, viewer: str | None = None) -> Odds | None:
    """As `viewer` sees it: that player's own card and every card recorded as `?` are hidden, the rest is known.

    None where the deck has too few cards left to deal the hidden ones.
    """
    cards = list(round_.stock_cards)
    if viewer is not None:
        cards[round_.holders.index(viewer)] = None
    known = tuple(card for card in cards if card is not None)
    hidden = len(cards) - len(known)
    pool = unseen(round_, viewer)
    ways = comb(sum(pool.values()), hidden)
    if ways == 0:
        return None
    bad = sum(
        weight
        for (_, stock, gorillas), weight in _hands(pool, hidden, known).items()
        if weigh(dict(zip(FRUITS, stock, strict=True)), gorillas, orders).verdict(reading) == TOO_MANY
    )
    return Odds(Fraction(bad, ways), hidden, sum(pool.values()))


def unlisted(round_: Round) -> int:
    """How many cards of the table the deck's list does not hold: as many too many are counted as left."""
    deck = round_.deck if round_.deck is not None else transcribed_deck()
    return (seen_cards(round_) - deck).total()


def unseen(round_: Round, viewer: str | None = None) -> Counter[Card]:
    """Cards that `viewer` sees nowhere: the deck without the others' cards, the open card and the orders."""
    seen = seen_cards(round_)
    if viewer is not None:
        own = round_.inventory[round_.holders.index(viewer)]
        if own is not None:
            seen[own] -= 1
    deck = round_.deck if round_.deck is not None else transcribed_deck()
    return deck - seen


# Cards dealt, fruits in stock in the order of FRUITS, gorillas in stock.
_State: TypeAlias = tuple[int, tuple[int, ...], frozenset[str]]


def _hands(pool: Counter[Card], size: int, known: tuple[Card, ...]) -> dict[_State, int]:
    """Every stock that the known cards and `size` cards of the pool can make, with the number of ways to draw it."""
    states: dict[_State, int] = {(0, tuple(stock_of(known).values()), gorillas_in(known)): 1}
    for card, copies in pool.items():
        fruits, names = tuple(stock_of([card]).values()), gorillas_in([card])
        grown: dict[_State, int] = defaultdict(int)
        for (dealt, stock, gorillas), weight in states.items():
            grown[dealt, stock, gorillas] += weight
            for number in range(1, min(copies, size - dealt) + 1):
                more = tuple(own + number * fruit for own, fruit in zip(stock, fruits, strict=True))
                grown[dealt + number, more, gorillas | names] += weight * comb(copies, number)
        states = grown
    return {state: weight for state, weight in states.items() if state[0] == size}
