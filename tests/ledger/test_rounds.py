"""Points as people write them, and results that are stored and read again."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durian_assist.common.answers import points_text
from durian_assist.errors import InputError
from durian_assist.ledger.rounds import RoundResult, parse_points


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("12", 12),
        ("-3", -3),
        ("−3", -3),
        ("+4", 4),
        ("5.5", Fraction(11, 2)),
        ("5,5", Fraction(11, 2)),
        ("5½", Fraction(11, 2)),
        ("½", Fraction(1, 2)),
        ("-½", Fraction(-1, 2)),
        ("11/2", Fraction(11, 2)),
        (" 7 ", 7),
    ],
)
def test_points_that_people_write(text: str, points: Fraction) -> None:
    assert parse_points(text) == points


@pytest.mark.parametrize(
    "text", ["", "x", "nan", "inf", "1e9", "1_000", "5.25", "1/3", "1/0", "1000001", "--3", "½½", "1" * 5000, "٣/0"]
)
def test_what_is_no_number_of_points_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_points(text)


@given(st.integers(-2_000_000, 2_000_000))
def test_points_are_read_as_they_are_shown(halves: int) -> None:
    points = Fraction(halves, 2)
    assert parse_points(points_text(points)) == points


NAMES = st.sampled_from(["Ann", "Bo", "小明"])


@given(
    st.builds(
        RoundResult,
        points=st.dictionaries(NAMES, st.fractions(max_denominator=2)),
        mode=st.sampled_from(["", "competitive", "haters"]),
        outcome=st.text(),
        smuggler=NAMES,
        takes=st.one_of(st.just(""), NAMES),
        token=st.integers(0, 7),
        tokens=st.dictionaries(NAMES, st.tuples(st.integers(1, 7))),
        winners=st.tuples(NAMES),
    )
)
def test_a_result_is_read_as_it_was_stored(result: RoundResult) -> None:
    assert RoundResult.from_json(result.to_json()) == result
