"""The garbage collector is held back for a while, and no longer."""

from __future__ import annotations

import gc

import pytest

from durian_assist.common.collector import without_collecting


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
