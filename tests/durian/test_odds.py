"""Odds against a brute force over every card (not kind of card) that is left."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given, settings

from durian_assist.durian.cards import Card
from durian_assist.durian.odds import odds
from durian_assist.durian.round import Round, follow
from durian_assist.durian.verdict import TOO_MANY, compare
from tests.durian.helpers import CARDS, DEFAULTS, legal_rounds, round_of


def brute(round_: Round, reading: str, hidden: set[int]) -> Fraction:
    """Deal every ordered choice of left-over cards to the hidden places and count."""
    play = follow(round_, DEFAULTS)
    left = list(CARDS)
    stock = list(round_.stock_cards)
    for position, card in enumerate(stock):
        if position not in hidden and card is not None:
            left.remove(card)
    for entry in round_.entries:
        left.remove(
            getattr(entry, "card", None)
            or next(card for card in left if str(card) == f"gorilla {getattr(entry, 'name', '')}")
        )
    known: list[Card] = [card for position, card in enumerate(stock) if position not in hidden and card is not None]
    hands = list(permutations(left, len(hidden)))
    bad = sum(compare([*known, *hand], play.orders).verdict(reading) == TOO_MANY for hand in hands)
    return Fraction(bad, len(hands))


@settings(max_examples=40)
@given(legal_rounds(most_turns=10))
def test_one_hidden_card(round_: Round) -> None:
    for position, viewer in enumerate(round_.players):
        for reading in ("per-kind", "total"):
            found = odds(round_, follow(round_, DEFAULTS).orders, reading, viewer=viewer)
            assert found is not None
            assert found.probability == brute(round_, reading, {position})
            assert found.hidden == 1


@settings(max_examples=15)
@given(legal_rounds(most_turns=8))
def test_two_hidden_cards(round_: Round) -> None:
    half = replace(round_, inventory=(None, *round_.inventory[1:]))
    found = odds(half, follow(half, DEFAULTS).orders, "per-kind", viewer=round_.players[1])
    assert found is not None
    assert found.probability == brute(round_, "per-kind", {0, 1})


def test_a_question_mark_is_a_hidden_card() -> None:
    known = round_of("durian 2 | grapes 1")
    marked = replace(known, inventory=(None, *known.inventory[1:]))
    orders = follow(known, DEFAULTS).orders
    assert odds(marked, orders, "per-kind") == odds(known, orders, "per-kind", viewer="Ann")


@pytest.mark.parametrize("name", ["mitch", "hannah"])
def test_a_gorilla_that_all_see_acts(name: str) -> None:
    round_ = round_of(
        "banana 3 | strawberry 1", stock=("strawberry 1 | durian 2", f"gorilla {name}", "grapes 1 | durian 2")
    )
    found = odds(round_, follow(round_, DEFAULTS).orders, "per-kind", viewer="Ann")
    assert found is not None
    assert found.probability == 0


def test_too_few_cards_left() -> None:
    round_ = round_of("grapes 2 | banana 1", stock=("?",) * 7)
    assert odds(replace(round_, deck=Counter()), (), "per-kind") is None
