"""Cards that the photo's frame cuts off are asked about; bare table at its edge is not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from durian_assist.vision.durian_faces import durian_deck
from durian_assist.vision.durian_reading import read_durian
from durian_assist.vision.photo import Photo
from tests.vision.durian_scene import UNIT, Scene, drawn_deck

DRAWN = drawn_deck()
LABELS = [face.label for face in durian_deck(DRAWN).faces if face.kind == "fruit"]


def inventory_and_board(x: float, y: float) -> Scene:
    """A table with three cards of the inventory, and the board with its middle at a place (card heights)."""
    scene = Scene(DRAWN, seed=2)
    for k in range(3):
        scene.lay(LABELS[k], 2.2 + 1.8 * k, 1.2, angle=2)
    scene.lay("board/order", x, y)
    return scene


def column() -> Scene:
    """Five orders in a column below the board, the first one's upper edge at a height of 3.1, a step of 0.68."""
    scene = inventory_and_board(4.0, 2.6)
    for k in range(5):
        scene.lay(LABELS[3 + k], 4.0 + 0.05 * (k % 2), 3.6 + 0.68 * k, angle=2 * (k % 3) - 2)
    return scene


def row() -> Scene:
    """Three orders in a row beside the board, the third one's left edge at 6.9, and one in a row below them."""
    scene = inventory_and_board(2.0, 3.4)
    for k in range(3):
        scene.lay(LABELS[3 + k], 4.4 + 1.6 * k, 3.4)
    scene.lay(LABELS[6], 4.4, 4.6)
    return scene


def asked(scene: Scene, right: float, bottom: float) -> list[tuple[str, int]]:
    """The places that are asked about in a photo from straight above, up to a place of the table (card heights)."""
    seen = np.ascontiguousarray(scene.picture[: round(bottom * UNIT), : round(right * UNIT)])
    said: dict[str, Any] = read_durian([Photo("cut", seen)], DRAWN).to_json()
    return [(u["part"], u["position"]) for u in said["uncertain"]]


@pytest.mark.parametrize("bottom", [4.4, 4.55, 4.65])
def test_a_column_that_runs_out_of_the_photo_may_go_on(bottom: float) -> None:
    assert asked(column(), 9.0, bottom) == [("orders", 3)]


@pytest.mark.parametrize("bottom", [6.9, 7.6])
def test_a_column_whose_last_order_is_whole_goes_on_no_further(bottom: float) -> None:
    assert asked(column(), 9.0, bottom) == []


def test_an_order_of_which_only_a_strip_is_in_the_photo_is_asked_about() -> None:
    assert ("orders", 3) in asked(row(), 7.15, 5.5)


@pytest.mark.parametrize("right", [6.85, 8.35, 8.6])
def test_bare_table_beside_a_row_is_no_order(right: float) -> None:
    """Before the next order begins, and after the last one."""
    assert asked(row(), right, 5.5) == []
