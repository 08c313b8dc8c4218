"""Dark cards under streaks of light on sleeves: read without the streaks, or asked about; never missed unsaid."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest

from durian_assist.vision.dash_gaps import WHOLE_FREE, GapFinder
from durian_assist.vision.dash_laying import WORTH_A_LOOK
from durian_assist.vision.dash_library import Verdict
from durian_assist.vision.dash_looks import read_table
from durian_assist.vision.dash_plane import Pose, pose_of
from durian_assist.vision.dash_seeds import SeedFinder
from durian_assist.vision.dash_seen import DashDeck, dash_deck
from durian_assist.vision.dash_sheet import Sheet
from durian_assist.vision.dash_streaks import streaks
from durian_assist.vision.dash_table import TableReader
from durian_assist.vision.deck_profile import DeckProfile, Pixels, load_profile
from durian_assist.vision.rectify import Picture, canvas_to_photo
from tests.vision.dash_scenes import CARD, Scene, paint, printed_dark, varieties

ASPECT = 0.7
SCALE = 96
TABLE, PRINT, STREAKED = (120, 150, 170), (60, 20, 20), (200, 120, 200)


@pytest.fixture(scope="module")
def deck() -> DeckProfile:
    """The shipped deck printed on dark cards."""
    return printed_dark(load_profile("harbour-dash", "dash"))


@pytest.fixture(scope="module")
def prepared(deck: DeckProfile) -> DashDeck:
    return dash_deck(deck)


def streaked(scene: Scene, number: int, amount: float) -> Pixels:
    """The photo with three streaks of light, not blown out, on the sleeve of a card."""
    corners = scene.cards[number][1]
    light, sleeve = (np.zeros(scene.pixels.shape[:2], np.float32) for _ in range(2))
    for k in range(3):
        start = corners[0] + (corners[1] - corners[0]) * (0.15 + 0.3 * k)
        end = corners[3] + (corners[2] - corners[3]) * (0.05 + 0.3 * k)
        cv2.line(light, start.round().astype(int).tolist(), end.round().astype(int).tolist(), 1.0, round(0.04 * CARD))
    cv2.fillConvexPoly(sleeve, np.round(corners).astype(np.int32), 1.0)
    share = (amount * cv2.GaussianBlur(light, (0, 0), 3) * sleeve)[..., None]
    return np.asarray(scene.pixels * (1 - share) + 235 * share, np.uint8)


def rows(deck: DeckProfile) -> list[tuple[str, float, float, float]]:
    """Two rows of four cards, as `paint` takes them."""
    names = varieties(deck)
    return [
        (names[(2 * row + k) % len(names)], 0.78 * k - 1.2, 1.1 * row - 0.5, 0.6 * (k - row))
        for row in (0, 1)
        for k in range(4)
    ]


def market(deck: DeckProfile) -> Scene:
    return paint(deck, rows(deck), table=TABLE)


@pytest.mark.parametrize("number", [5, 6])
def test_a_card_of_a_row_is_read_under_streaks(number: int, deck: DeckProfile, prepared: DashDeck) -> None:
    scene = market(deck)
    table = read_table(streaked(scene, number, 0.9), prepared)
    assert Counter(card.name for card in table.cards) == Counter(name for name, _ in scene.cards)
    assert not table.doubts


def test_streaks_are_what_is_lighter_than_every_class(deck: DeckProfile, prepared: DashDeck) -> None:
    scene, library = market(deck), prepared.fine
    name, corners = scene.cards[1]
    everything = np.ones((library.size[1], library.size[0]), np.bool_)
    cut, plain = (
        Picture(pixels).warp(canvas_to_photo(corners, library.size), library.size)
        for pixels in (streaked(scene, 1, 0.9), scene.pixels)
    )
    found = streaks(library, cut, everything)
    assert 0.1 < found.mean() < 0.5
    assert streaks(library, plain, everything).mean() < 0.05
    kind = library.names.index(name)
    assert library.local(cut, everything)[kind] < 0.5
    assert library.best(cut, ~found)[0] == kind
    assert library.local(cut, ~found)[kind] > 0.8


def laid(*cards: tuple[float, float, tuple[int, int, int]]) -> Sheet:
    """A table of 8 by 5 card heights; each card is (x, y, colour)."""
    pixels = np.full((5 * SCALE, 8 * SCALE, 3), TABLE, np.uint8)
    for x, y, colour in cards:
        cv2.fillConvexPoly(pixels, np.round(Pose(x, y, 0.0).rectangle(ASPECT, 1.0) * SCALE).astype(np.int32), colour)
    grain = np.random.default_rng(5).integers(-6, 7, pixels.shape)
    return Sheet(np.clip(pixels + grain, 0, 255).astype(np.uint8), SCALE, (0.0, 0.0))


ROW = ((2.0, 2.0), (2.8, 2.0), (4.4, 2.0), (5.2, 2.0))


@pytest.mark.parametrize(("x", "expected"), [(3.6, True), (7.0, False)])
def test_what_is_neither_card_nor_table_is_strange_where_a_card_is_to_be_expected(x: float, expected: bool) -> None:
    sheet = laid(*((at, y, PRINT) for at, y in ROW), (x, 2.0, STREAKED))
    finder, known = GapFinder(sheet, ASPECT), [Pose(at, y, 0.0).rectangle(ASPECT, 1.0) for at, y in ROW]
    assert not finder.places(known, [], WHOLE_FREE)
    found = [pose.centre for pose in finder.strange(known, [], WHOLE_FREE)]
    assert found == ([pytest.approx((x, 2.0), abs=0.15)] if expected else [])


@pytest.mark.parametrize(("printed", "odd"), [(True, 1), (False, 0)])
def test_print_beside_known_cards_is_odd_also_in_the_table_s_colours(printed: bool, odd: int) -> None:
    sheet = laid(*((at, y, PRINT) for at, y in ROW))
    for at, y in (*ROW, *([(3.6, 2.0)] if printed else [])):
        for k in range(8):
            left, top = round((at - 0.3) * SCALE), round((y - 0.45 + 0.12 * k) * SCALE)
            cv2.rectangle(sheet.pixels, (left, top), (left + round(0.6 * SCALE), top + 4), (90, 110, 130), -1)
    known = [Pose(at, y, 0.0).rectangle(ASPECT, 1.0) for at, y in ROW]
    assert len(GapFinder(sheet, ASPECT).odd(known, [])) == odd


def test_nothing_is_strange_on_a_table_of_the_cards_own_colours() -> None:
    sheet = laid(*((at, y, PRINT) for at, y in ROW), (3.6, 2.0, STREAKED))
    sheet.pixels[: 4 * SCALE, : 2 * SCALE] = sheet.pixels[3 * SCALE :, 6 * SCALE :] = PRINT
    sheet.pixels[:SCALE] = PRINT
    known = [Pose(at, y, 0.0).rectangle(ASPECT, 1.0) for at, y in ROW]
    assert not GapFinder(sheet, ASPECT).strange(known, [], WHOLE_FREE)


def test_leads_count_less_where_light_may_have_changed() -> None:
    sure = Verdict((("sultan", 0.0), ("rotten", 0.25)), 0.5)
    assert sure.candidates == ("sultan",)
    assert set(sure.faded(0.4).candidates) == {"sultan", "rotten"}
    assert sure.faded(2.0) == sure


@pytest.mark.parametrize(("number", "kept"), [(8, False), (3, True)])
def test_a_draw_deck_that_looks_like_a_variety_is_no_card_of_the_market(
    number: int, kept: bool, deck: DeckProfile, prepared: DashDeck
) -> None:
    scene = paint(deck, [*rows(deck), ("dash/back", 2.2, 0.1, 3.0)], table=TABLE)
    picture, finder = Picture(scene.pixels), SeedFinder(prepared.everything)
    seeds = finder.seeds(picture, [corners for _, corners in scene.cards[:8]])
    reader = TableReader(picture, prepared, finder, seeds, seeds)
    corners = reader.plane.to_plane(scene.cards[number][1])
    seen = reader.layers.look(pose_of(corners, prepared.aspect, 1.0))
    reader.layers.lay(seen, WORTH_A_LOOK)
    assert bool(reader.layers.laid) is kept
    assert [other.name for other in reader.others.unmasked] == ([] if kept else ["dash/back"])
