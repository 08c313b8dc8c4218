"""The card in one slot of a table: looked for once more, in finer turns and with less demanded of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from durian_assist.vision.durian_fit import Spot
from durian_assist.vision.durian_glints import streakless
from durian_assist.vision.durian_layers import CLEAR, Laid, Table
from durian_assist.vision.durian_lines import Slot
from durian_assist.vision.durian_search import DIM, lies_at, look

IN_GAP = 0.4  # least quality of a card in a gap between others
NEAR = 0.3  # of a card's height: how far from the slot it may lie
LOOKED_AT = 4
FAR_OFF = IN_GAP / 2  # what is no better by a part does not become a card as a whole
FLOOR, SPREAD = 0.15, 3.0
FINE_TURNS = tuple(float(a) for a in np.radians((-5.0, -2.5, 0.0, 2.5, 5.0)))


def nearly(spot: Spot, other: Spot) -> bool:
    """Whether what lies at one place is found at the other too."""
    return bool(np.hypot(spot.x - other.x, spot.y - other.y) < NEAR / 2)


def best_in(table: Table, slot: Slot, found: Sequence[Laid], streaks: bool = False) -> Laid | None:
    """The card that is seen most clearly in the slot, none of those found; under `streaks` of light too."""
    x, y, aspect = slot.spot.x, slot.spot.y, table.judge.aspect
    box = (x - 0.5 * aspect - NEAR, y - 0.5 - NEAR, x + 0.5 * aspect + NEAR, y + 0.5 + NEAR)
    seen = table.scanner.scan(table.picture, table.plane, box, FINE_TURNS, FLOOR, SPREAD)
    fresh = [s for s in seen if not any(lies_at(card, Spot(s.pose.x, s.pose.y, 0.0)) for card in found)]
    seen = [s for s in fresh if slot.part in ("whole", s.part)][: LOOKED_AT if slot.between else LOOKED_AT // 2]
    dim, least = (0.0, FAR_OFF) if slot.between or slot.headed else (DIM, DIM)
    looks = [look(table, s, dim, least=least) for s in seen]
    looks = streakless(table, slot.spot, slot.part, looks) if streaks else looks
    near = [c for c in looks if np.hypot(c.spot.x - x, c.spot.y - y) < NEAR and abs(c.spot.size - 1) < 0.1]
    cards = [c for c in near if table.judge.faces[c.verdict.face].kind != "back" or c.quality > CLEAR]
    return max(cards, key=lambda c: c.quality, default=None)
