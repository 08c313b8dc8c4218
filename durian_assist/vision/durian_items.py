"""What a Durian photo shows, piece by piece: tokens, inventory cards and orders, each with its possible answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.reading import Corner

SURE = 0.9
MOST_CANDIDATES = 7


@dataclass(frozen=True, slots=True)
class Item:
    """One piece. `odds`: answers as `--set` takes them with their probabilities, best first.

    `4` for a token, `strawberry 1 | banana 3` or `gorilla hannah` for an inventory card as it is seen from left to
    right, `banana 3 | strawberry 1 flipped by murphy` for an order, accepted side first. `corners` in pixels of photo
    number `photo`. `side` of the photo on which a token lies. `settled`: a person said so. `perhaps`: it may be none.
    """

    odds: tuple[tuple[str, float], ...]
    corners: tuple[Corner, ...]
    photo: int = 0
    side: str = ""
    settled: bool = False
    perhaps: bool = False

    @property
    def best(self) -> str:
        return self.odds[0][0]

    @property
    def confidence(self) -> float:
        return 1.0 if self.settled else self.odds[0][1]

    @property
    def sure(self) -> bool:
        return self.settled or self.confidence >= SURE

    @property
    def candidates(self) -> tuple[str, ...]:
        """The answers worth offering, best first."""
        return tuple(text for text, p in self.odds[:MOST_CANDIDATES] if p > 1e-3 or text == self.best)

    def doubted(self, most: float) -> Item:
        """The same with a confidence of at most `most`."""
        return replace(self, odds=((self.best, min(self.odds[0][1], most)), *self.odds[1:]))

    def answered(self, text: str) -> Item:
        """The same, settled by a person."""
        return replace(self, odds=((text, 1.0),), settled=True)


@dataclass(frozen=True, slots=True)
class Pieces:
    """All pieces of one photo, or of several combined."""

    tokens: tuple[Item, ...] = ()
    inventory: tuple[Item, ...] = ()
    orders: tuple[Item, ...] = ()

    @property
    def cards(self) -> int:
        return len(self.inventory) + len(self.orders)

    @property
    def count(self) -> int:
        return len(self.tokens) + self.cards


def points(corners: NDArray[np.floating] | Iterable[Sequence[float]]) -> tuple[Corner, ...]:
    """Corners as they stand in JSON: tenths of a pixel."""
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in corners)


def summed(odds: Iterable[tuple[str, float]]) -> tuple[tuple[str, float], ...]:
    """Probabilities of equal answers added up, best first."""
    total: dict[str, float] = {}
    for text, probability in odds:
        total[text] = total.get(text, 0.0) + probability
    return tuple(sorted(total.items(), key=lambda entry: -entry[1]))


def same_card(first: str, second: str) -> bool:
    """Whether two inventory answers name one card, whichever half is on the left."""
    return {part.strip() for part in first.split("|")} == {part.strip() for part in second.split("|")}
