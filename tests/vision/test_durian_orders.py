"""Orders and the gorillas beside them."""

from __future__ import annotations

import numpy as np
import pytest

from durian_assist.vision.durian_fit import Spot, Verdict
from durian_assist.vision.durian_layers import Laid
from durian_assist.vision.durian_lines import UNREAD
from durian_assist.vision.durian_orders import Order, Placed, perhaps_with_gorillas

ASPECT = 1.4


def order(x: float, y: float, fit: float = 0.95, gorilla: bool = False) -> Order:
    placed = Placed(Laid(Spot(x, y, 0.0), Verdict(0, False, 0.95, 0.99, (), 1.0), "whole", fit), np.zeros((4, 2)))
    return Order(placed, placed if gorilla else None)


@pytest.mark.parametrize(
    ("hidden", "doubted"),
    [((2.0, 2.3), [0]), ((2.3, 2.3), [0]), ((5.3, 1.0), [1]), ((5.3, 2.3), []), ((2.0, 3.4), [])],
    ids=["below the first", "a little beside that", "right of the last", "aslant below the last", "far below"],
)
def test_what_nobody_can_read_may_be_the_gorilla_of_an_order_of_its_row(
    hidden: tuple[float, float], doubted: list[int]
) -> None:
    row = [order(2.0, 1.0), order(3.6, 1.0)]
    said = perhaps_with_gorillas([*row, order(*hidden, fit=UNREAD)], ASPECT)
    assert [k for k, one in enumerate(said) if one.doubtful] == doubted
    assert not any(one.doubtful for one in perhaps_with_gorillas([*row, order(*hidden)], ASPECT))


def test_an_order_has_one_gorilla() -> None:
    assert not perhaps_with_gorillas([order(2.0, 1.0, gorilla=True), order(2.0, 2.2, fit=UNREAD)], ASPECT)[0].doubtful


def test_what_nobody_can_read_in_a_column_is_an_order() -> None:
    """It lies as far below the last but one as a gorilla would."""
    column = [order(2.0, 1.0), order(2.0, 1.6), order(2.0, 2.2, fit=UNREAD), order(2.0, 2.8)]
    assert not any(one.doubtful for one in perhaps_with_gorillas(column, ASPECT))
