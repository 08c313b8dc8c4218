"""Outlines recognised by shape, whatever the affine map under which they are seen."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from durian_assist.vision.token_shape import OutlineMatcher, apply

ARC = np.radians(np.linspace(180, 360, 40))
HALF_DISC = np.stack([100 + 100 * np.cos(ARC), 100 + 100 * np.sin(ARC)], axis=1)
ROUND = np.radians(np.linspace(0, 360, 60, endpoint=False))
CIRCLE = np.stack([np.cos(ROUND), np.sin(ROUND)], axis=1) * 80
RECTANGLE = np.array([(0, 0), (120, 0), (120, 80), (0, 80)], np.float64)
HEXAGON = np.stack([np.cos(np.radians(range(0, 360, 60))), np.sin(np.radians(range(0, 360, 60)))], axis=1) * 90


def turned(angle: float, stretch: float, shift: tuple[float, float]) -> NDArray[np.float64]:
    cos, sin = np.cos(angle), np.sin(angle)
    linear = np.array([[stretch, 0], [0, 1]]) @ np.array([[cos, -sin], [sin, cos]])
    return np.column_stack([linear, shift])


@given(st.floats(0, 6.28), st.floats(0.75, 1.3), st.tuples(st.floats(-500, 500), st.floats(-500, 500)))
def test_the_affine_map_is_found(angle: float, stretch: float, shift: tuple[float, float]) -> None:
    affine = turned(angle, stretch, shift)
    best = OutlineMatcher(HALF_DISC).fits(apply(affine, HALF_DISC), 0.05)[0]
    assert np.abs(apply(best.affine, HALF_DISC) - apply(affine, HALF_DISC)).max() < 10


@pytest.mark.parametrize("other", [CIRCLE, RECTANGLE, HEXAGON], ids=["circle", "rectangle", "hexagon"])
def test_other_shapes_are_no_half_discs(other: NDArray[np.float64]) -> None:
    assert OutlineMatcher(HALF_DISC).fits(other, 0.03) == []


def test_a_hexagon_fits_in_six_ways() -> None:
    fits = OutlineMatcher(HEXAGON).fits(apply(turned(0.3, 1.1, (10, 20)), HEXAGON), 0.03)
    angles = sorted(np.degrees(np.arctan2(f.affine[1, 0], f.affine[0, 0])) % 360 for f in fits)
    assert len(fits) == 6
    assert np.diff(angles) == pytest.approx([60] * 5, abs=9)


def test_only_a_circle_is_round() -> None:
    assert [OutlineMatcher(outline).round for outline in (CIRCLE, HALF_DISC, HEXAGON)] == [True, False, False]


def test_the_turns_of_a_place_lie_in_one_outline() -> None:
    affine = turned(0.4, 1.3, (40.0, 20.0))
    turns = OutlineMatcher(CIRCLE).turns(affine, 12)
    seen = apply(affine, CIRCLE)
    for turn in turns:
        away = np.linalg.norm(apply(turn, CIRCLE)[:, None] - seen[None], axis=2).min(axis=1)
        assert away.max() < 7
    assert len({tuple(np.round(turn[:, 0], 3)) for turn in turns}) == 12


def test_an_outline_seen_too_flat_is_not_taken() -> None:
    assert OutlineMatcher(HALF_DISC).fits(apply(turned(0, 3.0, (0, 0)), HALF_DISC), 0.05) == []


def test_outlines_without_area_fit_nothing() -> None:
    assert OutlineMatcher(HALF_DISC).fits(np.array([(0.0, 0.0), (5.0, 0.0), (9.0, 0.0)]), 0.5) == []


def rounded_square(radius: float) -> NDArray[np.float64]:
    """A square of side 100 whose corners are round."""
    quarter = np.radians(np.linspace(0, 90, 10))
    corner = np.stack([np.cos(quarter), np.sin(quarter)], axis=1) * radius + (50 - radius)
    turns = [np.array([(np.cos(a), -np.sin(a)), (np.sin(a), np.cos(a))]) for a in np.radians((0, 90, 180, 270))]
    return np.concatenate([corner @ turn.T for turn in turns])


@pytest.mark.parametrize("radius", [0.5, 10, 20, 26])
def test_corners_of_a_square_may_be_round(radius: float) -> None:
    matcher = OutlineMatcher(np.array([(-50, -50), (50, -50), (50, 50), (-50, 50)], np.float64))
    affine = turned(0.4, 1.2, (30, 40))
    seen = apply(affine, rounded_square(radius))
    fits = matcher.fits(seen, 0.03)
    assert len(fits) == 4
    true = apply(affine, [(-50, -50), (50, -50), (50, 50), (-50, 50)])
    corners = apply(fits[0].affine, [(-50, -50), (50, -50), (50, 50), (-50, 50)])
    assert min(np.abs(np.roll(corners, k, axis=0) - true).max() for k in range(4)) < 4
    assert matcher.likely(1 - 0.8584 * (radius / 100) ** 2)


def test_a_circle_is_no_square_with_round_corners() -> None:
    matcher = OutlineMatcher(np.array([(-50, -50), (50, -50), (50, 50), (-50, 50)], np.float64))
    assert matcher.fits(CIRCLE, 0.03) == []
    assert not matcher.likely(np.pi / 4)


def test_an_octagon_fits_in_eight_ways() -> None:
    octagon = np.stack([np.cos(np.radians(range(0, 360, 45))), np.sin(np.radians(range(0, 360, 45)))], axis=1) * 90
    assert len(OutlineMatcher(octagon).fits(apply(turned(0.3, 1.1, (10, 20)), octagon), 0.03)) == 8
