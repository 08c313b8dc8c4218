"""The first cards of a Smuggler photo: what is printed on a card is not taken for one where whole cards are known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from durian_assist.vision.outlines import Outline
from durian_assist.vision.recognise import SURE_CARD, Candidate, Identity, Recogniser
from durian_assist.vision.rectify import Picture, Points
from durian_assist.vision.smuggler_reading import square_classes
from durian_assist.vision.smuggler_seen import PRINTED, SeenCard, SeenCards, _confirmed, _seeds
from durian_assist.vision.table_plane import Pose, TablePlane
from tests.vision.smuggler_scenes import deck

CARD = 100.0


def quad(column: int) -> Points:
    box = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64) * CARD
    return np.asarray(box + np.array([2 * column * CARD, 0.0]), np.float64)


def scored(corners: Points, score: float, card: float = 1.0) -> Identity:
    return Identity((Candidate("red/empty", 0, score, 1.0),), card, card, corners, 0.0)


class Asked:
    """A recogniser that answers outlines in a row with these correlations, and notes how alike each had to be."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, scores: list[float]) -> None:
        self.alike: dict[int, float] = {}
        self.outlines = [Outline(quad(i), 1) for i in range(len(scores))]
        self.picture = Picture(np.zeros((200, 200 * len(scores), 3), np.uint8))
        self.deck = Recogniser(square_classes(deck()))

        def identify(_: Recogniser, picture: Picture, corners: Points, **named: Any) -> Identity:
            column = round(float(corners[0, 0] / CARD / 2))
            self.alike[column] = named["alike"]
            return scored(corners, scores[column], float(scores[column] >= named["alike"]))

        monkeypatch.setattr(Recogniser, "identify", identify)


def test_a_frame_printed_on_a_card_is_no_seed_once_whole_cards_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked(monkeypatch, [0.59, 0.95, 0.62, 0.9])
    seeds = _seeds(asked.picture, asked.deck, asked.outlines, {}, range(9))
    assert [seed.best.score for seed in seeds] == [0.95, 0.9]
    assert list(asked.alike.values()) == [SURE_CARD, SURE_CARD, PRINTED * 0.95, PRINTED * 0.95]


def test_where_all_cards_are_faint_none_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked(monkeypatch, [0.5, 0.62, 0.58])
    seeds = _seeds(asked.picture, asked.deck, asked.outlines, {}, range(9))
    assert [seed.best.score for seed in seeds] == [0.62, 0.58, 0.5]


def test_what_is_nearly_a_card_is_not_looked_at_again_where_enough_are_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked(monkeypatch, [0.5, 0.9, 0.95, 0.85])
    assert len(_seeds(asked.picture, asked.deck, asked.outlines, {}, range(9))) == 3
    assert asked.alike[0] == SURE_CARD


@pytest.mark.parametrize("size", [0.25, 3.0])
def test_what_is_far_from_the_size_of_the_known_cards_is_not_tried(
    monkeypatch: pytest.MonkeyPatch, size: float
) -> None:
    """Tiles and prints by the dozen are a fifth of a card; perspective makes the nearest at most twice the farthest."""
    asked = Asked(monkeypatch, [0.9, 0.95, 0.85, 0.9, 0.9])
    odd = quad(3) + (quad(0) - quad(0).mean(0)) * (size - 1)
    _seeds(asked.picture, asked.deck, [*asked.outlines[:3], Outline(odd, 1), asked.outlines[4]], {}, range(9))
    assert sorted(asked.alike) == [0, 1, 2, 4]


def test_an_outline_that_was_looked_at_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked(monkeypatch, [0.95, 0.9, 0.93])
    seeds = [scored(quad(0), 0.95)]
    looks = {1: scored(quad(1), 0.9)}
    sure = _confirmed(asked.picture, asked.deck, asked.outlines, looks, seeds)
    assert [i.best.score for i in sure] == [0.95, 0.9, 0.93]
    assert list(asked.alike) == [2]


@pytest.mark.parametrize(
    ("score", "card", "taken"),
    [(0.95, 1.0, True), (0.75, 0.95, True), (0.9, 0.6, True), (0.9, 0.4, False), (0.8, 0.6, False), (0.6, 1.0, False)],
)
def test_a_card_that_too_bright_a_photo_clips_in_part_is_taken_where_the_rest_agrees_well(
    score: float, card: float, taken: bool
) -> None:
    known = SeenCard(scored(quad(0), 0.96), Pose(0.0, 0.0, 0.0))
    seen = SeenCards((known,), TablePlane(np.eye(3)), (), Recogniser(square_classes(deck())))
    found = scored(quad(1), score, card)
    assert seen.sure([found]) == ([found] if taken else [])
