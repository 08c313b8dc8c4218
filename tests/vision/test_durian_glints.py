"""Streaks of light on a sleeve hide no dark card of a table; what they are on is told with the trust that is left."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from durian_assist.vision.dash_plane import TablePlane
from durian_assist.vision.durian_faces import Face, durian_deck, with_sides
from durian_assist.vision.durian_fit import FaceJudge, Spot, Verdict
from durian_assist.vision.durian_glints import _grown, _joined, _prudent, without_glints
from durian_assist.vision.durian_in_slot import best_in
from durian_assist.vision.durian_layers import CLEAR, Laid, Table, judged
from durian_assist.vision.durian_lines import Slot
from durian_assist.vision.durian_scan import Scanner
from durian_assist.vision.durian_search import _outlined
from durian_assist.vision.rectify import Picture
from tests.vision.durian_scene import UNIT, Scene, drawn_deck

PROFILE = drawn_deck()
DECK = with_sides(durian_deck(PROFILE))
ASPECT = DECK.aspect
FRUIT = [k for k, face in enumerate(DECK.faces) if face.kind == "fruit"]
PLANE = TablePlane(np.diag([UNIT, UNIT, 1.0]))
PLACE = Spot(5.0, 2.0, 0.0)
DARK = 0.4
STREAKS = (((-0.6, -0.5), (-0.2, 0.5), 9), ((0.1, -0.5), (0.5, 0.5), 7))


def _dark(face: Face) -> Face:
    return replace(face, references=tuple(np.asarray(r * DARK, np.uint8) for r in face.references))


FACES = tuple(_dark(face) for face in DECK.faces)


def table(face: int, strength: float = 0.6) -> Table:
    """A dark table with two dark cards, seen from straight above; streaks of light lie on the second one."""
    laid = Scene(PROFILE, size=(8.0, 6.0))
    laid.lay(DECK.faces[FRUIT[0]].label, 2.0, 2.0)
    laid.lay(DECK.faces[face].label, PLACE.x, PLACE.y)
    streaks = np.zeros(laid.picture.shape[:2], np.uint8)
    for (x, y), (u, v), width in STREAKS:
        start, end = ((round(UNIT * (PLACE.x + a)), round(UNIT * (PLACE.y + b))) for a, b in ((x, y), (u, v)))
        cv2.line(streaks, start, end, 255, width)
    soft = cv2.GaussianBlur(streaks, (0, 0), 2)[..., None] / 255 * strength
    pixels = np.asarray(laid.picture * DARK * (1 - soft) + 235 * soft, np.uint8)
    return Table(Picture(pixels), PLANE, FaceJudge(FACES, ASPECT), Scanner.of(FACES, ASPECT))


def seen(laid: Table, spot: Spot = PLACE) -> Laid:
    """What is seen at a spot as it is."""
    return Laid(spot, laid.judge.judge(laid.picture, PLANE, spot, laid.part("whole")), "whole", 0.0)


@pytest.mark.parametrize("face", FRUIT[1:8])
def test_a_card_under_streaks_is_clear_without_them(face: int) -> None:
    laid = table(face)
    before = seen(laid, replace(PLACE, x=5.02, y=1.99))
    after = without_glints(laid, before, laid.part("whole"))
    assert before.verdict.score < CLEAR < after.quality
    assert (after.verdict.face, after.verdict.turned) == (face, False)
    assert (after.spot.x, after.spot.y) == pytest.approx((PLACE.x, PLACE.y), abs=0.03)


def test_what_no_streaks_hide_stays_as_it_was() -> None:
    laid = table(FRUIT[1], strength=0.0)
    card = replace(seen(laid), fit=0.9)
    assert without_glints(laid, card, laid.part("whole")) is card
    bare = seen(table(FRUIT[1]), Spot(5.0, 4.5, 0.0))
    assert without_glints(laid, bare, laid.part("whole")) is bare


def test_a_card_under_streaks_is_found_in_its_outline_and_in_a_slot() -> None:
    laid = table(FRUIT[1])
    slot = Slot(PLACE, "whole", between=True)
    for card in (_outlined(laid, PLACE), best_in(laid, slot, [], streaks=True)):
        assert card is not None
        assert (card.verdict.face, card.quality > CLEAR) == (FRUIT[1], True)


def test_what_was_found_beside_its_streaks_stays_clear_when_all_is_judged() -> None:
    laid = table(FRUIT[1])
    found = without_glints(laid, seen(laid), laid.part("whole"))
    ((card, _),) = judged(laid, [replace(found, part="upper")])
    assert card.quality > CLEAR


def test_a_small_lead_counts_for_less_the_less_like_a_card_the_rest_is() -> None:
    verdict = Verdict(FRUIT[0], False, 0.97, 0.6, ((FRUIT[1], False, 0.4), (FRUIT[2], False, 0.0)), 0.8)
    assert _prudent(verdict).confidence == pytest.approx(0.6, abs=0.01)
    assert 0.5 < _prudent(replace(verdict, score=0.8)).confidence < 0.54


@pytest.mark.parametrize(("angle", "joined"), [(0.0, True), (90.0, False)])
def test_pieces_of_a_streak_go_on_in_each_others_direction_over_the_light_print_between_them(
    angle: float, joined: bool
) -> None:
    glints = np.zeros((32, 48), np.uint8)
    cv2.line(glints, (10, 2), (14, 11), 1, 3)
    turn = np.radians(angle) + np.arctan2(9, 4)
    end = np.array([18, 20]) + 9 * np.array([np.cos(turn), np.sin(turn)])
    cv2.line(glints, (18, 20), np.round(end).astype(int).tolist(), 1, 3)
    after = _joined(glints)
    assert (after >= glints).all()
    assert bool(after[16, 16]) == joined
    assert after.mean() < 1.5 * glints.mean()


def test_a_card_of_which_a_part_is_clear_beside_streaks_is_looked_at_whole() -> None:
    laid = table(FRUIT[1])
    part = without_glints(laid, replace(seen(laid), part="lower"), laid.part("lower"))
    assert part.quality > CLEAR
    whole = _grown(laid, part)
    assert (whole.part, whole.verdict.face) == ("whole", FRUIT[1])
    assert whole.lit is not None
    assert not whole.lit[:20].all()
    laid.picture.pixels[: round(UNIT * PLACE.y)] = 20
    hidden = table(FRUIT[1])
    covered = Table(Picture(laid.picture.pixels.copy()), PLANE, hidden.judge, hidden.scanner)
    assert _grown(covered, part).part == "lower"


def test_what_was_laid_beside_streaks_is_not_laid_again(monkeypatch: pytest.MonkeyPatch) -> None:
    laid = table(FRUIT[1])
    first = without_glints(laid, seen(laid), laid.part("whole"))
    monkeypatch.setattr(FaceJudge, "place", lambda *_: pytest.fail("laid again"))
    assert without_glints(laid, seen(laid), laid.part("whole")) is first
