"""Photos that are poor as a whole: what is said of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from durian_assist.errors import InputError
from durian_assist.resources import shipped
from durian_assist.vision.photo import Photo, load_photo
from durian_assist.vision.poor_photo import WASHED_OUT, for_poor_photos, poor, warnings
from durian_assist.vision.rectify import Pixels
from tests.conftest import Run

GRID = load_photo(shipped("sample_images", "smuggler-final-02.jpg")).pixels


def brighter(pixels: Pixels, times: float) -> Pixels:
    return np.asarray(np.clip(pixels.astype(np.float32) * times, 0, 255), np.uint8)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda p: p[::9, ::9].copy(), "the photo is too small"),
        (lambda p: brighter(p, 0.05), "the photo is too dark"),
        (lambda p: brighter(p, 1.6), "% of it is pure white"),
        (lambda p: brighter(p, 50.0), "washed out to white"),
        (lambda p: np.full_like(p, 120), "the photo shows nothing"),
        (lambda p: cv2.GaussianBlur(p, (0, 0), 20), "the photo is blurred"),
    ],
)
def test_what_is_wrong_is_named(spoil: Callable[[Pixels], Pixels], said: str) -> None:
    fault = poor(Photo("a.jpg", spoil(GRID)))
    assert fault is not None
    assert said in fault.what
    assert fault.mend


def test_a_good_photo_has_no_fault() -> None:
    assert poor(Photo("a.jpg", GRID)) is None
    assert warnings([Photo("a.jpg", GRID)]) == ()


def test_calibration_takes_a_bright_photo_that_is_not_washed_out() -> None:
    assert poor(Photo("a.jpg", brighter(GRID, 1.6)), white=WASHED_OUT) is None


def test_each_reason_is_said_once_with_all_the_photos() -> None:
    error = InputError("no table was found", where="a.jpg", mend="Show the whole table.")
    photos = [Photo(name, brighter(GRID, 50.0)) for name in ("a.jpg", "b.jpg")]
    said = for_poor_photos(error, photos)
    assert said is not None
    assert said.what == "the photo is washed out to white; so no table was found"
    assert said.where == "a.jpg and b.jpg"
    assert said.mend == "Take it anew with less light or out of the glare. Show the whole table."
    assert for_poor_photos(error, [Photo("a.jpg", GRID)]) is None


@pytest.mark.parametrize(("times", "code", "said"), [(50.0, 3, "washed out to white; so"), (1.9, 4, "warning: ")])
def test_the_player_hears_it(run: Run, tmp_path: Path, times: float, code: int, said: str) -> None:
    photo = tmp_path / "bright.png"
    cv2.imwrite(str(photo), brighter(GRID, times))
    result = run("smuggler", "score", photo, "--deck", "harbour-smuggler")
    assert result.exit_code == code
    assert said in result.stderr
    assert "Take it anew with less light" in result.stderr
