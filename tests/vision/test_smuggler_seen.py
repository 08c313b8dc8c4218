"""The first cards of a Smuggler photo: what is printed on a card is not taken for one where whole cards are known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from durian_assist.vision.outlines import Outline
from durian_assist.vision.recognise import ROUGHLY_ALIKE, Candidate, Identity, Recogniser
from durian_assist.vision.rectify import Picture, Points
from durian_assist.vision.smuggler_reading import square_classes
from durian_assist.vision.smuggler_seen import PRINTED, _confirmed, _seeds
from tests.vision.smuggler_scenes import deck

CARD = 100.0


def quad(column: int) -> Points:
    box = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64) * CARD
    return np.asarray(box + np.array([2 * column * CARD, 0.0]), np.float64)


def scored(corners: Points, score: float) -> Identity:
    return Identity((Candidate("red/empty", 0, score, 1.0),), 1.0, 1.0, corners, 0.0)


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
            return scored(corners, scores[column])

        monkeypatch.setattr(Recogniser, "identify", identify)


def test_a_frame_printed_on_a_card_is_no_seed_once_whole_cards_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked(monkeypatch, [0.6, 0.95, 0.62, 0.9])
    seeds = _seeds(asked.picture, asked.deck, asked.outlines, {}, range(9))
    assert [seed.best.score for seed in seeds] == [0.95, 0.9]
    assert list(asked.alike.values()) == [ROUGHLY_ALIKE, ROUGHLY_ALIKE, PRINTED * 0.95, PRINTED * 0.95]


def test_where_all_cards_are_faint_none_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked(monkeypatch, [0.6, 0.62, 0.58])
    assert len(_seeds(asked.picture, asked.deck, asked.outlines, {}, range(9))) == 3


def test_an_outline_that_was_looked_at_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked(monkeypatch, [0.95, 0.9, 0.93])
    seeds = [scored(quad(0), 0.95)]
    looks = {1: scored(quad(1), 0.9)}
    sure = _confirmed(asked.picture, asked.deck, asked.outlines, looks, seeds)
    assert [i.best.score for i in sure] == [0.95, 0.9, 0.93]
    assert list(asked.alike) == [2]
