"""A table of Durian Smuggler as typed values: cards, seats, hands, roles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from durian_assist.smuggler.geometry import GRID_CARDS, SIDES, Side, mask_of

Face = Literal["durian", "empty", "back"]
Mode = Literal["cooperative", "competitive"]

BLIND: Final = "blind"
MOST_BADGE: Final = 99


# Named tuples, here and in `scoring`: a frozen dataclass takes eight times as long to make, and `score` starts fast.
class Luggage(NamedTuple):
    """One luggage card: its type, the face that shows, the badge of a Durian."""

    type: str
    face: Face
    badge: int | None = None

    @property
    def text(self) -> str:
        """As records write it: `red6`, `red-`, `red?`."""
        mark = {"empty": "-", "back": "?"}
        return f"{self.type}{mark.get(self.face, self.badge)}"


class Card(NamedTuple):
    """A luggage card in the grid; its arrow points to `side`, whose player placed it."""

    luggage: Luggage
    side: Side


class Move(NamedTuple):
    """One placement of a recorded order of play; `side` where the record names it."""

    cell: int
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table, finished or in progress.

    `grid`: cell to card. `players`: occupied sides with the players' names, clockwise from south; a player without a
    name is called by the side. `blind`: sides with a blind deck (one or two players); `implied`: those that the record
    does not name. `seated`: the record says who sits where. `smuggler`: the Smuggler's side, None where nobody
    is. `starts`: the side that faced the beige sequence.
    """

    grid: Mapping[int, Card]
    players: Mapping[Side, str]
    blind: frozenset[Side] = frozenset()
    hands: Mapping[Side, tuple[Luggage, ...]] = field(default_factory=dict)
    mode: Mode = "cooperative"
    smuggler: Side | None = None
    starts: Side | None = None
    moves: tuple[Move, ...] = ()
    seated: bool = False
    implied: frozenset[Side] = frozenset()

    @property
    def seats(self) -> tuple[Side, ...]:
        """The occupied sides, clockwise from south, blind decks among them."""
        return tuple(side for side in SIDES if side in self.players or side in self.blind)

    @property
    def filled(self) -> int:
        """The cells with a card, as a mask; the centre card is not among them."""
        return mask_of(self.grid)

    @property
    def full(self) -> bool:
        return len(self.grid) == GRID_CARDS

    @property
    def own(self) -> dict[Side, int]:
        """The cells of each side's cards, as masks: occupied sides, then others that cards point to."""
        sides = dict.fromkeys((*self.seats, *(card.side for card in self.grid.values())))
        return {side: mask_of(c for c, card in self.grid.items() if card.side == side) for side in sides}

    def title(self, side: Side) -> str:
        """How people call a side: `Ann (south)`, `south`, `the blind deck (north)`."""
        if side in self.blind:
            return f"the blind deck ({side})"
        name = self.players.get(side, side)
        return side if name == side else f"{name} ({side})"


def without_blind(players: Mapping[Side, str], used: frozenset[Side]) -> tuple[dict[Side, str], frozenset[Side]]:
    """Players and blind decks where the record says nothing, or names one or two players and leaves seats open.

    Nobody named: every side with cards is a player's; with fewer than three such sides all four are. One or two named:
    the other sides are blind decks.
    """
    if players:
        blind = frozenset(SIDES) - players.keys() if len(players) < 3 else frozenset()
        return dict(players), blind
    sides = [side for side in SIDES if side in used] if len(used) > 2 else list(SIDES)
    return {side: side for side in sides}, frozenset()
