"""Rulebook, 3. Resupply: Example C, refills, rotten rows, the last round; and cards that add up."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durian_assist.dash.market import (
    Resupply,
    Supply,
    SupplyClaim,
    check_cards,
    first_difference,
    resupply,
)
from tests.dash.helpers import CARDS, DEFAULTS, cards, reading


def supply(players: int, pahang: str, johor: str, deck: str) -> Supply:
    """A supply from letters."""
    return Supply(players, {"pahang": cards(pahang), "johor": cards(johor)}, cards(deck))


def done(found: Resupply) -> list[str]:
    """The steps in which cards move."""
    return [f"{step.action} {step.row} {len(step.cards)}" for step in found.steps if step.done]


def test_example_c_a_row_of_three_gets_two_more_with_two_players() -> None:
    found = resupply(supply(2, "sxr", "bgxss", "mbrrr"), DEFAULTS)
    assert done(found) == ["refill pahang 2"]
    assert found.rows["pahang"] == cards("sxrmb")
    assert (len(found.deck), found.last_round) == (3, False)


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("lying", range(8))
def test_only_rows_of_three_or_fewer_are_filled_to_three_more_than_players(players: int, lying: int) -> None:
    found = resupply(supply(players, "s" * lying, "s" * 9, "b" * 20), DEFAULTS)
    assert len(found.rows["pahang"]) == (3 + players if lying <= 3 else lying)


def test_pahang_is_filled_first() -> None:
    found = resupply(supply(2, "ss", "ss", "rrrbbb"), DEFAULTS)
    assert found.rows == {"pahang": cards("ssrrr"), "johor": cards("ssbbb")}
    assert done(resupply(supply(2, "ss", "ss", "rrrb"), DEFAULTS)) == ["refill pahang 3"]


@pytest.mark.parametrize(
    ("row", "goes"),
    [("xxxsss", True), ("xxsss", False), ("xxss", True), ("xxxx", True), ("ssss", False), ("xxsssss", False)],
)
def test_half_or_more_rotten_goes(row: str, goes: bool) -> None:
    found = resupply(supply(3, row, "ssss", "bbbbbbbb"), DEFAULTS)
    assert (found.removed == cards(row)) == goes
    assert found.rows["pahang"] == (cards("bbbbbb") if goes else cards(row))


def test_a_new_row_that_is_rotten_goes_again() -> None:
    start = supply(2, "xxss", "ssss", "xxxss" + "bbbbb" + "r")
    assert done(resupply(start, DEFAULTS)) == ["remove pahang 4", "new pahang 5", "remove pahang 5", "new pahang 5"]
    once = resupply(start, reading(rotten_row="once"))
    assert done(once) == ["remove pahang 4", "new pahang 5"]
    assert once.rows["pahang"] == cards("xxxss")


def test_an_empty_row_is_never_rotten() -> None:
    found = resupply(supply(2, "", "ssss", "bbb"), DEFAULTS)
    assert found.rows["pahang"] == ()
    assert done(found) == []


@pytest.mark.parametrize(("refill", "left", "deck"), [("leave", "ss", 2), ("partial", "ssbb", 0)])
def test_a_row_that_the_deck_cannot_fill(refill: str, left: str, deck: int) -> None:
    found = resupply(supply(3, "ss", "rrrr", "bb"), reading(refill=refill))
    assert (found.rows["pahang"], len(found.deck), found.last_round) == (cards(left), deck, True)


@pytest.mark.parametrize(
    ("pahang", "deck", "last"),
    [("ss", "bbb", True), ("ss", "bbbb", False), ("ss", "bb", True), ("ssss", "", True), ("ssss", "b", False)],
)
def test_the_next_round_is_the_last_once_the_deck_is_empty_or_too_short(pahang: str, deck: str, last: bool) -> None:
    assert resupply(supply(2, pahang, "rrrr", deck), DEFAULTS).last_round is last


def test_unknown_cards_decide_nothing_but_are_named() -> None:
    found = resupply(supply(2, "sxr", "bgrss", "??????"), DEFAULTS)
    assert not found.settled
    assert found.last_round is None
    assert found.steps[-1].action == "look"
    assert "with 2 or more rotten" in found.steps[-1].text
    sure = resupply(supply(2, "srr", "bgrss", "??????"), DEFAULTS)
    assert sure.settled
    assert sure.last_round is False


@given(
    st.integers(2, 6),
    st.lists(CARDS, max_size=9).map(tuple),
    st.lists(CARDS, max_size=9).map(tuple),
    st.lists(CARDS, max_size=30).map(tuple),
    st.sampled_from(("leave", "partial")),
    st.sampled_from(("again", "once")),
)
def test_resupply_keeps_every_card_and_leaves_no_rotten_row(
    players: int, pahang: tuple[str, ...], johor: tuple[str, ...], deck: tuple[str, ...], refill: str, rotten_row: str
) -> None:
    start = Supply(players, {"pahang": pahang, "johor": johor}, deck)
    found = resupply(start, reading(refill=refill, rotten_row=rotten_row))
    after = Counter([*found.rows["pahang"], *found.rows["johor"], *found.deck, *found.removed])
    assert after == Counter([*pahang, *johor, *deck])
    if rotten_row == "again":
        assert all(2 * row.count("rotten") < len(row) or not row for row in found.rows.values())
    claims = tuple(SupplyClaim(step.action, step.row, len(step.cards)) for step in found.steps if step.done)
    assert first_difference(found, claims) is None
    assert found.last_round == (
        not found.deck or any(step.action == "leave" and step.rule == "dash.refill" for step in found.steps)
    )


@pytest.mark.parametrize(
    ("claimed", "step", "rule"),
    [
        (("refill pahang", "remove johor", "new johor"), None, ""),
        (("refill pahang 2", "remove johor 4", "new johor 5"), None, ""),
        (("refill pahang 3",), 1, "dash.refill"),
        (("remove johor",), 1, "dash.refill"),
        (("refill pahang", "new johor"), 2, "dash.rotten-row"),
        (("refill pahang", "remove johor"), 3, "dash.rotten-row"),
        (("refill pahang", "remove johor", "new johor", "refill johor"), 4, "dash.low-row"),
        (("refill pahang", "remove johor", "new johor", "remove pahang"), 4, "dash.rotten-row"),
    ],
)
def test_the_first_claim_that_differs(claimed: tuple[str, ...], step: int | None, rule: str) -> None:
    found = resupply(supply(2, "ssr", "xxss", "rrrrrrrrr"), DEFAULTS)
    claims = []
    for text in claimed:
        action, row, *count = text.split()
        claims.append(SupplyClaim(action, row, int(count[0]) if count else None))
    difference = first_difference(found, tuple(claims))
    if step is None:
        assert difference is None
    else:
        assert difference is not None
        assert (difference.step, difference.rule) == (step, rule)


@pytest.mark.parametrize(
    ("places", "severity"),
    [
        ({"collections": 10, "rows": 10, "deck": 10}, None),
        ({"collections": 10, "rows": 10, "deck": 11}, "error"),
        ({"collections": 10, "rows": 10, "deck": 9}, "error"),
        ({"collections": 10, "rows": 10, "deck": None}, "note"),
        ({"collections": 31, "rows": None, "deck": None}, "error"),
    ],
)
def test_game_setup_cards_add_up(places: dict[str, int | None], severity: str | None) -> None:
    assert [finding.severity for finding in check_cards(2, 30, places)] == ([severity] if severity else [])
