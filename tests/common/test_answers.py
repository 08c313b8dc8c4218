"""Points, places and findings."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durian_assist.common.answers import Finding, places, points_json, points_text, worst_first


@pytest.mark.parametrize(
    ("points", "text", "json"),
    [("0", "0", 0), ("11/2", "5½", 5.5), ("-1/2", "-½", -0.5), ("-3", "-3", -3), ("1/3", "1/3", 1 / 3)],
)
def test_points(points: str, text: str, json: float) -> None:
    assert points_text(Fraction(points)) == text
    assert points_json(Fraction(points)) == json


def test_gains_can_carry_a_plus() -> None:
    assert [points_text(points, sign=True) for points in (3, 0, -3)] == ["+3", "0", "-3"]


def test_ties_share_a_place() -> None:
    points = {"Ann": Fraction(5), "Bo": Fraction(5), "Cy": Fraction(2)}
    assert places(points) == {"Ann": 1, "Bo": 1, "Cy": 3}
    assert places(points, lowest_wins=True) == {"Ann": 2, "Bo": 2, "Cy": 1}


@given(st.dictionaries(st.text(max_size=3), st.fractions(), min_size=1))
def test_somebody_is_first(points: dict[str, Fraction]) -> None:
    assert 1 in places(points).values()


def test_the_worst_comes_first() -> None:
    found = [Finding("a", severity, "", "") for severity in ("note", "error", "warning")]
    assert [finding.severity for finding in worst_first(found)] == ["error", "warning", "note"]
