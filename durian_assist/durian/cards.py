"""The cards of Durian: fruits, gorillas, manager tokens, and the one public transcription of the fruit cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

FRUITS = ("strawberry", "banana", "grapes", "durian")
GORILLAS = ("mitch", "murphy", "hannah")
TOKENS = (1, 2, 3, 4, 5, 6, 7)
# Points at which a player is dismissed and the game ends (rulebook, 5).
LIMIT = 7
FRUIT_CARDS = 28
DECK_CARDS = FRUIT_CARDS + len(GORILLAS)
MOST_PLAYERS = 7


@dataclass(frozen=True, slots=True, order=True)
class Side:
    """One half of a fruit card."""

    fruit: str
    count: int

    def __str__(self) -> str:
        return f"{self.fruit} {self.count}"


@dataclass(frozen=True, slots=True, order=True)
class FruitCard:
    """A fruit card, whichever way it is turned: the half with one fruit and the half with two or three."""

    one: Side
    many: Side

    @classmethod
    def of(cls, half: Side, other: Side) -> FruitCard:
        """The card with these two halves in any order. Raises ValueError where no such card can exist."""
        wrong = why_no_card(half, other)
        if wrong:
            raise ValueError(wrong)
        return cls(*sorted((half, other), key=lambda side: side.count))

    def other(self, side: Side) -> Side:
        """The half opposite to `side`."""
        return self.many if side == self.one else self.one

    def __str__(self) -> str:
        return f"{self.one} | {self.many}"


@dataclass(frozen=True, slots=True, order=True)
class Gorilla:
    """One of the three gorilla cards."""

    name: str

    def __str__(self) -> str:
        return f"gorilla {self.name}"


Card: TypeAlias = FruitCard | Gorilla


def why_no_card(half: Side, other: Side) -> str:
    """Why two halves make no fruit card (rulebook, Fruit Cards); empty where they do."""
    if half.fruit == other.fruit:
        return f"a fruit card shows two different fruits, not {half.fruit} twice"
    counts = sorted((half.count, other.count))
    if counts[0] == 1 and counts[1] in {2, 3}:
        return ""
    return f"a fruit card shows one fruit on one side and two or three on the other, not {counts[0]} and {counts[1]}"


# Many-side fruit of each single fruit: cards with two, cards with three. One public fan transcription that meets every
# constraint of the rulebook; not printed there, so a card that does not fit it is never more than a warning.
_TRANSCRIBED: Mapping[str, Mapping[str, tuple[int, int]]] = {
    "strawberry": {"banana": (3, 1), "grapes": (3, 1), "durian": (1, 1)},
    "banana": {"strawberry": (3, 1), "grapes": (2, 0), "durian": (1, 0)},
    "grapes": {"strawberry": (3, 1), "banana": (2, 0), "durian": (1, 0)},
    "durian": {"strawberry": (1, 1), "banana": (1, 0), "grapes": (1, 0)},
}


def transcribed_deck() -> Counter[Card]:
    """The 28 fruit cards of the transcription and the three gorillas."""
    deck: Counter[Card] = Counter(Gorilla(name) for name in GORILLAS)
    for single, partners in _TRANSCRIBED.items():
        for fruit, copies in partners.items():
            for count, number in zip((2, 3), copies, strict=True):
                if number:
                    deck[FruitCard(Side(single, 1), Side(fruit, count))] = number
    return deck


def stock_of(cards: Iterable[Card]) -> dict[str, int]:
    """Fruits on all halves of the inventory's cards; gorillas add none."""
    stock = dict.fromkeys(FRUITS, 0)
    for card in cards:
        if isinstance(card, FruitCard):
            for side in (card.one, card.many):
                stock[side.fruit] += side.count
    return stock


def gorillas_in(cards: Iterable[Card]) -> frozenset[str]:
    """Names of the gorillas among the inventory's cards."""
    return frozenset(card.name for card in cards if isinstance(card, Gorilla))


def void_rule(side: Side, gorillas: frozenset[str]) -> str:
    """The rule by which gorillas in the inventory cancel an order that lies with this side accepted; else empty."""
    if "mitch" in gorillas and side.count == 3:
        return "durian.mitch"
    if "hannah" in gorillas and side.fruit == "banana":
        return "durian.hannah"
    return ""
