"""Cards of a grid in progress of which something hides most: a hand, a cup, a telephone.

As a whole such a place is like no card, and where what hides it has the table's colours it would pass for bare table.
But one of its sides is not the table's, and what is to be seen there is as much like a card as whole cards are.
"""

from __future__ import annotations

import numpy as np

from durian_assist.vision.recognise import Identity
from durian_assist.vision.rectify import Mask, Points
from durian_assist.vision.smuggler_cards import face_of
from durian_assist.vision.smuggler_growth import search
from durian_assist.vision.smuggler_seen import ALIKE, SURE
from durian_assist.vision.smuggler_table import SURELY_TABLE, TableColours
from durian_assist.vision.smuggler_view import GridView

# Of a card: what is looked at along each of its sides.
PART = 1 / 3
_MASK_SIDE = 24


def partly_seen(view: GridView, table: TableColours, quad: Points) -> Identity | None:
    """The card lying face down of which one side is to be seen in a cell (4, 2) that shows no card as a whole."""
    backs = frozenset(n for n in (c.name for c in view.recogniser.classes) if (f := face_of(n)) and f.kind == "back")
    shares = table.along_sides(view, quad)
    sides = [side for side in range(4) if backs and shares[side] < SURELY_TABLE]
    found = [search(view.recogniser, view.picture, quad, visible=_along(side), only=backs) for side in sides]
    likely = [one for one in found if one.card >= SURE and one.best.score >= ALIKE * view.usual]
    return max(likely, key=lambda one: one.best.score, default=None)


def _along(side: int) -> Mask:
    """(_MASK_SIDE, _MASK_SIDE) True along a side, 0 the far one, then clockwise."""
    mask = np.zeros((_MASK_SIDE, _MASK_SIDE), np.bool_)
    mask[: round(PART * _MASK_SIDE)] = True
    return np.rot90(mask, -side)
