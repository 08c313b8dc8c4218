"""What tokens tell of the table's plane: how large others are elsewhere, and what is not known of it."""

from __future__ import annotations

import numpy as np
import pytest

from durian_assist.vision.rectify import project
from durian_assist.vision.token_plane import Points, TokenPlane, alike
from tests.vision.token_camera import SIZE, camera, slope

CENTRES = np.array([(-7.0, -3.0), (2.0, -6.0), (6.0, 5.0), (-4.0, 6.0), (1.0, 1.0)])


def planes(to_photo: Points, centres: Points) -> list[TokenPlane]:
    return TokenPlane.through(project(to_photo, centres), np.array([slope(to_photo, c) for c in centres]), SIZE)


def lengths(to_photo: Points) -> Points:
    return np.array([np.sqrt(np.linalg.det(slope(to_photo, c))) for c in CENTRES])


@pytest.mark.parametrize(("pitch", "roll"), [(0.0, 0.0), (15.0, 70.0), (35.0, 0.0), (50.0, -20.0)])
def test_some_tokens_tell_how_large_one_is_anywhere(pitch: float, roll: float) -> None:
    to_photo = camera(pitch, roll)
    (plane,) = planes(to_photo, CENTRES)
    assert plane.lengths(project(to_photo, CENTRES)) == pytest.approx(lengths(to_photo), rel=0.02)


def test_a_token_alone_leaves_open_which_side_is_the_far_one() -> None:
    to_photo = camera(40.0)
    ways = planes(to_photo, CENTRES[4:])
    there = project(to_photo, CENTRES)
    assert len(ways) == 2
    off = [np.abs(np.log(way.lengths(there) / lengths(to_photo))).max() for way in ways]
    assert min(off) < 0.1
    assert max(off) > 0.3
    assert all(alike(ways, place, length) < 0.1 for place, length in zip(there, lengths(to_photo), strict=True))


def test_a_strange_token_does_not_bend_the_plane() -> None:
    to_photo = camera(35.0)
    places, slopes = project(to_photo, CENTRES), np.array([slope(to_photo, c) for c in CENTRES])
    slopes[3] *= 0.6
    plane = TokenPlane.through(places, slopes, SIZE)[0]
    assert plane.lengths(places) == pytest.approx(lengths(to_photo), rel=0.04)


def test_the_more_tokens_the_less_doubt() -> None:
    to_photo = camera(20.0)
    doubts = [planes(to_photo, CENTRES[:count])[0] for count in (1, 2, 5)]
    one, two, all_of_them = (plane.doubt(plane.frame) for plane in doubts)
    assert one > two > all_of_them
    assert one > 0.15
    assert all_of_them < 0.1


def test_from_above_all_tokens_have_one_size_and_are_not_shortened() -> None:
    to_photo = camera(45.0, 30.0)
    (plane,) = planes(to_photo, CENTRES)
    least = float(plane.nearness(project(to_photo, CENTRES)).min())
    from_above, size = plane.from_above(0.1, least)
    to_view = np.linalg.inv(from_above) @ to_photo
    for centre in CENTRES:
        seen = slope(np.asarray(to_view, np.float64), centre)
        assert seen @ seen.T == pytest.approx(100 * np.eye(2), abs=4)
    inside = project(np.asarray(to_view, np.float64), CENTRES)
    assert (inside > -1).all()
    assert (inside < size).all()
    depths = project(from_above, np.array([(0.0, 7.0), (size[0], 7.0)]))
    assert np.ptp(plane.nearness(depths)) == pytest.approx(0, abs=1e-9)


def test_what_lies_further_away_than_asked_is_left_out() -> None:
    (plane,) = planes(camera(50.0), CENTRES)
    frame = np.array([(0.0, 0.0), (4000.0, 0.0), (4000.0, 3000.0), (0.0, 3000.0)])
    middle = float(plane.depths[2])
    kept = plane.nearer(frame, middle)
    assert len(kept) == 4
    assert plane.nearness(kept).min() == pytest.approx(middle)
    assert plane.nearness(kept).max() == pytest.approx(plane.nearness(frame).max())
