"""Positions in a row or a column: what belongs to it, and that those after a piece that may be none are not sure."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace

from durian_assist.vision.durian_fit import Spot
from durian_assist.vision.durian_layers import CLEAR, Laid
from durian_assist.vision.durian_lines import ALIGNED, LEVEL, UNREAD

COLUMN = 3  # clear orders above one another are no rows
ROW = 2  # clear cards of the inventory tell where its row lies
UNLIKELY = 0.2  # for all faces together that something unreadable may be
BESIDE = 0.8  # card heights between the middles of neighbours in a row, at least
ABOVE = 0.5  # card heights along the row within which what is off it lies above or below a card of it
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

    A row may slant: the clear card that is nearest along it tells. What nobody can read stays near the row, but not
    above or below a clear card: it would be in a row of its own there.
    """
    clear = [card.spot for card in inventory if card.quality > CLEAR]
    if len(clear) < ROW:
        return [True] * len(inventory)
    kept = []
    for card in inventory:
        nearest = min(clear, key=lambda spot: abs(spot.x - card.spot.x))
        off = abs(nearest.y - card.spot.y)
        near = off < FAR_OFF and abs(nearest.x - card.spot.x) > ABOVE
        kept.append(off < LEVEL or card.quality > CLEAR or (card.fit == UNREAD and near))
    return kept


def in_gaps(cards: Sequence[Laid], faces: Container[int], level: float) -> list[Laid]:
    """The cards that show one of the `faces`, not a back. A back that is not clear and lies between cards of the
    inventory, which are those above the `level`, is one of them that nobody can read: what hides a face makes it as
    even as a back.
    """
    kept = [card for card in cards if card.verdict.face in faces]
    row = [card.spot for card in kept if card.spot.y < level and (card.quality > CLEAR or card.fit == UNREAD)]
    for card in cards:
        beside = [spot.x - card.spot.x for spot in row if abs(spot.y - card.spot.y) < LEVEL]
        gap = card.spot.y < level and min(beside, default=1.0) < -BESIDE and max(beside, default=-1.0) > BESIDE
        if card not in kept and gap and card.quality < CLEAR:
            kept += _unreadable(card, faces)
    return kept


def _unreadable(card: Laid, faces: Container[int]) -> list[Laid]:
    """The card as one of the faces that it may show, none of them likely; none where it shows none."""
    verdict = card.verdict
    answers = [(face, turned) for face, turned, _ in verdict.rivals if face in faces]
    if not answers:
        return []
    each = UNLIKELY / len(answers)
    rivals = tuple((face, turned, each) for face, turned in answers[1:])
    unsure = replace(verdict, face=answers[0][0], turned=answers[0][1], confidence=each, rivals=rivals)
    return [replace(card, verdict=unsure, fit=UNREAD)]


def _between(k: int, spot: Spot, spots: Sequence[Spot], doubtful: Sequence[bool], aspect: float) -> bool:
    before = any(_in_column(spot, spots[j], aspect) for j in range(k) if not doubtful[j])
    after = any(_in_column(spot, spots[j], aspect) for j in range(k + 1, len(spots)) if not doubtful[j])
    return before and after


def _in_column(one: Spot, other: Spot, aspect: float) -> bool:
    return abs(one.x - other.x) < ALIGNED * aspect
