"""A lower card of a fan that matches better than what lies upon it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from durian_assist.vision.dash_judge import Judge
from durian_assist.vision.dash_laying import WORTH_A_LOOK
from durian_assist.vision.dash_looks import read_table
from durian_assist.vision.dash_parts import WHOLE, PartSearch, Proposal
from durian_assist.vision.dash_plane import Pose, TablePlane
from durian_assist.vision.dash_seeds import Aligners
from durian_assist.vision.dash_seen import COARSE, FINE, DashDeck, dash_deck
from durian_assist.vision.dash_sheet import Sheet
from durian_assist.vision.dash_upon import UponReader
from durian_assist.vision.deck_profile import DeckProfile, load_profile
from durian_assist.vision.layers import ACCEPT, Explanation
from durian_assist.vision.rectify import Picture
from tests.vision.dash_scenes import CARD, paint, varieties

COVERED, CORNER = 0.5, (-4.0, -3.0)


@pytest.fixture(scope="module")
def deck() -> DeckProfile:
    return load_profile("harbour-dash", "dash")


@pytest.fixture(scope="module")
def prepared(deck: DeckProfile) -> DashDeck:
    return dash_deck(deck)


def fan(deck: DeckProfile, prepared: DashDeck, count: int, name: int = 0) -> tuple[Explanation, list[Pose]]:
    """A table with a fan of one class, and where its cards lie, the lowest first."""
    cards = [(varieties(deck)[name], 0.0, n * (1 - COVERED), 0.0) for n in range(count)]
    sheet = Sheet(paint(deck, cards, tilt=0.0).pixels, CARD, CORNER).at(FINE)
    coarse = PartSearch(sheet.at(COARSE), prepared.coarse.shapes)
    layers = Explanation(coarse, PartSearch(sheet, prepared.fine.shapes), prepared.fine)
    layers.upon = UponReader(layers).find
    return layers, [Pose(x, y, 0.0) for _, x, y, _ in cards]


@pytest.mark.parametrize("name", range(6))
def test_what_lies_upon_a_card_that_matched_best_is_not_lost(name: int, deck: DeckProfile, prepared: DashDeck) -> None:
    """As where light takes so much from the upper cards that a lower one is laid before them."""
    layers, poses = fan(deck, prepared, 3, name)
    layers.lay(layers.look(poses[0]), WORTH_A_LOOK)
    layers.explain([Proposal(poses[2], WHOLE, 1.0)], WORTH_A_LOOK, ACCEPT)
    assert sorted(laid.pose.y for laid in layers.laid) == pytest.approx([pose.y for pose in poses], abs=0.05)
    assert all(laid.score > 0.8 for laid in layers.laid)


@pytest.mark.parametrize("name", range(3))
def test_the_middle_card_of_a_fan_is_read_though_the_uppermost_hardly_matches(
    name: int, deck: DeckProfile, prepared: DashDeck
) -> None:
    """Blotches of light lie on the uppermost: so the lowest matches best of the three, over its whole place."""
    names = varieties(deck)
    row = [(names[3], -2.4, 0.0, 0.5), (names[4], -1.55, 0.0, 0.0), (names[5], -0.7, 0.0, 0.5)]
    scene = paint(deck, [*row, *((names[name], 0.15, n * (1 - COVERED), 0.0) for n in range(3))])
    height, width = scene.pixels.shape[:2]
    card = np.zeros((height, width), np.float32)
    cv2.fillConvexPoly(card, np.round(scene.cards[-1][1]).astype(np.int32), 1.0)
    spots = np.random.default_rng(3).normal(0, 120, (height // 12, width // 12)).astype(np.float32)
    light = cv2.resize(spots, (width, height), interpolation=cv2.INTER_CUBIC) * card
    table = read_table(np.clip(scene.pixels + light[..., None], 0, 250).astype(np.uint8), prepared)
    assert len(table.cards) == len(scene.cards)


def test_a_card_that_is_seen_whole_has_nothing_upon_it(deck: DeckProfile, prepared: DashDeck) -> None:
    """Also where a lamp has taken most of the print of its lower half."""
    layers, (pose,) = fan(deck, prepared, 1)
    assert layers.upon is not None
    assert layers.upon(layers.look(pose)) is None
    dim = layers.sheet.pixels.copy()
    middle = round((pose.y - CORNER[1]) * FINE)
    dim[middle:] = (dim[middle:].astype(np.float32) * 0.04 + 190).astype(np.uint8)
    sheet = Sheet(dim, FINE, CORNER)
    coarse = PartSearch(sheet.at(COARSE), prepared.coarse.shapes)
    layers = Explanation(coarse, PartSearch(sheet, prepared.fine.shapes), prepared.fine)
    assert UponReader(layers).find(layers.look(pose)) is None


def test_a_card_upon_another_that_is_not_laid_is_asked_about(deck: DeckProfile, prepared: DashDeck) -> None:
    layers, poses = fan(deck, prepared, 2)
    layers.lay(layers.look(poses[0]), WORTH_A_LOOK)
    plane = TablePlane(np.array([(CARD, 0, -CORNER[0] * CARD), (0, CARD, -CORNER[1] * CARD), (0, 0, 1.0)]))
    judge = Judge(Picture(layers.sheet.pixels), plane, prepared, layers, Aligners(prepared.fine), [])
    (begun,) = judge._begun()
    assert begun.pose.centre == pytest.approx(poses[1].centre, abs=0.05)
    layers.explain([], WORTH_A_LOOK, ACCEPT)
    assert judge._begun() == []
