"""Several photos of one Dash table: what one shows surely must lie in every other one, surely or in doubt."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from durian_assist.errors import InputError
from durian_assist.vision.dash_combine import Pile, check_same
from durian_assist.vision.dash_seen import SeenCard

NAMES = ("sultan", "red-prawn", "rotten")


def card(text: str) -> SeenCard:
    """`sultan` surely; `sultan?red-prawn` may be either, the first one rather."""
    names = tuple(text.split("?"))
    return SeenCard(names[0], 1.0, np.zeros((4, 2)), (0.0, 0.0), names if len(names) > 1 else ())


def pile(*texts: str, partly: bool = False) -> Pile:
    return Pile(tuple(map(card, texts)), partly)


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        (pile("sultan", "rotten"), pile("rotten", "sultan"), True),
        (pile("sultan", "rotten"), pile("sultan"), False),
        (pile("sultan"), pile("sultan", "rotten"), False),
        (pile("sultan", "rotten"), pile("sultan", partly=True), True),
        (pile("sultan"), pile("rotten", partly=True), False),
        (pile("sultan", "rotten"), pile("sultan", "rotten?red-prawn"), True),
        (pile("sultan", "rotten"), pile("sultan", "sultan?red-prawn"), False),
        (pile("sultan"), pile("sultan", "rotten?red-prawn"), True),
        (pile("sultan", "sultan"), pile("sultan?rotten", "rotten?sultan"), True),
        (pile("sultan", "rotten"), pile("rotten?sultan", "rotten?red-prawn"), True),
        (pile("sultan", "sultan"), pile("rotten?sultan", "rotten?red-prawn"), False),
    ],
)
def test_what_is_sure_in_one_photo_lies_in_the_other(first: Pile, second: Pile, same: bool) -> None:
    piles = [{"": first}, {"": second}]
    if same:
        check_same(piles, [None, None], ["a", "b"])
    else:
        with pytest.raises(InputError, match="does not show the same table") as refusal:
            check_same(piles, [None, None], ["a", "b"])
        assert refusal.value.where == "b"


@given(st.lists(st.sampled_from(NAMES), max_size=7), st.data())
def test_one_collection_under_two_lights_is_the_same(names: list[str], data: st.DataObject) -> None:
    """Whichever cards each photo leaves in doubt, and in whatever order they are met."""

    def seen() -> Pile:
        met = data.draw(st.permutations(names))
        return pile(*(f"{other}?{name}" if other else name for name in met for other in [data.draw(OTHERS)]))

    check_same([{"": seen()}, {"": seen()}], [None, None], ["a", "b"])


OTHERS = st.sampled_from(["", *NAMES])


def test_a_market_is_no_collection_and_its_rows_are_compared_one_by_one() -> None:
    market = {"upper": pile("sultan"), "lower": pile("rotten")}
    check_same([market, dict(market)], [None, None], ["a", "b"])
    for other in ({"": pile("sultan", "rotten")}, {"upper": pile("rotten"), "lower": pile("sultan")}):
        with pytest.raises(InputError):
            check_same([market, other], [None, None], ["a", "b"])


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        (None, "pref/love-sultan", True),
        ("pref/love-sultan", "pref/love-sultan", True),
        ("pref/love-sultan", "pref/love-rotten", False),
        ("pref/love-rotten?pref/love-sultan", "pref/love-sultan", True),
    ],
)
def test_the_preference_card_is_that_of_one_player(first: str | None, second: str | None, same: bool) -> None:
    cards = [None if text is None else card(text) for text in (first, second)]
    piles = [{"": pile("sultan")}, {"": pile("sultan")}]
    if same:
        check_same(piles, cards, ["a", "b"])
    else:
        with pytest.raises(InputError):
            check_same(piles, cards, ["a", "b"])
