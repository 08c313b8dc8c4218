"""What a Durian profile tells of its cards: which fruit is printed on which side."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from durian_assist.errors import InputError
from durian_assist.vision.deck_profile import CardClass, DeckProfile, load_profile
from durian_assist.vision.durian_faces import DurianDeck, Half, durian_deck, with_sides
from tests.vision.durian_scene import UNIT_SQUARE, drawn_deck, hash_of

DRAWN = drawn_deck()


def sides(deck: DurianDeck) -> dict[str, tuple[str, str]]:
    return {f.label: (str(f.halves[0]), str(f.halves[1])) for f in deck.faces if f.halves is not None}


def test_sides_of_the_shipped_deck() -> None:
    """Seen on the pictures of the cards, not to be had from the names."""
    found = sides(with_sides(durian_deck(load_profile("harbour-durian", "durian"))))
    assert len(found) == 20
    assert found["banana1-durian2"] == ("banana 1", "durian 2")
    assert found["durian1-banana2"] == ("banana 2", "durian 1")
    assert found["grapes1-strawberry3"] == ("strawberry 3", "grapes 1")
    assert found["strawberry1-grapes2"] == ("strawberry 1", "grapes 2")


def test_sides_of_a_deck_in_other_art() -> None:
    for label, (left, right) in sides(with_sides(durian_deck(DRAWN))).items():
        single, many = label.split("-")
        named = (f"{single[:-1]} 1", f"{many[:-1]} {many[-1]}")
        assert (left, right) == (named[::-1] if hash_of(label) % 2 == 1 else named)


@given(st.sets(st.integers(0, 15)))
def test_sides_are_found_whichever_way_cards_are_printed(turned: set[int]) -> None:
    """The same fruits printed on the other sides."""
    fruits = [c for c in DRAWN.classes if "-" in c.name and "/" not in c.name]
    swapped = [
        replace(c, references=tuple(np.roll(r, r.shape[1] // 2, axis=1) for r in c.references)) if k in turned else c
        for k, c in enumerate(fruits)
    ]
    before = sides(with_sides(durian_deck(replace(DRAWN, classes=tuple(fruits)))))
    after = sides(with_sides(durian_deck(replace(DRAWN, classes=tuple(swapped)))))
    for k, card in enumerate(fruits):
        assert after[card.name] == (before[card.name][::-1] if k in turned else before[card.name])


def test_a_lone_card_does_not_tell_its_sides() -> None:
    only = next(c for c in DRAWN.classes if c.name.startswith("banana1"))
    face = with_sides(durian_deck(replace(DRAWN, classes=(only,)))).faces[0]
    assert not face.sides_known


def test_text_of_a_turned_card_starts_with_its_other_half() -> None:
    face = next(f for f in durian_deck(DRAWN).faces if f.halves is not None)
    assert face.halves is not None
    left, right = face.halves
    assert face.text() == f"{left} | {right}"
    assert face.text(turned=True) == f"{right} | {left}"
    assert str(Half("banana", 3)) == "banana 3"


def test_a_deck_without_fruit_and_tokens_is_refused() -> None:
    picture = np.zeros((20, 30, 3), np.uint8)
    deck = DeckProfile("odd", "durian", Path("odd"), (CardClass("queen", (picture,), UNIT_SQUARE, "card"),))
    with pytest.raises(InputError, match="no fruit cards and no manager tokens"):
        durian_deck(deck)
