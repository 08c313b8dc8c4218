"""Several photos of one table: what they agree on is surer, what they differ in needs a person."""

from __future__ import annotations

from collections.abc import Sequence

from durian_assist.vision.durian_items import Item, Pieces, same_card, summed

DIFFER = 0.5  # most that can be said for a piece on which clear photos differ


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
