"""The lattice, the table's plane and outlines: drawn cases with a known answer."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durian_assist.vision.lattice import USUAL_PITCH, components, usual_lattice
from durian_assist.vision.outlines import outlines
from durian_assist.vision.rectify import Picture, project
from durian_assist.vision.table_plane import Pose, TablePlane, plane_of

TILTED = np.array([[160.0, 20.0, 90.0], [-10.0, 140.0, 60.0], [1e-2, 4e-2, 1.0]])


@settings(deadline=None)
@given(st.integers(0, 10_000), st.floats(-0.7, 0.7))
def test_cards_that_hang_together_get_their_rows_and_columns(seed: int, turn: float) -> None:
    rng = np.random.default_rng(seed)
    c, s = np.cos(turn), np.sin(turn)
    laid = [(row, column) for row in range(4) for column in range(3)]
    # Too far away for neighbours, too near for another card between them.
    wide = [(row, column + 3.6) for row, column in laid[:5]]
    poses = []
    for row, column in [*laid, *wide]:
        x, y = USUAL_PITCH * np.array([column, row]) + rng.uniform(-0.08, 0.08, 2)
        poses.append(Pose(c * x - s * y, s * x + c * y, turn))
    groups = components(poses, usual_lattice(poses))
    assert [len(g) for g in groups] == [12, 5]
    rows, columns = groups[0][0]
    assert {i: (r - rows, k - columns) for i, (r, k) in groups[0].items()} == dict(enumerate(laid))


def test_one_card_alone_is_a_group() -> None:
    assert components([Pose(3.0, 4.0, 0.2)], usual_lattice([Pose(3.0, 4.0, 0.2)])) == [{0: (0, 0)}]


@pytest.mark.parametrize("wrong", [[0], [8], [0, 1, 3], [2, 4, 6, 8]])
def test_quads_that_are_no_cards_do_not_bend_the_plane(wrong: list[int]) -> None:
    poses = [Pose(x, y, 0.05 * (x - y)) for x in range(3) for y in range(3)]
    quads = [project(TILTED, p.corners) for p in poses]
    for n, i in enumerate(wrong, 1):
        quads[i] = quads[i] + n * np.array([[0, 0], [25, 0], [25, 30], [0, 0]])
    plane = plane_of(quads)
    misfits = [plane.pose(q).misfit for q in quads]
    assert max(m for i, m in enumerate(misfits) if i not in wrong) < 0.005
    assert min(misfits[i] for i in wrong) > 0.05


def test_sides_are_those_on_the_plane_for_one_quad_and_for_many() -> None:
    plane = TablePlane(np.linalg.inv(TILTED))
    quads = np.stack([project(TILTED, Pose(x, 1.0, 0.3).corners) for x in range(4)])
    assert np.allclose(plane.sides(quads), 1.0)
    assert np.allclose(plane.sides(quads[0]), plane.sides(quads)[0])


def test_cards_are_outlined_among_thousands_of_specks() -> None:
    rng = np.random.default_rng(7)
    pixels = np.full((900, 1200, 3), 60, np.uint8)
    for x, y in rng.integers(0, 900, (6000, 2)).tolist():
        pixels[y : y + 2, x : x + 3] = 200
    middles = [(300, 250), (700, 300), (500, 650)]
    for x, y in middles:
        box = cv2.boxPoints(((x, y), (110, 110), 20.0)).astype(np.int32)
        cv2.fillConvexPoly(pixels, box, (235, 235, 235))
    found = [o.quad.mean(0) for o in outlines(Picture(pixels)) if o.votes >= 2]
    assert all(min(np.hypot(*(f - m)) for f in found) < 4 for m in np.array(middles))


def test_a_plain_table_has_no_outline() -> None:
    assert outlines(Picture(np.full((300, 400, 3), 90, np.uint8))) == []
