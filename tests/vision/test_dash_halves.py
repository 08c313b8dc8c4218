"""Cards of a table of which only half is to be seen, and what is seen beside a single card."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from durian_assist.vision.dash_laying import ASKEW
from durian_assist.vision.dash_parts import WHOLE, Part, PartSearch, Proposal, part_corners
from durian_assist.vision.dash_plane import Pose
from durian_assist.vision.dash_reading import DashReading, read_dash
from durian_assist.vision.dash_seen import COARSE, FINE, dash_deck
from durian_assist.vision.dash_sheet import Sheet
from durian_assist.vision.dash_whole import BESIDE, prints_near, whole_cards
from durian_assist.vision.deck_profile import DeckProfile, load_profile
from durian_assist.vision.layers import Explanation
from durian_assist.vision.photo import Photo
from tests.vision.dash_scenes import CARD, Scene, paint, varieties

THING = (150, 60, 170)


@pytest.fixture(scope="module")
def deck() -> DeckProfile:
    return load_profile("harbour-dash", "dash")


@pytest.fixture(scope="module")
def row(deck: DeckProfile) -> Scene:
    names = varieties(deck)[:4]
    return paint(deck, [(name, -1.5 + n, 0.0, 0.0) for n, name in enumerate(names)])


def read(pixels: NDArray[np.uint8], deck: DeckProfile) -> DashReading:
    return read_dash([Photo("table", pixels)], deck)


def told(reading: DashReading) -> list[tuple[str, bool]]:
    return [(card.name, not card.candidates) for card in reading.cards]


def test_card_that_the_frame_cuts_in_half_is_asked_about(row: Scene, deck: DeckProfile) -> None:
    middle = round(float(row.cards[-1][1].mean(axis=0)[0]))
    names = [name for name, _ in row.cards]
    expected = [*((name, True) for name in names[:-1]), (names[-1], False)]
    assert told(read(np.ascontiguousarray(row.pixels[:, :middle]), deck)) == expected


@pytest.mark.parametrize("first", [0, 2], ids=["upper", "lower"])
def test_card_that_a_thing_covers_by_half_is_asked_about(first: int, row: Scene, deck: DeckProfile) -> None:
    corners = np.roll(row.cards[1][1], -first, axis=0)
    half = np.array([corners[0], corners[1], (corners[1] + corners[2]) / 2, (corners[3] + corners[0]) / 2])
    pixels = row.pixels.copy()
    cv2.fillConvexPoly(pixels, np.round(half).astype(np.int32), THING)
    names = [name for name, _ in row.cards]
    assert told(read(pixels, deck)) == [(name, n != 1) for n, name in enumerate(names)]


def test_whole_row_has_no_halves(row: Scene, deck: DeckProfile) -> None:
    assert told(read(row.pixels, deck)) == [(name, True) for name, _ in row.cards]


def test_part_of_a_turned_card_has_the_card_s_corners() -> None:
    pose, lower = Pose(2.0, 1.0, 0.4), Part(0, 0.5, 1, 1)
    whole = pose.rectangle(0.7, 1.0)
    assert part_corners(pose, WHOLE, 0.7) == pytest.approx(whole)
    assert part_corners(pose, lower, 0.7)[2:] == pytest.approx(whole[2:])
    assert part_corners(pose, lower, 0.7)[0] == pytest.approx((whole[0] + whole[3]) / 2)


def test_what_is_covered_after_a_look_is_not_laid(deck: DeckProfile) -> None:
    """A preference card that is known by now is nobody else's place."""
    parts = dash_deck(deck)
    pixels = np.full((400, 400, 3), 90, np.uint8)
    width, height = parts.fine.size
    pixels[152 : 152 + height, 165 : 165 + width] = np.round(parts.fine.pictures[1] * 255)
    sheet = Sheet(pixels, FINE, (0.0, 0.0))
    pose = Pose((165 + width / 2) / FINE, (152 + height / 2) / FINE, 0.0)
    coarse, fine = PartSearch(sheet.at(COARSE), parts.coarse.shapes), PartSearch(sheet, parts.fine.shapes)
    layers = Explanation(coarse, fine, parts.fine)
    layers.explain([Proposal(pose, WHOLE, 1.0)], 0.4, 1.1)
    layers.cover(pose)
    layers.explain([], 0.4, 0.55)
    assert layers.laid == []


def test_next_to_a_single_card_a_whole_one_askew_is_found(deck: DeckProfile) -> None:
    """Of a fan beside a preference card no outline may be seen: it lies as far away and askew as two hands lay it."""
    parts = dash_deck(deck)
    scene = paint(deck, [(varieties(deck)[0], 0.0, 0.0, 9.0)], tilt=0.0)
    sheet = Sheet(scene.pixels, CARD, (-4.0, -3.0)).at(COARSE)
    near = prints_near(sheet, [Pose(BESIDE, 0.0, 0.0)])
    assert whole_cards(near, parts.coarse.prints, [0], 0.5) == []
    (found, *_) = whole_cards(near, parts.coarse.prints, [0], 0.5, ASKEW)
    assert found.pose.centre == pytest.approx((0.0, 0.0), abs=0.1)


def test_row_outside_the_photo_is_asked_about(deck: DeckProfile) -> None:
    names = varieties(deck)[:3]
    upper = [(name, n - 1.0, 0.0, 0.0) for n, name in enumerate(names)]
    reading = read(paint(deck, [("plantation/pahang", 0.0, -1.6, 0.0), *upper]).pixels, deck)
    assert told(reading) == [(name, True) for name in names]
    assert [item.key for item in reading.uncertain] == ["rows.johor"]
    answered = reading.corrected("rows.johor", "none")
    assert answered.uncertain == ()
    assert answered.rows == {"pahang": [0, 1, 2], "johor": []}
