"""Colours of cards and table: they tell poor matches from bare table, and gaps from sheets of paper."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from durian_assist.vision.dash_colours import CardLikeness
from durian_assist.vision.dash_gaps import GapFinder
from durian_assist.vision.dash_plane import Pose
from durian_assist.vision.dash_sheet import Sheet
from durian_assist.vision.layers import Laid

ASPECT, SCALE = 0.7, 32
TABLE, PRINT = (60, 90, 130), (180, 60, 40)
KNOWN = (Pose(2.0, 2.0, 0.0), Pose(2.8, 2.0, 0.0))


def table(*quads: np.ndarray, colour: tuple[int, int, int] = PRINT) -> Sheet:
    """A table of 8 by 5 card heights, with grain, and pieces of one colour on it."""
    pixels = np.full((5 * SCALE, 8 * SCALE, 3), TABLE, np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(pixels, np.round(quad * SCALE).astype(np.int32), colour)
    grain = np.random.default_rng(5).integers(-6, 7, pixels.shape)
    return Sheet(np.clip(pixels + grain, 0, 255).astype(np.uint8), SCALE, (0.0, 0.0))


def card(pose: Pose) -> np.ndarray:
    return pose.rectangle(ASPECT, 1.0)


def seen(pose: Pose, *, rows: slice = slice(None)) -> Laid:
    """A piece of which only some of 96 rows are free."""
    visible = np.zeros((96, 67), np.bool_)
    visible[rows] = True
    return Laid(pose, 0, 0.4, visible)


@pytest.mark.parametrize("rows", [slice(None), slice(0, 30)])
def test_what_has_the_colours_of_cards_may_be_one_and_bare_table_not(rows: slice) -> None:
    hidden, bare = Pose(4.4, 2.0, 0.1), Pose(6.0, 3.0, 0.0)
    like = CardLikeness.of(table(*map(card, (*KNOWN, hidden))), ASPECT, [seen(pose) for pose in KNOWN])
    assert like.tells
    assert like(seen(hidden, rows=rows))
    assert not like(seen(bare, rows=rows))


def test_only_what_is_free_of_a_piece_counts() -> None:
    """A strip of table beside a known card, taken for a card that lies under it."""
    like = CardLikeness.of(table(*map(card, KNOWN)), ASPECT, [seen(pose) for pose in KNOWN])
    assert not like(seen(Pose(2.0, 2.7, 0.0), rows=slice(66, None)))


def test_cards_of_the_table_s_own_colour_tell_nothing() -> None:
    own = [seen(pose) for pose in KNOWN]
    like = CardLikeness.of(table(*map(card, KNOWN), colour=TABLE), ASPECT, own)
    assert not like.tells
    assert not like(own[0])


def box(left: float, top: float, right: float, bottom: float) -> np.ndarray:
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])


@pytest.mark.parametrize(
    ("piece", "larger"),
    [
        (card(Pose(5.0, 2.5, 0.0)), False),
        (box(4.65, 1.2, 5.35, 4.4), False),
        (box(3.6, 2.0, 6.4, 3.0), False),
        (box(4.4, 1.8, 6.6, 4.4), True),
    ],
    ids=["card", "column", "row", "sheet of paper"],
)
def test_a_sheet_goes_on_both_ways(piece: np.ndarray, larger: bool) -> None:
    finder = GapFinder(table(*map(card, KNOWN), piece), ASPECT)
    assert bool(finder.of_sheets([Pose(5.0, 2.5, 0.0)], map(card, KNOWN), [])) == larger
