"""`read durian`: photos of tokens or of the table at the bell to a reading, as JSON and as a record."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from durian_assist.common.names import UnknownName, listed, resolve
from durian_assist.common.text import ordinal
from durian_assist.errors import InputError
from durian_assist.vision.deck_profile import DeckProfile
from durian_assist.vision.durian_combine import check_same, combined
from durian_assist.vision.durian_faces import DurianDeck, durian_deck
from durian_assist.vision.durian_items import Item, Pieces
from durian_assist.vision.durian_photo import read_photo
from durian_assist.vision.photo import Photo
from durian_assist.vision.reading import Mark, Uncertain

# The answer for a place in which no piece lies.
NONE = "."
PARTS = ("tokens", "inventory", "orders")
_PLACES = {"inventory": "inventory card", "orders": "order"}
_SIDES = ("south", "west", "north", "east")
_FLIPPED = re.compile(r"\s+flipped\s+by\s+(?:gorilla\s+)?(?P<name>\S+)\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DurianReading:
    """What photos show of a game of Durian. The rest are the words that corrections may use."""

    pieces: Pieces
    halves: tuple[str, ...]
    gorillas: tuple[str, ...]
    values: tuple[int, ...]

    @property
    def uncertain(self) -> tuple[Uncertain, ...]:
        """What needs a person: tokens, inventory, orders, each in its order."""
        return tuple(
            self._unsure(part, position, item)
            for part in PARTS
            for position, item in enumerate(self._items(part), 1)
            if not item.sure
        )

    def corrected(self, key: str, value: str) -> DurianReading:
        """The reading with `tokens.N`, `inventory.N` or `orders.N` set by a person; a dot: nothing is there."""
        where = f"--set {key}={value}"
        part, _, number = key.strip().partition(".")
        items = list(self._items(part)) if part in PARTS else []
        position = int(number) if number.isascii() and number.isdigit() and len(number) < 4 else 0
        if not 1 <= position <= len(items):
            there = [f"{p}.1 to {p}.{len(self._items(p))}" for p in PARTS if self._items(p)]
            mend = f"Places of this reading: {listed(there)}." if there else "Nothing was read."
            raise InputError(f'"{key}" is no place of this reading', where=where, mend=mend)
        items[position - 1] = items[position - 1].answered(self._answer(part, value, where))
        return replace(self, pieces=replace(self.pieces, **{part: tuple(items)}))

    def marks(self) -> tuple[Mark, ...]:
        """Every piece read, with its place in its photo."""
        return tuple(
            Mark(f"{part}.{position}", item.best, item.corners, item.confidence, not item.sure, item.photo)
            for part in PARTS
            for position, item in enumerate(self._items(part), 1)
            if item.best != NONE
        )

    def to_json(self) -> dict[str, object]:
        """The JSON of `read durian`."""
        return {
            "tokens": [
                {
                    "value": int(item.best),
                    "confidence": round(item.confidence, 4),
                    "corners": [list(c) for c in item.corners],
                    "side": item.side,
                }
                for item in self._lying("tokens")
            ],
            "inventory": [item.best for item in self._lying("inventory")],
            "orders": [_order_json(item) for item in self._lying("orders")],
            "uncertain": [u.entry for u in self.uncertain],
        }

    def to_record(self) -> str:
        """The record with the best guess for every piece and a comment for each uncertain one.

        Tokens stand under the side of the photo on which they lie, in the order in which they were read.
        """
        lines = ['game = "durian"']
        lines += [f"# uncertain: {u.place}: {' or '.join(u.candidates)}" for u in self.uncertain]
        for part in ("inventory", "orders"):
            texts = [json.dumps(item.best, ensure_ascii=False) for item in self._lying(part)]
            if self.pieces.inventory or self.pieces.orders:
                lines.append(f"{part} = [{', '.join(texts)}]")
        if self.pieces.tokens:
            lines.append("[tokens]")
        for side in _SIDES:
            held = [item.best for item in self._lying("tokens") if item.side == side]
            if held:
                lines.append(f"{side} = [{', '.join(held)}]")
        return "\n".join(lines) + "\n"

    def _items(self, part: str) -> tuple[Item, ...]:
        items: tuple[Item, ...] = getattr(self.pieces, part)
        return items

    def _lying(self, part: str) -> list[Item]:
        """The items but for those of which a person said that there is none."""
        return [item for item in self._items(part) if item.best != NONE]

    def _unsure(self, part: str, position: int, item: Item) -> Uncertain:
        candidates = [int(text) for text in item.candidates] if part == "tokens" else list(item.candidates)
        entry: dict[str, object] = {
            "part": part,
            "position": position,
            "corners": [list(c) for c in item.corners],
            "candidates": candidates,
        }
        # "token 3" would be taken for the token of value 3; the guess and the side say which number of a record it is.
        token = f"the {ordinal(position)} token, the {item.best} of {item.side}"
        place = token if part == "tokens" else f"{_PLACES[part]} {position}"
        said = (*item.candidates, *([NONE] if item.perhaps else []))
        return Uncertain(f"{part}.{position}", place, said, item.corners, entry, item.photo)

    def _answer(self, part: str, value: str, where: str) -> str:
        """What a person wrote, in the form in which readings hold it. Raises InputError."""
        if value.strip() == NONE:
            return NONE
        if part == "tokens":
            text = value.strip()
            if not (text.isascii() and text.isdigit() and len(text) < 4 and int(text) in self.values):
                mend = f"Tokens of this deck: {listed(map(str, self.values))}."
                raise InputError(f'"{value}" is no token of this deck', where=where, mend=mend)
            return str(int(text))
        name = value.strip()
        if name.casefold().startswith("gorilla ") and part == "inventory":
            return f"gorilla {self._word(name[len('gorilla ') :], self.gorillas, where)}"
        flipped = _FLIPPED.search(name) if part == "orders" else None
        tail = f" flipped by {self._word(flipped['name'], self.gorillas, where)}" if flipped else ""
        halves = (name[: flipped.start()] if flipped else name).split("|")
        if len(halves) != 2:
            mend = 'Write "strawberry 1 | banana 3"' + (' or "gorilla hannah".' if part == "inventory" else ".")
            raise InputError(f'"{value}" is no card', where=where, mend=mend)
        return " | ".join(self._word(half, self.halves, where) for half in halves) + tail

    def _word(self, text: str, known: Sequence[str], where: str) -> str:
        try:
            return resolve(text.strip(), known)
        except UnknownName as error:
            raise InputError(error.sentence, where=where, mend=f"This deck has {listed(known)}.") from None


def read_durian(photos: Sequence[Photo], profile: DeckProfile) -> DurianReading:
    """Read photos of one table.

    Raises InputError where none shows tokens or cards of the deck, where they differ, and where orders are seen but
    nothing of the inventory: a record without it says that there was none.
    """
    deck = durian_deck(profile)
    pieces = [read_photo(photo, deck, number) for number, photo in enumerate(photos)]
    check_same(pieces, [photo.name for photo in photos])
    whole = combined(pieces)
    if not whole.count:
        raise InputError(
            "no cards and no tokens of this deck were found",
            where=listed([photo.name for photo in photos]),
            mend="Choose the deck with --deck, or give the photo to the command of its game; if it is the right deck, "
            "photograph the table from above, with all of it in the picture, in even light.",
        )
    if whole.orders and not whole.inventory:
        raise InputError(
            "the photo shows orders, but no card of the inventory",
            where=listed([photo.name for photo in photos]),
            mend="Take the photo from farther away, with the row of inventory cards above the order board in it, or "
            "give another photo of the same table that shows them.",
        )
    return DurianReading(whole, *_words(deck))


def _words(deck: DurianDeck) -> tuple[tuple[str, ...], tuple[str, ...], tuple[int, ...]]:
    halves = sorted({str(half) for face in deck.faces for half in face.halves or ()})
    gorillas = [face.name for face in deck.faces if face.kind == "gorilla"]
    values = sorted(int(token.name.partition("/")[2]) for token in deck.tokens)
    return tuple(halves), tuple(gorillas), tuple(values)


def _order_json(item: Item) -> dict[str, object]:
    card, _, gorilla = item.best.partition(" flipped by ")
    accepted, _, other = card.partition(" | ")
    return {
        "accepted": accepted,
        "other": other,
        "gorilla": gorilla or None,
        "confidence": round(item.confidence, 4),
        "corners": [list(c) for c in item.corners],
    }
