"""Finding cards and pieces: styles of cards and tables, tokens, wrong counts, the table's plane."""

from __future__ import annotations

import numpy as np
import pytest

from durian_assist.vision.calibrate_find import find_pieces
from durian_assist.vision.calibrate_references import faces_in_order, rectified
from durian_assist.vision.find_cards import find_cards
from durian_assist.vision.find_plane import plane_of_quads, tilted
from tests.vision.drawn import Style, photo

WOOD, WHITE, GREEN, DARK = (120, 160, 190), (225, 225, 228), (60, 120, 50), (40, 40, 45)

STYLES = [
    pytest.param(Style(), WHITE, id="white border on white"),
    pytest.param(Style(border=(25, 25, 25)), WOOD, id="black border"),
    pytest.param(Style(border_mm=0), GREEN, id="no border"),
    pytest.param(Style(size_mm=(55, 55), border=(60, 30, 20)), WOOD, id="square"),
    pytest.param(Style(size_mm=(62, 44), border_mm=1.2), DARK, id="wide, thin border"),
]


@pytest.mark.parametrize(("style", "table"), STYLES)
def test_pieces_of_any_style_are_found_from_edge_to_edge(style: Style, table: tuple[int, int, int]) -> None:
    drawn = photo(range(10, 16), style, table, columns=3, tilt=0.05)
    faces = faces_in_order(drawn.pixels, find_pieces(drawn.pixels, 6))
    assert len(faces) == 6
    off = np.array([face.corners for face in faces]) - drawn.corners
    assert np.abs(off).max() < 2.0
    assert all(abs(face.sides[0] / face.sides[1] / (style.size_mm[0] / style.size_mm[1]) - 1) < 0.03 for face in faces)


def test_round_tokens_get_a_round_outline() -> None:
    drawn = photo(range(20, 26), Style(token=True, size_mm=(40, 40)), GREEN, columns=3)
    faces = faces_in_order(drawn.pixels, find_pieces(drawn.pixels, 6))
    assert len(faces) == 6
    for face, true in zip(faces, drawn.corners, strict=True):
        radii = np.linalg.norm(face.outline - 0.5, axis=1)
        assert np.abs(radii - 0.5).max() < 0.05
        assert np.abs(face.corners.mean(axis=0) - true.mean(axis=0)).max() < 4


def test_a_reference_shows_the_border_on_all_sides_alike() -> None:
    drawn = photo(range(30, 36), Style(border=(250, 250, 250), border_mm=4), DARK, columns=3, tilt=0.05)
    for face in faces_in_order(drawn.pixels, find_pieces(drawn.pixels, 6)):
        picture = rectified(face, (220, 310)).astype(int)
        middles = [picture[3, 110], picture[-4, 110], picture[155, 3], picture[155, -4]]
        assert np.min(middles) > 190


def test_cards_in_any_direction_are_found_without_a_deck() -> None:
    angles = [12, -25, 40, 3, -8, 80, 33, -50]
    drawn = photo(range(40, 48), Style(size_mm=(40, 56)), WOOD, columns=4, tilt=0.08, angles=angles)
    found = find_cards(drawn.pixels)
    assert len(found) == 8
    centres = np.array([card.corners.mean(axis=0) for card in found])
    for true in drawn.corners.mean(axis=1):
        assert np.linalg.norm(centres - true, axis=1).min() < 3
    assert all(0 < card.quality <= 1 for card in found)


def test_an_empty_table_has_no_cards() -> None:
    rng = np.random.default_rng(3)
    table = np.clip(rng.normal(120, 4, (900, 1200, 3)), 0, 255).astype(np.uint8)
    assert find_cards(table) == ()


@pytest.mark.parametrize(("pitch", "yaw"), [(0.0, 0.0), (0.35, 0.1), (-0.2, 0.4)])
def test_the_plane_makes_rectangles_of_what_is_seen(pitch: float, yaw: float) -> None:
    size = (1600, 1200)
    seen_from = np.linalg.inv(tilted(size, np.array([[pitch, yaw]]))[0])
    flat = np.array([[x, y] for x in (400, 800, 1100) for y in (300, 700)], float)[:, None]
    quads = flat + np.array([[0, 0], [150, 0], [150, 210], [0, 210]], float)
    points = np.concatenate([quads, np.ones((6, 4, 1))], axis=2) @ seen_from.T
    plane = plane_of_quads(points[..., :2] / points[..., 2:], size)
    back = plane.flat(points[..., :2] / points[..., 2:])
    sides = np.linalg.norm(np.roll(back, -1, axis=1) - back, axis=2)
    assert np.abs(sides[:, 0] / sides[:, 1] / (150 / 210) - 1).max() < 0.01
    assert np.ptp(sides[:, 0]) < 0.02 * sides[0, 0]
