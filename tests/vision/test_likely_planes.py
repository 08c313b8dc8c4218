"""The plane of a few cards: their corners say little of its tilt."""

from __future__ import annotations

import numpy as np
import pytest

from durian_assist.vision.dash_plane import Floats, Pose, TablePlane, _tilt, fit_plane, likely_planes

PICTURE = (3000, 4000)
ASPECT, HEIGHT, FOCAL = 1.45, 170.0, 3000.0


def camera(degrees: float) -> TablePlane:
    """A table whose far side is away from the photographer, seen at a tilt; the card in its middle is HEIGHT tall."""
    angle = np.radians(degrees)
    far = FOCAL / HEIGHT
    turn = np.array([(1, 0, 0), (0, np.cos(angle), 0), (0, -np.sin(angle), far)])
    lens = np.array([(FOCAL, 0, PICTURE[0] / 2), (0, FOCAL, PICTURE[1] / 2), (0, 0, 1.0)])
    return TablePlane(np.asarray(lens @ turn, np.float64))


def cards(plane: TablePlane, seed: int, curled: float) -> list[Floats]:
    """Two cards in one row in the upper half of the photo, their lower edges shorter by a share, all corners noisy."""
    rng = np.random.default_rng(seed)
    row = [Pose(x, -3.0, 0.0).rectangle(ASPECT, 1.0) for x in (0.4, 2.1)]
    inwards = np.array([(0, 0), (0, 0), (-1, 0), (1, 0)]) * curled * ASPECT / 2
    return [plane.to_photo(card + inwards) + rng.normal(0, 0.004 * HEIGHT, (4, 2)) for card in row]


def height_below(plane: TablePlane) -> float:
    """Pixels that a card is tall in the lower part of the photo."""
    there = plane.to_plane(np.array([[1500.0, 3200.0]]))
    return float(np.linalg.norm(np.diff(plane.to_photo(there + np.array([[0.0, -0.5], [0.0, 0.5]])), axis=0)))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("degrees", [0.0, 7.0])
def test_cards_seen_nearly_from_above_keep_their_size_far_from_those_that_are_known(degrees: float, seed: int) -> None:
    true = camera(degrees)
    found = likely_planes(cards(true, seed, 0.04), ASPECT, PICTURE)[0]
    assert height_below(found) == pytest.approx(height_below(true), rel=0.2)


@pytest.mark.parametrize("seed", range(4))
def test_a_steep_view_stays_steep(seed: int) -> None:
    found = likely_planes(cards(camera(40.0), seed, 0.0), ASPECT, PICTURE)[0]
    assert _tilt(found, PICTURE) == pytest.approx(40.0, abs=10.0)


@pytest.mark.parametrize("degrees", [0.0, 12.0, 40.0])
def test_the_tilt_is_the_angle_of_the_table_to_the_picture(degrees: float) -> None:
    assert _tilt(camera(degrees), PICTURE) == pytest.approx(degrees, abs=1e-6)


def test_as_many_cards_as_tell_the_tilt_are_taken_at_their_word() -> None:
    true = camera(7.0)
    quads = [*cards(true, 0, 0.0), *(true.to_photo(Pose(x, 3.0, 0.0).rectangle(ASPECT, 1.0)) for x in (-2.0, 1.0))]
    (plane,) = likely_planes(quads, ASPECT, PICTURE)
    assert np.array_equal(plane.matrix, fit_plane(quads, ASPECT, PICTURE).matrix)
    assert len(likely_planes(quads[:3], ASPECT, PICTURE)) == 2
