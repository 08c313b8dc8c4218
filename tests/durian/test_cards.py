"""Rulebook, 4. Fruit Cards, and the fan's list against it."""

from __future__ import annotations

import pytest

from durian_assist.durian.cards import (
    FRUITS,
    LIMIT,
    MOST_PLAYERS,
    TOKENS,
    FruitCard,
    Gorilla,
    Side,
    stock_of,
    transcribed_deck,
    why_no_card,
)


def test_fruit_cards_one_single_and_one_with_two_or_three() -> None:
    for card in transcribed_deck():
        if isinstance(card, FruitCard):
            assert why_no_card(card.one, card.many) == ""
            assert (card.one.count, card.many.count in {2, 3}) == (1, True)


@pytest.mark.parametrize(
    ("half", "other"),
    [
        (Side("banana", 1), Side("banana", 2)),
        (Side("banana", 1), Side("grapes", 1)),
        (Side("banana", 2), Side("grapes", 3)),
        (Side("banana", 1), Side("grapes", 4)),
    ],
)
def test_fruit_cards_anything_else_is_no_card(half: Side, other: Side) -> None:
    with pytest.raises(ValueError, match="a fruit card shows"):
        FruitCard.of(half, other)


def test_components_28_fruit_cards_and_three_gorillas() -> None:
    deck = transcribed_deck()
    fruit = {card: copies for card, copies in deck.items() if isinstance(card, FruitCard)}
    assert (sum(fruit.values()), len(fruit)) == (28, 18)
    assert {card.name for card in deck if isinstance(card, Gorilla)} == {"mitch", "murphy", "hannah"}


def test_components_seven_tokens_and_seven_stands() -> None:
    assert (TOKENS, LIMIT, MOST_PLAYERS) == ((1, 2, 3, 4, 5, 6, 7), 7, 7)


def test_fruit_cards_strawberries_most_often_durian_least() -> None:
    stock = stock_of(transcribed_deck().elements())
    assert stock == {"strawberry": 33, "banana": 22, "grapes": 22, "durian": 13}
    assert tuple(stock) == FRUITS


def test_a_card_is_the_same_whichever_way_it_is_turned() -> None:
    one, many = Side("grapes", 1), Side("durian", 2)
    assert FruitCard.of(one, many) == FruitCard.of(many, one)
    assert FruitCard.of(many, one).other(many) == one
