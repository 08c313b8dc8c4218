"""Cards looked for round the order board, where no outline shows one: leaf shadows and sleeves' edges hide them.

The board's four corners give the table's plane. How high a board is against a card the deck does not say, so several
heights are tried: at the right one the scan sees cards.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.dash_plane import TablePlane, fit_plane
from durian_assist.vision.durian_board import TURNS
from durian_assist.vision.durian_faces import DurianDeck
from durian_assist.vision.durian_fit import FaceJudge
from durian_assist.vision.durian_layers import Table, chosen
from durian_assist.vision.durian_scan import Box, Scanner
from durian_assist.vision.durian_search import QUALITY, look
from durian_assist.vision.durian_seeds import Seed, merged
from durian_assist.vision.rectify import Picture

Points = NDArray[np.float64]

LIKELY = 0.6  # least correlation of a board whose place is taken for true as long as cards are seen round it
# A card's size may be off by less than a board's as it is looked for elsewhere.
HEIGHTS = tuple(0.35 * 1.13**k for k in range(12))
REACH = 7.0  # card heights: cards lie no further from the board
FLOOR, SPREAD = 0.3, 8.0  # least correlation of a sighting and least spread in it (grey levels)
LOOKED_AT = 8  # best sightings at each height that are aligned
ENOUGH, SURE = 2, 0.9  # cards that are read with such confidence: they agree with one board in their size


def by_board(picture: Picture, deck: DurianDeck, board: Seed) -> list[Seed]:
    """The cards that the scan sees on the board's plane, none where few agree."""
    if deck.board is None or board.score < LIKELY:
        return []
    size = (picture.pixels.shape[1], picture.pixels.shape[0])
    plane = fit_plane([board.corners], deck.board.aspect, size)
    judge, scanner = FaceJudge(deck.faces, deck.aspect), Scanner.of(deck.faces, deck.aspect)
    found: list[list[Seed]] = []
    for height in HEIGHTS:
        scaled = TablePlane(np.asarray(plane.matrix @ np.diag([1 / height, 1 / height, 1.0]), np.float64))
        found.append(_fair(Table(picture, scaled, judge, scanner), _box(scaled, board.corners, size)))
    best = max(range(len(found)), key=lambda k: sum(seed.score for seed in found[k]))
    if len(found[best]) < ENOUGH:
        return []
    # The next heights show the same table, and some of its cards better.
    return merged([seed for seeds in found[max(best - 1, 0) : best + 2] for seed in seeds])


def _fair(table: Table, box: Box) -> list[Seed]:
    """The cards in the box of a plane that fit their faces fairly, no two in one place."""
    aspect = table.judge.aspect
    seen = table.scanner.scan(table.picture, table.plane, box, TURNS, FLOOR, SPREAD)
    looks = [look(table, sighting, hopeless=QUALITY) for sighting in seen[:LOOKED_AT]]
    cards = chosen([card for card in looks if card.quality > QUALITY and card.verdict.confidence > SURE], [], aspect)
    return [Seed(table.plane.to_photo(card.spot.corners(aspect)), card.quality) for card in cards]


def _box(plane: TablePlane, board: Points, size: tuple[int, int]) -> Box:
    """The part of the plane round the board that the photo shows."""
    width, height = size
    frame = plane.to_plane(np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64))
    known = plane.to_plane(board)
    left, top = np.maximum(frame.min(axis=0), known.min(axis=0) - REACH).tolist()
    right, bottom = np.minimum(frame.max(axis=0), known.max(axis=0) + REACH).tolist()
    return left, top, right, bottom
