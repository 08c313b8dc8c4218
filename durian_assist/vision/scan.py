"""Looking for a deck's square cards all over a part of the table: every reference slid over every place, seen small.

Outlines can fail where a card is as dark or as white as the table; what is printed on it does not. The table is laid
flat as a canvas of `SCALE` pixels a card and each reference correlated with each of its windows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from durian_assist.vision.deck_profile import CardClass
from durian_assist.vision.recognise import Recogniser
from durian_assist.vision.rectify import Floats, Picture, Points, blown, project, to_lab
from durian_assist.vision.sliding import LEAST_SHOWN, SCALE, correlations, without_slope
from durian_assist.vision.table_plane import Pose, TablePlane

LIKELY = 0.42  # least correlation at that scale
# Pictures of lightness that correlate by more find the same places.
NEARLY_ONE = 0.8
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
            small = recogniser.views.reference(card, 0, (SCALE, SCALE))[..., :channels]
            small = without_slope(small)
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
    scores, which = correlations(lab, inside & ~blown(crop), bank.pictures, contrast, shown)
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
