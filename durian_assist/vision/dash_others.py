"""Pieces on a Dash table that are no variety: backs, plantations, preference cards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from durian_assist.vision.dash_judge import DOUBT, HINT
from durian_assist.vision.dash_library import SURE, as_pixels
from durian_assist.vision.dash_parts import OTHER_HALF, TURNS, WHOLE, Part, PartSearch
from durian_assist.vision.dash_plane import Floats, Pose, TablePlane, pose_of
from durian_assist.vision.dash_seeds import CERTAIN, LIKELY, Seed, SeedFinder, apart
from durian_assist.vision.dash_seen import DashDeck, SeenCard, is_variety
from durian_assist.vision.dash_whole import NEAR_GAP, near
from durian_assist.vision.layers import MOSTLY_FREE, Explanation, Laid
from durian_assist.vision.rectify import Picture, blown, canvas_to_photo

# So many places in a gap are looked at closely.
MOST_AT_GAP = 3
# Two plantations, some draw decks, a preference card: more pieces that are no variety are not looked at closely.
MOST_OTHERS = 12
# What is no edge of a piece, nor what a hand or a sleeve leaves beside it.
INSIDE = Part(0.1, 0.1, 0.9, 0.9)


class OtherCards:
    """Finds them by `seeds` (outlines and what looked like a variety at first) and at places of the plane."""

    def __init__(
        self,
        picture: Picture,
        plane: TablePlane,
        deck: DashDeck,
        finder: SeedFinder,
        layers: Explanation,
        seeds: Sequence[Seed],
    ) -> None:
        self.picture, self.plane, self.deck, self.finder, self.layers = picture, plane, deck, finder, layers
        self.seeds = list(seeds)
        self.unmasked: list[SeenCard] = []

    def unmask(self, laid: Laid) -> bool:
        """Whether what looks like a variety is surely another piece: a draw deck beside a market is none of its cards.

        Then it is kept as a seed, and among the `unmasked`.
        """
        if self.deck.others is None or laid.share <= MOSTLY_FREE:
            return False
        rival = self.deck.rival(self.layers.sheet, laid.pose, laid.visible)
        if rival is None:
            return False
        seed = self.finder.aligned(self.picture, Seed(self._photo_corners(rival[0]), rival[1], laid.score))
        other = self._named(seed)
        if seed.score < CERTAIN or is_variety(other.name) or other.candidates:
            return False
        self.seeds.insert(0, seed)
        self.unmasked.append(other)
        return True

    def late(self, others: Iterable[SeenCard]) -> list[SeenCard]:
        """The unmasked that are not among the others."""
        known = [self._pose(other.corners) for other in others]
        return [o for o in self.unmasked if not any(near(self._pose(o.corners), pose) for pose in known)]

    def outlined(self) -> list[SeenCard]:
        """Those of the seeds."""
        return self._aligned(self.seeds)

    def complete(self, others: Sequence[SeenCard]) -> bool:
        """Whether nothing but draw decks can be left: a player has one preference card, the market two plantations."""
        kinds = [card.name.partition("/")[0] for card in others if not card.candidates]
        return "pref" in kinds or kinds.count("plantation") > 1

    def searched(self, places: Sequence[Pose]) -> list[SeenCard]:
        """Those of the seeds and at places where a search of the table finds some."""
        return self._aligned([*self.seeds, *self._seeds_at(places, HINT)])

    def lying_at(self, places: Sequence[Pose]) -> list[SeenCard]:
        """Those at places where something lies.

        That known, a card need not match well if no other class comes near it: thin lines fade in a small picture.
        """
        if self.deck.others is None:
            return []
        search = PartSearch(self.layers.coarse.sheet, self.deck.others.shapes)
        spread = (round(NEAR_GAP * search.size[0]), round(NEAR_GAP * search.size[1]))
        likely = [
            proposal.pose
            for place in places
            for turn in (0.0, np.pi)
            for proposal in search.around(Pose(place.x, place.y, turn), WHOLE, spread, TURNS, HINT)[:MOST_AT_GAP]
        ]
        found = self._aligned(self._seeds_at(likely, HINT), DOUBT)
        return [card for card in found if not card.candidates and self._shows_in_halves(card)]

    def _shows_in_halves(self, other: SeenCard) -> bool:
        """Whether each half of a place is a little like the piece seen there: a card of which something covers a half
        may be like it in the other one alone."""
        library = self.finder.bank
        cut = self.picture.warp(canvas_to_photo(other.corners, library.size), library.size)
        kind, clear = library.names.index(other.name), ~blown(cut)
        for x0, y0, x1, y1 in (part.box(library.size) for part in OTHER_HALF):
            half = np.zeros(clear.shape, np.bool_)
            half[y0:y1, x0:x1] = clear[y0:y1, x0:x1]
            if half.any() and library.local(cut, half)[kind] < HINT:
                return False
        return True

    def _printed_inside(self, other: SeenCard) -> bool:
        """Whether what lies within the edges of a place is a little like the piece seen there: a plain thing, as a
        telephone is, matches by its edges alone. Of a piece that is plain itself nothing is asked."""
        library = self.finder.bank
        cut = self.picture.warp(canvas_to_photo(other.corners, library.size), library.size)
        kind, inside = library.names.index(other.name), INSIDE.mask(library.size)
        clear = inside & ~blown(cut)
        own = library.local(as_pixels(library.pictures[kind]), inside)[kind]
        return not clear.any() or bool(library.local(cut, clear)[kind] >= HINT * own)

    def _seeds_at(self, places: Sequence[Pose], least: float = LIKELY) -> list[Seed]:
        return self.finder.upright(self.picture, [self._photo_corners(pose) for pose in places], least)

    def _aligned(self, seeds: Sequence[Seed], least: float = CERTAIN) -> list[SeenCard]:
        names = self.finder.bank.names
        likely = [seed for seed in apart(seeds) if not is_variety(names[seed.kind]) and self._free(seed)]
        aligned = [self.finder.aligned(self.picture, seed) for seed in likely[:MOST_OTHERS]]
        found = [self._named(s) for s in aligned if s.score >= least and not is_variety(names[s.kind])]
        return [other for other in found if self._printed_inside(other)]

    def _free(self, seed: Seed) -> bool:
        """Whether no card was laid there."""
        pose = self._pose(seed.corners)
        return not any(near(pose, laid.pose) for laid in self.layers.laid)

    def _named(self, seed: Seed) -> SeenCard:
        library = self.finder.bank
        cut = self.picture.warp(canvas_to_photo(seed.corners, library.size), library.size)
        verdict = library.verdict(cut, ~blown(cut))
        sure = verdict.confidence >= SURE
        place = self._pose(seed.corners).centre
        return SeenCard(verdict.name, verdict.confidence, seed.corners, place, () if sure else verdict.candidates)

    def _pose(self, corners: Floats) -> Pose:
        return pose_of(self.plane.to_plane(corners), self.deck.aspect, 1.0)

    def _photo_corners(self, pose: Pose) -> Floats:
        return self.plane.to_photo(pose.rectangle(self.deck.aspect, 1.0))
