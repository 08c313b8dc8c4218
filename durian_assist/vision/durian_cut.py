"""Places next in a line of cards that the photo's frame cuts off: a card may lie there that nobody can see whole.

Where what is seen of such a place is bare table, no card lies there. Where nothing is seen of it, one may, if the frame
cuts off the last card too: a photo that ends just beside a whole card was framed like that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.durian_fit import Spot
from durian_assist.vision.durian_ground import ASIDE, INNER, OPEN, RIM, Evidence
from durian_assist.vision.durian_layers import CLEAR, Laid, Table
from durian_assist.vision.durian_lines import LEVEL, UNDER, column_step, columns_of
from durian_assist.vision.rectify import median

Points = NDArray[np.float64]

# Share of a place that must be seen to tell whether a card lies there: its white rim and some more.
TOLD = 0.08
GAP = 0.15  # card heights between neighbours in a row where no two are known
LONGEST = 1.0  # card heights between neighbours in a row: more is no step of it but has room for a card
OFF = (-ASIDE, -ASIDE / 2, 0.0, ASIDE / 2, ASIDE)  # card heights: a row may slant, and its steps vary
GRID = np.stack(np.meshgrid(np.linspace(-0.5, 0.5, 28), np.linspace(-0.5, 0.5, 20)), axis=-1).reshape(-1, 2)


def cut_places(
    table: Table, evidence: Evidence | None, cards: Sequence[Laid], boards: Sequence[Points], level: float
) -> list[Spot]:
    """The next places of the inventory, which lies above the `level`, and of the orders' columns, or of their rows away
    from the boards (plane outlines (4, 2)), that the frame cuts off and that may hold a card."""
    aspect, faces = table.judge.aspect, table.judge.faces
    middles = [float(board[:, 0].mean()) for board in boards]
    orders = [card for card in cards if card.spot.y >= level and faces[card.verdict.face].kind == "fruit"]
    columns = [line for line in columns_of(orders, aspect) if len(line) > 1 or _under(line[0], middles, aspect)]
    overlapping = {id(card) for line in columns for card in line}
    beside = [card for card in orders if id(card) not in overlapping]
    above = rows_of([card for card in cards if card.spot.y < level], aspect)
    rows: list[tuple[list[Laid], tuple[int, ...]]] = [(row, (-1, 1)) for row in above]
    rows += [(row, (-1 if any(row[0].spot.x < x for x in middles) else 1,)) for row in rows_of(beside, aspect)]
    taken = [*(card.spot.corners(aspect) for card in cards), *boards]
    places = [*_below_frame(table, columns), *_beside_frame(table, evidence, rows, taken)]
    return [replace(spot, angle=0.0) for spot in places]


def _under(card: Laid, middles: Sequence[float], aspect: float) -> bool:
    return any(abs(card.spot.x - x) < UNDER * aspect for x in middles)


def _below_frame(table: Table, columns: Sequence[Sequence[Laid]]) -> list[Spot]:
    """The places of the orders after the last one of each column that the frame cuts off: another one may lie on it.

    What is not clear may be no order at all; it is asked about itself.
    """
    places = []
    for line in columns:
        if line[-1].quality > CLEAR and _cut(table, line[-1].spot):
            places.append(replace(line[-1].spot, y=line[-1].spot.y + column_step(line)))
    return places


def _beside_frame(
    table: Table,
    evidence: Evidence | None,
    rows: Sequence[tuple[Sequence[Laid], tuple[int, ...]]],
    taken: Sequence[Points],
) -> list[Spot]:
    """The places next in rows, each with the ends at which it may go on (-1 left, 1 right), that the frame cuts off and
    of which more than bare table is seen, or nothing as the last card is cut off too.

    `taken`: plane outlines (n, 2) of the pieces.
    """
    usual = _step([row for row, _ in rows], table.judge.aspect + GAP)
    places = []
    for row, ends in rows:
        step = _step([row], usual)
        for end in ends:
            last = row[-1] if end > 0 else row[0]
            spot = replace(last.spot, x=last.spot.x + end * step)
            if _cut(table, spot) and evidence is not None:
                hidden = _may_hide(evidence, spot, taken, unseen=_cut(table, last.spot))
                places += [spot] if hidden else []
    return places


def rows_of(cards: Sequence[Laid], aspect: float) -> list[list[Laid]]:
    """The cards row by row, left first: each is beside the one before, with no room for another between them."""
    rows: list[list[Laid]] = []
    for card in sorted(cards, key=lambda one: one.spot.x):
        fitting = [row for row in rows if _next_to(row[-1].spot, card.spot, aspect)]
        if fitting:
            min(fitting, key=lambda row: abs(row[-1].spot.y - card.spot.y)).append(card)
        else:
            rows.append([card])
    return rows


def _next_to(last: Spot, spot: Spot, aspect: float) -> bool:
    return abs(spot.y - last.y) < LEVEL and aspect / 2 < spot.x - last.x < aspect + LONGEST


def _step(rows: Sequence[Sequence[Laid]], unknown: float) -> float:
    """The usual step between neighbours (card heights), `unknown` where there are none."""
    steps = [b.spot.x - a.spot.x for row in rows for a, b in pairwise(row)]
    return float(median(steps)) if steps else unknown


def _may_hide(evidence: Evidence, spot: Spot, taken: Sequence[Points], unseen: bool) -> bool:
    """Whether nobody can say that what the frame leaves of a place is bare; `unseen`: whether it is where next to
    nothing is left."""
    ground, aspect = evidence.ground, evidence.ground.aspect
    free = ~ground.mask(taken, RIM) & ground.clear
    moved = [replace(spot, x=spot.x + dx, y=spot.y + dy) for dx in OFF for dy in OFF]
    if any(_shows_card(evidence, _points(place, aspect, INNER), free) for place in moved):
        return True
    return unseen and _share(ground.at(_points(spot, aspect, 1.0)), free) < TOLD


def _shows_card(evidence: Evidence, points: Points, free: NDArray[np.bool_]) -> bool:
    """Whether as much of the `free` part (h, w) of a place as of a card shows one."""
    at = evidence.ground.at(points)
    share = _share(at, free)
    return share >= TOLD and any(_share(at, sign.shown & free) > sign.least * share for sign in evidence.signs)


def _share(at: NDArray[np.int32], mask: NDArray[np.bool_]) -> float:
    """The share of pixels (n, 2) that a mask (h, w) holds; it holds none beyond it."""
    height, width = mask.shape
    within = (at >= 0).all(axis=1) & (at < (width, height)).all(axis=1)
    x, y = at[within].T
    return float(np.count_nonzero(mask[y, x])) / len(at)


def _cut(table: Table, spot: Spot) -> bool:
    """Whether the frame cuts off more of a place than a corner."""
    height, width = table.picture.pixels.shape[:2]
    at = table.plane.to_photo(_points(spot, table.judge.aspect, 1.0))
    return bool(((at >= 0).all(axis=1) & (at < (width, height)).all(axis=1)).mean() < OPEN)


def _points(spot: Spot, aspect: float, share: float) -> Points:
    """Plane points (n, 2) evenly over the inner `share` of an upright card's width and height."""
    return np.asarray(GRID * (aspect * share, share) + (spot.x, spot.y), np.float64)
