"""Cards whose two halves differ in colour, on a cloth in which no outline shows a whole one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from durian_assist.vision.deck_profile import CardClass, DeckProfile
from durian_assist.vision.durian_faces import durian_deck
from durian_assist.vision.durian_outlines import OutlineSearch
from durian_assist.vision.durian_photo import read_photo
from durian_assist.vision.durian_reading import read_durian
from durian_assist.vision.durian_seeds import HalfFinder, card_finder
from durian_assist.vision.find_shapes import Shape
from durian_assist.vision.photo import Photo
from durian_assist.vision.rectify import Picture
from durian_assist.vision.token_values import Token
from durian_assist.vision.tokens import TokenReader
from tests.vision.durian_scene import COLOURS, UNIT, Pixels, Points, Scene, drawn_deck

GROUND = {"strawberry": (225, 200, 250), "banana": (190, 110, 30), "grapes": (90, 210, 170), "durian": (50, 120, 230)}
PLAIN = drawn_deck()


def coloured_deck() -> DeckProfile:
    """The drawn deck with each half of a fruit card on a ground in its fruit's own colour, up to the edge."""
    return replace(PLAIN, classes=tuple(map(_coloured, PLAIN.classes)))


def _coloured(card: CardClass) -> CardClass:
    if "-" not in card.name:
        return card
    fruits = [part[:-1] for part in card.name.split("-")]
    return replace(card, references=tuple(_on_grounds(picture, fruits) for picture in card.references))


def _on_grounds(picture: Pixels, fruits: Sequence[str]) -> Pixels:
    """The picture with the white of each half turned into the ground of the fruit that is drawn there."""
    middle = picture.shape[1] // 2
    sides = [picture[:, :middle], picture[:, middle:]]
    ink = [[float(np.abs(side.astype(float) - COLOURS[fruit]).sum(-1).min()) for fruit in fruits] for side in sides]
    left = fruits if ink[0][0] < ink[0][1] or ink[1][1] < ink[1][0] else fruits[::-1]
    halves = []
    for side, fruit in zip(sides, left, strict=True):
        white = side.min(-1, keepdims=True) > 165
        halves.append(np.where(white, np.array(GROUND[fruit], np.uint8), side))
    return np.concatenate(halves, 1)


def striped(scene: Scene) -> None:
    """Spread a cloth with stripes in the colours of the cards on the bare table."""
    rows, columns = scene.picture.shape[:2]
    stripes = [(235, 240, 240), *GROUND.values()]
    across = (np.arange(columns)[None] + np.arange(rows)[:, None] // 4) / (0.35 * UNIT)
    scene.picture = np.asarray(np.array(stripes, np.uint8)[across.astype(np.int64) % len(stripes)], np.uint8)


def table() -> Photo:
    """Three inventory cards and two orders on a striped cloth."""
    deck = coloured_deck()
    names = [c.name for c in deck.classes if "-" in c.name]
    scene = Scene(deck)
    striped(scene)
    for number, name in enumerate(names[:3]):
        scene.lay(name, 4.6 + 1.75 * number, 3.0, (-3.0, 2.0, 1.0)[number])
    scene.lay("board/order", 2.6, 5.2)
    for number, name in enumerate(names[3:5]):
        scene.lay(name, 5.6 + 1.75 * number, 5.2, (2.0, -2.0)[number])
    return scene.photo(turn=8.0)


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_card_is_known_by_one_half(side: str) -> None:
    deck = durian_deck(coloured_deck())
    face = next(f for f in deck.faces if f.kind == "fruit")
    pixels = np.full((400, 500, 3), (70, 95, 120), np.uint8)
    whole = np.array([(130, 90), (370, 110), (380, 300), (110, 280)], np.float32)
    canvas = np.array([(0, 0), (252, 0), (252, 180), (0, 180)], np.float32)
    matrix = cv2.getPerspectiveTransform(canvas, whole)
    seen = cv2.warpPerspective(face.references[0], matrix, (500, 400))
    pixels = np.where(
        cv2.warpPerspective(np.ones((180, 252, 1), np.uint8), matrix, (500, 400))[..., None] > 0, seen, pixels
    )
    left = 0 if side == "left" else 126
    half = np.array([[(left, 0), (left + 126, 0), (left + 126, 180), (left, 180)]], np.float32)
    quad = np.asarray(cv2.perspectiveTransform(half, matrix)[0])
    seeds = HalfFinder(deck, card_finder(deck)).seeds(Picture(pixels), [Shape(quad, quad, 1.0)], 1.0)
    assert [seed.score > 0.9 for seed in seeds] == [True]
    assert seeds[0].corners == pytest.approx(whole, abs=12)


def test_a_table_is_found_by_halves_of_its_cards() -> None:
    photo, deck = table(), coloured_deck()
    search = OutlineSearch(Picture(photo.pixels), durian_deck(deck))
    search.first()
    assert not search.cards
    said: dict[str, Any] = read_durian([photo], deck).to_json()
    names = [c.name for c in deck.classes if "-" in c.name]
    assert [_kinds(text) for text in said["inventory"]] == [_kinds(name) for name in names[:3]]
    assert len(said["orders"]) == 2
    assert said["tokens"] == []


def _kinds(text: str) -> frozenset[str]:
    return frozenset("".join(part.split()) for part in text.replace("-", "|").split("|"))


def test_two_like_halves_side_by_side_are_no_card_between() -> None:
    deck = coloured_deck()
    scene = Scene(deck)
    first, second = "durian1-strawberry3", "strawberry1-durian3"
    scene.lay(first, 4.6, 3.0, _strawberry_right(deck, first))
    scene.lay(second, 6.05, 3.02, _strawberry_right(deck, second) + 180)
    scene.lay("board/order", 2.6, 5.2)
    scene.lay("banana1-grapes2", 5.6, 5.2)
    said: dict[str, Any] = read_durian([scene.photo(turn=8.0)], deck).to_json()
    assert [_kinds(str(text)) for text in said["inventory"]] == [_kinds(first), _kinds(second)]
    assert said["uncertain"] == []


def _strawberry_right(deck: DeckProfile, name: str) -> float:
    """The turn in degrees that brings a card's strawberries to the right."""
    picture = next(c for c in deck.classes if c.name == name).references[0]
    corner = picture[3, 3].astype(int)
    return 180.0 if np.abs(corner - GROUND["strawberry"]).sum() < 60 else 0.0


def test_a_token_whose_value_is_doubtful_hides_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    quad: Points = np.array([(10, 10), (60, 10), (60, 60), (10, 60)], np.float64)

    def cup(reader: TokenReader, *_args: object, **_more: object) -> list[Token]:
        return [Token(quad, ((3, value), (4, 1 - value)), 0.8, readable=True)]

    monkeypatch.setattr(TokenReader, "find", cup)
    deck = durian_deck(coloured_deck())
    value = 0.6
    assert read_photo(table(), deck).cards == 5
    value = 0.97
    assert read_photo(table(), deck).cards == 0


def test_a_gorilla_between_two_orders_makes_both_doubtful() -> None:
    deck = coloured_deck()
    names = ["banana1-grapes2", "durian1-banana2", "grapes1-durian2"]
    scene = Scene(deck)
    scene.lay("strawberry1-banana3", 5.0, 3.0)
    scene.lay("board/order", 2.6, 5.2)
    for name, (x, y) in zip(names, [(5.0, 5.2), (6.7, 5.2), (5.0, 6.4)], strict=True):
        scene.lay(name, x, y)
    # Below the second order and right of the third, as far from either.
    scene.lay("gorilla/hannah", 6.72, 6.38)
    said: dict[str, Any] = read_durian([scene.photo()], deck).to_json()
    assert [order["gorilla"] for order in said["orders"]].count("hannah") == 1
    assert [u["position"] for u in said["uncertain"]] == [2, 3]
