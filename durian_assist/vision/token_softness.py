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

    def of(self, light: Floats) -> Floats:
        """A picture (h, w) of a whole token, this soft."""
        if self.along == 0:
            return light
        kernel = self._kernel(light.shape[1])
        return np.asarray(cv2.filter2D(light, -1, kernel, borderType=cv2.BORDER_REPLICATE), np.float32)

    def _kernel(self, width: int) -> Floats:
        along, across = self.along * width, self.across * width
        reach = int(np.ceil(WITHIN * max(along, across)))
        y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
        u, v = x * np.cos(self.angle) + y * np.sin(self.angle), y * np.cos(self.angle) - x * np.sin(self.angle)
        kernel = np.exp(-0.5 * ((u / along) ** 2 + (v / across) ** 2))
        return np.asarray(kernel / kernel.sum(), np.float32)


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
