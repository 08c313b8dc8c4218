"""What players do in a round of Durian Dash: their action card and choices, and the moves that come of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from durian_assist.dash.choices import Choice

ICONS = ("take", "place", "give")
DIRECTIONS = ("left", "right")


@dataclass(frozen=True, slots=True)
class Move:
    """One icon as it was resolved: who, what (`take`, `place`, `give`, or `skip` of one), which card, given to whom."""

    player: str
    action: str
    card: str = ""
    to: str = ""

    def __str__(self) -> str:
        tail = f" to {self.to}" if self.to else ""
        return f"{self.player}: {self.action} {self.card}{tail}"


@dataclass(frozen=True, slots=True)
class Actor:
    """A player in a round: collection, action card, icons from top to bottom, where it heads, and the free choices.

    `take`, `place` and `give` are the cards chosen at the icons of that kind that were carried out, in order, or at
    all of them, with SKIP at those passed over; they may be left out where there is no choice. `give` holds the card
    and the receiver.
    """

    name: str
    collection: Mapping[str, int]
    action: int
    icons: tuple[str, ...]
    plantation: str
    direction: str
    take: tuple[str, ...] = ()
    place: tuple[str, ...] = ()
    give: tuple[Choice, ...] = ()

    def recorded(self, icon: str) -> tuple[Choice, ...]:
        """The choices at icons of one kind, as they are recorded."""
        if icon == "give":
            return self.give
        return tuple((card, "") for card in (self.take if icon == "take" else self.place))


@dataclass(frozen=True, slots=True)
class ActionStep:
    """A move with the rule that it follows and a sentence."""

    move: Move
    rule: str
    text: str

    def to_json(self) -> dict[str, object]:
        """JSON form."""
        move = self.move
        return {
            "player": move.player,
            "action": move.action,
            "card": move.card or None,
            "to": move.to or None,
            "rule": self.rule,
            "text": self.text,
        }
