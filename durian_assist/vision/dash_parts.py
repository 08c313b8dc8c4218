"""Cards and strips of cards, as fans leave them free, looked for in windows of a table's sheet by correlation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.common.parallel import side_by_side
from durian_assist.vision.dash_plane import Floats, Pose
from durian_assist.vision.dash_sheet import Sheet
from durian_assist.vision.dash_slide import Slider
from durian_assist.vision.deck_profile import Pixels

# Fans cover at most 70 % of a card: the strip that is left of it is what is looked for.
STRIP = 0.3
# How far a fanned card lies aside of the fan's direction at most, in units of its size.
ASIDE = 0.25
# Hand-laid cards of one direction are a few degrees apart; a strip still matches two degrees off.
TURNS = tuple(np.radians((-4.5, 0.0, 4.5)))
# Two proposals nearer than this share of the card's height are one card: fans step by more.
SAME_PLACE = 0.1
# A fan leaves one strip free beside a card; the best few places are enough.
MOST_BELOW = 3
# Pixels of a window from which on each turn is looked at in a thread of its own.
LARGE = 50_000
# More places than these in one search are the pattern of a table cloth.
MOST_PLACES = 64


@dataclass(frozen=True, slots=True)
class Part:
    """A rectangle of the card in units of its width and height, and the steps (dx, dy) of a fan that leaves it free."""

    left: float
    top: float
    right: float
    bottom: float
    near: tuple[float, float] = (0.0, 0.0)
    far: tuple[float, float] = (0.0, 0.0)

    def box(self, size: tuple[int, int]) -> tuple[int, int, int, int]:
        """x0, y0, x1, y1 in pixels of a picture of `size` (width, height)."""
        (w, h), edges = size, (self.left, self.top, self.right, self.bottom)
        x0, y0, x1, y1 = (round(edge * side) for edge, side in zip(edges, (w, h, w, h), strict=True))
        return x0, y0, x1, y1

    def mask(self, size: tuple[int, int]) -> NDArray[np.bool_]:
        """(height, width) true where a picture of `size` (width, height) shows it."""
        x0, y0, x1, y1 = self.box(size)
        shown = np.zeros((size[1], size[0]), np.bool_)
        shown[y0:y1, x0:x1] = True
        return shown


WHOLE = Part(0, 0, 1, 1)
STRIPS = (
    Part(0, 0, 1, STRIP, (-ASIDE, -0.85), (ASIDE, -0.2)),
    Part(0, 1 - STRIP, 1, 1, (-ASIDE, 0.2), (ASIDE, 0.85)),
    Part(0, 0, STRIP, 1, (-0.85, -ASIDE), (-0.2, ASIDE)),
    Part(1 - STRIP, 0, 1, 1, (0.2, -ASIDE), (0.85, ASIDE)),
)


TOP, BOTTOM, LEFT, RIGHT = Part(0, 0, 1, 0.5), Part(0, 0.5, 1, 1), Part(0, 0, 0.5, 1), Part(0.5, 0, 1, 1)
OTHER_HALF = {TOP: BOTTOM, BOTTOM: TOP, LEFT: RIGHT, RIGHT: LEFT}
# The strip that a card upside down shows where one the right way up shows the other.
OPPOSITE = {STRIPS[k]: STRIPS[k ^ 1] for k in range(len(STRIPS))}


@dataclass(frozen=True, slots=True)
class Proposal:
    """A card that may lie at `pose`: `part` of it correlates with some class by `score`."""

    pose: Pose
    part: Part
    score: float


def moved(pose: Pose, dx: float, dy: float) -> Pose:
    """The pose shifted by (dx, dy) card heights in its own frame."""
    cos, sin = float(np.cos(pose.angle)), float(np.sin(pose.angle))
    return Pose(pose.x + cos * dx - sin * dy, pose.y + sin * dx + cos * dy, pose.angle)


def part_corners(pose: Pose, part: Part, aspect: float) -> Floats:
    """Corners (4, 2) of a part of the card at `pose`, `aspect` wide and 1 high."""
    middle = moved(pose, (part.left + part.right - 1) / 2 * aspect, (part.top + part.bottom - 1) / 2)
    return middle.rectangle((part.right - part.left) * aspect, part.bottom - part.top)


# Whether the window of a size (width, height) around a pose has so many pixels that are free.
Shows = Callable[[Pose, tuple[int, int], float], bool]


class PartSearch:
    """Looks for parts of cards in windows of a sheet: for those of `shapes`, pictures of one size at its scale."""

    def __init__(self, sheet: Sheet, shapes: Sequence[Pixels]) -> None:
        self.sheet, self.shapes = sheet, tuple(shapes)
        self.size = (shapes[0].shape[1], shapes[0].shape[0])
        self._sliders: dict[tuple[Part, int | None], Slider] = {}

    def below(self, pose: Pose, least: float, shows: Shows) -> list[Proposal]:
        """Proposals for cards that lie under the one at `pose` in a fan, with at least this correlation.

        `shows` tells whether the window of a size around a pose has so many pixels that no known card covers: a strip
        of which less than half is free is none.
        """
        width, height = self.size
        found: list[Proposal] = []
        for part in STRIPS:
            middle = (np.array(part.near) + part.far) / 2 * (width, height) / height
            spread = (np.array(part.far) - part.near) / 2 * (width, height)
            reach = (round(spread[0]), round(spread[1]))
            place = moved(pose, *middle)
            if shows(*self._window(place, part, reach), STRIP / 2 * width * height):
                found += self.around(place, part, reach, TURNS, least)[:MOST_BELOW]
        return found

    def _window(self, pose: Pose, part: Part, spread: tuple[int, int]) -> tuple[Pose, tuple[int, int]]:
        """The middle and the size (width, height) of the window that shows a part of cards at `pose` give or take
        `spread` pixels."""
        width, height = self.size
        x0, y0, x1, y1 = part.box((width, height))
        middle = moved(pose, (x0 + x1 - width) / 2 / height, (y0 + y1 - height) / 2 / height)
        return middle, (x1 - x0 + 2 * spread[0], y1 - y0 + 2 * spread[1])

    def around(
        self,
        pose: Pose,
        part: Part,
        spread: tuple[int, int],
        turns: Sequence[float],
        least: float,
        shape: int | None = None,
    ) -> list[Proposal]:
        """Proposals for cards at `pose` give or take `spread` pixels (x, y) and one of `turns` (radians)."""
        slider = self._slider(part, shape)  # made before several threads ask for it
        looks = [
            partial(self._turned, replace(pose, angle=pose.angle + turn), part, spread, least, slider) for turn in turns
        ]
        _, (width, height) = self._window(pose, part, spread)
        found = side_by_side(looks) if width * height > LARGE else [look() for look in looks]
        return distinct(proposal for seen in found for proposal in seen)[:MOST_PLACES]

    def _turned(self, pose: Pose, part: Part, spread: tuple[int, int], least: float, slider: Slider) -> list[Proposal]:
        """The same in the turn of the pose alone."""
        height = self.size[1]
        scores = slider.best(self.sheet.cut(*self._window(pose, part, spread), height))
        found: list[Proposal] = []
        for y, x in peaks(scores, least, round(SAME_PLACE * height)):
            place = moved(pose, (x - spread[0]) / height, (y - spread[1]) / height)
            found.append(Proposal(place, part, float(scores[y, x])))
        return found

    def _slider(self, part: Part, shape: int | None) -> Slider:
        """For a part of all shapes, or of the one; made at its first use."""
        if (part, shape) not in self._sliders:
            x0, y0, x1, y1 = part.box(self.size)
            shapes = self.shapes if shape is None else (self.shapes[shape],)
            self._sliders[part, shape] = Slider([one[y0:y1, x0:x1] for one in shapes])
        return self._sliders[part, shape]


def distinct(proposals: Iterable[Proposal]) -> list[Proposal]:
    """The best of every group of proposals for one place, best first."""
    kept: list[Proposal] = []
    for proposal in sorted(proposals, key=lambda p: -p.score)[: 4 * MOST_PLACES]:
        if not any(same_place(proposal.pose, other.pose) for other in kept):
            kept.append(proposal)
    return kept


def same_place(a: Pose, b: Pose) -> bool:
    """Whether two poses are too near to each other to be two cards of a fan."""
    return bool(np.hypot(a.x - b.x, a.y - b.y) < SAME_PLACE)


def peaks(scores: NDArray[np.float32], least: float, reach: int) -> list[tuple[int, int]]:
    """Places (y, x) whose score is at least `least`, and the highest within `reach` pixels."""
    kernel = np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
    tops = (scores >= cv2.dilate(scores, kernel)) & (scores >= least)
    return [(int(y), int(x)) for y, x in np.argwhere(tops)]
