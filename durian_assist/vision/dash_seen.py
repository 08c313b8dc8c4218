"""What the reading of one Dash photo sees, and a deck prepared for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from durian_assist.vision.dash_library import Library, build_library
from durian_assist.vision.dash_plane import Floats
from durian_assist.vision.deck_profile import CardClass, DeckProfile
from durian_assist.vision.rectify import median

# Heights of a card in pixels: where cards are named, where strips of them are looked for, where whole cards are,
# where they are searched for in the whole photo.
FINE, COARSE, ROUGH, TINY = 96, 48, 32, 24


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card in the photo: `corners` (4, 2) photo pixels, own top left first, clockwise, also where it is covered.

    `place` is its centre on the table, in card heights, the table seen as the cards stand upright. `candidates` holds
    the names that may be right, best first, and is empty where the name is sure.
    """

    name: str
    confidence: float
    corners: Floats
    place: tuple[float, float]
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeenTable:
    """`cards` of the varieties; `others`: preference cards, plantations, backs."""

    cards: tuple[SeenCard, ...] = ()
    others: tuple[SeenCard, ...] = ()

    @property
    def doubts(self) -> int:
        """How many cards are not sure."""
        return sum(bool(card.candidates) for card in self.cards)

    @property
    def sound(self) -> bool:
        """Whether the table was understood: a wrong plane leaves few cards, and those in doubt."""
        return len(self.cards) > 0 and self.doubts <= len(self.cards) / 3


@dataclass(frozen=True)
class DashDeck:
    """A deck's classes at the sizes that the reading works in; `aspect` is a card's width over its height."""

    aspect: float
    everything: Library
    fine: Library
    coarse: Library
    tiny: Library
    others: Library | None
    tiny_others: Library | None


def is_variety(name: str) -> bool:
    """Whether a class is a variety that counts in a collection; backs, plantations, preferences have a slash."""
    return "/" not in name


def dash_deck(profile: DeckProfile) -> DashDeck:
    """Prepare a profile. Varieties share one size; the median evens out the noise of calibration."""
    varieties = [kind for kind in profile.classes if is_variety(kind.name)]
    others = [kind for kind in profile.classes if not is_variety(kind.name)]
    aspect = float(median([kind.aspect for kind in varieties]))

    def library(classes: Sequence[CardClass], height: int) -> Library:
        return build_library(classes, round(aspect * height), height)

    return DashDeck(
        aspect,
        library(profile.classes, COARSE),
        library(varieties, FINE),
        library(varieties, COARSE),
        library(varieties, TINY),
        library(others, COARSE) if others else None,
        library(others, TINY) if others else None,
    )
