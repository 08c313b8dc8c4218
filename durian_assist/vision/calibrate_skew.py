"""All pieces of a calibration photo that are of one kind have one size: how far a piece's corners are from theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.find_frames import sides_of
from durian_assist.vision.find_plane import Plane, plane_of_quads

Array = NDArray[np.float64]
Points = NDArray[np.float32]

# Fewer four-sided pieces fit one another on a plane of their own whatever their corners.
COMPANIONS = 4


@dataclass(frozen=True, slots=True)
class Pattern:
    """What the four-sided pieces of one photo have in common, from their `quads`: the `plane`, width and height on it,
    and how far their corners usually are from such a rectangle."""

    quads: tuple[Points, ...]
    plane: Plane
    sides: Array
    usual: float

    @staticmethod
    def of(quads: Sequence[Points], size: tuple[int, int]) -> Pattern:
        """Of the corners (4, 2) of the pieces in one photo of that width and height."""
        plane = plane_of_quads(np.stack(quads), size)
        flat = [plane.flat(quad) for quad in quads]
        sides = np.asarray(np.median([sides_of(quad) for quad in flat], axis=0), np.float64)
        return Pattern(tuple(quads), plane, sides, float(np.median([_misfit(quad, sides) for quad in flat])))

    @property
    def tells(self) -> bool:
        """Whether there are enough pieces to say which of them is wrong."""
        return len(self.quads) >= COMPANIONS

    def skew(self, corners: Points) -> float:
        """How far the worst of the corners (4, 2) in the photo is from the usual rectangle laid on them, as a share of
        the piece's size."""
        return _misfit(self.plane.flat(corners), self.sides)

    def straighter(self, old: Points, new: Points, size: tuple[int, int]) -> float:
        """By how much of its size a piece of the photo is more regular with new corners than with its old ones.

        Of a few pieces the plane fits the wrong corners too: it is looked for anew with the right ones.
        """
        if self.tells:
            return self.skew(old) - self.skew(new)
        others = [quad for quad in self.quads if quad is not old]
        if not others:
            return 0.0
        anew = Pattern.of([*others, new], size)
        return max(map(self.skew, self.quads)) - max(map(anew.skew, anew.quads))


def _misfit(quad: Array, sides: Array) -> float:
    box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2 * sides
    about = quad - quad.mean(axis=0)
    angle = np.arctan2((box[:, 0] * about[:, 1] - box[:, 1] * about[:, 0]).sum(), (box * about).sum())
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return float(np.linalg.norm(about - box @ turn.T, axis=1).max() / np.sqrt(sides.prod()))
