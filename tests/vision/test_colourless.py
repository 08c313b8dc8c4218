"""A photo without colour of cards that colour tells apart: that is the reason that people hear."""

from __future__ import annotations

from pathlib import Path

import cv2
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


def of_classes(*pictures: Pixels) -> DeckProfile:
    """A deck of some classes."""
    classes = (CardClass(f"{k}", (one,), SQUARE, "cards-1") for k, one in enumerate(pictures))
    return DeckProfile("mine", "smuggler", Path("mine"), tuple(classes))


HUES = ((40, 30, 200), (40, 150, 60), (190, 80, 40), (60, 190, 200))


def shaded(hue: tuple[int, int, int]) -> Pixels:
    """A card of one colour, dark to light."""
    return np.asarray(picture(*hue) * np.linspace(0.3, 1.0, 80)[:, None, None], np.uint8)


COLOURFUL = of_classes(*map(shaded, HUES))


def coloured_cards() -> Pixels:
    """Cards of many colours, some lit to white, on a wooden table."""
    table = np.concatenate([picture(60, 85, 110), picture(200, 210, 220)], axis=1)
    for k, hue in enumerate(HUES):
        table[10:70, 6 + 28 * k : 26 + 28 * k] = shaded(hue)[:60, :20]
    return np.asarray(np.kron(table, np.ones((12, 12, 1))), np.uint8)


def toned(photo: Pixels, shadow: tuple[int, int, int], light: tuple[int, int, int]) -> Pixels:
    """The photo in shades from one colour to another, as it comes out of a compressed file."""
    grey = cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY)[..., None] / 255
    shades = np.array(shadow) + grey * (np.array(light) - np.array(shadow))
    stored = cv2.imencode(".jpg", np.clip(shades, 0, 255), [cv2.IMWRITE_JPEG_QUALITY, 60])[1]
    return np.asarray(cv2.imdecode(stored, cv2.IMREAD_COLOR), np.uint8)


@pytest.mark.parametrize(
    ("shadow", "light"), [((0, 0, 0), (170, 230, 290)), ((90, 40, 20), (190, 240, 255)), ((0, 0, 0), (255, 220, 160))]
)
def test_a_photo_in_sepia_has_shades_of_one_colour(shadow: tuple[int, int, int], light: tuple[int, int, int]) -> None:
    photos = [Photo("a.jpg", toned(coloured_cards(), shadow, light))]
    assert "the photo has only shades of one colour, and" in for_want_of_colour(ERROR, photos, COLOURFUL).what
    assert "the photo has only shades of one colour" in warning(photos, COLOURFUL)


def test_cards_of_one_colour_or_a_photo_of_many_are_no_sepia() -> None:
    sepia = toned(coloured_cards(), (0, 0, 0), (170, 230, 290))
    yellow_paper = of_classes(*(toned(coloured_cards(), (0, 0, 0), (150, 220, 240)),))
    assert colourless([Photo("a.jpg", coloured_cards())], COLOURFUL) == ()
    assert colourless([Photo("a.jpg", sepia)], yellow_paper) == ()
    mixed = [Photo("a.jpg", coloured_cards()), Photo("b.jpg", sepia)]
    assert colourless(mixed, COLOURFUL) == ("b.jpg",)


def test_the_deck_is_not_looked_at_where_the_photo_has_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("durian_assist.vision.colourless._of_many_colours", lambda _: pytest.fail("looked at"))
    assert warning([Photo("a.jpg", coloured_cards())], COLOURFUL) == ""
