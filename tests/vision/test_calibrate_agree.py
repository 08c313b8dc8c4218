"""Pieces of calibration photos that were cut wrongly, mended by another photo of their class, or told of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from durian_assist.cli.calibrate_warnings import warnings
from durian_assist.vision import calibrate_deck
from durian_assist.vision.calibrate_agree import agreed
from durian_assist.vision.calibrate_deck import Labelled, calibrated, faces_of
from durian_assist.vision.calibrate_references import Face
from durian_assist.vision.find_frames import sides_of
from durian_assist.vision.photo import Photo
from tests.vision import drawn as drawing
from tests.vision.drawn import Array, Drawn, Pixels, Style, photo

NAMES = ("a", "b", "c", "d")
WOOD = (120, 160, 190)
TOKEN = Style(border=(60, 90, 110), border_mm=4.0, size_mm=(40.0, 40.0), token=True)
# Moves of the corners as shares of the height: the right side inwards and the lower left corner out, as a frame's line
# leads; one corner in, as where a seam of the table meets it. The sides are hardly longer or shorter for that.
LINE = np.array([(0, 0), (-1, 0), (-1, 0), (-0.5, 0.5)]) * 0.03
SEAM = np.array([(0, 0), (-0.018, 0.018), (0, 0), (0, 0)])


@lru_cache
def shown_in(name: str, tilt: float, style: Style, count: int) -> tuple[tuple[Face, ...], Drawn]:
    drawn = photo(range(20, 20 + count), style, WOOD, columns=4, tilt=tilt)
    return tuple(faces_of(Labelled(Photo(name, drawn.pixels), NAMES[:count]))), drawn


def faces(name: str, tilt: float, style: Style | None = None, count: int = 4) -> tuple[list[Face], Drawn]:
    own, drawn = shown_in(name, tilt, style or Style(), count)
    return list(own), drawn


def two(style: Style | None = None, count: int = 4) -> list[tuple[list[Face], Drawn]]:
    return [faces("one.jpg", 0.02, style, count), faces("two.jpg", 0.06, style, count)]


def classes(photos: Sequence[Sequence[Face]]) -> dict[str, list[Face]]:
    return {NAMES[n]: [own[n] for own in photos] for n in range(len(photos[0]))}


def moved(face: Face, share: Array) -> Face:
    height = float(np.linalg.norm(face.corners[3] - face.corners[0]))
    corners = (face.corners + share * height).astype(np.float32)
    larger = sides_of(corners.astype(np.float64)) / sides_of(face.corners.astype(np.float64))
    return replace(face, corners=corners, sides=(face.sides[0] * larger[0], face.sides[1] * larger[1]))


def resized(face: Face, size: float) -> Face:
    """Its outline drawn larger or smaller about its middle."""
    middle = face.corners.mean(axis=0)
    corners = middle + (face.corners - middle) * np.float32(size)
    return replace(face, corners=corners.astype(np.float32), sides=(face.sides[0] * size, face.sides[1] * size))


def unchanged(faces: Mapping[str, Sequence[Face]], before: Mapping[str, Sequence[Face]]) -> bool:
    return all(new is old for name in before for new, old in zip(faces[name], before[name], strict=True))


def offset(face: Face, true: Array) -> float:
    """Share of its height by which its worst corner is off."""
    miss = np.linalg.norm(face.corners - true, axis=1).max()
    return float(miss / np.linalg.norm(true[3] - true[0]))


@pytest.mark.parametrize("photo_number", [0, 1])
@pytest.mark.parametrize("share", [LINE, SEAM, LINE * 2.5], ids=["line", "seam", "far"])
def test_piece_that_is_askew_is_laid_onto_its_other_photo(photo_number: int, share: Array) -> None:
    shown = two()
    own, drawn = shown[photo_number]
    own[1] = moved(own[1], share)
    assert offset(own[1], drawn.corners[1]) > 0.02
    pairs = classes([shown[0][0], shown[1][0]])
    mended = agreed(pairs)
    assert offset(mended.faces["b"][photo_number], drawn.corners[1]) < 0.006
    assert mended.faces["b"][photo_number].sides == pytest.approx(own[0].sides, rel=0.02)
    untouched = [(name, n) for name in NAMES for n in range(2) if (name, n) != ("b", photo_number)]
    assert all(mended.faces[name][n] is pairs[name][n] for name, n in untouched)
    assert mended.doubts == []


@pytest.mark.parametrize("photo_number", [0, 1])
def test_piece_alone_in_its_photo_is_mended_by_its_edges(photo_number: int) -> None:
    shown = two(count=1)
    own, drawn = shown[photo_number]
    own[0] = moved(own[0], LINE)
    mended = agreed(classes([shown[0][0], shown[1][0]])).faces["a"]
    assert offset(mended[photo_number], drawn.corners[0]) < 0.006
    assert mended[1 - photo_number] is shown[1 - photo_number][0][0]


@pytest.mark.parametrize("photo_number", [0, 1])
def test_tokens_cut_along_a_ring_inside_their_edge_are_cut_along_it(photo_number: int) -> None:
    shown = two(TOKEN)
    right = [list(own) for own, _ in shown]
    shown[photo_number][0][:] = [resized(face, 0.8) for face in right[photo_number]]
    mended = agreed(classes([shown[0][0], shown[1][0]]))
    for n, name in enumerate(NAMES):
        one, other = mended.faces[name][photo_number], right[photo_number][n]
        assert offset(one, other.corners.astype(np.float64)) < 0.02
        assert one.sides == pytest.approx(other.sides, rel=0.02)
        assert mended.faces[name][1 - photo_number] is right[1 - photo_number][n]
    assert mended.doubts == []


def test_outline_larger_than_any_edge_in_the_other_photo_is_told_of() -> None:
    """Nothing shows that the larger one is the piece's: both stay, and the user is told of which card and photos."""
    (first, _), (second, _) = two(TOKEN)
    second[2] = resized(second[2], 1.2)
    pairs = classes([first, second])
    found = agreed(pairs)
    assert unchanged(found.faces, pairs)
    assert len(found.doubts) == 1
    assert all(word in found.doubts[0] for word in ("pictures of c", "one.jpg", "two.jpg", "two different lines"))


def test_other_art_leads_nothing_astray() -> None:
    """Where the label of the other photo is another card's, no corner gets farther from where it should be."""
    (first, _), (second, drawn) = two()
    askew = moved(second[1], LINE / 5)
    found = agreed({"a": [first[0], second[0]], "b": [first[2], askew], "c": [first[1], second[2]]}).faces
    assert offset(found["b"][1], drawn.corners[1]) <= offset(askew, drawn.corners[1])
    assert found["b"][0] is first[2]
    assert found["c"][0] is first[1]
    assert found["c"][1] is second[2]


def test_picture_of_something_else_is_told_of() -> None:
    (first, _), (second, _) = two()
    something = np.random.default_rng(5).integers(0, 255, (*[side // 16 for side in second[1].pixels.shape[:2]], 3))
    spots = np.kron(something, np.ones((16, 16, 1))).astype(np.uint8)
    second[1] = replace(second[1], pixels=spots)
    pairs = classes([first, second])
    found = agreed(pairs)
    assert unchanged(found.faces, pairs)
    assert len(found.doubts) == 1
    assert "pictures of b in one.jpg and two.jpg look like" in found.doubts[0]


def test_piece_of_one_photo_that_is_askew_is_told_of() -> None:
    own, _ = faces("one.jpg", 0.02)
    own[3] = moved(own[3], LINE)
    found = agreed(classes([own]))
    assert len(found.doubts) == 1
    assert "corners of d in one.jpg" in found.doubts[0]


def test_prints_that_lie_askew_on_cards_cut_by_hand_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = drawing.face

    def shifted(seed: int, style: Style) -> tuple[Pixels, Pixels]:
        art, mask = plain(seed, style)
        return np.roll(art, round(0.025 * art.shape[0]), axis=(0, 1)), mask

    first, _ = faces("one.jpg", 0.02)
    monkeypatch.setattr(drawing, "face", shifted)
    second = list(shown_in.__wrapped__("two.jpg", 0.06, Style(), 4)[0])
    pairs = classes([first, second])
    found = agreed(pairs)
    assert unchanged(found.faces, pairs)
    assert found.doubts == []


def test_references_of_a_deck_are_straight_and_its_doubts_are_warned_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = calibrate_deck.faces_of
    monkeypatch.setattr(
        calibrate_deck,
        "faces_of",
        lambda shown: [
            moved(face, LINE) if (n, face.photo) == (1, "two.jpg") else face for n, face in enumerate(plain(shown))
        ],
    )
    photos = [Photo(name, faces(name, tilt)[1].pixels) for name, tilt in (("one.jpg", 0.02), ("two.jpg", 0.06))]
    deck = calibrated("deck", "cards", tmp_path, [Labelled(shown, NAMES) for shown in photos])
    first, second = next(kind for kind in deck.classes if kind.name == "b").references
    assert np.corrcoef(first.ravel(), second.ravel())[0, 1] > 0.97
    assert deck.doubts == ()
    alone = calibrated("deck", "cards", tmp_path, [Labelled(photos[1], NAMES)])
    assert len(alone.doubts) == 1
    assert alone.doubts[0] in warnings(alone)
