"""A photo as a mirror shows it is refused: nothing in it need be uncertain, and all of it would be wrong."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from durian_assist.errors import InputError
from durian_assist.resources import shipped
from durian_assist.vision.deck_profile import DeckProfile, Pixels, load_profile
from durian_assist.vision.mirrored import deck_as_seen, refuse_mirrored
from durian_assist.vision.photo import Photo, load_photo
from durian_assist.vision.reading import Corner, Mark
from durian_assist.vision.rectify import Points
from tests.conftest import Run

SAYS = "this photo is a mirror image"


def seen(name: str, *, mirrored: bool) -> tuple[Photo, list[Mark]]:
    """A sample photo and its wholly visible cards, each with its true corners as they lie in the photo."""
    path = shipped("sample_images", f"{name}.jpg")
    photo = load_photo(str(path))
    cards = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["cards"]
    corners = [np.array(c["corners"]) for c in cards if c.get("visible", 1) > 0.95 and "corners" in c]
    if mirrored:
        width = photo.pixels.shape[1]
        photo = Photo(photo.name, np.ascontiguousarray(photo.pixels[:, ::-1]))
        corners = [(np.array([width - 1, 0]) + np.array([-1, 1]) * quad)[[1, 0, 3, 2]] for quad in corners]
    return photo, [mark(n, quad) for n, quad in enumerate(corners)]


def mark(number: int, quad: Points) -> Mark:
    corners: tuple[Corner, ...] = tuple((float(x), float(y)) for x, y in quad)
    return Mark(f"cards.{number}", "card", corners, 1.0, uncertain=False)


def symmetric(profile: DeckProfile) -> DeckProfile:
    """The deck with every picture's right half a mirror image of the left."""
    classes = tuple(replace(c, references=tuple(map(both_ways, c.references))) for c in profile.classes)
    return replace(profile, classes=classes)


def both_ways(picture: Pixels) -> Pixels:
    half = picture[:, : picture.shape[1] // 2]
    return np.concatenate([half, half[:, ::-1]], 1)


@pytest.mark.parametrize(
    ("name", "deck"),
    [
        ("smuggler-midgame-01", "harbour-smuggler"),
        ("dash-collection-03", "harbour-dash"),
        ("durian-table-01", "harbour-durian"),
    ],
)
def test_only_the_mirror_image_is_refused(name: str, deck: str) -> None:
    profile = load_profile(deck)
    photo, marks = seen(name, mirrored=False)
    refuse_mirrored([photo], marks, deck_as_seen(profile))
    photo, marks = seen(name, mirrored=True)
    with pytest.raises(InputError, match=SAYS):
        refuse_mirrored([photo], marks, deck_as_seen(profile))


def test_two_cards_prove_nothing() -> None:
    photo, marks = seen("smuggler-midgame-01", mirrored=True)
    refuse_mirrored([photo], marks[:2], deck_as_seen(load_profile("harbour-smuggler")))


def test_of_two_photos_the_mirrored_one_is_named() -> None:
    first, marks = seen("smuggler-midgame-01", mirrored=False)
    second, others = seen("smuggler-midgame-01", mirrored=True)
    second = Photo("selfie.jpg", second.pixels)
    both = [*marks, *(replace(m, photo=1) for m in others)]
    with pytest.raises(InputError) as refused:
        refuse_mirrored([first, second], both, deck_as_seen(load_profile("harbour-smuggler")))
    assert refused.value.where == "selfie.jpg"


def test_cards_that_are_the_same_both_ways_tell_nothing() -> None:
    profile = symmetric(load_profile("harbour-smuggler"))
    faces = [np.asarray(cv2.resize(c.references[0], (120, 120)), np.uint8) for c in profile.classes[:6]]
    row = Photo("row.png", np.ascontiguousarray(np.concatenate(faces, 1)))
    square = np.array([(0, 0), (120, 0), (120, 120), (0, 120)]) - 0.5
    marks = [mark(n, square + np.array([120 * n, 0])) for n in range(len(faces))]
    refuse_mirrored([row], marks, deck_as_seen(profile))


def test_a_person_hears_it(run: Run, tmp_path: Path) -> None:
    pixels = cv2.imread(str(shipped("sample_images", "smuggler-midgame-01.jpg")))
    assert pixels is not None
    cv2.imwrite(str(tmp_path / "selfie.jpg"), cv2.flip(pixels, 1))
    result = run("read", "smuggler", tmp_path / "selfie.jpg", "--deck", "harbour-smuggler")
    assert result.exit_code == 3
    assert f"selfie.jpg: {SAYS}" in result.stderr
    assert "Turn mirroring off in the camera" in result.stderr
    assert not result.stdout
