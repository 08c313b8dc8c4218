"""Where a fan goes on: one more card shows a strip there, however little of its print the light leaves."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from durian_assist.vision.dash_fans import ends
from durian_assist.vision.dash_looks import read_table
from durian_assist.vision.dash_parts import STRIPS
from durian_assist.vision.dash_plane import Pose
from durian_assist.vision.dash_seen import dash_deck
from durian_assist.vision.deck_profile import DeckProfile, Pixels, load_profile
from durian_assist.vision.layers import Laid
from tests.vision.dash_scenes import CARD, Scene, column, paint, shifted, varieties

ASPECT = 0.7


@pytest.fixture(scope="module")
def deck() -> DeckProfile:
    return load_profile("harbour-dash", "dash")


def laid(x: float, y: float, share: float, angle: float = 0.0) -> Laid:
    visible = np.zeros((20, 10), np.bool_)
    visible[: round(20 * share)] = True
    return Laid(Pose(x, y, angle), 0, 0.8, visible)


@pytest.mark.parametrize(("angle", "strip"), [(0.0, 1), (np.pi, 0)])
def test_a_fan_goes_on_by_its_own_step_with_the_strip_that_it_shows(angle: float, strip: int) -> None:
    fan = [laid(1.0, 2.0, 1.0, angle), laid(1.02, 2.45, 0.45, angle)]
    ((pose, part, spread),) = ends(fan, ASPECT)
    assert np.allclose(pose.centre, (1.04, 2.9))
    assert part is STRIPS[strip]
    assert 0.2 < spread[1] < 0.25
    assert spread[0] < 0.2


def test_no_fan_goes_on_where_its_next_card_is_known_and_a_whole_card_is_no_fan() -> None:
    fan = [laid(1.0, 2.0, 1.0), laid(1.0, 2.45, 0.45), laid(1.0, 2.85, 0.4), laid(3.0, 2.0, 1.0)]
    found = ends(fan, ASPECT)
    assert len(found) == 1
    assert np.allclose(found[0][0].centre, (1.0, 3.25))


def streaked(scene: Scene, corners: np.ndarray, amount: float) -> Pixels:
    """The photo with streaks of light, as on a sleeve, across the uppermost card's strip."""
    light = np.zeros(scene.pixels.shape[:2], np.float32)
    left, top = corners[0]
    for k in range(5):
        start = (round(left + (0.0 + 0.19 * k) * CARD * ASPECT), round(top))
        end = (round(start[0] + 0.3 * CARD), round(top + 0.45 * CARD))
        cv2.line(light, start, end, 1.0, round(0.05 * CARD))
    inside = np.zeros_like(light)
    cv2.fillConvexPoly(inside, np.round(corners).astype(np.int32), 1.0)
    share = (amount * cv2.GaussianBlur(light * inside, (0, 0), 3))[..., None]
    return np.asarray(scene.pixels * (1 - share) + 250 * share, np.uint8)


@pytest.mark.parametrize(("amount", "doubts"), [(0.8, 0), (1.0, 1)])
def test_a_card_at_the_end_of_a_fan_is_read_under_streaks_of_light_or_asked_about(
    amount: float, doubts: int, deck: DeckProfile
) -> None:
    names = varieties(deck)
    fans = [shifted(column(names[:3], 0.5, seed=k), 0.85 * k, 0.0) for k in range(3)]
    scene = paint(deck, [card for fan in fans for card in fan])
    pixels = streaked(scene, scene.cards[3][1], amount)
    table = read_table(pixels, dash_deck(deck))
    assert len(table.cards) == 9
    assert table.doubts == doubts
