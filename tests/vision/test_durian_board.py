"""The order board on the plane that cards gave: where it lies, how large it is."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from durian_assist.vision import durian_board
from durian_assist.vision.dash_plane import TablePlane
from durian_assist.vision.durian_board import TURNS, Place, _apart, _places, board_on
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


def test_for_a_board_that_lies_straight_no_other_turns_are_looked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[float] = []

    def places(*args: object) -> list[Place]:
        looked.append(args[-1])  # type: ignore[arg-type]
        return _places(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(durian_board, "_places", places)
    assert BOARD is not None
    scene = Scene(PROFILE, size=(9.0, 7.0), board_height=0.65)
    board_on(Picture(scene.picture), PLANE, BOX, BOARD)
    assert set(looked) == set(TURNS)
    looked.clear()
    scene.lay("board/order", 4.3, 3.2, 2.0)
    board_on(Picture(scene.picture), PLANE, BOX, BOARD)
    assert set(looked) == {0.0}


def test_a_pale_board_is_found_though_windows_are_mirrored_all_over_the_table() -> None:
    board = np.full((132, 420, 3), (225, 232, 238), np.uint8)
    cv2.line(board, (210, 8), (210, 124), (120, 120, 120), 1)
    for text, left, colour in (("not ordered", 40, (90, 90, 90)), ("ORDERED", 262, (60, 110, 40))):
        cv2.putText(board, text, (left, 56), cv2.FONT_HERSHEY_SIMPLEX, 0.7, colour, 2)
        cv2.circle(board, (left + 60, 94), 18, colour, -1)
    assert BOARD is not None
    plain = replace(BOARD, references=(board, board))
    deck = replace(PROFILE, classes=(plain,))
    scene = Scene(deck, size=(9.0, 7.0))
    scene.lay("board/order", 4.3, 3.2, 3.0)
    light = np.full(scene.picture.shape[:2], 0.55, np.float32)
    for x, y in ((1.2, 0.8), (3.1, 2.0), (4.2, 3.9), (6.3, 1.4), (6.0, 5.2), (1.6, 4.8)):
        pane = cv2.boxPoints(((x * UNIT, y * UNIT), (1.7 * UNIT, 1.5 * UNIT), 35.0))
        cv2.fillConvexPoly(light, np.round(pane).astype(np.int32), 1.0)
    soft = np.asarray(cv2.GaussianBlur(light, (0, 0), 4.0), np.float32)
    picture = np.asarray(scene.picture * soft[..., None], np.uint8)
    seed = board_on(Picture(picture), PLANE, BOX, plain)
    assert seed is not None
    assert seed.corners.mean(axis=0) / UNIT == pytest.approx((4.3, 3.2), abs=0.1)


def test_a_place_is_looked_at_in_several_sizes_and_either_way_up_but_not_twice() -> None:
    part, whole = Place(0.68, 4.0, 2.0, 0.0, 0.35), Place(0.6, 4.1, 2.0, 0.0, 0.65)
    over, again = Place(0.55, 4.0, 2.0, np.pi, 0.35), Place(0.67, 4.0, 2.1, 0.05, 0.4)
    assert _apart([over, again, whole, part]) == [part, whole, over]
