"""Looking for a deck's square cards all over a part of the table: every reference slid over every place, seen small.

Outlines can fail where a card is as dark or as white as the table; what is printed on it does not. The table is laid
flat as a canvas of `SCALE` pixels a card and each reference correlated with each of its windows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from durian_assist.vision.deck_profile import CardClass
from durian_assist.vision.recognise import Recogniser
from durian_assist.vision.rectify import Floats, Mask, Picture, Points, blown, project, to_lab
from durian_assist.vision.table_plane import Pose, TablePlane

# Thin frames correlate only to within a pixel of 20.
SCALE = 20
LIKELY = 0.42  # least correlation at that scale
LEAST_SHOWN = 0.12
# With no more than a hundredth of a canvas not in use, that is filled up and no more thought of; nor is it where only
# places are wanted of which more than nine tenths are in use.
ALL, NEARLY_ALL = 0.99, 0.9
# Pictures of lightness that correlate by more find the same places.
NEARLY_ONE = 0.8
# A mean and two slopes: (3, SCALE, SCALE) at right angles to each other and of length one.
_ACROSS = np.broadcast_to(np.arange(SCALE, dtype=np.float32) - (SCALE - 1) / 2, (SCALE, SCALE))
_PLANES = np.stack([p / np.linalg.norm(p) for p in (np.ones((SCALE, SCALE), np.float32), _ACROSS, _ACROSS.T)])
_RIDGE = 1e-4  # keeps the slopes of windows of a line or two apart
# A canvas of which the frame shows less is not looked at.
LEAST_CANVAS = 0.02


@dataclass(frozen=True, slots=True)
class Strip:
    """A rectangle of the plane: its middle (2,), the direction of its x axis in radians, width and height in cards."""

    middle: Points
    angle: float
    width: float
    height: float

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of its canvas in pixels."""
        return round(self.width * SCALE), round(self.height * SCALE)

    @property
    def to_plane(self) -> Points:
        """(3, 3) from pixels of its canvas to the plane."""
        c, s = np.cos(self.angle) / SCALE, np.sin(self.angle) / SCALE
        turn = np.array([[c, -s], [s, c]])
        shift = self.middle - turn @ ((np.array(self.size) - 1) / 2)
        return np.array([[c, -s, shift[0]], [s, c, shift[1]], [0, 0, 1]])


@dataclass(frozen=True, slots=True)
class Peak:
    """A place that a reference comes near, and its correlation; the pose's bottom is that of the reference."""

    score: float
    pose: Pose


@dataclass(frozen=True, slots=True)
class References:
    """Small pictures (SCALE, SCALE, channels), each channel's mean and slope taken off, of length one, and their turns.

    Of lightness alone (one channel: quick) or with the two colours. Classes whose pictures are nearly one stand for
    each other: which it is, the recogniser says.
    """

    pictures: tuple[Floats, ...]
    turns: tuple[int, ...]
    channels: int

    @staticmethod
    def of(
        recogniser: Recogniser, cards: Sequence[CardClass], turns: Sequence[int], *, colours: bool = False
    ) -> References:
        """Pictures of some classes in some turns: 1 is turned clockwise, the bottom to the left of the canvas."""
        channels = 3 if colours else 1
        kept: list[Floats] = []
        for card in cards:
            small = recogniser.reference(card, 0, (SCALE, SCALE))[..., :channels]
            small = _without_slope(small)
            small /= float(np.linalg.norm(small)) + 1e-6
            if all(float((small * other).sum()) < NEARLY_ONE for other in kept):
                kept.append(small)
        laid = [(np.ascontiguousarray(np.rot90(one, -t)), t) for one in kept for t in turns]
        return References(tuple(one for one, _ in laid), tuple(t for _, t in laid), channels)


def peaks(
    picture: Picture,
    plane: TablePlane,
    strip: Strip,
    white: Floats,
    bank: References,
    contrast: float,
    most: int,
    wanted: Callable[[Pose], bool] = lambda _: True,
    *,
    shown: float = LEAST_SHOWN,
) -> list[Peak]:
    """The likeliest places in a strip, best first: at most `most` of those that are `wanted`.

    `contrast`: the least one of lightness that a card has; `shown`: the least share of a card that is in the picture
    and free of glare.
    """
    to_photo = np.asarray(plane.to_photo @ strip.to_plane, np.float64)
    inside = picture.inside(to_photo, strip.size)
    if inside.mean() < LEAST_CANVAS:
        return []
    crop = picture.warp(to_photo, strip.size)
    lab = np.ascontiguousarray(to_lab(crop, white)[..., : bank.channels])
    scores, which = _correlations(lab, inside & ~blown(crop), bank, contrast, shown)
    found: list[Peak] = []
    while len(found) < most:
        row, column = divmod(int(scores.argmax()), scores.shape[1])
        score = float(scores[row, column])
        if score <= LIKELY:
            break
        x, y = project(strip.to_plane, np.array([[column + SCALE / 2 - 0.5, row + SCALE / 2 - 0.5]]))[0]
        turn = bank.turns[int(which[row, column])]
        pose = Pose(float(x), float(y), strip.angle + turn * np.pi / 2)
        if wanted(pose):
            found.append(Peak(score, pose))
        scores[max(row - SCALE // 2, 0) : row + SCALE // 2, max(column - SCALE // 2, 0) : column + SCALE // 2] = -1
    return found


def apart(found: Sequence[Peak], most: int) -> list[Peak]:
    """The best peaks, no two of which lie on one card."""
    kept: list[Peak] = []
    for peak in sorted(found, key=lambda p: -p.score):
        if all(np.hypot(peak.pose.x - k.pose.x, peak.pose.y - k.pose.y) > 0.5 for k in kept):
            kept.append(peak)
        if len(kept) == most:
            break
    return kept


def _correlations(
    lab: Floats, use: Mask, bank: References, contrast: float, shown: float = LEAST_SHOWN
) -> tuple[Floats, Floats]:
    """For the window at each top left pixel: the best correlation, and with which reference.

    Over the pixels in use of each window, channel by channel (lab (h, w, channels)); its mean and its slope count for
    nothing, so that neither a lamp's shine nor a shadow's edge hides what is printed on a card.
    """
    n = _sums(use.astype(np.float32)) + 1e-3
    enough = n >= SCALE * SCALE * shown
    if use.mean() > ALL or shown > NEARLY_ALL:
        lab[~use] = lab[use].mean(0) if use.any() else 0.0
        use = np.ones_like(use)
        n = np.full_like(n, SCALE * SCALE)
    weight = use.astype(np.float32)
    seen = lab * weight[..., None]
    total = _sums(seen).reshape(*n.shape, -1)
    square = _sums(seen * seen).reshape(*n.shape, -1)
    spread = np.maximum(square - total * total / n[..., None], 0)
    best, which = np.full(n.shape, -1, np.float32), np.zeros(n.shape, np.float32)
    worth = enough & (spread[..., 0] >= n * contrast * contrast)
    if worth.any():
        part, under = _box(worth)
        best[part], which[part] = _best_of(seen[under], weight[under], square[part], bank)
        best[~worth] = -1
    return best, which


def _box(worth: Mask) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    """The rectangle of windows with something in them, and that of the pixels below them."""
    rows, columns = np.flatnonzero(worth.any(1)), np.flatnonzero(worth.any(0))
    top, left, bottom, right = int(rows[0]), int(columns[0]), int(rows[-1]) + 1, int(columns[-1]) + 1
    pixels = (slice(top, bottom + SCALE - 1), slice(left, right + SCALE - 1))
    return (slice(top, bottom), slice(left, right)), pixels


def _best_of(seen: Floats, weight: Floats, square: Floats, bank: References) -> tuple[Floats, Floats]:
    """For each window its best correlation with a reference, and with which.

    `seen` (h, w, channels) zero where `weight` (h, w) is; `square`: by window and channel, the sum of its squares.
    """
    slope = _Slope.of(weight)
    taken = slope.share(seen)
    length = np.sqrt(np.maximum(square.sum(-1) - np.square(taken).sum((0, -1)), 0)) + 1e-3
    best, which = np.full(length.shape, -1, np.float32), np.zeros(length.shape, np.float32)
    for i, reference in enumerate(bank.pictures):
        scores = np.asarray(cv2.matchTemplate(seen, reference, cv2.TM_CCORR), np.float32)
        if slope.lower is not None:
            shown = slope.of_reference(weight, reference)
            energy = cv2.matchTemplate(weight, np.square(reference).sum(-1), cv2.TM_CCORR)
            energy = energy - np.square(shown).sum((0, -1))
            scores = (scores - (shown * taken).sum((0, -1))) / np.sqrt(np.maximum(energy, LEAST_SHOWN * LEAST_SHOWN))
        scores = np.asarray(scores / length, np.float32)
        which[scores > best] = i
        np.maximum(best, scores, out=best)
    return best, which


@dataclass(frozen=True, slots=True)
class _Slope:
    """What the planes (a mean and two slopes) share with each window over its pixels in use.

    `lower`: the six entries of the Cholesky factor of the planes' products by window, None where all is in use.
    """

    lower: tuple[Floats, ...] | None

    @staticmethod
    def of(weight: Floats) -> _Slope:
        if weight.all():
            return _Slope(None)
        products = [_slid(weight, _PLANES[i] * _PLANES[j]) for i in range(3) for j in range(i + 1)]
        aa, ba, bb, ca, cb, cc = products
        l11 = np.sqrt(aa + _RIDGE)
        l21, l31 = ba / l11, ca / l11
        l22 = np.sqrt(np.maximum(bb - l21 * l21, 0) + _RIDGE)
        l32 = (cb - l31 * l21) / l22
        l33 = np.sqrt(np.maximum(cc - l31 * l31 - l32 * l32, 0) + _RIDGE)
        return _Slope((l11, l21, l22, l31, l32, l33))

    def share(self, seen: Floats) -> Floats:
        """(3, rows, columns, channels) the part of each window along three planes, at right angles on its pixels."""
        parts = [np.stack([_slid(seen[..., c], plane) for c in range(seen.shape[-1])], -1) for plane in _PLANES]
        return self._squared_up(parts)

    def of_reference(self, weight: Floats, reference: Floats) -> Floats:
        """The same of a reference laid on each window, over the window's pixels in use."""
        return self._squared_up(
            [np.stack([_slid(weight, one * plane) for one in np.moveaxis(reference, -1, 0)], -1) for plane in _PLANES]
        )

    def _squared_up(self, parts: list[Floats]) -> Floats:
        if self.lower is None:
            return np.stack(parts)
        l11, l21, l22, l31, l32, l33 = (entry[..., None] for entry in self.lower)
        first = parts[0] / l11
        second = (parts[1] - l21 * first) / l22
        return np.stack([first, second, (parts[2] - l31 * first - l32 * second) / l33])


def _slid(plane: Floats, template: Floats) -> Floats:
    plane, template = np.ascontiguousarray(plane), np.ascontiguousarray(template)
    return np.asarray(cv2.matchTemplate(plane, template, cv2.TM_CCORR), np.float32)


def _without_slope(small: Floats) -> Floats:
    """(SCALE, SCALE, channels) a picture without its mean and its slopes."""
    return np.asarray(small - np.einsum("pyx,pc->yxc", _PLANES, np.einsum("pyx,yxc->pc", _PLANES, small)), np.float32)


def _sums(plane: Floats) -> Floats:
    """The sum over the window at each top left pixel."""
    summed = cv2.boxFilter(plane, cv2.CV_32F, (SCALE, SCALE), anchor=(0, 0), normalize=False)
    return np.asarray(summed[: plane.shape[0] - SCALE + 1, : plane.shape[1] - SCALE + 1], np.float32)
