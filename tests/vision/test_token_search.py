"""Tokens of every size, partly covered, cut off or blurred on a lively cloth: none is lost and none is invented."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest

from durian_assist.vision.durian_faces import durian_deck
from durian_assist.vision.durian_items import Item
from durian_assist.vision.durian_outlines import OutlineSearch
from durian_assist.vision.durian_photo import read_photo
from durian_assist.vision.photo import Photo
from durian_assist.vision.rectify import Picture, project
from durian_assist.vision.token_align import centred, local_contrast, whole_contrast
from durian_assist.vision.token_lookout import LIKELY, Lookout, _steps
from durian_assist.vision.token_model import CLEAR, Laid, TokenModel
from durian_assist.vision.token_scan import Sighting
from durian_assist.vision.token_search import LONG_PATIENCE, PATIENCE, TokenSearch
from durian_assist.vision.token_shape import Fit
from durian_assist.vision.token_values import Token, Values
from durian_assist.vision.tokens import TokenReader, _without_pattern
from tests.vision.durian_scene import UNIT, Scene, drawn_deck
from tests.vision.token_camera import SIZE, camera, slope

DECK = drawn_deck()


def tokens(photo: Photo) -> tuple[Item, ...]:
    return read_photo(photo, durian_deck(DECK)).tokens


def values(photo: Photo) -> list[str]:
    assert all(item.sure for item in tokens(photo))
    return sorted(item.best for item in tokens(photo))


@pytest.mark.parametrize(("width", "pitch"), [(0.8, 0.0), (4.0, 20.0), (8.5, 0.0), (8.5, 38.0)])
def test_a_token_alone_is_read_whatever_its_size(width: float, pitch: float) -> None:
    scene = Scene(DECK, token_width=width, seed=4)
    scene.lay("token/5", 6.5, 5.0, angle=35)
    assert values(scene.photo(pitch=pitch)) == ["5"]


def test_blurred_tokens_on_a_cloth_of_their_colours_are_all_found() -> None:
    scene = Scene(DECK, token_width=0.9, seed=5)
    scene.gingham(0.4, 0.4, colour=(190, 120, 40))
    for k, (x, y) in enumerate([(2.0, 2.0), (6.0, 1.8), (10.5, 3.0), (3.0, 7.5), (9.0, 8.0)]):
        scene.lay(f"token/{k + 1}", x, y, angle=70 * k)
    assert values(scene.photo(pitch=12.0, blur=3.0)) == ["1", "2", "3", "4", "5"]


def test_tokens_far_and_near_in_a_photo_taken_aslant_are_all_found() -> None:
    scene = Scene(DECK, token_width=0.9, seed=6)
    for k, (x, y) in enumerate([(5.0, 3.6), (8.5, 3.9), (4.0, 7.6), (6.5, 7.2), (9.0, 7.8)]):
        scene.lay(f"token/{k + 1}", x, y, angle=50 * k)
    assert values(scene.photo(pitch=40.0, blur=1.5)) == ["1", "2", "3", "4", "5"]


def test_a_token_partly_under_another_is_not_lost() -> None:
    scene = Scene(DECK, token_width=1.2, seed=7)
    scene.lay("token/2", 4.0, 4.0, angle=10)
    scene.lay("token/6", 4.0, 3.25, angle=-20)
    scene.lay("token/3", 9.0, 6.0)
    found = tokens(scene.photo())
    assert len(found) == 3
    assert {item.best for item in found if item.sure} in ({"3", "6"}, {"2", "3", "6"})


def test_a_token_cut_off_by_the_frame_is_not_lost() -> None:
    scene = Scene(DECK, token_width=1.6, seed=8)
    scene.lay("token/4", 4.0, 4.0)
    scene.lay("token/7", 9.0, 6.0, angle=180)
    photo = scene.photo(pitch=0.0)
    left = min(float(np.array(item.corners)[:, 0].min()) for item in tokens(photo))
    cut = replace(photo, pixels=np.ascontiguousarray(photo.pixels[:, round(left + 70) :]))
    found = tokens(cut)
    assert len(found) == 2
    assert {item.best for item in found if item.sure} in ({"7"}, {"4", "7"})


def test_a_dark_shape_like_a_token_is_none_that_glare_hides() -> None:
    scene = Scene(DECK, seed=9)
    for k, (x, y) in enumerate([(3.0, 3.0), (9.0, 3.0), (6.0, 7.0)]):
        scene.lay(f"token/{k + 1}", x, y)
    hexagon = next(c for c in DECK.classes if c.name == "token/1").outline
    outline = (np.array([10.5, 7.0]) + (hexagon - 0.5) * scene.token_width) * UNIT
    cv2.fillPoly(scene.picture, [np.round(outline).astype(np.int32)], (30, 60, 30))
    assert values(scene.photo(pitch=0.0)) == ["1", "2", "3"]


def test_a_token_that_glare_alone_veils_on_a_cloth_is_not_lost() -> None:
    scene = Scene(DECK, token_width=1.0, seed=5)
    scene.gingham(0.4, 0.4, colour=(190, 120, 40))
    for k, (x, y) in enumerate([(2.5, 2.0), (9.5, 3.0), (3.0, 6.5), (9.0, 7.0)]):
        scene.lay(f"token/{k + 1}", x, y, angle=70 * k)
    ys, xs = np.mgrid[: scene.picture.shape[0], : scene.picture.shape[1]] / UNIT
    veil = 0.65 * np.exp(-2.0 * ((xs - 9.35) ** 2 + (ys - 6.8) ** 2)) * (np.hypot(xs - 9.0, ys - 7.0) < 0.62)
    scene.picture[:] = (scene.picture + (255.0 - scene.picture) * veil[..., None]).astype(np.uint8)
    found = tokens(scene.photo(pitch=12.0))
    assert len(found) == 4
    assert {item.best for item in found if item.sure} in ({"1", "2", "3"}, {"1", "2", "3", "4"})


@pytest.mark.parametrize("width", [0.8, 4.0, 8.5])
def test_a_token_of_any_size_is_found_without_keypoints_and_outlines(
    width: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TokenSearch, "_elected", lambda self, picture: [])
    scene = Scene(DECK, token_width=width, seed=4)
    scene.lay("token/5", 6.5, 5.0, angle=35)
    reader = TokenReader(durian_deck(DECK).tokens)
    found = reader.find(Picture(scene.photo(pitch=0.0).pixels), [], 1.0, by_art=True)
    assert [token.values[0][0] for token in found] == [5]


def laid_alone() -> tuple[TokenModel, Picture, Laid]:
    """A token alone in a photo from above."""
    scene = Scene(DECK, token_width=4.0, seed=4)
    scene.lay("token/5", 6.5, 5.0)
    reader = TokenReader(durian_deck(DECK).tokens)
    picture = Picture(scene.photo(pitch=0.0).pixels)
    return reader.model, picture, reader.search.find(picture, [])[0]


def test_what_of_a_token_the_frame_cuts_off_does_not_count() -> None:
    model, picture, whole = laid_alone()
    left = round(float(model.footprint(whole.place).x - 0.2 * model.width(whole.place)))
    moved = np.array([[1.0, 0, -left], [0, 1, 0], [0, 0, 1]]) @ whole.place
    cut = model.lay(Picture(np.ascontiguousarray(picture.pixels[:, left:])), np.asarray(moved))
    assert 0.5 < cut.seen < 0.85
    assert cut.score > 0.8 * whole.score


def test_a_number_under_another_token_is_not_read() -> None:
    model, picture, whole = laid_alone()
    values = Values(model)
    assert values.read(picture, whole).readable
    width, height = model.size
    cover, half = (
        project(whole.place, np.array([[0.0, 0.0], [share * width, 0.0], [share * width, height], [0.0, height]]))
        for share in (1.0, 0.4)
    )
    assert not values.read(picture, whole, [cover]).readable
    assert 0.4 < model.lay(picture, whole.place, [half]).seen < 0.8


def test_in_each_of_many_outlines_all_turns_are_tried() -> None:
    scene = Scene(DECK, table=(205, 215, 220), token_width=1.1, seed=11)
    for k in range(7):
        scene.lay(f"token/{k + 1}", 2.0 + 3.0 * (k % 4), 3.0 + 3.5 * (k // 4), angle=47 * k)
    deck = durian_deck(DECK)
    picture = Picture(scene.photo().pixels)
    search = OutlineSearch(picture, deck)
    search.first()
    found = TokenReader(deck.tokens).find(picture, search.shapes, search.scale, by_art=False)
    assert sorted(token.values[0][0] for token in found) == [1, 2, 3, 4, 5, 6, 7]


def test_a_doubtful_token_in_an_outline_of_its_shape_is_kept_beside_clear_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    _, picture, laid = laid_alone()
    reader = TokenReader(durian_deck(DECK).tokens)
    aside = np.array([[1.0, 0, 900], [0, 1, 0], [0, 0, 1]]) @ laid.place
    faint = Laid(aside, 0.45)
    outline = Fit(aside[:2], 0.005)
    monkeypatch.setattr(reader, "_poses", lambda *_: [aside])
    monkeypatch.setattr(TokenModel, "lay", lambda *_: faint)
    monkeypatch.setattr(TokenSearch, "find", lambda *_: [laid])
    assert reader._found(picture, [outline], by_art=True, anywhere=True) == [laid, faint]
    assert reader._found(picture, [Fit(aside[:2], 0.029)], by_art=True, anywhere=True) == [laid]
    monkeypatch.setattr(TokenSearch, "find", lambda *_: [])
    assert reader._found(picture, [outline], by_art=True, anywhere=False) == []


def test_where_no_token_is_clear_one_of_any_size_is_looked_for_only_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    _, picture, _ = laid_alone()
    search = TokenReader(durian_deck(DECK).tokens).search
    monkeypatch.setattr(TokenSearch, "_elected", lambda self, picture: [])
    assert search.find(picture, [], anywhere=False) == []
    assert len(search.find(picture, [])) == 1


def lying(search: TokenSearch, x: float, y: float, size: float, score: float) -> Laid:
    """A token so many times larger than usual at a place of a table that is seen 45 degrees aslant."""
    model, to_photo, centre = search.model, camera(45.0), np.array([x, y])
    place = np.eye(3)
    place[:2, :2] = slope(to_photo, centre) * size / model.size[0]
    place[:2, 2] = project(to_photo, centre[None])[0] - place[:2, :2] @ np.array(model.size) / 2
    return Laid(place, score)


def test_a_faint_token_has_the_size_that_the_clear_ones_foretell_at_its_place() -> None:
    search = TokenReader(durian_deck(DECK).tokens).search
    picture = Picture(np.zeros((SIZE[1], SIZE[0], 3), np.uint8))
    clear = [lying(search, x, y, 1.0, 0.9) for x, y in ((-4.0, 1.0), (0.0, 2.0), (3.0, 4.0))]
    far, large = lying(search, 2.0, -9.0, 1.1, 0.45), lying(search, 2.0, -9.0, 1.6, 0.45)
    assert search.joined(picture, clear, [far]) == [*clear, far]
    assert search.joined(picture, clear, [large]) == clear
    assert len(search.joined(picture, clear, [replace(large, score=0.7)])) == 4


def test_once_two_clear_tokens_tell_the_plane_outlines_of_another_size_are_not_laid(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reader = TokenReader(durian_deck(DECK).tokens)
    picture = Picture(np.zeros((SIZE[1], SIZE[0], 3), np.uint8))
    cup, first, second = ((2.0, -3.0, 1.6), (-4.0, 1.0, 1.0), (3.0, 4.0, 1.0))
    laid: list[float] = []

    def lay(self: TokenModel, picture: Picture, place: np.ndarray) -> Laid:
        laid.append(self.area(place))
        return Laid(place, 0.3 if self.area(place) == cup_area else 0.9)

    monkeypatch.setattr(TokenModel, "lay", lay)
    places = [lying(reader.search, *where, 0.0).place for where in (cup, first, second)]
    cup_area = reader.model.area(places[0])
    found = reader._laid_in(picture, [places[0], places[1], places[0], places[2], places[0]], [])
    assert [token.score for token in found] == [0.3, 0.9, 0.3, 0.9]
    assert len(laid) == 4


def test_the_less_is_known_of_the_plane_the_more_sizes_are_looked_for() -> None:
    assert [len(_steps(doubt)) for doubt in (0.05, 0.2, 0.4, 2.0)] == [1, 2, 3, 3]
    assert _steps(0.2) == [-0.5, 0.5]
    assert _steps(0.4) == [-1.0, 0.0, 1.0]


def sighted(monkeypatch: pytest.MonkeyPatch, laid: Laid, scores: list[float], fits: list[float]) -> list[Laid]:
    """What is laid of sightings of some scores beside a clear token, where so much of a token is then found."""
    search = TokenReader(durian_deck(DECK).tokens).search
    places = [np.array([[1.0, 0, 900 * (k + 1)], [0, 1, 0], [0, 0, 1]]) @ laid.place for k in range(len(scores))]
    left = list(fits)

    def lay(
        self: TokenSearch, picture: Picture, place: np.ndarray, least: float, hope: float, tried: list[np.ndarray]
    ) -> Laid:
        return Laid(place, left.pop(0))

    sightings = [Sighting(place, score) for place, score in zip(places, scores, strict=True)]
    monkeypatch.setattr(TokenSearch, "_laid", lay)
    return search._laid_of(Picture(np.zeros((3000, 4000, 3), np.uint8)), sightings, [laid], None)


@pytest.mark.parametrize(("score", "patience"), [(0.7, PATIENCE), (0.85, LONG_PATIENCE)])
def test_after_many_places_in_a_row_that_are_no_token_the_rest_is_not_laid(
    monkeypatch: pytest.MonkeyPatch, score: float, patience: int
) -> None:
    _, _, laid = laid_alone()
    none = [0.2] * (patience - 1)
    found = sighted(monkeypatch, laid, [score] * (2 * patience + 1), [*none, 0.9, *none, 0.3, 0.9])
    assert [token.score for token in found] == [0.9]


def test_where_far_more_places_than_tokens_look_like_one_none_is_a_token_for_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, _, laid = laid_alone()
    for count, vague in ((14, False), (15, True)):
        found = sighted(monkeypatch, laid, [0.9] * count, [0.55, 0.45, *[0.2] * (count - 2)])
        assert [(token.score, token.vague) for token in found] == (
            [(0.55, vague)] if vague else [(0.55, vague), (0.45, vague)]
        )


@pytest.mark.parametrize("clear_at_once", [True, False])
def test_once_three_clear_tokens_tell_the_plane_the_others_are_looked_for_in_it_too(
    monkeypatch: pytest.MonkeyPatch, clear_at_once: bool
) -> None:
    """What looked like a token before is laid all the same: far from the three the plane may be off. A likely place
    that is not clear is laid in other sizes, and only such a one."""
    search = TokenReader(durian_deck(DECK).tokens).search
    picture = Picture(np.zeros((SIZE[1], SIZE[0], 3), np.uint8))
    places = ((-4, 1), (0, 2), (3, 4), (2, -9), (5, 5), (-2, -5))
    first, second, third, far, off, faint = (lying(search, x, y, 1.0, 0.9) for x, y in places)
    scores = {one.place.tobytes(): 0.9 for one in (first, second, third, far, off)}
    scores[faint.place.tobytes()] = 0.9 if clear_at_once else 0.5
    asked: list[int] = []
    looks: list[int] = []
    laid: list[bytes] = []

    def seen(tokens: list[Laid]) -> list[Sighting]:
        return [Sighting(one.place, 0.9) for one in tokens]

    def little_by_little(self: Lookout) -> Iterator[list[Sighting]]:
        for k in range(3):
            looks.append(k)
            yield seen([second, third, far] if k == 0 else [])

    def sightings(self: Lookout) -> list[Sighting]:
        asked.append(len(self._clear))
        return seen([second, third, off, faint])

    def lay(self: TokenSearch, picture: Picture, place: np.ndarray, *_: object) -> Laid:
        laid.append(place.tobytes())
        return Laid(place, scores.get(place.tobytes(), 0.8))

    monkeypatch.setattr(Lookout, "little_by_little", little_by_little)
    monkeypatch.setattr(Lookout, "sightings", sightings)
    monkeypatch.setattr(TokenSearch, "_laid", lay)
    found = search._like(picture, [first])
    assert (asked, looks) == ([3], [0])
    assert set(laid) <= set(scores) if clear_at_once else not set(laid) <= set(scores)
    assert len(found) == len(scores)
    assert all(token.score > CLEAR for token in found)


def test_a_place_that_was_tried_is_not_laid_on_the_finest_canvas_again() -> None:
    model, picture, laid = laid_alone()
    beside = laid.place @ model.turned_by(0.05, 1.02)
    tried: list[np.ndarray] = []
    assert model.lay(picture, beside, tried=tried).score > CLEAR
    assert len(tried) == 1
    assert model.lay(picture, laid.place, tried=tried).score == 0.0
    assert model.lay(picture, beside @ model.turned_by(np.pi, 1.0), tried=tried).score > 0.0
    assert len(tried) == 2


def test_of_an_outline_s_turns_the_likeliest_is_laid_first_and_no_other_where_it_is_clear(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model, picture, laid = laid_alone()
    reader = TokenReader(durian_deck(DECK).tokens)
    turns = [laid.place @ model.turned_by(angle, 1.0) for angle in (np.pi / 2, np.pi, 0.0)]
    monkeypatch.setattr(type(reader.model.matcher), "round", property(lambda self: False))
    poses = reader._poses(picture, [Fit(turn[:2] / turn[2, 2], 0.01) for turn in turns], [])
    assert np.allclose(poses[0], turns[2] / turns[2][2, 2])
    assert len(poses) == 3
    assert len(reader._laid_in(picture, poses, [])) == 1


def test_a_round_token_is_turned_as_trying_each_turn_would_turn_it() -> None:
    model, picture, laid = laid_alone()
    for angle in (0.3, 1.7, 4.0):
        place = laid.place @ model.turned_by(angle, 1.0)
        turns = model.turns(place)
        fits = [model.aligners[1].fit(picture, centred(turn, model.size), rounds=1)[1] for turn in turns]
        assert np.allclose(model.turned(picture, place), turns[int(np.argmax(fits))])


def test_neighbourhoods_summed_up_as_boxes_are_those_of_a_bell() -> None:
    rng = np.random.default_rng(5)
    light = np.asarray(cv2.GaussianBlur(rng.normal(120, 300, (128, 128)).astype(np.float32), (0, 0), 4), np.float32)
    light[:, 64:] += 60
    boxed, bell = whole_contrast(light), local_contrast(light)
    assert 0.0 < np.abs(boxed - bell).max() < 0.15
    assert np.corrcoef(boxed.ravel(), bell.ravel())[0, 1] > 0.999


def test_an_unlikely_place_that_is_nearly_clear_waits_for_a_value_that_fits_it(monkeypatch: pytest.MonkeyPatch) -> None:
    model, picture, laid = laid_alone()
    values = Values(model)
    found = sighted(monkeypatch, laid, [0.9, 0.7, 0.7], [0.58, 0.58, 0.45])
    assert [(token.score, token.vague) for token in found] == [(0.58, False), (0.58, True)]
    monkeypatch.setattr(Values, "_fitted", lambda *_: (np.eye(3), 0.65))
    assert values.confirmed(picture, replace(laid, score=0.66, vague=True)) is None
    assert values.confirmed(picture, replace(laid, score=0.66)) is not None
    for fit, kept in ((0.59, False), (0.62, True)):
        monkeypatch.setattr(Values, "_fitted", lambda *_, fit=fit: (np.eye(3), fit))
        assert (values.confirmed(picture, replace(laid, score=0.58, vague=True)) is not None) == kept
        assert values.confirmed(picture, replace(laid, score=0.58)) is not None


def test_faint_tokens_that_all_seem_to_show_one_value_are_the_dots_of_a_cloth() -> None:
    outline = np.zeros((6, 2))
    clear, other = Token(outline, ((6, 0.9), (4, 0.1)), 0.9, True), Token(outline, ((2, 0.7), (4, 0.3)), 0.5, True)
    dot = Token(outline, ((6, 0.7), (4, 0.3)), 0.48, True)
    assert _without_pattern([clear, other, dot, dot]) == [clear, other, dot, dot]
    assert _without_pattern([clear, other, dot, dot, dot]) == [clear, other]


def test_likely_places_that_are_none_do_not_use_up_the_patience_with_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What a lamp makes of a plain table may look more like a token than one in the shade does."""
    _, _, laid = laid_alone()
    misses = [0.0] * PATIENCE
    found = sighted(monkeypatch, laid, [LIKELY + 0.05] * PATIENCE + [LIKELY - 0.01], [*misses, 0.9])
    assert [token.score for token in found] == [0.9]
    none = sighted(monkeypatch, laid, [LIKELY - 0.01] * (PATIENCE + 1), [*misses, 0.9])
    assert none == []
