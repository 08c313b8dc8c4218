"""Sparse print on bare paper in the shade of leaves: what is uneven in the paper is light."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from durian_assist.vision.durian_contrast import contrast
from durian_assist.vision.durian_faces import durian_deck
from durian_assist.vision.durian_photo import read_photo
from durian_assist.vision.durian_shade import evened, on_paper
from tests.vision.durian_scene import UNIT, Pixels, Scene, drawn_deck
from tests.vision.test_durian_twins import INVENTORY, KNOWN, ORDERS, named, said, worded, worded_deck

WORDED = worded_deck(0, 1.0)
DECK = replace(KNOWN, classes=(*WORDED.classes, *(card for card in KNOWN.classes if "-" not in card.name)))
SHADE = 0.45  # of the light that is left in a shadow


def leafy(picture: Pixels, seed: int) -> Pixels:
    """The picture under a tree: each shadow as wide as half a card is high, soft at its edge."""
    rng = np.random.default_rng(seed)
    height, width = picture.shape[:2]
    light = np.ones((height, width), np.float32)
    for _ in range(height * width // (UNIT * UNIT // 2)):
        middle = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        axes = (int(UNIT * rng.uniform(0.4, 0.7)), int(UNIT * rng.uniform(0.2, 0.35)))
        cv2.ellipse(light, middle, axes, float(rng.uniform(0, 180)), 0, 360, SHADE, -1)
    soft = cv2.GaussianBlur(light, (0, 0), UNIT * 0.05)
    return np.asarray(picture * soft[..., None], np.uint8)


def like(one: Pixels, other: Pixels) -> float:
    """Correlation of the local contrast of two canvases."""
    a, b = (contrast(picture).reshape(-1) for picture in (one, other))
    return float(np.corrcoef(a, b)[0, 1])


def test_the_shade_on_sparse_print_is_taken_off() -> None:
    card = worded("grapes1-banana3", (0, 0), 1.0, 1.0)
    plain = np.asarray(cv2.resize(card, (84, 60), interpolation=cv2.INTER_AREA), np.uint8)
    light = np.ones((60, 84), np.float32)
    cv2.ellipse(light, (30, 20), (26, 14), 30, 0, 360, SHADE, -1)
    cv2.ellipse(light, (70, 50), (20, 12), 120, 0, 360, SHADE, -1)
    shaded = np.asarray(plain * cv2.GaussianBlur(light, (0, 0), 3.0)[..., None], np.uint8)
    assert like(plain, shaded) < 0.8
    assert like(evened(plain), evened(shaded)) > 0.9


def test_it_can_be_told_where_the_faces_are_bare_paper_and_only_there() -> None:
    sparse = [worded(name, (0, 0), 1.0, 1.0) for name in INVENTORY + ORDERS]
    coloured = [card.references[0] for card in drawn_deck().classes if "-" in card.name]
    assert on_paper(sparse)
    assert not on_paper(coloured)
    assert not on_paper([])


def test_a_table_under_a_tree_is_read() -> None:
    scene = Scene(DECK, table=(120, 130, 130))
    for k, name in enumerate(INVENTORY):
        scene.lay(name, 2.5 + 1.8 * k, 1.6)
    scene.lay("board/order", 5.0, 3.2)
    for k, name in enumerate(ORDERS):
        scene.lay(name, 5.0 + 1.8 * k, 4.4)
    scene.picture = leafy(scene.picture, 2)
    pieces = read_photo(scene.photo(), durian_deck(DECK))
    told = said(pieces.inventory + pieces.orders)
    right = [(named(name), True) for name in INVENTORY + ORDERS]
    assert len(told) == len(right)
    assert all(answer in right for answer in told if answer[1])
    assert sum(answer == place for answer, place in zip(told, right, strict=True)) >= 6
