"""Whole cards on a sheet: found by their print where light has changed their ground."""

from __future__ import annotations

import numpy as np
import pytest

from durian_assist.vision.dash_library import Library, as_pixels, build_library
from durian_assist.vision.dash_plane import Pose
from durian_assist.vision.dash_seen import COARSE, is_variety
from durian_assist.vision.dash_whole import BESIDE, FAINT, prints_near, whole_cards
from durian_assist.vision.deck_profile import load_profile
from durian_assist.vision.layers import Sheet

PLACE = Pose(2.5, 1.5, 0.0)


@pytest.fixture(scope="module")
def library() -> Library:
    deck = load_profile("harbour-dash", "dash")
    return build_library([kind for kind in deck.classes if is_variety(kind.name)], round(0.716 * COARSE), COARSE)


def table(library: Library) -> Sheet:
    """A table of 5 by 3 card heights with a card under a veil that grows from the one corner to the other."""
    pixels = np.full((3 * COARSE, 5 * COARSE, 3), 128, np.uint8)
    width, height = library.size
    left, top = round(PLACE.x * COARSE - width / 2), round(PLACE.y * COARSE - height / 2)
    veil = np.add.outer(np.linspace(0.0, 0.4, height), np.linspace(0.0, 0.4, width))[..., None]
    card = as_pixels(library.pictures[0] * (1 - veil) + veil)
    pixels[top : top + height, left : left + width] = card
    return Sheet(pixels, COARSE, (0.0, 0.0))


@pytest.mark.parametrize("quarter", [0, 1, 2, 3])
def test_card_under_a_veil_is_found_by_its_print_in_any_direction(quarter: int, library: Library) -> None:
    sheet = table(library)
    turned = np.ascontiguousarray(np.rot90(sheet.pixels, -quarter))
    height, width = turned.shape[:2]
    middle = Pose(width / 2 / COARSE, height / 2 / COARSE, 0.0)
    fine = prints_near(Sheet(turned, COARSE, (0.0, 0.0)), [middle])
    best = max(whole_cards(fine, library.prints, [quarter], FAINT), key=lambda proposal: proposal.score)
    assert best.score > 0.8
    assert best.pose.centre == pytest.approx(middle.centre, abs=0.05)
    assert best.pose.angle == pytest.approx(quarter * np.pi / 2, abs=0.1)


def test_only_what_is_near_known_cards_is_looked_at(library: Library) -> None:
    sheet = table(library)
    near = prints_near(sheet, [Pose(0.0, 0.0, 0.0), Pose(0.5, 0.0, 0.0)])
    height, width = near.pixels.shape[:2]
    assert near.origin == (0.0, 0.0)
    assert (width / COARSE, height / COARSE) == pytest.approx((0.5 + BESIDE, BESIDE), abs=1.5 / COARSE)
    further = sheet.part(np.array((1.0, 0.5)), np.array((9.0, 9.0)))
    assert further.origin == pytest.approx((1.0, 0.5))
    assert further.pixels.shape[:2] == (2.5 * COARSE, 4 * COARSE)
