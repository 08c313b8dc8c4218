"""Work of a Durian reading that would say nothing new is not done again, nor where it can say nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from durian_assist.vision import durian_outlines, durian_photo, durian_twins
from durian_assist.vision.dash_plane import TablePlane
from durian_assist.vision.durian_faces import durian_deck
from durian_assist.vision.durian_fit import Aligner, FaceJudge, Spot, Verdict
from durian_assist.vision.durian_layers import Laid as Card
from durian_assist.vision.durian_layers import Table
from durian_assist.vision.durian_orders import Placed
from durian_assist.vision.durian_outlines import OutlineSearch
from durian_assist.vision.durian_scan import Scanner
from durian_assist.vision.durian_seeds import HalfFinder, SeedFinder
from durian_assist.vision.durian_table import TableParts
from durian_assist.vision.durian_twins import Twins
from durian_assist.vision.find_masks import COLOUR_WEIGHTS, _centres, _colour_masks, quick_lab
from durian_assist.vision.find_shapes import Shape
from durian_assist.vision.rectify import Picture
from durian_assist.vision.token_align import centred
from durian_assist.vision.token_colours import TheirColours
from durian_assist.vision.token_model import Laid, TokenModel
from durian_assist.vision.token_search import TokenSearch
from durian_assist.vision.token_shape import Fit
from durian_assist.vision.token_values import Token, Values
from durian_assist.vision.token_votes import TokenVotes
from durian_assist.vision.tokens import TokenReader
from tests.vision.durian_scene import drawn_deck

DECK = durian_deck(drawn_deck())
BARE = Picture(np.full((600, 800, 3), (70, 95, 120), np.uint8))


def test_slow_looks_are_taken_again_only_where_a_shape_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[HalfFinder] = []
    looked: list[int] = []

    def seeds(self: SeedFinder, picture: Picture, shapes: Sequence[Shape], *_: object, **__: object) -> list[object]:
        looked.append(len(shapes))
        return []

    def halves(*args: object) -> HalfFinder:
        made.append(HalfFinder(*args))  # type: ignore[arg-type]
        return made[-1]

    monkeypatch.setattr(SeedFinder, "seeds", seeds)
    monkeypatch.setattr(durian_outlines, "HalfFinder", halves)
    search = OutlineSearch(BARE, DECK)
    search.rest()
    once = len(looked)
    search.rest()
    assert once == len(looked) > 0
    quad = np.array([(10, 10), (60, 10), (60, 50), (10, 50)], np.float32)
    search.shapes.append(Shape(quad, quad, 1.0))
    search.rest()
    assert len(looked) > once
    assert len(made) == 1


def test_keypoints_of_a_photo_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []

    def elect(*_: object) -> list[object]:
        asked.append(1.0)
        return []

    monkeypatch.setattr(TokenVotes, "elect", elect)
    search = TokenReader(DECK.tokens).search
    for _ in range(2):
        search.find(BARE, [], anywhere=False)
    assert len(asked) == 1
    search.find(Picture(BARE.pixels.copy()), [], anywhere=False)
    assert len(asked) == 2


def test_a_place_is_compared_with_all_values_as_with_each_by_itself() -> None:
    model = TokenModel(DECK.tokens)
    own = Values(model)._own
    picture = Picture(model.references[3][0])
    place = centred(model.turned_by(0.05, 1.02), model.size)
    seen = np.ones(own[0].mask.shape, np.bool_)
    seen[:, :30] = False
    each = [aligner.fit(picture, place, rounds=1, seen=seen)[1] for aligner in own]
    assert own[0].likeness(picture, place, own, seen) == pytest.approx(each)
    assert int(np.argmax(each)) == 3


def test_each_main_colour_has_a_mask_of_the_pixels_that_come_nearest_to_it() -> None:
    rng = np.random.default_rng(3)
    blocks = rng.integers(0, 256, (12, 16, 3), np.uint8)
    lab = np.asarray(cv2.resize(blocks, (320, 240), interpolation=cv2.INTER_LINEAR), np.uint8)
    small = cv2.resize(lab, None, fx=0.125, fy=0.125, interpolation=cv2.INTER_AREA).reshape(-1, 3) * COLOUR_WEIGHTS
    centres = _centres(small.astype(np.float32), 5)
    away = np.linalg.norm((lab.astype(np.float64) * COLOUR_WEIGHTS)[:, :, None] - centres, axis=3)
    nearest = np.argmax(list(_colour_masks(lab)), axis=0)
    assert (np.take_along_axis(away, nearest[..., None], 2)[..., 0] < away.min(axis=2) + 1e-3).all()


def test_a_dark_outline_is_not_looked_at_for_glare(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = TokenReader(DECK.tokens)
    place = np.array([[1.0, 0, 200], [0, 1, 200], [0, 0, 1]])
    white = Picture(np.full((600, 800, 3), 255, np.uint8))
    assert reader._bare(white, place, 40.0)
    monkeypatch.setattr(TokenModel, "cut", lambda *_: pytest.fail("cut out"))
    assert not reader._bare(BARE, place, 40.0)


def shape(x: float, y: float, side: float) -> Shape:
    quad = np.array([(x, y), (x + side, y), (x + side, y + side), (x, y + side)], np.float32) - np.float32(side / 2)
    return Shape(quad, quad, 1.0)


def test_shapes_of_a_card_are_no_tokens_and_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    corners = np.array([(100, 100), (380, 100), (380, 300), (100, 300)], np.float64)
    card = Card(Spot(0.0, 0.0, 0.0), Verdict(0, False, 0.9, 1.0, (), 1.0), "whole", 0.9)
    parts = TableParts((Placed(card, corners),), (), None, None)
    search = OutlineSearch(BARE, DECK)
    search.shapes = [shape(230, 210, 50), shape(600, 210, 50), shape(365, 210, 50)]
    given: list[Shape] = []

    def find(self: TokenReader, picture: Picture, shapes: Sequence[Shape], scale: float, by_art: bool) -> list[Token]:
        given.extend(shapes)
        return [Token(s.outline.astype(np.float64), ((3, 1.0),), 0.9, True) for s in shapes]

    monkeypatch.setattr(TokenReader, "find", find)
    items = durian_photo._beside(BARE, search, parts, TokenReader(DECK.tokens), 0)
    assert [s.centre[0] for s in given] == pytest.approx([600, 365])
    assert [np.mean([x for x, _ in item.corners]) for item in items] == pytest.approx([600])


def test_shapes_of_the_tokens_colours_but_of_another_size_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = TokenReader(DECK.tokens)
    model = reader.model
    sure = Laid(np.array([[1.0, 0, 200], [0, 1, 200], [0, 0, 1]]), 0.9)
    alike, larger = (shape(600, 400, side * float(np.sqrt(model.area(sure.place)))) for side in (1.1, 2.0))
    compared: list[Shape] = []
    monkeypatch.setattr(TheirColours, "shapes", lambda _: [alike, larger])

    def best_of_each(_: TokenReader, shapes: Sequence[Shape], *__: object) -> list[object]:
        compared.extend(shapes)
        return []

    monkeypatch.setattr(TokenReader, "_best_of_each", best_of_each)
    reader._by_colour(BARE, [sure], TheirColours.of(BARE, [model.polygon(sure.place)]))
    assert compared == [alike]


def test_a_plane_and_a_mask_are_worked_out_once() -> None:
    search = TokenSearch(TokenModel(DECK.tokens))
    sure = Laid(np.array([[1.0, 0, 200], [0, 1, 200], [0, 0, 1]]), 0.9)
    assert search.planes(BARE, [sure]) is search.planes(BARE, [replace(sure, score=0.8)])
    aligner = Aligner.of(np.random.default_rng(2).random((20, 30), np.float32), 0.2, 1.0)
    part = np.ones((20, 30), np.bool_)
    whole = aligner._kept(part, part.reshape(-1).astype(np.float32))
    assert aligner._kept(part.copy(), part.reshape(-1).astype(np.float32)) is whole
    part[:4] = False
    assert aligner._kept(part, part.reshape(-1).astype(np.float32)).total < whole.total


def test_colours_without_opencvs_tables_are_those_with_them_within_two_levels() -> None:
    rng = np.random.default_rng(5)
    pixels = np.asarray(np.concatenate([rng.integers(0, 256, (40, 60, 3)), rng.integers(0, 12, (9, 60, 3))]), np.uint8)
    pixels[:2], pixels[-2:] = 255, 0
    away = np.abs(quick_lab(pixels).astype(int) - cv2.cvtColor(pixels, cv2.COLOR_BGR2Lab))
    assert away.max() <= 2
    assert away.mean() < 0.2


def test_an_outline_is_looked_at_for_glare_once_however_it_may_be_turned(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = TokenReader(DECK.tokens)
    looked: list[float] = []

    def bare(self: TokenReader, picture: Picture, place: np.ndarray, usual: float) -> bool:
        looked.append(float(place[0, 2]))
        return False

    monkeypatch.setattr(TokenReader, "_bare", bare)
    affine = np.array([[0.5, 0, 200], [0, 0.5, 200]])
    turns = [Fit(turn, 0.01) for turn in reader.model.matcher.turns(affine, 8)]
    reader._hidden(BARE, [*turns, Fit(affine + np.array([[0, 0, 300], [0, 0, 0]]), 0.01)], [])
    assert len(looked) == 2


@pytest.mark.parametrize(("score", "level", "readable", "kept"), [(0.5, 90, True, 0), (0.5, 255, True, 1)])
@pytest.mark.parametrize("clear", [False, True])
def test_beside_a_table_a_token_that_is_not_clear_is_one_only_under_glare(
    score: float, level: int, readable: bool, kept: int, clear: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    pixels = BARE.pixels.copy()
    pixels[190:210, 590:610] = level
    outline = np.array([(570, 170), (630, 170), (630, 230), (570, 230)], np.float64)
    token = Token(outline, ((3, 0.4), (2, 0.3)), 0.8 if clear else score, readable)
    monkeypatch.setattr(TokenReader, "find", lambda *_, **__: [token])
    items = durian_photo._beside(
        Picture(pixels), OutlineSearch(BARE, DECK), TableParts((), (), None, None), TokenReader(DECK.tokens), 0
    )
    assert len(items) == (1 if clear else kept)


def test_what_was_looked_into_is_known_on_its_plane(monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[Spot] = []
    judge = FaceJudge(DECK.faces, DECK.aspect)

    def place(self: FaceJudge, picture: Picture, plane: TablePlane, spot: Spot, *_: object) -> tuple[Spot, float]:
        judged.append(spot)
        return spot, 0.0

    monkeypatch.setattr(FaceJudge, "place", place)
    table = Table(BARE, TablePlane(np.diag([90.0, 90.0, 1.0])), judge, Scanner.of(DECK.faces, DECK.aspect))
    spot = Spot(2.0, 2.0, 0.0)
    assert table.look_into(spot, 0, False, "whole") is table.look_into(spot, 0, False, "whole")
    assert len(judged) == 1
    replace(table, plane=TablePlane(np.diag([80.0, 80.0, 1.0]))).look_into(spot, 0, False, "whole")
    table.look_into(spot, 0, True, "whole")
    assert len(judged) == 3


def test_references_are_laid_over_a_face_once(monkeypatch: pytest.MonkeyPatch) -> None:
    twins = Twins(FaceJudge(DECK.faces, DECK.aspect))
    first, second = [(k, False) for k, face in enumerate(DECK.faces) if face.kind == "fruit"][:2]
    where = np.ones(twins._pair(first, second).differ.shape, np.bool_)
    trust = twins._trust(first, second, where)
    monkeypatch.setattr(durian_twins, "_best_shift", lambda *_: pytest.fail("laid again"))
    assert twins._trust(first, second, where) == trust
