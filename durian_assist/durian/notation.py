"""How people write cards: `strawberry 1 | banana 3`, `gorilla murphy flips 1`, `... flipped by murphy`, `?`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from durian_assist.common.names import UnknownName, resolve
from durian_assist.durian.cards import FRUITS, GORILLAS, Card, FruitCard, Gorilla, Side, why_no_card
from durian_assist.durian.round import Entry, GorillaTurn, Order

UNKNOWN = "?"
_SHORT = {"strawberries": "strawberry", "bananas": "banana", "durians": "durian"}
_SIDE = re.compile(r"\s*(?P<fruit>[^\W\d]+)\s*(?P<count>\d+)\s*|\s*(?P<count_first>\d+)\s*(?P<fruit_last>[^\W\d]+)\s*")
_FLIPPED = re.compile(r"\s+flipped\s+by\s+(?:gorilla\s+)?(?P<name>\S+)\s*$", re.IGNORECASE)
_GORILLA = re.compile(r"\s*gorilla\s+(?P<name>[^\s]+)(?:\s+flips\s+(?P<flips>.*?))?\s*$", re.IGNORECASE)
_FORM = '"strawberry 1 | banana 3" or "gorilla hannah"'


class NotationError(ValueError):
    """A card or an order that cannot be read: characters `start` to `end` of its text, and why."""

    def __init__(self, message: str, start: int, end: int, *, expected: str = "", rule: str = "") -> None:
        super().__init__(message)
        self.message, self.start, self.end, self.expected, self.rule = message, start, end, expected, rule


@dataclass(frozen=True, slots=True)
class _Halves:
    first: Side
    second: Side

    @property
    def card(self) -> FruitCard:
        return FruitCard.of(self.first, self.second)


def parse_card(text: str) -> Card | None:
    """A card of the inventory; None for `?`. Raises NotationError."""
    if text.strip() == UNKNOWN:
        return None
    gorilla = _GORILLA.match(text)
    if gorilla:
        if gorilla.group("flips") is not None:
            raise NotationError(
                "a gorilla in the inventory flips nothing",
                *gorilla.span("flips"),
                expected=f'"gorilla {gorilla.group("name")}"',
                rule="durian.gorilla-stock",
            )
        return Gorilla(_gorilla_name(gorilla))
    return _halves(text).card


def parse_entry(text: str) -> Entry:
    """One turn's card among the orders, or an order as a photo shows it. Raises NotationError."""
    gorilla = _GORILLA.match(text)
    if gorilla:
        return GorillaTurn(_gorilla_name(gorilla), _flips(gorilla))
    flipped = _FLIPPED.search(text)
    by = _gorilla_name(flipped) if flipped else None
    halves = _halves(text[: flipped.start()] if flipped else text)
    return Order(halves.card, halves.first, by)


def write_entry(entry: Entry) -> str:
    """The text that `parse_entry` reads back."""
    if isinstance(entry, GorillaTurn):
        return f"gorilla {entry.name}" + ("" if entry.flips is None else f" flips {entry.flips}")
    tail = f" flipped by {entry.flipped_by}" if entry.flipped_by else ""
    return f"{entry.accepted} | {entry.other}{tail}"


def write_card(card: Card | None) -> str:
    """The text that `parse_card` reads back."""
    return UNKNOWN if card is None else str(card)


def _gorilla_name(match: re.Match[str]) -> str:
    try:
        return resolve(match.group("name"), GORILLAS)
    except UnknownName as error:
        raise NotationError(error.sentence, *match.span("name"), expected="mitch, murphy or hannah") from None


def _flips(match: re.Match[str]) -> int | None:
    text = match.group("flips")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit()) or int(text) < 1 or len(text) > 3:
        raise NotationError(
            "a gorilla flips an order by its number", *match.span("flips"), expected="the number of an order, from 1"
        )
    return int(text)


def _halves(text: str) -> _Halves:
    parts = text.split("|")
    if len(parts) != 2:
        raise NotationError("this is no card", 0, len(text), expected=_FORM)
    first = _side(parts[0], 0)
    second = _side(parts[1], len(parts[0]) + 1)
    wrong = why_no_card(first, second)
    if wrong:
        raise NotationError(
            wrong, 0, len(text), expected="two different fruits, one side 1, the other 2 or 3", rule="durian.card"
        )
    return _Halves(first, second)


def _side(text: str, offset: int) -> Side:
    match = _SIDE.fullmatch(text)
    if not match:
        raise NotationError(
            "this is no half of a card", offset, offset + len(text), expected='a fruit and its number, as "banana 3"'
        )
    word = "fruit" if match.group("fruit") else "fruit_last"
    number = "count" if match.group("fruit") else "count_first"
    try:
        fruit = resolve(match.group(word), FRUITS, _SHORT)
    except UnknownName as error:
        start, end = match.span(word)
        raise NotationError(
            error.sentence, offset + start, offset + end, expected="strawberry, banana, grapes or durian"
        ) from None
    digits = match.group(number)
    if not digits.isascii() or len(digits) > 3 or int(digits) not in {1, 2, 3}:
        start, end = match.span(number)
        raise NotationError(
            "a half of a fruit card shows one, two or three fruits",
            offset + start,
            offset + end,
            expected="1, 2 or 3",
            rule="durian.card",
        )
    return Side(fruit, int(digits))
