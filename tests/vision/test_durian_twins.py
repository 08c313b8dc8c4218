"""Cards that differ by a small numeral alone, cut at home: the print of each lies a little beside its cut."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from durian_assist.vision.dash_plane import TablePlane
from durian_assist.vision.deck_profile import CardClass, DeckProfile
from durian_assist.vision.durian_faces import durian_deck
from durian_assist.vision.durian_fit import FaceJudge, Spot, Verdict
from durian_assist.vision.durian_items import SURE, Item, Pieces
from durian_assist.vision.durian_layers import Laid, Table
from durian_assist.vision.durian_photo import read_photo
from durian_assist.vision.durian_scan import Scanner
from durian_assist.vision.durian_search import _grown
from durian_assist.vision.durian_twins import CLOSE_RIM, Twins
from durian_assist.vision.rectify import Picture
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


EVENLY = cut_deck(lambda number: (0, 0))


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


def worded(name: str, off: tuple[int, int], light: float, wide: float) -> Pixels:
    """A framed fruit card with words under its icons and small numerals, its print `off` and so many times as wide."""
    card = np.full((180, 252, 3), 240.0 * light, np.uint8)
    cv2.rectangle(card, (10, 10), (242, 170), (60, 60, 60), 2)
    cv2.line(card, (126, 10), (126, 170), (60, 60, 60), 2)
    for left, part in zip((0, 126), name.split("-"), strict=True):
        fruit, count = part[:-1], part[-1]
        colour = tuple(int(v * light) for v in COLOURS[fruit])
        cv2.circle(card, (left + 63, 90), 18, colour, -1)
        word = fruit[:6] + ("s" if count != "1" else "")
        across = cv2.getTextSize(word, cv2.FONT_HERSHEY_SIMPLEX, 0.65, 2)[0][0]
        cv2.putText(card, word, (left + 63 - across // 2, 148), cv2.FONT_HERSHEY_SIMPLEX, 0.65, (40, 40, 40), 2)
        cv2.putText(card, count, (20 if left == 0 else 212, 42), cv2.FONT_HERSHEY_SIMPLEX, 0.9, colour, 3)
    matrix = np.array([[wide, 0.0, (1 - wide) * 126 + off[0] * wide], [0.0, 1.0, off[1]]])
    return np.asarray(cv2.warpAffine(card, matrix, (252, 180), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def worded_deck(off: int, wide: float) -> DeckProfile:
    """Worded faces, the print of those with a 2 so much `off` and that of the others as much back."""
    cards = []
    for card in KNOWN.classes:
        if "-" in card.name:
            aside = off if card.name.endswith("2") else -off
            pictures = tuple(worded(card.name, (aside, aside - k), light, wide) for k, light in enumerate((1.0, 0.8)))
            cards.append(replace(card, references=pictures))
    return replace(KNOWN, classes=tuple(cards))


def test_no_print_of_another_width_is_surely_taken_for_its_twin() -> None:
    deck = durian_deck(worded_deck(OFF, 1.0))
    judge = FaceJudge(deck.faces, deck.aspect)
    twins, plane, whole = Twins(judge), TablePlane(np.diag([180.0, 180.0, 1.0])), np.ones(judge.body.shape, np.bool_)
    right, laid, wrong = 0, 0, []
    for card in (card for off in (-OFF, 0, OFF) for card in worded_deck(off, 0.96).classes[::3]):
        table = cv2.copyMakeBorder(card.references[0], 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=(70, 95, 120))
        picture, spot = Picture(np.asarray(table, np.uint8)), Spot((40 + 125.5) / 180, (40 + 89.5) / 180, 0.0)
        first = judge.judge(picture, plane, spot, whole)
        spot, _ = judge.place(picture, plane, spot, first.face, first.turned, whole)
        view, use = judge.look(picture, plane, spot, whole, CLOSE_RIM)
        verdict = twins.told(view, use, judge.judge(picture, plane, spot, whole))
        same = deck.faces[verdict.face].label == card.name
        right += same and verdict.confidence > SURE
        wrong += [card.name] if not same and verdict.confidence > SURE else []
        exact = twins.told(*twins.laid(view, use, (verdict.face, verdict.turned)), verdict)
        same = deck.faces[exact.face].label == card.name
        laid += same and exact.confidence > SURE
        wrong += [card.name] if not same and exact.confidence > SURE else []
    assert wrong == []
    assert 0 < right < laid


def test_a_part_that_two_faces_share_is_no_card_of_the_one_whose_numeral_is_not_there() -> None:
    deck = durian_deck(EVENLY)
    judge, plane = FaceJudge(deck.faces, deck.aspect), TablePlane(np.diag([180.0, 180.0, 1.0]))
    names = [face.label for face in deck.faces]
    right, twin = names.index("grapes1-banana3"), names.index("grapes1-banana2")
    upside_down = printed("grapes1-banana3", (0, 0), 1.0)[::-1, ::-1]
    edge = cv2.copyMakeBorder(upside_down, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=(70, 95, 120))
    table = Table(Picture(np.asarray(edge, np.uint8)), plane, judge, Scanner.of(deck.faces, deck.aspect))
    spot = Spot((40 + 125.5) / 180, (40 + 89.5) / 180, 0.0)
    # Its upper part has no numeral: it was taken for the other.
    card = _grown(table, Laid(spot, Verdict(twin, True, 0.95, 0.6, ((right, True, 0.4),), 0.57), "upper", 0.95))
    assert (card.part, card.verdict.face, card.verdict.turned) == ("whole", right, True)
