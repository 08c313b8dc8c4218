"""What the reading of one Dash photo sees, and a deck prepared for it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from durian_assist.vision.dash_library import Library, build_library
from durian_assist.vision.dash_plane import ENOUGH_FOR_FOCAL, Floats, Pose
from durian_assist.vision.dash_sheet import Sheet
from durian_assist.vision.deck_profile import DeckProfile
from durian_assist.vision.rectify import Mask, blown, median

# Heights of a card in pixels: where cards are named, where strips of them are looked for,
# where colours are, where cards are looked for in the whole photo.
FINE, COARSE, ROUGH, SEEK = 96, 48, 32, 16
# The probability given at most to a name that a person should look at.
UNSURE = 0.5
# Of a piece that was laid a few pixels off for another class, its own class fits worse by this at most.
RIVAL = 0.1


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card in the photo: `corners` (4, 2) photo pixels, own top left first, clockwise, also where it is covered.

    `place` is its centre on the table, in card heights, the table seen as the cards stand upright. `candidates` holds
    the names that may be right, best first, and is empty where the name is sure. `middling`: it matches worse than
    right cards do in any light. `seen`: whatever lies on it, a strip of it is surely a card's.
    """

    name: str
    confidence: float
    corners: Floats
    place: tuple[float, float]
    candidates: tuple[str, ...] = ()
    middling: bool = False
    seen: bool = False


@dataclass(frozen=True, slots=True)
class SeenTable:
    """`cards` of the varieties; `others`: preference cards, plantations, backs.

    `support`: how many cards, found before the plane was known, it rests on; `mended`: some of them were found on the
    plane of the others. Where those are few, `alone` tells that nothing else in the photo has the cards' colours or may
    be one for another reason, and `maybe` what may.
    """

    cards: tuple[SeenCard, ...] = ()
    others: tuple[SeenCard, ...] = ()
    support: int = 0
    alone: bool = False
    maybe: tuple[SeenCard, ...] = ()
    mended: bool = False

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
    def senseless(self) -> bool:
        """Whether many cards were met on the plane of a few and most of them are in doubt: on a wrong plane the pattern
        of a cloth looks a little like cards everywhere, and a person would be asked about dozens."""
        many = len(self.cards) >= 2 * ENOUGH_FOR_FOCAL
        return many and self.support < ENOUGH_FOR_FOCAL and 2 * self.doubts > len(self.cards)

    @property
    def thin(self) -> bool:
        """Whether cards were met on a plane that nothing vouches for, so that there may be more of them."""
        few = self.mended or (self.support < ENOUGH_FOR_FOCAL and not self.sound)
        return len(self.cards) > 0 and few and not self.alone


@dataclass(frozen=True)
class DashDeck:
    """A deck's classes at the sizes that the reading works in; `aspect` is a card's width over its height."""

    aspect: float
    everything: Library
    fine: Library
    coarse: Library
    seek: Library
    others: Library | None

    def rival(self, sheet: Sheet, pose: Pose, visible: Mask) -> tuple[Pose, int] | None:
        """The class of `everything` that is no variety, upright or upside down at `pose`, where it fits what is
        `visible` (h, w) there nearly as well as the varieties do or better."""
        size = self.everything.size
        shown = cv2.resize(visible.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
        turned = [Pose(pose.x, pose.y, pose.angle + turn) for turn in (0.0, np.pi)]
        cut = sheet.cut(pose, size, size[1])
        use = shown & ~blown(cut)
        scores = [self.everything.local(cut, use), self.everything.local(cut[::-1, ::-1], use[::-1, ::-1])]
        own = [is_variety(name) for name in self.everything.names]
        best = float(np.max([score[own] for score in scores]))
        turn, kind = divmod(int(np.argmax([np.where(own, -1.0, score) for score in scores])), len(own))
        return (turned[turn], kind) if scores[turn][kind] >= best - RIVAL else None


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
