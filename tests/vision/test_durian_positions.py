"""What follows a piece that may be none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from durian_assist.vision.durian_fit import Spot, Verdict
from durian_assist.vision.durian_layers import Laid
from durian_assist.vision.durian_lines import UNREAD
from durian_assist.vision.durian_positions import in_gaps, of_column, of_row, sure_positions

ASPECT = 1.4
ROW = [Spot(1.6 * k, 0.1 * k, 0.0) for k in range(4)]
COLUMN = [Spot(0.05 * k, 0.65 * k, 0.0) for k in range(5)]


def sure(spots: list[Spot], *doubtful: int) -> int:
    return sure_positions(spots, [k in doubtful for k in range(len(spots))], ASPECT)


@pytest.mark.parametrize("spots", [ROW, COLUMN], ids=["row", "column"])
class TestPositions:
    def test_where_all_pieces_are_cards_all_positions_are_sure(self, spots: list[Spot]) -> None:
        assert sure(spots) == len(spots)

    def test_those_after_a_first_piece_that_may_be_none_are_not(self, spots: list[Spot]) -> None:
        assert sure(spots, 0) == 1
        assert sure(spots, 0, 1) == 1

    def test_at_the_end_none_comes_after(self, spots: list[Spot]) -> None:
        assert sure(spots, len(spots) - 1) == len(spots)


def test_a_first_piece_between_the_board_and_a_sure_one_is_one() -> None:
    assert sure_positions(COLUMN, [True, *[False] * 4], ASPECT, (0.1, -0.9)) == 5
    assert sure_positions(COLUMN, [True, *[False] * 4], ASPECT, (-2.0, -0.9)) == 1
    assert sure_positions(COLUMN, [False] * 5, ASPECT, (0.1, -0.9)) == 5


def test_a_piece_between_others_of_a_column_is_one_but_a_row_may_have_a_gap() -> None:
    assert (sure(COLUMN, 1), sure(COLUMN, 1, 2)) == (5, 5)
    assert (sure(ROW, 1), sure(ROW, 1, 2)) == (2, 2)


def test_a_piece_in_another_line_tells_nothing() -> None:
    rows = [*ROW[:2], *(Spot(1.6 * k + 0.8, 1.2, 0.0) for k in range(2))]
    assert sure(rows, 2) == 3
    assert sure(rows, 1) == 2


def order(x: float, y: float, quality: float) -> Laid:
    return Laid(Spot(x, y, 0.0), Verdict(0, False, quality, 1.0, (), 1.0), "upper", 1.0 if quality else UNREAD)


@pytest.mark.parametrize(
    ("x", "quality", "stays"), [(-4.2, 0.65, False), (-4.2, 0.9, True), (0.1, 0.65, True), (-4.2, 0.0, True)]
)
def test_a_doubtful_order_aside_of_a_column_of_clear_ones_is_none(x: float, quality: float, stays: bool) -> None:
    column = [order(0.05 * k, 0.65 * k, 0.9) for k in range(3)]
    assert of_column([*column, order(x, 0.7, quality)], ASPECT) == [True, True, True, stays]
    assert of_column([*column[:2], order(x, 0.7, quality)], ASPECT) == [True] * 3


def test_orders_in_rows_are_no_column() -> None:
    rows = [order(1.6 * (k % 3), 1.1 * (k // 3), 0.9) for k in range(9)]
    assert all(of_column([*rows, order(5.0, 2.2, 0.6)], ASPECT))


@pytest.mark.parametrize(
    ("y", "quality", "stays"),
    [(-0.9, 0.65, False), (-0.9, 0.9, True), (0.1, 0.65, True), (-0.9, 0.0, True), (-2.5, 0.0, False)],
)
def test_what_lies_above_a_slanting_row_and_is_not_clear_is_none_of_it(y: float, quality: float, stays: bool) -> None:
    row = [order(1.6 * k, -0.4 * k, 0.9) for k in range(4)]
    assert of_row([*row, order(0.7, y, quality)]) == [True] * 4 + [stays]
    assert of_row([row[0], order(0.7, y, quality)]) == [True] * 2


@pytest.mark.parametrize(("x", "stays"), [(1.8, False), (1.4, False), (6.3, True)])
def test_what_nobody_can_read_right_above_a_clear_card_of_the_row_is_none_of_it(x: float, stays: bool) -> None:
    row = [order(1.6 * k, 0.0, 0.9) for k in range(4)]
    assert of_row([*row, order(x, -1.1, 0.0)]) == [True] * 4 + [stays]


@pytest.mark.parametrize(("x", "quality", "there"), [(1.6, 0.6, True), (1.6, 0.9, False), (4.8, 0.6, False)])
def test_what_looks_like_a_back_within_the_row_is_a_card_unless_it_clearly_is_one(
    x: float, quality: float, there: bool
) -> None:
    back, faces = 9, range(9)
    row = [Laid(Spot(0.0, 0.0, 0.0), Verdict(0, False, 0.9, 1.0, (), 1.0), "whole", 0.95)]
    row.append(replace(row[0], spot=Spot(3.2, 0.1, 0.0)))
    rivals = ((back, True, 0.1), (3, True, 0.0), (4, False, 0.0))
    even = Laid(Spot(x, 0.0, 0.0), Verdict(back, False, quality, 0.9, rivals, 1.0), "whole", 1.0)
    kept = in_gaps([row[0], even, row[1]], faces, level=0.6)
    assert kept[:2] == row
    assert [(card.verdict.face, card.fit) for card in kept[2:]] == ([(3, UNREAD)] if there else [])
    assert all(card.verdict.confidence < 0.5 for card in kept[2:])
    assert in_gaps([row[0], even, row[1]], faces, level=-1.0) == row
