"""Which words are classes of which game's deck."""

from __future__ import annotations

import pytest

from durian_assist.errors import InputError
from durian_assist.vision.calibrate_labels import check_label

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
