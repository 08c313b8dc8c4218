"""Finding the pieces of a calibration photo: the edge of the piece, not what is printed on it or lies beside it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from durian_assist.errors import InputError
from durian_assist.vision import calibrate_find
from durian_assist.vision.calibrate_checks import check_photo
from durian_assist.vision.calibrate_choose import choose
from durian_assist.vision.calibrate_deck import Labelled, faces_of
from durian_assist.vision.calibrate_find import find_pieces
from durian_assist.vision.calibrate_grow import grown
from durian_assist.vision.calibrate_references import faces_in_order
from durian_assist.vision.calibrate_regular import regular
from durian_assist.vision.calibrate_table import like_the_table
from durian_assist.vision.find_candidates import Candidates, candidates
from durian_assist.vision.find_frames import frames
from durian_assist.vision.find_plane import Plane
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


@pytest.mark.parametrize(("table", "off"), [((95, 130, 170), (-22, -8, 6)), (WOOD, (-30, -12, 10))])
def test_a_ribbon_much_like_the_table_does_not_part_a_dark_card(
    table: tuple[int, int, int], off: tuple[int, int, int]
) -> None:
    """In a soft photo no step of colour is left at the ribbon's ends: only the table's own colours tell it from it."""
    like, more = (tuple(t + round(f * o) for t, o in zip(table, off, strict=True)) for f in (1.0, 1.4))
    ribbons: tuple[tuple[int, int, int], ...] = ((like[0], like[1], like[2]), (more[0], more[1], more[2]))
    ribbons = (*ribbons, *ribbons, (170, 120, 60), (150, 60, 140))
    style = Style((45, 38, 32), 4, (60, 60), line=(150, 215, 240), ribbons=ribbons)
    drawn = photo(range(54, 60), style, table, columns=3, tilt=0.05)
    soft = cv2.GaussianBlur(drawn.pixels, (0, 0), 2.5) + np.random.default_rng(1).normal(0, 2, drawn.pixels.shape)
    assert off_by(Drawn(np.clip(soft, 0, 255).astype(np.uint8), drawn.corners)) < 2.5


def test_outlines_of_two_cards_each_do_not_make_prints_of_the_cards() -> None:
    """Dice between cards of two rows join two pairs of them: these are few, and no pieces."""
    cards = [square(x, y, 200, 1.0) for y in (300, 700) for x in (150, 500, 850, 1200)]
    pairs = [box(850, y, 550, 200, 0.85) for y in (300, 700)]
    blank = np.full((1200, 1600, 3), 90, np.uint8)
    shapes = [*cards, *pairs]
    found = Candidates(1.0, (1600, 1200), blank, np.zeros((1200, 1600), np.float32), shapes, shapes)
    assert sorted(map(id, choose(found, 8))) == sorted(map(id, cards))


def test_a_number_plate_is_not_the_token() -> None:
    style = Style(border=(70, 60, 50), token=True, size_mm=(40, 40), plate=True)
    drawn = photo(range(60, 66), style, GREEN, columns=3)
    faces = faces_in_order(drawn.pixels, find_pieces(drawn.pixels, 6))
    assert [face.four_sided for face in faces] == [False] * 6
    for face, true in zip(faces, drawn.corners, strict=True):
        assert np.abs(face.corners.mean(axis=0) - true.mean(axis=0)).max() < 4
        assert abs(face.sides[0] / np.linalg.norm(true[1] - true[0]) - 1) < 0.06


def box(x: float, y: float, width: float, height: float, worth: float) -> Shape:
    corners = np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32)
    return Shape(corners, corners, 1.0, 1.0, 20.0, worth)


def square(x: float, y: float, side: float, worth: float) -> Shape:
    return box(x, y, side, side, worth)


def disc(x: float, y: float, radius: float, worth: float) -> Shape:
    angles = np.arange(40) / 40 * 2 * np.pi
    outline = (np.stack([np.cos(angles), np.sin(angles)], axis=1) * radius + (x, y)).astype(np.float32)
    return Shape(outline, square(x - radius, y - radius, 2 * radius, worth).quad, 0.79, 1.0, 20.0, worth)


def test_pieces_are_the_shapes_that_go_round_the_plates() -> None:
    """The plates are seen better, and there are larger outlines yet, of the tokens' shadows, seen far worse."""
    middles = [(x, y) for y in (300, 700) for x in (300, 700, 1100)]
    plates = [square(x - 40, y - 10, 80, 1.0) for x, y in middles]
    tokens = [disc(x, y, 110, 0.8) for x, y in middles]
    shapes = [*plates, *tokens, *(disc(x + 8, y, 124, 0.5) for x, y in middles)]
    blank = np.full((1200, 1600, 3), 90, np.uint8)
    found = Candidates(1.0, (1600, 1200), blank, np.zeros((1200, 1600), np.float32), shapes, shapes)
    assert sorted(map(id, choose(found, 6))) == sorted(map(id, tokens))
    alone = Candidates(1.0, (1600, 1200), blank, np.zeros((1200, 1600), np.float32), plates, plates)
    assert sorted(map(id, choose(alone, 6))) == sorted(map(id, plates))


def steps_of(sides: int) -> NDArray[np.float32]:
    """Colour steps of a printed square of 200 pixels, and weaker ones of so many sides of the card 30 pixels out."""
    steps = np.random.default_rng(2).uniform(0, 1, (600, 600)).astype(np.float32)
    cv2.rectangle(steps, (200, 200), (400, 400), 40.0, 7)
    edges = [((170, 170), (430, 170)), ((430, 170), (430, 430)), ((430, 430), (170, 430)), ((170, 430), (170, 170))]
    for start, end in edges[:sides]:
        cv2.line(steps, start, end, 9.0, 2)
    return steps


def test_a_piece_grows_to_the_edge_that_goes_all_round() -> None:
    straight = Plane(np.eye(3), 0.0)
    wider = grown([square(200, 200, 200, 1.0)], straight, steps_of(4))
    assert len(wider) == 2
    assert all(np.abs(shape.quad - square(170, 170, 260, 1.0).quad).max() < 2 for shape in wider)
    assert grown([square(200, 200, 200, 1.0)], straight, steps_of(3)) == []


def test_pieces_are_grown_to_an_edge_of_which_no_outline_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The outlines found are those of the print; the cards' own edges are seen only in the steps of colour."""
    steps = np.hstack([steps_of(4), steps_of(4)])
    prints = [square(200, 200, 200, 1.0), square(800, 200, 200, 1.0)]
    art = np.random.default_rng(3).integers(0, 255, (600, 1200, 3), dtype=np.uint8)
    found = Candidates(1.0, (1200, 600), art, steps, prints, prints)
    monkeypatch.setattr(calibrate_find, "candidates", lambda *_, **__: found)
    pieces = sorted(find_pieces(art, 2), key=lambda piece: float(piece.quad[0, 0]))
    assert len(pieces) == 2
    for piece, x in zip(pieces, (170, 770), strict=True):
        assert np.abs(piece.quad - square(x, 170, 260, 1.0).quad).max() < 2.5


def test_an_edge_too_weak_on_each_side_is_seen_on_all_four_at_one_distance() -> None:
    steps = np.random.default_rng(2).uniform(0, 3, (600, 600)).astype(np.float32)
    cv2.rectangle(steps, (200, 200), (400, 400), 40.0, 7)
    cv2.rectangle(steps, (170, 170), (430, 430), 7.0, 2)
    steps[165:175, 160:440] = np.minimum(steps[165:175, 160:440], 2.5)
    wider = grown([square(200, 200, 200, 1.0)], Plane(np.eye(3), 0.0), steps)
    assert len(wider) == 1
    assert np.abs(wider[0].quad - square(170, 170, 260, 1.0).quad).max() < 2


def test_a_round_piece_grows_by_the_same_all_round() -> None:
    steps = np.random.default_rng(2).uniform(0, 1, (600, 600)).astype(np.float32)
    cv2.circle(steps, (300, 300), 100, 40.0, 7)
    cv2.circle(steps, (300, 300), 122, 9.0, 2)
    wider = grown([disc(300, 300, 100, 1.0)], Plane(np.eye(3), 0.0), steps)
    assert len(wider) == 1
    assert abs(wider[0].area / (np.pi * 122**2) - 1) < 0.03


def test_a_cut_off_corner_does_not_hide_that_an_outline_goes_round() -> None:
    outer, inner = square(100, 100, 300, 1.0), square(115, 115, 270, 1.0)
    cut = np.array([[160, 100], [400, 100], [400, 400], [100, 400], [100, 160]], np.float32)
    assert frames(Shape(cut, outer.quad, 0.98, 1.0, 20.0, 1.0), inner)


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
