"""The first cards of a table at the bell, on the plane of those that outlines showed.

A few cards leave their plane's tilt open; that on which more cards are met is the right one, and all that are clear
make a better one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.dash_plane import TablePlane, fit_plane, likely_planes, pose_of
from durian_assist.vision.deck_profile import CardClass
from durian_assist.vision.durian_board import board_on
from durian_assist.vision.durian_faces import DurianDeck
from durian_assist.vision.durian_fit import FaceJudge, Spot
from durian_assist.vision.durian_layers import CLEAR, SIZE_OFF, Laid, Table
from durian_assist.vision.durian_outlines import SURE, OutlineSearch
from durian_assist.vision.durian_scan import Box, Scanner
from durian_assist.vision.durian_search import cards_on, seeded, told_apart, upright_spot
from durian_assist.vision.durian_sized import card_sized
from durian_assist.vision.find_shapes import Shape
from durian_assist.vision.rectify import Picture

Points = NDArray[np.float64]

REACH = 7.0  # card heights: a table's cards lie no further from the first ones that are seen
ENOUGH = 5  # cards that make a better plane than the first few; where these are one or two, three or so do
MOST_FITTED = 12  # cards that a plane is fitted to
TABLE = 2  # clear cards that make a table: one false shape must not hide a photo of tokens


class SizedOutlines:
    """The photo's outlines of a card's size, none where they are not `trusted` to be cards."""

    def __init__(self, seen: OutlineSearch, aspect: float) -> None:
        self._seen, self._aspect, self.trusted = seen, aspect, False
        self._more: list[Shape] = []

    def spots(self, table: Table) -> list[Spot]:
        """Their places on the table's plane."""
        if not self.trusted:
            return []
        self._more += self._seen.quick_shapes()
        quads = card_sized([*self._seen.shapes, *self._more], self._seen.scale, table.plane, self._aspect)
        return [upright_spot(table, quad) for quad in quads]

    def more_spots(self, table: Table) -> list[Spot]:
        """Those places with the ones that slower masks show."""
        if self.trusted:
            self._more += self._seen.slow_shapes()
        return self.spots(table)


@dataclass(frozen=True, slots=True)
class Found:
    """The first cards on a plane, with the board (photo corners) if it is seen and the outlines that may be cards."""

    table: Table
    cards: list[Laid]
    board: Points | None
    outlines: SizedOutlines

    @property
    def clear(self) -> int:
        """How many cards are clear."""
        return sum(card.quality > CLEAR for card in self.cards)


@dataclass(frozen=True, slots=True)
class Looks:
    """What is needed to look for cards in a photo."""

    deck: DurianDeck
    seen: OutlineSearch
    judge: FaceJudge
    scanner: Scanner

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the photo."""
        height, width = self.seen.picture.pixels.shape[:2]
        return width, height

    def found(self, board: Points | None) -> Found:
        """The cards on the plane of those that outlines showed; of a few, that on which more are met."""
        quads = [seed.corners for seed in self.seen.cards]
        first, *other = likely_planes(quads, self.deck.aspect, self.size)
        found = self.cards_on(first, quads, board)
        for plane in other:
            if found.clear < _better(len(quads)) and _stretched(first, plane, self.size):
                found = max(found, self.cards_on(plane, quads, board), key=lambda one: one.clear)
        return found

    def cards_on(self, plane: TablePlane, quads: Sequence[Points], board: Points | None) -> Found:
        """The cards on the plane of some (4, 2) photo corners, and on the better plane that these make."""
        deck, seen, picture, size = self.deck, self.seen, self.seen.picture, self.size
        outlines = SizedOutlines(seen, deck.aspect)
        for again in (True, False):
            if board is None and deck.board is not None:
                board = _board_on(picture, plane, _box(plane, size, quads), deck.board, seen)
            plane = _turned(plane, _direction(plane.to_plane(board)) if board is not None else _upright(plane, size))
            table = Table(picture, plane, self.judge, self.scanner)
            taken = taken_by(table, board)
            seeds = seeded(table, quads, taken)
            table = told_apart(table, seeds, taken)
            # Checks of a cloth may have a card's size on a plane that two of them gave.
            outlines.trusted = certain_table(seeds, board)
            pieces = [*quads, *([board] if board is not None else [])]
            cards = cards_on(table, seeds, outlines.spots(table), taken, _box(plane, size, pieces))
            table, cards = _refitted(table, cards, size, len(quads))
            # A plane that one or two cards gave may be so far off elsewhere that no card has its size there.
            if not (again and _stretched(plane, table.plane, size)):
                break
            quads = [table.plane.to_photo(card.spot.corners(deck.aspect)) for card in cards if card.quality > CLEAR]
            plane = table.plane
        return Found(table, cards, board, outlines)


def _board_on(picture: Picture, plane: TablePlane, box: Box, board: CardClass, seen: OutlineSearch) -> Points | None:
    """(4, 2) photo corners of the board in a box of the plane, None where it is not surely seen."""
    found = board_on(picture, plane, box, board)
    if found is None or found.score <= SURE:
        # Nothing is sure without it: the slow masks may still show its outline.
        seen.rest()
        found = seen.board
    return found.corners if found is not None and found.score > SURE else None


def _stretched(first: TablePlane, better: TablePlane, size: tuple[int, int]) -> bool:
    """Whether somewhere in the photo a card's size differs too much between two planes to be found by the first."""
    width, height = size
    places = np.array([(x * width, y * height) for x in (0.1, 0.5, 0.9) for y in (0.1, 0.5, 0.9)], np.float64)
    unit = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    squares = first.to_photo((first.to_plane(places)[:, None] + unit).reshape(-1, 2))
    x, y = np.moveaxis(better.to_plane(squares).reshape(-1, 4, 2), -1, 0)
    areas = np.abs((x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1)).sum(axis=1)) / 2
    return bool(np.abs(np.log(areas)).max() / 2 > SIZE_OFF / 2)


def _refitted(table: Table, cards: list[Laid], size: tuple[int, int], seeds: int) -> tuple[Table, list[Laid]]:
    """The table with the plane that all its clear cards span, and the cards on that; as it was where they are few.

    The first cards, so many `seeds`, may lie close together, and a plane that they gave is off further away.
    """
    aspect, old = table.judge.aspect, table.plane
    quads = [old.to_photo(card.spot.corners(aspect)) for card in cards if card.quality > CLEAR]
    if len(quads) < _better(seeds):
        return table, cards
    plane = fit_plane(quads[:: -(-len(quads) // MOST_FITTED)], aspect, size)
    middle = np.mean(quads, axis=(0, 1))[None]
    across = plane.to_plane(old.to_photo(old.to_plane(middle) + np.array([(-0.5, 0.0), (0.5, 0.0)])))
    plane = _turned(plane, float(np.arctan2(*(across[1] - across[0])[::-1])))
    moved = []
    for card in cards:
        pose = pose_of(plane.to_plane(old.to_photo(card.spot.corners(aspect))), aspect, 1.0)
        moved.append(replace(card, spot=Spot(pose.x, pose.y, pose.angle)))
    return replace(table, plane=plane), moved


def _better(seeds: int) -> int:
    """How many clear cards make a better plane than the first few did."""
    return min(ENOUGH, 2 * seeds + 1)


def certain_table(cards: Sequence[Laid], board: Points | None) -> bool:
    """Whether a table of this deck is seen for sure."""
    return board is not None or sum(card.quality > CLEAR for card in cards) >= TABLE


def taken_by(table: Table, board: Points | None) -> list[Points]:
    return [table.plane.to_plane(board)] if board is not None else []


def _turned(plane: TablePlane, angle: float) -> TablePlane:
    cos, sin = np.cos(angle), np.sin(angle)
    return TablePlane(np.asarray(plane.matrix @ np.array([(cos, -sin, 0), (sin, cos, 0), (0, 0, 1.0)]), np.float64))


def _upright(plane: TablePlane, size: tuple[int, int]) -> float:
    """Half a turn where the plane stands on its head in the photo, for a table without a board."""
    middle = plane.to_plane(np.array([[size[0] / 2, size[1] / 2]], np.float64))
    up = plane.to_photo(np.concatenate([middle, middle - (0, 0.5)]))
    return 0.0 if up[1, 1] < up[0, 1] else float(np.pi)


def _direction(corners: Points) -> float:
    """Angle of the top and bottom side of a piece on the plane, its own top left corner first."""
    along = corners[1] - corners[0] + corners[2] - corners[3]
    return float(np.arctan2(along[1], along[0]))


def _box(plane: TablePlane, size: tuple[int, int], pieces: Sequence[Points]) -> Box:
    """The part of the plane that the photo shows, as far as a table reaches round the pieces (photo corners)."""
    width, height = size
    edge = plane.to_plane(np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64))
    known = plane.to_plane(np.concatenate(list(pieces)))
    left, top = np.maximum(edge.min(axis=0), known.min(axis=0) - REACH).tolist()
    right, bottom = np.minimum(edge.max(axis=0), known.max(axis=0) + REACH).tolist()
    return left, top, right, bottom
