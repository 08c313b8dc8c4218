"""A piece of a calibration photo whose corners were found askew, mended by another photo of its class."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from durian_assist.vision import calibrate_deck
from durian_assist.vision.calibrate_deck import Labelled, calibrated, faces_of
from durian_assist.vision.calibrate_references import Face
from durian_assist.vision.calibrate_straighten import straightened
from durian_assist.vision.photo import Photo
from tests.vision.drawn import Drawn, Style, photo

NAMES = ("a", "b", "c")
WOOD = (120, 160, 190)


def faces(name: str, tilt: float) -> tuple[list[Face], Drawn]:
    drawn = photo(range(20, 23), Style(), WOOD, columns=3, tilt=tilt)
    return faces_of(Labelled(Photo(name, drawn.pixels), NAMES)), drawn


def askew(face: Face, by: float) -> Face:
    """Its right side inwards and its lower left corner out by a share of its height, as a frame's line leads."""
    height = float(np.linalg.norm(face.corners[3] - face.corners[0]))
    move = np.array([(0, 0), (-by, 0), (-by, 0), (-by / 2, by / 2)]) * height
    return replace(
        face, corners=(face.corners + move).astype(np.float32), sides=(face.sides[0] - by * height / 2, face.sides[1])
    )


def offset(face: Face, drawn: Drawn, number: int) -> float:
    """Share of its height by which its worst corner is off."""
    true = drawn.corners[number]
    miss = np.linalg.norm(face.corners - true, axis=1).max()
    return float(miss / np.linalg.norm(true[3] - true[0]))


@pytest.mark.parametrize("photo_number", [0, 1])
def test_piece_that_is_askew_is_laid_onto_its_other_photo(photo_number: int) -> None:
    shown = [faces("one.jpg", 0.02), faces("two.jpg", 0.06)]
    own, drawn = shown[photo_number]
    own[1] = askew(own[1], 0.03)
    assert offset(own[1], drawn, 1) > 0.028
    pairs = {name: [shown[0][0][n], shown[1][0][n]] for n, name in enumerate(NAMES)}
    mended = straightened(pairs)
    assert offset(mended["b"][photo_number], drawn, 1) < 0.006
    assert mended["b"][photo_number].sides == pytest.approx(own[0].sides, rel=0.01)
    untouched = [(name, n) for name in NAMES for n in range(2) if (name, n) != ("b", photo_number)]
    assert all(mended[name][n] is pairs[name][n] for name, n in untouched)


def test_other_art_moves_nothing_far() -> None:
    """Where the label of the other photo is another card's, the corners stay where they were found."""
    first, second = faces("one.jpg", 0.02)[0], faces("two.jpg", 0.06)[0]
    wrong = askew(second[1], 0.012)
    mended = straightened({"a": [first[0], second[0]], "b": [first[2], wrong], "c": [first[1], second[2]]})
    assert np.abs(mended["b"][1].corners - wrong.corners).max() < 0.06 * wrong.sides[1]


def test_references_of_a_deck_are_straight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = calibrate_deck.faces_of
    monkeypatch.setattr(
        calibrate_deck,
        "faces_of",
        lambda shown: [
            askew(face, 0.03) if (n, face.photo) == (1, "two.jpg") else face for n, face in enumerate(plain(shown))
        ],
    )
    photos = [Photo(name, faces(name, tilt)[1].pixels) for name, tilt in (("one.jpg", 0.02), ("two.jpg", 0.06))]
    deck = calibrated("deck", "cards", tmp_path, [Labelled(shown, NAMES) for shown in photos])
    first, second = next(kind for kind in deck.classes if kind.name == "b").references
    assert np.corrcoef(first.ravel(), second.ravel())[0, 1] > 0.97
