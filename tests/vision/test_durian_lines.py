"""Slots: where the neighbours of a card say that one should lie."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from durian_assist.vision.durian_fit import Spot, Verdict
from durian_assist.vision.durian_layers import Laid
from durian_assist.vision.durian_lines import UNREAD, counted, slots, under

ASPECT = 1.4
LEVEL = 1.5
BOARD = np.array([(-1.0, 1.8), (1.0, 1.8), (1.0, 2.4), (-1.0, 2.4)], np.float64)


def laid(x: float, y: float, part: str = "upper") -> Laid:
    return Laid(Spot(x, y, 0.0), Verdict(0, False, 0.95, 0.99, (), 0.9), part, 0.95)


def places(cards: list[Laid], between: bool) -> list[tuple[float, float]]:
    found = slots(cards, ASPECT, LEVEL, [BOARD])
    return [(round(s.spot.x, 2), round(s.spot.y, 2)) for s in found if s.between == between]


def test_a_column_without_gaps_has_two_ends() -> None:
    column = [laid(0, 3.0 + 0.7 * k) for k in range(4)]
    assert places(column, between=True) == []
    assert places(column, between=False) == [(0, 5.8), (0, 2.3)]


@pytest.mark.parametrize(("missing", "gap"), [({1}, [(0, 3.7)]), ({2, 3}, [(0, 4.4), (0, 5.1)])])
def test_gaps_in_a_column(missing: set[int], gap: list[tuple[float, float]]) -> None:
    column = [laid(0, 3.0 + 0.7 * k) for k in range(6) if k not in missing]
    assert places(column, between=True) == gap


def test_room_for_cards_between_board_and_column() -> None:
    column = [laid(0, 4.4 + 0.7 * k) for k in range(3)]
    headed = [s for s in slots(column, ASPECT, LEVEL, [BOARD]) if s.headed]
    assert [round(s.spot.y, 2) for s in headed] == [3.7, 3.0]


def test_a_column_right_below_the_board_has_no_such_room() -> None:
    column = [laid(0, 3.0 + 0.7 * k) for k in range(3)]
    assert not any(s.headed for s in slots(column, ASPECT, LEVEL, [BOARD]))
    assert not any(s.headed for s in slots([laid(0, 4.4), laid(0, 5.1)], ASPECT, LEVEL, []))


def test_the_inventory_is_a_row_with_a_gap() -> None:
    row = [laid(x, 0.0, "whole") for x in (0.0, 1.7, 5.1, 6.8)]
    assert places(row, between=True) == [(3.4, 0.0)]
    assert places(row, between=False) == [(8.5, 0.0), (-1.7, 0.0)]


def test_rows_of_orders_and_lone_cards_ask_for_nothing() -> None:
    rows = [laid(1.6 * k, 3.0 + 1.15 * n, "whole") for k in range(3) for n in range(2)]
    assert slots(rows, ASPECT, LEVEL, [BOARD]) == []
    assert slots([laid(0, 0.0)], ASPECT, LEVEL, [BOARD]) == []


def test_a_lone_order_leaves_room_for_one_right_below_the_board() -> None:
    found = slots([laid(0, 3.6, "whole")], ASPECT, LEVEL, [BOARD])
    assert [(round(s.spot.y, 2), s.headed) for s in found] == [(2.95, True)]
    # A gorilla beside the column is no order of it.
    assert slots([laid(1.5, 3.6, "whole")], ASPECT, LEVEL, [BOARD]) == []


def test_gaps_are_measured_by_the_steps_of_cards_that_are_read() -> None:
    column = [laid(0, 3.0), laid(0, 3.7), laid(0, 4.4), hidden(0, 5.6), laid(0, 7.2)]
    assert places(column, between=True) == [(0, 5.0), (0, 6.4)]


def hidden(x: float, y: float) -> Laid:
    return replace(laid(x, y), fit=UNREAD)


def uncounted(column: list[Laid], *unread: Laid) -> list[float]:
    cards = counted(column, unread, ASPECT, LEVEL, [BOARD])
    return [round(card.spot.y, 2) for card in cards if not card.counted]


def test_cards_after_a_gap_are_counted_where_the_steps_tell_how_many_are_hidden() -> None:
    column = [laid(0, y) for y in (3.0, 3.7, 4.4, 5.8, 6.5)]
    assert uncounted(column) == []
    assert uncounted(column, hidden(0, 5.1)) == []


def test_cards_after_a_gap_of_no_clear_number_of_steps_are_not_counted() -> None:
    column = [laid(0, y) for y in (3.0, 3.7, 4.4, 6.1, 6.8)]
    assert uncounted(column, hidden(0, 5.2)) == [6.1, 6.8]
    # Too few cards are read to know the step.
    assert uncounted([laid(0, 3.0), laid(0, 4.4)], hidden(0, 3.7)) == [4.4]
    # More or fewer are hidden than have room.
    assert uncounted([laid(0, y) for y in (3.0, 3.7, 4.4, 5.8)], hidden(0, 4.9), hidden(0, 5.3)) == [5.8]


def under_places(cards: list[Laid]) -> list[tuple[float, float]]:
    return [(round(s.spot.x, 2), round(s.spot.y, 2)) for s in under(cards[:1], cards, ASPECT) if s.between]


def test_what_covers_an_order_lies_between_it_and_the_next_of_its_column() -> None:
    assert under_places([laid(0, 3.0), laid(0, 4.2, "whole")]) == [(0, 3.6)]
    assert under_places([laid(0, 3.0), laid(0, 5.1, "whole")]) == [(0, 3.7), (0, 4.4)]


def test_below_the_last_order_of_a_column_nothing_is_taken_for_granted() -> None:
    assert under_places([laid(0, 3.0), laid(2.0, 3.6, "whole")]) == []
