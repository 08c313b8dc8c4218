"""The order board on the plane that cards gave: where it lies, how large it is."""

from __future__ import annotations

import numpy as np
import pytest

from durian_assist.vision.dash_plane import TablePlane
from durian_assist.vision.durian_board import Place, _apart, board_on
from durian_assist.vision.durian_faces import durian_deck
from durian_assist.vision.rectify import Picture
from tests.vision.durian_scene import UNIT, Scene, drawn_deck

PROFILE = drawn_deck()
BOARD = durian_deck(PROFILE).board
PLANE = TablePlane(np.diag([UNIT, UNIT, 1.0]))
BOX = (0.0, 0.0, 9.0, 7.0)


@pytest.mark.parametrize("angle", [0.0, -4.0, 184.0])
@pytest.mark.parametrize("height", [0.45, 0.65, 1.0])
def test_a_board_of_any_size_is_found_where_it_lies(height: float, angle: float) -> None:
    scene = Scene(PROFILE, size=(9.0, 7.0), board_height=height)
    scene.lay("board/order", 4.3, 3.2, angle)
    assert BOARD is not None
    seed = board_on(Picture(scene.picture), PLANE, BOX, BOARD)
    assert seed is not None
    assert seed.score > 0.9
    assert seed.corners.mean(axis=0) / UNIT == pytest.approx((4.3, 3.2), abs=0.03)
    assert np.linalg.norm(seed.corners[3] - seed.corners[0]) / UNIT == pytest.approx(height, rel=0.05)
    along = seed.corners[1] - seed.corners[0]
    assert np.cos(np.arctan2(along[1], along[0]) - np.radians(angle)) > 0.999


def test_a_place_is_looked_at_in_several_sizes_and_either_way_up_but_not_twice() -> None:
    part, whole = Place(0.68, 4.0, 2.0, 0.0, 0.35), Place(0.6, 4.1, 2.0, 0.0, 0.65)
    over, again = Place(0.55, 4.0, 2.0, np.pi, 0.35), Place(0.67, 4.0, 2.1, 0.05, 0.4)
    assert _apart([over, again, whole, part]) == [part, whole, over]
