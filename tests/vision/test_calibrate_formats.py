"""Cards of one deck have one format, whatever photo shows them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from durian_assist.errors import InputError
from durian_assist.vision.calibrate_deck import Labelled, calibrated
from durian_assist.vision.calibrate_formats import check_formats
from durian_assist.vision.calibrate_references import UNIT_SQUARE
from durian_assist.vision.deck_profile import CardClass
from durian_assist.vision.photo import Photo
from tests.vision.drawn import Style, photo

GREEN = (60, 120, 50)
WHOLE, SHORT = (44.0, 62.0), (44.0, 50.0)


def card(name: str, height: int) -> CardClass:
    return CardClass(name, (np.zeros((height, 100, 3), np.uint8),), UNIT_SQUARE.copy(), "cards-1")


@pytest.mark.parametrize(
    ("game", "one", "other", "refused"),
    [
        ("dash", "sultan", "red-prawn", True),
        ("dash", "sultan", "dash/back", True),
        ("dash", "sultan", "plantation/johor", False),
        ("dash", "sultan", "pref/love-sultan/hate-red-prawn", False),
        ("durian", "banana1-grapes2", "gorilla/mitch", True),
        ("durian", "banana1-grapes2", "durian/back", True),
        ("durian", "banana1-grapes2", "board/order", False),
        ("smuggler", "red/empty", "red/back", True),
        ("smuggler", "red/empty", "centre", False),
        ("cards", "king", "queen", False),
    ],
)
def test_only_sides_of_the_same_cards_must_be_alike(game: str, one: str, other: str, refused: bool) -> None:
    check_formats(game, [card(one, 100), card(other, 104)], {})
    classes = [card(one, 100), card(other, 120)]
    if not refused:
        check_formats(game, classes, {})
        return
    with pytest.raises(InputError) as refusal:
        check_formats(game, classes, {})
    assert f"{other} is 0.83 times as wide as high, {one} 1.00" in refusal.value.what
    assert "--fresh" in refusal.value.mend


def test_the_photos_that_show_two_formats_are_named() -> None:
    fronts = photo([1, 2, 3], Style(size_mm=WHOLE), GREEN, columns=3).pixels
    backs = photo([4, 5, 6], Style(size_mm=SHORT), GREEN, columns=3).pixels
    labelled = [
        Labelled(Photo("fronts.jpg", fronts), ("sultan", "red-prawn", "black-pearl")),
        Labelled(Photo("backs.jpg", backs), ("dash/back", "pref/a", "pref/b")),
    ]
    with pytest.raises(InputError, match="the cards of this deck have two shapes") as refusal:
        calibrated("mine", "dash", Path("mine"), labelled)
    assert refusal.value.where == "backs.jpg, fronts.jpg"


def test_an_earlier_calibration_counts_too() -> None:
    backs = photo([4, 5, 6], Style(size_mm=SHORT), GREEN, columns=3).pixels
    known = calibrated(
        "mine", "dash", Path("mine"), [Labelled(Photo("backs.jpg", backs), ("dash/back", "pref/a", "pref/b"))]
    )
    fronts = photo([1, 2, 3], Style(size_mm=WHOLE), GREEN, columns=3).pixels
    labelled = [Labelled(Photo("fronts.jpg", fronts), ("sultan", "red-prawn", "black-pearl"))]
    with pytest.raises(InputError, match="two shapes"):
        calibrated("mine", "dash", Path("mine"), labelled, known=known)
