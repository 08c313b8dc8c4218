"""Positions in a row or a column: what belongs to it, and that those after a piece that may be none are not sure."""

from __future__ import annotations

from collections.abc import Sequence

from durian_assist.vision.durian_fit import Spot
from durian_assist.vision.durian_layers import CLEAR, Laid
from durian_assist.vision.durian_lines import ALIGNED, LEVEL, UNREAD

COLUMN = 3  # clear orders above one another are no rows
ROW = 2  # clear cards of the inventory tell where its row lies
FAR_OFF = 1.5  # of a card's height: what lies further off the row is none of it, even if glare hides what it is


def sure_positions(
    spots: Sequence[Spot], doubtful: Sequence[bool], aspect: float, head: tuple[float, float] | None = None
) -> int:
    """How many of the pieces, in their order on the table, have a position that is sure.

    A `doubtful` piece may be no card at all, and then those after it are counted wrongly. Not where it lies in a
    column between others that are sure: one covers the other there. A row may have a gap. `head`: the middle of a piece
    that is sure and lies before all of them.
    """
    if head is not None:
        spots, doubtful = [Spot(*head, 0.0), *spots], [False, *doubtful]
    before = 0 if head is None else 1
    for k, spot in enumerate(spots):
        if doubtful[k] and not _between(k, spot, spots, doubtful, aspect):
            return k + 1 - before
    return len(spots) - before


def of_column(orders: Sequence[Laid], aspect: float) -> list[bool]:
    """Which orders stay: where most of the clear ones are one column, those aside of it that are not clear are none.

    Orders lie in a column or in rows. What nobody can read stays: a gorilla may lie beside an order.
    """
    clear = [card.spot for card in orders if card.quality > CLEAR]
    columns = [[spot for spot in clear if _in_column(spot, other, aspect)] for other in clear]
    column = max(columns, key=len, default=[])
    if len(column) < COLUMN or 2 * len(column) <= len(clear):
        return [True] * len(orders)
    return [
        card.quality > CLEAR or card.fit == UNREAD or any(_in_column(card.spot, spot, aspect) for spot in column)
        for card in orders
    ]


def of_row(inventory: Sequence[Laid]) -> list[bool]:
    """Which cards of the inventory stay: it is one row, so those not level with its clear cards that are not clear
    themselves are none.

    A row may slant: the clear card that is nearest along it tells. What nobody can read stays near the row.
    """
    clear = [card.spot for card in inventory if card.quality > CLEAR]
    if len(clear) < ROW:
        return [True] * len(inventory)
    kept = []
    for card in inventory:
        nearest = min(clear, key=lambda spot: abs(spot.x - card.spot.x))
        off = abs(nearest.y - card.spot.y)
        kept.append(off < LEVEL or card.quality > CLEAR or (card.fit == UNREAD and off < FAR_OFF))
    return kept


def _between(k: int, spot: Spot, spots: Sequence[Spot], doubtful: Sequence[bool], aspect: float) -> bool:
    before = any(_in_column(spot, spots[j], aspect) for j in range(k) if not doubtful[j])
    after = any(_in_column(spot, spots[j], aspect) for j in range(k + 1, len(spots)) if not doubtful[j])
    return before and after


def _in_column(one: Spot, other: Spot, aspect: float) -> bool:
    return abs(one.x - other.x) < ALIGNED * aspect
