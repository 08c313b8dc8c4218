"""Recognising pieces: any turn, any light, small errors of the corners; what is no card is refused."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durian_assist.vision import coarse
from durian_assist.vision.correlation import View, correlate, lead, unit
from durian_assist.vision.deck_profile import CardClass
from durian_assist.vision.recognise import Recogniser
from durian_assist.vision.rectify import Picture, Pixels, Points
from tests.vision.smuggler_scenes import deck

QUAD = np.array([[120, 110], [370, 130], [360, 380], [105, 365]], np.float64)


@cache
def recogniser() -> Recogniser:
    """References of the first calibration photo only: pictures for the tests come from the second."""
    first = [CardClass(c.name, c.references[:1], c.outline, "card") for c in deck().classes]
    return Recogniser(first)


def painted(name: str, turns: int) -> Pixels:
    """A picture of 480 pixels with one card, its own top left at corner `turns` of QUAD."""
    card = next(c for c in deck().classes if c.name == name).references[-1]
    h, w = card.shape[:2]
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    to_photo = cv2.getPerspectiveTransform(source, np.roll(QUAD, -turns, axis=0).astype(np.float32))
    table = np.full((480, 480, 3), (60, 80, 95), np.uint8)
    laid = cv2.warpPerspective(card, to_photo, (480, 480), flags=cv2.INTER_AREA)
    inside = np.zeros((480, 480), np.uint8)
    cv2.fillConvexPoly(inside, QUAD.round().astype(np.int32), 1)
    table[inside > 0] = laid[inside > 0]
    return table


def named(pixels: Pixels, quad: Points = QUAD) -> tuple[str, int, float]:
    identity = recogniser().identify(Picture(pixels), quad)
    return identity.best.name, identity.best.turns, identity.confidence


@pytest.mark.parametrize("name", [c.name for c in deck().classes])
def test_every_class_is_known_from_a_photo_that_is_no_reference(name: str) -> None:
    turns = len(name) % 4
    assert named(painted(name, turns))[:2] == (name, turns)
    assert named(painted(name, turns))[2] > 0.95


@settings(max_examples=15, deadline=None)
@given(
    st.sampled_from([c.name for c in deck().classes]),
    st.integers(0, 3),
    st.lists(st.floats(-8, 8), min_size=8, max_size=8),
)
def test_corners_may_be_off_by_three_hundredths_of_a_side(name: str, turns: int, errors: list[float]) -> None:
    found, at, confidence = named(painted(name, turns), QUAD + np.array(errors).reshape(4, 2))
    assert (found, at) == (name, turns) or confidence < 0.9


@pytest.mark.parametrize(
    "light", [(0.55, 0.85, 1.0), (1.0, 0.9, 0.6), (0.3, 0.3, 0.3)], ids=["lamp", "evening sky", "dim"]
)
def test_colour_and_strength_of_the_light_do_not_matter(light: tuple[float, float, float]) -> None:
    for name in ("red/durian/6", "orange/empty", "purple/back"):
        assert named((painted(name, 1) * np.array(light)).astype(np.uint8))[:2] == (name, 1)


def test_a_hard_shadow_across_a_card_does_not_matter() -> None:
    pixels = painted("yellow/durian/4", 2)
    pixels[:, 230:] = (pixels[:, 230:] * 0.45).astype(np.uint8)
    assert named(pixels)[:2] == ("yellow/durian/4", 2)


def test_refined_corners_are_the_cards_own_from_its_top_left() -> None:
    identity = recogniser().identify(Picture(painted("green/durian/9", 3)), QUAD + 5.0)
    assert np.abs(identity.corners - np.roll(QUAD, -3, axis=0)).max() < 3.0


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_is_no_card_is_refused(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rough = cv2.GaussianBlur(rng.integers(0, 255, (480, 480, 3)).astype(np.uint8), (0, 0), 4.0)
    spread = (rough - rough.min()) * (255 / np.ptp(rough))
    assert named(spread.astype(np.uint8))[2] < 0.5


@pytest.mark.parametrize("starts", [1, 2])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_is_looked_for_and_is_no_card_is_given_up_before_it_is_aligned_closely(seed: int, starts: int) -> None:
    noise = np.random.default_rng(seed).integers(0, 255, (30, 30, 3)).astype(np.uint8)
    picture = Picture(np.asarray(cv2.resize(noise, (300, 300), interpolation=cv2.INTER_CUBIC), np.uint8))
    found = recogniser().identify(picture, QUAD, tilts=(0.0, -6.0, 6.0), rigid=True, least=-0.9, starts=starts)
    assert (found.card, found.confidence, found.glare) == (0.0, 0.0, 0.0)
    assert len({c.probability for c in found.ranked}) == 1


@pytest.mark.parametrize("starts", [1, 2])
def test_a_place_may_have_to_be_more_alike_before_it_is_aligned_closely(starts: int) -> None:
    """Where the cards of a photo are known, half a card is as little like one as cloth is."""
    card = painted("red/durian/6", 1)
    card[200:, :240] = (60, 80, 95)
    looked = {
        alike: recogniser().identify(Picture(card), QUAD, least=0.1, starts=starts, alike=alike).card
        for alike in (0.4, 0.95)
    }
    assert looked[0.4] > 0
    assert looked[0.95] == 0


def test_a_place_that_is_given_up_after_a_rough_alignment_has_the_correlation_of_that() -> None:
    card = Picture(painted("red/durian/6", 1))
    beside = QUAD + np.array([9.0, -7.0])
    given_up = recogniser().identify(card, beside, reach=0.0, least=0.0, alike=1.01)
    unaligned = recogniser().identify(card, beside, reach=0.0, least=1.01)
    assert (given_up.card, unaligned.card) == (0.0, 0.0)
    assert given_up.best.score > unaligned.best.score + 0.02


def test_only_a_place_that_is_not_clear_at_once_is_tried_at_other_tilts(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Points] = []
    shifted = coarse._shifted

    def counted(bank: coarse.Bank, place: coarse.Place, corners: Points, reach: float) -> coarse.Look:
        tried.append(corners)
        return shifted(bank, place, corners, reach)

    monkeypatch.setattr(coarse, "_shifted", counted)
    card = painted("red/durian/6", 1)
    for quad in (QUAD, coarse.tilted(QUAD, 20.0)):
        tried.clear()
        recogniser().identify(Picture(card), quad, tilts=(0.0, -18.0, 18.0), least=0.9)
        assert len(tried) == (3 if quad is not QUAD else 1)


def test_only_the_classes_and_turns_asked_for_are_answered() -> None:
    picture = Picture(painted("red/empty", 0))
    only = frozenset({"blue/empty", "blue/back"})
    identity = recogniser().identify(picture, QUAD, rotations=(1, 3), only=only)
    assert {c.name for c in identity.ranked} <= only
    assert {c.turns for c in identity.ranked} <= {1, 3}


def test_a_card_hidden_but_for_a_corner_is_never_sure() -> None:
    visible = np.zeros((100, 100), np.bool_)
    visible[:40, :40] = True
    identity = recogniser().identify(Picture(painted("red/durian/6", 0)), QUAD, visible=visible)
    assert identity.confidence < 0.9


@pytest.mark.parametrize("name", ["orange/empty", "red/empty"])
def test_a_card_of_which_too_bright_a_photo_leaves_hardly_a_hue_is_never_sure(name: str) -> None:
    """Clipped, orange looks yellow and red orange, and its lightness agrees with all of them."""
    for gain, told in ((1.6, True), (1.8, False)):
        found, _, confidence = named((painted(name, 1) * np.array(gain)).clip(0, 255).astype(np.uint8))
        assert (found == name) == told
        assert confidence < 0.9


def emblem(colour: tuple[int, int, int], turned: bool) -> Pixels:
    """A white card with a case printed on two fifths of it, its handle above or beside it."""
    card = np.full((200, 200, 3), 250, np.uint8)
    cv2.rectangle(card, (35, 60) if not turned else (20, 40), (165, 170) if not turned else (140, 160), colour, -1)
    cv2.rectangle(card, (80, 25) if not turned else (140, 85), (120, 60) if not turned else (180, 115), colour, -1)
    cv2.circle(card, (100, 115) if not turned else (80, 100), 25, (235, 240, 245), -1)
    return np.asarray(cv2.GaussianBlur(card, (0, 0), 1.5), np.uint8)


@pytest.mark.parametrize("on_print", [False, True])
def test_paper_that_too_bright_a_photo_clips_is_no_glare_and_glare_on_the_print_is(on_print: bool) -> None:
    """Of the one all is seen that tells what it is, of the other, as large, nothing is."""
    cards = [emblem(c, t) for c in ((60, 60, 190), (170, 90, 40)) for t in (False, True)]
    outline = deck().classes[0].outline
    known = Recogniser([CardClass(f"c{n}", (card,), outline, "card") for n, card in enumerate(cards)])
    photo = np.full((480, 480, 3), (60, 80, 95), np.uint8)
    photo[100:300, 100:300] = np.where(cards[0].min(-1, keepdims=True) > 230, 255, cards[0])
    if on_print:
        photo[100:300, 100:300] = 255
        photo[100:106, 100:300] = 200
    quad = np.array([[100, 100], [300, 100], [300, 300], [100, 300]], np.float64) - 0.5
    seen = known.identify(Picture(photo), quad)
    assert (seen.confidence > 0.95) == (not on_print)
    if not on_print:
        assert (seen.best.name, seen.best.turns) == ("c0", 0)


def test_correlation_leaves_out_what_is_not_in_use() -> None:
    rng = np.random.default_rng(5)
    reference = rng.normal(0, 20, (1, 3, 400)).astype(np.float32)
    view = reference * 0.5 + 10
    view[..., :100] = 200
    use = np.ones((1, 400), np.bool_)
    use[:, :100] = False
    assert correlate(view, use, unit(reference))[0, 0] == pytest.approx(1.0, abs=1e-3)
    assert correlate(view, np.ones((1, 400), np.bool_), unit(reference))[0, 0] < 0.5


def test_a_pixel_without_hue_still_counts_with_its_lightness() -> None:
    rng = np.random.default_rng(6)
    reference = unit(rng.normal(0, 20, (1, 3, 400)).astype(np.float32))
    picture = reference[0] * 30 + 5
    picture[1:, :150] = 90
    use = np.ones((3, 400), np.bool_)
    use[1:, :150] = False
    assert View.of(picture, use).correlate(reference)[0] == pytest.approx(1.0, abs=1e-3)
    assert View.of(picture, np.ones((3, 400), np.bool_)).correlate(reference)[0] < 0.8


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.1, 1.0))
def test_a_view_correlates_as_many_views_at_once_do(seed: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    references = unit(rng.normal(0, 20, (4, 3, 300)).astype(np.float32))
    picture = rng.normal(0, 9, (3, 300)).astype(np.float32)
    use = rng.random(300) < share
    at_once = correlate(picture[None], use[None], references)[0]
    assert View.of(picture, np.tile(use, (3, 1))).correlate(references) == pytest.approx(at_once, abs=1e-4)


def test_near_twins_need_a_smaller_lead_than_strangers() -> None:
    assert lead(0.95, 0.90, 0.93) > lead(0.95, 0.90, 0.3)
    assert lead(0.9, 0.9, 0.9) == 0


FRAMES = {"red": (40, 40, 200), "green": (60, 170, 60), "blue": (200, 110, 40), "yellow": (40, 200, 220)}


def framed(colour: tuple[int, int, int]) -> Pixels:
    """A dark card without any white: only the colour of its frame and arrow tells what it is."""
    card = np.full((240, 240, 3), 30, np.uint8)
    cv2.rectangle(card, (14, 14), (226, 226), colour, 26)
    cv2.fillConvexPoly(card, np.array([[80, 150], [160, 150], [120, 200]]), colour)
    return card


def test_a_deck_with_a_white_in_common_needs_no_white_of_the_photo() -> None:
    assert not recogniser().tinted


def test_cards_that_differ_in_hue_alone_are_told_by_the_white_of_the_photo() -> None:
    classes = [CardClass(n, (framed(c),), deck().classes[0].outline, "card") for n, c in FRAMES.items()]
    plain = Recogniser(classes)
    assert plain.tinted
    table = np.full((300, 1200, 3), (90, 90, 90), np.uint8)
    for i, colour in enumerate(FRAMES.values()):
        table[30:270, 30 + 290 * i : 270 + 290 * i] = framed(colour)
    picture = Picture((table * np.array([0.6, 0.85, 1.0])).astype(np.uint8))
    quads = [np.array([[x, 30], [x + 240, 30], [x + 240, 270], [x, 270]], float) for x in range(30, 1000, 290)]
    known = plain.under_light_of(picture, [plain.identify(picture, q) for q in quads])
    assert [known.identify(picture, q).best.name for q in quads] == list(FRAMES)


def test_two_classes_that_the_decks_own_photos_mix_up_are_never_sure() -> None:
    """Both classes' references show the same two faces, one in each photo: the names say nothing about the art."""
    faces = {c.name: c for c in deck().classes}
    one, other = faces["red/durian/6"].references, faces["orange/durian/5"].references
    mixed = [
        CardClass("first", (one[0], other[1]), faces["red/empty"].outline, "card"),
        CardClass("second", (other[0], one[1]), faces["red/empty"].outline, "card"),
    ]
    told = [CardClass(n, r, faces["red/empty"].outline, "card") for n, r in (("first", one), ("second", other))]
    picture = Picture(painted("red/durian/6", 1))
    assert Recogniser(mixed).identify(picture, QUAD).confidence < 0.6
    sure = Recogniser(told).identify(picture, QUAD)
    assert (sure.best.name, sure.confidence > 0.95) == ("first", True)


@pytest.mark.parametrize("by", [0.5, 1.0, 1.5])
def test_two_classes_whose_cards_are_cut_beside_their_print_are_told_apart(by: float) -> None:
    """The references are aligned before they are held against each other, as a piece is before it is named."""
    faces = {c.name: c for c in deck().classes}

    def cut(name: str, photo: int) -> Pixels:
        """A reference of which one edge was cut off so many hundredths, and the same added on the other."""
        one = faces[name].references[0]
        off = (2 * photo - 1) * round(by * one.shape[1] / 96)
        return np.roll(one, (off, off), (0, 1))

    classes = [
        CardClass(name, (cut(name, 0), cut(name, 1)), faces["red/empty"].outline, "card")
        for name in ("red/durian/6", "orange/durian/5")
    ]
    views = Recogniser(classes).views
    assert views.trust("card", 0, 1) == 1.0


def ribboned(colour: tuple[int, int, int]) -> Pixels:
    """A dark card whose ribbon is far lighter than the rest: its tenth of the card makes the white patch."""
    card = np.full((240, 240, 3), 30, np.uint8)
    cv2.fillConvexPoly(card, np.array([[0, 0], [90, 0], [0, 90]]), colour)
    cv2.rectangle(card, (70, 110), (170, 200), (150, 160, 165), 4)
    return card


def test_what_is_lighter_than_the_white_patch_keeps_its_hue() -> None:
    ribbons = {"lime": (50, 190, 160), "amber": (50, 145, 225)}
    classes = [CardClass(n, (ribboned(c),), deck().classes[0].outline, "card") for n, c in ribbons.items()]
    known = Recogniser(classes)
    for name, colour in ribbons.items():
        table = np.full((300, 300, 3), (70, 80, 95), np.uint8)
        table[30:270, 30:270] = ribboned(colour)
        quad = np.array([[30, 30], [270, 30], [270, 270], [30, 270]], float)
        identity = known.identify(Picture((table * 0.8).astype(np.uint8)), quad)
        assert identity.best.name == name
        assert identity.confidence > 0.99


def test_references_that_do_not_fit_each_other_cast_no_doubt_on_strangers() -> None:
    """A class calibrated badly (its two pictures differ) is unlike the others all the same."""
    outline = deck().classes[0].outline
    good = next(c for c in deck().classes if c.name == "red/durian/6")
    back = next(c for c in deck().classes if c.name == "red/back").references[0]
    bad = CardClass("red/back", (back, np.ascontiguousarray(np.roll(back, 40, axis=0))), outline, "card")
    known = Recogniser([CardClass(good.name, good.references, outline, "card"), bad])
    identity = known.identify(Picture(painted("red/durian/6", 0)), QUAD)
    assert identity.best.name == "red/durian/6"
    assert identity.confidence > 0.99


@pytest.mark.parametrize("seed", [69, 70, 110])
def test_a_band_in_the_colour_of_the_table_does_not_turn_a_card_round(seed: int) -> None:
    rng, turns = np.random.default_rng(seed), seed % 4
    backs = [_banded(square) for square in ((60, 150, 60), (230, 160, 60), (60, 60, 220))]
    unit_square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
    own = Recogniser([CardClass(f"{n}/back", (back,), unit_square, "card") for n, back in enumerate(backs)])
    quad = np.array([[130, 120], [350, 125], [345, 345], [125, 340]], np.float64)
    upright = np.roll(quad, -turns, axis=0)
    to_photo = cv2.getPerspectiveTransform((unit_square * 200).astype(np.float32), upright.astype(np.float32))
    pixels = np.full((480, 480, 3), (61, 149, 62), np.uint8)
    laid = cv2.warpPerspective(backs[0], to_photo, (480, 480), flags=cv2.INTER_AREA)
    inside = np.zeros((480, 480), np.uint8)
    cv2.fillConvexPoly(inside, quad.round().astype(np.int32), 1)
    pixels[inside > 0] = laid[inside > 0]
    noisy = cv2.GaussianBlur(pixels, (0, 0), 2) + rng.normal(0, 12, pixels.shape)
    down = (upright[2] + upright[3] - upright[0] - upright[1]) / 2
    # The outline that was seen ends above the band and reaches over the table on the other side.
    seen = quad - down * rng.uniform(0.03, 0.14) + rng.uniform(-12, 12, (4, 2))
    identity = own.identify(Picture(np.clip(noisy, 0, 255).astype(np.uint8)), seen)
    assert (identity.best.name, identity.best.turns) == ("0/back", turns)


def _banded(square: tuple[int, int, int]) -> Pixels:
    """A back that is the same upright and upside down, but for a band at its bottom."""
    back = np.full((200, 200, 3), (120, 60, 30), np.uint8)
    back[60:140, 60:140] = square
    back[176:] = (60, 150, 60)
    return back
