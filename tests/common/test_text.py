"""Text for people."""

from __future__ import annotations

import pytest

from durian_assist.common.text import ordinal


@pytest.mark.parametrize(
    ("number", "word"),
    [(1, "first"), (10, "tenth"), (11, "11th"), (13, "13th"), (21, "21st"), (22, "22nd"), (24, "24th")],
)
def test_ordinals(number: int, word: str) -> None:
    assert ordinal(number) == word
