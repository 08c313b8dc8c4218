"""The table at the bell: from a photo to the row of inventory cards and the orders as they were laid.

The order board tells which way the table reads. Cards above it are the inventory, all others orders, in a column or
in rows, read as a page is read; a gorilla among them belongs to the order that it lies beside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from durian_assist.common.parallel import in_halves
from durian_assist.vision.dash_plane import TablePlane, fit_plane, likely_planes, pose_of
from durian_assist.vision.deck_profile import CardClass
from durian_assist.vision.durian_board import board_on
from durian_assist.vision.durian_faces import DurianDeck
from durian_assist.vision.durian_fit import FaceJudge, Spot
from durian_assist.vision.durian_layers import CLEAR, NEAR, SIZE_OFF, Laid, Table, judged
from durian_assist.vision.durian_orders import Order, Placed, perhaps_with_gorillas, reading_order, with_gorillas
from durian_assist.vision.durian_outlines import SURE, OutlineSearch
from durian_assist.vision.durian_positions import in_gaps, of_column, of_row
from durian_assist.vision.durian_scan import Box, Scanner
from durian_assist.vision.durian_search import cards_on, seeded, told_apart, upright_spot, with_sized
from durian_assist.vision.durian_sized import card_sized
from durian_assist.vision.durian_slots import filled
from durian_assist.vision.durian_told import told
from durian_assist.vision.durian_twins import Twins
from durian_assist.vision.find_shapes import Shape
from durian_assist.vision.rectify import SMALLEST_LEVEL, Picture

Points = NDArray[np.float64]


REACH = 7.0  # card heights: a table's cards lie no further from the first ones that are seen
ENOUGH = 5  # cards that make a better plane than the first few; where these are one or two, three or so do
MOST_FITTED = 12  # cards that a plane is fitted to
TABLE = 2  # clear cards that make a table: one false shape must not hide a photo of tokens


@dataclass(frozen=True, slots=True)
class TableParts:
    """What lies on the table. `board` (4, 2) photo corners or None; `plane` None where no card was found.

    `certain`: the board or enough clear cards tell that this is a table of the deck.
    """

    inventory: tuple[Placed, ...]
    orders: tuple[Order, ...]
    board: Points | None
    plane: TablePlane | None
    certain: bool = False


def read_parts(deck: DurianDeck, seen: OutlineSearch, doubtful: bool = True) -> TableParts:
    """Find and name the cards of a table photo and sort them into inventory and orders.

    Where neither the board nor enough clear cards tell that this is a table, cards that hide in glare or under others
    are looked for only if `doubtful`.
    """
    picture, board = seen.picture, seen.sure_board
    if not seen.cards:
        return TableParts((), (), board, None)
    judge = FaceJudge(deck.faces, deck.aspect)
    found = _Looks(deck, seen, judge, Scanner.of(deck.faces, deck.aspect)).found(board)
    table, cards, board, outlines = found.table, found.cards, found.board, found.outlines
    level = _level(table, cards, board)
    certain = _certain(cards, board)
    unread: list[Laid] = []
    if certain or doubtful:
        cards, unread = _completed(table, cards, outlines, _taken(table, board), level)
    twins = Twins(judge).prepared()
    picture.level(SMALLEST_LEVEL)  # so with the picture's levels
    final = [*in_halves(lambda entry: told(table, twins, *entry), judged(table, cards)), *unread]
    faces = {k for k, face in enumerate(deck.faces) if face.kind != "back"}
    final = in_gaps(final, faces, level)
    return replace(_sorted(table, deck, final, board, level), certain=certain)


@dataclass(frozen=True, slots=True)
class _Found:
    """The first cards on a plane, with the board (photo corners) if it is seen and the outlines that may be cards."""

    table: Table
    cards: list[Laid]
    board: Points | None
    outlines: _Outlines

    @property
    def clear(self) -> int:
        """How many cards are clear."""
        return sum(card.quality > CLEAR for card in self.cards)


@dataclass(frozen=True, slots=True)
class _Looks:
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

    def found(self, board: Points | None) -> _Found:
        """The cards on the plane of those that outlines showed; of a few, that on which more are met."""
        quads = [seed.corners for seed in self.seen.cards]
        first, *other = likely_planes(quads, self.deck.aspect, self.size)
        found = self.cards_on(first, quads, board)
        for plane in other:
            if found.clear < _better(len(quads)) and _stretched(first, plane, self.size):
                found = max(found, self.cards_on(plane, quads, board), key=lambda one: one.clear)
        return found

    def cards_on(self, plane: TablePlane, quads: Sequence[Points], board: Points | None) -> _Found:
        """The cards on the plane of some (4, 2) photo corners, and on the better plane that these make."""
        deck, seen, picture, size = self.deck, self.seen, self.seen.picture, self.size
        outlines = _Outlines(seen, deck.aspect)
        for again in (True, False):
            if board is None and deck.board is not None:
                board = _board_on(picture, plane, _box(plane, size, quads), deck.board, seen)
            plane = _turned(plane, _direction(plane.to_plane(board)) if board is not None else _upright(plane, size))
            table = Table(picture, plane, self.judge, self.scanner)
            taken = _taken(table, board)
            seeds = seeded(table, quads, taken)
            table = told_apart(table, seeds, taken)
            # Checks of a cloth may have a card's size on a plane that two of them gave.
            outlines.trusted = _certain(seeds, board)
            pieces = [*quads, *([board] if board is not None else [])]
            cards = cards_on(table, seeds, outlines.spots(table), taken, _box(plane, size, pieces))
            table, cards = _refitted(table, cards, size, len(quads))
            # A plane that one or two cards gave may be so far off elsewhere that no card has its size there.
            if not (again and _stretched(plane, table.plane, size)):
                break
            quads = [table.plane.to_photo(card.spot.corners(deck.aspect)) for card in cards if card.quality > CLEAR]
            plane = table.plane
        return _Found(table, cards, board, outlines)


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


def _certain(cards: Sequence[Laid], board: Points | None) -> bool:
    """Whether a table of this deck is seen for sure."""
    return board is not None or sum(card.quality > CLEAR for card in cards) >= TABLE


def _taken(table: Table, board: Points | None) -> list[Points]:
    return [table.plane.to_plane(board)] if board is not None else []


class _Outlines:
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


def _completed(
    table: Table, cards: Sequence[Laid], outlines: _Outlines, taken: Sequence[Points], level: float
) -> tuple[list[Laid], list[Laid]]:
    """The cards with those that their neighbours and outlines tell of, and cards that lie there but cannot be read."""
    spots = outlines.spots(table)
    found, unread = filled(table, cards, spots, taken, level)
    if unread or any(not card.sized and card.quality < CLEAR for card in found):
        more = outlines.more_spots(table)
        if not unread and not _further(more, spots):
            return found, unread
        spots = more
        found, unread = filled(table, with_sized(table, found, spots, taken), spots, taken, level)
    return found, unread


def _further(more: Sequence[Spot], known: Sequence[Spot]) -> bool:
    """Whether any of the places is none of the known ones."""
    return any(all(np.hypot(spot.x - other.x, spot.y - other.y) >= NEAR for other in known) for spot in more)


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


def _sorted(table: Table, deck: DurianDeck, cards: Sequence[Laid], board: Points | None, level: float) -> TableParts:
    aspect = deck.aspect
    placed = [Placed(card, _own_corners(table, card, aspect)) for card in cards]
    above = [p for p in placed if p.card.spot.y < level]
    in_row = of_row([p.card for p in above])
    inventory = sorted((p for p, stays in zip(above, in_row, strict=True) if stays), key=lambda p: p.card.spot.x)
    rest = [p for p in placed if p.card.spot.y >= level]
    fruit = [p for p in rest if deck.faces[p.card.verdict.face].kind == "fruit"]
    kept = of_column([p.card for p in fruit], aspect)
    fruit = [p for p, stays in zip(fruit, kept, strict=True) if stays]
    gorillas = [p for p in rest if deck.faces[p.card.verdict.face].kind == "gorilla"]
    orders = with_gorillas([Order(p) for p in reading_order(fruit, aspect)], gorillas, aspect)
    known = {p.card.verdict.face for p in (*gorillas, *inventory)}
    if any(face.kind == "gorilla" and k not in known for k, face in enumerate(deck.faces)):
        orders = perhaps_with_gorillas(orders, aspect)
    return TableParts(tuple(inventory), orders, board, table.plane)


def _level(table: Table, cards: Sequence[Laid], board: Points | None) -> float:
    """The height on the plane above which cards are the inventory: three quarters of a card above the board's middle.

    Without a board the upper row is the inventory.
    """
    if board is not None:
        return float(table.plane.to_plane(board)[:, 1].mean()) - 0.75
    tops = sorted(card.spot.y for card in cards)
    return tops[0] + 0.6 if tops else 0.0


def _own_corners(table: Table, card: Laid, aspect: float) -> Points:
    corners = table.plane.to_photo(card.spot.corners(aspect))
    return np.roll(corners, -2, axis=0) if card.verdict.turned else corners
