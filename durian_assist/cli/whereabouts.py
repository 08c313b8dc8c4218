"""Where in a photo a card lies, in words: for cards that are numbered in an order that nobody at the table knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from durian_assist.vision.photo import Photo
    from durian_assist.vision.reading import Uncertain

# Places with a name of their own at the table: a cell, a hand, the preference card.
_NAMED = ("hand.", "preference")
_THIRDS = (("top", "middle", "bottom"), ("left", "middle", "right"))


def placed(items: Sequence[Uncertain], photos: Sequence[Photo]) -> list[Uncertain]:
    """The same questions, those about numbered cards with the part of the photo in which the card lies."""
    return [_placed(item, photos) for item in items]


def _placed(item: Uncertain, photos: Sequence[Photo]) -> Uncertain:
    if not item.corners or item.key.startswith(_NAMED) or "." not in item.key:
        return item
    photo = f" {item.photo + 1}" if len(photos) > 1 else ""
    return replace(item, place=f"{item.place} ({_part(item, photos[item.photo].size)} of photo{photo})")


def _part(item: Uncertain, size: tuple[int, int]) -> str:
    """`top left`, `middle`, `bottom right`: the third of the photo, both ways, that the card's middle lies in."""
    middle = [sum(corner[axis] for corner in item.corners) / len(item.corners) for axis in (1, 0)]
    thirds = [min(max(int(3 * at / whole), 0), 2) for at, whole in zip(middle, reversed(size), strict=True)]
    words = [names[third] for names, third in zip(_THIRDS, thirds, strict=True)]
    return " ".join(dict.fromkeys(words))
