"""Numbers out of focus or drawn out by a moving hand: told by references that are as soft, and never surely wrong."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from durian_assist.vision import token_values
from durian_assist.vision.deck_profile import load_profile
from durian_assist.vision.durian_faces import durian_deck
from durian_assist.vision.token_model import TokenModel
from durian_assist.vision.token_softness import Softness, _told, likeliest
from durian_assist.vision.token_values import Values

SURE = 0.9
BLURS = [Softness(0.012, 0.012), Softness(0.02, 0.02), Softness(0.03, 0.005, 0.6), Softness(0.03, 0.005, 2.2)]


@cache
def shipped() -> Values:
    return Values(TokenModel(durian_deck(load_profile("harbour-durian", "durian")).tokens))


def read(softness: Softness) -> list[tuple[int, int, float]]:
    """(the value, what it is read as, how surely) of each token's last picture, this soft, faintly noisy."""
    known = shipped()
    noise = np.random.default_rng(5)
    said = []
    for k, value in enumerate(known.model.values):
        light = softness.of(known.lights[int(np.flatnonzero(known.owner == k)[-1])])
        light = (light + noise.normal(0, 1.0, light.shape)).astype(np.float32)
        best, p = known._ranked(light, known.regions, float(light.shape[1]))[0]
        said.append((value, best, p))
    return said


@pytest.mark.parametrize("softness", BLURS)
def test_soft_numbers_are_told_by_references_that_are_as_soft(softness: Softness) -> None:
    said = read(softness)
    assert [best for _, best, _ in said] == [value for value, _, _ in said]
    assert sum(p >= SURE for _, _, p in said) >= len(said) - 2


@pytest.mark.parametrize("softness", BLURS)
def test_where_softness_is_not_made_up_for_no_wrong_number_is_sure(
    softness: Softness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(token_values, "likeliest", lambda scores, _: (Softness(), scores(Softness())))
    assert not any(best != value and p >= SURE for value, best, p in read(softness))


def test_sharp_numbers_are_looked_at_once() -> None:
    seen: list[Softness] = []

    def scores(softness: Softness) -> np.ndarray:
        seen.append(softness)
        return np.array([0.9, 0.97])

    assert likeliest(scores, 0.99)[0] == Softness()
    assert seen == [Softness()]


def test_what_only_a_movement_explains_is_found() -> None:
    def scores(softness: Softness) -> np.ndarray:
        moved = softness.along == 0.025 and abs(softness.angle - np.pi / 4) < 0.01
        return np.array([0.7, 0.69]) if not moved else np.array([0.8, 0.95])

    found, there = likeliest(lambda s: scores(s) + 0.1 * s.along, 0.98)
    assert (found.along, round(found.angle, 2), int(there.argmax())) == (0.025, 0.79, 1)


@pytest.mark.parametrize(("scores", "told"), [((0.9, 0.97), True), ((0.85, 0.9), False), ((0.9,), True)])
def test_a_lead_tells_where_it_is_larger_than_what_is_lacking(scores: tuple[float, ...], told: bool) -> None:
    assert _told(np.array(scores), 0.99) == told


def test_softness_is_a_bell_curve_of_shares_of_the_width() -> None:
    light = np.random.default_rng(1).random((120, 200)).astype(np.float32)
    soft = Softness(0.02, 0.02).of(light)
    bell = cv2.GaussianBlur(light, (0, 0), 4.0, borderType=cv2.BORDER_REPLICATE)
    assert np.abs(soft - bell).max() < 0.01
    assert Softness().of(light) is light
    drawn = Softness(0.02, 0.002, 0.0).of(np.eye(1, 200, 100, np.float32).repeat(9, 0))
    assert (drawn[4] > 0.01).sum() > 9
