"""Places of a card's size beside the cards of a table: which are bare table and which are cards that nobody read."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from durian_assist.vision.dash_plane import Pose
from durian_assist.vision.durian_ground import SCALE, Ground, Piece, Sign
from durian_assist.vision.ground import colour_numbers

ASPECT = 1.4
WIDTH, HEIGHT = 12, 8  # of the table in card heights
TABLE, PRINT = (60, 90, 130), (180, 60, 40)
BLACK = (30, 28, 28)
ROW = ((2.0, 1.0), (3.5, 1.0), (5.0, 1.0))
BOARD = np.array([(4.0, 2.0), (6.0, 2.0), (6.0, 2.6), (4.0, 2.6)], np.float64)


def card(x: float, y: float) -> NDArray[np.float64]:
    return Pose(x, y, 0.0).rectangle(ASPECT, 1.0)


def laid(
    places: list[tuple[float, float]], table: tuple[int, int, int] = TABLE, colour: tuple[int, int, int] = PRINT
) -> NDArray[np.uint8]:
    """A table with cards, each with stripes of print, some grain over all of it."""
    pixels = np.full((round(HEIGHT * SCALE), round(WIDTH * SCALE), 3), table, np.uint8)
    for x, y in places:
        corners = np.round(card(x, y) * SCALE).astype(np.int32)
        cv2.fillConvexPoly(pixels, corners, colour)
        left, top = corners[0].tolist()
        for k in range(3):
            cv2.rectangle(pixels, (left + 2 + 9 * k, top + 3), (left + 6 + 9 * k, top + 16), (200, 200, 90), 1)
    grain = np.random.default_rng(5).integers(-5, 6, pixels.shape)
    return np.asarray(np.clip(pixels + grain, 0, 255), np.uint8)


def places(
    pixels: NDArray[np.uint8],
    known: list[tuple[float, float]],
    orders: int = 0,
    clear: NDArray[np.bool_] | None = None,
    *,
    goes_on: bool = True,
    outlined: bool = False,
    middle: bool = True,
    top: float = 2.0,
) -> list[tuple[float, float]]:
    """What is found beside the known cards, of which the last `orders` are orders, and the board."""
    seen = np.ones(pixels.shape[:2], np.bool_) if clear is None else clear
    outlines = [card(x, y) for x, y in known]
    evidence = Ground(pixels, seen, (0.0, 0.0), ASPECT).evidence(outlines, [BOARD])
    assert evidence is not None
    pieces = [Piece(one, one, k >= len(known) - orders, goes_on) for k, one in enumerate(outlines)]
    return evidence.places(pieces, [BOARD], top, outlined, middle)


@pytest.mark.parametrize(
    ("table", "colour"), [(TABLE, PRINT), (BLACK, BLACK)], ids=["colours tell", "only print tells"]
)
@pytest.mark.parametrize("lost", range(3))
def test_a_card_of_a_row_that_is_not_known_is_found(
    lost: int, table: tuple[int, int, int], colour: tuple[int, int, int]
) -> None:
    pixels = laid(list(ROW), table, colour)
    found = places(pixels, [place for k, place in enumerate(ROW) if k != lost])
    assert found == [pytest.approx(ROW[lost], abs=0.25)]


def test_bare_table_is_no_card() -> None:
    assert places(laid(list(ROW)), list(ROW)) == []


def test_a_column_that_goes_on_below_the_last_known_card_is_found() -> None:
    column = [(5.0, 3.2), (5.0, 3.8), (5.0, 4.4), (5.0, 5.0)]
    found = places(laid([*ROW, *column]), [*ROW, *column[:2]], orders=2)
    assert found[0] == pytest.approx((5.0, 4.7), abs=0.35)
    assert places(laid([*ROW, *column]), [*ROW, *column], orders=4) == []


def test_a_first_order_right_below_the_board_is_found() -> None:
    column = [(5.0, 3.2), (5.0, 3.8)]
    assert places(laid([*ROW, *column]), [*ROW, column[1]], orders=1) == [pytest.approx((5.0, 3.0), abs=0.25)]


def test_what_is_printed_right_below_the_board_is_no_order_half_on_it() -> None:
    aside = [(7.5, 2.2), (9.0, 2.2)]
    pixels, end = laid([*ROW, (5.0, 2.65), *aside]), round(2.9 * SCALE)
    pixels[end:] = laid([])[end:]
    assert places(pixels, [*ROW, *aside], orders=2) == []


def test_no_order_lies_under_a_whole_one_below_it_nor_above_the_board() -> None:
    column = [(5.0, 3.2), (5.0, 3.8)]
    pixels = laid([*ROW, *column])
    assert places(pixels, [*ROW, column[0]], orders=1) == [pytest.approx((5.0, 4.0), abs=0.25)]
    assert places(pixels, [*ROW, column[0]], orders=1, goes_on=False) == []
    aside = [(8.5, 2.6), (8.5, 3.2)]
    assert places(laid([*ROW, *aside]), [*ROW, aside[1]], orders=1) == [pytest.approx((8.5, 2.4), abs=0.25)]
    assert places(laid([*ROW, *aside]), [*ROW, aside[1]], orders=1, top=2.9) == []


def test_of_a_card_that_is_half_covered_only_the_part_that_is_seen_is_taken() -> None:
    column = [(5.0, 3.2), (5.0, 3.8)]
    pixels = laid([*ROW, *column])
    outlines = [card(x, y) for x, y in [*ROW, column[0]]]
    evidence = Ground(pixels, np.ones(pixels.shape[:2], np.bool_), (0.0, 0.0), ASPECT).evidence(outlines, [BOARD])
    assert evidence is not None
    shown = [*outlines[:3], outlines[3] * (1.0, 0.57) + (0.0, 2.7 * 0.43)]
    pieces = [Piece(one, part, k == 3, True) for k, (one, part) in enumerate(zip(outlines, shown, strict=True))]
    assert evidence.places(pieces, [BOARD], 2.0, False, True) == [pytest.approx(column[1], abs=0.25)]


def test_where_cards_show_their_outlines_a_clear_place_without_one_is_no_card() -> None:
    pixels = laid(list(ROW))
    assert places(pixels, list(ROW[:2]), outlined=True) == []
    clear = np.ones(pixels.shape[:2], np.bool_)
    clear[round(0.9 * SCALE) : round(1.3 * SCALE), round(5.2 * SCALE) : round(5.7 * SCALE)] = False
    assert places(pixels, list(ROW[:2]), clear=clear, outlined=True) == [pytest.approx(ROW[2], abs=0.25)]


def test_an_inventory_of_which_no_card_is_known_lies_above_the_board() -> None:
    orders = [(6.0, 3.2), (6.0, 4.3)]
    row = [(4.0, 0.9), (5.5, 0.9)]
    found = places(laid([*row, *orders]), orders, orders=2)
    assert sorted(found) == [pytest.approx(place, abs=0.25) for place in row]


def test_a_card_that_only_print_tells_is_found_beside_one_that_its_colour_tells() -> None:
    pixels = laid(list(ROW), BLACK, BLACK)
    left, top = np.round(card(*ROW[0]) * SCALE).astype(int)[0].tolist()
    pixels[top : top + 20, left : left + 28] += np.array([90, 10, 10], np.uint8)
    fourth = laid([*ROW, (6.5, 1.0), (8.0, 1.0)], BLACK, BLACK)
    left, top = np.round(card(8.0, 1.0) * SCALE).astype(int)[0].tolist()
    fourth[top : top + 20, left : left + 28] += np.array([90, 10, 10], np.uint8)
    left, top = np.round(card(*ROW[0]) * SCALE).astype(int)[0].tolist()
    fourth[top : top + 20, left : left + 28] += np.array([90, 10, 10], np.uint8)
    assert sorted(places(fourth, list(ROW))) == [
        pytest.approx((6.5, 1.0), abs=0.25),
        pytest.approx((8.0, 1.0), abs=0.25),
    ]


def test_a_lamps_reflection_on_the_table_is_no_card() -> None:
    pixels = laid(list(ROW))
    y, x = np.mgrid[: pixels.shape[0], : pixels.shape[1]]
    pixels[np.hypot((x / SCALE - 6.6) / 1.2, y / SCALE - 1.0) < 0.75] = PRINT
    light = cv2.GaussianBlur(pixels, (0, 0), 5.0)
    near = (np.hypot((x / SCALE - 6.6) / 1.2, y / SCALE - 1.0) < 1.2) & (x / SCALE > 5.8)
    pixels[near] = light[near]
    assert places(pixels, list(ROW)) == []


def test_what_the_photo_does_not_show_is_no_card() -> None:
    clear = np.ones((round(HEIGHT * SCALE), round(WIDTH * SCALE)), np.bool_)
    clear[:, round(4.3 * SCALE) :] = False
    assert places(laid(list(ROW)), list(ROW[:2]), clear=clear) == []


def test_a_table_of_the_colour_and_the_pattern_of_the_cards_says_nothing() -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (round(HEIGHT * SCALE), round(WIDTH * SCALE), 3), np.uint8)
    seen = np.ones(pixels.shape[:2], np.bool_)
    assert Ground(pixels, seen, (0.0, 0.0), ASPECT).evidence([card(*place) for place in ROW], []) is None


def faded(columns: int) -> tuple[Sign, float]:
    """What tells cards from the table where the left `columns` pixels of the third card look as that, and how much of
    it the card shows."""
    pixels = laid(list(ROW))
    left, top = np.round(card(*ROW[2]) * SCALE).astype(int)[0].tolist()
    pixels[top : top + 20, left : left + columns] = TABLE
    ground = Ground(pixels, np.ones(pixels.shape[:2], np.bool_), (0.0, 0.0), ASPECT)
    evidence = ground.evidence([card(*place) for place in ROW], [BOARD])
    assert evidence is not None
    sign = evidence.signs[0]
    return sign, float(sign.shown[ground.mask([card(*ROW[2])], 0.0)].mean())


def test_a_card_need_show_no_more_than_the_faintest_known_one() -> None:
    sign, shown = faded(18)
    assert 0.1 < sign.least < shown


def test_a_known_card_that_shows_next_to_nothing_says_nothing_of_what_a_card_must_show() -> None:
    sign, shown = faded(26)
    assert shown < sign.bare + 0.25 * (sign.usual - sign.bare)
    assert sign.faintest == pytest.approx(sign.bare + 0.3 * (sign.usual - sign.bare))


def test_a_place_half_on_a_known_card_is_as_bare_as_the_rest_of_it() -> None:
    pixels = laid(list(ROW))
    outlines = [card(*place) for place in ROW[:2]]
    evidence = Ground(pixels, np.ones(pixels.shape[:2], np.bool_), (0.0, 0.0), ASPECT).evidence(outlines, [BOARD])
    assert evidence is not None
    half_on, bare, lost = evidence.likeness(np.array([(2.0, 1.5), (8.0, 5.0), ROW[2]]), outlines)
    assert (half_on < 0.3, bare, lost > 0.9) == (True, 0.0, True)


class TestPattern:
    """What the table itself shows tells of no card."""

    CLOTH = ((2.0, 6.0), (5.0, 6.0), (8.5, 5.5), (10.5, 4.0))

    def told(self, cloth: list[tuple[float, float]]) -> list[tuple[float, float]]:
        """What is found beside two cards of the row; the cloth shows at more places what a card does."""
        outlines = [card(x, y) for x, y in ROW[:2]]
        pixels = laid([*ROW, *cloth])
        evidence = Ground(pixels, np.ones(pixels.shape[:2], np.bool_), (0.0, 0.0), ASPECT).evidence(outlines, [BOARD])
        assert evidence is not None
        pieces = [Piece(one, one, False, False) for one in outlines]
        return evidence.patternless(pieces, [BOARD]).places(pieces, [BOARD], 2.0, False, True)

    def test_a_place_like_many_on_the_table_is_no_card(self) -> None:
        assert self.told(list(self.CLOTH)) == []

    @pytest.mark.parametrize("cloth", [[], [CLOTH[0]]], ids=["bare", "one thing"])
    def test_a_single_thing_on_the_table_is_no_pattern(self, cloth: list[tuple[float, float]]) -> None:
        assert self.told(cloth) == [pytest.approx(ROW[2], abs=0.25)]

    def test_plain_patches_of_the_cards_colour_are_no_pattern_of_cards(self) -> None:
        outlines = [card(x, y) for x, y in ROW[:2]]
        pixels = laid(list(ROW))
        for x, y in self.CLOTH:
            cv2.fillConvexPoly(pixels, np.round(card(x, y) * SCALE).astype(np.int32), PRINT)
        evidence = Ground(pixels, np.ones(pixels.shape[:2], np.bool_), (0.0, 0.0), ASPECT).evidence(outlines, [BOARD])
        assert evidence is not None
        pieces = [Piece(one, one, False, False) for one in outlines]
        assert len(evidence.patternless(pieces, [BOARD]).signs) == len(evidence.signs)

    def test_the_veil_of_a_lamps_reflection_may_hide_a_card(self) -> None:
        pixels = laid(list(ROW))
        cv2.circle(pixels, (round(5.9 * SCALE), round(1.0 * SCALE)), 5, (255, 255, 255), -1)
        outlines = [card(x, y) for x, y in ROW[:2]]
        evidence = Ground(pixels, np.ones(pixels.shape[:2], np.bool_), (0.0, 0.0), ASPECT).evidence(outlines, [BOARD])
        assert evidence is not None
        assert (evidence.glared(ROW[2]), evidence.glared((2.0, 5.0))) == (True, False)


class TestBare:
    """Colours that only the table has."""

    LIGHT = (200, 215, 225)

    def bare(self, pixels: NDArray[np.uint8]) -> NDArray[np.bool_] | None:
        ground = Ground(pixels, np.ones(pixels.shape[:2], np.bool_), (0.0, 0.0), ASPECT)
        colours = ground.bare([card(x, y) for x, y in ROW[:2]], [])
        return None if colours is None else colours[colour_numbers(pixels)]

    def plain(self, colour: tuple[int, int, int]) -> NDArray[np.uint8]:
        """Dark cards with little on them."""
        pixels = np.full((round(HEIGHT * SCALE), round(WIDTH * SCALE), 3), self.LIGHT, np.uint8)
        for x, y in ROW:
            cv2.fillConvexPoly(pixels, np.round(card(x, y) * SCALE).astype(np.int32), colour)
        grain = np.random.default_rng(5).integers(-5, 6, pixels.shape)
        return np.asarray(np.clip(pixels + grain, 0, 255), np.uint8)

    def test_a_light_tables_colours_are_told_from_dark_cards_known_or_not(self) -> None:
        pixels = self.plain(BLACK)
        pixels[round(0.8 * SCALE) : round(1.2 * SCALE), round(4.6 * SCALE) : round(5.4 * SCALE)] = (140, 140, 140)
        bare = self.bare(pixels)
        assert bare is not None
        for x, y in ROW:
            assert not bare[round(y * SCALE), round(x * SCALE)]  # the last one under a veil of its own colour
        assert bare[round(5.0 * SCALE) :].all()

    def test_cards_that_share_the_tables_colours_or_stand_out_by_their_print_tell_none(self) -> None:
        assert self.bare(self.plain(self.LIGHT)) is None
        assert self.bare(laid(list(ROW), (90, 90, 90), (60, 60, 60))) is None

    @pytest.mark.parametrize(("share", "told"), [(0.07, True), (0.14, False)])
    def test_no_more_than_specks_of_the_tables_colours_may_lie_on_the_cards(self, share: float, told: bool) -> None:
        pixels = self.plain(BLACK)
        for x, y in ROW[:2]:
            left, top = np.round(card(x, y) * SCALE).astype(int)[0].tolist()
            pixels[top : top + 20, left : left + round(share * 28)] = self.LIGHT
        assert (self.bare(pixels) is not None) == told
