"""Tokens of which a finger or the frame covers most, or that a veil of light makes faint: read or asked about."""

from __future__ import annotations

import tomllib

import cv2
import numpy as np
import pytest

from durian_assist.vision.durian_faces import durian_deck
from durian_assist.vision.durian_reading import read_durian
from durian_assist.vision.rectify import Picture
from durian_assist.vision.token_colours import TheirColours
from durian_assist.vision.token_fragments import fragments
from durian_assist.vision.tokens import TokenReader
from tests.vision.durian_scene import UNIT, Scene, drawn_deck

DECK = drawn_deck()
PLACES = ((2.5, 2.0), (5.5, 2.4), (8.0, 5.0), (3.0, 5.2))
SKIN = (120, 150, 195)


def four() -> Scene:
    scene = Scene(DECK, seed=3)
    for k, (x, y) in enumerate(PLACES):
        scene.lay(f"token/{k + 1}", x, y, angle=20 * k)
    return scene


def finger(scene: Scene, x: float, y: float) -> None:
    """A fingertip with its middle at (x, y) on the table."""
    cv2.ellipse(
        scene.picture, (round(x * UNIT), round(y * UNIT)), (round(0.42 * UNIT), round(0.7 * UNIT)), 0, 0, 360, SKIN, -1
    )


@pytest.mark.parametrize("number", range(4))
def test_a_token_most_of_which_a_finger_covers_is_asked_about(number: int) -> None:
    scene = four()
    x, y = PLACES[number]
    finger(scene, x - 0.2, y)
    reading = read_durian([scene.photo(pitch=0.0)], DECK)
    sure = [int(item.best) for item in reading.pieces.tokens if item.sure]
    assert sorted(sure) == [k + 1 for k in range(4) if k != number]
    assert [u.candidates[-1] for u in reading.uncertain] == ["."]


def test_a_person_says_that_what_was_asked_about_is_no_token() -> None:
    scene = four()
    finger(scene, PLACES[1][0] - 0.2, PLACES[1][1])
    reading = read_durian([scene.photo(pitch=0.0)], DECK)
    key = reading.uncertain[0].key
    none = reading.corrected(key, ".")
    assert none.uncertain == ()
    assert sorted(t["value"] for t in none.to_json()["tokens"]) == [1, 3, 4]  # type: ignore[attr-defined]
    assert key not in [mark.key for mark in none.marks()]
    assert [held(one.to_record()) for one in (none, reading.corrected(key, "2"))] == [[1, 3, 4], [1, 2, 3, 4]]


def held(record: str) -> list[int]:
    """The tokens of the photographer in a record."""
    return sorted(tomllib.loads(record)["tokens"]["south"])


def test_fingers_and_coins_alone_are_no_tokens() -> None:
    scene = four()
    finger(scene, 9.5, 2.0)
    paper = scene.picture[round((PLACES[0][1] - 0.42) * UNIT), round(PLACES[0][0] * UNIT)].tolist()
    cv2.circle(scene.picture, (round(10.5 * UNIT), round(7.0 * UNIT)), round(0.3 * UNIT), paper, -1)
    reading = read_durian([scene.photo(pitch=0.0)], DECK)
    assert reading.uncertain == ()
    assert len(reading.pieces.tokens) == 4


@pytest.mark.parametrize(("most", "count"), [(3, 2), (2, 2), (1, 0)])
def test_more_pieces_than_tokens_are_left_are_a_pattern(most: int, count: int) -> None:
    scene = four()
    for x, y in PLACES[2:]:
        finger(scene, x - 0.2, y)
    picture = Picture(scene.photo(pitch=0.0).pixels)
    reader = TokenReader(durian_deck(DECK).tokens)
    known = [token.corners for token in reader.find(picture, [], 1.0, by_art=True) if token.readable]
    assert len(known) == 2
    assert len(fragments(TheirColours.of(picture, known), known, most)) == count


def test_a_token_under_a_veil_of_light_on_a_checked_cloth_is_not_lost() -> None:
    scene = Scene(DECK, token_width=0.9, seed=5)
    scene.gingham(0.4, 0.4, colour=(190, 120, 40))
    for k, (x, y) in enumerate(PLACES):
        scene.lay(f"token/{k + 1}", x, y, angle=20 * k)
    ys, xs = np.mgrid[: scene.picture.shape[0], : scene.picture.shape[1]] / UNIT
    veil = 0.85 * np.exp(-0.5 * (np.hypot(xs - PLACES[2][0], ys - PLACES[2][1]) / 0.9) ** 4)
    scene.picture[:] = (scene.picture + (255.0 - scene.picture) * veil[..., None]).astype(np.uint8)
    reading = read_durian([scene.photo(pitch=0.0)], DECK)
    assert len(reading.pieces.tokens) == 4
    sure = {int(item.best) for item in reading.pieces.tokens if item.sure}
    assert {1, 2, 4} <= sure <= {1, 2, 3, 4}


@pytest.mark.parametrize(("reach", "asked"), [(0.9, 1), (0.3, 0)])
def test_a_lamp_that_hides_as_much_as_a_token_is_asked_about(reach: float, asked: int) -> None:
    scene = four()
    scene.glare(9.5, 7.5, reach)
    reading = read_durian([scene.photo(pitch=0.0)], DECK)
    assert [u.candidates[-1] for u in reading.uncertain] == ["."] * asked
    assert sorted(int(item.best) for item in reading.pieces.tokens if item.sure) == [1, 2, 3, 4]
