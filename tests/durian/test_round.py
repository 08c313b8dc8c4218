"""The turns of a round (rulebook, 3. Turn Order and 4. Gorilla Cards, row Order)."""

from __future__ import annotations

import pytest
from hypothesis import given

from durian_assist.durian.round import GorillaTurn, Order, Round, follow
from tests.durian.helpers import DEFAULTS, legal_rounds, reading, round_of


def rules_of(round_: Round, **readings: str) -> list[tuple[str, str]]:
    """Rule and severity of each finding."""
    return [(finding.rule, finding.severity) for finding in follow(round_, reading(**readings)).findings]


def test_3_turn_order_passes_to_the_left() -> None:
    play = follow(round_of("grapes 2 | banana 1", "banana 1 | grapes 2", "grapes 2 | banana 1", first="Bo"), DEFAULTS)
    assert [step.player for step in play.steps] == ["Bo", "Cy", "Ann"]
    assert play.turns == 3


def test_4_gorilla_cards_an_order_is_flipped_and_locked() -> None:
    play = follow(round_of("grapes 3 | strawberry 1", "banana 1 | grapes 2", "gorilla murphy flips 1"), DEFAULTS)
    lying = [(str(order.accepted), str(order.other), order.gorilla) for order in play.orders]
    assert lying == [("strawberry 1", "grapes 3", "murphy"), ("banana 1", "grapes 2", None)]
    assert play.findings == ()


def test_4_gorilla_cards_a_flipped_order_may_no_longer_be_flipped() -> None:
    round_ = round_of("grapes 3 | strawberry 1", "gorilla murphy flips 1", "gorilla mitch flips 1")
    assert rules_of(round_) == [("durian.flip-locked", "error")]
    assert str(follow(round_, DEFAULTS).orders[0].accepted) == "strawberry 1"


@pytest.mark.parametrize(
    "orders", [("gorilla murphy flips 1", "grapes 2 | banana 1"), ("grapes 2 | banana 1", "gorilla murphy flips 2")]
)
def test_4_gorilla_cards_only_an_order_accepted_earlier(orders: tuple[str, ...]) -> None:
    assert rules_of(round_of(*orders)) == [("durian.flip", "error")]


def test_4_gorilla_cards_a_gorilla_that_can_flip_must() -> None:
    assert rules_of(round_of("grapes 2 | banana 1", "gorilla murphy")) == [("durian.flip-mandatory", "error")]


@pytest.mark.parametrize(("no_target", "turns"), [("wasted", 2), ("redraw", 1)])
def test_a_gorilla_with_nothing_to_flip(no_target: str, turns: int) -> None:
    play = follow(round_of("gorilla murphy", "grapes 2 | banana 1"), reading(no_target=no_target))
    assert (play.turns, play.findings, play.used) == (turns, (), frozenset({"no-target"}))


def test_all_orders_locked_leaves_nothing_to_flip() -> None:
    orders = ("grapes 2 | banana 1", "gorilla murphy flips 1", "gorilla mitch")
    assert rules_of(round_of(*orders)) == []
    assert rules_of(round_of(*orders), no_target="redraw") == [("durian.no-target", "error")]


def test_flips_counts_orders_and_says_so_where_lines_would_differ() -> None:
    orders = [
        "grapes 2 | banana 1",
        "banana 1 | grapes 2",
        "gorilla murphy flips 1",
        "grapes 3 | strawberry 1",
        "grapes 1 | durian 2",
    ]
    by_order = round_of(*orders, "gorilla mitch flips 4")
    assert [order.gorilla for order in follow(by_order, DEFAULTS).orders] == ["murphy", None, None, "mitch"]
    assert rules_of(by_order) == [("durian.flip", "warning")]
    by_line = round_of(*orders, "gorilla mitch flips 5")
    assert [order.gorilla for order in follow(by_line, DEFAULTS).orders] == ["murphy", None, None, "mitch"]
    assert rules_of(by_line) == [("durian.flip", "warning")]


def test_an_order_as_a_photo_shows_it_lies_as_written_and_takes_two_turns() -> None:
    play = follow(round_of("strawberry 1 | banana 3 flipped by murphy", "grapes 2 | banana 1"), DEFAULTS)
    assert (str(play.orders[0].accepted), play.orders[0].gorilla, play.turns) == ("strawberry 1", "murphy", 3)
    assert {step.player for step in play.steps} == {""}
    assert play.last_order_turn is None


@given(legal_rounds())
def test_legal_rounds_have_no_findings_but_the_count_of_lines(round_: Round) -> None:
    play = follow(round_, DEFAULTS)
    assert {finding.severity for finding in play.findings} <= {"warning"}
    assert play.turns == len(round_.entries)


@given(legal_rounds())
def test_orders_lie_as_the_flips_say(round_: Round) -> None:
    accepted = [entry.accepted for entry in round_.entries if isinstance(entry, Order)]
    others = [entry.other for entry in round_.entries if isinstance(entry, Order)]
    flips = {entry.flips for entry in round_.entries if isinstance(entry, GorillaTurn)}
    lying = [order.accepted for order in follow(round_, DEFAULTS).orders]
    assert lying == [others[i] if i + 1 in flips else accepted[i] for i in range(len(accepted))]


@given(legal_rounds())
def test_a_round_and_its_photo_lie_alike(round_: Round) -> None:
    play = follow(round_, DEFAULTS)
    wasted = [entry for entry in round_.entries if isinstance(entry, GorillaTurn) and entry.flips is None]
    cards = [entry.card for entry in round_.entries if isinstance(entry, Order)]
    shown = [Order(card, order.accepted, order.gorilla) for card, order in zip(cards, play.orders, strict=True)]
    photo = follow(Round(round_.players, None, round_.inventory, round_.open_card, (*wasted, *shown)), DEFAULTS)
    assert photo.orders == play.orders
    assert photo.turns == play.turns
