"""A calibrated deck: its classes, their outlines and their reference images.

A profile is a folder: `deck.toml` and `references/*.png|jpg`. All that vision knows of a deck is in here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class CardClass:
    """One face that cards of the deck can show.

    `name`: `red/durian/6`, `centre`, `sultan`, `token/4`, ...
    `references`: rectified pictures, upright, (h, w, 3) uint8 BGR, all of one size within a class; they reach from
    edge to edge of the card (corners before rounding at the picture's corners).
    `outline`: (n, 2) float, the piece's outline in units of the reference picture's width and height (0..1); for a
    card with four corners the unit square; tokens have their own.
    `size_group`: classes of one group are pieces of one physical size.
    """

    name: str
    references: tuple[Pixels, ...]
    outline: NDArray[np.float64]
    size_group: str

    @property
    def aspect(self) -> float:
        """Width over height of the upright piece."""
        h, w = self.references[0].shape[:2]
        return float(w) / float(h)

    @property
    def four_sided(self) -> bool:
        return len(self.outline) == 4


@dataclass(frozen=True, slots=True)
class DeckTable:
    """One luggage type of a Smuggler deck table."""

    name: str
    cards: int
    durians: int
    badge: int


@dataclass(frozen=True, slots=True)
class DeckProfile:
    """A deck as it was calibrated."""

    name: str
    game: str
    folder: Path
    classes: tuple[CardClass, ...]
    table: tuple[DeckTable, ...] = ()
    weakest: tuple[tuple[str, str, float], ...] = ()
    extra: dict[str, object] = field(default_factory=dict)
