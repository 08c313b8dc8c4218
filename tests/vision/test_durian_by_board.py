"""Cards looked for on the plane that the order board gives, where no outline shows one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from durian_assist.vision.durian_by_board import by_board
from durian_assist.vision.durian_faces import durian_deck
from durian_assist.vision.durian_outlines import SURE, OutlineSearch
from durian_assist.vision.durian_seeds import Seed
from durian_assist.vision.rectify import Picture
from tests.vision.durian_scene import UNIT, Points, Scene, drawn_deck

DECK = durian_deck(drawn_deck())
PLACES = [(3.0, 1.6), (5.0, 1.6), (7.0, 1.6), (6.0, 4.4)]


def scene(cards: bool, board_height: float) -> tuple[Picture, Seed]:
    """A table with an order board and perhaps cards, and the board as if it had been found none too surely."""
    drawn = Scene(drawn_deck(), board_height=board_height)
    drawn.lay("board/order", 6.0, 2.9)
    labels = [face.label for face in DECK.faces if face.kind == "fruit"]
    for label, (x, y) in zip(labels if cards else [], PLACES, strict=False):
        drawn.lay(label, x, y, 2.0)
    assert DECK.board is not None
    half = 0.5 * board_height * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (DECK.board.aspect, 1.0)
    blurred = np.asarray(cv2.GaussianBlur(drawn.picture, (0, 0), 1.0), np.uint8)
    return Picture(blurred), Seed((half + np.array([6.0, 2.9])) * UNIT, 0.7)


def middles(seeds: list[Seed]) -> Points:
    return np.array([seed.corners.mean(axis=0) for seed in seeds]) / UNIT


@pytest.mark.parametrize("height", [0.5, 0.65, 0.9])
def test_cards_are_seen_however_high_the_board_is_against_them(height: float) -> None:
    picture, board = scene(True, height)
    seeds = by_board(picture, DECK, board)
    assert len(seeds) >= 3
    away = np.linalg.norm(middles(seeds)[:, None] - np.array(PLACES)[None], axis=2).min(axis=1)
    assert away.max() < 0.1


def test_a_bare_table_and_a_board_that_may_be_none_show_no_cards() -> None:
    picture, board = scene(False, 0.65)
    assert by_board(picture, DECK, board) == []
    picture, board = scene(True, 0.65)
    assert by_board(picture, DECK, Seed(board.corners, 0.5)) == []


def test_a_board_on_whose_plane_cards_lie_is_sure() -> None:
    picture, board = scene(True, 0.65)
    search = OutlineSearch(picture, DECK)
    search.board = board
    assert board.score < SURE
    before = search.sure_board
    search.printed()
    assert (before is None, search.sure_board is None) == (True, False)
    assert len(search.cards) >= 3
