"""A card ends at its outline, and what goes on beyond it is none."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import cv2
import numpy as np
import pytest

from durian_assist.vision import dash_looks, smuggler_hands
from durian_assist.vision.beyond import goes_on
from durian_assist.vision.dash_looks import read_table
from durian_assist.vision.dash_seen import DashDeck, SeenCard, SeenTable, dash_deck
from durian_assist.vision.deck_profile import load_profile
from durian_assist.vision.rectify import Picture, Pixels, Points
from durian_assist.vision.scan import References
from durian_assist.vision.smuggler_cards import Face, Laid, parse_face
from durian_assist.vision.smuggler_cells import Sighting
from durian_assist.vision.smuggler_hands import HandCard, _doubted
from durian_assist.vision.smuggler_reading import read_smuggler
from durian_assist.vision.smuggler_view import GridView
from tests.vision.dash_scenes import CARD as HEIGHT
from tests.vision.dash_scenes import paint, varieties
from tests.vision.smuggler_scenes import CARD, FULL, MIDDLE, PITCH, deck, photographed, table_of

YELLOW, RED = (40, 190, 230), (50, 50, 170)


def square(left: float, top: float, side: float = 200.0) -> Points:
    return np.array([(left, top), (left + side, top), (left + side, top + side), (left, top + side)], np.float64)


PLACE = square(200, 200)
BESIDE = square(400, 200)


def table(colour: int) -> Pixels:
    """600 x 800 pixels of one grey, with the noise of a camera."""
    noise = np.random.default_rng(3).normal(0, 3, (600, 800, 3))
    return np.clip(colour + cv2.GaussianBlur(noise, (0, 0), 1.0), 0, 255).astype(np.uint8)


def pencil(pixels: Pixels, first: tuple[int, int], last: tuple[int, int], colour: Sequence[int] = YELLOW) -> Pixels:
    cv2.line(pixels, first, last, colour, 30, cv2.LINE_AA)
    return pixels


def banded(pixels: Pixels, place: Points, ground: int) -> Pixels:
    """A card with a yellow band from edge to edge."""
    left, top = place[0].astype(int)
    pixels[top : top + 200, left : left + 200] = ground
    pixels[top + 140 : top + 170, left : left + 200] = YELLOW
    return pixels


@pytest.mark.parametrize("slope", [-90, 0, 60])
@pytest.mark.parametrize("ground", [35, 215])
def test_a_pencil_goes_on_at_any_slant(slope: int, ground: int) -> None:
    assert goes_on(Picture(pencil(table(ground), (100, 300 + slope), (500, 300 - slope))), PLACE)


def test_the_grain_of_wood_goes_on() -> None:
    """Faint as it is, it is the same on both sides."""
    grained = table(150).astype(np.float32)
    grained += 8 * np.sin(np.arange(600) / 9.0)[:, None, None]
    assert goes_on(Picture(np.clip(grained, 0, 255).astype(np.uint8)), PLACE)
    assert not goes_on(Picture(table(150)), PLACE)


@pytest.mark.parametrize("peak", [400, 120], ids=["clipped", "soft"])
@pytest.mark.parametrize("place", [(200, 300), (290, 230), (330, 200)], ids=["side", "corner", "upper"])
def test_the_light_of_a_lamp_on_a_card_and_the_table_does_not_go_on(place: tuple[int, int], peak: int) -> None:
    y, x = np.mgrid[0:600, 0:800]
    light = peak * np.exp(-((x - place[0]) ** 2 + (y - place[1]) ** 2) / (2 * 75.0**2))[..., None]
    lit = np.clip(table(70).astype(np.float32) + light, 0, 255).astype(np.uint8)
    assert not goes_on(Picture(lit), PLACE)


def test_a_stripe_goes_on_where_the_frame_cuts_its_other_end_off() -> None:
    striped = table(200)
    striped[:, 250:290] = RED
    assert goes_on(Picture(striped), square(200, -120))


@pytest.mark.parametrize("ground", [35, 215])
def test_a_card_of_the_table_s_own_colour_ends_where_its_print_does(ground: int) -> None:
    assert not goes_on(Picture(banded(table(ground), PLACE, ground)), PLACE)


@pytest.mark.parametrize("off", [-6, 6])
def test_a_card_on_stripes_ends_though_its_outline_is_a_little_off(off: int) -> None:
    striped = table(200)
    for shift in range(40):
        striped[:, shift::80] = RED
    assert not goes_on(Picture(banded(striped, PLACE, 215)), square(200 - off, 200 - off, 200 + 2 * off))


def test_a_veil_of_light_does_not_go_on() -> None:
    """It falls off too slowly to be the sign of anything."""
    light = np.linspace(0, 60, 800)[None, :, None]
    veiled = np.clip(banded(table(35), PLACE, 35) + light, 0, 255).astype(np.uint8)
    assert not goes_on(Picture(veiled), PLACE)


def test_like_cards_side_by_side_end_where_the_next_one_is_known() -> None:
    pixels = banded(banded(table(35), PLACE, 35), BESIDE, 35)
    assert goes_on(Picture(pixels), PLACE)
    assert not goes_on(Picture(pixels), PLACE, [BESIDE])
    assert goes_on(Picture(pixels), PLACE, [BESIDE + 900.0])


@pytest.mark.parametrize(("sure", "asked"), [(True, True), (False, False)])
def test_a_pencil_is_no_sure_hand(sure: bool, asked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was surely a card is asked about, what may be one is none; a card that ends stays as it is."""
    laid = table_of(FULL, {"^": ("yellow4", 0, 0)})
    south = MIDDLE[1] + round(3.7 * PITCH)
    pencil(laid, (MIDDLE[0] - 150, south + 30), (MIDDLE[0] + 150, south))
    photo = photographed(laid, tilt=0.0)
    half = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * CARD
    face = parse_face("red6", read_smuggler([photo], deck()).faces, "")
    odds = ((Laid(face, 0), 0.98), (None, 0.02)) if sure else ((Laid(face, 0), 0.6), (None, 0.4))

    def searched(
        view: GridView, sides: Sequence[int], bank: References, waiting: bool, wanted: Collection[int] = ()
    ) -> dict[int, list[HandCard]]:
        card = HandCard(0, Sighting(odds, half + np.array([MIDDLE[0], south])))
        return {side: [card] if side == 0 else [] for side in sides}

    monkeypatch.setattr(smuggler_hands, "_searched", searched)
    said = read_smuggler([photo], deck()).to_json()
    assert said["hands"] == ({"south": ["red6"], "north": ["yellow4"]} if asked else {"north": ["yellow4"]})
    assert [u.get("hand") for u in said["uncertain"]] == (["south"] if asked else [])  # type: ignore[attr-defined]


def test_doubts_of_one_hand_card_add_up() -> None:
    """That it is no card is one answer, however many reasons there are for it."""
    card = Laid(Face("red", "back", None), 0)
    twice = _doubted(_doubted(HandCard(0, Sighting(((card, 1.0),), PLACE)))).sighting.odds
    assert [answer for answer, _ in twice] == [None, card]
    assert [p for _, p in twice] == [pytest.approx(0.64), pytest.approx(0.36)]


@pytest.mark.parametrize("doubtful", [True, False])
def test_a_stripe_in_doubt_is_no_card_of_a_collection(doubtful: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    profile = load_profile("harbour-dash", "dash")
    names = varieties(profile)
    scene = paint(profile, [(names[0], -0.5, 0.0, 0.0)])
    striped = scene.pixels.copy()
    x, y = 1200 + round(0.5 * HEIGHT), 900
    striped[:, x - 40 : x + 40] = RED
    places = [scene.cards[0][1], square(x - HEIGHT / 2, y - HEIGHT / 2, HEIGHT)]
    cards = [
        SeenCard(name, 0.5, quad, (0.0, 0.0), (name,) if doubtful else ())
        for name, quad in zip(names, places, strict=False)
    ]

    def best(picture: Picture, deck: DashDeck) -> SeenTable:
        return SeenTable(tuple(cards))

    monkeypatch.setattr(dash_looks, "_best_table", best)
    left = read_table(striped, dash_deck(profile)).cards
    assert [card.name for card in left] == names[: 1 if doubtful else 2]
