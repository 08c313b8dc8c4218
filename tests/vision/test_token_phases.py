"""Round tokens whose rim has many like spokes: a turn by one spoke changes little, and the value must not suffer."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from durian_assist.vision.deck_profile import CardClass, DeckProfile
from durian_assist.vision.durian_faces import durian_deck
from durian_assist.vision.durian_items import SURE
from durian_assist.vision.durian_photo import read_photo
from durian_assist.vision.rectify import Picture
from durian_assist.vision.token_model import Laid, TokenModel
from durian_assist.vision.token_references import together
from durian_assist.vision.token_values import Values
from tests.vision.durian_scene import Scene, drawn_deck

Pixels = NDArray[np.uint8]

SPOKES = 28
ANGLES = np.linspace(0, 2 * np.pi, 64, endpoint=False)
CIRCLE = 0.5 + 0.49 * np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)


def casino_chip(number: int) -> Pixels:
    """A chip with like spokes all round its rim, drawn by hand: no two are quite the same."""
    rng = np.random.default_rng(5)
    chip = np.full((400, 400, 3), (110, 90, 30), np.uint8)
    cv2.circle(chip, (200, 200), 176, (230, 220, 200), -1)
    for k in range(SPOKES):
        angle, wide = 2 * np.pi * k / SPOKES + rng.normal(0, 0.012), 0.06 + rng.normal(0, 0.006)
        edges = [(r, angle + side) for r, side in ((120, -wide), (165, -wide), (165, wide), (120, wide))]
        corners = [(200 + r * np.cos(a), 200 + r * np.sin(a)) for r, a in edges]
        cv2.fillPoly(chip, [np.round(corners).astype(np.int32)], (110, 90, 30))
    cv2.circle(chip, (200, 200), 122, (110, 90, 30), 4)
    cv2.putText(chip, str(number), (160, 250), cv2.FONT_HERSHEY_COMPLEX, 4.0, (90, 70, 20), 14)
    cv2.rectangle(chip, (150, 268), (250, 280), (90, 70, 20), -1)
    return chip


def cut_tight(picture: Pixels) -> Pixels:
    """The picture cut along a ring a tenth inside its edge."""
    return np.asarray(cv2.resize(picture[18:-18, 18:-18], (400, 400), interpolation=cv2.INTER_AREA), np.uint8)


def rimmed_deck() -> DeckProfile:
    """The drawn deck with such chips for tokens, of which the second photo was cut too tight."""
    deck = drawn_deck()
    chips = [casino_chip(n) for n in range(1, 8)]
    tokens = tuple(CardClass(f"token/{n}", (chip, cut_tight(chip)), CIRCLE, "token") for n, chip in enumerate(chips, 1))
    others = tuple(c for c in deck.classes if not c.name.startswith("token/"))
    return replace(deck, classes=(*others, *tokens))


DECK = rimmed_deck()


@pytest.mark.parametrize("seed", [1, 3])
def test_no_value_is_read_one_spoke_off(seed: int) -> None:
    scene = Scene(DECK, token_width=0.7, seed=seed)
    turns = np.random.default_rng(seed).uniform(0, 360, 7)
    for k, turn in enumerate(turns):
        scene.lay(f"token/{k + 1}", 2.0 + 3.0 * (k % 4), 3.0 + 3.5 * (k // 4), angle=float(turn))
    found = read_photo(scene.photo(pitch=25.0, blur=1.8), durian_deck(DECK)).tokens
    assert all(item.sure for item in found)
    assert sorted(item.best for item in found) == list("1234567")


def test_the_turns_in_which_a_token_looks_alike_are_its_spokes() -> None:
    phases = Values(TokenModel(durian_deck(DECK).tokens)).phases
    angles = np.degrees(np.arctan2(phases.turns[:, 1, 0], phases.turns[:, 0, 0]))
    assert angles[0] == 0.0
    assert len(angles) > 2
    apart = np.abs(angles / (360 / SPOKES) - np.round(angles / (360 / SPOKES)))
    assert apart.max() < 0.1


def test_a_value_that_another_reading_in_another_turn_comes_near_is_not_sure() -> None:
    model = TokenModel(durian_deck(DECK).tokens)
    values = Values(model)
    photo = Picture(model.references[6][0])
    assert values.read(photo, Laid(np.eye(3), 0.9)).values[0][1] > SURE
    spoke_off = np.asarray(values.phases.turns[1], np.float64)
    turned = values.read(photo, Laid(spoke_off, 0.9))
    assert turned.values[0][0] == 7 or turned.values[0][1] < SURE
    righted = values.confirmed(photo, Laid(spoke_off, 0.9))
    assert righted is not None
    assert values.read(photo, righted).values[0][0] == 7
    assert np.hypot(*(model.polygon(righted.place) - model.outline).T).max() < 3


def test_references_cut_at_different_lines_are_laid_on_one_another() -> None:
    whole = [casino_chip(n) for n in (1, 2, 3)]
    mask = np.zeros((400, 400), np.bool_)
    mask[np.hypot(*(np.mgrid[:400, :400] - 199.5)) < 190] = True
    laid = together([[one, one] for one in whole[:2]] + [[whole[2], cut_tight(whole[2])]], mask)
    assert all(np.array_equal(picture, one) for one, own in zip(whole, laid, strict=False) for picture in own[:1])
    away = np.abs(laid[2][1].astype(np.float64) - whole[2])[80:-80, 80:-80]
    before = np.abs(cut_tight(whole[2]).astype(np.float64) - whole[2])[80:-80, 80:-80]
    assert away.mean() < 0.3 * before.mean()
    flat = np.full((400, 400, 3), 128, np.uint8)
    assert np.array_equal(together([[whole[0], flat]], mask)[0][1], flat)
