"""Cards of a row of which something covers two thirds."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from durian_assist.vision.dash_looks import read_table
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


@pytest.mark.parametrize("colour", [(25, 25, 28), (140, 170, 200), (90, 120, 160)])
def test_a_strip_beside_a_thing_tells_a_card_though_a_plank_goes_on_beyond_its_place(
    colour: tuple[int, int, int], deck: DeckProfile
) -> None:
    """The lower card of a fan of two: with the planks above it the thing looked like the table's pattern."""
    a, b, c, d = varieties(deck)[:4]
    fans = [(a, -1.7, 0.0, 0.5), (b, -0.8, -0.3, 0.0), (b, -0.8, 0.3, 0.0), (c, 0.1, -0.3, 1.0), (c, 0.1, 0.3, 0.0)]
    scene = paint(deck, [*fans, (d, 1.0, 0.0, 0.0)])
    corners = scene.cards[3][1]
    across, down = corners[1] - corners[0], corners[3] - corners[0]
    pixels = scene.pixels.copy()
    for x in range(round(corners[0, 0]) - 330, round(corners[0, 0]) + 400, 45):
        cv2.line(pixels, (x, 0), (x, round(corners[:2, 1].min()) - 4), (40, 55, 80), 6)
    start, end = corners[0] + 0.34 * across - 0.05 * down, corners[0] + 1.05 * across - 0.05 * down
    thing = np.array([start, end, end + 1.05 * down, start + 1.05 * down])
    cv2.fillConvexPoly(pixels, np.round(thing).astype(np.int32), colour)
    (asked,) = read(pixels, deck).uncertain
    assert np.mean(asked.corners, axis=0) == pytest.approx(corners.mean(axis=0), abs=25)


def test_a_plain_thing_beside_cards_is_no_piece_of_the_deck(deck: DeckProfile) -> None:
    """A telephone of a card's size: by its edges alone it was taken for a plantation, which hides what lies there."""
    scene = paint(deck, [(name, -2.0 + n, 0.0, n) for n, name in enumerate(varieties(deck)[:4])], table=(150,) * 3)
    card = scene.cards[3][1]
    pixels = scene.pixels.copy()
    cv2.fillConvexPoly(pixels, np.round(card + 1.35 * (card[1] - card[0])).astype(np.int32), THINGS["telephone"])
    table = read_table(pixels, dash_deck(deck))
    assert len(table.cards) == 4
    assert table.others == ()


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
