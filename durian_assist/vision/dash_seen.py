"""What the reading of one Dash photo sees, and a deck prepared for it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from durian_assist.vision.dash_library import Library, build_library
from durian_assist.vision.dash_plane import ENOUGH_FOR_FOCAL, Floats
from durian_assist.vision.deck_profile import DeckProfile
from durian_assist.vision.rectify import median

# Heights of a card in pixels: where cards are named, where strips of them are looked for,
# where colours are, where cards are looked for in the whole photo.
FINE, COARSE, ROUGH, SEEK = 96, 48, 32, 16
# The probability given at most to a name that a person should look at.
UNSURE = 0.5


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card in the photo: `corners` (4, 2) photo pixels, own top left first, clockwise, also where it is covered.

    `place` is its centre on the table, in card heights, the table seen as the cards stand upright. `candidates` holds
    the names that may be right, best first, and is empty where the name is sure. `middling`: it matches worse than
    right cards do in any light.
    """

    name: str
    confidence: float
    corners: Floats
    place: tuple[float, float]
    candidates: tuple[str, ...] = ()
    middling: bool = False


@dataclass(frozen=True, slots=True)
class SeenTable:
    """`cards` of the varieties; `others`: preference cards, plantations, backs.

    `support`: how many cards, found before the plane was known, it rests on. Where they are few, `alone` tells that
    nothing else in the photo has the cards' colours.
    """

    cards: tuple[SeenCard, ...] = ()
    others: tuple[SeenCard, ...] = ()
    support: int = 0
    alone: bool = False

    def doubted(self) -> SeenTable:
        """The same with its middling cards in doubt: on a plane that is a little off they may lie beside their places,
        where they look like other classes."""
        cards = [
            replace(card, confidence=min(card.confidence, UNSURE), candidates=(card.name,))
            if card.middling and not card.candidates
            else card
            for card in self.cards
        ]
        return replace(self, cards=tuple(cards))

    @property
    def doubts(self) -> int:
        """How many cards are not sure."""
        return sum(bool(card.candidates) for card in self.cards)

    @property
    def sound(self) -> bool:
        """Whether the table was understood: a wrong plane leaves few cards, and those in doubt.

        The plane of a few cards may be a little off, so that cards far from them are not met and are missing without a
        word. It is right if at least as many cards as fix a plane well were met on it, each of them surely, or if there
        is nothing else to be met.
        """
        if self.support >= ENOUGH_FOR_FOCAL or self.alone:
            return len(self.cards) > 0 and self.doubts <= len(self.cards) / 3
        return len(self.cards) >= ENOUGH_FOR_FOCAL and not self.doubts

    @property
    def thin(self) -> bool:
        """Whether cards were met on a plane that nothing vouches for, so that there may be more of them."""
        return len(self.cards) > 0 and self.support < ENOUGH_FOR_FOCAL and not self.alone and not self.sound


@dataclass(frozen=True)
class DashDeck:
    """A deck's classes at the sizes that the reading works in; `aspect` is a card's width over its height."""

    aspect: float
    everything: Library
    fine: Library
    coarse: Library
    seek: Library
    others: Library | None


def is_variety(name: str) -> bool:
    """Whether a class is a variety that counts in a collection; backs, plantations, preferences have a slash."""
    return "/" not in name


def dash_deck(profile: DeckProfile) -> DashDeck:
    """Prepare a profile. Varieties share one size; the median evens out the noise of calibration."""
    varieties = [kind for kind in profile.classes if is_variety(kind.name)]
    aspect = float(median([kind.aspect for kind in varieties]))
    everything = build_library(profile.classes, round(aspect * COARSE), COARSE)
    others = everything.without([kind.name for kind in varieties])
    fine = build_library(varieties, round(aspect * FINE), FINE)
    coarse = fine.at(COARSE)
    return DashDeck(aspect, everything, fine, coarse, coarse.at(SEEK), others)
