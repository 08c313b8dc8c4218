"""The garbage collector is held back for a while, and no longer."""

from __future__ import annotations

import atexit
import gc

import pytest

from durian_assist.common.collector import MANY, collect_rarely, without_collecting


def test_it_is_on_again_afterwards_even_after_an_error() -> None:
    assert gc.isenabled()
    with without_collecting():
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ValueError, match="invalid literal"), without_collecting():
        int("no number")
    assert gc.isenabled()


def test_one_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with without_collecting():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_a_short_process_collects_rarely_and_freezes_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    at_the_end: list[object] = []
    monkeypatch.setattr(atexit, "register", at_the_end.append)
    before = gc.get_threshold()
    try:
        collect_rarely()
        assert gc.isenabled()
        assert gc.get_threshold()[0] == MANY > before[0]
        assert at_the_end == [gc.freeze]
    finally:
        gc.set_threshold(*before)
