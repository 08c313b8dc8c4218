"""Cards on a table's plane: by outlines of their size, by what is left of them, and what is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from durian_assist.vision import durian_search, durian_slots, durian_table
from durian_assist.vision.dash_plane import Pose, TablePlane
from durian_assist.vision.durian_faces import durian_deck, with_sides
from durian_assist.vision.durian_fit import FaceJudge, Spot, Verdict
from durian_assist.vision.durian_layers import CLEAR, Laid, Table, itself, judged
from durian_assist.vision.durian_lines import UNREAD, Slot
from durian_assist.vision.durian_outlines import OutlineSearch
from durian_assist.vision.durian_photo import _card_share, read_photo
from durian_assist.vision.durian_reading import read_durian
from durian_assist.vision.durian_scan import Scanner, Sighting
from durian_assist.vision.durian_search import OF_A_FACE, _good, _sparse, cards_on, joined, look, seeded, told_apart
from durian_assist.vision.durian_sized import card_sized
from durian_assist.vision.durian_slots import _Search, filled
from durian_assist.vision.find_shapes import Shape
from durian_assist.vision.photo import Photo
from durian_assist.vision.rectify import Picture
from durian_assist.vision.token_values import Token
from durian_assist.vision.tokens import TokenReader
from tests.vision.durian_scene import UNIT, Scene, drawn_deck

PROFILE = drawn_deck()
DECK = with_sides(durian_deck(PROFILE))
ASPECT = DECK.aspect
FRUIT = [k for k, face in enumerate(DECK.faces) if face.kind == "fruit"]
PLANE = TablePlane(np.diag([UNIT, UNIT, 1.0]))
BOX = (0.0, 0.0, 8.0, 6.0)


def scene(*cards: tuple[int, float, float]) -> Scene:
    """A table with cards (number of the face, x, y), later ones on top."""
    laid = Scene(PROFILE, size=(8.0, 6.0))
    for face, x, y in cards:
        laid.lay(DECK.faces[face].label, x, y)
    return laid


def table(laid: Scene) -> Table:
    """Seen from straight above, the plane's units those of the scene."""
    return Table(Picture(laid.picture), PLANE, FaceJudge(DECK.faces, ASPECT), Scanner.of(DECK.faces, ASPECT))


def corners(x: float, y: float, width: float = ASPECT, height: float = 1.0) -> NDArray[np.float64]:
    return Pose(x, y, 0.0).rectangle(width, height) * UNIT


def known(face: int, x: float, y: float, part: str = "whole", quality: float = 0.9) -> Laid:
    return Laid(Spot(x, y, 0.0), Verdict(face, False, quality, 0.99, (), 1.0), part, 1.0)


def veil(laid: Scene, x: float, y: float, left_over: float = 0.18) -> None:
    """Soft light over a card that leaves little of its contrast, stripes of it stronger than what is left."""
    left, top, right, bottom = (round(v) for v in (*corners(x, y)[0], *corners(x, y)[2]))
    card = laid.picture[top:bottom, left:right].astype(np.float32)
    across = np.arange(right - left, dtype=np.float32)
    light = 150 + 25 * np.sin(across / 17)[None, :, None]
    laid.picture[top:bottom, left:right] = np.clip(left_over * card + light, 0, 255).astype(np.uint8)


class TestSized:
    def shape(self, x: float, y: float, width: float, height: float) -> Shape:
        quad = np.asarray(corners(x, y, width, height) / 2, np.float32)
        return Shape(quad, quad, 1.0)

    def test_only_outlines_of_a_cards_size_are_cards(self) -> None:
        right = [self.shape(1.0, 1.0, ASPECT, 1.0), self.shape(3.0, 1.0, ASPECT * 0.95, 0.96)]
        wrong = [self.shape(5.0, 1.0, ASPECT * 1.2, 1.0), self.shape(5.0, 3.0, ASPECT / 2, 0.5)]
        wrong.append(self.shape(7.0, 1.0, ASPECT * 1.12, 1.0))
        found = card_sized([*wrong, *right], 0.5, PLANE, ASPECT)
        assert [quad.mean(axis=0) / UNIT for quad in found] == [
            pytest.approx(place, abs=0.01) for place in ((1.0, 1.0), (3.0, 1.0))
        ]

    def test_an_outline_whose_corners_lie_off_those_of_a_card_is_none(self) -> None:
        exact = corners(3.0, 1.0) / 2
        for shift, count in ((0.04, 1), (0.3, 0)):
            skewed = np.asarray(exact + np.array([(1, 0), (1, 0), (0, 0), (0, 0)]) * shift * UNIT / 2, np.float32)
            assert len(card_sized([Shape(skewed, skewed, 1.0)], 0.5, PLANE, ASPECT)) == count

    @pytest.mark.parametrize("first", range(4))
    def test_of_two_in_one_place_the_nearer_one_in_size_counts_whatever_its_first_corner(self, first: int) -> None:
        exact = self.shape(1.0, 1.0, ASPECT, 1.0)
        turned = replace(exact, quad=np.roll(exact.quad, first, axis=0))
        found = card_sized([self.shape(1.02, 1.0, ASPECT * 0.93, 0.95), turned], 0.5, PLANE, ASPECT)
        assert len(found) == 1
        assert found[0] == pytest.approx(corners(1.0, 1.0), abs=0.5)

    def test_a_card_that_light_leaves_little_of_is_read_in_its_outline(self) -> None:
        laid = scene((FRUIT[0], 2.0, 2.0), (FRUIT[1], 5.0, 2.0))
        veil(laid, 5.0, 2.0)
        seeds = seeded(table(laid), [corners(2.0, 2.0)], [])
        seen = cards_on(table(laid), seeds, [Spot(2.0, 2.0, 0.0), Spot(5.0, 2.0, 0.0)], [], BOX)
        assert sorted((card.verdict.face, card.sized) for card in seen) == [(FRUIT[0], True), (FRUIT[1], True)]
        assert FRUIT[1] not in [card.verdict.face for card in cards_on(table(laid), seeds, [], [], BOX)]

    def test_an_outline_in_which_nothing_can_be_read_is_a_card_all_the_same(self) -> None:
        laid = scene((FRUIT[0], 2.0, 2.0), (FRUIT[1], 5.0, 2.0))
        laid.scramble(5.0, 2.0, ASPECT, 1.0)
        cards, unread = filled(table(laid), [known(FRUIT[0], 2.0, 2.0)], [Spot(5.0, 2.0, 0.0)], [], 0.0)
        assert [card.verdict.face for card in cards] == [FRUIT[0]]
        assert [(card.spot.x, card.spot.y, card.fit) for card in unread] == [(5.0, 2.0, UNREAD)]

    @pytest.mark.parametrize(("paper", "ink", "stays"), [(200, 185, False), (245, 232, True), (200, 20, True)])
    def test_an_outline_of_a_clear_and_even_thing_is_no_card(self, paper: int, ink: int, stays: bool) -> None:
        """A block of fine print: where light clips it, or it is more than that, a card may hide there."""
        laid = scene((FRUIT[0], 2.0, 2.0))
        left, top, right, bottom = (round(v) for v in (*corners(5.0, 2.0)[0], *corners(5.0, 2.0)[2]))
        laid.picture[top:bottom, left:right] = paper
        laid.picture[top:bottom:8, left:right] = ink
        laid.picture[top + 1 : bottom : 8, left:right] = ink
        unread = filled(table(laid), [known(FRUIT[0], 2.0, 2.0)], [Spot(5.0, 2.0, 0.0)], [], 0.0)[1]
        assert len(unread) == stays

    def test_an_outline_that_a_stripe_crosses_is_no_card(self) -> None:
        laid = scene((FRUIT[0], 2.0, 2.0))
        laid.picture[:, round(4.6 * UNIT) : round(5.2 * UNIT)] = (40, 40, 200)
        assert filled(table(laid), [known(FRUIT[0], 2.0, 2.0)], [Spot(5.0, 2.0, 0.0)], [], 0.0)[1] == []

    def test_outlines_are_looked_for_once_more_where_a_card_is_not_clear(self, monkeypatch: pytest.MonkeyPatch) -> None:
        looks: list[int] = []
        slow: Callable[[OutlineSearch], list[Shape]] = OutlineSearch.slow_shapes

        def counted(search: OutlineSearch) -> list[Shape]:
            looks.append(1)
            return slow(search)

        monkeypatch.setattr(OutlineSearch, "slow_shapes", counted)
        laid = Scene(PROFILE, seed=1)
        for k, face in enumerate(FRUIT[:4]):
            laid.lay(DECK.faces[face].label, 2.5 + 2.2 * k, 2.0)
        laid.lay("board/order", 5.0, 4.0)
        assert (read_photo(laid.photo(), durian_deck(PROFILE)).cards, len(looks)) == (4, 0)
        laid.scramble(4.7, 2.0, 1.05 * ASPECT, 1.1)
        assert (read_photo(laid.photo(), durian_deck(PROFILE)).cards, len(looks)) == (4, 1)


def test_a_search_leaves_what_it_did_not_need_for_later() -> None:
    laid = Scene(PROFILE, seed=1)
    for k, face in enumerate(FRUIT[:5]):
        laid.lay(DECK.faces[face].label, 2.0 + 2.2 * k, 2.0)
    laid.lay("board/order", 5.0, 4.0)
    search = OutlineSearch(Picture(laid.photo().pixels), durian_deck(PROFILE))
    search.first()
    assert search.enough
    assert len(search.quick_shapes()) > 0
    assert search.quick_shapes() == []


def test_a_half_covered_card_is_known_by_the_other_half() -> None:
    seen = table(scene((FRUIT[0], 4.0, 2.0), (FRUIT[1], 4.0, 2.7)))
    card = look(seen, Sighting(Pose(4.0, 2.0, 0.0), "lower", ((FRUIT[0], False),), 0.5))
    assert (card.verdict.face, card.part, card.quality > CLEAR) == (FRUIT[0], "upper", True)


def test_a_card_that_something_unknown_covers_is_judged_by_the_part_that_was_found() -> None:
    laid = scene((FRUIT[0], 4.0, 2.0))
    laid.scramble(4.0, 2.3, ASPECT, 0.42)
    seen = table(laid)
    card = look(seen, Sighting(Pose(4.0, 2.0, 0.0), "upper", ((FRUIT[0], False),), 0.5))
    ((last, mask),) = judged(seen, [card])
    assert (last.verdict.face, last.quality > CLEAR, float(mask.mean()) < 0.6) == (FRUIT[0], True, True)


def test_a_whole_card_found_by_one_half_has_nothing_unknown_on_the_other() -> None:
    seen = table(scene((FRUIT[0], 4.0, 1.5), (FRUIT[1], 4.0, 3.0)))
    cards = [known(FRUIT[0], 4.0, 1.5, "upper"), known(FRUIT[1], 4.0, 3.0)]
    assert filled(seen, cards, [], [], 0.0)[1] == []


def test_what_is_not_clear_and_lies_aside_of_all_else_is_no_card() -> None:
    faint, clear = known(FRUIT[0], 7.0, 9.0, "upper", 0.6), known(FRUIT[0], 7.0, 9.0, "upper")
    row = [known(FRUIT[k], 1.6 * k, 1.0) for k in range(3)]
    assert joined([*row, faint], [], ASPECT) == row
    assert joined([*row, clear], [], ASPECT) == [*row, clear]
    assert joined([*row, faint], [(7.0, 7.0)], ASPECT) == [*row, faint]
    beside = known(FRUIT[0], 4.8, 1.1, "upper", 0.6)
    assert joined([*row, beside], [], ASPECT) == [*row, beside]


def test_a_card_under_soft_light_is_sure_where_its_outline_is_seen() -> None:
    laid = Scene(PROFILE, seed=1)
    for k, face in enumerate(FRUIT[:4]):
        laid.lay(DECK.faces[face].label, 2.5 + 2.2 * k, 2.0)
    laid.lay("board/order", 5.0, 4.0)
    veil(laid, 4.7, 2.0, left_over=0.28)
    said: dict[str, Any] = read_durian([Photo("veil", laid.photo(pitch=0.0, noise=1.0).pixels)], PROFILE).to_json()
    assert (len(said["inventory"]), said["uncertain"]) == (4, [])


def test_beside_a_clear_cards_rim_lies_no_other_card_that_has_the_same_rim() -> None:
    seen = table(scene((FRUIT[0], 4.0, 3.0)))
    clear = known(FRUIT[0], 4.0, 3.0)
    over = seen.part("lower")
    rim = Spot(4.0, 2.14, 0.0)
    verdict = seen.judge.judge(seen.picture, seen.plane, rim, over)
    shade = Laid(rim, replace(verdict, score=0.8), "lower", 0.95)
    assert itself(seen, clear, [clear, shade], [])
    assert not itself(seen, shade, [clear, shade], [])
    assert itself(seen, shade, [shade], [])


def test_a_card_that_another_overlaps_a_little_shows_itself() -> None:
    seen = table(scene((FRUIT[0], 4.0, 2.0), (FRUIT[1], 4.0, 2.5)))
    below, above = known(FRUIT[0], 4.0, 2.0, "upper", 0.85), known(FRUIT[1], 4.0, 2.5)
    assert itself(seen, below, [below, above], [])


def test_of_one_faces_sightings_all_over_a_cloth_only_the_best_come_into_question() -> None:
    def sighting(face: int, x: float, y: float, score: float) -> tuple[Sighting, float]:
        return Sighting(Pose(x, y, 0.0), "upper", ((face, False),), score), score

    cloth = [sighting(FRUIT[0], 0.5 * k, 0.5 * row, 0.7) for k in range(20) for row in range(20)]
    card = sighting(FRUIT[1], 15.0, 4.0, 0.6)
    kept = _sparse([*cloth, card], [], ASPECT)
    assert card in kept
    assert len(kept) == OF_A_FACE + 1


def test_a_scan_leaves_out_a_bright_tables_colours_beside_dark_cards() -> None:
    laid = Scene(PROFILE, size=(8.0, 6.0), table=(190, 200, 205))
    places = ((2.0, 2.0), (5.0, 2.0))
    for x, y in places:
        left, top, right, bottom = (round(v) for v in (*corners(x, y)[0], *corners(x, y)[2]))
        laid.picture[top:bottom, left:right] = 20 + laid.rng.integers(0, 20, (bottom - top, right - left, 1))
    seen = table(laid)
    told = told_apart(seen, [known(FRUIT[0], 2.0, 2.0)], [])
    assert seen.scanner._known(laid.picture) is None
    counts = told.scanner._known(laid.picture)
    assert counts is not None
    assert all(counts[round(y * UNIT), round(x * UNIT)] for x, y in places)
    assert counts[round(4.0 * UNIT) :].mean() < 0.05
    cast = [len(one.scanner.scan(one.picture, PLANE, BOX, (0.0,), 0.5, 5.0)) for one in (seen, told)]
    assert cast[1] < cast[0]  # a bright table beside them looks like bands of light art on the dark cards


def test_what_lies_askew_and_is_not_clear_is_no_card() -> None:
    def lies(quality: float, degrees: float) -> Laid:
        card = known(FRUIT[0], 1.0, 1.0, "upper", quality)
        return replace(card, spot=replace(card.spot, angle=float(np.radians(degrees))))

    assert [_good(lies(0.6, turn)) for turn in (0.0, 8.0, -8.0, 172.0, 17.0, -20.0)] == [True] * 4 + [False] * 2
    assert _good(lies(0.9, 17.0))
    assert not _good(lies(0.5, 0.0))


def test_where_no_card_is_seen_inexact_outlines_are_aligned() -> None:
    laid = scene((FRUIT[0], 3.0, 2.0), (FRUIT[1], 5.5, 4.0))
    search = OutlineSearch(Picture(laid.picture), durian_deck(PROFILE))
    search._quick = search._slow = iter(())  # as where no mask shows a card
    quads = [corners(x, y, 1.12 * ASPECT, 1.12) * search.scale for x, y in ((3.0, 2.0), (5.5, 4.0))]
    search.shapes = [Shape(quad.astype(np.float32), quad.astype(np.float32), 1.0) for quad in quads]
    search.first()
    assert search.cards == []
    search.rest()
    assert len(search.cards) == 2


@pytest.mark.parametrize("score", [0.9, 0.2])
def test_tokens_that_are_not_clear_hide_no_table(score: float, monkeypatch: pytest.MonkeyPatch) -> None:
    laid = Scene(PROFILE, seed=1)
    for k, face in enumerate(FRUIT[:4]):
        laid.lay(DECK.faces[face].label, 2.5 + 2.2 * k, 2.0)
    laid.lay("board/order", 5.0, 4.0)
    seen = Token(np.array([(0, 0), (9, 0), (9, 9), (0, 9)], np.float64), ((1, 0.95), (2, 0.05)), score, True)
    monkeypatch.setattr(OutlineSearch, "first", lambda search: None)
    monkeypatch.setattr(TokenReader, "find", lambda *_, **__: [seen])
    pieces = read_photo(laid.photo(), durian_deck(PROFILE))
    assert (len(pieces.inventory), len(pieces.tokens)) == ((0, 1) if score > 0.5 else (4, 0))


def test_a_table_that_slow_masks_show_is_read_before_tokens_are_looked_for_everywhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    laid = Scene(PROFILE, seed=1)
    for k, face in enumerate(FRUIT[:4]):
        laid.lay(DECK.faces[face].label, 2.5 + 2.2 * k, 2.0)
    laid.lay("board/order", 5.0, 4.0)
    asked: list[bool] = []

    def find(*_: object, anywhere: bool, **__: object) -> list[Token]:
        asked.append(anywhere)
        return []

    monkeypatch.setattr(OutlineSearch, "first", lambda search: None)
    monkeypatch.setattr(TokenReader, "find", find)
    assert len(read_photo(laid.photo(), durian_deck(PROFILE)).inventory) == 4
    assert asked == [False]
    asked.clear()
    assert read_photo(Scene(PROFILE, seed=1).photo(), durian_deck(PROFILE)).count == 0
    assert asked == [False, True]


@pytest.mark.parametrize(
    ("score", "seen", "half_seen", "sure"),
    [(0.86, 0.9, 0.8, True), (0.86, 0.4, 0.1, False), (0.95, 0.4, 0.1, True), (0.95, 0.15, 0.15, False)],
)
def test_a_card_of_which_a_half_is_not_seen_must_fit_all_the_better(
    score: float, seen: float, half_seen: float, sure: bool
) -> None:
    card = known(FRUIT[0], 0.0, 0.0)
    verdict = replace(card.verdict, score=score, seen=seen, half_seen=half_seen)
    assert (_card_share(replace(card, verdict=verdict)) > 0.95) == sure


def test_the_half_of_which_less_is_seen_is_told() -> None:
    laid = scene((FRUIT[0], 4.0, 2.0))
    left, top, right, bottom = (round(v) for v in (*corners(4.0, 2.0)[0], *corners(4.0, 2.0)[2]))
    laid.picture[top:bottom, (left + right) // 2 : right] = 255
    seen = table(laid)
    verdict = seen.judge.judge(seen.picture, seen.plane, Spot(4.0, 2.0, 0.0), seen.part("whole"))
    assert verdict.half_seen < 0.05
    assert 0.2 < verdict.seen < 0.5


@pytest.mark.parametrize(("seen", "goes_on"), [(0.98, False), (0.8, True)])
def test_below_an_order_that_glare_hides_a_part_of_another_may_lie(seen: float, goes_on: bool) -> None:
    laid = table(scene((FRUIT[0], 4.0, 2.0)))
    card = known(FRUIT[0], 4.0, 2.0)
    card = replace(card, verdict=replace(card.verdict, seen=seen))
    assert _Search(laid, [], 0.0, [card], [])._piece(card).goes_on == goes_on


def test_on_what_lies_in_an_outline_of_its_size_no_other_card_lies() -> None:
    laid = table(scene((FRUIT[0], 4.0, 2.0)))
    card = replace(known(FRUIT[0], 4.0, 2.0, "upper", 0.7), verdict=Verdict(FRUIT[1], False, 0.7, 0.99, (), 1.0))
    for sized in (False, True):
        piece = _Search(laid, [], 0.0, [card], [])._piece(replace(card, sized=sized))
        assert (piece.goes_on, bool(np.ptp(piece.shown[:, 1]) > 0.99)) == (not sized, sized)


@pytest.mark.parametrize(("light", "kept"), [(0.0, 0), (1.2, 1)])
def test_beside_a_column_of_orders_what_nobody_can_read_is_a_gorilla_only_if_light_hides_it(
    light: float, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid = scene(*((FRUIT[k], 3.0, 1.2 + 0.7 * k) for k in range(3)))
    if light:
        laid.glare(5.0, 2.6, light)
    column = [known(FRUIT[k], 3.0, 1.2 + 0.7 * k) for k in range(3)]
    search = _Search(table(laid), [], 0.0, column, [])
    monkeypatch.setattr(search, "_places", lambda middle: [Slot(Spot(5.0, 2.6, 0.0), "whole", between=True)])
    search.left_over()
    assert [DECK.faces[card.verdict.face].kind for card in search.unread] == ["gorilla"] * kept


@pytest.mark.parametrize(("quality", "confidence", "kept"), [(0.45, 0.95, 1), (0.3, 0.95, 0), (0.45, 0.8, 0)])
def test_beside_a_column_of_orders_a_gorilla_that_was_glimpsed_is_asked_about(
    quality: float, confidence: float, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    gorilla = next(k for k, face in enumerate(DECK.faces) if face.kind == "gorilla")
    column = [known(FRUIT[k], 3.0, 1.2 + 0.7 * k) for k in range(3)]
    search = _Search(table(scene(*((FRUIT[k], 3.0, 1.2 + 0.7 * k) for k in range(3)))), [], 0.0, column, [])
    glimpse = known(gorilla, 5.1, 2.5, quality=quality)
    glimpse = replace(glimpse, verdict=replace(glimpse.verdict, confidence=confidence))
    monkeypatch.setattr(durian_slots, "best_in", lambda *_: glimpse)
    monkeypatch.setattr(search, "_places", lambda middle: [Slot(Spot(5.0, 2.6, 0.0), "whole", between=True)])
    search.beside_lines()
    search.left_over()
    assert [card.verdict.face for card in search.unread] == [gorilla] * kept


def test_a_place_that_showed_nothing_is_not_looked_at_again_a_little_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    search = _Search(table(scene((FRUIT[0], 2.0, 2.0))), [], 5.0, [known(FRUIT[0], 2.0, 2.0)], [])
    looked: list[float] = []

    def best_in(_: Table, slot: Slot, *__: object) -> None:
        looked.append(slot.spot.x)

    def places(middle: bool) -> list[Slot]:
        return [Slot(Spot(x + 0.1 * middle, 2.0, 0.0), "whole", between=True) for x in (5.0, 7.0 + middle)]

    monkeypatch.setattr(search, "_places", places)
    monkeypatch.setattr(durian_slots, "best_in", best_in)
    assert not search.beside_lines()
    assert looked == pytest.approx([5.0, 7.0, 8.1])


@pytest.mark.parametrize(("least", "grown"), [(None, 1), (0.2, 0)])
def test_of_what_is_far_from_a_card_by_a_part_the_whole_is_not_looked_at(
    least: float | None, grown: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    wholes: list[Laid] = []
    poor = known(FRUIT[1], 5.0, 2.0, "upper", 0.15)

    def whole(_: Table, card: Laid) -> Laid:
        wholes.append(card)
        return card

    monkeypatch.setattr(durian_search, "_grown", whole)
    monkeypatch.setattr(Table, "look_into", lambda *_: poor)
    sighting = Sighting(Pose(5.0, 2.0, 0.0), "upper", ((FRUIT[1], False),), 0.3)
    assert look(table(scene()), sighting, 0.0, least=least) is poor
    assert len(wholes) == grown


@pytest.mark.parametrize(("seen", "quality"), [(0.05, 0.0), (0.2, 0.9)])
def test_what_next_to_nothing_is_seen_of_is_no_card(seen: float, quality: float) -> None:
    card = known(FRUIT[0], 4.0, 2.0)
    assert replace(card, verdict=replace(card.verdict, seen=seen)).quality == pytest.approx(quality)


@pytest.mark.parametrize(("white", "covered"), [(0.45, True), (0.72, False)])
def test_what_glare_hides_of_an_order_is_no_card_on_it(white: float, covered: bool) -> None:
    laid = scene((FRUIT[0], 4.0, 2.0))
    laid.scramble(4.0, 2.3, ASPECT, 0.5)
    left, bottom = (round(v) for v in corners(4.0, 2.0)[3])
    width = round(ASPECT * UNIT)
    laid.picture[bottom - round(0.6 * UNIT) : bottom, left : left + round(white * width)] = 255
    order = known(FRUIT[0], 4.0, 2.0, "upper")
    search = _Search(table(laid), [], 0.0, [order], [])
    lower = search.table.part("lower")
    assert search.table.spread(order.spot, lower) > search.busy
    assert search._covered(order) == covered


def test_in_dim_light_less_noise_is_thought_into_what_the_scan_sees() -> None:
    laid = scene((FRUIT[0], 2.0, 2.0), (FRUIT[1], 5.0, 2.0))
    clearest = []
    for light in (1.0, 0.08):
        laid.picture = np.asarray(laid.picture * light, np.uint8)
        seen = table(laid)
        told = told_apart(seen, [known(FRUIT[0], 2.0, 2.0)], [])
        found = [one.scanner.scan(one.picture, PLANE, (4.0, 1.0, 6.0, 3.0), (0.0,), 0.0, 1.0) for one in (seen, told)]
        clearest.append([max(sighting.score for sighting in sightings) for sightings in found])
    assert clearest[0][1] == pytest.approx(clearest[0][0], abs=0.05)
    assert clearest[1][1] > 1.2 * clearest[1][0]


def test_a_card_whose_outline_lay_beside_it_is_looked_for_again() -> None:
    laid = scene((FRUIT[0], 2.0, 2.0), (FRUIT[1], 5.0, 2.0))
    beside = known(FRUIT[2], 5.15, 2.1, quality=0.5)
    found, _ = filled(table(laid), [known(FRUIT[0], 2.0, 2.0), beside], [], [], 5.0)
    assert sorted(card.verdict.face for card in found) == [FRUIT[0], FRUIT[1]]
    assert max(card.spot.x for card in found) == pytest.approx(5.0, abs=0.03)


@pytest.mark.parametrize(("score", "face"), [(1.0, FRUIT[2]), (0.1, FRUIT[1])])
def test_what_nobody_can_read_is_named_by_the_better_glimpse(
    score: float, face: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    glimpse = Laid(Spot(5.0, 2.0, 0.0), Verdict(FRUIT[2], False, score, 0.5, (), 1.0), "whole", 0.1)
    monkeypatch.setattr(durian_slots, "best_in", lambda *_: glimpse)
    laid = scene((FRUIT[0], 2.0, 2.0), (FRUIT[1], 5.0, 2.0))
    search = _Search(table(laid), [], 5.0, [known(FRUIT[0], 2.0, 2.0)], [])
    slot = Slot(Spot(5.0, 2.0, 0.0), "whole", between=True)
    assert not search._try(slot, 0.5)
    unread = search._unreadable(slot)
    assert (unread.verdict.face, unread.fit) == (face, UNREAD)


def test_a_slot_above_a_column_is_none_where_a_card_of_it_is_known() -> None:
    laid = table(scene((FRUIT[0], 3.0, 1.0), (FRUIT[1], 3.0, 4.1), (FRUIT[2], 3.0, 4.75)))
    column = [known(FRUIT[0], 3.0, 1.0), known(FRUIT[1], 3.0, 4.1, "upper"), known(FRUIT[2], 3.0, 4.75)]
    board = Pose(3.0, 0.2, 0.0).rectangle(2.0, 0.4)
    slots = _Search(laid, [board], 0.0, column, [])._slots()
    assert min(slot.spot.y for slot in slots) == pytest.approx(1.5)


def test_what_nobody_could_read_is_none_where_a_card_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    laid = table(scene((FRUIT[0], 2.0, 2.0), (FRUIT[1], 5.0, 2.0)))
    search = _Search(laid, [], 5.0, [known(FRUIT[0], 2.0, 2.0)], [])
    slots = [Slot(Spot(x, 2.0, 0.0), "whole", between=True) for x in (5.15, 6.5)]
    search.unread = [search._unreadable(slot) for slot in slots]
    monkeypatch.setattr(durian_slots, "best_in", lambda *_: known(FRUIT[1], 5.0, 2.0))
    assert search._try(slots[0], 0.5)
    assert [card.spot.x for card in search.unread] == [6.5]


@pytest.mark.parametrize(("degrees", "lit", "kept"), [(10, False, 1), (50, False, 0), (50, True, 1)])
def test_an_outline_askew_to_the_table_hides_a_card_only_under_light(degrees: float, lit: bool, kept: int) -> None:
    laid = scene((FRUIT[0], 2.0, 2.0), (FRUIT[1], 5.0, 2.0))
    laid.scramble(5.0, 2.0, ASPECT, 1.0)
    if lit:
        laid.glare(5.0, 2.0, 0.5)
    outline = Spot(5.0, 2.0, float(np.radians(degrees)))
    assert len(_Search(table(laid), [], 0.0, [known(FRUIT[0], 2.0, 2.0)], [outline]).unread) == kept


@pytest.mark.parametrize(("new", "lost", "times"), [(False, False, 1), (True, False, 2), (False, True, 2)])
def test_cards_are_looked_for_again_only_where_slow_masks_show_another_outline_or_one_was_not_read(
    new: bool, lost: bool, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Outlines:
        def spots(self, _: Table) -> list[Spot]:
            return [Spot(2.0, 2.0, 0.0)]

        def more_spots(self, _: Table) -> list[Spot]:
            return [Spot(2.05, 2.0, 0.0), *([Spot(5.0, 2.0, 0.0)] if new else [])]

    looked: list[int] = []

    def filled(_: Table, cards: list[Laid], *__: object) -> tuple[list[Laid], list[Laid]]:
        looked.append(len(cards))
        return cards, cards if lost else []

    monkeypatch.setattr(durian_table, "filled", filled)
    doubtful: Any = [known(FRUIT[0], 2.0, 2.0, quality=CLEAR - 0.1)]
    outlines: Any = Outlines()
    durian_table._completed(table(scene((FRUIT[0], 2.0, 2.0))), doubtful, outlines, [], 5.0)
    assert len(looked) == times


class TestOpenEnds:
    """The end of a line, where a card may lie or not."""

    SLOT = Slot(Spot(6.0, 2.0, 0.0), "whole", between=False)

    def search(self, *, white: float = 0.0, card: bool = False) -> _Search:
        """Two known cards and a slot after them, of which a share is white, or in which a card lies."""
        cards = [(FRUIT[0], 1.5, 2.0), (FRUIT[1], 3.5, 2.0)]
        laid = scene(*cards, *([(FRUIT[2], 6.0, 2.0)] if card else []))
        left, top, right, bottom = (round(v) for v in (*corners(6.0, 2.0)[0], *corners(6.0, 2.0)[2]))
        laid.picture[top : top + round(white * (bottom - top)), left:right] = 255
        return _Search(table(laid), [], 5.0, [known(*place) for place in cards], [])

    def test_what_is_mostly_white_with_glare_holds_a_card(self) -> None:
        assert [self.search(white=share)._holds_card(self.SLOT) for share in (0.0, 0.4, 0.8)] == [False, False, True]

    def test_after_a_hidden_card_what_is_no_bare_table_holds_one(self) -> None:
        headed = replace(self.SLOT, headed=True)
        assert not self.search()._holds_card(headed)
        assert self.search(card=True)._holds_card(headed)
        assert not self.search(card=True)._holds_card(self.SLOT)

    def test_bare_table_is_not_looked_into(self) -> None:
        assert not self.search()._worth(self.SLOT)
        assert self.search(card=True)._worth(self.SLOT)
        assert self.search()._worth(replace(self.SLOT, between=True))

    def test_beside_a_column_of_orders_lies_a_gorilla(self) -> None:
        laid = table(scene())
        column = [known(FRUIT[k], 3.0, 2.0 + 0.65 * k, "upper") for k in range(3)]
        search = _Search(laid, [], 1.0, column, [])
        assert search._kinds(Slot(Spot(5.0, 2.6, 0.0), "whole", True)) == ("gorilla",)
        assert search._kinds(Slot(Spot(3.0, 3.9, 0.0), "whole", True)) == ("fruit",)
        assert search._kinds(Slot(Spot(5.0, 0.4, 0.0), "whole", True)) == ("fruit", "gorilla")

    def test_a_card_that_nobody_can_read_is_said_to_be_none_for_sure(self) -> None:
        search = _Search(table(scene((FRUIT[0], 1.5, 2.0))), [], 5.0, [], [Spot(1.5, 2.0, 0.0)])
        ((verdict, fit),) = [(card.verdict, card.fit) for card in search.unread]
        assert (verdict.face, verdict.confidence <= 0.2, fit) == (FRUIT[0], True, UNREAD)


class TestTries:
    """What is looked into and taken for a card."""

    def test_of_a_patterns_places_only_those_that_glare_touches_are_looked_into(self) -> None:
        class Cloth:
            """Evidence whose only sign the table shows too."""

            signs: tuple[str, ...] = ("pattern",)

            def patternless(self, *_: object) -> Any:
                plain = Cloth()
                plain.signs = ()
                return plain

            def places(self, *_: object) -> list[tuple[float, float]]:
                return [(1.0, 1.0), (2.0, 2.0)]

            def glared(self, place: tuple[float, float]) -> bool:
                return place == (2.0, 2.0)

        search = _Search(table(scene()), [], 5.0, [], [])
        evidence: Any = Cloth()
        search.evidence = evidence
        assert [(slot.spot.x, slot.spot.y) for slot in search._places(middle=True)] == [(2.0, 2.0)]

    @pytest.mark.parametrize("itself", [True, False])
    def test_what_a_clearer_card_shows_is_no_find(self, itself: bool, monkeypatch: pytest.MonkeyPatch) -> None:
        find = known(FRUIT[1], 5.0, 2.0, "upper", 0.7)
        monkeypatch.setattr(durian_slots, "best_in", lambda *_: find)
        monkeypatch.setattr(durian_slots, "itself", lambda *_: itself)
        search = _Search(table(scene()), [], 5.0, [known(FRUIT[0], 2.0, 2.0)], [])
        assert search._try(Slot(find.spot, "upper", True), 0.5) == itself
        assert len(search.found) == (2 if itself else 1)

    def test_a_card_in_the_place_of_a_better_one_is_no_find(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(durian_slots, "best_in", lambda *_: known(FRUIT[1], 2.1, 2.0, "upper", 0.7))
        monkeypatch.setattr(durian_slots, "itself", lambda *_: True)
        search = _Search(table(scene()), [], 5.0, [known(FRUIT[0], 2.0, 2.0)], [])
        assert not search._try(Slot(Spot(2.1, 2.0, 0.0), "upper", True), 0.5)
