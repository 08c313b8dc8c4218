"""Cards that differ by a small numeral alone, cut at home: the print of each lies a little beside its cut."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from durian_assist.vision.deck_profile import CardClass, DeckProfile
from durian_assist.vision.durian_faces import durian_deck
from durian_assist.vision.durian_items import Item, Pieces
from durian_assist.vision.durian_photo import read_photo
from tests.vision.durian_scene import COLOURS, Pixels, Scene, drawn_deck

PLAIN = drawn_deck()
OFF = 3  # pixels of 180 by which a print lies off: one of the 63 mm of a card
INVENTORY = ["strawberry1-banana3", "grapes1-durian2", "banana1-grapes3", "durian1-strawberry2"]
ORDERS = ["strawberry1-durian3", "grapes1-banana2", "durian1-grapes3"]


def printed(name: str, off: tuple[int, int], light: float) -> Pixels:
    """A fruit card with one icon a half whatever the number, that in the upper corner, all `off` its place."""
    card = np.full((180, 252, 3), 240.0 * light, np.uint8)
    for left, part in zip((0, 126), name.split("-"), strict=True):
        fruit, count = part[:-1], part[-1]
        colour = tuple(int(v * light) for v in COLOURS[fruit])
        middle = (left + 63 + off[0], 105 + off[1])
        cv2.circle(card, middle, 24, colour, -1)
        cv2.putText(card, fruit[:3], (middle[0] - 30, 160 + off[1]), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (40, 40, 40), 2)
        corner = (left + 14 + off[0], 44 + off[1])
        cv2.putText(card, count, corner, cv2.FONT_HERSHEY_SIMPLEX, 1.1, colour, 4)
    return card


def cut_deck(place: Callable[[int], tuple[int, int]]) -> DeckProfile:
    """All fruit cards, the print of those with a number of 2 or 3 as far off as `place` says, and the drawn others."""
    names = [f"{a}1-{b}{n}" for a in COLOURS for b in COLOURS for n in (2, 3) if a != b]
    like = next(card for card in PLAIN.classes if "-" in card.name)
    fruits = [_card(like, name, place(int(name[-1]))) for name in names]
    return replace(PLAIN, classes=(*fruits, *(card for card in PLAIN.classes if "-" not in card.name)))


def _card(like: CardClass, name: str, off: tuple[int, int]) -> CardClass:
    return replace(like, name=name, references=(printed(name, off, 1.0), printed(name, (off[0], off[1] - 1), 0.8)))


KNOWN = cut_deck(lambda number: (OFF, OFF) if number == 2 else (-OFF, -OFF))
# On the table each card is cut as the references of its twin are.
TABLE = cut_deck(lambda number: (-OFF, -OFF) if number == 2 else (OFF, OFF))


def read(step: float, orders: list[str], turn: float) -> Pieces:
    scene = Scene(TABLE)
    for k, name in enumerate(INVENTORY):
        scene.lay(name, 2.5 + 1.8 * k, 1.6)
    scene.lay("board/order", 5.0, 3.2)
    for k, name in enumerate(orders):
        scene.lay(name, 5.0, 4.25 + step * k, turn)
    return read_photo(scene.photo(), durian_deck(KNOWN))


def halves(text: str) -> frozenset[str]:
    return frozenset(part.strip() for part in text.split("|"))


def named(name: str) -> frozenset[str]:
    return frozenset(f"{part[:-1]} {part[-1]}" for part in name.split("-"))


def said(items: tuple[Item, ...]) -> list[tuple[frozenset[str], bool]]:
    return [(halves(item.best), item.sure) for item in items]


@pytest.mark.parametrize("turn", [0.0, 180.0])
def test_twins_are_told_by_their_numeral_however_they_are_cut(turn: float) -> None:
    pieces = read(1.15, ORDERS, turn)
    assert said(pieces.inventory) == [(named(name), True) for name in INVENTORY]
    assert said(pieces.orders) == [(named(name), True) for name in ORDERS]


def test_a_hidden_numeral_leaves_all_that_may_be_there() -> None:
    # The orders lie upside down, each upon the numerals of the one before.
    pieces = read(0.62, ORDERS, 180.0)
    assert len(pieces.orders) == len(ORDERS)
    for item, name in zip(pieces.orders[:-1], ORDERS[:-1], strict=True):
        assert not item.sure
        twin = f"{name[:-1]}{5 - int(name[-1])}"
        assert {named(name), named(twin)} <= {halves(text) for text in item.candidates}
    assert said(pieces.orders[-1:]) == [(named(ORDERS[-1]), True)]
