"""Cards that outlines do not show: found by what is printed on them, ring by ring or all over the table."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durian_assist.errors import InputError
from durian_assist.vision import (
    sliding,
    smuggler_cells,
    smuggler_growth,
    smuggler_hands,
    smuggler_scan,
    smuggler_seen,
    smuggler_view,
)
from durian_assist.vision.outlines import Outline
from durian_assist.vision.photo import Photo
from durian_assist.vision.recognise import Recogniser
from durian_assist.vision.rectify import Floats, Mask, Picture, Pixels, Points, canvas_to_photo, to_lab
from durian_assist.vision.scan import Peak, References, Strip, peaks
from durian_assist.vision.sliding import SCALE, correlations
from durian_assist.vision.smuggler_cards import Face, Laid
from durian_assist.vision.smuggler_cells import Answer, Sighting
from durian_assist.vision.smuggler_cells import read_cells as read_grid_cells
from durian_assist.vision.smuggler_growth import grown, spans_grid
from durian_assist.vision.smuggler_hands import HandCard, _confirmed
from durian_assist.vision.smuggler_reading import read_smuggler, square_classes
from durian_assist.vision.smuggler_scan import scanned, seeds_without_outlines
from durian_assist.vision.smuggler_seen import SURE, SeenCard, SeenCards, on_plane
from durian_assist.vision.smuggler_table import TableColours
from durian_assist.vision.smuggler_view import UNLIKE, GridView, _laid_out, view_grid
from durian_assist.vision.table_plane import TablePlane
from tests.vision.smuggler_scenes import CARD, FULL, MIDDLE, PITCH, deck, photographed, table_of
from tests.vision.test_smuggler_reading import BEGUN, cells, read_cells


def recogniser() -> Recogniser:
    return Recogniser(square_classes(deck()))


def square(column: float, row: float) -> Points:
    """A card's corners on the table as seen from straight above, by grid place from the middle."""
    half = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * CARD
    return np.asarray(half + np.array(MIDDLE) + np.array([column, row]) * PITCH, np.float64)


def seen_from(pixels: Pixels, *places: tuple[float, float]) -> SeenCards:
    """What is known where only the cards at these places were made out."""
    known = recogniser()
    plane, cards = on_plane([known.identify(Picture(pixels), square(*place)) for place in places])
    return SeenCards(cards, plane, (), known)


def test_a_grid_grows_from_three_cards_that_hang_together() -> None:
    pixels = photographed(table_of(FULL), tilt=0.0).pixels
    seen = seen_from(pixels, (-2, -2), (-1, -2), (-2, -1))
    assert not spans_grid(seen.cards)
    assert spans_grid(grown(Picture(pixels), seen).cards)


def test_cards_that_more_finds_leave_on_no_plane_are_kept_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    pixels = photographed(table_of(FULL), tilt=0.0).pixels
    seen = seen_from(pixels, (-2, -2), (-1, -2), (-2, -1))
    monkeypatch.setattr(smuggler_growth, "on_plane", lambda _: (seen.plane, ()))
    assert grown(Picture(pixels), seen).cards == seen.cards


def test_a_grid_is_found_from_a_hand_card_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """And once it is, the table is not looked through again."""
    pixels = photographed(table_of(FULL, {"v": ("red6", 0.0, 0.0)}), tilt=0.0).pixels
    seen = seen_from(pixels, (0, 3.7))
    assert len(grown(Picture(pixels), seen).cards) == 1
    strips = counted_strips(monkeypatch)
    assert spans_grid(scanned(Picture(pixels), seen).cards)
    assert len(strips) == len(smuggler_scan.TILTS)


def counted_strips(monkeypatch: pytest.MonkeyPatch) -> list[Strip]:
    """The strips that are looked through from now on, as they come."""
    strips: list[Strip] = []

    def counted(picture: Picture, plane: TablePlane, strip: Strip, *rest: Any, **named: Any) -> list[Peak]:
        strips.append(strip)
        return peaks(picture, plane, strip, *rest, **named)

    monkeypatch.setattr(smuggler_scan, "peaks", counted)
    return strips


@pytest.mark.parametrize(("off", "agree"), [(0, True), (1, True), (2, False), (6, False)])
def test_small_cards_are_looked_for_only_where_large_ones_agree_on_no_plane(
    monkeypatch: pytest.MonkeyPatch, off: int, agree: bool
) -> None:
    monkeypatch.setattr(smuggler_scan, "on_plane", lambda seeds: (on_plane(seeds)[0], on_plane(seeds)[1][off:]))
    strips = counted_strips(monkeypatch)
    seeds = seeds_without_outlines(Picture(photographed(table_of(FULL), tilt=0.0).pixels), recogniser(), 6)
    assert len(seeds) == len(on_plane(seeds)[1]) == 6
    assert (min(1 / max(strip.width, strip.height) for strip in strips) > 0.06) == agree


def test_cards_as_large_as_those_that_are_known_are_looked_for_first(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = Picture(photographed(table_of(FULL), tilt=0.0).pixels)
    known = recogniser().identify(picture, square(0, 0))
    strips = counted_strips(monkeypatch)
    assert len(seeds_without_outlines(picture, recogniser(), 6, [known])) == 6
    shares = [1 / max(strip.width, strip.height) for strip in strips]
    side = CARD / max(picture.pixels.shape[:2])
    assert all(abs(np.log(share / side)) < 1.5 * np.log(smuggler_scan.STEP) + 0.01 for share in shares)


@pytest.mark.parametrize("tilt", [0.0, 0.1])
def test_a_grid_without_a_single_outline_is_read_all_the_same(monkeypatch: pytest.MonkeyPatch, tilt: float) -> None:
    def nothing(*_: object, **__: object) -> list[Outline]:
        return []

    monkeypatch.setattr(smuggler_seen, "outlines", nothing)
    reading = read_smuggler([photographed(table_of(FULL), tilt=tilt)], deck())
    assert read_cells(reading) == cells(FULL)
    assert reading.uncertain == ()


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000), st.booleans(), st.booleans())
def test_each_window_of_a_scan_correlates_as_by_its_plain_definition(seed: int, colours: bool, whole: bool) -> None:
    rng = np.random.default_rng(seed)
    bank = References.of(recogniser(), recogniser().classes[:4], (0, 1), colours=colours)
    lab = np.zeros((60, 70, bank.channels), np.float32)
    lab[12:45, 20:60] = rng.normal(0, 20, (33, 40, bank.channels))
    use = np.ones((60, 70), np.bool_)
    use[:, :30] = whole
    scores, which = correlations(lab.copy(), use, bank.pictures, contrast=4.0)
    for y, x in zip(rng.integers(0, 41, 30).tolist(), rng.integers(0, 51, 30).tolist(), strict=True):
        part, seen = use[y : y + SCALE, x : x + SCALE], lab[y : y + SCALE, x : x + SCALE]
        if part.mean() < 0.2 or seen[part][:, 0].std() < 5:
            continue
        rows, columns = np.nonzero(part)
        planes = np.stack([np.ones(len(rows)), rows, columns], 1)
        level = np.eye(len(rows)) - planes @ np.linalg.pinv(planes)
        view = level @ seen[part]
        shown = [level @ r[part] for r in bank.pictures]
        expected = [float((view * r).sum() / np.sqrt((view**2).sum() * (r**2).sum())) for r in shown]
        assert scores[y, x] == pytest.approx(max(expected), abs=2e-3)
        assert expected[int(which[y, x])] == pytest.approx(max(expected), abs=2e-3)


def test_only_windows_that_are_partly_in_use_are_laid_out_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    laid: list[int] = []
    windows = sliding._windows

    def counted(plane: Floats, chosen: Mask) -> Iterator[tuple[slice, Floats]]:
        laid.append(int(chosen.sum()))
        return windows(plane, chosen)

    monkeypatch.setattr(sliding, "_windows", counted)
    bank = References.of(recogniser(), recogniser().classes[:4], (0,))
    lab = np.random.default_rng(5).normal(0, 20, (60, 70, 1)).astype(np.float32)
    use = np.ones((60, 70), np.bool_)
    use[:, :10] = False
    correlations(lab, use, bank.pictures, contrast=4.0)
    # Of the 41 rows of windows those that begin in the first ten columns.
    assert laid == [41 * 10]


def test_where_nothing_lies_is_no_place_at_all() -> None:
    bank = References.of(recogniser(), recogniser().classes[:4], (0,))
    lab, use = np.zeros((60, 70, 1), np.float32), np.ones((60, 70), np.bool_)
    assert (correlations(lab.copy(), use, bank.pictures, contrast=4.0)[0] == -1).all()
    rng = np.random.default_rng(1)
    lab[5:25, 5:25], lab[35:55, 45:65] = rng.normal(0, 20, (2, 20, 20, 1))
    scores, _ = correlations(lab, use, bank.pictures, contrast=4.0)
    assert min(scores[5, 5], scores[35, 45]) > -1
    assert scores[40, 0] == scores[0, 50] == -1


def test_nothing_is_found_where_nothing_is_printed() -> None:
    noise = np.random.default_rng(3).integers(90, 130, (900, 1200, 3)).astype(np.uint8)
    assert list(seeds_without_outlines(Picture(noise), recogniser(), 3)) == []


def test_an_outline_that_followed_a_print_on_the_card_is_no_card() -> None:
    """Its corners are those of a print, so on the plane of the others it is no square of a card's size."""
    pixels = photographed(table_of(FULL), tilt=0.0).pixels
    known = recogniser()
    good = [known.identify(Picture(pixels), square(c, r)) for c, r in ((-1, 0), (1, 0), (0, 1), (0, -1), (0, 0))]
    shrunk = known.identify(Picture(pixels), square(2, 2))
    off = square(2, 2) + np.array([[9.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 9.0]])
    wrong = type(shrunk)(shrunk.ranked, 1.0, 1.0, off, 0.0)
    plane, cards = on_plane([*good, wrong])
    assert len(cards) == len(good)
    assert plane.pose(off).misfit > smuggler_seen.LOOSE


def test_a_washed_out_card_in_front_of_a_side_is_asked_for() -> None:
    photo = photographed(table_of(FULL), tilt=0.0)
    pixels = photo.pixels.copy()
    cv2.fillConvexPoly(pixels, square(-3.7, 0.4).round().astype(np.int32), (249, 250, 252))
    reading = read_smuggler([Photo("glare.jpg", pixels)], deck())
    assert [u.key for u in reading.uncertain] == ["hand.west"]
    assert "." in reading.uncertain[0].candidates


@pytest.mark.parametrize(("usual", "count"), [(0.95, 1), (1.35, 1), (1.5, 0)])
def test_what_is_less_like_a_card_than_cloth_may_be_is_no_hand(
    monkeypatch: pytest.MonkeyPatch, usual: float, count: int
) -> None:
    photo = photographed(table_of(FULL, {"<": ("red-", 0.0, 0.0)}), tilt=0.0)
    view = view_grid(Picture(photo.pixels), recogniser(), "table.jpg")
    pose = view.plane.pose(np.roll(square(-3.7, 0.0), -1, axis=0))
    monkeypatch.setattr(GridView, "usual", property(lambda _: usual))
    assert (_confirmed(view, 1, pose) is not None) == bool(count)


def test_a_card_two_thirds_under_glare_is_never_sure() -> None:
    photo = photographed(table_of(FULL), tilt=0.0)
    pixels = photo.pixels.copy()
    corners = square(1, 1)
    corners[1:3, 0] -= 36
    cv2.fillConvexPoly(pixels, corners.round().astype(np.int32), (255, 255, 255))
    assert [u.key for u in read_smuggler([Photo("glare.jpg", pixels)], deck()).uncertain] == ["4,4"]


def test_an_overexposed_photo_is_read_by_the_hues_that_are_left() -> None:
    photo = photographed(table_of(FULL), tilt=0.0)
    bright = np.clip(photo.pixels.astype(np.float32) * 1.25, 0, 255).astype(np.uint8)
    reading = read_smuggler([Photo("bright.jpg", bright)], deck())
    unsure = {tuple(int(x) - 1 for x in u.key.split(",")) for u in reading.uncertain}
    said, wanted = read_cells(reading), cells(FULL)
    assert all(said[r][c] == wanted[r][c] for r in range(5) for c in range(5) if (r, c) not in unsure)
    assert len(unsure) <= 3


def test_a_middle_that_is_only_guessed_is_refused() -> None:
    """Three cards and a middle card under glare: any cell could be the middle, and all rows depend on it."""
    begun = """
.       .        .        .        .
.       .        red?v    .        .
.       blue?<   ##       .        .
.       .        purple?> .        .
.       .        .        .        .
"""
    pixels = photographed(table_of(begun), tilt=0.0).pixels.copy()
    cv2.circle(pixels, MIDDLE, 70, (255, 255, 255), -1)
    with pytest.raises(InputError, match="the card in the middle of the grid cannot be made out"):
        read_smuggler([Photo("glare.jpg", pixels)], deck())


def test_cloth_that_resembles_a_card_a_little_does_not_grow_the_grid() -> None:
    pixels = photographed(table_of(FULL), tilt=0.0).pixels
    seen = seen_from(pixels, (-1, 0), (1, 0), (0, 1))
    faint = replace(seen.cards[0].identity, ranked=(replace(seen.cards[0].identity.best, score=0.6 * seen.usual),))
    assert seen.sure([faint]) == []
    assert seen.sure([seen.cards[0].identity]) == [seen.cards[0].identity]


def test_a_card_that_fits_worse_than_the_others_is_looked_for_again() -> None:
    """Its outline followed something else, and it was named after what came nearest, a half turn off."""
    pixels = photographed(table_of(FULL), tilt=0.0).pixels
    view = view_grid(Picture(pixels), recogniser(), "scene")
    card = view.cards[1, 1]
    turned = replace(card.identity.best, turns=(card.identity.best.turns + 2) % 4, score=0.8 * view.usual)
    wrong = replace(card.identity, ranked=(turned,), corners=np.roll(card.identity.corners, 2, axis=0))
    cards = {**view.cards, (1, 1): replace(card, identity=wrong)}
    said = read_grid_cells(replace(view, cards=cards), "scene")[1, 1]
    assert said.best is not None
    assert said.best.text == cells(FULL)[3][3]


OTHERS = {"v": ("blue7", 0.0, 0.0), "<": ("red-", 0.0, 0.0), ">": ("yellow-", 30.0, 0.0)}


def shone_on(photo: Photo, at: tuple[float, float], strength: float = 0.9, reach: float = 0.5) -> Photo:
    """The photo with a lamp's shine round a place, so many cards wide, that takes `strength` of its contrast there."""
    ys, xs = np.mgrid[0 : photo.pixels.shape[0], 0 : photo.pixels.shape[1]]
    veil = strength * np.exp(-0.5 * ((xs - at[0]) ** 2 + (ys - at[1]) ** 2) / (reach * CARD) ** 2)[..., None]
    return Photo("shine.jpg", np.clip(photo.pixels * (1 - veil) + 255 * veil, 0, 255).astype(np.uint8))


@pytest.mark.parametrize("card", ["orange-", "green9", "red6", "blue-"])
@pytest.mark.parametrize(("along", "off"), [(-70.0, (-0.5, -0.3)), (60.0, (0.3, 0.4))])
def test_a_hand_card_in_the_shine_of_a_lamp_is_found(card: str, along: float, off: tuple[float, float]) -> None:
    """Where only the lightness of a card's window counted, the shine's slope was all that the search saw."""
    photo = photographed(table_of(FULL, {**OTHERS, "^": (card, along, 0.0)}), tilt=0.0)
    at = (MIDDLE[0] - along + off[0] * CARD, MIDDLE[1] - 3.7 * PITCH + off[1] * CARD)
    reading = read_smuggler([shone_on(photo, at)], deck())
    assert [face.text for face in reading.hand(2)] == [card]


def too_bright(photo: Photo, column: float, row: float, reach: float) -> Photo:
    """The photo with a patch blown out, so many cards wide, at a place of the grid."""
    pixels = photo.pixels.copy()
    at = (MIDDLE[0] + round(column * PITCH), MIDDLE[1] + round(row * PITCH))
    cv2.ellipse(pixels, at, (round(reach * CARD), round(reach * CARD)), 0, 0, 360, (255, 255, 255), -1)
    return Photo("bright.jpg", pixels)


@pytest.mark.parametrize(
    ("others", "row", "reach", "place"),
    [(OTHERS, -3.7, 0.8, -3.7), (OTHERS, -3.7, 0.4, -3.5), (OTHERS, -5.6, 0.8, -3.5), ({}, -3.7, 0.8, None)],
    ids=["the place of a hand", "too small for a card", "farther off", "nobody has a hand"],
)
def test_where_too_bright_a_photo_may_hide_a_hand_a_person_is_asked(
    others: dict[str, tuple[str, float, float]], row: float, reach: float, place: float | None
) -> None:
    """About the place that is too bright; about the usual one where no card could lie in that."""
    photo = too_bright(photographed(table_of(FULL, others), tilt=0.0), 0.0, row, reach)
    reading = read_smuggler([photo], deck())
    said = [(u.key, u.candidates, u.why) for u in reading.uncertain]
    assert said == ([("hand.north", (".",), "nothing can be seen there")] if place else [])
    if place:
        assert np.mean([y for _, y in reading.uncertain[0].corners]) == pytest.approx(
            MIDDLE[1] + place * PITCH, abs=0.15 * PITCH
        )


@pytest.mark.parametrize("others", [OTHERS, {}], ids=["others have hands", "nobody has"])
def test_a_side_without_a_hand_is_searched_by_colour_where_others_have_hands(
    monkeypatch: pytest.MonkeyPatch, others: dict[str, tuple[str, float, float]]
) -> None:
    searched: list[tuple[int, int]] = []
    plain = smuggler_hands._searched

    def noted(
        view: GridView, sides: Sequence[int], bank: References, waiting: bool, wanted: Collection[int] = ()
    ) -> dict[int, list[HandCard]]:
        searched.extend((side, bank.channels) for side in sides)
        return plain(view, sides, bank, waiting, wanted)

    monkeypatch.setattr(smuggler_hands, "_searched", noted)
    reading = read_smuggler([photographed(table_of(FULL, others), tilt=0.0)], deck())
    assert reading.hand(2) == ()
    assert searched == ([(2, 1), (2, 3)] if others else [(side, 1) for side in range(4)])


def faint(card: SeenCard) -> SeenCard:
    """The card, less like its reference than the cards of any photo of its deck."""
    ranked = tuple(replace(candidate, score=UNLIKE - 0.01) for candidate in card.identity.ranked)
    return replace(card, identity=replace(card.identity, ranked=ranked))


def test_where_all_cards_are_unlike_the_deck_and_no_print_is_found_the_deck_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    view = a_view()
    seen = SeenCards(tuple(map(faint, view.cards.values())), view.plane, (), view.recogniser)
    monkeypatch.setattr(smuggler_view, "seen_cards", lambda *_: seen)
    monkeypatch.setattr(smuggler_view, "seeds_without_outlines", lambda *_: [])
    with pytest.raises(InputError, match="are not like those of this deck"):
        a_view()


def a_view() -> GridView:
    return view_grid(Picture(photographed(table_of(FULL), tilt=0.0).pixels), recogniser(), "table.jpg")


def moved(view: GridView, off: float, askew: float) -> GridView:
    """The same cards, every other one off its place by so many cards, or all askew by so many degrees."""
    cards = {
        cell: replace(
            card, pose=replace(card.pose, x=card.pose.x + off * (sum(cell) % 2), angle=card.pose.angle + askew)
        )
        for cell, card in view.cards.items()
    }
    return replace(view, cards=cards)


@pytest.mark.parametrize(
    ("off", "askew", "laid"), [(0.0, 0.0, True), (0.06, 3.0, True), (0.25, 0.0, False), (0.0, 8.0, False)]
)
def test_cards_of_a_grid_lie_in_rows_and_columns(off: float, askew: float, laid: bool) -> None:
    assert _laid_out(moved(a_view(), off, np.radians(askew))) == laid


def test_a_grid_whose_cards_are_hardly_like_their_references_is_not_made_out(monkeypatch: pytest.MonkeyPatch) -> None:
    view = a_view()
    monkeypatch.setattr(GridView, "usual", property(lambda _: UNLIKE - 0.01))
    assert not _laid_out(view)


@pytest.mark.parametrize("wrong", ["no plane", "a wrong plane", "cards unlike those of the deck"])
def test_where_outlines_lead_to_no_grid_the_print_of_the_cards_does(
    monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    """The outlines of dark cards on a dark table are those of their prints."""
    plain, looks = smuggler_view._laid_out, iter([False, True])
    if wrong == "a wrong plane":
        monkeypatch.setattr(smuggler_view, "_laid_out", lambda view: next(looks) and plain(view))
    else:
        known = smuggler_seen.seen_cards

        def misled(picture: Picture, deck: Recogniser) -> SeenCards:
            seen = known(picture, deck)
            assert isinstance(seen, SeenCards)
            return replace(seen, cards=() if wrong == "no plane" else tuple(map(faint, seen.cards)))

        monkeypatch.setattr(smuggler_view, "seen_cards", misled)
    reading = read_smuggler([photographed(table_of(FULL), tilt=0.05)], deck())
    assert read_cells(reading) == cells(FULL)
    assert reading.uncertain == ()


def test_cards_that_lie_in_no_grid_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smuggler_view, "_laid_out", lambda _: False)
    with pytest.raises(InputError, match="cannot be made out: what looks like cards"):
        a_view()


def _doubtful(view: GridView, quad: Points) -> Sighting:
    """A place that is a little like a card lying face down."""
    odds: tuple[tuple[Answer, float], ...] = ((None, 0.6), (Laid(Face("red", "back"), 0), 0.4))
    return Sighting(odds, quad, odds[1:])


@pytest.mark.parametrize("cards_in_its_colours", [False, True])
def test_a_gap_that_has_only_colours_of_the_table_is_empty_unless_cards_have_them_too(
    monkeypatch: pytest.MonkeyPatch, cards_in_its_colours: bool
) -> None:
    view = view_grid(Picture(photographed(table_of(BEGUN), tilt=0.0).pixels), recogniser(), "photo.jpg")
    monkeypatch.setattr(smuggler_cells, "_looked_at", _doubtful)
    if cards_in_its_colours:
        table = view.picture.warp(canvas_to_photo(view.quad(view.lattice.at((0, 3))), (20, 20)), (20, 20))
        monkeypatch.setattr(
            type(view.recogniser.views),
            "reference",
            lambda *_: to_lab(np.asarray(cv2.resize(table, (10, 10)), np.uint8), view.white),
        )
    gaps = [seen for seen in read_grid_cells(view, "photo.jpg").values() if seen.best is None]
    assert gaps
    assert any(seen.confidence < SURE for seen in gaps) == cards_in_its_colours


@pytest.mark.parametrize("table", [False, True])
def test_what_is_no_table_in_a_grid_in_progress_is_looked_at_without_glints(
    monkeypatch: pytest.MonkeyPatch, table: bool
) -> None:
    view = view_grid(Picture(photographed(table_of(BEGUN), tilt=0.0).pixels), recogniser(), "photo.jpg")
    card = Laid(Face("pink", "back"), 1)
    monkeypatch.setattr(smuggler_cells, "_looked_at", _doubtful)
    monkeypatch.setattr(TableColours, "like", lambda *_: table)
    monkeypatch.setattr(smuggler_cells, "_through_glints", lambda _, quad, __: Sighting(((card, 1.0),), quad))
    found = read_grid_cells(view, "photo.jpg").values()
    assert any(seen.best == card for seen in found) != table


def test_beside_what_was_passed_over_as_bare_table_the_grid_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A card in the table's colours that shows no outline, beside one under a sheet of paper."""
    begun = """
.       .        red?v    .        .
.       blue?<   green?^  .        .
.       .        ##       purple?> orange?>
.       .        .        .        .
.       .        .        .        .
"""
    pixels = photographed(table_of(begun), tilt=0.0).pixels.copy()
    cv2.fillConvexPoly(pixels, square(1, 0).round().astype(np.int32), (225, 228, 230))
    view = view_grid(Picture(pixels), recogniser(), "photo.jpg")
    cards = {cell: card for cell, card in view.cards.items() if cell != (0, 2)}
    sheet = view.quad(view.lattice.at((0, 1)))
    monkeypatch.setattr(TableColours, "like", lambda _, __, quad: not np.allclose(quad, sheet))
    found = read_grid_cells(replace(view, cards=cards), "photo.jpg")
    assert found[0, 1].confidence < SURE
    assert found[0, 2].best == Laid(Face("orange", "back"), 3)


@pytest.mark.parametrize("spanned", [False, True])
def test_before_the_whole_table_is_looked_through_streaks_are_left_out_beside_the_cards(
    monkeypatch: pytest.MonkeyPatch, spanned: bool
) -> None:
    pixels = photographed(table_of(FULL), tilt=0.0).pixels
    seen = seen_from(pixels, *((0, 0), (-1, 0)) if spanned else ((-2, -2), (-1, -2)))
    under = seen.recogniser.identify(Picture(pixels), square(-2, -1))
    hidden = replace(under, card=0.0)
    monkeypatch.setattr(smuggler_growth, "search", lambda *_: hidden)
    monkeypatch.setattr(smuggler_growth, "without_glints", lambda *_: under)
    known = grown(Picture(pixels), seen).cards
    assert len(known) == (len(seen.cards) if spanned else len(seen.cards) + 1)


def parted(width: float) -> Pixels:
    """A full grid, its middle column hidden but for the part of the centre card that is further right than `width`
    cards from its left edge."""
    pixels = photographed(table_of(FULL), tilt=0.0).pixels.copy()
    for row in range(-2, 3):
        hidden = square(0, row)
        if row == 0:
            hidden[1:3, 0] -= CARD * (1 - width)
        cv2.fillConvexPoly(pixels, hidden.round().astype(np.int32), (70, 95, 120))
    return pixels


def test_cards_that_unreadable_ones_part_from_the_grid_let_it_grow_too() -> None:
    pixels = parted(1.0)
    seen = seen_from(pixels, (-2, 0), (-1, 0), (-2, 1), (2, 0))
    left = 10
    assert len(grown(Picture(pixels), seen).cards) > left + 1


@pytest.mark.parametrize(("width", "told"), [(0.7, True), (1.0, False)])
def test_parted_cards_and_what_looks_like_the_centre_card_amid_them_tell_the_middle(width: float, told: bool) -> None:
    picture = Picture(parted(width))
    if told:
        assert set(view_grid(picture, recogniser(), "parted.jpg").cards) >= {(r, c) for r in (-2, 2) for c in (-1, 2)}
        return
    with pytest.raises(InputError, match="the card in the middle of the grid cannot be made out"):
        view_grid(picture, recogniser(), "parted.jpg")
