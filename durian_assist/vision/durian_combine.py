"""Several photos of one table: what they agree on is surer, what they differ in needs a person."""

from __future__ import annotations

from collections.abc import Sequence

from durian_assist.errors import InputError
from durian_assist.vision.durian_items import Item, Pieces, same_card, summed
from durian_assist.vision.reading import NOT_THE_SAME

DIFFER = 0.5  # most that can be said for a piece on which clear photos differ
MEND = (
    "Give photos of one table, one of which shows all tokens that lie on it: each side of that photo is then one "
    "player's. Tokens that are in no photo: --tokens Ann=1,4."
)


def check_same(pieces: Sequence[Pieces], names: Sequence[str]) -> None:
    """Raise InputError where no photo shows all tokens that any of them shows surely; by photo: its pieces and name.

    A photo of the cards may have some of the tokens at its edge, and glare may hide one. But where each of two photos
    shows tokens that the other lacks they are those of two players, or of two rounds: each photo has a south of its
    own, and joined there they would all be one player's.
    """
    shown = [(row.tokens, name) for row, name in zip(pieces, names, strict=True) if row.tokens]
    if not shown or any(all(_may_hold(whole, row) for row, _ in shown) for whole, _ in shown):
        return
    first = shown[0][0]
    others = [name for row, name in shown[1:] if not _may_hold(first, row) and not _may_hold(row, first)]
    raise InputError(NOT_THE_SAME, where=(others or [shown[-1][1]])[0], mend=MEND)


def _may_hold(whole: Sequence[Item], row: Sequence[Item]) -> bool:
    """Whether all tokens that one photo shows surely lie in another, surely or in doubt."""
    values = {item.best for item in whole if item.sure}
    doubts = {value for item in whole if not item.sure for value in item.candidates}
    return all(item.best in values | doubts for item in row if item.sure)


def combined(pieces: Sequence[Pieces]) -> Pieces:
    """The pieces of all photos as one table: each photo may show the whole of it, or only tokens, or only cards."""
    if len(pieces) == 1:
        return pieces[0]
    tokens = [p.tokens for p in pieces if p.tokens]
    tables = [p for p in pieces if p.inventory or p.orders]
    return Pieces(
        _merged_tokens(tokens),
        _merged([t.inventory for t in tables], same_inventory=True),
        _merged([t.orders for t in tables], same_inventory=False),
    )


def _merged(rows: Sequence[tuple[Item, ...]], same_inventory: bool) -> tuple[Item, ...]:
    """Rows of one table, piece by piece; where their lengths differ the longest stands and is not sure."""
    if not rows:
        return ()
    longest = max(rows, key=lambda row: (len(row), sum(item.confidence for item in row)))
    if any(len(row) != len(longest) for row in rows):
        return tuple(item.doubted(DIFFER) for item in longest)
    return tuple(_agreed(items, same_inventory) for items in zip(*rows, strict=True))


def _agreed(items: Sequence[Item], same_inventory: bool) -> Item:
    """One piece seen several times."""
    best = max(items, key=lambda item: item.confidence)
    others = [item for item in items if item is not best]
    differ = [i for i in others if not (same_card(i.best, best.best) if same_inventory else i.best == best.best)]
    if not any(item.sure for item in differ):
        return best
    share = 1.0 / len(items)
    odds = summed((text, p * share) for item in items for text, p in item.odds)
    return Item(odds, best.corners, best.photo, best.side).doubted(DIFFER)


def _merged_tokens(rows: Sequence[tuple[Item, ...]]) -> tuple[Item, ...]:
    """All tokens by value: there is one of each, so a value seen in two photos is one token.

    A token that cannot be read is kept from the photo in which most tokens lie, unless another photo reads as many.
    """
    kept: dict[str, Item] = {}
    for row in rows:
        for item in row:
            if item.sure and (item.best not in kept or item.confidence > kept[item.best].confidence):
                kept[item.best] = item
    most = max(rows, key=len, default=())
    missing = len(most) - len(kept)
    unread = [item for item in most if not item.sure]
    return (*kept.values(), *(item for item in unread[: max(missing, 0)]))
