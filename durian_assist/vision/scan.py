"""Looking for a deck's square cards all over a part of the table: every reference slid over every place, seen small.

Outlines can fail where a card is as dark or as white as the table; what is printed on it does not. The table is laid
flat as a canvas of `SCALE` pixels a card and each reference correlated with each of its windows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from durian_assist.vision.correlation import features, unit
from durian_assist.vision.deck_profile import CardClass
from durian_assist.vision.recognise import Recogniser
from durian_assist.vision.rectify import Floats, Mask, Picture, Points, blown, project, to_lab
from durian_assist.vision.table_plane import Pose, TablePlane

# Thin frames correlate only to within a pixel of 20.
SCALE = 20
LIKELY = 0.42  # least correlation at that scale
LEAST_SHOWN = 0.12
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
    """Small pictures (SCALE, SCALE, 3), each channel's mean taken off, of length one, and how each is turned."""

    pictures: tuple[Floats, ...]
    turns: tuple[int, ...]

    @staticmethod
    def of(recogniser: Recogniser, cards: Sequence[CardClass], turns: Sequence[int]) -> References:
        """One picture a card and turn: 1 with the bottom to the left of the canvas, as seen turned clockwise."""
        small = [recogniser.reference(card, 0, (SCALE, SCALE)) for card in cards]
        laid = [(np.rot90(one, -t), t) for one in small for t in turns]
        flat = unit(features(np.stack([one for one, _ in laid])))
        pictures = tuple(np.ascontiguousarray(one.T.reshape(SCALE, SCALE, 3)) for one in flat)
        return References(pictures, tuple(t for _, t in laid))


def peaks(
    picture: Picture, plane: TablePlane, strip: Strip, white: Floats, bank: References, contrast: float, most: int
) -> list[Peak]:
    """The likeliest places in a strip, best first; `contrast`: the least one of lightness that a card has."""
    to_photo = np.asarray(plane.to_photo @ strip.to_plane, np.float64)
    inside = picture.inside(to_photo, strip.size)
    if inside.mean() < LEAST_CANVAS:
        return []
    crop = picture.warp(to_photo, strip.size)
    lab = to_lab(crop, white)
    scores, which = _correlations(lab, inside & ~blown(crop), bank, contrast)
    found: list[Peak] = []
    for _ in range(most):
        row, column = divmod(int(scores.argmax()), scores.shape[1])
        score = float(scores[row, column])
        if score <= LIKELY:
            break
        x, y = project(strip.to_plane, np.array([[column + SCALE / 2 - 0.5, row + SCALE / 2 - 0.5]]))[0]
        turn = bank.turns[int(which[row, column])]
        found.append(Peak(score, Pose(float(x), float(y), strip.angle + turn * np.pi / 2)))
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


def _correlations(lab: Floats, use: Mask, bank: References, contrast: float) -> tuple[Floats, Floats]:
    """For the window at each top left pixel: the best correlation, and with which reference.

    Pixels not in use are given the mean of what is in use round them, so that they say nothing, and what a reference
    has there does not count for its length either.
    """
    weight = use.astype(np.float32)
    filled = lab * weight[..., None]
    near = (2 * SCALE + 1, 2 * SCALE + 1)
    around = cv2.blur(filled, near) / (cv2.blur(weight, near) + 1e-3)[..., None]
    filled += around * (1 - weight[..., None])
    n = float(SCALE * SCALE)
    total, square = _sums(filled), _sums(filled * filled)
    spread = np.maximum(square - total * total / n, 0)
    length = np.sqrt(spread.sum(-1)) + 1e-3
    best, which = np.full(length.shape, -1, np.float32), np.zeros(length.shape, np.float32)
    for i, reference in enumerate(bank.pictures):
        scores = cv2.matchTemplate(filled, reference, cv2.TM_CCORR) / length
        if not use.all():
            shown = cv2.matchTemplate(weight, np.square(reference).sum(-1), cv2.TM_CCORR)
            scores /= np.sqrt(np.maximum(shown, LEAST_SHOWN))
        better = scores > best
        best[better], which[better] = scores[better], i
    best[(_sums(weight) < LEAST_SHOWN * n) | (np.sqrt(spread[..., 0] / n) < contrast)] = -1
    return best, which


def _sums(plane: Floats) -> Floats:
    """The sum over the window at each top left pixel."""
    summed = cv2.boxFilter(plane, cv2.CV_32F, (SCALE, SCALE), anchor=(0, 0), normalize=False)
    return np.asarray(summed[: plane.shape[0] - SCALE + 1, : plane.shape[1] - SCALE + 1], np.float32)
