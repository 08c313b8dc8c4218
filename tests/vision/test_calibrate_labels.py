"""Which words are classes of which game's deck."""

from __future__ import annotations

import numpy as np
import pytest

from durian_assist.errors import InputError
from durian_assist.vision.calibrate_labels import Block, assigned, check_label
from durian_assist.vision.photo import Photo

PREFERENCE = "pref/love-red-prawn/like-golden-phoenix/hate-sultan"


@pytest.mark.parametrize(
    ("game", "label"),
    [
        *[("smuggler", one) for one in ("red/durian/6", "red/empty", "red/back", "centre")],
        *[
            ("durian", one)
            for one in ("strawberry1-banana3", "gorilla/hannah", "token/4", "durian/back", "board/order")
        ],
        *[("dash", one) for one in ("mao-shan-wang", "dash/back", "plantation/pahang", PREFERENCE)],
        ("cards", "any words / at all"),
    ],
)
def test_the_classes_of_each_game_are_taken(game: str, label: str) -> None:
    check_label(label, game, "labels:1:1")


@pytest.mark.parametrize(
    ("game", "label"),
    [
        *[("smuggler", one) for one in ("red", "red/durian/0", PREFERENCE)],
        *[("durian", one) for one in ("red/empty", "token/x", "board/other")],
        *[
            ("dash", one)
            for one in ("red/durian/6", "token/99", "gorilla/bob", "foo/bar", "pref/keep-sultan", "two words")
        ],
    ],
)
def test_what_is_no_class_of_a_game_is_refused(game: str, label: str) -> None:
    with pytest.raises(InputError, match=r"labels:1:1: .* is no class of a \w+ deck"):
        check_label(label, game, "labels:1:1")


@pytest.mark.parametrize(
    ("counts", "shares"),
    [
        pytest.param((3, 3), (3, 3), id="all of each photo"),
        pytest.param((3, 2), (3, 3), id="one photo seems to show fewer"),
        pytest.param((2, 1), (2, 1), id="on from photo to photo"),
    ],
)
def test_one_list_for_several_photos(counts: tuple[int, int], shares: tuple[int, int]) -> None:
    photos = [Photo(name, np.zeros((count, 1, 3), np.uint8)) for name, count in zip("ab", counts, strict=True)]
    found = assigned([Block("", ("x", "y", "z"))], photos, lambda photo: len(photo.pixels), "labels")
    assert tuple(len(item.names) for item in found) == shares


def test_a_list_that_fits_no_way_says_what_the_photos_seem_to_show() -> None:
    photos = [Photo(name, np.zeros((count, 1, 3), np.uint8)) for name, count in (("a", 1), ("b", 1))]
    with pytest.raises(InputError, match=r"3 labels do not fit what the photos seem to show \(a 1, b 1\)"):
        assigned([Block("", ("x", "y", "z"))], photos, lambda photo: len(photo.pixels), "labels")
