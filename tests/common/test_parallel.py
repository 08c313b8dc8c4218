"""Calls side by side: results in order, errors where they belong."""

from __future__ import annotations

from threading import Event

import pytest

from durian_assist.common.parallel import Started, side_by_side


def test_results_keep_their_order_whichever_ends_first() -> None:
    second_done = Event()

    def first() -> int:
        assert second_done.wait(10)
        return 1

    def second() -> int:
        second_done.set()
        return 2

    assert side_by_side([first, second]) == [1, 2]


def test_an_error_is_raised_where_the_result_is_asked_for() -> None:
    started = Started(lambda: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        started.result()
