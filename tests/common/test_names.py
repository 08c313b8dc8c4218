"""Names as people type them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durian_assist.common.names import UnknownName, fold, listed, resolve

VARIETIES = ("mao-shan-wang", "black-pearl", "golden-phoenix", "red-prawn", "sultan", "rotten")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Mao Shan Wang", "mao-shan-wang"),
        ("msw", "mao-shan-wang"),
        ("BP", "black-pearl"),
        ("gp", "golden-phoenix"),
        ("red_prawn", "red-prawn"),
        ("ro", "rotten"),
        ("s", "sultan"),
    ],
)
def test_names_are_found(typed: str, meant: str) -> None:
    assert resolve(typed, VARIETIES) == meant


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("r", '"r" could be red-prawn or rotten'),
        ("sulten", '"sulten" is not known; did you mean sultan?'),
        ("apple", '"apple" is not known'),
        ("", '"" is not known'),
    ],
)
def test_names_that_are_none(typed: str, says: str) -> None:
    with pytest.raises(UnknownName) as caught:
        resolve(typed, VARIETIES)
    assert str(caught.value) == says


@given(st.text(max_size=20))
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


def test_listed() -> None:
    assert [listed(names) for names in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]


def test_what_nobody_sees_makes_no_other_name() -> None:
    assert fold("A\u200bnn") == fold("Ann") == fold("An\u00adn")
    assert fold("小明") != fold("小")
