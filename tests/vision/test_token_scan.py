"""Tokens sighted in a coarse look at a lively cloth, wherever its pixels happen to lie."""

from __future__ import annotations

import cv2
import numpy as np

from durian_assist.vision.rectify import Picture
from durian_assist.vision.token_likeness import Mask
from durian_assist.vision.token_model import Pixels
from durian_assist.vision.token_scan import ACROSS, FINE, TokenScan, View, drawing

SIDE = 200  # of the token's canvas
CENTRES = [(61.0, 62.0), (180.0, 93.0), (122.0, 201.0)]  # pixels of the view


def art() -> Pixels:
    """(SIDE, SIDE, 3) a dark token with thin lines."""
    token = np.full((SIDE, SIDE, 3), 42, np.uint8)
    cv2.circle(token, (100, 100), 45, (150, 150, 150), 3)
    for x, y in ((85, 85), (115, 85), (40, 100), (160, 100)):
        cv2.circle(token, (x, y), 12, (170, 170, 170), 4)
    cv2.line(token, (100, 150), (100, 185), (60, 60, 150), 3)
    return token


def half_disc() -> Mask:
    mask = np.zeros((SIDE, SIDE), np.uint8)
    cv2.ellipse(mask, (100, 150), (98, 98), 0, 180, 360, 1, -1)
    return mask > 0


def scene(phase: tuple[float, float]) -> View:
    """Tokens on a dark cloth with bright dots, all moved by a phase in pixels of the view."""
    large = 8
    photo = np.full((260 * large, 260 * large, 3), (70, 55, 45), np.uint8)
    for k in range(20):
        for j in range(20):
            centre = (round((13.5 * j + 4 * (k % 3) + phase[0]) * large), round((13 * k + phase[1]) * large))
            cv2.circle(photo, centre, 4 * large, (190, 215, 225), -1)
    mask = half_disc().astype(np.uint8)
    for n, (x, y) in enumerate(CENTRES):
        angle, size = 1.1 * n + 0.13, ACROSS * large / SIDE
        turn = size * np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
        middle = (np.array([x, y]) + phase) * large - turn @ (100.0, 101.0)
        affine, shape = np.column_stack([turn, middle]), photo.shape[1::-1]
        shown = cv2.warpAffine(mask, affine, shape, flags=cv2.INTER_NEAREST) > 0
        photo[shown] = cv2.warpAffine(art(), affine, shape, flags=cv2.INTER_AREA)[shown]
    soft = np.asarray(cv2.GaussianBlur(photo, (0, 0), 0.4 * large), np.uint8)
    return View.of(Picture(soft), np.diag([large, large, 1.0]))


def sighted(phase: tuple[float, float]) -> int:
    """How many of the tokens are among the likeliest places."""
    found = TokenScan(art().astype(np.float32), half_disc()).sightings(scene(phase), 8)
    places = [s.place[:2, :2] @ (100.0, 101.0) + s.place[:2, 2] for s in found]
    away = [min(np.hypot(*(place / 8 - (x, y) - phase)) for place in places) for x, y in CENTRES]
    return sum(distance < 3 for distance in away)


def test_tokens_with_bright_dots_at_their_rims_are_sighted_wherever_the_coarse_pixels_lie() -> None:
    phases = [(0.0, 0.0), (0.5, 0.0), (1.0, 1.0), (1.5, 0.5), (0.3, 1.4), (1.0, 0.0), (0.0, 1.0)]
    assert sum(map(sighted, phases)) >= len(phases) * len(CENTRES) * 2 / 3


def test_a_view_is_drawn_once() -> None:
    view = View(np.random.default_rng(2).random((60, 80, 3)).astype(np.float32) * 255, np.eye(3))
    assert view.drawn is view.drawn
    assert np.abs(view.drawn.pixels - drawing(view.pixels.mean(axis=2), FINE * ACROSS)).max() < 1e-2
