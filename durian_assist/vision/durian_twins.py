"""Faces that are nearly the same, told apart by the pixels in which they differ, where these are seen.

Two fruit cards may differ by a small numeral alone. A print that lies a millimetre off its card's cut changes a card's
picture by more than such a numeral does: so a card and the faces that it may be are laid over each other first, and
two faces that are much alike are then held against the card only where they differ. Where that is hidden, or where the
deck's own references do not tell the two apart there, each is as likely as the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.correlation import LEAD_STEEPNESS, NOISE, TELLING, correlate, features, lead, own_leads, unit
from durian_assist.vision.durian_contrast import RIM
from durian_assist.vision.durian_fit import FaceJudge, Verdict
from durian_assist.vision.durian_laying import laid_on

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]
Shift = tuple[int, int]
Key = tuple[int, bool]

# A card's print lies so far from where that of another does, in pixels of the canvas: two of the 63 mm of a card.
SHIFT = 2
WOBBLE = 1  # by which a part of a bent card lies elsewhere than the whole
CANDIDATES = 14  # faces and turns that the seen pixels may allow: six cards carry one half
ROUGH = 0.15  # more correlation than the right face loses where it is laid by whole pixels of half the canvas
# Faces that correlate by less are told apart by all of their pixels.
ALIKE = 0.6
DIFFER = 0.35  # of the greatest difference of two faces: where they differ by more counts
ENOUGH = 0.25  # share of these pixels that must be seen: a numeral may stand in each of a card's four corners
# Where all differing pixels at once tell one thing and each place by itself another, it is a little more likely so.
UNDECIDED = 0.05
# Round a lamp's reflection so much less is left out: twins differ strongly where they do, and its rim fades fast.
CLOSE_RIM = RIM / 2
_STEPS = [(dy, dx) for dy in range(-SHIFT, SHIFT + 1) for dx in range(-SHIFT, SHIFT + 1)]
_NEAR = [(dy, dx) for dy in range(-WOBBLE, WOBBLE + 1) for dx in range(-WOBBLE, WOBBLE + 1)]


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two faces in the frame of the first: windows (h, w, 3), where they `differ` (h, w), and the numbers of the
    `places`, numerals or words, of the differing pixels (p,)."""

    first: Floats
    second: Floats
    differ: Mask
    places: NDArray[np.int32]

    @staticmethod
    def of(first: Floats, second: Floats) -> _Pair:
        away = cv2.GaussianBlur(np.abs(first - second).sum(axis=2), (0, 0), 1.0)
        differ = away > DIFFER * float(away.max())
        _, labels = cv2.connectedComponents(cv2.dilate(differ.astype(np.uint8), np.ones((3, 3), np.uint8)))
        return _Pair(first, second, differ, np.asarray(labels[differ], np.int32))

    def alike(self, use: Mask) -> float:
        """The faces' correlation with each other over the pixels in use (h, w)."""
        return _correlation(self.first, use, self.second)


@dataclass(frozen=True, slots=True)
class _Seen:
    """A card's contrast (h, w, 3) and the pixels in use (h, w), with a margin on all sides."""

    picture: Floats
    use: Mask

    @staticmethod
    def of(view: Floats, use: Mask) -> _Seen:
        edge = (WOBBLE, WOBBLE)
        return _Seen(np.pad(view, (edge, edge, (0, 0))), np.pad(use, (edge, edge)))

    def at(self, shift: Shift) -> tuple[Floats, Mask]:
        """What the window shows when moved by a shift."""
        height, width = self.use.shape
        inset = SHIFT + WOBBLE
        rows = slice(inset + shift[0], height - inset + shift[0])
        columns = slice(inset + shift[1], width - inset + shift[1])
        return self.picture[rows, columns], self.use[rows, columns]

    def around(self, shift: Shift, where: Mask) -> tuple[Floats, Mask]:
        """(n, p, 3) and (n, p): the same of the pixels of a window alone, at the shift and those next to it."""
        steps = np.array(_NEAR).T[..., None] + np.array(shift)[:, None, None]
        at = tuple(np.stack(np.nonzero(where))[:, None] + SHIFT + WOBBLE + steps)
        return self.picture[at], self.use[at]


@dataclass(slots=True)
class Twins:
    """The faces of a judge, laid over each other when asked for, and kept."""

    judge: FaceJudge
    _stacks: dict[Key, Floats] = field(default_factory=dict)
    _faces: dict[Key, Floats] = field(default_factory=dict)
    _pairs: dict[tuple[Key, Key], _Pair] = field(default_factory=dict)
    _laid: dict[tuple[Key, Key], Floats] = field(default_factory=dict)
    _small: tuple[list[Key], Floats] | None = None

    def prepared(self) -> Twins:
        """The same with what every look needs at hand, so that two threads do not make it twice."""
        self._halves()
        return self

    def told(self, view: Floats, use: Mask, verdict: Verdict) -> Verdict:
        """The verdict on a card, between all faces that its pixels in use allow."""
        keys = self._likely(view, use, verdict)
        if len(keys) == 1:
            return verdict
        seen = _Seen.of(view, use)
        placed = self._placed(seen, keys)
        first = max(keys, key=lambda key: placed[key][0])
        left = set(keys)
        while True:
            left.discard(first)
            leads = {key: self._lead(seen, placed, first, key) for key in keys if key != first}
            better = min(left, key=lambda key: leads[key], default=first)
            if better == first or leads[better] >= 0:
                break
            first = better
        odds = {key: float(np.exp(-LEAD_STEEPNESS * max(x, 0.0))) for key, x in leads.items()}
        total = 1.0 + sum(odds.values())
        # What is ruled out stays among the rivals: a reader who rules out the others comes back to it.
        ruled_out = [(face, turned, 0.0) for face, turned, _ in verdict.rivals if (face, turned) not in keys]
        rivals = sorted(((*key, odd / total) for key, odd in odds.items()), key=lambda rival: -rival[2]) + ruled_out
        score = placed[first][0]
        return Verdict(*first, score, 1.0 / total, tuple(rivals), verdict.seen, verdict.half_seen)

    def laid(self, view: Floats, use: Mask, key: Key) -> tuple[Floats, Mask]:
        """What is seen of a card, laid exactly on a face."""
        _, shift = self._placed(_Seen.of(view, use), [key])[key]
        return laid_on(view, use, self._face(key), shift)

    def _likely(self, view: Floats, use: Mask, verdict: Verdict) -> list[Key]:
        """The verdict's face and turn, and the others that may be right all the same.

        If another were right, the card could be no more like the verdict's face than that other one is.
        """
        own, window = (verdict.face, verdict.turned), _Seen.of(view, use).at((0, 0))[1]
        near = [key for key in self._nearest(view, use) if key != own]
        return [own, *(key for key in near if verdict.score < self._pair(own, key).alike(window) + NOISE)]

    def _nearest(self, view: Floats, use: Mask) -> list[Key]:
        """The faces and turns that are most like what is seen of a card, each laid roughly where it fits best."""
        owners, bank = self._halves()
        small = _halved(view[None])[0]
        seen = _halved(use.astype(np.float32)[None, ..., None])[0, ..., 0] > 0.5
        height, width = seen.shape
        places = [(slice(y, height - 2 + y), slice(x, width - 2 + x)) for y in range(3) for x in range(3)]
        views, uses = np.stack([small[place] for place in places]), np.stack([seen[place] for place in places])
        scores = correlate(features(views), uses.reshape(len(uses), -1), bank).max(axis=0)
        best: dict[Key, float] = {}
        for key, score in zip(owners, scores.tolist(), strict=True):
            best[key] = max(best.get(key, -1.0), score)
        least = max(best.values()) - ROUGH
        return sorted((key for key in best if best[key] > least), key=lambda key: -best[key])[:CANDIDATES]

    def _halves(self) -> tuple[list[Key], Floats]:
        """All references at half the size, without a margin of a pixel, and the face and turn of each."""
        if self._small is None:
            stacks = self._references()
            halved = _halved(np.concatenate(list(stacks.values())))[:, 1:-1, 1:-1]
            self._small = [key for key, stack in stacks.items() for _ in stack], unit(features(halved))
        return self._small

    def _references(self) -> dict[Key, Floats]:
        """(n, h, w, 3) local contrast of the references of each face and turn."""
        if not self._stacks:
            judge, count = self.judge, len(self.judge.owner)
            stacks: dict[Key, Floats] = {}
            pictures = judge.fine.planes.transpose(1, 2, 0).reshape(2 * count, *judge.body.shape, 3)
            for turned, part in ((False, pictures[:count]), (True, pictures[count:])):
                for face in range(len(judge.faces)):
                    rows = [row for row, owner in enumerate(judge.owner) if owner == face]
                    stacks[face, turned] = np.ascontiguousarray(part[rows])
            self._stacks = stacks
        return self._stacks

    def _placed(self, seen: _Seen, keys: list[Key]) -> dict[Key, tuple[float, Shift]]:
        """The best correlation of a card with each face, and the shift that gives it."""
        views, uses = zip(*(seen.at(shift) for shift in _STEPS), strict=True)
        faces = unit(features(np.stack([_window(self._face(key)) for key in keys])))
        scores = correlate(features(np.stack(views)), np.stack(uses).reshape(len(uses), -1), faces)
        best = scores.argmax(axis=0).tolist()
        return {
            key: (float(scores[step, k]), _STEPS[step]) for k, (key, step) in enumerate(zip(keys, best, strict=True))
        }

    def _lead(self, seen: _Seen, placed: dict[Key, tuple[float, Shift]], first: Key, second: Key) -> float:
        """The lead of one face over another in what is seen of a card; 0 where nothing tells."""
        pair, (score, shift) = self._pair(first, second), placed[first]
        use = seen.at(shift)[1]
        alike = pair.alike(use)
        if alike < ALIKE:
            return lead(score, placed[second][0], alike)
        where = use & pair.differ
        if not where.any():
            return 0.0
        share = float(where.sum()) / float(pair.differ.sum())
        views, used = seen.around(shift, pair.differ)
        faces, alike = (pair.first[pair.differ], pair.second[pair.differ]), pair.alike(where)
        at_once = [float(_correlations_of(views, used, face).max()) for face in faces]
        by_places = [_pieced(views, used, pair.places, face) for face in faces]
        leads = [lead(mine, theirs, alike) for mine, theirs in (at_once, by_places)]
        # A card that fits at once as well as piece by piece lies true: freedom for each place only helps what is wrong.
        true = at_once[0] > by_places[0] - NOISE and min(leads) > 0
        found = (leads[0] if true else _agreed(leads[0], leads[1])) * min(share / ENOUGH, 1.0)
        return found * self._trust(first, second, where) if found > 0 else found

    def _pair(self, first: Key, second: Key) -> _Pair:
        if (first, second) not in self._pairs:
            mine, theirs = self._face(first), self._face(second)
            anchor = _window(mine)
            shift = _best_shift(theirs, anchor)
            other = _window(theirs, shift)
            self._pairs[first, second] = _Pair.of(anchor, other)
        return self._pairs[first, second]

    def _face(self, key: Key) -> Floats:
        """(h, w, 3) the mean of a face's references, laid over the first of them."""
        if key not in self._faces:
            pictures = self._references()[key]
            anchor = _window(pictures[0])
            shifts = [_best_shift(picture, anchor) for picture in pictures]
            moved = [np.roll(p, (-dy, -dx), (0, 1)) for p, (dy, dx) in zip(pictures, shifts, strict=True)]
            self._faces[key] = np.mean(moved, axis=0, dtype=np.float32)
        return self._faces[key]

    def _trust(self, first: Key, second: Key, where: Mask) -> float:
        """How far a lead between two faces counts: as far as these pixels tell their own references apart."""
        mine, theirs = (_evened(self._laid_on(key, first), where) for key in (first, second))
        both = mine @ theirs.T
        leads = own_leads(mine @ mine.T, both) + own_leads(theirs @ theirs.T, both.T)
        return float(np.clip(min(leads, default=TELLING) / TELLING, 0.0, 1.0))

    def _laid_on(self, key: Key, anchor: Key) -> Floats:
        """(n, h, w, 3) windows of a face's references, each where it fits the other face best."""
        if (key, anchor) not in self._laid:
            window = _window(self._face(anchor))
            self._laid[key, anchor] = np.stack([_window(p, _best_shift(p, window)) for p in self._references()[key]])
        return self._laid[key, anchor]


def _agreed(at_once: float, by_places: float) -> float:
    """The lead of which both ways of looking are sure; next to none, by places, where they differ."""
    if at_once * by_places > 0:
        return min(at_once, by_places, key=abs)
    return float(np.clip(by_places, -UNDECIDED, UNDECIDED))


def _pieced(views: Floats, uses: Mask, places: NDArray[np.int32], face: Floats) -> float:
    """Correlation of a card with a face over the pixels in which it differs, each place where it fits best.

    `views` (n, p, 3), `uses` (n, p), `face` (p, 3). A card that is seen a little larger than its face has the numeral
    on its left off to the left, that on its right off to the right.
    """
    seen, use = np.empty_like(views[0]), np.empty_like(uses[0])
    for place in sorted(set(places.tolist())):
        own = places == place
        best = int(_correlations_of(views[:, own], uses[:, own], face[own]).argmax())
        seen[own], use[own] = views[best, own], uses[best, own]
    return float(_correlations_of(seen[None], use[None], face)[0])


def _correlations_of(views: Floats, uses: Mask, face: Floats) -> Floats:
    """(n,) correlations of views (n, p, 3) with a face (p, 3) over the pixels in use (n, p), as `_correlation`."""
    m = uses.astype(np.float32)
    number = m.sum(axis=1)
    counts, x = np.maximum(number, 1.0), views * m[..., None]
    sums, totals = np.matmul(m[:, None], views)[:, 0], m @ face
    common = x.reshape(len(x), -1) @ face.reshape(-1) - np.einsum("nc,nc->n", sums, totals) / counts
    own = np.einsum("npc,npc->n", x, x) - np.einsum("nc,nc->n", sums, sums) / counts
    others = m @ np.einsum("pc,pc->p", face, face) - np.einsum("nc,nc->n", totals, totals) / counts
    scores = common / (np.sqrt(np.maximum(own * others, 0.0)) + 1e-6)
    return np.asarray(np.where(number < 2, 0.0, scores), np.float32)


def _evened(pictures: Floats, use: Mask) -> Floats:
    """(n, 3 p) the pixels in use (h, w) of pictures (n, h, w, 3), each channel's mean taken off, of length one; nothing
    where these are too few to correlate."""
    shown = pictures[:, use]
    if shown.shape[1] < 2:
        return np.zeros((len(pictures), 1), np.float32)
    flat = (shown - shown.mean(axis=1, keepdims=True)).reshape(len(pictures), -1)
    return np.asarray(flat / (np.linalg.norm(flat, axis=1, keepdims=True) + 1e-6), np.float32)


def _correlation(one: Floats, use: Mask, other: Floats) -> float:
    """Correlation of two pictures (h, w, 3) over the pixels in use (h, w), each channel's mean taken off."""
    count = np.count_nonzero(use)
    if count < 2:
        return 0.0
    m = use.reshape(-1).astype(np.float32)
    a, b = one.reshape(-1, 3), other.reshape(-1, 3)
    x, y, sums, totals = a * m[:, None], b * m[:, None], m @ a, m @ b
    common = float(np.vdot(x, b)) - float(sums @ totals) / count
    own = float(np.vdot(x, a)) - float(sums @ sums) / count
    others = float(np.vdot(y, b)) - float(totals @ totals) / count
    return common / (float(np.sqrt(max(own * others, 0.0))) + 1e-6)


def _window(picture: Floats, shift: Shift = (0, 0)) -> Floats:
    """The picture (h, w, 3) without the margin by which it may be moved, moved by a shift."""
    height, width = picture.shape[:2]
    return picture[SHIFT + shift[0] : height - SHIFT + shift[0], SHIFT + shift[1] : width - SHIFT + shift[1]]


def _halved(pictures: Floats) -> Floats:
    """Pictures (n, h, w, channels) at half their size."""
    height, width = (side // 2 * 2 for side in pictures.shape[1:3])
    quarters = [pictures[:, y:height:2, x:width:2] for y in (0, 1) for x in (0, 1)]
    return np.asarray(sum(quarters[1:], quarters[0]) / 4, np.float32)


def _best_shift(picture: Floats, window: Floats) -> Shift:
    """The shift at which a picture fits a window of that size best."""
    found = cv2.matchTemplate(picture, np.ascontiguousarray(window), cv2.TM_CCOEFF_NORMED)
    y, x = np.unravel_index(int(found.argmax()), found.shape)
    return int(y) - SHIFT, int(x) - SHIFT
