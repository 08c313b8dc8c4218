"""What is printed in the rulebook of Durian Dash: varieties, thumbs, and cards for each number of players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

MAO_SHAN_WANG, ROTTEN = "mao-shan-wang", "rotten"
# The varieties that a preference card can name.
COMMON = ("black-pearl", "golden-phoenix", "red-prawn", "sultan")
VARIETIES = (MAO_SHAN_WANG, *COMMON, ROTTEN)
SHORT = {"rotten-durian": ROTTEN, "musang-king": MAO_SHAN_WANG, "d24": "sultan"}
# A card that nobody has named: it lies face down in the deck, or is only counted.
UNKNOWN = "?"
PLANTATIONS = ("pahang", "johor")
LEAST_PLAYERS, MOST_PLAYERS = 2, 6
# Cards in the game for each number of players: 60 without those removed (Game Setup).
CARDS_IN_GAME: Mapping[int, int] = {2: 30, 3: 40, 4: 50, 5: 60, 6: 60}
DURIAN_CARDS = 60
# A row of this many cards or fewer is refilled (Resupply).
LOW_ROW = 3


def row_length(players: int) -> int:
    """Cards of a full row."""
    return 3 + players


def proper(variety: str) -> str:
    """A variety as people write it: `Mao Shan Wang`."""
    return variety.replace("-", " ").title()


def counted(varieties: Iterable[str]) -> dict[str, int]:
    """How many of each variety, in the order of VARIETIES, only those that are there; unknown cards (`?`) last."""
    cards = list(varieties)
    return {variety: cards.count(variety) for variety in (*VARIETIES, UNKNOWN) if variety in cards}


@dataclass(frozen=True, slots=True)
class Preference:
    """A secret preference card: at most one loved, two liked and one hated variety, all different."""

    love: str | None = None
    like: tuple[str, ...] = ()
    hate: str | None = None

    def value(self, variety: str) -> tuple[int, str]:
        """Thumbs up (below zero: down) of one card and the rule that says so."""
        if variety == MAO_SHAN_WANG:
            return 3, "dash.mao-shan-wang"
        if variety == ROTTEN:
            return -1, "dash.rotten"
        if variety == self.love:
            return 3, "dash.love"
        if variety in self.like:
            return 2, "dash.like"
        if variety == self.hate:
            return -1, "dash.hate"
        return 1, "dash.other"
