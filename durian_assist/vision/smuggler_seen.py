"""The cards of a Smuggler table that a photo surely shows, before anything is known of the grid.

Outlines give places to look at; what the deck's references confirm is a card, whatever its outline; the sure cards give
the table's plane, and what does not have the shape of a card on it goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from durian_assist.vision.outlines import Outline, outlines, signed_area
from durian_assist.vision.recognise import ROUGHLY_ALIKE, SURE_CARD, Identity, Recogniser
from durian_assist.vision.rectify import Mask, Picture, Points, median
from durian_assist.vision.table_plane import Pose, TablePlane, plane_of

MIDDLE = "centre"
SURE = 0.9
ENOUGH_SEEDS = 6
# With fewer the photo is looked at once more, smaller: blur hides outlines.
FEW_SEEDS = 3
BLURRED_SIDE = 560
MOST_TRIES = 120
# An outline is as large as a card, as the plane sees it, or it is no card (a frame printed on one, two cards in one).
SIZE = (0.84, 1.18)
# The same in the photo, while there is no plane yet: the nearest card of a grid is twice as large as its farthest.
ROUGH_SIZE = (0.5, 2.0)
# Correlation with a reference before alignment: a card has 0.5 and more, one half under glare 0.35.
LEAST_ALIKE = 0.3
# Cards of one grid overlap by millimetres; nearer than this two finds are one card.
SAME = 0.5
# Mean distance of an aligned card's corners from those of a card on the plane, in cards. A card fits to within 0.01,
# a bent one to within 0.03; what followed a print on the card or a shadow is off by more. The plane of a few seeds is
# not that good yet.
LOOSE, LOOSE_AT_FIRST = 0.03, 0.06
# Correlation as a share of the photo's usual one: cloth and wood reach two thirds of it at most, a card under a shadow
# or half under glare has seven tenths and more.
NOT_ALIKE, ALIKE = 0.5, 0.72
# What shows half as much as must be seen to be sure is a card where it is nearly as much alike as the others are.
HALF_CLEAR, AS_ALIKE = 0.5, 0.9
# The same before fine alignment, where one card is known: a frame printed on a card, taken for one, reaches this.
PRINTED = 2 / 3


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card that the references confirm, its pose (own bottom edge at the pose's bottom) on the plane."""

    identity: Identity
    pose: Pose


@dataclass(frozen=True, slots=True)
class SeenCards:
    """`cards` on their plane; `outlines` as found; `recogniser` under the light of this photo."""

    cards: tuple[SeenCard, ...]
    plane: TablePlane
    outlines: tuple[Outline, ...]
    recogniser: Recogniser

    @property
    def usual(self) -> float:
        """The usual correlation of this photo's cards with their references."""
        return usual_score(self.cards)

    @property
    def alike(self) -> float:
        """How much a card of this photo correlates at least once it is roughly aligned; see `PRINTED`."""
        return max(ROUGHLY_ALIKE, PRINTED * self.usual)

    def sure(self, found: Iterable[Identity]) -> list[Identity]:
        """What is surely a card among finds at places that no outline showed, its name in doubt or not."""
        return [i for i in found if i.best.score >= ALIKE * self.usual and self._is_card(i)]

    def _is_card(self, seen: Identity) -> bool:
        """Too bright a photo leaves little of a card to be sure of: then how well it agrees with that tells."""
        return seen.card >= SURE or (seen.card >= HALF_CLEAR and seen.best.score >= AS_ALIKE * self.usual)


def usual_score(cards: Sequence[SeenCard]) -> float:
    """The median of some cards' correlations with their references."""
    return float(median([c.identity.best.score for c in cards])) if cards else 1.0


def seen_cards(picture: Picture, recogniser: Recogniser) -> SeenCards | Sequence[Outline]:
    """The sure cards of a photo; only the outlines where there is none."""
    found = outlines(picture)
    looks: dict[int, Identity] = {}
    seeds = _seeds(picture, recogniser, found, looks, range(MOST_TRIES))
    if len(seeds) < FEW_SEEDS:
        found += outlines(picture, BLURRED_SIDE)
        seeds = _seeds(picture, recogniser, found, looks, range(MOST_TRIES))
    if not seeds:
        found += outlines(picture, BLURRED_SIDE, hues=True)
        seeds = _seeds(picture, recogniser, found, looks, range(len(found)))
    if seeds and recogniser.tinted:
        recogniser = recogniser.under_light_of(picture, seeds)
        likely = [i for i in sorted(looks) if looks[i].card > 0 or _nearly(looks[i])]
        looks = {}
        seeds = _seeds(picture, recogniser, found, looks, likely)
    if not seeds:
        return found
    plane, cards = on_plane(_confirmed(picture, recogniser, found, looks, seeds))
    return SeenCards(cards, plane, tuple(found), recogniser)


def on_plane(sure: Sequence[Identity]) -> tuple[TablePlane, tuple[SeenCard, ...]]:
    """The plane of some cards, and those that have a card's shape on it."""
    plane = plane_of([i.corners for i in sure])
    return plane, tuple(_single([SeenCard(i, plane.pose(i.corners)) for i in sure]))


def _seeds(
    picture: Picture,
    recogniser: Recogniser,
    found: Sequence[Outline],
    looks: dict[int, Identity],
    numbers: Iterable[int],
) -> list[Identity]:
    """The first few cards that are beyond doubt, among outlines of these numbers; as cards only, where colours wait for
    the photo's white.

    `looks`: what lies in the outlines that were looked at already, by number; it is added to.
    """
    search = _SeedSearch(picture, recogniser, found, looks)
    for i in numbers:
        if i < len(found) and len(search.seeds) < ENOUGH_SEEDS:
            search.try_outline(i, SURE_CARD)
    # What is nearly a card once it is roughly aligned is a frame printed on one, mostly: it comes last.
    nearly = sorted((i for i, seen in looks.items() if _nearly(seen)), key=lambda i: -looks[i].best.score)
    for i in nearly:
        if len(search.seeds) < FEW_SEEDS:
            search.try_outline(i, ROUGHLY_ALIKE)
    return search.seeds


@dataclass(slots=True)
class _SeedSearch:
    """Looks into `found` outlines for `seeds`; `looks` as for `_seeds`."""

    picture: Picture
    recogniser: Recogniser
    found: Sequence[Outline]
    looks: dict[int, Identity]
    seeds: list[Identity] = field(default_factory=list)

    def try_outline(self, number: int, alike: float) -> None:
        """Take an outline for a seed where it is one beyond doubt; `alike` as for `identify`."""
        quad = self.found[number].quad
        if not self._sized(number) or any(_on(seed, quad[None]).any() for seed in self.seeds):
            return
        alike = max(alike, PRINTED * _best_score(self.seeds))
        if number not in self.looks or (_nearly(self.looks[number]) and alike < self.looks[number].best.score):
            self.looks[number] = self.recogniser.identify(self.picture, quad, least=LEAST_ALIKE, alike=alike)
        seen = self.looks[number]
        named = self.recogniser.photo_white is not None or not self.recogniser.tinted
        if (seen.confidence if named else seen.card) >= SURE:
            self._add(seen)

    def _add(self, seen: Identity) -> None:
        """One more seed; what was a print, as it is so much less alike, goes."""
        least = PRINTED * _best_score([*self.seeds, seen])
        self.seeds = [seed for seed in [*self.seeds, seen] if seed.best.score >= least]

    def _sized(self, number: int) -> bool:
        """Is an outline nearly as large as the seeds, once there are some?"""
        if len(self.seeds) < FEW_SEEDS:
            return True
        size = self.found[number].side / float(median([np.sqrt(abs(signed_area(seed.corners))) for seed in self.seeds]))
        return ROUGH_SIZE[0] < size < ROUGH_SIZE[1]


def _nearly(seen: Identity) -> bool:
    """Was it left at a rough alignment that came near to a reference?"""
    return seen.card == 0 and seen.best.score >= ROUGHLY_ALIKE


def _best_score(found: Sequence[Identity]) -> float:
    return max((identity.best.score for identity in found), default=0.0)


def _quads_of(found: Sequence[Outline]) -> Points:
    """The quads (n, 4, 2) of some outlines."""
    return np.stack([o.quad for o in found]) if found else np.zeros((0, 4, 2))


def _on(card: Identity, quads: Points) -> Mask:
    """Which of some quads (n, 4, 2) lie on a card that was found."""
    side = float(np.linalg.norm(card.corners[0] - card.corners[2])) / np.sqrt(2)
    return np.asarray(np.linalg.norm(quads.mean(1) - card.corners.mean(0), axis=1) < SAME * side, np.bool_)


def _confirmed(
    picture: Picture,
    recogniser: Recogniser,
    found: Sequence[Outline],
    looks: Mapping[int, Identity],
    seeds: Sequence[Identity],
) -> list[Identity]:
    """The seeds and every other outline of card size that is surely a card, its name in doubt or not.

    `looks`: what lies in the outlines that were looked at already, by number.
    """
    sure = list(seeds)
    plane = plane_of([i.corners for i in seeds])
    usual = float(median([i.best.score for i in seeds]))
    quads = _quads_of(found)
    sides = plane.sides(quads)
    wanted = (sides.min(1) > SIZE[0]) & (sides.max(1) < SIZE[1])
    for seed in seeds:
        wanted &= ~_on(seed, quads)
    for i, quad in enumerate(quads):
        if not wanted[i]:
            continue
        identity = (
            looks[i]
            if i in looks and looks[i].card > 0
            else recogniser.identify(picture, quad, least=LEAST_ALIKE, alike=max(ROUGHLY_ALIKE, NOT_ALIKE * usual))
        )
        if identity.card >= SURE and plane.pose(identity.corners).misfit <= LOOSE_AT_FIRST:
            sure.append(identity)
            wanted &= ~_on(identity, quads)
    return sure


def _single(cards: Sequence[SeenCard]) -> list[SeenCard]:
    """One find for each card: that with the best correlation; what does not have a card's shape on the plane goes."""
    kept: list[SeenCard] = []
    for card in sorted(cards, key=lambda c: -c.identity.best.score):
        if card.pose.misfit > LOOSE:
            continue
        if all(np.hypot(card.pose.x - k.pose.x, card.pose.y - k.pose.y) > SAME for k in kept):
            kept.append(card)
    return kept
