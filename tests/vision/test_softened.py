"""Small pictures are softened by matrix products as by a filter."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from durian_assist.vision.softened import softened


@pytest.mark.parametrize("shape", [(32, 48), (60, 90), (60, 90, 3), (40, 30, 1), (20, 200), (300, 40, 3)])
@pytest.mark.parametrize("sigma", [0.8, 2.2, 4.5, 14.4])
def test_a_picture_is_softened_as_by_a_filter(shape: tuple[int, ...], sigma: float) -> None:
    picture = np.asarray(np.random.default_rng(4).normal(120, 40, shape), np.float32)
    want = cv2.GaussianBlur(picture, (0, 0), sigma).reshape(shape)
    soft = softened(picture, sigma)
    assert soft.shape == shape
    assert soft.dtype == np.float32
    assert soft == pytest.approx(want, abs=2e-3)


def test_a_wide_blur_of_a_small_picture_takes_no_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = np.zeros((32, 48), np.float32)
    monkeypatch.setattr(cv2, "GaussianBlur", lambda *_: pytest.fail("filtered"))
    softened(picture, 9.0)
    softened(picture, 2.2)
