"""How records write cards: `red6v`, `green-`, `blue?<`, and cells: `3,2`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from durian_assist.common.names import UnknownName, fold, resolve
from durian_assist.smuggler.deck import DeckTable
from durian_assist.smuggler.geometry import ARROWS, SIDE_OF_ARROW, SIZE, cell_at
from durian_assist.smuggler.table import MOST_BADGE, Card, Luggage

_LUGGAGE = re.compile(r"(.*?)([0-9]+|\*|-|\?)", re.DOTALL)
FORM = "TYPE FACE SIDE without spaces, such as red6v, blue-> or green?^"
_FACES = "a number, * (badge from the deck table), - (empty) or ? (face down)"


class NotationError(Exception):
    """What is wrong with a card, and in which of its characters (`start` up to `end`)."""

    def __init__(self, message: str, start: int, end: int, expected: str, mend: str = "", rule: str = "") -> None:
        super().__init__(message)
        self.message, self.start, self.end = message, start, end
        self.expected, self.mend, self.rule = expected, mend, rule


def parse_card(text: str, deck: DeckTable | None) -> Card:
    """A card of the grid. Raises NotationError."""
    side = SIDE_OF_ARROW.get(text[-1:].casefold())
    if side is None:
        message = "the side that the arrow points to is missing"
        raise NotationError(message, max(len(text) - 1, 0), len(text), f"{', '.join(ARROWS.values())} at the end")
    return Card(parse_luggage(text[:-1], deck), side)


def parse_luggage(text: str, deck: DeckTable | None) -> Luggage:
    """A card without its side, as hands hold it. Raises NotationError."""
    match = _LUGGAGE.fullmatch(text)
    if not match:
        if text[-1:].casefold() in SIDE_OF_ARROW and _LUGGAGE.fullmatch(text[:-1]):
            raise NotationError("here a card has no side", len(text) - 1, len(text), f"{text[:-1]} alone")
        what = "the face is missing" if text and text[-1:].isalpha() else "this is no card"
        raise NotationError(what, 0, len(text), f"a luggage type, then {_FACES}")
    word, mark = match.groups()
    if word.endswith("-") and mark.isdigit():
        raise NotationError("a badge cannot be negative", len(word) - 1, len(text), f"1 to {MOST_BADGE}")
    if word.endswith("-"):
        raise NotationError("the face stands twice", len(word) - 1, len(text), f"a luggage type, then {_FACES}")
    name = _type(word, deck)
    if mark == "-":
        return Luggage(name, "empty")
    if mark == "?":
        return Luggage(name, "back")
    return Luggage(name, "durian", _badge(name, mark, len(word), deck))


def _badge(name: str, mark: str, start: int, deck: DeckTable | None) -> int:
    end = start + len(mark)
    if mark == "*":
        if deck is None:
            message = "the badge of * stands in the deck table, and there is none"
            raise NotationError(message, start, end, "a number", "Write the badge, or name a deck: --deck NAME.")
        return deck.types[name].badge
    if len(mark) > 6 or not 1 <= int(mark) <= MOST_BADGE:
        raise NotationError("no Durian has this badge", start, end, f"1 to {MOST_BADGE}")
    return int(mark)


def _type(word: str, deck: DeckTable | None) -> str:
    """The type that a word means: one of the deck's, else the word itself as names are compared."""
    if not word:
        raise NotationError("the luggage type is missing", 0, 1, "a type such as red, before the face")
    if deck is not None:
        try:
            return resolve(word, deck.names)
        except UnknownName as error:
            expected = f"one of {', '.join(deck.names)}"
            raise NotationError(f"no such luggage type: {error.sentence}", 0, len(word), expected) from None
    name = fold(word)
    if not name or not all(part.isalpha() for part in name.split("-")):
        raise NotationError("a luggage type is a word of letters", 0, len(word), "a type such as red or light-blue")
    return name


def parse_cell(text: str) -> int | None:
    """`3,2` (row, column) to a cell; None where it is none. The centre is a cell too."""
    match = re.fullmatch(r"\s*([1-5])\s*,\s*([1-5])\s*", text)
    return cell_at(int(match[1]), int(match[2])) if match else None


def write_card(card: Card) -> str:
    """The card as `parse_card` reads it."""
    return card.luggage.text + ARROWS[card.side]


def grid_lines(cells: Sequence[str]) -> list[str]:
    """25 cell texts in five aligned lines."""
    width = max(map(len, cells))
    rows = [cells[at : at + SIZE] for at in range(0, len(cells), SIZE)]
    return [" ".join(cell.ljust(width) for cell in row).rstrip() for row in rows]
