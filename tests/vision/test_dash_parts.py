"""Parts of the Dash reading alone: the plane, the market's rows, the comparison of a card with the deck."""

from __future__ import annotations

import numpy as np
import pytest

from durian_assist.vision.dash_library import Library, as_pixels, build_library
from durian_assist.vision.dash_market import market_rows
from durian_assist.vision.dash_plane import Pose, TablePlane, fit_plane, pose_of
from durian_assist.vision.dash_search import search_quads
from durian_assist.vision.dash_seen import SeenCard, dash_deck, is_variety
from durian_assist.vision.deck_profile import DeckProfile, load_profile
from durian_assist.vision.rectify import Picture
from tests.vision.dash_scenes import CARD, paint

ASPECT = 0.716
SIZE = (3000, 2250)


@pytest.fixture(scope="module")
def deck() -> DeckProfile:
    return load_profile("harbour-dash", "dash")


def seen_by_phone(pitch: float, focal: float = 0.75) -> TablePlane:
    """A table 9 card heights away, tilted by `pitch` degrees."""
    f = focal * SIZE[0]
    cos, sin = np.cos(np.radians(pitch)), np.sin(np.radians(pitch))
    camera = np.array([(f, 0, SIZE[0] / 2), (0, f, SIZE[1] / 2), (0, 0, 1.0)])
    return TablePlane(camera @ np.array([(1.0, 0, 0), (0, cos, 0), (0, sin, 9.0)]))


@pytest.mark.parametrize("pitch", [2.0, 15.0, 28.0])
@pytest.mark.parametrize("places", [[(0, 1.5)], [(-2, 1.5), (2, 1.4)], [(x, 1.5) for x in (-3, -1.5, 0, 1.5, 3)]])
def test_plane_of_the_top_cards_of_fans_holds_for_the_cards_above_them(
    pitch: float, places: list[tuple[float, float]]
) -> None:
    """All of them lie in one row: eight free parameters would follow the noise of their corners."""
    truth, rng = seen_by_phone(pitch), np.random.default_rng(3)
    quads = [
        truth.to_photo(Pose(x, y, rng.normal(0, 0.02)).rectangle(ASPECT, 1)) + rng.normal(0, 1, (4, 2))
        for x, y in places
    ]
    plane = fit_plane(quads, ASPECT, SIZE)
    for x in (-1.0, 1.0):
        far = truth.to_photo(Pose(x, -1.0, 0.02).rectangle(ASPECT, 1))
        back = plane.to_photo(pose_of(plane.to_plane(far), ASPECT, 1).rectangle(ASPECT, 1))
        assert np.abs(back - far).max() < 0.05 * np.linalg.norm(far[3] - far[0])


def test_pose_of_a_card_is_found_back() -> None:
    pose = pose_of(Pose(1.5, -2.0, 0.3).rectangle(ASPECT, 1), ASPECT, 1)
    assert (pose.x, pose.y, pose.angle) == pytest.approx((1.5, -2.0, 0.3))


def card(name: str, x: float, y: float) -> SeenCard:
    return SeenCard(name, 1.0, np.zeros((4, 2)), (x, y))


MARKET = [card("c", 2, 0), card("a", 0, 0.1), card("e", 1, 1.2), card("b", 1, 0), card("d", 0, 1.15)]
PAHANG, JOHOR = card("plantation/pahang", 1, -1.3), card("plantation/johor", 1, 2.5)


@pytest.mark.parametrize("others", [[PAHANG, JOHOR], [PAHANG], [JOHOR], [card("dash/back", 4, 0), JOHOR]])
def test_rows_lie_between_the_plantations(others: list[SeenCard]) -> None:
    assert market_rows(MARKET, others) == {"pahang": [1, 3, 0], "johor": [4, 2]}


def test_market_seen_from_the_other_side_reads_from_its_own_left() -> None:
    turned = [card(c.name, -c.place[0], -c.place[1]) for c in MARKET]
    others = [card(o.name, -o.place[0], -o.place[1]) for o in (PAHANG, JOHOR)]
    assert market_rows(turned, others) == {"pahang": [1, 3, 0], "johor": [4, 2]}


def test_row_that_is_empty_stays_empty() -> None:
    upper = [card("a", 0, 0), card("b", 1, 0.05)]
    assert market_rows(upper, [PAHANG, JOHOR]) == {"pahang": [0, 1], "johor": []}


def test_no_plantation_is_no_market() -> None:
    assert market_rows(MARKET, [card("dash/back", 4, 0)]) is None


@pytest.fixture(scope="module")
def library(deck: DeckProfile) -> Library:
    return build_library([kind for kind in deck.classes if is_variety(kind.name)], 69, 96)


def test_class_is_told_through_a_veil_that_changes_over_the_card(library: Library) -> None:
    veil = np.linspace(0.1, 0.7, 96)[:, None, None]
    for name, picture in zip(library.names, library.pictures, strict=True):
        verdict = library.verdict(as_pixels(picture * (1 - veil) + veil), np.ones((96, 69), np.bool_))
        assert (verdict.name, verdict.candidates) == (name, (name,))


def test_part_that_is_alike_in_two_classes_names_both(library: Library) -> None:
    twins = Library(("left", "right", "other"), library.pictures[[0, 0, 5]].copy())
    twins.pictures[1, 60:] = library.pictures[1, 60:]
    upper = np.zeros((96, 69), np.bool_)
    upper[:58] = True
    picture = as_pixels(twins.pictures[0])
    assert set(twins.verdict(picture, upper).candidates) == {"left", "right"}
    assert twins.verdict(picture, np.ones_like(upper)).name == "left"


def test_cards_are_searched_for_without_outlines(deck: DeckProfile) -> None:
    name = next(kind.name for kind in deck.classes if is_variety(kind.name))
    scene = paint(deck, [(name, 0.5, -0.3, 5.0)], turn=90.0)
    (quad, *_) = search_quads(Picture(scene.pixels), dash_deck(deck).seek.shapes)
    assert np.abs(quad - scene.cards[0][1]).max() < 0.12 * CARD
