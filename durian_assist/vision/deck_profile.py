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
    `size_group`: classes of one group have one shape and, as far as photos can tell, one physical size.
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
    """A deck as it was calibrated.

    `weakest`: pairs of classes most easily confused and their margin: how much nearer (in correlation, 0 to 2) the
    pictures of the first are to each other than to the second. `doubts`: what calibration could not put right, in
    words; a deck that is read from its folder has none.
    """

    name: str
    game: str
    folder: Path
    classes: tuple[CardClass, ...]
    table: tuple[DeckTable, ...] = ()
    weakest: tuple[tuple[str, str, float], ...] = ()
    extra: dict[str, object] = field(default_factory=dict)
    doubts: tuple[str, ...] = ()


def load_profile(deck: str | Path | None, game: str | None = None) -> DeckProfile:
    """The deck named, or in the folder given; without a name the last one calibrated for the game.

    A name is looked up in the user's data folder, then among the shipped decks. `game` `cards` or None takes a deck
    of any game. Raises InputError where there is no such deck, it is for another game, or its folder is damaged.
    """
    from durian_assist.vision.deck_files import read_profile
    from durian_assist.vision.deck_shelf import default_folder, folder_of

    wanted = game or "cards"
    return read_profile(default_folder(wanted) if deck is None else folder_of(deck, wanted), game)
