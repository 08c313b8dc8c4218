"""A photo without colour of cards that colour tells apart: that is the reason that people hear."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from durian_assist.errors import InputError
from durian_assist.vision.colourless import colourless, for_want_of_colour, warning
from durian_assist.vision.deck_profile import CardClass, DeckProfile, Pixels
from durian_assist.vision.photo import Photo

SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
ERROR = InputError("the cards are not like those of this deck", where="a.jpg", mend="Choose the deck.")


def picture(*bgr: int) -> Pixels:
    """A noisy picture around one colour."""
    noise = np.random.default_rng(1).integers(-3, 4, (80, 60, 3))
    return np.clip(np.array(bgr) + noise, 0, 255).astype(np.uint8)


def profile(*bgr: int) -> DeckProfile:
    """A deck of one class."""
    return DeckProfile("mine", "smuggler", Path("mine"), (CardClass("x", (picture(*bgr),), SQUARE, "cards-1"),))


RED, GREY = profile(40, 30, 200), profile(120, 120, 120)


@pytest.mark.parametrize(
    ("photo", "deck", "found"),
    [
        (picture(90, 90, 90), RED, ("a.jpg",)),
        (picture(90, 90, 90), GREY, ()),
        (picture(90, 60, 150), RED, ()),
        (picture(90, 60, 150), GREY, ()),
    ],
)
def test_only_a_grey_photo_of_coloured_cards_wants_colour(photo: Pixels, deck: DeckProfile, found: tuple[str]) -> None:
    assert colourless([Photo("a.jpg", photo)], deck) == found


def test_a_small_coloured_card_on_a_grey_table_is_colour() -> None:
    table = picture(90, 90, 90)
    table[20:32, 20:32] = (40, 30, 200)
    assert colourless([Photo("a.jpg", table)], RED) == ()


def test_the_reason_takes_the_place_of_the_one_that_misleads() -> None:
    grey = [Photo("a.jpg", picture(90, 90, 90))]
    told = for_want_of_colour(ERROR, grey, RED)
    assert "the photo has no colour, and the cards of the deck mine are told apart by colour" in told.what
    assert "Take the photo again in colour" in told.mend
    assert "the photo has no colour" in warning(grey, RED)
    assert for_want_of_colour(ERROR, grey, GREY) is ERROR
    assert warning(grey, GREY) == ""
