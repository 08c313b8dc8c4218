"""Canvases, corners and alignment: geometry against its plain definition."""

from __future__ import annotations

import subprocess
import sys

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durian_assist.vision.align import Aligner
from durian_assist.vision.rectify import (
    Floats,
    Picture,
    Points,
    canvas_to_photo,
    median,
    project,
    quantile,
    turned_corners,
)
from tests.vision.smuggler_scenes import deck

SIDE = 64
QUAD = np.array([[60.0, 40.0], [170.0, 52.0], [160.0, 165.0], [48.0, 150.0]])


def lightness(name: str) -> Floats:
    """(SIDE, SIDE) the lightness of a class's reference."""
    card = next(c for c in deck().classes if c.name == name)
    small = cv2.resize(card.references[0], (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)


def photographed_at(quad: Points) -> Picture:
    """A grey table with one card on it."""
    card = next(c for c in deck().classes if c.name == "red/durian/6").references[0]
    to_photo = canvas_to_photo(quad, (card.shape[1], card.shape[0]))
    pixels = np.full((220, 220, 3), 120, np.uint8)
    cv2.warpPerspective(card, to_photo, (220, 220), dst=pixels, borderMode=cv2.BORDER_TRANSPARENT)
    return Picture(pixels)


@given(st.lists(st.floats(-80, 300), min_size=8, max_size=8), st.integers(3, 20), st.integers(3, 20))
@settings(deadline=None)
def test_a_canvas_pixel_is_inside_where_its_point_of_the_photo_is(where: list[float], w: int, h: int) -> None:
    quad = QUAD + np.array(where).reshape(4, 2) / 4
    to_photo = canvas_to_photo(quad, (w, h))
    grid = np.array([[x, y] for y in range(h) for x in range(w)], float)
    at = project(to_photo, grid)
    expected = (at >= 0).all(1) & (at[:, 0] < 130) & (at[:, 1] < 90)
    assert (Picture(np.zeros((90, 130, 3), np.uint8)).inside(to_photo, (w, h)).reshape(-1) == expected).all()


@pytest.mark.parametrize(("scale", "level"), [(0.5, 0), (1.0, 0), (1.7, 0), (2.0, 1), (4.1, 2), (15.0, 4), (900.0, 5)])
def test_a_photo_is_halved_until_its_pixels_are_as_large_as_the_canvas(scale: float, level: int) -> None:
    shrunk = Picture(np.zeros((256, 256, 3), np.uint8))
    shrunk.warp(np.diag([scale, scale, 1.0]), (8, 8))
    assert len(shrunk._levels) == level + 1


@given(st.integers(-5, 5))
def test_corners_are_turned_as_often_as_said(turns: int) -> None:
    assert (turned_corners(QUAD, turns) == np.roll(QUAD, -turns, axis=0)).all()


@pytest.mark.parametrize("rigid", [False, True])
def test_a_card_is_aligned_to_a_fraction_of_a_pixel(rigid: bool) -> None:
    picture, aligner = photographed_at(QUAD), Aligner.of(lightness("red/durian/6"))
    found = aligner.refine(picture, QUAD + np.array([2.5, -3.0]), rounds=12, rigid=rigid)
    assert np.abs(found - QUAD).max() < 0.6


def test_what_lies_on_a_card_does_not_pull_it_away() -> None:
    picture, aligner = photographed_at(QUAD), Aligner.of(lightness("red/durian/6"))
    picture.pixels[30:170, 40:110] = (
        np.random.default_rng(3).integers(0, 2, (20, 10, 3)).repeat(7, 0).repeat(7, 1) * 200
    )
    visible = np.ones((SIDE, SIDE), np.bool_)
    visible[:, : SIDE * 3 // 5] = False
    found = aligner.refine(picture, QUAD + np.array([2.0, -2.0]), visible, rounds=12, rigid=True)
    assert np.linalg.norm(found - QUAD, axis=1).mean() < 1.2


def test_the_given_corners_stay_where_nothing_comes_closer() -> None:
    empty = Picture(np.full((220, 220, 3), 120, np.uint8))
    assert np.allclose(Aligner.of(lightness("red/durian/6")).refine(empty, QUAD), QUAD, atol=1e-3)


@pytest.mark.parametrize("count", [1, 2, 5, 30])
def test_medians_and_quantiles_are_those_of_numpy(count: int) -> None:
    random = np.random.default_rng(count)
    for values in (random.random((count, 2)), random.integers(0, 255, (count, 3)).astype(np.uint8)):
        assert median(values) == pytest.approx(np.median(values, axis=0))
        for share in (0.0, 0.3, 0.995, 1.0):
            assert quantile(values, share) == pytest.approx(float(np.quantile(values.astype(float), share)))


def test_medians_and_quantiles_load_no_package() -> None:
    code = (
        "import sys; from durian_assist.vision.rectify import median, quantile\n"
        "median([1.0, 2.0]), quantile([1.0, 2.0], 0.3)\n"
        "raise SystemExit('numpy.ma' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
