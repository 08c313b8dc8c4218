"""Cards of a row of which something covers two thirds."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from durian_assist.vision.dash_parts import STRIPS, PartSearch
from durian_assist.vision.dash_plane import Pose
from durian_assist.vision.dash_reading import DashReading, read_dash
from durian_assist.vision.dash_seeds import CERTAIN
from durian_assist.vision.dash_seen import dash_deck
from durian_assist.vision.dash_sheet import Sheet
from durian_assist.vision.dash_slivers import _score
from durian_assist.vision.deck_profile import DeckProfile, Pixels, load_profile
from durian_assist.vision.layers import Explanation
from durian_assist.vision.photo import Photo
from tests.vision.dash_scenes import Scene, paint, varieties

THINGS = {"telephone": (25, 25, 28), "cup": (120, 140, 150)}
COVERED = 2  # of the row
SHARE = 0.66


@pytest.fixture(scope="module")
def deck() -> DeckProfile:
    return load_profile("harbour-dash", "dash")


@pytest.fixture(scope="module")
def row(deck: DeckProfile) -> Scene:
    names = varieties(deck)[:5]
    return paint(deck, [(name, -2.0 + n, 0.0, 0.0) for n, name in enumerate(names)])


def read(pixels: Pixels, deck: DeckProfile) -> DashReading:
    return read_dash([Photo("photo.jpg", pixels)], deck)


def covered(row: Scene, side: int, colour: tuple[int, int, int]) -> Pixels:
    """Something on the card from its side number `side`, the upper one first, clockwise."""
    a, b, _, d = np.roll(row.cards[COVERED][1], -side, axis=0)
    along, inward = (b - a) * 0.05, (d - a) * SHARE
    thing = np.array([a - along, b + along, b + along + inward, a - along + inward])
    pixels = row.pixels.copy()
    cv2.fillConvexPoly(pixels, np.round(thing).astype(np.int32), colour)
    return pixels


@pytest.mark.parametrize("thing", THINGS)
@pytest.mark.parametrize("side", range(4))
def test_a_card_of_which_a_strip_is_seen_is_asked_about(side: int, thing: str, row: Scene, deck: DeckProfile) -> None:
    reading = read(covered(row, side, THINGS[thing]), deck)
    middle = row.cards[COVERED][1].mean(axis=0)
    places = [np.mean(one.corners, axis=0) for one in reading.uncertain]
    width = float(np.linalg.norm(row.cards[COVERED][1][1] - row.cards[COVERED][1][0]))
    assert any(np.hypot(*(place - middle)) < width for place in places)
    assert len([card for card in reading.cards if not card.candidates]) == len(row.cards) - 1


def test_nothing_is_asked_where_nothing_is_covered(row: Scene, deck: DeckProfile) -> None:
    assert read(row.pixels, deck).uncertain == ()


def test_a_telephone_alone_is_no_card(row: Scene, deck: DeckProfile) -> None:
    card = row.cards[COVERED][1]
    below = card + 1.3 * (card[3] - card[0])
    pixels = row.pixels.copy()
    cv2.fillConvexPoly(pixels, np.round(below).astype(np.int32), THINGS["telephone"])
    assert read(pixels, deck).uncertain == ()


@pytest.mark.parametrize(("seen", "told"), [(1.0, True), (0.4, False)])
def test_of_a_strip_half_must_lie_in_the_frame(seen: float, told: bool, deck: DeckProfile) -> None:
    """Beyond the frame a sheet shows what the edge of the photo shows, drawn out: print may look like it."""
    prepared = dash_deck(deck)
    bank = prepared.fine
    card = np.asarray(bank.pictures[0] * 255, np.uint8)
    sheet = Sheet(card, bank.size[1], (0.0, 0.0))
    free = np.zeros(card.shape[:2], np.uint8)
    free[: round(seen * card.shape[0])] = 255
    layers = Explanation(PartSearch(sheet, bank.shapes), PartSearch(sheet, bank.shapes), bank)
    middle = Pose(card.shape[1] / card.shape[0] / 2, 0.5, 0.0)
    score = _score(layers, Sheet(free, sheet.scale, sheet.origin), middle, STRIPS[3])
    assert (score > CERTAIN) is told
    assert told or score == 0.0
