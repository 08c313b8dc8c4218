"""Which class of a deck is this piece, how is it turned, and how sure is that?

Zero-mean correlation of white-balanced Lab pictures with the deck's references, coarse first with small shifts, then
after alignment at full canvas size; a lead counts for as much as the references themselves differ. Nothing here knows a
deck: everything comes from the references.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from durian_assist.vision.align import Aligner
from durian_assist.vision.coarse import PLAIN, Bank, Look, Place, Start, fitted, look, turned
from durian_assist.vision.correlation import (
    View,
    features,
    probabilities,
)
from durian_assist.vision.deck_profile import CardClass
from durian_assist.vision.deck_views import DeckViews, canvas_size
from durian_assist.vision.rectify import (
    Floats,
    Mask,
    Picture,
    Points,
    blown,
    canvas_to_photo,
    clipped,
    evened,
    median,
    to_lab,
    turned_corners,
    white_of,
)

# (canvas side, rounds) of the alignment, coarse to fine.
ALIGN: Sequence[tuple[int, int]] = ((32, 5), (64, 5))
ANYTHING = -1.0  # no correlation is less: every place is taken for a piece
# Largest shift looked for, as a share of the piece's side.
REACH = 0.1
# A card that is bent or not quite on the plane: how far its corners may be off, as a share of its diagonal.
BEND = 0.05
# A piece that is looked for correlates by more once it is roughly aligned: cards by 0.48 and more, cloth up to that.
ROUGHLY_ALIKE = 0.4
# A piece that looks the same in two turns but for a band fits in either only once it is aligned in it: before that they
# lie this near to each other.
UNDECIDED = 0.05
# Below this correlation a crop is no piece of this deck: see `card_probability`.
NO_CARD, SURE_CARD = 0.35, 0.6
# Where less than this share of a piece is to be seen, nothing is sure.
ENOUGH_SHOWN = 0.3
# Where less than this share of the print that is to be seen is free of glare, neither is the rest to be trusted. Paper
# that too bright a photo shows as pure white is what it should be.
ENOUGH_CLEAR = 0.5
# Nor is a name, where less than this share of it still has a hue: what a photo that is too bright leaves of orange in
# the shade is yellow.
ENOUGH_HUE = 0.5
# Levels of lightness (0 to 100) by which a reference may be darker than its white patch and still be bare paper there.
PAPER_INK = 6.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """One answer: class name, quarter turns (the piece's own top left is corner number `turns`), correlation."""

    name: str
    turns: int
    score: float
    probability: float


@dataclass(frozen=True, slots=True)
class Identity:
    """What a piece is. `ranked` best first; `corners` (4, 2) refined, the piece's own top left first, clockwise.

    `confidence` is the probability that name and turn of the best are right; `card` that it is a piece of the deck at
    all; `glare` is the share of the piece without information (blown out, hidden or outside the frame).
    """

    ranked: tuple[Candidate, ...]
    confidence: float
    card: float
    corners: Points
    glare: float

    @property
    def best(self) -> Candidate:
        return self.ranked[0]


@dataclass(slots=True)
class Recogniser:
    """Identifies pieces against the classes of a deck or of a part of it; each call may narrow them further.

    Each picture is balanced by its own white patch, unless `photo_white` is given: then the references by that of their
    whole calibration photo and the pieces by this. Decks whose cards have no white in common need that: see `tinted`.
    """

    classes: Sequence[CardClass]
    photo_white: Floats | None = None
    views: DeckViews = field(init=False)
    _aligners: dict[tuple[str, int], Aligner] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.views = DeckViews(self.classes, self.photo_white)

    @property
    def groups(self) -> dict[str, float]:
        """Width over height of the pieces of each size group."""
        return {g: b.size[0] / b.size[1] for g, b in self.views.banks.items()}

    def under_light_of(self, picture: Picture, seen: Sequence[Identity]) -> Recogniser:
        """A recogniser for one photo, its white found from pieces already known: theirs against their references'."""
        names = {c.name: c for c in self.classes}
        ratios = []
        for identity in seen:
            w, h = next(b.coarse_size for b in self.views.banks.values() if identity.best.name in b.names)
            patch = white_of(picture.warp(canvas_to_photo(identity.corners, (w, h)), (w, h)))
            ratios.append(patch / self.views.patch(names[identity.best.name], 0))
        return Recogniser(self.classes, np.asarray(median(ratios) * self.views.deck_white(0), np.float32))

    @property
    def tinted(self) -> bool:
        """See `DeckViews.tinted`."""
        return self.views.tinted

    @property
    def contrast(self) -> float:
        """The least standard deviation of lightness (0 to 100) of any class, seen small."""
        return min(b.contrast for b in self.views.banks.values())

    def identify(
        self,
        picture: Picture,
        corners: Points,
        rotations: Sequence[int] = (0, 1, 2, 3),
        visible: Mask | None = None,
        group: str | None = None,
        only: frozenset[str] | None = None,
        reach: float = REACH,
        tilts: Sequence[float] = (0.0,),
        rigid: bool = False,
        least: float = ANYTHING,
        starts: int = 1,
        alike: float = ROUGHLY_ALIKE,
    ) -> Identity:
        """Name the piece with these (4, 2) corners, clockwise from any corner.

        `rotations`: the corner numbers at which the piece's own top left may be. `visible`: (h, w) bool of any size in
        the frame of the given corners, False where something else covers the piece. `group`: the size group (needed
        where the deck has several). `only`: class names that come into question. `reach`: how far the piece may lie
        from the corners, as a share of its side; `tilts`: by how many degrees (on the photo) it may be turned more,
        the likeliest first.
        `rigid`: the corners have the piece's true shape, seen in perspective, but may be shifted and turned. `least`:
        correlation before alignment below which the place is no card and is not looked at any closer; where it is
        given, neither is a place that correlates by less than `alike` once it is roughly aligned (the answer then has
        that correlation). `starts`: how many
        turns and tilts are aligned roughly before one is chosen.
        """
        group = group if group is not None else next(iter(self.views.banks))
        bank = self.views.banks[group]
        allowed = np.array([only is None or n in only for n in bank.names])
        place = Place(picture, np.asarray(corners, np.float64), rotations, visible, allowed, self.photo_white)
        seen = look(bank, place, reach, tilts)
        start, sizes = seen.starts[0], ALIGN
        if start.score < least:
            return _no_card(bank, seen)
        if starts > 1:
            start = self._best_start(bank, place, seen.starts[:starts], rigid)
            if start.score < alike:
                return _no_card(bank, seen)
        elif least > ANYTHING and start.score < PLAIN:
            start, sizes = self._roughly(bank, place, start, rigid), ALIGN[1:]
            near = self._near(bank, place, start)
            if near.starts[0].score < alike:
                return _no_card(bank, near)
        identity = self._identified(group, place, start, sizes, rigid)
        if identity.card == 0.0:
            return identity
        rivals = {
            s.r: s for s in reversed(seen.starts) if s.k == start.k and s.score > seen.starts[0].score - UNDECIDED
        }
        others = [
            self._identified(group, place, s, ALIGN, rigid) for r, s in rivals.items() if r != identity.best.turns
        ]
        return max([identity, *others], key=lambda one: one.best.score)

    def _identified(
        self, group: str, place: Place, start: Start, sizes: Sequence[tuple[int, int]], rigid: bool
    ) -> Identity:
        """What lies at the place, aligned from a start on canvases of these sizes."""
        bank = self.views.banks[group]
        for _ in range(2):
            at = turned_corners(self._fit(bank, place, start, sizes, rigid), -start.r)
            close = look(bank, replace(place, corners=at), 0.0, (0.0,))
            identity = self._judge(group, place, at, close.shortlist())
            if (identity.best.name, identity.best.turns) == (bank.names[start.k], start.r):
                break
            start = Start(identity.best.score, bank.names.index(identity.best.name), identity.best.turns, at)
            sizes = ALIGN
        return identity

    def _best_start(self, bank: Bank, place: Place, starts: Sequence[Start], rigid: bool) -> Start:
        """That of some starts which comes nearest to a reference after a rough alignment.

        Thin frames and plain faces correlate only where they lie within a pixel: before that the best start is luck.
        """
        tried = [self._near(bank, place, self._roughly(bank, place, start, rigid)).starts[0] for start in starts]
        return max(tried, key=lambda s: s.score)

    def _roughly(self, bank: Bank, place: Place, start: Start, rigid: bool) -> Start:
        """The start, aligned on the smallest canvas only."""
        return replace(start, corners=turned_corners(self._fit(bank, place, start, ALIGN[:1], rigid), -start.r))

    def _near(self, bank: Bank, place: Place, start: Start) -> Look:
        """What a start that is aligned comes near to."""
        return look(bank, replace(place, corners=start.corners), 0.0, (0.0,))

    def _fit(self, bank: Bank, place: Place, start: Start, sizes: Sequence[tuple[int, int]], rigid: bool) -> Points:
        """The start's corners (own top left first) aligned with its class's first reference, canvas by canvas."""
        corners, visible = turned_corners(start.corners, start.r), turned(place.visible, start.r)
        for side, rounds in sizes:
            aligner = self._aligner(bank, start.k, side)
            shown = None if visible is None else fitted(visible, aligner.size) > 0
            corners = aligner.refine(place.picture, corners, shown, rounds=rounds, rigid=rigid)
        if not rigid or sizes[-1] != ALIGN[-1]:
            return corners
        bent = aligner.refine(place.picture, corners, shown, rounds=3)
        near = np.abs(bent - corners).max() < BEND * np.linalg.norm(corners[0] - corners[2])
        return bent if near else corners

    def _aligner(self, bank: Bank, k: int, side: int) -> Aligner:
        """The aligner for a class on a canvas of `side` squared, made at its first use."""
        key = (bank.names[k], side)
        if key not in self._aligners:
            size = canvas_size(bank.size[0] / bank.size[1], side)
            self._aligners[key] = Aligner.of(self.views.reference(bank.classes[k], 0, size)[..., 0])
        return self._aligners[key]

    def _judge(self, group: str, place: Place, corners: Points, shortlist: list[tuple[int, int]]) -> Identity:
        """Rank the shortlist at full canvas size."""
        bank = self.views.banks[group]
        base = shortlist[0][1]
        own = turned_corners(corners, base)
        lab, seen, use = _crop(place.picture, own, bank.size, turned(place.visible, base), place.white)
        mask = use.reshape(3, -1)
        view = View.of(features(lab[None])[0], mask)
        entries: list[tuple[float, int, int, Floats]] = []
        for k, r in shortlist:
            pictures = self.views.seen(group, k, (r - base) % 4)
            scores = view.correlate(pictures)
            entries.append((float(scores.max()), k, r, pictures[int(scores.argmax())]))
        entries.sort(key=lambda e: -e[0])
        first = entries[0]
        trust = [1.0 if e[1] == first[1] else self.views.trust(group, first[1], e[1]) for e in entries]
        best = View.of(first[3], mask)
        alike = [float(best.correlate(e[3][None])[0]) for e in entries]
        ink = self.views.ink(group, first[1], (first[2] - base) % 4)
        clear = float(ink[use[0]].sum()) / max(float(ink[seen].sum()), 1.0)
        # Paper has no hue to lose.
        coloured = seen & (use[0] | (ink > PAPER_INK))
        hue = min(1.0, float(use[1].sum()) / max(float(coloured.sum()), 1.0) / ENOUGH_HUE)
        chances = [hue * p for p in probabilities([e[0] for e in entries], alike, trust)]
        ranked = tuple(Candidate(bank.names[e[1]], e[2], e[0], p) for e, p in zip(entries, chances, strict=True))
        shown = float(mask[0].mean())
        card = card_probability(ranked[0].score) * min(1.0, shown / ENOUGH_SHOWN, clear / ENOUGH_CLEAR)
        refined = turned_corners(corners, ranked[0].turns)
        return Identity(ranked, ranked[0].probability * card, card, refined, 1 - shown)


def _no_card(bank: Bank, seen: Look) -> Identity:
    """The identity of a place that is like no class: all names alike."""
    shortlist = seen.shortlist()
    share = 1 / len(shortlist)
    ranked = tuple(Candidate(bank.names[k], r, float(seen.scores[r, k]), share) for k, r in shortlist)
    start = seen.starts[0]
    return Identity(ranked, 0.0, 0.0, turned_corners(start.corners, start.r), 0.0)


def card_probability(score: float) -> float:
    """How likely a crop with this correlation is a piece of the deck at all."""
    return float(np.clip((score - NO_CARD) / (SURE_CARD - NO_CARD), 0.0, 1.0))


def _crop(
    picture: Picture, corners: Points, size: tuple[int, int], visible: Mask | None, white: Floats | None
) -> tuple[Floats, Mask, Mask]:
    """Lab canvas, the pixels (h, w) that are to be seen, and those (3, h, w) that carry information in its channels.

    A pixel full in one colour has no hue to be trusted.
    """
    to_photo = canvas_to_photo(corners, size)
    crop = picture.warp(to_photo, size)
    seen = picture.inside(to_photo, size)
    if visible is not None:
        seen &= fitted(visible, size) > 0
    use = seen & ~blown(crop)
    lab = evened(to_lab(crop, white_of(crop, use) if white is None else white))
    hue = use & ~clipped(crop)
    return lab, seen, np.stack([use, hue, hue])
