"""Whole cards on a sheet: found by their print where light has changed their ground."""

from __future__ import annotations

import numpy as np
import pytest

from durian_assist.vision import dash_looks
from durian_assist.vision.dash_gaps import GapFinder
from durian_assist.vision.dash_library import Library, as_pixels, build_library
from durian_assist.vision.dash_looks import read_table
from durian_assist.vision.dash_parts import WHOLE, Proposal
from durian_assist.vision.dash_plane import Pose
from durian_assist.vision.dash_seen import COARSE, dash_deck, is_variety
from durian_assist.vision.dash_sheet import Sheet
from durian_assist.vision.dash_whole import (
    BESIDE,
    EVEN,
    FAINT,
    MOST_NEW,
    NEAR_GAP,
    new_places,
    prints_near,
    whole_cards,
)
from durian_assist.vision.deck_profile import DeckProfile, load_profile
from tests.vision.dash_scenes import paint, varieties

PLACE = Pose(2.5, 1.5, 0.0)


@pytest.fixture(scope="module")
def deck() -> DeckProfile:
    return load_profile("harbour-dash", "dash")


@pytest.fixture(scope="module")
def library(deck: DeckProfile) -> Library:
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
    right, bottom = np.ceil(np.array((0.5 + BESIDE, BESIDE)) / EVEN) * EVEN
    assert (width / COARSE, height / COARSE) == pytest.approx((right, bottom), abs=1.5 / COARSE)
    further = sheet.part(np.array((1.0, 0.5)), np.array((9.0, 9.0)))
    assert further.origin == pytest.approx((1.0, 0.5))
    assert further.pixels.shape[:2] == (2.5 * COARSE, 4 * COARSE)


def test_places_of_known_cards_and_those_of_a_pattern_are_not_looked_at() -> None:
    found = [Proposal(Pose(0.5 * n, 0.0, 0.0), WHOLE, 0.9 - 0.01 * n) for n in range(MOST_NEW + 4)]
    known = [Pose(0.0, 0.9 * NEAR_GAP, 0.0), Pose(1.0, 1.1 * NEAR_GAP, 0.0)]
    assert new_places(found, known) == [proposal.pose for proposal in found[1 : MOST_NEW + 1]]
    assert new_places(found[:2], known) == [found[1].pose]


def test_row_of_which_one_outline_is_seen_is_followed_to_its_end(
    deck: DeckProfile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No gaps are told by their colours either: as on a table of the cards' own colours."""
    names = [*varieties(deck), *varieties(deck)][:10]
    scene = paint(deck, [(name, 0.75 * n - 3.4, 0.0, 0.0) for n, name in enumerate(names)])
    monkeypatch.setattr(dash_looks, "outlines", lambda pixels, *, thorough=False: [scene.cards[0][1]])
    monkeypatch.setattr(GapFinder, "places", lambda *args: [])
    table = read_table(scene.pixels, dash_deck(deck))
    assert [card.name for card in sorted(table.cards, key=lambda card: card.place[0])] == names
    assert table.doubts == 0
