"""The bell (rulebook, 4. Calling the Manager): against a second, simple count, and every broken rule."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given

from durian_assist.durian.cards import FRUITS, Card, FruitCard, Side
from durian_assist.durian.notation import parse_card
from durian_assist.durian.round import GorillaTurn, Lying, Order, Round
from durian_assist.durian.verdict import NOT_TOO_MANY, TOO_MANY, Ruling, compare, rule_on
from tests.durian.helpers import DEFAULTS, PLAIN, legal_rounds, reading, round_of


def count(round_: Round) -> tuple[Counter[str], Counter[str]]:
    """Stock and orders counted the slow way: a list of loose fruits each."""
    stock = [
        fruit
        for card in round_.stock_cards
        if isinstance(card, FruitCard)
        for fruit in [card.one.fruit] + [card.many.fruit] * card.many.count
    ]
    there = {card.name for card in round_.stock_cards if card is not None and not isinstance(card, FruitCard)}
    cards = [[entry.accepted, entry.other] for entry in round_.entries if isinstance(entry, Order)]
    for entry in round_.entries:
        if isinstance(entry, GorillaTurn) and entry.flips:
            cards[entry.flips - 1].reverse()
    ordered: list[str] = []
    for side, _ in cards:
        if side.count == 3 and "mitch" in there:
            continue
        if side.fruit == "banana" and "hannah" in there:
            continue
        ordered += [side.fruit] * side.count
    return Counter(stock), Counter(ordered)


@given(legal_rounds())
def test_4_calling_the_manager_against_a_slow_count(round_: Round) -> None:
    stock, ordered = count(round_)
    per_kind = TOO_MANY if ordered - stock else NOT_TOO_MANY
    total = TOO_MANY if ordered.total() > stock.total() else NOT_TOO_MANY
    for key, verdict in (("per-kind", per_kind), ("total", total)):
        ruling = rule_on(round_, reading(compare=key))
        assert ruling.legal
        assert ruling.verdict == verdict
        assert ruling.by_reading == {"per-kind": per_kind, "total": total}
        at = round_.players.index(round_.caller or "")
        taker = round_.players[at - 1] if verdict == TOO_MANY else round_.caller
        assert ruling.takes_token == taker
        assert ruling.next_starter == round_.players[(round_.players.index(taker or "") + 1) % len(round_.players)]
        assert {f: (ruling.comparison.stock[f], ruling.comparison.ordered[f]) for f in FRUITS} == {
            f: (stock[f], ordered[f]) for f in FRUITS
        }


SIDES = (Side("banana", 2), Side("banana", 3), Side("grapes", 3), Side("grapes", 1))


@pytest.mark.parametrize(
    "names", [(), ("mitch",), ("murphy",), ("hannah",), ("mitch", "hannah"), ("mitch", "murphy", "hannah")]
)
def test_4_gorilla_cards_table_row_inventory(names: tuple[str, ...]) -> None:
    """Mitch cancels threes, Hannah bananas, Murphy nothing; several together."""
    cards: list[Card] = [card for name in names if (card := parse_card(f"gorilla {name}")) is not None]
    orders = tuple(Lying(n, side, Side("durian", 1)) for n, side in enumerate(SIDES, 1))
    left = [
        side
        for side in SIDES
        if not ("mitch" in names and side.count == 3) and not ("hannah" in names and side.fruit == "banana")
    ]
    comparison = compare(cards, orders)
    assert comparison.total_stock == 0
    assert {fruit: n for fruit, n in comparison.ordered.items() if n} == {
        fruit: n for fruit in FRUITS if (n := sum(side.count for side in left if side.fruit == fruit))
    }
    assert len(comparison.voids) == len(SIDES) - len(left)


@pytest.mark.parametrize(("ordered", "verdict"), [(2, NOT_TOO_MANY), (3, NOT_TOO_MANY), (4, TOO_MANY)])
def test_4_table_less_equal_and_greater(ordered: int, verdict: str) -> None:
    """Equal is not too many."""
    stock = [card for text in ("grapes 3 | durian 1",) if (card := parse_card(text)) is not None]
    orders = tuple(Lying(n, Side("grapes", 1), Side("banana", 2)) for n in range(1, ordered + 1))
    assert compare(stock, orders).verdict("per-kind") == verdict


def broken(ruling: Ruling) -> set[str]:
    """Rules broken."""
    return {finding.rule for finding in ruling.findings if finding.severity == "error"}


@pytest.mark.parametrize(
    ("round_", "rule"),
    [
        (round_of("grapes 2 | banana 1", caller="Cy"), "durian.caller"),
        (round_of(caller="Ann"), "durian.bell-first"),
        (round_of("grapes 2 | banana 1", players=("Ann", "Bo", "Cy", "Di")), "durian.setup"),
        (round_of("grapes 2 | banana 1", stock=PLAIN[:2]), "durian.two-players"),
        (round_of("grapes 2 | banana 1", open_card=parse_card("gorilla mitch")), "durian.two-players"),
        (
            round_of("grapes 2 | banana 1", "gorilla mitch flips 1", stock=(*PLAIN[:2], "gorilla mitch")),
            "durian.gorillas",
        ),
        (round_of("grapes 2 | banana 1", tokens={"Ann": (3, 4), "Bo": (1, 2), "Cy": ()}), "durian.end"),
        (round_of(*["grapes 2 | banana 1"] * 26), "durian.deck"),
        (round_of("grapes 2 | banana 1 flipped by mitch", stock=(*PLAIN[:2], "gorilla mitch")), "durian.gorillas"),
        (round_of("grapes 2 | banana 1", stock=PLAIN[:1] * 8, players=(), caller="Bo", first=None), "durian.setup"),
        (round_of("grapes 2 | banana 1", deck=Counter({parse_card(PLAIN[0]): 1})), "durian.deck"),
    ],
)
def test_broken_rules_are_named_and_nobody_takes_a_token(round_: Round, rule: str) -> None:
    ruling = rule_on(round_, DEFAULTS)
    assert rule in broken(ruling)
    assert (ruling.takes_token, ruling.token, ruling.next_starter, ruling.over_after) == (None, None, None, None)


def test_several_faults_are_all_listed_worst_first() -> None:
    round_ = round_of("durian 2 | grapes 1", "gorilla murphy", "durian 2 | grapes 1", caller="Cy")
    found = [finding.rule for finding in rule_on(round_, DEFAULTS).findings]
    assert set(found) == {"durian.flip-mandatory", "durian.caller", "durian.deck-list"}
    assert found[-1] == "durian.deck-list"


def test_a_fan_list_mismatch_alone_is_a_warning() -> None:
    ruling = rule_on(round_of("durian 3 | banana 1"), DEFAULTS)
    assert [(f.rule, f.severity) for f in ruling.findings if f.severity != "note"] == [("durian.deck-list", "warning")]
    assert ruling.takes_token == "Ann"


@pytest.mark.parametrize("players", [2, 3, 5])
def test_3_empty_draw_pile_forces_the_bell(players: int) -> None:
    stock = ("strawberry 1 | banana 2",) * players
    extra = {"open_card": parse_card("gorilla mitch")} if players == 2 else {}
    turns = 31 - players - (players == 2)
    orders = ["grapes 2 | banana 1"] * (turns - 3 + (players == 2))
    gorillas = ["gorilla murphy flips 1", "gorilla hannah flips 2", *(["gorilla mitch flips 3"] if players > 2 else [])]
    full = rule_on(round_of(*orders, *gorillas, stock=stock, **extra), DEFAULTS)
    assert "durian.forced-bell" in {finding.rule for finding in full.findings}
    almost = rule_on(round_of(*orders[1:], *gorillas, stock=stock, **extra), DEFAULTS)
    assert "durian.forced-bell" not in {finding.rule for finding in almost.findings}


def test_2_playing_with_two_players_the_open_card_counts() -> None:
    stock = ("strawberry 1 | banana 2", "strawberry 1 | banana 2")
    short = round_of("grapes 2 | banana 1", stock=stock, open_card=parse_card("strawberry 1 | banana 2"))
    full = round_of("grapes 2 | banana 1", stock=stock, open_card=parse_card("banana 1 | grapes 2"))
    assert rule_on(short, DEFAULTS).verdict == TOO_MANY
    assert rule_on(full, DEFAULTS).verdict == NOT_TOO_MANY


def test_three_cards_of_two_players_are_inventory_and_open_card() -> None:
    ruling = rule_on(round_of("grapes 2 | banana 1", players=("Ann", "Bo")), DEFAULTS)
    assert ruling.legal
    assert ruling.takes_token == "Bo"


def test_4_the_lowest_token_left_is_taken_and_the_game_may_end() -> None:
    """Bo called too early with 3 points and takes token 4."""
    round_ = round_of("grapes 2 | banana 1", tokens={"Ann": (1,), "Bo": (3,), "Cy": (2,)})
    ruling = rule_on(round_, DEFAULTS)
    assert (ruling.takes_token, ruling.token, ruling.over_after, ruling.next_starter) == ("Bo", 4, True, "Cy")


def test_without_tokens_or_players_the_rest_stays_open() -> None:
    ruling = rule_on(round_of("durian 2 | grapes 1", players=(), first=None, caller="Bo"), DEFAULTS)
    assert (ruling.verdict, ruling.takes_token, ruling.called_on, ruling.token) == (TOO_MANY, None, None, None)
    early = rule_on(round_of("grapes 2 | banana 1", players=(), first=None, caller="Bo"), DEFAULTS)
    assert (early.verdict, early.takes_token, early.next_starter) == (NOT_TOO_MANY, "Bo", None)


def test_called_on_readings() -> None:
    round_ = round_of("durian 2 | grapes 1", "durian 3 | strawberry 1", "gorilla mitch flips 1")
    assert rule_on(round_, DEFAULTS).takes_token == "Cy"
    assert rule_on(round_, reading(called_on="last-order")).takes_token == "Bo"
    wasted = round_of("gorilla mitch")
    for table, rules in ((round_, []), (wasted, ["durian.called-on"])):
        found = rule_on(table, reading(called_on="last-order"))
        warned = [finding.rule for finding in found.findings if finding.severity == "warning"]
        assert [rule for rule in warned if rule == "durian.called-on"] == rules
    assert rule_on(wasted, reading(called_on="last-order")).called_on is None


def test_holders_are_numbered_where_players_do_not_fit() -> None:
    assert round_of(stock=PLAIN).holders == ("Ann", "Bo", "Cy")
    assert round_of(stock=PLAIN, players=("Ann", "Bo")).holders == ("card 1", "card 2", "card 3")


def test_both_readings_of_the_comparison_on_all_small_tables() -> None:
    """Every pair of single-kind stock and orders: the readings agree where only one kind is on the table."""
    for have, want in product(range(1, 4), repeat=2):
        stock = [FruitCard(Side("durian", 1), Side("grapes", max(have, 2)))]
        orders = (Lying(1, Side("grapes", want), Side("banana", 1)),)
        comparison = compare(stock, orders)
        assert (comparison.verdict("per-kind") == TOO_MANY) == (want > max(have, 2))
        assert (comparison.verdict("total") == TOO_MANY) == (want > max(have, 2) + 1)
