"""Finding the pieces of a calibration photo: the edge of the piece, not what is printed on it or lies beside it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from durian_assist.errors import InputError
from durian_assist.vision.calibrate_checks import check_photo
from durian_assist.vision.calibrate_deck import Labelled, faces_of
from durian_assist.vision.calibrate_find import find_pieces
from durian_assist.vision.calibrate_references import faces_in_order
from durian_assist.vision.calibrate_regular import regular
from durian_assist.vision.calibrate_table import like_the_table
from durian_assist.vision.find_candidates import candidates
from durian_assist.vision.find_shapes import Shape
from durian_assist.vision.photo import Photo
from tests.vision.drawn import Drawn, Pixels, Style, photo

WOOD, BROWN, GREEN = (120, 160, 190), (70, 90, 120), (60, 120, 50)


def off_by(drawn: Drawn) -> float:
    """Pixels by which the worst corner found is off."""
    faces = faces_in_order(drawn.pixels, find_pieces(drawn.pixels, len(drawn.corners)))
    assert len(faces) == len(drawn.corners)
    return float(np.abs(np.array([face.corners for face in faces]) - drawn.corners).max())


@pytest.mark.parametrize(("count", "columns"), [(1, 1), (2, 2), (6, 3)])
def test_a_thin_bright_line_is_not_the_edge_of_a_dark_card(count: int, columns: int) -> None:
    style = Style(border=(45, 38, 32), line=(150, 215, 240), border_mm=4)
    assert off_by(photo(range(50, 50 + count), style, BROWN, columns=columns, tilt=0.05)) < 2.5


def test_a_number_plate_is_not_the_token() -> None:
    style = Style(border=(70, 60, 50), token=True, size_mm=(40, 40), plate=True)
    drawn = photo(range(60, 66), style, GREEN, columns=3)
    faces = faces_in_order(drawn.pixels, find_pieces(drawn.pixels, 6))
    assert [face.four_sided for face in faces] == [False] * 6
    for face, true in zip(faces, drawn.corners, strict=True):
        assert np.abs(face.corners.mean(axis=0) - true.mean(axis=0)).max() < 4
        assert abs(face.sides[0] / np.linalg.norm(true[1] - true[0]) - 1) < 0.06


def planks(drawn: Drawn) -> Pixels:
    """The photo with dark seams that make rectangles of bare table, larger than the piece."""
    pixels = drawn.pixels.copy()
    height, width = pixels.shape[:2]
    middle = drawn.corners[0].mean(axis=0)
    for x in (0.06 * width, 0.94 * width):
        cv2.line(pixels, (int(x), 0), (int(x), height), (30, 40, 50), 5)
    for y in (0.03 * height, middle[1] - 0.36 * height, middle[1] + 0.36 * height):
        cv2.line(pixels, (0, int(y)), (width, int(y)), (30, 40, 50), 5)
    return pixels


def test_bare_table_between_seams_is_no_piece() -> None:
    drawn = photo([7], Style(size_mm=(50, 16), border=(60, 40, 30), border_mm=1), WOOD, columns=1)
    table = cv2.copyMakeBorder(drawn.pixels, 420, 420, 0, 0, cv2.BORDER_REPLICATE)
    corners = drawn.corners + np.array([0, 420])
    on_planks = planks(Drawn(np.asarray(table, np.uint8), corners))
    found = find_pieces(on_planks, 1)
    assert len(found) == 1
    assert np.abs(np.sort(found[0].quad, axis=0) - np.sort(corners[0], axis=0)).max() < 8


def test_what_looks_like_the_table_is_told_from_a_piece() -> None:
    drawn = photo(range(20, 22), Style(), WOOD, columns=2)
    shapes = [Shape(c.astype(np.float32), c.astype(np.float32), 1.0) for c in drawn.corners]
    width = drawn.corners[0][1, 0] - drawn.corners[0][0, 0]
    left = float(drawn.corners[0][1, 0])
    gap = np.array([[left + 4, 300], [left + 0.3 * width, 300], [left + 0.3 * width, 600], [left + 4, 600]], np.float32)
    pieces = like_the_table([*shapes, Shape(gap, gap, 1.0)], drawn.pixels)
    assert pieces[:2].max() < 0.5
    assert pieces[2] > 0.9


def test_an_outline_with_a_shadow_in_it_is_put_right() -> None:
    drawn = photo(range(70, 76), Style(), GREEN, columns=3)
    found = candidates(drawn.pixels, 0.7)
    quads = [((c + 0.5) * found.scale - 0.5).astype(np.float32) for c in drawn.corners]
    seen: list[Shape | None] = [Shape(q, q, 1.0, 1.0, 20.0, 1.0) for q in quads]
    wrong = quads[4].copy()
    wrong[[0, 3], 0] -= 0.04 * (wrong[1, 0] - wrong[0, 0])
    places = [*seen[:4], Shape(wrong, wrong, 1.0, 0.7, 10.0, 0.6), seen[5]]
    mended = regular([p for p in places if p is not None], [*seen[:4], None, seen[5]], 6, found.steps, [])
    assert np.abs(mended[4].quad - quads[4]).max() < 3.5


def test_one_plain_card_on_a_soft_table_is_no_blurred_photo() -> None:
    rng = np.random.default_rng(4)
    table = cv2.GaussianBlur(rng.normal(0, 1, (1200, 1600)).astype(np.float32), (0, 0), 9)
    picture = np.full((1200, 1600, 3), 120, np.float32) + (table / table.std() * 30)[..., None]
    cv2.rectangle(picture, (500, 200), (1100, 1000), (225, 225, 235), -1)
    pixels = np.clip(picture + rng.normal(0, 1, picture.shape), 0, 255).astype(np.uint8)
    check_photo(Photo("plain.jpg", pixels))
    with pytest.raises(InputError, match="blurred"):
        check_photo(Photo("soft.jpg", np.asarray(cv2.GaussianBlur(pixels, (0, 0), 6), np.uint8)))


def test_faces_know_their_photo() -> None:
    drawn = photo(range(1, 4), Style(), GREEN, columns=3)
    faces = faces_of(Labelled(Photo("one.png", drawn.pixels), ("a", "b", "c")))
    assert {face.photo for face in faces} == {"one.png"}
