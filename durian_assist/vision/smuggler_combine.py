"""Several photos of one Smuggler table, perhaps from different sides, as one: votes in the frame of the first photo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from durian_assist.errors import InputError
from durian_assist.vision.lattice import Cell
from durian_assist.vision.reading import NOT_THE_SAME
from durian_assist.vision.smuggler_cells import Answer, Sighting, ordered
from durian_assist.vision.smuggler_hands import HandCard

# What a photo does not offer as an answer may be right all the same.
UNSEEN = 0.003
# The share of what a photo leaves open that each answer of another photo is given.
OPEN = 0.1
# Share of the cells in which two photos of one table agree at least: cells hidden by glare may differ.
AGREEING = 0.7


@dataclass(frozen=True, slots=True)
class TableSeen:
    """One photo's cells and hands; `photo` is its number."""

    cells: Mapping[Cell, Sighting]
    hands: Sequence[HandCard]
    photo: int = 0


def turned_cell(cell: Cell, quarters: int) -> Cell:
    """Where a cell (row, column from the middle) goes when the table is turned clockwise by so many quarters."""
    row, column = cell
    for _ in range(quarters % 4):
        row, column = column, -row
    return row, column


def turned_answer(answer: Answer, quarters: int) -> Answer:
    """The answer after the same turn."""
    return None if answer is None else answer.turned(quarters)


def quarters_between(first: TableSeen, other: TableSeen, where: str) -> int:
    """By how many quarters the second photo must be turned clockwise to lie like the first. Raises InputError."""
    shares = [_agreement(first, other, q) for q in range(4)]
    best, second = sorted(shares, reverse=True)[:2]
    if best < AGREEING or best - second < 0.1:
        raise InputError(
            NOT_THE_SAME,
            where=where,
            mend="Give only photos of one table, with no card moved between them.",
        )
    return shares.index(best)


def _agreement(first: TableSeen, other: TableSeen, quarters: int) -> float:
    """The share of the cells with a card in either photo in which both best answers are the same after the turn."""
    same = cards = 0
    for cell, seen in other.cells.items():
        mine = first.cells[turned_cell(cell, quarters)].best
        theirs = turned_answer(seen.best, quarters)
        if mine is not None or theirs is not None:
            cards += 1
            same += mine == theirs
    return same / cards if cards else 0.0


def combined_cell(cell: Cell, tables: Sequence[tuple[TableSeen, int]]) -> Sighting:
    """The votes of all photos on one cell of the first; each comes with the quarters that it must be turned by."""
    if len(tables) == 1:
        return tables[0][0].cells[cell]
    votes = []
    for table, quarters in tables:
        seen = table.cells[turned_cell(cell, -quarters)]
        votes.append({turned_answer(a, quarters): p for a, p in seen.odds})
    return Sighting(_product(votes), tables[0][0].cells[cell].quad)


def _product(votes: Sequence[Mapping[Answer, float]]) -> tuple[tuple[Answer, float], ...]:
    """Independent votes multiplied; what a photo leaves open goes in part to the answers that others give."""
    answers = list(dict.fromkeys(a for vote in votes for a in vote))
    rest = [max(1.0 - sum(vote.values()), 0.0) for vote in votes]
    odds = {
        a: float(np.prod([max(v.get(a, OPEN * r), UNSEEN) for v, r in zip(votes, rest, strict=True)])) for a in answers
    }
    total = sum(odds.values()) + float(np.prod(rest))
    return ordered((a, p / total) for a, p in odds.items())


def combined_hands(tables: Sequence[tuple[TableSeen, int]]) -> tuple[tuple[int, HandCard], ...]:
    """(photo, card) for every side: the cards of the photo that shows most of its hand, in the first one's frame."""
    result: list[tuple[int, HandCard]] = []
    for side in range(4):
        offers = [(t.photo, _turned_hands(t, quarters, side)) for t, quarters in tables]
        photo, cards = max(offers, key=lambda o: (len(o[1]), sum(c.sighting.confidence for c in o[1]), -o[0]))
        result += [(photo, card) for card in cards]
    return tuple(result)


def _turned_hands(table: TableSeen, quarters: int, side: int) -> list[HandCard]:
    cards = [c for c in table.hands if (c.side + quarters) % 4 == side]
    return [
        HandCard(side, Sighting(tuple((turned_answer(a, quarters), p) for a, p in c.sighting.odds), c.sighting.quad))
        for c in cards
    ]
