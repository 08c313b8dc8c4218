"""Paper that is clipped to white, and glare that is not paper."""

from __future__ import annotations

import cv2
import numpy as np

from durian_assist.vision.durian_reading import read_durian
from durian_assist.vision.photo import Photo
from durian_assist.vision.rectify import Picture, Pixels, blown
from durian_assist.vision.white_paper import with_paper
from tests.vision.durian_scene import Scene, drawn_deck

DECK = drawn_deck()
CARDS = [c.name for c in DECK.classes if "1-" in c.name]


def overexposed(scene: Scene, exposure: float) -> Photo:
    return scene.photo(turn=4.0, tint=(exposure, exposure, exposure))


def table() -> Scene:
    scene = Scene(DECK)
    for k in range(4):
        scene.lay(CARDS[3 * k], 2.2 + 1.6 * k, 1.6)
    scene.lay("board/order", 6.0, 3.6)
    for k in range(4):
        scene.lay(CARDS[3 * k + 1], 6.0, 5.0 + 0.95 * k)
    return scene


def test_overexposed_cards_are_read() -> None:
    said = read_durian([overexposed(table(), 1.6)], DECK)
    as_usual = read_durian([overexposed(table(), 1.0)], DECK)
    assert [said.to_record(), said.uncertain] == [as_usual.to_record(), ()]
    assert (len(said.pieces.inventory), len(said.pieces.orders)) == (4, 4)


def printed(paper: int = 255) -> Pixels:
    """A card of so light paper with stripes of print on a dark table."""
    pixels = np.full((600, 800, 3), 90, np.uint8)
    cv2.rectangle(pixels, (100, 100), (699, 499), (paper, paper, paper), -1)
    for x in range(130, 680, 60):
        cv2.rectangle(pixels, (x, 130), (x + 20, 470), (40, 60, 160), -1)
    return pixels


def test_paper_is_no_glare() -> None:
    pixels = printed()
    said = with_paper(Picture(pixels)).pixels
    assert blown(pixels).any()
    assert not blown(said).any()
    assert (said[~blown(pixels)] == pixels[~blown(pixels)]).all()


def test_the_photo_itself_stays_as_it_was() -> None:
    pixels = printed()
    before = pixels.copy()
    assert with_paper(Picture(pixels)).pixels is not pixels
    assert (pixels == before).all()


def test_glare_on_a_card_stays_glare() -> None:
    scene = table()
    scene.glare(6.0, 6.4, 1.2)
    pixels = scene.photo().pixels
    assert blown(pixels).mean() > 0.01
    assert (blown(with_paper(Picture(pixels)).pixels) == blown(pixels)).mean() > 0.999


def test_a_photo_without_white_is_given_back() -> None:
    picture = Picture(printed(paper=240))
    assert with_paper(picture) is picture
