"""Work beside other work."""

from __future__ import annotations

import subprocess
import sys
from threading import Event

import pytest

from durian_assist.common.parallel import Started, ahead, in_halves, side_by_side


def test_results_come_in_the_order_of_the_calls() -> None:
    assert side_by_side([lambda: 1, lambda: 2, lambda: 3]) == [1, 2, 3]


def test_the_next_call_is_at_work_while_a_result_is_used() -> None:
    begun = Event()

    def second() -> int:
        begun.set()
        return 2

    results = ahead([lambda: 1, second, lambda: 3])
    assert next(results) == 1
    assert begun.wait(5)
    assert list(results) == [2, 3]
    assert list(ahead([])) == []


def test_calls_that_nobody_comes_to_are_not_begun() -> None:
    begun: list[int] = []
    assert next(ahead(iter([lambda k=k: begun.append(k) for k in range(5)]))) is None
    assert set(begun) <= {0, 1}


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_halves_keep_the_order_of_the_values(count: int) -> None:
    assert in_halves(lambda value: value * value, range(count)) == [k * k for k in range(count)]


def test_what_the_call_raised_is_raised_by_its_result() -> None:
    def broken() -> int:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        Started(broken).result()


def test_a_program_that_ends_early_waits_for_what_it_started() -> None:
    """An interpreter torn down beneath OpenCV at work aborts: an error in one half must let the other finish."""
    code = (
        "import time; from durian_assist.common.parallel import Started\n"
        "Started(lambda: (time.sleep(0.2), print('done')))\n"
        "raise SystemExit(3)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout.strip()) == (3, "done")
