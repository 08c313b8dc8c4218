"""Finding cards and pieces: styles of cards and tables, tokens, wrong counts, the table's plane."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from durian_assist.vision.calibrate_find import find_pieces
from durian_assist.vision.calibrate_references import faces_in_order, rectified
from durian_assist.vision.find_cards import find_cards
from durian_assist.vision.find_plane import plane_of_quads, tilted
from tests.vision.drawn import Pixels, Style, photo

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


def cloth(size: tuple[int, int], square: int) -> Pixels:
    """A checked cloth of red, pale red and white squares with its weave."""
    y, x = np.mgrid[: size[1], : size[0]] // square % 2
    pale, red, white = np.array([140, 140, 215]), np.array([35, 30, 180]), np.array([225, 228, 230])
    colours = np.where((x + y == 1)[..., None], pale, np.where((x == 1)[..., None], red, white))
    weave = np.random.default_rng(5).normal(0, 4, (size[1], size[0], 1))
    return np.asarray((colours + weave).clip(0, 255), np.uint8)


def test_the_squares_of_a_cloth_are_no_cards() -> None:
    style = Style(size_mm=(50, 50), border=(60, 30, 20))
    drawn = photo(range(10, 16), style, GREEN, columns=3)
    size = (drawn.pixels.shape[1], drawn.pixels.shape[0])
    pixels = cloth(size, 48)
    assert find_cards(pixels) == ()
    for corners in drawn.corners:
        mask = cv2.fillConvexPoly(np.zeros(size[::-1], np.uint8), corners.round().astype(np.int32), 1)
        pixels[mask > 0] = drawn.pixels[mask > 0]
    found = find_cards(pixels)
    assert len(found) == 6
    centres = np.array([card.corners.mean(axis=0) for card in found])
    assert all(np.linalg.norm(centres - true, axis=1).min() < 40 for true in drawn.corners.mean(axis=1))


def test_plain_cards_that_touch_in_a_grid_are_no_cloth() -> None:
    table = np.full((1200, 1200, 3), GREEN, np.uint8)
    for row in range(5):
        for column in range(5):
            x, y = 180 + column * 162, 180 + row * 162
            cv2.rectangle(table, (x, y), (x + 158, y + 158), (40, 60, 150), -1)
    assert len(find_cards(table)) == 25
