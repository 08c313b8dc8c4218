"""The order in which a table of Dash cards is explained, and what on it may still be a card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import cv2
import numpy as np
import pytest

from durian_assist.vision import dash_looks
from durian_assist.vision.dash_gaps import GapFinder
from durian_assist.vision.dash_laying import WORTH_A_LOOK
from durian_assist.vision.dash_looks import read_table
from durian_assist.vision.dash_parts import WHOLE, Proposal
from durian_assist.vision.dash_plane import Pose, pose_of
from durian_assist.vision.dash_seeds import SeedFinder
from durian_assist.vision.dash_seen import DashDeck, SeenCard, dash_deck
from durian_assist.vision.dash_sheet import Sheet
from durian_assist.vision.dash_table import TableReader
from durian_assist.vision.deck_profile import DeckProfile, Pixels, load_profile
from durian_assist.vision.rectify import Picture
from tests.vision.dash_scenes import CARD, Scene, column, paint, printed_dark, shifted, varieties

ASPECT, SCALE = 0.7, 96
TABLE, PRINT = (120, 150, 170), (60, 20, 20)


@pytest.fixture(scope="module")
def deck() -> DeckProfile:
    """The shipped deck printed on dark cards."""
    return printed_dark(load_profile("harbour-dash", "dash"))


@pytest.fixture(scope="module")
def prepared(deck: DeckProfile) -> DashDeck:
    return dash_deck(deck)


def streaked(scene: Scene, numbers: Iterable[int], strength: float, width: float, high: float = 0.95) -> Pixels:
    """The photo with two streaks of light, `width` card heights wide, on the sleeves of cards, down to `high` of their
    heights."""
    light, sleeve = (np.zeros(scene.pixels.shape[:2], np.float32) for _ in range(2))
    for number in numbers:
        corners = scene.cards[number][1]
        left, right = corners[[0, 3]], corners[[1, 2]]
        for k in (0.15, 0.55):
            start = left[0] + (left[1] - left[0]) * high * k
            end = right[0] + (right[1] - right[0]) * high * (k + 0.25)
            cv2.line(
                light, start.round().astype(int).tolist(), end.round().astype(int).tolist(), 1.0, round(width * CARD)
            )
        cv2.fillConvexPoly(sleeve, np.round(corners).astype(np.int32), 1.0)
    share = (strength * cv2.GaussianBlur(light, (0, 0), 3) * sleeve)[..., None]
    return np.asarray(scene.pixels * (1 - share) + 245 * share, np.uint8)


def kinds(named: Iterable[SeenCard]) -> Counter[str]:
    return Counter(card.name for card in named)


def row(deck: DeckProfile, count: int, step: float) -> Scene:
    return paint(deck, [(varieties(deck)[k], step * k - 1.2, 0.0, 0.5 * k) for k in range(count)], table=TABLE)


@pytest.mark.parametrize(("strength", "width"), [(0.6, 0.05), (0.95, 0.03)])
def test_a_fan_is_followed_below_a_strip_under_streaks(
    strength: float, width: float, deck: DeckProfile, prepared: DashDeck
) -> None:
    """The second strip of a fan is not like a card's; those below it were missed or laid on top of it."""
    names = varieties(deck)
    scene = paint(deck, [*column([names[0]] * 4, 0.55), *shifted(column(names[1:3], 0.6), 0.9, 0.3)], table=TABLE)
    table = read_table(streaked(scene, [2], strength, width, 0.42), prepared)
    assert kinds(table.cards) == Counter(name for name, _ in scene.cards)
    assert not table.doubts


def test_beside_a_card_known_by_a_half_there_may_be_more(deck: DeckProfile, prepared: DashDeck) -> None:
    scene = row(deck, 3, 0.9)
    pixels = streaked(scene, [2], 0.7, 0.05)
    corners = scene.cards[1][1]
    middle = (corners[[0, 1]] + corners[[3, 2]]) / 2
    cover = np.array([middle[0] + (-10, 0), middle[1] + (10, 0), corners[2] + (10, 40), corners[3] + (-10, 40)])
    cv2.fillConvexPoly(pixels, np.round(cover).astype(np.int32), (200, 210, 220))
    table = read_table(pixels, prepared)
    assert kinds(table.cards) == Counter(name for name, _ in scene.cards)


def test_a_card_of_which_half_is_covered_is_no_other_piece(deck: DeckProfile, prepared: DashDeck) -> None:
    """Under a grey sheet one was taken for a plantation, and the collection for a market."""
    scene = row(deck, 4, 0.8)
    corners = scene.cards[2][1]
    cover = np.array(
        [corners[0] + 0.6 * (corners[3] - corners[0]), corners[1] + 0.6 * (corners[2] - corners[1]), *corners[2:]]
    )
    cv2.fillConvexPoly(scene.pixels, np.round(cover).astype(np.int32), (65, 65, 65))
    table = read_table(scene.pixels, prepared)
    assert not table.others
    assert len(table.cards) == 4
    assert table.doubts == 1


def reader_of(scene: Scene, prepared: DashDeck, *numbers: int) -> TableReader:
    picture, finder = Picture(scene.pixels), SeedFinder(prepared.everything)
    seeds = finder.seeds(picture, [scene.cards[n][1] for n in numbers])
    return TableReader(picture, prepared, finder, seeds, seeds)


def test_what_is_no_card_does_not_tell_how_sure_a_search_can_be(deck: DeckProfile, prepared: DashDeck) -> None:
    scene = row(deck, 3, 0.9)
    reader = reader_of(scene, prepared, 0)
    card = pose_of(reader.plane.to_plane(scene.cards[2][1]), prepared.aspect, 1.0)
    bare = Pose(card.x, card.y + 1.5, 0.0)
    reader._found = [Proposal(bare, WHOLE, 0.9), Proposal(card, WHOLE, 0.5)]
    assert card in reader._places


def test_a_plane_is_mended_by_the_cards_found_on_it_and_they_vouch_for_no_others(
    deck: DeckProfile, prepared: DashDeck, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = row(deck, 5, 0.8)
    first = dash_looks._trusted
    monkeypatch.setattr(dash_looks, "_trusted", lambda *args: first(*args)[:1])
    monkeypatch.setattr(TableReader, "as_seeds", lambda _: [])
    monkeypatch.setattr(TableReader, "alone", lambda *_: False)
    table = read_table(streaked(scene, [4], 1.0, 0.05), prepared)
    assert table.mended
    assert table.support >= 4
    assert table.thin


@pytest.mark.parametrize(("light", "bright"), [(250.0, False), (76.0, True)])
def test_what_is_no_lighter_than_cards_is_no_streak_for_sure(
    light: float, bright: bool, deck: DeckProfile, prepared: DashDeck
) -> None:
    names = varieties(deck)
    scene = paint(deck, [(names[k], 0.9 * n - 1.2, 0.0, 0.0) for n, k in enumerate((2, 3, 1))], table=TABLE)
    top, bottom = scene.cards[2][1][[0, 1]], scene.cards[2][1][[3, 2]]
    patch = np.concatenate([0.65 * top + 0.35 * bottom, (0.4 * top + 0.6 * bottom)[::-1]])
    cv2.fillConvexPoly(scene.pixels, np.round(patch).astype(np.int32), (240, 240, 240))
    reader = reader_of(scene, prepared, 0, 1)
    for number in (0, 1, 2):
        seen = reader.layers.look(pose_of(reader.plane.to_plane(scene.cards[number][1]), prepared.aspect, 1.0))
        if number < 2:
            reader.layers.lay(seen, WORTH_A_LOOK)
    streaks = reader._streaked
    vars(streaks)["_light"] = light  # that of the lightest known card
    assert [sure for _, sure in streaks.find([seen])] == [bright]


@pytest.mark.parametrize(("patch", "hidden"), [(None, False), ("half", True), ("pattern", True)])
def test_halves_of_cards_are_looked_for_where_something_may_be_one(patch: str | None, hidden: bool) -> None:
    pixels = np.full((5 * SCALE, 8 * SCALE, 3), TABLE, np.uint8)
    known = [Pose(x, 2.0, 0.0).rectangle(ASPECT, 1.0) for x in (2.0, 2.8)]
    for corners in known:
        cv2.fillConvexPoly(pixels, np.round(corners * SCALE).astype(np.int32), PRINT)
    if patch == "half":
        pixels[3 * SCALE : round(3.5 * SCALE), 5 * SCALE : round(5.7 * SCALE)] = (20, 120, 60)
    if patch == "pattern":
        pixels[:, : 4 * SCALE : 8] = PRINT
        pixels[: 2 * SCALE] = PRINT
    grain = np.random.default_rng(5).integers(-6, 7, pixels.shape)
    sheet = Sheet(np.clip(pixels + grain, 0, 255).astype(np.uint8), SCALE, (0.0, 0.0))
    assert GapFinder(sheet, ASPECT).half_hidden(known, []) is hidden
