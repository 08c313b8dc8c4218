"""`read cards`: the cards of any deck, wherever they lie; without a deck they are only found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from durian_assist.errors import InputError
from durian_assist.vision.deck_profile import DeckProfile
from durian_assist.vision.find_cards import FoundCard, find_cards
from durian_assist.vision.photo import Photo
from durian_assist.vision.reading import Corner, Mark
from durian_assist.vision.recognise import Candidate, Identity, Recogniser
from durian_assist.vision.rectify import Picture

# A card that is less sure than this is uncertain; one that is hardly a piece of the deck is left out.
SURE = 0.9
NO_PIECE = 0.05
# Names less probable than this are no candidates.
POSSIBLE = 0.02
# Games whose tables have a reader of their own.
_TABLES = ("smuggler", "durian", "dash")
# Logarithm of how far a piece may seem longer or shorter than it is, seen askew.
ASKEW = 0.45


@dataclass(frozen=True, slots=True)
class ReadCard:
    """A card in the photo. `kind` is None without a deck; `corners` start at the card's own top left where it has a
    kind, else at the corner nearest the photo's; `candidates` are the kinds that it may be, best first."""

    kind: str | None
    confidence: float
    corners: tuple[Corner, ...]
    candidates: tuple[str, ...] = ()

    @property
    def uncertain(self) -> bool:
        return bool(self.candidates)


@dataclass(frozen=True, slots=True)
class CardsReading:
    """All cards found in a photo, from far to near.

    `game` is that of the deck, or empty without one; `nameless` counts the outlines of the cards' size that look like
    no piece of the deck.
    """

    cards: tuple[ReadCard, ...]
    game: str = ""
    nameless: int = 0

    @property
    def uncertain(self) -> tuple[ReadCard, ...]:
        """The cards whose kind needs a person."""
        return tuple(card for card in self.cards if card.uncertain)

    @property
    def collection(self) -> dict[str, int]:
        """How many of each kind, by the best guess."""
        return dict(sorted(Counter(card.kind for card in self.cards if card.kind is not None).items()))

    @property
    def notes(self) -> tuple[str, ...]:
        """What the answer does not hold: cards are found by their own outlines, which those that touch or overlap
        one another do not show whole."""
        missing = "Cards that touch or overlap one another may be missing here"
        whole = f"`durian-assist read {self.game}` reads a whole table" if self.game in _TABLES else ""
        advice = f"{missing}: {whole or 'lay them apart'}."
        if not self.nameless:
            return (advice,)
        more, verb = ("s", "look") if self.nameless > 1 else ("", "looks")
        return (advice, f"{self.nameless} more outline{more} of their size {verb} like no card of this deck.")

    def to_json(self) -> dict[str, object]:
        """The JSON of `read cards`."""
        return {
            "cards": [
                {"kind": card.kind, "confidence": round(card.confidence, 3), "corners": _listed(card.corners)}
                for card in self.cards
            ],
            "collection": self.collection,
            "uncertain": [
                {"corners": _listed(card.corners), "candidates": list(card.candidates)} for card in self.uncertain
            ],
            "notes": list(self.notes),
        }

    def marks(self) -> list[Mark]:
        """Every card as an overlay shows it."""
        return [
            Mark(f"cards.{number}", card.kind or str(number), card.corners, card.confidence, card.uncertain)
            for number, card in enumerate(self.cards, 1)
        ]

    def summary(self) -> str:
        """For people: how many cards, and of which kinds."""
        count = f"{len(self.cards)} card{'s' if len(self.cards) != 1 else ''} found"
        notes = "".join(f"\n{note}" for note in self.notes)
        if not self.collection:
            return f"{count}. With --deck they are named too.{notes}"
        kinds = "\n".join(f"{number:>4}  {kind}" for kind, number in self.collection.items())
        doubt = "".join(
            f"\nuncertain: card {number}: {' or '.join(card.candidates)}"
            for number, card in enumerate(self.cards, 1)
            if card.uncertain
        )
        return f"{count}\n{kinds}{doubt}{notes}"


def read_cards(photo: Photo, profile: DeckProfile | None) -> CardsReading:
    """The cards of one size in the photo, named where a deck is given. Raises InputError where there are none."""
    found = find_cards(photo.pixels)
    if profile is None:
        cards, game = [_plain(card) for card in found], ""
    else:
        cards, game = _named(photo, found, profile), profile.game
    if not cards:
        whose = f" of the deck {profile.name}" if profile is not None and found else ""
        raise InputError(
            f"no cards{whose} found in this photo",
            where=photo.name,
            mend="Show all of the cards, apart from one another, on a table of another colour, in even light.",
        )
    return CardsReading(tuple(cards), game, len(found) - len(cards))


def _plain(card: FoundCard) -> ReadCard:
    return ReadCard(None, card.quality, _corners(card.corners))


def _named(photo: Photo, found: Sequence[FoundCard], profile: DeckProfile) -> list[ReadCard]:
    picture = Picture(photo.pixels)
    recogniser = Recogniser([card for card in profile.classes if card.four_sided])
    named = [(card, _identified(recogniser, picture, card)) for card in found]
    return [_read(card, identity) for card, identity in named if identity is not None and identity.card > NO_PIECE]


def _identified(recogniser: Recogniser, picture: Picture, card: FoundCard) -> Identity | None:
    """The best answer among the sizes of pieces whose shape the card may have."""
    sides = np.linalg.norm(np.roll(card.corners, -1, axis=0) - card.corners, axis=1)
    seen = float(np.log((sides[0] + sides[2]) / (sides[1] + sides[3])))
    answers = []
    for group, aspect in recogniser.groups.items():
        rotations = [r for r in range(4) if abs(seen - (-1) ** r * np.log(aspect)) < ASKEW]
        if rotations:
            answers.append(recogniser.identify(picture, card.corners.astype(np.float64), rotations, group=group))
    return max(answers, key=lambda answer: answer.confidence, default=None)


def _read(card: FoundCard, identity: Identity) -> ReadCard:
    confidence = identity.confidence * (0.5 + 0.5 * card.quality)
    best = identity.best.name
    candidates = () if confidence >= SURE else _names(identity.ranked)
    return ReadCard(best, confidence, _corners(identity.corners), candidates)


def _names(ranked: Sequence[Candidate]) -> tuple[str, ...]:
    """The kinds that come into question, each once."""
    likely = [candidate.name for candidate in ranked if candidate.probability > POSSIBLE]
    return tuple(dict.fromkeys(likely or [ranked[0].name]))


def _corners(corners: NDArray[np.floating]) -> tuple[Corner, ...]:
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in corners)


def _listed(corners: Sequence[Corner]) -> list[list[float]]:
    return [list(corner) for corner in corners]
