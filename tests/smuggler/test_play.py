"""Turn order, placing, setup and turns by the rulebook's sections."""

from __future__ import annotations

import pytest

from durian_assist.errors import UsageError
from durian_assist.smuggler.geometry import SIDES, Side, cell_at, cells_of, mask_of, neighbours, place_of
from durian_assist.smuggler.guide import SEQUENCES, round_of, setup
from durian_assist.smuggler.moves import why_not
from durian_assist.smuggler.play import TurnOrder, legal_cells

ALL = mask_of(cell for cell in range(25) if cell != 12)


def at(*places: tuple[int, int]) -> int:
    return mask_of(cell_at(row, column) for row, column in places)


def places(mask: int) -> list[tuple[int, int]]:
    return [place_of(cell) for cell in cells_of(mask)]


def test_game_flow_the_active_seat_moves_clockwise() -> None:
    order = TurnOrder(SIDES, "west").movers(8)
    assert order == ("west", "north", "east", "south", "north", "east", "south", "west")


def test_game_flow_three_players_pass_over_the_empty_side() -> None:
    seats: tuple[Side, ...] = ("south", "north", "east")
    assert TurnOrder(seats, "east").movers(6) == ("east", "south", "north", "south", "north", "east")
    assert set(TurnOrder(seats, "east").counts(24).values()) == {8}
    assert set(TurnOrder(SIDES, "north").counts(24).values()) == {6}


def test_placing_luggage_the_first_card_touches_the_centre() -> None:
    assert places(legal_cells(0, 0, 4, "no-cell-left")[0]) == [(2, 3), (3, 2), (3, 4), (4, 3)]


def test_placing_luggage_no_own_card_beside() -> None:
    lying = at((2, 3), (3, 2))
    assert places(legal_cells(lying, at((2, 3)), 4, "no-cell-left")[0]) == [(3, 1), (3, 4), (4, 2), (4, 3)]
    assert places(legal_cells(lying, 0, 4, "never")[0]) == [(1, 3), (2, 2), (2, 4), (3, 1), (3, 4), (4, 2), (4, 3)]


@pytest.mark.parametrize(
    ("exemption", "players", "cells", "exempt"),
    [
        ("no-cell-left", 4, [(1, 1), (5, 5)], True),
        ("last-round", 4, [(1, 1), (5, 5)], True),
        ("never", 4, [], False),
    ],
)
def test_placing_luggage_exempt_where_no_aligned_cell_is_left(
    exemption: str, players: int, cells: list[tuple[int, int]], exempt: bool
) -> None:
    lying = ALL & ~at((1, 1), (5, 5))
    assert legal_cells(lying, at((1, 2), (4, 5)), players, exemption) == (at(*cells), exempt)


def test_placing_luggage_the_last_round_alone() -> None:
    lying = ALL & ~at((1, 1), (1, 2), (1, 3), (1, 4))
    own = at((2, 1), (2, 2), (2, 3), (2, 4), (1, 5))
    assert legal_cells(lying, own, 4, "last-round") == (at((1, 1), (1, 2), (1, 3), (1, 4)), True)
    assert legal_cells(lying, own, 3, "last-round") == (0, False)
    assert legal_cells(lying, own, 3, "no-cell-left")[1]


def test_a_full_grid_has_no_cell_and_no_exemption() -> None:
    assert legal_cells(ALL, at((1, 1)), 4, "no-cell-left") == (0, False)


@pytest.mark.parametrize(
    ("cell", "lying", "own", "exemption", "rule"),
    [
        ((1, 1), [], [], "no-cell-left", "smuggler.first-card"),
        ((1, 1), [(2, 3)], [], "no-cell-left", "smuggler.growth"),
        ((2, 3), [(2, 3)], [], "no-cell-left", "smuggler.growth"),
        ((2, 4), [(2, 3)], [(2, 3)], "no-cell-left", "smuggler.alignment"),
        ((2, 4), [(2, 3)], [], "no-cell-left", None),
    ],
)
def test_why_not(
    cell: tuple[int, int], lying: list[tuple[int, int]], own: list[tuple[int, int]], exemption: str, rule: str | None
) -> None:
    refusal = why_not(cell_at(*cell), at(*lying), at(*own), "south", 4, exemption)
    assert (refusal.rule if refusal else None) == rule


def test_why_not_under_the_reading_never() -> None:
    lying = ALL & ~at((1, 1))
    refusal = why_not(cell_at(1, 1), lying, at((1, 2)), "south", 4, "never")
    assert refusal
    assert refusal.rule == "smuggler.exemption"


def test_neighbours_leave_out_the_centre() -> None:
    assert [place_of(cell) for cell in neighbours(cell_at(2, 3))] == [(1, 3), (2, 2), (2, 4)]
    assert [place_of(cell) for cell in neighbours(cell_at(1, 5))] == [(1, 4), (2, 5)]


@pytest.mark.parametrize(
    ("players", "hand", "aside", "deck", "rounds", "refills"),
    [(1, 3, 0, 16, 12, 4), (2, 3, 0, 16, 12, 4), (3, 6, 1, 9, 8, 3), (4, 4, 0, 12, 6, 3)],
)
def test_set_up(players: int, hand: int, aside: int, deck: int, rounds: int, refills: int) -> None:
    found = setup(players, "cooperative")
    assert (found.hand, found.set_aside, found.deck, found.rounds, found.refills) == (
        hand,
        aside,
        deck,
        rounds,
        refills,
    )
    seats = players if players > 2 else 4
    assert hand * seats + aside + deck == 28
    assert deck == refills * seats
    assert hand * seats + deck - seats == 24


@pytest.mark.parametrize(("players", "mode"), [(0, "cooperative"), (5, "cooperative"), (1, "competitive")])
def test_no_such_set_up(players: int, mode: str) -> None:
    with pytest.raises(UsageError):
        setup(players, "competitive" if mode == "competitive" else "cooperative")


@pytest.mark.parametrize("order", SEQUENCES)
def test_sequences_three_rounds_hand_out_cards(order: tuple[str, ...]) -> None:
    colours = [round_of(number, SIDES, "south", 4, order).colours[0] for number in range(1, 7)]
    assert sum(colour in {"yellow", "red"} for colour in colours) == 3
    three = [round_of(number, SIDES[:3], "south", 3).colours[0] for number in range(1, 9)]
    assert three.count("yellow") == 3


def test_sequences_unknown_order_gives_what_it_can_be() -> None:
    assert round_of(1, SIDES, "south", 4).colours == ("beige",)
    assert round_of(2, SIDES, "south", 4).colours == ("yellow", "red")
    third = round_of(3, SIDES, "south", 4)
    assert third.colours == ("green", "red", "yellow")
    assert [step.text.partition(":")[0] for step in third.steps[:2]] == ["if it is green", "if it is red or yellow"]


def test_two_players_every_side_places_six_times() -> None:
    rounds = [round_of(number, SIDES, "west", 2) for number in range(1, 13)]
    placed = [side for one in rounds for side in one.order]
    assert {side: placed.count(side) for side in SIDES} == dict.fromkeys(SIDES, 6)
    assert rounds[0].active == "west"
    assert rounds[1].active == "north"
    assert [one.placed for one in rounds] == list(range(0, 24, 2))


def test_no_such_round() -> None:
    with pytest.raises(UsageError, match="there are 6 rounds"):
        round_of(7, SIDES, "south", 4)
