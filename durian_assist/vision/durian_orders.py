"""The orders of a table in the order that they were laid, each with the gorilla that lies beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.durian_layers import Laid
from durian_assist.vision.durian_lines import ALIGNED, OVERLAP, UNREAD

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Placed:
    """A card of the table in its row: what is known of it and its corners (4, 2) in the photo."""

    card: Laid
    corners: Points


@dataclass(frozen=True, slots=True)
class Order:
    """An order card and the gorilla that lies beside it; `doubtful` where it may be another order's, or another's this
    one's."""

    placed: Placed
    gorilla: Placed | None = None
    doubtful: bool = False


def reading_order(cards: Sequence[Placed], aspect: float) -> list[Placed]:
    """Row by row; cards that lie above each other are rows of their own however closely they overlap."""
    rows: list[list[Placed]] = []
    for placed in sorted(cards, key=lambda p: p.card.spot.y):
        spot = placed.card.spot
        row = rows[-1] if rows else []
        beside = all(abs(spot.x - p.card.spot.x) > 0.7 * aspect for p in row)
        if row and beside and spot.y - row[0].card.spot.y < 0.55:
            row.append(placed)
        else:
            rows.append([placed])
    return [p for row in rows for p in sorted(row, key=lambda p: p.card.spot.x)]


# A gorilla lies right of its order or below it, seldom left or above: offsets in card widths and heights, and how
# much further than measured an unusual place counts.
_BESIDE = (((1.12, 0.0), 0.0), ((0.0, 1.12), 0.0), ((-1.12, 0.0), 0.35), ((0.0, -1.12), 0.35))
DOUBT = 0.2
PLACED = 0.4  # card heights to which the place of what light hides is known


def with_gorillas(orders: list[Order], gorillas: Sequence[Placed], aspect: float) -> tuple[Order, ...]:
    """Each gorilla with the order that it lies beside."""
    for gorilla in gorillas:
        spot = gorilla.card.spot
        ways = sorted(
            (_away(spot.x - o.placed.card.spot.x, spot.y - o.placed.card.spot.y, aspect), k)
            for k, o in enumerate(orders)
            if o.gorilla is None
        )
        if not ways:
            continue
        best = ways[0][1]
        rivals = [k for away, k in ways[1:] if away - ways[0][0] < DOUBT]
        doubtful = ways[0][0] > 1.0 or bool(rivals) or orders[best].doubtful
        orders[best] = Order(orders[best].placed, gorilla, doubtful)
        for k in rivals:
            orders[k] = replace(orders[k], doubtful=True)
    return tuple(orders)


def perhaps_with_gorillas(orders: Sequence[Order], aspect: float) -> tuple[Order, ...]:
    """The orders, in doubt where what nobody can read, and is no card of a column, lies as a gorilla of theirs would.

    It stays among the orders, for it may be one.
    """
    cards = [order.placed.card for order in orders]
    hidden = [card for card in cards if card.fit == UNREAD and not _in_column(card, cards, aspect)]

    def beside(order: Order) -> bool:
        own = order.placed.card.spot
        others = (card.spot for card in hidden if card is not order.placed.card)
        return order.gorilla is None and any(_away(s.x - own.x, s.y - own.y, aspect) < PLACED for s in others)

    return tuple(replace(order, doubtful=order.doubtful or beside(order)) for order in orders)


def _in_column(card: Laid, cards: Sequence[Laid], aspect: float) -> bool:
    """Whether one of the cards overlaps a card from above or from below."""
    steps = [(abs(c.spot.x - card.spot.x), abs(c.spot.y - card.spot.y)) for c in cards if c is not card]
    return any(aside < ALIGNED * aspect and down < OVERLAP for aside, down in steps)


def _away(dx: float, dy: float, aspect: float) -> float:
    return min(float(np.hypot(dx / aspect - x, dy - y)) + extra for (x, y), extra in _BESIDE)
