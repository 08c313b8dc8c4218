"""Calibration photos of cards and tokens printed to their edges: no border tells a piece from its print."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.calibrate_find import find_pieces
from durian_assist.vision.calibrate_references import faces_in_order
from durian_assist.vision.find_candidates import distinct
from durian_assist.vision.find_shapes import Shape, clockwise

Pixels = NDArray[np.uint8]
Points = NDArray[np.float32]

DARK_WOOD, WHITE_DESK = (50, 62, 78), (222, 226, 228)
RED, BLUE, GOLD, BLACK = (48, 62, 224), (150, 70, 26), (40, 190, 248), (40, 36, 36)
PAPER = (215, 232, 240)


def table(colour: tuple[int, int, int], size: tuple[int, int] = (1600, 1200)) -> Pixels:
    grain = np.random.default_rng(3).normal(0, 3, (size[1], size[0], 3))
    grain += cv2.GaussianBlur(np.random.default_rng(4).normal(0, 1, size[::-1]), (0, 0), sigmaX=30, sigmaY=2)[..., None]
    return np.clip(np.array(colour) + grain, 0, 255).astype(np.uint8)


def card(pixels: Pixels, x: int, y: int, blocks: Sequence[tuple[int, int, int]]) -> Points:
    """A card of 200 x 300 pixels: three blocks of colour on its left, paper with signs on its right."""
    for number, colour in enumerate(blocks):
        cv2.rectangle(pixels, (x, y + 100 * number), (x + 123, y + 100 * number + 99), colour, -1)
        cv2.circle(pixels, (x + 62, y + 100 * number + 50), 30, PAPER, -1)
    cv2.rectangle(pixels, (x + 124, y), (x + 199, y + 299), PAPER, -1)
    for number in range(3):
        cv2.circle(pixels, (x + 160, y + 50 + 100 * number), 18, (RED, BLUE, BLACK)[number], -1)
    return np.array([(x, y), (x + 200, y), (x + 200, y + 300), (x, y + 300)], np.float32)


def test_a_block_of_the_tables_colour_does_not_take_a_corner_off_a_card() -> None:
    """The outline without that corner has the stronger edge, and the same upright box round it."""
    pixels, true = table(DARK_WOOD), []
    blocks = [(RED, GOLD, BLUE), (GOLD, BLUE, RED), (BLUE, RED, GOLD)]
    for number in range(6):
        first, *rest = blocks[number % 3]
        own = ((70, 72, 84) if number in (1, 4) else first, *rest)
        true.append(card(pixels, 180 + 460 * (number % 3), 180 + 480 * (number // 3), own))
    pixels = np.asarray(cv2.GaussianBlur(pixels, (0, 0), 1.0), np.uint8)
    faces = faces_in_order(pixels, find_pieces(pixels, 6))
    assert len(faces) == 6
    assert np.abs(np.array([face.corners for face in faces]) - np.array(true)).max() < 3


def shape(points: Points, contrast: float) -> Shape:
    quad = clockwise(cv2.approxPolyN(points, 4, ensure_convex=True).reshape(4, 2).astype(np.float32))
    return Shape(points, quad, 1.0, 1.0, contrast, 1.0)


def test_outlines_with_one_upright_box_are_one_only_where_their_corners_agree() -> None:
    whole = np.array([(100, 100), (300, 100), (300, 400), (100, 400)], np.float32)
    cut = np.array([(180, 100), (300, 100), (300, 400), (100, 400), (100, 200)], np.float32)
    kept = distinct([shape(whole, 40.0), shape(whole + 1, 30.0), shape(cut, 60.0)])
    assert [s.contrast for s in kept] == [60.0, 40.0]


def hexagon(pixels: Pixels, x: int, y: int, value: int) -> Points:
    """A token, black above and gold below, with its number across the middle."""
    corners = [(x + 120 * a, y + 104 * b) for a, b in ((-1, 0), (-0.5, -1), (0.5, -1), (1, 0), (0.5, 1), (-0.5, 1))]
    outline = np.array(corners, np.float32)
    cv2.fillConvexPoly(pixels, outline[[0, 1, 2, 3]].round().astype(np.int32), BLACK)
    cv2.fillConvexPoly(pixels, outline[[3, 4, 5, 0]].round().astype(np.int32), GOLD)
    cv2.putText(pixels, str(value), (x - 40, y + 46), cv2.FONT_HERSHEY_SIMPLEX, 4.2, (245, 245, 245), 18)
    return outline


def test_halves_of_tokens_in_one_row_are_not_whole_ones_in_the_next() -> None:
    """Four-sided halves above and whole hexagons below keep to one size on no plane, however well they are seen."""
    pixels = table(WHITE_DESK)
    true = [hexagon(pixels, 240 + 370 * (n % 4), 330 + 430 * (n // 4), n + 1) for n in range(7)]
    pixels = np.asarray(cv2.GaussianBlur(pixels, (0, 0), 1.0), np.uint8)
    faces = faces_in_order(pixels, find_pieces(pixels, 7))
    assert [face.four_sided for face in faces] == [False] * 7
    for face, outline in zip(faces, true, strict=True):
        assert np.abs(face.corners.mean(axis=0) - outline.mean(axis=0)).max() < 8
