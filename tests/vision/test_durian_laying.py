"""A card that is seen a little wider or askew is laid exactly on its face."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.durian_contrast import contrast
from durian_assist.vision.durian_laying import laid_on
from tests.vision.test_durian_twins import printed

FACE = contrast(np.asarray(cv2.resize(printed("grapes1-banana3", (0, 0), 1.0), (84, 60), interpolation=cv2.INTER_AREA)))
ALL = np.ones((60, 84), np.bool_)


def stretched(share: float, shear: float) -> NDArray[np.float32]:
    """The face seen so much wider, and slanted by `shear`, about its middle."""
    linear = np.array([[1 + share, shear], [0.0, 1 - share / 2]])
    middle = np.array([41.5, 29.5])
    matrix = np.column_stack([linear, middle - linear @ middle])
    return np.asarray(cv2.warpAffine(FACE, matrix, (84, 60)), np.float32)


def like(view: NDArray[np.float32], use: NDArray[np.bool_]) -> float:
    return float(np.corrcoef(view[use].reshape(-1), FACE[use].reshape(-1))[0, 1])


def test_it_is_laid_on_its_face() -> None:
    for share, shear in ((0.05, 0.0), (-0.04, 0.05)):
        view = stretched(share, shear)
        laid, use = laid_on(view, ALL, FACE)
        assert like(view, ALL) < 0.92
        assert like(laid, use) > 0.95


def test_what_is_hidden_pulls_nowhere_and_stays_hidden() -> None:
    view, use = stretched(0.05, 0.0), ALL.copy()
    view[:, 60:] = np.random.default_rng(3).normal(0, 1, (60, 24, 3))
    use[:, 60:] = False
    laid, left = laid_on(view, use, FACE)
    assert like(laid, left) > 0.95
    assert not left[:, 64:].any()


def test_what_fits_or_shows_next_to_nothing_stays_where_it_is() -> None:
    assert np.array_equal(laid_on(FACE, ALL, FACE)[0], FACE)
    few = np.zeros_like(ALL)
    few[:5, :5] = True
    view = stretched(0.05, 0.0)
    assert laid_on(view, few, FACE)[0] is view
