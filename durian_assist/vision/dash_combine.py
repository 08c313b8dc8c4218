"""Several photos of one Dash table: do they show the same cards, and which of them is to be believed?

Each photo is read by itself. What one shows surely must lie in every other one too, surely or in doubt: a photo of
another table, or of the rest of a collection that is too wide for one photo, is refused, never left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from durian_assist.errors import InputError
from durian_assist.vision.dash_seen import SeenCard
from durian_assist.vision.reading import NOT_THE_SAME

MEND = (
    "Give photos that each show all cards of one player, or of one market; if they do not fit in one, take it from "
    "farther away. One photo a player: durian-assist dash score Hasan=photo1.jpg Jin=photo2.jpg."
)


@dataclass(frozen=True, slots=True)
class Pile:
    """The cards of a collection, or of one row of a market; `partly`: there may be more than were seen."""

    cards: tuple[SeenCard, ...]
    partly: bool = False

    @property
    def sure(self) -> Counter[str]:
        """How many cards of each name are beyond doubt."""
        return Counter(card.name for card in self.cards if not card.candidates)

    def may_hold(self, sure: Counter[str]) -> bool:
        """Whether these cards may all be among the pile's: those that it does not surely show, among those in doubt."""
        missing = list((sure - self.sure).elements())
        return self.partly or _matched(missing, [card.candidates for card in self.cards if card.candidates])


def check_same(piles: Sequence[dict[str, Pile]], preferences: Sequence[SeenCard | None], names: Sequence[str]) -> None:
    """Raise InputError where a photo shows another table than the first one.

    By photo: its `piles` by name (the rows of a market, or a collection), the preference card, the photo's name.
    """
    for number in range(1, len(piles)):
        same = piles[number].keys() == piles[0].keys() and _alike(preferences[0], preferences[number])
        if not same or not all(_agree(pile, piles[0][key]) for key, pile in piles[number].items()):
            raise InputError(NOT_THE_SAME, where=names[number], mend=MEND)


def _agree(one: Pile, other: Pile) -> bool:
    return one.may_hold(other.sure) and other.may_hold(one.sure)


def _alike(one: SeenCard | None, other: SeenCard | None) -> bool:
    """Whether two preference cards, as far as they were seen, may be one."""
    if one is None or other is None:
        return True
    return bool({one.name, *one.candidates} & {other.name, *other.candidates})


def _matched(names: Sequence[str], doubts: Sequence[Sequence[str]]) -> bool:
    """Whether each name can be one of the doubtful cards, each of these taken once (bipartite matching: Kuhn 1955)."""
    taken: dict[int, int] = {}

    def placed(name: int, tried: set[int]) -> bool:
        for i, candidates in enumerate(doubts):
            if i not in tried and names[name] in candidates:
                tried.add(i)
                if i not in taken or placed(taken[i], tried):
                    taken[i] = name
                    return True
        return False

    return all(placed(name, set()) for name in range(len(names)))
