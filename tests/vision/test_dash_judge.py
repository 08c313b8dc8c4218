"""What may be a card though it matches badly: by its colours, or by its fine print in a veil of light."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from durian_assist.vision.dash_colours import CardLikeness
from durian_assist.vision.dash_judge import RIGHT, Judge
from durian_assist.vision.dash_library import as_pixels
from durian_assist.vision.dash_parts import PartSearch
from durian_assist.vision.dash_plane import Pose, TablePlane
from durian_assist.vision.dash_seeds import Aligners
from durian_assist.vision.dash_seen import COARSE, FINE, DashDeck, SeenCard, SeenTable, dash_deck
from durian_assist.vision.dash_sheet import Sheet
from durian_assist.vision.deck_profile import load_profile
from durian_assist.vision.layers import ACCEPT, Explanation, Laid
from durian_assist.vision.rectify import Picture

PLACE = Pose(2.0, 1.5, 0.0)
NOISY = 0.14


@pytest.fixture(scope="module")
def deck() -> DashDeck:
    return dash_deck(load_profile("harbour-dash", "dash"))


class Colours(CardLikeness):
    """Says the same of every piece."""

    def __init__(self, tells: bool, alike: bool) -> None:
        self._tells, self._alike = tells, alike

    @property
    def tells(self) -> bool:
        return self._tells

    def __call__(self, laid: Laid) -> bool:
        return self._alike


def judged(deck: DashDeck, covered: float, *, like: bool = False, print_shown: bool = True) -> list[SeenCard]:
    """What is said of a veiled card left over twice, of which a known one covers a share from above."""
    width, height = deck.fine.size
    pixels = np.full((3 * FINE, 4 * FINE, 3), 150, np.uint8)
    left, top = round(PLACE.x * FINE - width / 2), round(PLACE.y * FINE - height / 2)
    card = (
        deck.fine.pictures[2]
        if print_shown
        else np.broadcast_to(np.linspace(0, 1, height)[:, None, None], (height, width, 3))
    )
    pixels[top : top + height, left : left + width] = as_pixels(0.6 + 0.2 * np.asarray(card, np.float32))
    sheet = Sheet(pixels, FINE, (0.0, 0.0))
    layers = Explanation(PartSearch(sheet, deck.fine.shapes), PartSearch(sheet, deck.fine.shapes), deck.fine)
    layers.cover(Pose(PLACE.x, PLACE.y - 1 + covered, 0.0))
    beside = Pose(PLACE.x + 0.02, PLACE.y, 0.0)
    layers.left = [layers.look(PLACE), layers.look(beside)]
    plane = TablePlane(np.array([(FINE, 0, -0.5), (0, FINE, -0.5), (0, 0, 1.0)]))
    judge = Judge(Picture(pixels), plane, deck, layers, Aligners(deck.fine), [])
    return judge.cards([], Colours(True, like))


def test_fine_print_on_more_than_half_of_a_piece_vouches_for_it(deck: DashDeck) -> None:
    (card,) = judged(deck, 0.3)
    assert card.candidates
    assert deck.fine.names[2] == card.name
    assert judged(deck, 0.6) == []


def test_colours_vouch_for_less_of_it(deck: DashDeck) -> None:
    (card,) = judged(deck, 0.6, like=True)
    assert card.name == deck.fine.names[2]


def test_a_piece_without_print_and_of_other_colours_is_none(deck: DashDeck) -> None:
    assert judged(deck, 0.3, print_shown=False) == []


def test_where_no_card_was_laid_nothing_is_too_plain_for_one(deck: DashDeck) -> None:
    width, height = deck.fine.size
    sheet = Sheet(np.full((3 * height, 3 * width, 3), 90, np.uint8), FINE, (0.0, 0.0))
    layers = Explanation(
        PartSearch(sheet.at(COARSE), deck.coarse.shapes), PartSearch(sheet, deck.fine.shapes), deck.fine
    )
    plane = TablePlane(np.array([(FINE, 0, -0.5), (0, FINE, -0.5), (0, 0, 1.0)]))
    judge = Judge(Picture(sheet.pixels), plane, deck, layers, Aligners(deck.fine), [])
    assert not judge.plain(PLACE)


@pytest.mark.parametrize(
    ("tells", "alike", "share", "table"),
    [
        (True, False, 0.13, True),
        (True, True, 0.13, False),
        (False, False, 0.13, False),
        (True, False, 0.4, False),
    ],
)
def test_table_along_an_edge_is_no_strip_of_a_card(tells: bool, alike: bool, share: float, table: bool) -> None:
    """A pale table before a dark card is like the print of a class with a pale strip."""

    visible = np.zeros((100, 70), np.bool_)
    visible[: round(100 * share)] = True
    assert Judge.is_table(Laid(PLACE, 0, 0.8, visible), Colours(tells, alike)) == table


def test_a_middling_match_on_a_plane_that_nothing_vouches_for_is_not_sure(deck: DashDeck) -> None:
    """Such a card may lie a little beside its place."""
    width, height = deck.fine.size
    noise = np.random.default_rng(7).normal(0, 1, (height, width, 3))
    pixels = np.full((3 * FINE, 4 * FINE, 3), 150, np.uint8)
    left, top = round(PLACE.x * FINE - width / 2), round(PLACE.y * FINE - height / 2)
    pixels[top : top + height, left : left + width] = as_pixels(0.2 + 0.6 * deck.fine.pictures[2] + NOISY * noise)
    sheet = Sheet(pixels, FINE, (0.0, 0.0))
    layers = Explanation(PartSearch(sheet, deck.fine.shapes), PartSearch(sheet, deck.fine.shapes), deck.fine)
    layers.laid.append(layers.look(PLACE))
    plane = TablePlane(np.array([(FINE, 0, -0.5), (0, FINE, -0.5), (0, 0, 1.0)]))
    judge = Judge(Picture(pixels), plane, deck, layers, Aligners(deck.fine), [])
    (card,) = judge.cards([], Colours(True, True))
    assert ACCEPT < layers.laid[0].score < RIGHT
    assert (card.name, card.candidates, card.middling) == (deck.fine.names[2], (), True)
    doubted = SeenTable((card, replace(card, middling=False))).doubted().cards
    assert [other.candidates for other in doubted] == [(card.name,), ()]
