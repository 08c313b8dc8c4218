"""How cards and orders are written: round trips, and every mistake with its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durian_assist.durian.cards import FruitCard, Gorilla, Side
from durian_assist.durian.notation import NotationError, parse_card, parse_entry, write_card, write_entry
from durian_assist.durian.round import GorillaTurn, Order
from tests.durian.helpers import CARDS

CARD = FruitCard(Side("strawberry", 1), Side("banana", 3))


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("strawberry 1 | banana 3", CARD),
        ("banana 3|strawberry 1", CARD),
        ("  Bananas 3  |  STRAW 1 ", CARD),
        ("3 banana | 1 strawberry", CARD),
        ("gorilla hannah", Gorilla("hannah")),
        ("Gorilla HAN", Gorilla("hannah")),
        ("?", None),
    ],
)
def test_cards(text: str, card: object) -> None:
    assert parse_card(text) == card


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("banana 3 | strawberry 1", Order(CARD, Side("banana", 3))),
        ("strawberry 1 | banana 3", Order(CARD, Side("strawberry", 1))),
        ("strawberry 1 | banana 3 flipped by murphy", Order(CARD, Side("strawberry", 1), "murphy")),
        ("gorilla murphy flips 12", GorillaTurn("murphy", 12)),
        ("gorilla mitch", GorillaTurn("mitch")),
    ],
)
def test_entries(text: str, entry: object) -> None:
    assert parse_entry(text) == entry


@pytest.mark.parametrize(
    ("text", "at", "words"),
    [
        ("stawberry 1 | banana 3", "stawberry", "did you mean strawberry?"),
        ("strawberry 1 | banana 4", "4", "one, two or three fruits"),
        ("strawberry 1 | banana 99999999999999999999", "99999999999999999999", "one, two or three fruits"),
        ("strawberry 1 | banana", " banana", "no half of a card"),
        ("strawberry 1", "strawberry 1", "this is no card"),
        ("strawberry 1 | banana 2 | grapes 1", "strawberry 1 | banana 2 | grapes 1", "this is no card"),
        ("strawberry 1 | banana 1", "strawberry 1 | banana 1", "not 1 and 1"),
        ("gorilla king", "king", "not known"),
        ("", "", "this is no card"),
    ],
)
def test_mistakes_in_cards_and_entries(text: str, at: str, words: str) -> None:
    for parse in (parse_card, parse_entry):
        with pytest.raises(NotationError) as caught:
            parse(text)
        assert words in caught.value.message
        assert text[caught.value.start : caught.value.end] == at


@pytest.mark.parametrize("text", ["gorilla murphy flips", "gorilla murphy flips one", "gorilla murphy flips 0"])
def test_a_flip_names_an_order_by_its_number(text: str) -> None:
    with pytest.raises(NotationError):
        parse_entry(text)


def test_a_gorilla_in_the_inventory_flips_nothing() -> None:
    with pytest.raises(NotationError, match="flips nothing"):
        parse_card("gorilla murphy flips 1")


@given(st.sampled_from(CARDS))
def test_cards_round_trip(card: FruitCard | Gorilla) -> None:
    assert parse_card(write_card(card)) == card


@given(st.sampled_from([card for card in CARDS if isinstance(card, FruitCard)]), st.booleans(), st.booleans())
def test_orders_round_trip(card: FruitCard, many: bool, flipped: bool) -> None:
    entry = Order(card, card.many if many else card.one, "mitch" if flipped else None)
    assert parse_entry(write_entry(entry)) == entry


@given(st.sampled_from(("mitch", "murphy", "hannah")), st.none() | st.integers(1, 30))
def test_gorillas_round_trip(name: str, flips: int | None) -> None:
    assert parse_entry(write_entry(GorillaTurn(name, flips))) == GorillaTurn(name, flips)


@given(st.text(max_size=60))
def test_any_other_text_is_a_mistake_and_never_a_crash(text: str) -> None:
    for parse in (parse_card, parse_entry):
        start, end = 0, len(text)
        try:
            parse(text)
        except NotationError as error:
            start, end = error.start, error.end
        assert 0 <= start <= end <= len(text)
