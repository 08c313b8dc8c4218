"""Outlines of cards are named by what they show, however many there are."""

from __future__ import annotations

import cv2
import numpy as np

from durian_assist.vision.dash_library import Library
from durian_assist.vision.dash_seeds import SeedFinder, cut_all
from durian_assist.vision.dash_seen import SEEK, dash_deck
from durian_assist.vision.deck_profile import load_profile
from durian_assist.vision.rectify import Picture, canvas_to_photo
from tests.vision.dash_scenes import CARD, paint, printed_dark, varieties

SIZE = (34, 48)


def cards(count: int) -> np.ndarray:
    """(count, 48, 34, 3) pictures of cards, 0..1."""
    noise = np.random.default_rng(3).random((count, 48, 34, 3)).astype(np.float32)
    return np.stack([cv2.GaussianBlur(card, (0, 0), 3.0) for card in noise])


def finder() -> SeedFinder:
    return SeedFinder(Library(("a", "b", "c"), cards(3)))


def test_pictures_correlate_with_classes_upright_and_turned() -> None:
    known = cards(3)
    pictures = np.asarray(np.concatenate([known, cards(5)[3:]]) * 255, np.uint8)
    both = np.concatenate([known, known[:, ::-1, ::-1]])
    away = [one.astype(float) - one.mean(axis=(0, 1)) for one in (*pictures, *both)]
    flat = np.stack([one.ravel() / np.linalg.norm(one) for one in away])
    expected = flat[: len(pictures)] @ flat[len(pictures) :].T
    assert np.abs(finder()._scores(pictures) - expected).max() < 1e-3


def test_what_is_of_one_colour_is_like_nothing() -> None:
    assert np.abs(finder()._scores(np.full((2, 48, 34, 3), 200, np.uint8))).max() < 0.05


def test_a_card_upside_down_is_found_from_its_own_top_left() -> None:
    photo = np.full((300, 300, 3), 128, np.uint8)
    photo[100:196, 80:148] = cv2.resize(np.asarray(cards(3)[1] * 255, np.uint8), (68, 96))[::-1, ::-1]
    quad = np.array([(79.5, 99.5), (147.5, 99.5), (147.5, 195.5), (79.5, 195.5)])
    (seed,) = finder().seeds(Picture(photo), [quad])
    assert (seed.kind, seed.score > 0.95) == (1, True)
    assert np.array_equal(seed.corners, quad[[2, 3, 0, 1]])


def test_places_of_a_coarse_search_are_aligned_and_those_between_cards_are_none() -> None:
    """On dark cards a place half on one and half on its neighbour has much of what a card shows."""
    deck = printed_dark(load_profile("harbour-dash", "dash"))
    names = varieties(deck)[:3]
    scene = paint(deck, [(name, 0.75 * n, 0.02 * n, 2.0 * n) for n, name in enumerate(names)])
    (first, left), (_, middle), (last, right) = scene.cards
    off = CARD / SEEK * np.array([0.35, -0.35])
    places = [left + off, (left + middle) / 2, (middle + right) / 2, right - off]
    library = dash_deck(deck).everything
    found = SeedFinder(library).searched(Picture(scene.pixels), places)
    assert {library.names[seed.kind] for seed in found} == {first, last}
    assert len(found) == 2
    for seed in found:
        true = left if library.names[seed.kind] == first else right
        assert np.abs(seed.corners - true).max() < 0.02 * CARD


def test_many_outlines_are_cut_out_as_each_alone() -> None:
    photo = np.asarray(cv2.resize(cards(1)[0], (800, 600)) * 255, np.uint8)
    quads = np.array([[(100, 90), (220, 95), (215, 270), (98, 260)], [(300, 200), (340, 202), (338, 260), (299, 258)]])
    cuts = cut_all(Picture(photo), quads.astype(float), SIZE)
    for cut, quad in zip(cuts, quads, strict=True):
        alone = Picture(photo).warp(canvas_to_photo(quad.astype(np.float32), SIZE), SIZE)
        assert np.abs(cut.astype(int) - alone).mean() < 4
