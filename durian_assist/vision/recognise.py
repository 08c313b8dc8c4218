"""Which class of a deck is this piece, how is it turned, and how sure is that?

Zero-mean correlation of white-balanced Lab pictures with the deck's references, coarse first with small shifts, then
after alignment at full canvas size; a lead counts for as much as the references themselves differ. Nothing here knows a
deck: everything comes from the references.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.deck_profile import CardClass
from durian_assist.vision.rectify import (
    Aligner,
    Floats,
    Mask,
    Picture,
    Pixels,
    Points,
    blown,
    canvas_to_photo,
    clipped,
    evened,
    project,
    to_lab,
    white_of,
)

FINE = 96
COARSE = 24
# (canvas side, rounds) of the alignment, coarse to fine.
ALIGN = ((32, 5), (64, 5))
# Coarse pixels between the shifts tried: the alignment that follows makes good what lies between.
COARSE_STEP = 2
# Largest shift looked for, as a share of the piece's side.
REACH = 0.1
SHORTLIST = 6
# A class that correlates by so much less than the best, before alignment, is no rival.
OUTCLASSED = 0.35
# A card that is bent or not quite on the plane: how far its corners may be off, as a share of its diagonal.
BEND = 0.05
# Spread of the classes' white patches in hue (natural logarithm) beyond which they have no white in common.
TINT = 0.25
# A place that correlates by less, before alignment, is not tried with other tilts.
HOPELESS = 0.15
# Below this correlation a crop is no piece of this deck: see `card_probability`.
NO_CARD, SURE_CARD = 0.35, 0.6
# Where less than this share of a piece is to be seen, nothing is sure.
ENOUGH_SHOWN = 0.3


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


@dataclass(frozen=True, slots=True)
class _Bank:
    """References of one size group as features.

    `coarse` (classes, 3, pixels): one a class, centred and of length one; `contrast` the least standard deviation of
    lightness among them. Sizes are (width, height).
    """

    size: tuple[int, int]
    coarse_size: tuple[int, int]
    classes: tuple[CardClass, ...]
    names: tuple[str, ...]
    coarse: Floats
    contrast: float


@dataclass(frozen=True, slots=True)
class _Search:
    """What the coarse stage found.

    `scores` (4, classes), -2 where not asked; `corners` the given ones moved by the best shift of each turn.
    """

    scores: Floats
    corners: tuple[Points, ...]

    def shortlist(self) -> list[tuple[int, int]]:
        """(class, turn), best first."""
        order = np.argsort(-self.scores, axis=None)[:SHORTLIST]
        least = max(float(self.scores.max()) - OUTCLASSED, -1.0)
        pairs = np.stack(np.unravel_index(order, self.scores.shape), -1)
        return [(int(k), int(r)) for i, (r, k) in enumerate(pairs) if i < 2 or self.scores[r, k] > least]


@dataclass(slots=True)
class Recogniser:
    """Identifies pieces against the classes of a deck or of a part of it; each call may narrow them further.

    Each picture is balanced by its own white patch, unless `photo_white` is given: then the references by that of their
    whole calibration photo and the pieces by this. Decks whose cards have no white in common need that: see `tinted`.
    """

    classes: Sequence[CardClass]
    photo_white: Floats | None = None
    _banks: dict[str, _Bank] = field(default_factory=dict)
    _aligners: dict[tuple[str, int], Aligner] = field(default_factory=dict)
    _turned: dict[tuple[str, int, int], Floats] = field(default_factory=dict)
    _labs: dict[tuple[str, int], list[Floats]] = field(default_factory=dict)
    _whites: dict[int, Floats] = field(default_factory=dict)
    _told: dict[tuple[str, int, int], float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for group in dict.fromkeys(c.size_group for c in self.classes):
            self._banks[group] = self._bank([c for c in self.classes if c.size_group == group])

    def _bank(self, classes: Sequence[CardClass]) -> _Bank:
        aspect = float(np.median([c.aspect for c in classes]))
        size, coarse_size = _canvas(aspect, FINE), _canvas(aspect, COARSE)
        coarse = _features(np.stack([evened(self.reference(c, 0, coarse_size)) for c in classes]))
        contrast = float(coarse[:, 0].std(-1).min())
        return _Bank(size, coarse_size, tuple(classes), tuple(c.name for c in classes), unit(coarse), contrast)

    @property
    def groups(self) -> dict[str, float]:
        """Width over height of the pieces of each size group."""
        return {g: b.size[0] / b.size[1] for g, b in self._banks.items()}

    @property
    def tinted(self) -> bool:
        """Do the classes' white patches differ in hue, so that balancing each by its own takes colours away?"""
        patches = np.log(np.stack([white_of(_small(c.references[0])) for c in self.classes]))
        hue = patches - patches.mean(1, keepdims=True)
        return bool(np.abs(hue - np.median(hue, axis=0)).max() > TINT)

    def under_light_of(self, picture: Picture, seen: Sequence[Identity]) -> Recogniser:
        """A recogniser for one photo, its white found from pieces already known: theirs against their references'."""
        names = {c.name: c for c in self.classes}
        ratios = []
        for identity in seen:
            w, h = next(b.coarse_size for b in self._banks.values() if identity.best.name in b.names)
            patch = white_of(picture.warp(canvas_to_photo(identity.corners, (w, h)), (w, h)))
            ratios.append(patch / white_of(_small(names[identity.best.name].references[0])))
        return Recogniser(self.classes, np.asarray(np.median(np.stack(ratios), 0) * self._deck_white(0), np.float32))

    def _deck_white(self, index: int) -> Floats:
        """The usual white patch of the references number `index` of all classes: those of one calibration photo."""
        some = [white_of(_small(c.references[min(index, len(c.references) - 1)])) for c in self.classes]
        return np.asarray(np.median(np.stack(some), 0), np.float32)

    def reference(self, card: CardClass, index: int, size: tuple[int, int]) -> Floats:
        """(h, w, 3) a reference in colours to compare, its light not evened out."""
        small = np.asarray(cv2.resize(card.references[index], size, interpolation=cv2.INTER_AREA), np.uint8)
        if self.photo_white is None:
            return to_lab(small, white_of(small))
        if index not in self._whites:
            self._whites[index] = self._deck_white(index)
        return to_lab(small, self._whites[index])

    @property
    def contrast(self) -> float:
        """The least standard deviation of lightness (0 to 100) of any class, seen small."""
        return min(b.contrast for b in self._banks.values())

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
        least: float = -1.0,
    ) -> Identity:
        """Name the piece with these (4, 2) corners, clockwise from any corner.

        `rotations`: the corner numbers at which the piece's own top left may be. `visible`: (h, w) bool of any size in
        the frame of the given corners, False where something else covers the piece. `group`: the size group (needed
        where the deck has several). `only`: class names that come into question. `reach`: how far the piece may lie
        from the corners, as a share of its side; `tilts`: by how many degrees (on the photo) it may be turned more,
        the likeliest first.
        `rigid`: the corners have the piece's true shape, seen in perspective, but may be shifted and turned. `least`:
        correlation before alignment below which the place is no card and is not looked at any closer.
        """
        group = group if group is not None else next(iter(self._banks))
        bank = self._banks[group]
        allowed = np.array([only is None or n in only for n in bank.names])
        given = np.asarray(corners, np.float64)
        white = self.photo_white
        search = _coarse(bank, picture, _tilted(given, tilts[0]), rotations, visible, allowed, reach, white)
        if search.scores.max() >= HOPELESS:
            more = (_tilted(given, t) for t in tilts[1:])
            others = [_coarse(bank, picture, c, rotations, visible, allowed, reach, white) for c in more]
            search = max([search, *others], key=lambda s: float(s.scores.max()))
        shortlist = search.shortlist()
        k, r = shortlist[0]
        start = search.corners[r]
        if search.scores[r, k] < least:
            return _no_card(bank, search, shortlist)
        for _ in range(2):
            own = self._fit(bank, picture, k, np.roll(start, -r, axis=0), _turned(visible, r), rigid)
            fitted = np.roll(own, r, axis=0)
            identity = self._judge(group, picture, fitted, shortlist, visible)
            if (identity.best.name, identity.best.turns) == (bank.names[k], r):
                break
            k, r = bank.names.index(identity.best.name), identity.best.turns
            start = fitted
        return identity

    def _fit(self, bank: _Bank, picture: Picture, k: int, corners: Points, visible: Mask | None, rigid: bool) -> Points:
        """Align the corners (own top left first) with the class's first reference."""
        for side, rounds in ALIGN:
            aligner = self._aligner(bank, k, side)
            shown = None if visible is None else _fitted(visible, aligner.size) > 0
            corners = aligner.refine(picture, corners, shown, rounds=rounds, rigid=rigid)
        if not rigid:
            return corners
        bent = aligner.refine(picture, corners, shown, rounds=3)
        near = np.abs(bent - corners).max() < BEND * np.linalg.norm(corners[0] - corners[2])
        return bent if near else corners

    def _aligner(self, bank: _Bank, k: int, side: int) -> Aligner:
        """The aligner for a class on a canvas of `side` squared, made at its first use."""
        key = (bank.names[k], side)
        if key not in self._aligners:
            size = _canvas(bank.size[0] / bank.size[1], side)
            self._aligners[key] = Aligner.of(self.reference(bank.classes[k], 0, size)[..., 0])
        return self._aligners[key]

    def _judge(
        self, group: str, picture: Picture, corners: Points, shortlist: list[tuple[int, int]], visible: Mask | None
    ) -> Identity:
        """Rank the shortlist at full canvas size."""
        bank = self._banks[group]
        base = shortlist[0][1]
        turned = np.roll(corners, -base, axis=0)
        lab, use, distorted = _crop(picture, turned, bank.size, _turned(visible, base), self.photo_white)
        view, mask = _features(lab[None]), use.reshape(1, -1)
        entries: list[tuple[float, int, int, Floats]] = []
        for k, r in shortlist:
            seen = self._seen(group, k, (r - base) % 4)
            scores = correlate(view, mask, seen)[0]
            entries.append((float(scores.max()), k, r, seen[int(scores.argmax())]))
        entries.sort(key=lambda e: -e[0])
        trust = [1.0 if e[1] == entries[0][1] else self._trust(group, entries[0][1], e[1]) for e in entries]
        probabilities = _probabilities(mask, entries, distorted, trust)
        ranked = tuple(
            Candidate(bank.names[k], r, score, p) for (score, k, r, _), p in zip(entries, probabilities, strict=True)
        )
        shown = float(use.mean())
        card = card_probability(ranked[0].score) * min(1.0, shown / ENOUGH_SHOWN)
        own = np.roll(corners, -ranked[0].turns, axis=0)
        return Identity(ranked, ranked[0].probability * card, card, own, 1 - shown)

    def _seen(self, group: str, k: int, turns: int) -> Floats:
        """A class's references (n, 3, p), laid with `turns` more than the crop's canvas, as that canvas shows them."""
        key = (group, k, turns)
        if key not in self._turned:
            bank = self._banks[group]
            labs = [np.rot90(lab, -turns) for lab in self._upright(group, k)]
            w, h = bank.size
            fitted = [x if x.shape[:2] == (h, w) else cv2.resize(np.ascontiguousarray(x), (w, h)) for x in labs]
            self._turned[key] = unit(_features(np.stack(fitted)))
        return self._turned[key]

    def _trust(self, group: str, k: int, other: int) -> float:
        """How far a lead of class k over another may be trusted: 1 where the deck's own photos tell the two apart.

        Each reference of the one is held against its further references and those of the other. What does not name the
        references themselves for sure (light or sheen between two calibration photos counts for more than what tells
        the classes apart) cannot name a card. A class with one reference shows nothing: 1.
        """
        key = (group, min(k, other), max(k, other))
        if key not in self._told:
            bank = self._banks[group]
            several = [a for a in (k, other) if len(bank.classes[a].references) > 1]
            leads = [self._own_lead(group, a, other if a == k else k) for a in several]
            self._told[key] = float(np.clip(min(leads, default=TELLING) / TELLING, 0.0, 1.0))
        return self._told[key]

    def _own_lead(self, group: str, k: int, other: int) -> float:
        """The least lead of a reference of class k, seen as if it were a piece, over another class."""
        own, theirs = self._seen(group, k, 0), self._seen(group, other, 0)
        use = np.ones((1, own.shape[-1]), bool)
        leads = []
        for i in range(len(own)):
            rest = np.delete(own, i, axis=0)
            first, second = correlate(own[i : i + 1], use, rest)[0], correlate(own[i : i + 1], use, theirs)[0]
            alike = correlate(rest[first.argmax()][None], use, theirs[second.argmax()][None])[0, 0]
            leads.append(lead(float(first.max()), float(second.max()), float(alike)))
        return min(leads)

    def _upright(self, group: str, k: int) -> list[Floats]:
        """A class's references at full canvas size."""
        if (group, k) not in self._labs:
            bank = self._banks[group]
            card = bank.classes[k]
            self._labs[group, k] = [evened(self.reference(card, i, bank.size)) for i in range(len(card.references))]
        return self._labs[group, k]


def _no_card(bank: _Bank, search: _Search, shortlist: list[tuple[int, int]]) -> Identity:
    """The identity of a place that is like no class: all names alike."""
    share = 1 / len(shortlist)
    ranked = tuple(Candidate(bank.names[k], r, float(search.scores[r, k]), share) for k, r in shortlist)
    turns = shortlist[0][1]
    return Identity(ranked, 0.0, 0.0, np.roll(search.corners[turns], -turns, axis=0), 0.0)


def _coarse(
    bank: _Bank,
    picture: Picture,
    corners: Points,
    rotations: Sequence[int],
    visible: Mask | None,
    allowed: NDArray[np.bool_],
    reach: float,
    white: Floats | None,
) -> _Search:
    """Every class and turn over small shifts."""
    w, h = bank.coarse_size
    margin = max(1, round(reach * min(w, h)))
    full = (w + 2 * margin, h + 2 * margin)
    scores = np.full((4, len(bank.names)), -2, np.float32)
    moved = [corners] * 4
    steps = range(0, 2 * margin + 1, COARSE_STEP)
    shifts = [(dx, dy) for dy in steps for dx in steps]
    for parity in sorted({r % 2 for r in rotations}):
        to_photo = canvas_to_photo(np.roll(corners, -parity, axis=0), (w, h), margin)
        crop = picture.warp(to_photo, full)
        own = white_of(crop[margin:-margin, margin:-margin]) if white is None else white
        lab = evened(to_lab(crop, own))
        use = ~blown(crop) & picture.inside(to_photo, full)
        if visible is not None:
            shown = _fitted(_turned(visible, parity), (w, h))
            use &= cv2.copyMakeBorder(shown, margin, margin, margin, margin, cv2.BORDER_CONSTANT) > 0
        views = np.stack([lab[dy : dy + h, dx : dx + w] for dx, dy in shifts])
        masks = np.stack([use[dy : dy + h, dx : dx + w] for dx, dy in shifts])
        for half in {r - parity for r in rotations if r % 2 == parity}:
            flip = slice(None, None, -1 if half == 2 else 1)
            use_of = masks[:, flip, flip].reshape(len(shifts), -1)
            found = correlate(_features(views[:, flip, flip]), use_of, bank.coarse)
            found[:, ~allowed] = -2
            scores[parity + half] = found.max(0)
            dx, dy = shifts[int(found.max(1).argmax())]
            box = np.array([[dx, dy], [dx + w, dy], [dx + w, dy + h], [dx, dy + h]], float) - 0.5
            moved[parity + half] = np.roll(project(to_photo, box), parity, axis=0)
    return _Search(scores, tuple(moved))


def _tilted(corners: Points, degrees: float) -> Points:
    """Corners turned about their middle, clockwise as seen."""
    if degrees == 0.0:
        return corners
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    middle = corners.mean(0)
    return np.asarray((corners - middle) @ np.array([[c, s], [-s, c]]) + middle, np.float64)


def card_probability(score: float) -> float:
    """How likely a crop with this correlation is a piece of the deck at all."""
    return float(np.clip((score - NO_CARD) / (SURE_CARD - NO_CARD), 0.0, 1.0))


def correlate(views: Floats, use: NDArray[np.bool_], references: Floats) -> Floats:
    """Zero-mean correlation, the mean taken off each channel.

    views (v, 3, p), use (v, p), references (n, 3, p), each made by `unit` -> (v, n). Pixels not in use
    count for neither side; a view with hardly any left scores -1 everywhere.
    """
    v, _, p = views.shape
    if use.all():
        x = (views - views.mean(-1, keepdims=True)).reshape(v, -1)
        y = references.reshape(len(references), -1)
        norm = np.sqrt(np.einsum("ij,ij->i", x, x))[:, None]
        return np.asarray(x @ y.T / (norm + 1e-6), np.float32)
    m = use.astype(np.float32)
    n = m.sum(-1) + 1e-6
    x = views * m[:, None]
    x -= m[:, None] * (x.sum(-1) / n[:, None])[..., None]
    dot = x.reshape(v, -1) @ references.reshape(len(references), -1).T
    square = (references**2).sum(1)
    spread = m @ square.T
    for c in range(3):
        spread -= (m @ references[:, c].T) ** 2 / n[:, None]
    norm = np.sqrt(np.maximum((x * x).sum((1, 2))[:, None] * spread, 1e-9))
    scores = np.asarray(dot / norm, np.float32)
    scores[n < 0.05 * p] = -1
    return scores


# A lead as large as NOISE can come from noise alone, however near to each other two references are.
NOISE = 0.02
LEAD_STEEPNESS = 16.0
# The lead that makes 99 of 100 right: two classes whose own references are told apart by less are never told for sure.
TELLING = float(np.log(99)) / LEAD_STEEPNESS


def lead(first: float, second: float, alike: float, distorted: float = 0.0) -> float:
    """How clearly a piece is the first of two references: 1 as clearly as the reference itself, 0 undecided.

    `first`, `second`: the piece's correlations with both; `alike`: the references' correlation with each other under
    the same mask; `distorted`: see `_probabilities`. Near twins thus get a small lead in correlation weighed by how
    little can tell them apart.
    """
    return (first - second) / (max(1.0 - alike, 0.0) + NOISE + 1.5 * distorted)


def _probabilities(
    use: NDArray[np.bool_], entries: list[tuple[float, int, int, Floats]], distorted: float, trust: Sequence[float]
) -> list[float]:
    """The probability of each entry (score, class, turn, reference as seen), best first, from the best's lead.

    `distorted`: the share of pixels whose hue is not to be trusted; it makes a lead by hue worth less. `trust` (one an
    entry): how far the best's lead over it counts.
    """
    best = entries[0]
    alike = correlate(best[3][None], use, np.stack([e[3] for e in entries]))[0]
    leads = [lead(best[0], e[0], float(a), distorted) for e, a in zip(entries[1:], alike[1:], strict=True)]
    odds = [1.0, *(float(np.exp(-LEAD_STEEPNESS * x * t)) for x, t in zip(leads, trust[1:], strict=True))]
    total = sum(odds)
    return [o / total for o in odds]


def _canvas(aspect: float, side: int) -> tuple[int, int]:
    """Width and height of a canvas with the area of `side` squared."""
    return round(side * aspect**0.5), round(side / aspect**0.5)


def _small(reference: Pixels) -> Pixels:
    return np.asarray(cv2.resize(reference, (COARSE, COARSE), interpolation=cv2.INTER_AREA), np.uint8)


def _features(lab: Floats) -> Floats:
    """(n, h, w, 3) -> (n, 3, h * w)."""
    n = len(lab)
    return np.ascontiguousarray(lab.reshape(n, -1, 3).transpose(0, 2, 1))


def unit(features: Floats) -> Floats:
    """Features (n, 3, p) with each channel's mean taken off, of length one."""
    centred = features - features.mean(-1, keepdims=True)
    length = np.sqrt(np.square(centred).sum((1, 2), keepdims=True))
    return np.asarray(centred / (length + 1e-6), np.float32)


def _crop(
    picture: Picture, corners: Points, size: tuple[int, int], visible: Mask | None, white: Floats | None
) -> tuple[Floats, Mask, float]:
    """Lab canvas, the pixels that carry information, and the share of them whose hue is distorted."""
    to_photo = canvas_to_photo(corners, size)
    crop = picture.warp(to_photo, size)
    use = ~blown(crop) & picture.inside(to_photo, size)
    if visible is not None:
        use &= _fitted(visible, size) > 0
    return (
        evened(to_lab(crop, white_of(crop, use) if white is None else white)),
        use,
        float((clipped(crop) & use).sum()) / (float(use.sum()) + 1e-6),
    )


def _turned(mask: Mask | None, turns: int) -> Mask | None:
    """A mask in the frame of the given corners, as seen when corner number `turns` is the top left."""
    return None if mask is None else np.rot90(mask, turns)


def _fitted(mask: Mask | None, size: tuple[int, int]) -> Pixels:
    if mask is None:
        return np.ones((size[1], size[0]), np.uint8)
    return np.asarray(cv2.resize(mask.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST), np.uint8)
