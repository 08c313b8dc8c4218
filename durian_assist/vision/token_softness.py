"""How soft a token shows in the photo: out of focus, or drawn out by a hand that moved.

A number that is drawn out resembles another value's sharp reference as well as its own, and leads over the right one by
luck. Each reference made as soft as the photo is, the right one fits as well as in a sharp photo. So the softness with
which any reference fits best is looked for, and the values are told apart by references that are that soft.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from durian_assist.vision.rectify import Floats, Points
from durian_assist.vision.token_shifts import Box

# Standard deviations on the canvas, in shares of a token's width: beyond the last no number is left to read.
STEPS = (0.0, 0.005, 0.01, 0.015, 0.02, 0.03)
# A hand moves while the shutter is open: drawn out along one of these directions (radians), by so much, hardly across.
DIRECTIONS = tuple(np.pi / 8 * k for k in range(8))
LENGTHS = (0.015, 0.025, 0.04)
ACROSS = 0.005
# Standard deviations within which a bell curve has all that matters.
WITHIN = 3


@dataclass(frozen=True, slots=True)
class Softness:
    """Standard deviations `along` a direction `angle` (radians) and `across` it, in shares of a token's width."""

    along: float = 0.0
    across: float = 0.0
    angle: float = 0.0

    def of(self, light: Floats, box: Box | None = None) -> Floats:
        """A picture (h, w) of a whole token, this soft, or only the box of it."""
        if self.along == 0:
            return light if box is None else light[box]
        reach = int(np.ceil(WITHIN * max(self.along, self.across) * light.shape[1]))
        part = light if box is None else np.ascontiguousarray(light[tuple(_grown(side, reach) for side in box)])
        soft = self._filtered(part, light.shape[1], reach)
        return soft if box is None else soft[tuple(_within(side, reach) for side in box)]

    def _filtered(self, part: Floats, width: int, reach: int) -> Floats:
        """A part of a token (h, w) that is `width` pixels across, softened; `reach` of the kernel in pixels."""
        along, across = self.along * width, self.across * width
        y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
        if along == across:  # out of focus: row by row and column by column, in a tenth of the time
            bell = np.exp(-0.5 * (x[0] / along) ** 2)
            bell /= bell.sum()
            return np.asarray(cv2.sepFilter2D(part, -1, bell, bell, borderType=cv2.BORDER_REPLICATE), np.float32)
        u, v = x * np.cos(self.angle) + y * np.sin(self.angle), y * np.cos(self.angle) - x * np.sin(self.angle)
        kernel = np.exp(-0.5 * ((u / along) ** 2 + (v / across) ** 2))
        kernel = np.asarray(kernel / kernel.sum(), np.float32)
        return np.asarray(cv2.filter2D(part, -1, kernel, borderType=cv2.BORDER_REPLICATE), np.float32)


def _grown(side: slice, reach: int) -> slice:
    """Rows or columns and those next to them, as far as there are any."""
    return slice(max(side.start - reach, 0), side.stop + reach)


def _within(side: slice, reach: int) -> slice:
    """Where rows or columns lie within the grown ones."""
    first = min(side.start, reach)
    return slice(first, first + side.stop - side.start)


def likeliest(scores: Callable[[Softness], Points], usual: float) -> tuple[Softness, Points]:
    """The softness under which a piece resembles any value most, and its correlations (k,) with the values.

    `usual`: what a sharp piece reaches. Where the first leads the second by more than it lacks of that, softness cannot
    have made the difference, and nothing softer is tried; nor is a movement, where pieces out of focus explain it all.
    """
    best = _climbed(scores, [Softness(step, step) for step in STEPS], usual)
    for angle in DIRECTIONS:
        if _told(best[1], usual):
            break
        moved = _climbed(scores, [Softness(length, ACROSS, angle) for length in LENGTHS], usual)
        best = max(best, moved, key=lambda tried: float(tried[1].max()))
    return best


def lacking(scores: Points, usual: float) -> float:
    """What the best of some correlations lacks of the usual one."""
    return max(usual - float(scores.max()), 1e-6)


def _told(scores: Points, usual: float) -> bool:
    """Does the first lead the second by more than it lacks?"""
    second, first = np.sort(scores)[-2:] if len(scores) > 1 else (-1.0, scores[0])
    return bool(first - second >= lacking(scores, usual))


def _climbed(scores: Callable[[Softness], Points], ways: Sequence[Softness], usual: float) -> tuple[Softness, Points]:
    """The best of some ways, softer and softer: the last that is better than the one before it, or the first that
    tells."""
    best = (ways[0], scores(ways[0]))
    for way in ways[1:]:
        if _told(best[1], usual):
            break
        softer = scores(way)
        if softer.max() <= best[1].max():
            break
        best = (way, softer)
    return best
