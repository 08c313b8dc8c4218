"""Tokens that stand out from a cloth by nothing but the colour of their paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from durian_assist.vision.durian_faces import durian_deck
from durian_assist.vision.rectify import Picture
from durian_assist.vision.token_colours import TheirColours
from durian_assist.vision.token_model import Laid
from durian_assist.vision.token_search import TokenSearch
from durian_assist.vision.token_values import Token
from durian_assist.vision.tokens import TokenReader
from tests.vision.durian_scene import UNIT, Scene, drawn_deck

DECK = drawn_deck()
PLACES = ((2.5, 2.0), (5.5, 2.4), (8.0, 5.0), (3.0, 5.2))
CREAM, WHITE, GREEN = (200, 235, 245), (226, 224, 222), (90, 130, 70)


def disc(x: float, y: float) -> NDArray[np.float64]:
    angles = np.radians(np.arange(0, 360, 10))
    return np.asarray(np.array([x, y]) + 40 * np.stack([np.cos(angles), np.sin(angles)], axis=1))


def test_a_token_against_a_piece_of_cloth_of_nearly_its_colour_has_its_own_outline() -> None:
    pixels = np.full((600, 800, 3), GREEN, np.uint8)
    for x, y in np.ndindex(5, 4):
        cv2.rectangle(pixels, (x * 160, y * 160), (x * 160 + 80, y * 160 + 80), WHITE, -1)
    for place in ((120.0, 300.0), (360.0, 200.0), (600.0, 440.0)):
        cv2.fillPoly(pixels, [np.round(disc(*place)).astype(np.int32)], CREAM)
    noise = np.random.default_rng(3).normal(0, 3, pixels.shape)
    picture = Picture(np.asarray(np.clip(cv2.GaussianBlur(pixels, (0, 0), 0.8) + noise, 0, 255), np.uint8))
    colours = TheirColours.of(picture, [disc(120.0, 300.0)])
    shapes, scale = colours.shapes(), colours.scale
    middles = [shape.outline.mean(axis=0) / scale for shape in shapes if abs(shape.area / 5027 - 1) < 0.15]
    for wanted in ((360.0, 200.0), (600.0, 440.0)):
        assert min(np.hypot(*(middle - wanted)) for middle in middles) < 5


def found(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> list[Token]:
    """The tokens of a scene of which only the first is found by its art."""
    picture = Picture(scene.photo(pitch=0.0).pixels)
    reader = TokenReader(durian_deck(scene.deck).tokens)
    find = TokenSearch.find

    def first(self: TokenSearch, picture: Picture, known: Sequence[Laid], anywhere: bool) -> list[Laid]:
        laid = find(self, picture, known, anywhere)
        return [min(laid, key=lambda token: float(np.hypot(*self.model.polygon(token.place).mean(axis=0))))]

    monkeypatch.setattr(TokenSearch, "find", first)
    return reader.find(picture, [], 1.0, by_art=True)


def test_tokens_of_the_colours_of_a_known_one_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene(DECK, seed=3)
    for k, (x, y) in enumerate(PLACES):
        scene.lay(f"token/{k + 1}", x, y, angle=20 * k)
    assert sorted(token.values[0][0] for token in found(scene, monkeypatch)) == [1, 2, 3, 4]


def test_one_whose_art_cannot_be_told_is_kept_as_unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene(DECK, seed=3)
    for k, (x, y) in enumerate(PLACES):
        scene.lay(f"token/{k + 1}", x, y, angle=20 * k)
    paper = scene.picture[round((PLACES[2][1] - 0.42) * UNIT), round(PLACES[2][0] * UNIT)].tolist()
    cv2.circle(scene.picture, (round(PLACES[2][0] * UNIT), round(PLACES[2][1] * UNIT)), round(0.4 * UNIT), paper, -1)
    tokens = found(scene, monkeypatch)
    assert sorted(token.values[0][0] for token in tokens if token.readable) == [1, 2, 4]
    assert len(tokens) == 4


def test_a_coin_of_the_colours_of_round_tokens_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    circle = 0.5 + (disc(0.0, 0.0) / 40) * 0.4
    classes = [replace(c, outline=circle) if c.name.startswith("token/") else c for c in DECK.classes]
    scene = Scene(replace(DECK, classes=tuple(classes)), seed=3)
    for k, (x, y) in enumerate(PLACES[:2]):
        scene.lay(f"token/{k + 1}", x, y)
    x, y = PLACES[0]
    paper = scene.picture[round((y - 0.38) * UNIT), round(x * UNIT)].tolist()
    cv2.circle(scene.picture, (round(8 * UNIT), round(5 * UNIT)), round(0.44 * UNIT), paper, -1)
    cv2.circle(scene.picture, (round(8 * UNIT), round(5 * UNIT)), round(0.2 * UNIT), (90, 100, 110), 3)
    assert sorted(token.values[0][0] for token in found(scene, monkeypatch)) == [1, 2]
