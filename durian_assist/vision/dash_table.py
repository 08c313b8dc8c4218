"""A table of Dash cards in one photo: from outlines to the plane, to layers of cards, to names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from durian_assist.vision.dash_library import SURE, Library, build_library
from durian_assist.vision.dash_plane import Floats, Pose, fit_plane, pose_of
from durian_assist.vision.dash_seeds import CERTAIN, Aligners, Seed, SeedFinder, apart, outlines
from durian_assist.vision.deck_profile import CardClass, DeckProfile, Pixels
from durian_assist.vision.layers import (
    FINE_TURNS,
    LEAST_SHARE,
    TURNS,
    WHOLE,
    Explanation,
    Laid,
    PartSearch,
    Sheet,
    draw_sheet,
)
from durian_assist.vision.rectify import Picture, blown, canvas_to_photo

# Heights of a card in pixels: where cards are named, where strips of them are looked for, where whole cards are.
FINE, COARSE, ROUGH = 96, 48, 32
# A strip that is 4 degrees askew still correlates by this much with its class.
WORTH_A_LOOK = 0.4
# Right cards correlate by 0.74 and more in every light measured, misplaced ones by 0.26 at most.
ACCEPT, DOUBT = 0.55, 0.35
# With more of what is free of a card lost to glare, a person should look.
MOST_GLARE = 0.25
# An outline of the card's size to within this share is a card, whatever glare has left of it.
SIZE_TOLERANCE = 0.06
# Cards lie within this many card heights of those found by their outline.
REACH = 8.0
MOST_PIXELS = 6_000_000
PLANE_SEEDS = 6
# A bent card or a plane a little off: more is a fit gone astray, in shares of the card's height.
MOST_MOVE = 0.05
# The probability given to a name that a person should look at.
UNSURE = 0.5


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

    cards: tuple[SeenCard, ...]
    others: tuple[SeenCard, ...]


def is_variety(name: str) -> bool:
    """Whether a class is a variety that counts in a collection; backs, plantations, preferences have a slash."""
    return "/" not in name


@dataclass(frozen=True)
class DashDeck:
    """A deck's classes at the sizes that the reading works in."""

    aspect: float
    everything: Library
    fine: Library
    coarse: Library
    rough: Library
    rough_others: Library | None


def dash_deck(profile: DeckProfile) -> DashDeck:
    """Prepare a profile. Varieties share one size; the median evens out the noise of calibration."""
    varieties = [kind for kind in profile.classes if is_variety(kind.name)]
    others = [kind for kind in profile.classes if not is_variety(kind.name)]
    aspect = float(np.median([kind.aspect for kind in varieties]))

    def library(classes: Sequence[CardClass], height: int) -> Library:
        return build_library(classes, round(aspect * height), height)

    return DashDeck(
        aspect,
        library(profile.classes, COARSE),
        library(varieties, FINE),
        library(varieties, COARSE),
        library(varieties, ROUGH),
        library(others, ROUGH) if others else None,
    )


def read_table(pixels: Pixels, deck: DashDeck) -> SeenTable:
    """Every card of the table in a photo (height, width, 3)."""
    picture = Picture(pixels)
    finder = SeedFinder(deck.everything)
    quads = outlines(pixels)
    seeds = finder.seeds(picture, quads)
    if not _trusted(picture, finder, seeds):
        quads = outlines(pixels, thorough=True)
        seeds = finder.seeds(picture, quads)
    trusted = _trusted(picture, finder, seeds)
    if not trusted:
        return SeenTable((), ())
    return _TableReader(picture, deck, finder, quads, seeds, trusted).read()


def _trusted(picture: Picture, finder: SeedFinder, seeds: Sequence[Seed]) -> list[Seed]:
    """The best variety seeds, aligned, on which the plane may rest."""
    names = finder.library.names
    likely = [seed for seed in seeds if is_variety(names[seed.kind])]
    aligned = [finder.aligned(picture, seed) for seed in likely[:PLANE_SEEDS]]
    return [seed for seed in aligned if seed.score >= CERTAIN and is_variety(names[seed.kind])]


class _TableReader:
    def __init__(
        self,
        picture: Picture,
        deck: DashDeck,
        finder: SeedFinder,
        quads: Sequence[Floats],
        seeds: Sequence[Seed],
        trusted: Sequence[Seed],
    ) -> None:
        self.picture, self.deck, self.finder, self.quads = picture, deck, finder, quads
        height, width = picture.pixels.shape[:2]
        self.plane = fit_plane([seed.corners for seed in trusted], deck.aspect, (width, height))
        self.poses = [self._pose(seed.corners) for seed in seeds if is_variety(finder.library.names[seed.kind])]
        self.sheet = self._draw(trusted)
        self.rough = self.sheet.at(ROUGH)
        self.others = self._others(seeds)
        self.fine = PartSearch(self.sheet, deck.fine)
        coarse = PartSearch(self.sheet.at(COARSE), deck.coarse)
        self.layers = Explanation(coarse, self.fine, deck.fine)
        self.aligners = Aligners(deck.fine)

    def _pose(self, corners: Floats) -> Pose:
        return pose_of(self.plane.to_plane(corners), self.deck.aspect, 1.0)

    def _draw(self, trusted: Sequence[Seed]) -> Sheet:
        height, width = self.picture.pixels.shape[:2]
        frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], float)
        edge = self.plane.to_plane(frame)
        near = self.plane.to_plane(np.array([seed.corners.mean(axis=0) for seed in trusted]))
        low = np.maximum(edge.min(axis=0), near.min(axis=0) - REACH)
        high = np.minimum(edge.max(axis=0), near.max(axis=0) + REACH)
        area = float(np.prod(high - low))
        scale = min(FINE, (MOST_PIXELS / max(area, 1e-6)) ** 0.5)
        return draw_sheet(self.picture, self.plane, scale, low, high)

    def _others(self, seeds: Sequence[Seed]) -> list[SeenCard]:
        """Preference cards, plantations and backs, by their outlines and by a search of the table for the rest."""
        names = self.finder.library.names
        places = self._whole_cards(self.deck.rough_others) if self.deck.rough_others else []
        by_place = self.finder.seeds(self.picture, [self._photo_corners(pose) for pose in places])
        found: list[Seed] = []
        for seed in apart([*seeds, *by_place]):
            if not is_variety(names[seed.kind]):
                better = self.finder.aligned(self.picture, seed)
                if better.score >= CERTAIN and not is_variety(names[better.kind]):
                    found.append(better)
        return [self._named_other(seed) for seed in found]

    def _named_other(self, seed: Seed) -> SeenCard:
        library = self.finder.library
        cut = self.picture.warp(canvas_to_photo(seed.corners, library.size), library.size)
        verdict = library.verdict(cut, ~blown(cut))
        sure = verdict.confidence >= SURE
        place = self._pose(seed.corners).centre
        return SeenCard(verdict.name, verdict.confidence, seed.corners, place, () if sure else verdict.candidates)

    def read(self) -> SeenTable:
        proposals = [
            better
            for pose in [*self.poses, *self._whole_cards(self.deck.rough)]
            for better in self.fine.around(pose, WHOLE, (5, 5), FINE_TURNS, WORTH_A_LOOK / 2)[:1]
        ]
        self.layers.explain(proposals, WORTH_A_LOOK, ACCEPT)
        cards = [self._named(laid) for laid in self.layers.laid]
        strangers = self._strangers([card.corners for card in [*cards, *self.others]])
        left = [self.layers.look(laid.pose) for laid in self.layers.left if laid.score >= DOUBT]
        left = [laid for laid in left if laid.score >= DOUBT and laid.share > LEAST_SHARE]
        cards += [self._unsure(laid) for laid in [*strangers, *left]]
        return SeenTable(tuple(cards), tuple(self.others))

    def _whole_cards(self, library: Library) -> list[Pose]:
        """Places where whole cards of a rough library lie, in the directions that outlines have shown."""
        rough = PartSearch(self.rough, library)
        height, width = rough.sheet.pixels.shape[:2]
        middle = np.array(self.sheet.origin) + np.array((width, height)) / 2 / ROUGH
        found: list[Pose] = []
        for quarter in sorted({round(pose.angle / (np.pi / 2)) % 4 for pose in self.poses}):
            across = (width, height) if quarter % 2 == 0 else (height, width)
            spread = ((across[0] - rough.size[0]) // 2 + 2, (across[1] - rough.size[1]) // 2 + 2)
            if min(spread) > 0:
                pose = Pose(float(middle[0]), float(middle[1]), quarter * np.pi / 2)
                found += [p.pose for p in rough.around(pose, WHOLE, spread, TURNS, WORTH_A_LOOK)]
        return found

    def _photo_corners(self, pose: Pose) -> Floats:
        return self.plane.to_photo(pose.rectangle(self.deck.aspect, 1.0))

    def _named(self, laid: Laid) -> SeenCard:
        corners, cut = self._fitted(laid)
        use = laid.visible & ~blown(cut)
        verdict = self.deck.fine.verdict(cut, use)
        glare = 1 - float(use.sum()) / max(float(laid.visible.sum()), 1.0)
        sure = verdict.confidence >= SURE and glare <= MOST_GLARE and verdict.score >= ACCEPT
        if sure:
            return SeenCard(verdict.name, verdict.confidence, corners, laid.pose.centre)
        confidence = min(verdict.confidence, UNSURE)
        return SeenCard(verdict.name, confidence, corners, laid.pose.centre, verdict.candidates)

    def _fitted(self, laid: Laid) -> tuple[Floats, Pixels]:
        """A card's corners in the photo, moved onto its class's print where that is a small step, and its picture."""
        library = self.deck.fine
        corners = self._photo_corners(laid.pose)
        cut = self.picture.warp(canvas_to_photo(corners, library.size), library.size)
        moved = self.aligners.refine(self.picture, laid.kind, corners, laid.visible)
        height = float(np.linalg.norm(corners[3] - corners[0]))
        if np.abs(moved - corners).max() > MOST_MOVE * height:
            return corners, cut
        better = self.picture.warp(canvas_to_photo(moved, library.size), library.size)
        before = library.local(cut, laid.visible & ~blown(cut)).max()
        after = library.local(better, laid.visible & ~blown(better)).max()
        return (moved, better) if after > before else (corners, cut)

    def _unsure(self, laid: Laid) -> SeenCard:
        """A card that is there or may be there, with the names that come into question."""
        size = self.deck.fine.size
        cut = self.sheet.cut(laid.pose, size, size[1])
        verdict = self.deck.fine.verdict(cut, laid.visible & ~blown(cut))
        confidence = float(np.clip(min(verdict.confidence, laid.score), 0.0, UNSURE))
        corners = self._photo_corners(laid.pose)
        return SeenCard(verdict.name, confidence, corners, laid.pose.centre, verdict.candidates)

    def _strangers(self, known: Iterable[Floats]) -> list[Laid]:
        """Outlines of a card's size where nothing is known: cards that glare or a sleeve hides."""
        centres = [self.plane.to_plane(corners).mean(axis=0) for corners in known]
        found: list[Laid] = []
        for quad in self.quads:
            pose = self._card_sized(quad)
            if pose is None or any(np.hypot(pose.x - x, pose.y - y) < 0.3 for x, y in centres):
                continue
            seen = self.layers.look(pose)
            if seen.share > 1 - MOST_GLARE:
                found.append(seen)
                self.layers.cover(pose)
                centres.append(np.array((pose.x, pose.y)))
        return found

    def _card_sized(self, quad: Floats) -> Pose | None:
        """The pose of an outline that has a card's size on the plane, upright side first."""
        corners = self.plane.to_plane(quad)
        sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
        for first in (0, 1):
            across, along = sides[first::2] / self.deck.aspect, sides[1 - first :: 2]
            if np.abs(np.concatenate([across, along]) - 1).max() < SIZE_TOLERANCE:
                turned = np.roll(corners, -first, axis=0)
                pose = pose_of(turned, self.deck.aspect, 1.0)
                if abs(pose.angle) > np.pi / 2:
                    pose = pose_of(np.roll(turned, -2, axis=0), self.deck.aspect, 1.0)
                return pose
        return None
