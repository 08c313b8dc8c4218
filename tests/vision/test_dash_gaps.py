"""Cards of a table that show neither their outline nor their print: they must not vanish unsaid."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from durian_assist.vision.dash_gaps import STRIP_FREE, WHOLE_FREE, GapFinder
from durian_assist.vision.dash_plane import Pose
from durian_assist.vision.dash_reading import read_dash
from durian_assist.vision.dash_sheet import Sheet
from durian_assist.vision.dash_whole import NEAR_GAP
from durian_assist.vision.deck_profile import DeckProfile, load_profile
from durian_assist.vision.photo import Photo
from tests.vision.dash_scenes import CARD, paint, varieties

ASPECT = 0.7
SCALE = 96
TABLE, PRINT, OTHER_PRINT = (60, 90, 130), (180, 60, 40), (170, 70, 50)
GRAIN = 6


def laid(*cards: tuple[float, float, tuple[int, int, int]]) -> Sheet:
    """A table of 8 by 5 card heights; each card is (x, y, colour)."""
    pixels = np.full((5 * SCALE, 8 * SCALE, 3), TABLE, np.uint8)
    for x, y, colour in cards:
        cv2.fillConvexPoly(pixels, np.round(Pose(x, y, 0.0).rectangle(ASPECT, 1.0) * SCALE).astype(np.int32), colour)
    grain = np.random.default_rng(5).integers(-GRAIN, GRAIN + 1, pixels.shape)
    return Sheet(np.clip(pixels + grain, 0, 255).astype(np.uint8), SCALE, (0.0, 0.0))


def gaps(sheet: Sheet, *known: tuple[float, float], least: float = WHOLE_FREE) -> list[tuple[float, float]]:
    cards = [Pose(x, y, 0.0).rectangle(ASPECT, 1.0) for x, y in known]
    return [pose.centre for pose in GapFinder(sheet, ASPECT).places(cards, [], least)]


ROW = ((2.0, 2.0), (2.8, 2.0), (4.4, 2.0))


@pytest.mark.parametrize(
    "colour", [PRINT, OTHER_PRINT, (255, 255, 255)], ids=["own", "alike", "glare with cards in it"]
)
def test_a_card_in_a_row_that_is_not_known_is_a_gap(colour: tuple[int, int, int]) -> None:
    white = [(2.8, 2.2, (255, 255, 255))] if colour == (255, 255, 255) else []
    sheet = laid(*((x, y, PRINT) for x, y in ROW), *white, (3.6, 2.0, colour))
    found = gaps(sheet, *ROW, *((x, y) for x, y, _ in white))
    assert found == [pytest.approx((3.6, 2.0), abs=0.15)]


@pytest.mark.parametrize(("colour", "more"), [(PRINT, True), (TABLE, False)])
def test_something_of_the_cards_colours_is_seen_also_far_from_known_cards(
    colour: tuple[int, int, int], more: bool
) -> None:
    sheet = laid(*((x, y, PRINT) for x, y in ROW), (7.0, 4.0, colour))
    known = [Pose(x, y, 0.0).rectangle(ASPECT, 1.0) for x, y in ROW]
    assert not GapFinder(sheet, ASPECT).places(known, [], WHOLE_FREE)
    assert GapFinder(sheet, ASPECT).more(known, []) is more


def half_lit(pose: Pose, colour: tuple[int, int, int]) -> Sheet:
    """The row, and one more card's place of which glare hides the right half."""
    sheet = laid(*((x, y, PRINT) for x, y in ROW), (pose.x, pose.y, colour))
    right = Pose(pose.x + ASPECT / 4, pose.y, 0.0).rectangle(ASPECT / 2, 1.0)
    cv2.fillConvexPoly(sheet.pixels, np.round(right * SCALE).astype(np.int32), (255, 255, 255))
    return sheet


def test_what_glare_leaves_of_a_card_tells_that_it_is_one() -> None:
    place = Pose(3.6, 2.0, 0.0)
    assert gaps(half_lit(place, PRINT), *ROW) == [pytest.approx((3.6, 2.0), abs=NEAR_GAP)]
    assert gaps(half_lit(place, TABLE), *ROW) == []


def test_bare_table_between_cards_is_no_gap() -> None:
    assert gaps(laid(*((x, y, PRINT) for x, y in ROW)), *ROW) == []


def test_what_lies_aside_of_rows_and_columns_is_no_gap() -> None:
    assert gaps(laid(*((x, y, PRINT) for x, y in ROW), (6.8, 4.2, PRINT)), *ROW) == []


def test_a_table_of_the_colour_of_the_cards_says_nothing() -> None:
    assert gaps(laid(*((x, y, TABLE) for x, y in ROW)), *ROW) == []


def test_a_strip_of_a_fan_counts_only_where_strips_are_asked_for() -> None:
    sheet = laid(*((x, y, PRINT) for x, y in ROW), (2.8, 1.6, PRINT))
    assert gaps(sheet, *ROW) == []
    assert gaps(sheet, *ROW, least=STRIP_FREE) == [pytest.approx((2.8, 1.5), abs=0.25)]


def test_without_known_cards_there_is_nothing_to_compare_with() -> None:
    assert gaps(laid((2.0, 2.0, PRINT))) == []


def test_end_of_a_sheet_of_paper_is_of_the_sheet_and_a_card_further_on_is_not() -> None:
    sheet = laid(*((x, y, PRINT) for x, y in ROW))
    cv2.rectangle(sheet.pixels, (5 * SCALE, 3 * SCALE), (7 * SCALE, 5 * SCALE), PRINT, -1)
    cv2.rectangle(sheet.pixels, (7 * SCALE, round(3.5 * SCALE)), (round(7.9 * SCALE), round(4.5 * SCALE)), PRINT, -1)
    inner, edge, card = Pose(6.6, 4.0, 0.0), Pose(7.5, 4.0, 0.0), Pose(5.5, 2.2, 0.0)
    finder = GapFinder(sheet, ASPECT)
    known = [Pose(x, y, 0.0).rectangle(ASPECT, 1.0) for x, y in ROW]
    assert finder.of_sheets([inner], known, []) == [inner]
    assert finder.of_sheets([edge], known, []) == []
    assert finder.of_sheets([inner, edge, card], known, []) == [inner, edge]


@pytest.fixture(scope="module")
def deck() -> DeckProfile:
    return load_profile("harbour-dash", "dash")


def test_a_card_under_glare_that_touches_its_neighbours_is_said_to_be_there(deck: DeckProfile) -> None:
    """Its outline runs into theirs, and the glare hides its middle."""
    names = varieties(deck)[:5]
    scene = paint(deck, [(name, 0.715 * n - 1.43, 0.0, 0.0) for n, name in enumerate(names)])
    middle = scene.cards[2][1].mean(axis=0)
    lit = scene.pixels.copy()
    cv2.circle(lit, (int(middle[0]), int(middle[1] - 0.1 * CARD)), round(0.3 * CARD), (255, 255, 255), -1)
    reading = read_dash([Photo("scene", lit)], deck)
    here = [c for c in reading.cards if np.linalg.norm(c.corners.mean(axis=0) - middle) < 0.15 * CARD]
    assert len(reading.cards) == len(names)
    assert here
    assert names[2] in (here[0].name, *here[0].candidates)


@pytest.mark.parametrize(("share", "doubts"), [(0.4, 0), (0.58, 1)])
def test_glare_over_less_than_half_of_a_card_that_the_rest_tells_is_no_doubt(
    share: float, doubts: int, deck: DeckProfile
) -> None:
    names = varieties(deck)[:3]
    scene = paint(deck, [(name, 1.1 * n - 1.1, 0.0, 0.0) for n, name in enumerate(names)])
    (left, top), (right, bottom) = scene.cards[1][1].min(axis=0).astype(int), scene.cards[1][1].max(axis=0).astype(int)
    lit = scene.pixels.copy()
    lit[round(bottom - share * (bottom - top)) : bottom, left:right] = 255
    reading = read_dash([Photo("scene", lit)], deck)
    assert sorted(card.name for card in reading.cards) == sorted(names)
    assert len(reading.uncertain) == doubts


def test_sheet_of_paper_of_the_colour_of_cards_is_no_card(deck: DeckProfile) -> None:
    names = varieties(deck)[:4]
    scene = paint(deck, [(name, 0.8 * n - 2.4, -0.8, 0.0) for n, name in enumerate(names)])
    corner = scene.cards[-1][1].max(axis=0).astype(int)
    own = scene.cards[0][1].mean(axis=0).astype(int)
    colour = scene.pixels[own[1], own[0]]
    sheet = np.array([(0.1, 0.3), (1.7, -0.3), (2.4, 1.7), (0.8, 2.3)]) * CARD + corner - (CARD, 0)
    cv2.fillConvexPoly(scene.pixels, np.round(sheet).astype(np.int32), tuple(int(v) for v in colour))
    reading = read_dash([Photo("scene", scene.pixels)], deck)
    assert sorted(card.name for card in reading.cards) == sorted(names)


def test_card_of_a_fan_that_glare_hides_does_not_vanish(deck: DeckProfile) -> None:
    names = varieties(deck)[:6]
    cards = [(names[2 * n + k], 0.9 * n - 0.9, 0.6 * k - 0.3, 0.0) for n in range(3) for k in range(2)]
    scene = paint(deck, cards)
    upper = scene.cards[2][1].mean(axis=0)
    spot = np.zeros(scene.pixels.shape[:2], np.float32)
    cv2.circle(spot, (int(upper[0]), int(upper[1] - 0.15 * CARD)), round(0.12 * CARD), 4.0, -1)
    veil = np.clip(cv2.GaussianBlur(spot, (0, 0), 0.11 * CARD), 0, 1)[..., None]
    lit = (scene.pixels * (1 - veil) + 255 * veil).astype(np.uint8)
    reading = read_dash([Photo("scene", lit)], deck)
    here = [c for c in reading.cards if np.linalg.norm(c.corners.mean(axis=0) - upper) < 0.25 * CARD]
    assert len(reading.cards) == len(cards)
    assert here
    assert here[0].candidates or here[0].name == names[2]


def spotted(pixels: np.ndarray, centre: np.ndarray, peak: float, sigma: float) -> np.ndarray:
    """A lamp's soft spot: it changes what it lies on and clips nothing."""
    y, x = np.mgrid[0 : pixels.shape[0], 0 : pixels.shape[1]]
    spread = 2 * (sigma * CARD) ** 2
    veil = (peak * np.exp(-((x - centre[0]) ** 2 + (y - centre[1]) ** 2) / spread))[..., None]
    return np.asarray(pixels * (1 - veil) + np.array((225, 240, 248)) * veil, np.uint8)


def test_bare_table_in_a_light_of_the_colour_of_cards_is_no_card(deck: DeckProfile) -> None:
    scene = paint(deck, [(name, 0.8 * n - 1.6, -0.8, 0.0) for n, name in enumerate(varieties(deck)[:5])])
    quad = scene.cards[2][1]
    (left, top), (right, bottom) = quad.min(axis=0).astype(int), quad.max(axis=0).astype(int)
    colour = np.percentile(scene.pixels[top:bottom, left:right].reshape(-1, 3), 60, axis=0)
    y, x = np.mgrid[0 : scene.pixels.shape[0], 0 : scene.pixels.shape[1]]
    across, down = np.array((x, y)) / CARD - ((quad.mean(axis=0) / CARD + (0, 1.15))[:, None, None])
    veil = (0.7 * np.exp(-((across / 0.5) ** 4) - (down / 0.7) ** 4))[..., None]
    reading = read_dash([Photo("scene", np.asarray(scene.pixels * (1 - veil) + colour * veil, np.uint8))], deck)
    assert len(reading.cards) == 5
    assert not reading.uncertain


@pytest.mark.parametrize(("place", "peak", "sigma"), [(5, 0.8, 0.35), (5, 0.8, 0.5), (5, 0.85, 0.5), (2, 0.9, 0.35)])
def test_card_in_a_soft_spot_of_light_is_known_by_its_print(
    place: int, peak: float, sigma: float, deck: DeckProfile
) -> None:
    """Places 0 to 4 are a row of cards, the last is the preference card beside them."""
    names = [*varieties(deck)[:5], next(kind.name for kind in deck.classes if kind.name.startswith("pref/"))]
    scene = paint(deck, [(name, 0.75 * n - 2 + 0.45 * (n == 5), 0.0, 0.0) for n, name in enumerate(names)])
    lower = 0.2 if place == 5 else 0.4
    spot = scene.cards[place][1].mean(axis=0) + np.array((0, lower * CARD))
    reading = read_dash([Photo("scene", spotted(scene.pixels, spot, peak, sigma))], deck)
    assert sorted(card.name for card in reading.cards) == sorted(names[:5])
    assert reading.preference is not None
    assert reading.preference.name == names[5]


def covered(white: tuple[float, float] | None) -> GapFinder:
    """The row, and a lamp's glare of a card's size around a place."""
    sheet = laid(*((x, y, PRINT) for x, y in ROW))
    if white is not None:
        quad = Pose(*white, 0.0).rectangle(ASPECT, 1.0) * SCALE
        cv2.fillConvexPoly(sheet.pixels, np.round(quad).astype(np.int32), (255, 255, 255))
    return GapFinder(sheet, ASPECT)


@pytest.mark.parametrize(
    ("white", "expected"),
    [((3.6, 2.0), [(3.6, 2.0)]), (None, []), ((5.2, 2.0), []), ((2.0, 3.2), [])],
    ids=["glare", "bare table", "glare at the row's end", "glare below it"],
)
def test_glare_hides_a_card_where_its_neighbours_let_expect_one(
    white: tuple[float, float] | None, expected: list[tuple[float, float]]
) -> None:
    known = [Pose(x, y, 0.0).rectangle(ASPECT, 1.0) for x, y in ROW]
    assert [pose.centre for pose in covered(white).hidden(known, [])] == [pytest.approx(at, abs=0.1) for at in expected]


def test_a_known_piece_is_nothing_hidden() -> None:
    known = [Pose(x, y, 0.0).rectangle(ASPECT, 1.0) for x, y in ROW]
    assert covered((3.6, 2.0)).hidden(known, [Pose(3.5, 2.1, 0.3).rectangle(ASPECT, 1.0)]) == []


def test_card_that_glare_hides_within_rows_is_asked_about(deck: DeckProfile) -> None:
    """Its outline is lost, and so are the sides of those beside it."""
    cards = [(varieties(deck)[n], 0.8 * (n % 3) - 0.8, 1.1 * (n // 3) - 0.55, 0.0) for n in range(6)]
    scene = paint(deck, cards)
    hidden = scene.cards[1][1].mean(axis=0)
    spot = cv2.ellipse(
        np.zeros(scene.pixels.shape[:2], np.float32),
        (int(hidden[0]), int(hidden[1])),
        (round(0.36 * CARD), round(0.62 * CARD)), 0, 0, 360, 2.0, -1,
    )  # fmt: skip
    light = np.clip(cv2.GaussianBlur(spot, (0, 0), 0.05 * CARD), 0, 1)[..., None]
    reading = read_dash([Photo("scene", np.asarray(scene.pixels * (1 - light) + 255 * light, np.uint8))], deck)
    asked = [np.mean(item.corners, axis=0) for item in reading.uncertain if item.corners]
    assert len(reading.cards) == 6
    assert any(np.linalg.norm(place - hidden) < 0.2 * CARD for place in asked)


@pytest.mark.parametrize(("reach", "count"), [(0.75, 1), (0.35, 0)])
def test_a_lamp_anywhere_that_leaves_nothing_of_a_place_may_hide_a_card(reach: float, count: int) -> None:
    sheet = laid(*((x, y, PRINT) for x, y in ROW))
    ys, xs = np.mgrid[: 5 * SCALE, : 8 * SCALE] / SCALE
    sheet.pixels[np.hypot(xs - 6.8, ys - 3.6) < reach] = 255
    known = [Pose(x, y, 0.0).rectangle(ASPECT, 1.0) for x, y in ROW]
    found = GapFinder(sheet, ASPECT).dazzled(known)
    assert [pose.centre for pose in found] == [pytest.approx((6.8, 3.6), abs=0.3)] * count
    assert GapFinder(sheet, ASPECT).dazzled([*known, Pose(6.8, 3.6, 0.0).rectangle(1.6, 1.6)]) == []


def test_a_collection_beside_which_a_lamp_hides_a_place_is_asked_about(deck: DeckProfile) -> None:
    names = varieties(deck)
    scene = paint(deck, [(names[k % len(names)], 0.9 * k - 1.4, 0.0, 0.5 * k) for k in range(4)])
    height, width = scene.pixels.shape[:2]
    plain = read_dash([Photo("plain.jpg", scene.pixels)], deck)
    cv2.circle(scene.pixels, (width // 2, height - round(0.9 * CARD)), round(0.75 * CARD), (255, 255, 255), -1)
    lit = read_dash([Photo("lit.jpg", scene.pixels)], deck)
    assert len(lit.uncertain) == len(plain.uncertain) + 1
