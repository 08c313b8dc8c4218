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
from durian_assist.vision.dash_plane import TablePlane
from durian_assist.vision.durian_faces import DurianDeck
from durian_assist.vision.durian_fit import FaceJudge, Spot
from durian_assist.vision.durian_layers import CLEAR, NEAR, Laid, Table, judged
from durian_assist.vision.durian_looks import Looks, SizedOutlines, certain_table, taken_by
from durian_assist.vision.durian_orders import Order, Placed, perhaps_with_gorillas, reading_order, with_gorillas
from durian_assist.vision.durian_outlines import OutlineSearch
from durian_assist.vision.durian_positions import in_gaps, of_column, of_row
from durian_assist.vision.durian_scan import Scanner
from durian_assist.vision.durian_search import with_sized
from durian_assist.vision.durian_slots import filled
from durian_assist.vision.durian_told import told
from durian_assist.vision.durian_twins import Twins
from durian_assist.vision.rectify import SMALLEST_LEVEL

Points = NDArray[np.float64]


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
    found = Looks(deck, seen, judge, Scanner.of(deck.faces, deck.aspect)).found(board)
    table, cards, board, outlines = found.table, found.cards, found.board, found.outlines
    level = _level(table, cards, board)
    certain = certain_table(cards, board)
    unread: list[Laid] = []
    if certain or doubtful:
        cards, unread = _completed(table, cards, outlines, taken_by(table, board), level)
    twins = Twins(judge).prepared()
    picture.level(SMALLEST_LEVEL)  # so with the picture's levels
    final = [*in_halves(lambda entry: told(table, twins, *entry), judged(table, cards)), *unread]
    faces = {k for k, face in enumerate(deck.faces) if face.kind != "back"}
    final = in_gaps(final, faces, level)
    return replace(_sorted(table, deck, final, board, level), certain=certain)


def _completed(
    table: Table, cards: Sequence[Laid], outlines: SizedOutlines, taken: Sequence[Points], level: float
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
