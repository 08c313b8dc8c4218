"""Numbers compared with many references at once: as OpenCV's masked matching compares each of them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from durian_assist.vision.token_shifts import REACH, Mask, Shifts, box_of
from durian_assist.vision.token_softness import Softness

CANVAS = (60, 80)


def random(seed: int) -> np.ndarray:
    return cv2.GaussianBlur(np.random.default_rng(seed).random(CANVAS).astype(np.float32) * 255, (0, 0), 2.0)


def blob(x: int, y: int) -> Mask:
    """A round region about a place of the canvas, cut off at its edge."""
    drawn = np.zeros(CANVAS, np.uint8)
    cv2.circle(drawn, (x, y), 11, 1, -1)
    return drawn > 0


def matched(light: np.ndarray, reference: np.ndarray, region: Mask) -> float:
    """The same by OpenCV."""
    rows, columns = box_of(region)
    above, before = max(rows.start - REACH, 0), max(columns.start - REACH, 0)
    window = np.ascontiguousarray(light[above : rows.stop + REACH, before : columns.stop + REACH])
    part, mask = np.ascontiguousarray(reference[rows, columns]), region[rows, columns].astype(np.float32)
    return float(cv2.matchTemplate(window, part, cv2.TM_CCOEFF_NORMED, mask=mask).max())


@pytest.mark.parametrize("place", [(40, 30), (4, 30), (76, 57)])
def test_many_references_are_compared_as_opencv_compares_one(place: tuple[int, int]) -> None:
    region, light = blob(*place), random(1)
    references = [np.roll(light, (2, -3), (0, 1)), random(2), random(3) + 0.3 * light]
    shifts = Shifts.of(light, region)
    expected = [matched(light, reference, region) for reference in references]
    assert np.abs(shifts.best([reference[shifts.box] for reference in references]) - expected).max() < 1e-4


def test_a_number_is_found_within_its_reach_and_not_beyond() -> None:
    region, light = blob(40, 30), random(4)
    shifts = Shifts.of(light, region)
    near, far = (np.roll(light, by, 1)[shifts.box] for by in (REACH, 3 * REACH))
    found = shifts.best([near, far])
    assert found[0] > 0.999
    assert found[1] < 0.9


def test_what_has_no_contrast_is_like_nothing() -> None:
    region = blob(40, 30)
    shifts = Shifts.of(random(5), region)
    assert abs(float(shifts.best([np.full(CANVAS, 90, np.float32)[shifts.box]])[0])) < 1e-3


@pytest.mark.parametrize("softness", [Softness(), Softness(0.02, 0.02), Softness(0.04, 0.005, 0.6)])
def test_a_part_of_a_token_is_as_soft_as_in_the_whole(softness: Softness) -> None:
    light = random(6)
    for place in ((40, 30), (4, 30), (76, 57)):
        box = box_of(blob(*place))
        assert np.abs(softness.of(light, box) - softness.of(light)[box]).max() < 1e-2
