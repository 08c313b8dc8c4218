"""Rows and columns of cards: where the neighbours of a card say that one must or may lie, and which are counted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.durian_fit import Spot
from durian_assist.vision.durian_layers import Laid
from durian_assist.vision.rectify import median

Points = NDArray[np.float64]

UNREAD = 0.0  # the fit of a card that nobody can read
OVERLAP = 0.95  # a step down of less means that cards lie on each other
ALIGNED = 0.35  # of a card's width: cards of one column lie no further aside
LEVEL = 0.5  # of a card's height: cards of one row lie no further up or down
MOST_HEADROOM = 4.0  # card heights: a column further down has nothing to do with the board
UNDER = 0.7  # of a card's width: a column below the board lies no further aside of its middle, gorillas do
SLACK = 0.25  # of a card's height: between the board and the first order
FAR = 2.6  # card heights between neighbours in a column, with up to three cards unseen between them
LONE_STEP = 0.65  # card heights between orders where one alone is known: each leaves two thirds of the one before free
REGULAR = 2  # steps that tell the usual one
OFF_STEP = 0.25  # of a step: where the next card is further off its place, the number of cards between is not sure
WIDE = 1.5  # a step this much wider than the usual one has room for another card


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for a card; `between` others or at an end, `part` of it that would be seen.

    `headed`: the board or a card that nobody can read lies before it, so that the line may well go on here.
    """

    spot: Spot
    part: str
    between: bool
    headed: bool = False

    @property
    def key(self) -> tuple[int, int]:
        """The place in quarters of a card's height."""
        return round(self.spot.x * 4), round(self.spot.y * 4)


def slots(cards: Sequence[Laid], aspect: float, level: float, boards: Sequence[Points]) -> list[Slot]:
    """Gaps and ends of the inventory's row and of the orders' columns, and the room between these and the board."""
    rows = _rows([card for card in cards if card.spot.y < level])
    columns = columns_of([card for card in cards if card.spot.y >= level], aspect)
    result = [slot for line in rows for slot in _along(line, 0.0, _row_step(line))]
    return result + [
        slot for line in columns for slot in _along(line, _headroom(line[0], boards, aspect), column_step(line))
    ]


def under(covered: Sequence[Laid], pieces: Sequence[Laid], aspect: float) -> list[Slot]:
    """The places of what lies on orders of which only the upper part is seen: the orders after them in their columns.

    Up to the next piece in the column they lie evenly. Below a column's last card only the ground tells: the face
    alone may be seen badly there.
    """
    result = []
    for card in covered:
        below = [
            piece.spot.y - card.spot.y
            for piece in pieces
            if abs(piece.spot.x - card.spot.x) < ALIGNED * aspect and 0.2 < piece.spot.y - card.spot.y < FAR
        ]
        if not below:
            continue
        count = max(round(min(below) / LONE_STEP) - 1, 1)
        step = min(below) / (count + 1)
        result += [_slot(card, np.array([0.0, step * n]), "upper", between=True) for n in range(1, count + 1)]
    return result


def counted(
    found: Sequence[Laid], unread: Sequence[Laid], aspect: float, level: float, boards: Sequence[Points]
) -> list[Laid]:
    """The cards found; those are not `counted` that lie in a column below others which nobody can read and whose
    number its steps do not tell."""
    uncounted: set[int] = set()
    for line in columns_of([card for card in [*found, *unread] if card.spot.y >= level], aspect):
        step = column_step(line)
        regular = len(_steps(line)) >= REGULAR
        board = _headroom(line[0], boards, aspect)
        last, hidden, sure = line[0].spot.y - board - step, 0, True
        for card in line:
            if card.fit == UNREAD:
                hidden += 1
                continue
            ratio = (card.spot.y - last) / step
            sure = sure and (hidden == 0 or (regular and abs(ratio - hidden - 1) < OFF_STEP))
            if not sure:
                uncounted.add(id(card))
            last, hidden = card.spot.y, 0
    return [replace(card, counted=id(card) not in uncounted) for card in found]


def _steps(line: Sequence[Laid]) -> list[float]:
    """The steps down between neighbours of a column that are read and overlap."""
    steps = [b.spot.y - a.spot.y for a, b in pairwise(line) if UNREAD not in (a.fit, b.fit)]
    return [step for step in steps if step < OVERLAP]


def column_step(line: Sequence[Laid]) -> float:
    return float(median(_steps(line) or [LONE_STEP]))


def _row_step(line: Sequence[Laid]) -> float:
    lengths = np.diff([card.spot.x for card in line])
    return float(median(lengths)) if len(lengths) > 2 else float(lengths.min())


def _headroom(card: Laid, boards: Sequence[Points], aspect: float) -> float:
    """How far the card's upper edge lies below a board (plane units); 0 where there is none above it."""
    rooms = [
        card.spot.y - 0.5 - float(board[:, 1].max())
        for board in boards
        if abs(card.spot.x - float(board[:, 0].mean())) < UNDER * aspect
    ]
    return max((room for room in rooms if room < MOST_HEADROOM), default=0.0)


def _along(line: Sequence[Laid], headroom: float, usual: float) -> list[Slot]:
    places = np.array([[card.spot.x, card.spot.y] for card in line])
    steps = np.diff(places, axis=0) if len(line) > 1 else np.array([[0.0, LONE_STEP]])
    lengths = np.linalg.norm(steps, axis=1)
    part = _usual_part(line)
    result = []
    for k, length in enumerate(lengths[: len(line) - 1]):
        missing = round(float(length) / usual) - 1 if length > WIDE * usual else 0
        for n in range(1, missing + 1):
            result.append(_slot(line[k], steps[k] * (n / (missing + 1)), part, between=True))
    if len(line) > 1:
        last = _slot(line[-1], steps[-1] / lengths[-1] * usual, part, between=False)
        result.append(replace(last, headed=line[-1].fit == UNREAD))
    headed = int((headroom + SLACK) // usual)
    for n in range(1, max(headed, len(line) > 1) + 1):
        slot = _slot(line[0], -steps[0] / lengths[0] * usual * n, part, between=False)
        result.append(replace(slot, headed=n <= headed))
    return result


def _slot(card: Laid, shift: Points, part: str, between: bool) -> Slot:
    spot = replace(card.spot, x=card.spot.x + float(shift[0]), y=card.spot.y + float(shift[1]))
    return Slot(spot, part, between)


def _usual_part(line: Sequence[Laid]) -> str:
    parts = [card.part for card in line]
    return max(("upper", "lower", "whole"), key=parts.count)


def columns_of(cards: Sequence[Laid], aspect: float) -> list[list[Laid]]:
    """Runs of cards that overlap downwards, top first."""

    def next_below(last: Spot, spot: Spot) -> bool:
        return abs(spot.x - last.x) < ALIGNED * aspect and 0.2 < spot.y - last.y < FAR

    columns = _chained(sorted(cards, key=lambda c: c.spot.y), next_below)
    return [line for line in columns if len(line) == 1 or min(np.diff([card.spot.y for card in line])) < OVERLAP]


def _rows(cards: Sequence[Laid]) -> list[list[Laid]]:
    """Cards beside each other, left first."""

    def next_beside(last: Spot, spot: Spot) -> bool:
        return abs(spot.y - last.y) < LEVEL and spot.x - last.x > 0.8

    return [line for line in _chained(sorted(cards, key=lambda c: c.spot.x), next_beside) if len(line) > 1]


def _chained(left: list[Laid], follows: Callable[[Spot, Spot], bool]) -> list[list[Laid]]:
    """The cards, in their order along the lines, as lines of which each card follows the one before."""
    lines = []
    while left:
        line = [left.pop(0)]
        for card in list(left):
            if follows(line[-1].spot, card.spot):
                line.append(card)
                left.remove(card)
        lines.append(line)
    return lines
