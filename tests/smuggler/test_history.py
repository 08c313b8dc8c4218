"""The history search against a second, simple search, and its proofs replayed."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durian_assist.smuggler.geometry import SIDES, Side, cells_of
from durian_assist.smuggler.reach import exchanges, longest_prefix, reach, turns
from tests.smuggler.tables import disturbed, played, random_case, replays, simple_search


def agree(seed: int, least: int, most: int, positions: int = 50_000) -> tuple[int, int]:
    """Compare one random table for every starting side; how often it was reachable and how often not."""
    rng = Random(seed)
    own, seats, exemption = random_case(rng, least, most)
    found = reach(own, seats, seats, exemption)
    side_of = {cell: side for side, cards in own.items() for cell in cells_of(cards)}
    yes = no = 0
    for start in seats:
        expected = simple_search(own, seats, start, exemption, positions)
        if expected is None:
            continue
        assert (start in found.orders) == expected, (seed, own, seats, start, exemption)
        yes, no = yes + expected, no + (not expected)
        if expected:
            order = [(cell, side_of[cell]) for cell in found.orders[start]]
            assert len(order) == len(side_of)
            assert replays(order, seats, start, exemption)
    return yes, no


@pytest.mark.parametrize("block", range(6))
def test_against_a_simple_search(block: int) -> None:
    counts = [agree(1000 * block + seed, 1, 13) for seed in range(50)]
    assert sum(yes for yes, _ in counts) > 20
    assert sum(no for _, no in counts) > 20


def test_full_grids_against_a_simple_search() -> None:
    counts = [agree(seed, 20, 24, 2_000) for seed in range(12)]
    assert sum(no for _, no in counts) > 0


@given(st.integers(0, 10**9), st.sampled_from(["no-cell-left", "last-round"]), st.booleans())
def test_legal_play_is_found_reachable_and_its_order_replays(seed: int, exemption: str, three: bool) -> None:
    rng = Random(seed)
    seats: tuple[Side, ...] = SIDES[:3] if three else SIDES
    start = rng.choice(seats)
    own = played(rng, seats, start, rng.randint(1, 24), exemption)
    if own is None:
        return
    side_of = {cell: side for side, cards in own.items() for cell in cells_of(cards)}
    found = reach(own, seats, [start], exemption)
    assert replays([(cell, side_of[cell]) for cell in found.orders[start]], seats, start, exemption)


def test_the_longest_legal_play_is_the_longest() -> None:
    checked = 0
    for seed in range(150):
        rng = Random(seed)
        seats = SIDES[: rng.choice((3, 4))]
        own = played(rng, seats, seats[0], rng.randint(4, 8), "never")
        if own is None:
            continue
        own = disturbed(rng, own)
        if reach(own, seats, seats, "never").reachable:
            continue
        prefix = longest_prefix(own, seats, seats, "never")
        assert prefix.exact
        assert prefix.placements == max(_forward(own, seats, start) for start in seats)
        checked += 1
    assert checked > 20


def _forward(own: dict[Side, int], seats: tuple[Side, ...], start: Side) -> int:
    """The longest legal play with these cards, by trying all of them."""
    best = 0
    stack: list[tuple[tuple[int, Side], ...]] = [()]
    seen = set()
    while stack:
        order = stack.pop()
        best = max(best, len(order))
        for side, cards in own.items():
            for cell in cells_of(cards):
                longer = (*order, (cell, side))
                key = frozenset(longer)
                if len(key) == len(longer) and key not in seen and replays(longer, seats, start, "never"):
                    seen.add(key)
                    stack.append(longer)
    return best


def test_a_turned_card_is_found() -> None:
    found = 0
    for seed in range(8):
        rng = Random(seed)
        seats = SIDES[: rng.choice((3, 4))]
        own = played(rng, seats, seats[0], 24, "no-cell-left")
        assert own is not None
        side, to = rng.sample(seats, 2)
        cell = rng.choice(list(cells_of(own[side])))
        own = {**own, side: own[side] ^ 1 << cell, to: own[to] | 1 << cell}
        assert not reach(own, seats, seats, "no-cell-left").reachable
        repairs = [(turn.cell, turn.side, turn.to) for turn in turns(own, seats, seats, "no-cell-left")]
        assert (cell, to, side) in repairs
        found += 1
    assert found == 8


def test_two_exchanged_cards_are_found() -> None:
    own = played(Random(3), SIDES, "south", 24, "no-cell-left")
    assert own is not None
    rng = Random(8)
    while True:
        turned = disturbed(rng, own, most=1)
        if not reach(turned, SIDES, SIDES, "no-cell-left").reachable and turned != own:
            break
    pairs = list(exchanges(turned, SIDES, SIDES, "no-cell-left"))
    for one, other in pairs:
        assert (one.side, one.to) == (other.to, other.side)
    assert pairs
