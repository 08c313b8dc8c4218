"""What every reading of a photo offers, whatever the game: JSON, a record, what is uncertain and how to correct it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, Self, TypeAlias

Corner: TypeAlias = tuple[float, float]

# What is said of a photo, given beside others of one table, that cannot be of it.
NOT_THE_SAME = "this photo does not show the same table as the first one"


@dataclass(frozen=True, slots=True)
class Uncertain:
    """A card that needs a person.

    `key` is what `--set KEY=VALUE` calls it: `3,2`, `hand.south`, `inventory.2`, `orders.1`, `tokens.4`, `cards.7`.
    `place` is the same in words for people. `corners` (pixels of photo number `photo`) may be empty where nothing can
    be shown. `candidates` are values as `--set` takes them, best first. `entry` is its JSON form. `why` says what
    speaks against a card that was seen clearly enough, else nothing.
    """

    key: str
    place: str
    candidates: tuple[str, ...]
    corners: tuple[Corner, ...]
    entry: dict[str, object]
    photo: int = 0
    why: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A card as an overlay shows it: its place (`key` as in Uncertain), its name and how sure that is."""

    key: str
    title: str
    corners: tuple[Corner, ...]
    confidence: float
    uncertain: bool
    photo: int = 0


class TableReading(Protocol):
    """One table as read from one or more photos."""

    @property
    def uncertain(self) -> Sequence[Uncertain]:
        """What needs a person, in the order of the table."""
        ...

    def corrected(self, key: str, value: str) -> Self:
        """The reading with one card set by a person, sure from then on.

        Raises InputError where the key names no place of this reading or the value no card of the deck.
        """
        ...

    def marks(self) -> Sequence[Mark]:
        """Every card read, with its place in its photo."""
        ...

    def to_json(self) -> dict[str, object]:
        """The JSON of `read GAME`."""
        ...

    def to_record(self) -> str:
        """The record (TOML) with the best guess for every card and a comment at each uncertain one."""
        ...
