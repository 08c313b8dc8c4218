"""From a few sure cards to most of the grid: beside a card that is known there is another, a card's length away.

Where outlines show few cards (dark cards on a dark table, white on white) the plane and the lattice of those few are
too loose to tell where the far side of the grid lies. So the grid is grown ring by ring: the places beside the known
cards are searched, and what is sure there makes plane and lattice better for the next ring.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from durian_assist.common.parallel import in_halves
from durian_assist.vision.glints import without_glints
from durian_assist.vision.lattice import Cell, Lattice, components, fit_lattice, usual_lattice
from durian_assist.vision.recognise import ROUGHLY_ALIKE, Identity, Recogniser
from durian_assist.vision.rectify import SMALLEST_LEVEL, Mask, Picture, Points
from durian_assist.vision.smuggler_seen import LEAST_ALIKE, MIDDLE, SAME, SeenCard, SeenCards, on_plane
from durian_assist.vision.table_plane import Pose

# Cards, the middle among them, from which the rest is found without going ring by ring.
ENOUGH = 10
RINGS = 6
# How far from its lattice point, in cards, and how much askew, in degrees, a card is looked for.
REACH = 0.22
TILTS = (0.0, -6.0, 6.0)
# Turns and tilts that are aligned in a place which no outline showed.
STARTS = 2
# A grid has five rows and columns.
WIDEST = 5


def grown(picture: Picture, seen: SeenCards) -> SeenCards:
    """The cards with those that were found beside them, and the plane of them all."""
    plane, cards = seen.plane, seen.cards
    tried: list[Pose] = []
    for _ in range(RINGS):
        lattice, placed = _largest_group(cards)
        if len(placed) >= ENOUGH and any(cards[i].identity.best.name == MIDDLE for i in placed.values()):
            break
        sure = _sure_beside(picture, replace(seen, cards=cards, plane=plane), lattice, placed, placed, tried)
        if not sure and not spans_grid(cards):
            # Cards that a row of unreadable ones parts from the largest group lie on its lattice all the same.
            every = _on_lattice(lattice, cards)
            sure = _sure_beside(picture, replace(seen, cards=cards, plane=plane), lattice, every, placed, tried)
        if not sure:
            break
        better, more = on_plane([*(c.identity for c in cards), *sure])
        if not more:
            break
        plane, cards = better, more
    return replace(seen, cards=cards, plane=plane)


def _sure_beside(
    picture: Picture,
    seen: SeenCards,
    lattice: Lattice,
    cards: Iterable[Cell],
    group: Iterable[Cell],
    tried: list[Pose],
) -> list[Identity]:
    """What is surely a card beside cards in some cells, with which the `group` would still be a grid of five.

    `tried`: places that were looked at before; it is added to.
    """
    poses = [lattice.at(cell) for cell in neighbours_of(cards) if _within(cell, group)]
    poses = [p for p in poses if all(np.hypot(p.x - t.x, p.y - t.y) > SAME for t in tried)]
    tried += poses
    picture.level(SMALLEST_LEVEL)  # made once, not by two threads at once
    found = in_halves(lambda pose: search(seen.recogniser, picture, seen.plane.quad(pose), seen.alike), poses)
    sure = seen.sure(found)
    if sure or spans_grid(seen.cards):
        return sure
    # Before the whole table is looked through: a streak of light may hide what lies there.
    return seen.sure(without_glints(seen.recogniser, picture, one, seen.usual) for one in found)


def _on_lattice(lattice: Lattice, cards: Sequence[SeenCard]) -> set[Cell]:
    """The cells of all cards that lie on points of a lattice."""
    places = [lattice.place(card.pose) for card in cards]
    cells = [(round(row), round(column)) for row, column in places]
    return {
        c for c, (row, column) in zip(cells, places, strict=True) if max(abs(row - c[0]), abs(column - c[1])) < REACH
    }


def search(
    recogniser: Recogniser,
    picture: Picture,
    quad: Points,
    alike: float = ROUGHLY_ALIKE,
    visible: Mask | None = None,
    only: frozenset[str] | None = None,
) -> Identity:
    """Look for a card of true shape near a quad of the photo; `alike`, `visible` and `only` as for `identify`."""
    return recogniser.identify(
        picture,
        quad,
        visible=visible,
        only=only,
        reach=REACH,
        tilts=TILTS,
        rigid=True,
        least=LEAST_ALIKE,
        starts=STARTS,
        alike=alike,
    )


def neighbours_of(placed: Iterable[Cell]) -> list[Cell]:
    """Cells without a card beside one with a card, those with most such neighbours first."""
    cards = set(placed)
    beside = Counter((r + a, c + b) for r, c in cards for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0)))
    return sorted((cell for cell in beside if cell not in cards), key=lambda cell: (-beside[cell], cell))


def spans_grid(cards: Sequence[SeenCard]) -> bool:
    """Is it known which card lies in the middle: is it among those that hang together, or are they five by five?"""
    _, placed = _largest_group(cards)
    rows, columns = zip(*placed, strict=True)
    whole = max(rows) - min(rows) == max(columns) - min(columns) == WIDEST - 1
    return whole or any(cards[i].identity.best.name == MIDDLE for i in placed.values())


def _largest_group(cards: Sequence[SeenCard]) -> tuple[Lattice, dict[Cell, int]]:
    """The lattice of the most cards that hang together, and which card lies in which of its cells."""
    poses = [c.pose for c in cards]
    usual = usual_lattice(poses)
    group = components(poses, usual)[0]
    lattice = fit_lattice([poses[i] for i in group], list(group.values()), usual)
    return lattice, {cell: i for i, cell in group.items()}


def _within(cell: Cell, placed: Iterable[Cell]) -> bool:
    """Would the cards and this cell still be a grid of five?"""
    rows, columns = zip(*[cell, *placed], strict=True)
    return bool(max(rows) - min(rows) < WIDEST and max(columns) - min(columns) < WIDEST)
