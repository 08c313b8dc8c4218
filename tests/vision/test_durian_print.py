"""Dark cards on a table of their own colour: no outline shows them, only what is printed on them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from durian_assist.vision.deck_profile import CardClass, DeckProfile
from durian_assist.vision.durian_faces import durian_deck
from durian_assist.vision.durian_outlines import OutlineSearch
from durian_assist.vision.durian_reading import read_durian
from durian_assist.vision.photo import Photo
from durian_assist.vision.rectify import Picture
from tests.vision.durian_scene import Pixels, Scene, drawn_deck

BLACK = (38, 34, 34)


def dark_deck() -> DeckProfile:
    """The drawn deck in outlines on black, its tokens left out."""
    plain = drawn_deck()
    return replace(plain, classes=tuple(_dark(c) for c in plain.classes if not c.name.startswith("token/")))


def _dark(card: CardClass) -> CardClass:
    return replace(card, references=tuple(_blackened(picture) for picture in card.references))


def _blackened(picture: Pixels) -> Pixels:
    """A picture with its paper, the commonest light colour, turned black up to the edge."""
    paper = picture.min(-1, keepdims=True) > 150
    edge = np.ones(picture.shape[:2], np.bool_)
    edge[14:-14, 14:-14] = False
    return np.where(paper | edge[..., None], np.array(BLACK, np.uint8), picture)


DECK = dark_deck()
FRUIT = [c.name for c in DECK.classes if "-" in c.name]


def table() -> Photo:
    """Three cards of the inventory and a column of five orders on black."""
    scene = Scene(DECK)
    scene.picture[:] = BLACK
    for number, name in enumerate(FRUIT[:3]):
        scene.lay(name, 4.0 + 1.6 * number, 1.6, (-2.0, 1.0, 2.0)[number])
    scene.lay("board/order", 5.6, 2.9)
    for number, name in enumerate(FRUIT[3:8]):
        scene.lay(name, 5.6, 4.0 + 0.65 * number, (1.0, -1.0)[number % 2])
    return scene.photo(noise=1.0)


def read(photo: Photo) -> tuple[list[frozenset[str]], int]:
    """The inventory, and how many orders."""
    said: dict[str, Any] = read_durian([photo], DECK).to_json()
    return [_halves(text) for text in said["inventory"]], len(said["orders"])


def _halves(text: str) -> frozenset[str]:
    return frozenset("".join(part.split()) for part in text.replace("-", "|").split("|"))


def test_cards_without_outlines_are_found_by_their_print() -> None:
    search = OutlineSearch(Picture(table().pixels), durian_deck(DECK))
    search.first()
    search.rest()
    assert not search.cards
    search.printed()
    assert len(search.cards) >= 2
    assert read(table()) == ([_halves(name) for name in FRUIT[:3]], 5)
