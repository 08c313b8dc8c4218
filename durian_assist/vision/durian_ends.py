"""Cards at the end of a row, or of the next row, of which a hand or a lamp hides most: they must not vanish unsaid.

An outline that something breaks shows no card, and its place looks like one by a half alone, or is white.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.durian_contrast import unglared
from durian_assist.vision.durian_fit import Spot
from durian_assist.vision.durian_ground import (
    ALIKE,
    ASIDE,
    INNER,
    MOST,
    NEXT,
    OPEN,
    RIM,
    SCALE,
    WHOLE_FREE,
    Evidence,
    Piece,
    first_middle,
    upright,
)
from durian_assist.vision.durian_layers import Laid, Table
from durian_assist.vision.ground import Mask, Shares

Points = NDArray[np.float64]

LIKE_HALF = 0.5  # quality of half a card: halves of cards have 0.7 and more, what else looks like one 0.3 at most
BOX = np.array([(-1.0, 0.0), (1.0, 0.0), (1.0, 1.0), (-1.0, 1.0)])  # corners, from the middle of the upper side
HALF_OFF = 0.2  # of a card's height: how far off half a card is looked for, on both sides of its place


def half_covered(evidence: Evidence, pieces: Sequence[Piece], boards: Sequence[Points]) -> list[tuple[float, float]]:
    """Centres of places next in a row, or below one, of which the left or the right half alone is like a card: a hand,
    a cup or another thing lies on the rest. The likeliest first."""
    ground = evidence.ground
    rows = evidence.lines(pieces, boards)[0] | _below_rows(evidence, pieces, boards)
    taken = ground.mask([*(piece.outline for piece in pieces), *boards], RIM)
    found: list[tuple[float, float]] = []
    while len(found) < MOST:
        free = ground.means(~taken)
        likely = rows & (free > WHOLE_FREE) & (ground.means(~taken & ground.clear) > OPEN * free)
        worth = np.where(likely, _half_worth(evidence, ~taken), 0.0)
        if not worth.any():
            break
        y, x = first_middle(worth >= ALIKE * worth.max())
        found.append((ground.origin[0] + (x + 0.5) / SCALE, ground.origin[1] + (y + 0.5) / SCALE))
        taken = taken | ground.mask([upright(found[-1], ground.aspect)], RIM)
    return found


def dazzled(
    evidence: Evidence, pieces: Sequence[Piece], boards: Sequence[Points], unread: Sequence[Points]
) -> list[tuple[float, float]]:
    """Centres of places next in a row, or below one, of which a lamp's reflection leaves next to nothing, most hidden
    first.

    One of each reflection, as nobody can say how many cards it hides, and none where it reaches an `unread` one (plane
    outlines (4, 2)).
    """
    ground = evidence.ground
    lit = unglared(ground.pixels, SCALE)
    if lit is None:
        return []
    rows = evidence.lines(pieces, boards)[0] | _below_rows(evidence, pieces, boards)
    free = ~ground.mask([*(piece.outline for piece in pieces), *boards], RIM)
    _, reflections = cv2.connectedComponents((~lit).astype(np.uint8))
    told = np.isin(reflections, reflections[ground.mask(unread, RIM) & ~lit])
    hidden = np.where(rows & ~told & (ground.means(free) > WHOLE_FREE), ground.means(free & ~lit), 0.0)
    hidden[hidden < OPEN * WHOLE_FREE] = 0.0
    found: list[tuple[float, float]] = []
    while hidden.any():
        good = hidden >= ALIKE * hidden.max()
        y, x = first_middle(good)
        found.append((ground.origin[0] + (x + 0.5) / SCALE, ground.origin[1] + (y + 0.5) / SCALE))
        hidden[np.isin(reflections, reflections[good]) | good] = 0.0
    return found


def _below_rows(evidence: Evidence, pieces: Sequence[Piece], boards: Sequence[Points]) -> Mask:
    """Where the next row of orders, or an order's gorilla, may have its centre: below an order that has another one or
    the board beside it."""
    ground = evidence.ground
    orders = [piece.outline for piece in pieces if piece.is_order]
    places = []
    for outline in orders:
        if any(_beside(outline, other, ground.aspect) for other in (*orders, *boards)):
            (x, y), height = outline.mean(axis=0).tolist(), float(np.ptp(outline[:, 1]))
            aside, last = ASIDE * ground.aspect, height / 2 + 0.5 + NEXT
            places.append(np.array([(x + a, y + b) for a, b in BOX * (aside, last - height) + (0.0, height)]))
    return ground.mask(places, 0.0)


def _beside(outline: Points, other: Points, aspect: float) -> bool:
    """Whether another piece lies beside a card, up to the distance at which the next one of a row does."""
    across, down = np.abs(other.mean(axis=0) - outline.mean(axis=0)).tolist()
    most = float(np.ptp(outline[:, 0]) + np.ptp(other[:, 0])) / 2 + NEXT
    return bool(down < ASIDE and aspect / 2 < across < most)


def _half_worth(evidence: Evidence, free: Mask) -> Shares:
    """How card-like the `free` pixels of the better half of each place are, 0 where not like one for sure."""
    ground = evidence.ground
    width, height = INNER * ground.aspect * SCALE / 2, INNER * SCALE
    size = (max(round(width), 1), max(round(height), 1))
    counted = cv2.blur((free & ground.clear).astype(np.float32), size, borderType=cv2.BORDER_CONSTANT)
    worth = np.zeros(free.shape, np.float32)
    for sign in evidence.signs:
        shown = cv2.blur((sign.shown & free).astype(np.float32), size, borderType=cv2.BORDER_CONSTANT)
        share = np.where(counted > OPEN, shown / np.maximum(counted, 1e-3), 0.0)
        worth = np.maximum(worth, np.where(share > sign.least, share / max(sign.usual, 1e-3), 0.0))
    aside = round(width / 2)
    left, right = np.roll(worth, aside, axis=1), np.roll(worth, -aside, axis=1)
    return np.asarray(np.maximum(left, right), np.float32)


def half_in(table: Table, spot: Spot) -> Laid | None:
    """The card near a place that is like one by its left or its right half alone, None where neither is."""
    away = [(dx, dy) for dx in (-HALF_OFF, 0.0, HALF_OFF) for dy in (-HALF_OFF, 0.0, HALF_OFF)]
    seen = []
    for part in ("left", "right"):
        mask = table.part(part)
        spots = [replace(spot, x=spot.x + dx, y=spot.y + dy) for dx, dy in away]
        judged = [(table.judge.judge(table.picture, table.plane, place, mask), place) for place in spots]
        verdict, place = max(judged, key=lambda one: one[0].score)
        seen.append(table.look_into(place, verdict.face, verdict.turned, part))
    best = max(seen, key=lambda card: card.quality)
    return best if best.quality > LIKE_HALF else None
