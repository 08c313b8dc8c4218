"""Turns in which a token looks nearly as it lies: a rim of many like spokes is nearly the same one spoke on.

There the face as a whole does not tell how a token lies, and where it is taken for turned its value is compared with
the wrong pixels. Such turns are found from the references. In each of them every value's own picture is held against
the photo, and a reading is only as sure as it leads over every other value in any other turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.correlation import LEAD_STEEPNESS, lead
from durian_assist.vision.rectify import Picture
from durian_assist.vision.token_align import Aligner, centred, in_pixels, shown
from durian_assist.vision.token_model import TOKEN, TokenModel

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]
Points = NDArray[np.float64]
# What is seen of a place (3, 3, in pixels of the canvas) on the canvas of a mask, None: all.
Seen = Callable[[Mask, Points], Mask | None]

ANGLES = 720  # of a whole turn: half a degree is a quarter of a pixel at the edge of the canvas that is compared
SAME_OUTLINE = 0.95  # share of a token's face that must lie on itself after a turn: no outline has it else
# Times that a better turn is followed: a pose that is one spoke off is pulled aside, and its turns with it.
FOLLOWED = 3


@dataclass(frozen=True, slots=True)
class Phases:
    """The turns in which a deck's tokens look alike.

    `turns` (k, 3, 3) of the canvas about the token's middle, the first none; `alike` (k, n, n) the correlation of each
    value's picture (first n) after a turn with each value's (second n).
    """

    model: TokenModel
    own: Sequence[Aligner]
    turns: Points
    alike: Points
    _known: dict[tuple[int, bytes], tuple[Picture, Points]] = field(default_factory=dict)

    @staticmethod
    def of(model: TokenModel, own: Sequence[Aligner]) -> Phases:
        """`own`: the aligners of the values on a canvas where many ways are compared."""
        whole = cv2.moments(model.outline.astype(np.float32))
        middle = np.array([whole["m10"], whole["m01"]]) / whole["m00"]
        face = _Ring.of(model.aligners[-1], middle / model.size[0])
        alike = face.against(face)
        peak = (alike >= np.roll(alike, 1)) & (alike > np.roll(alike, -1)) & (face.lying() > SAME_OUTLINE)
        # In a turn where it is less like itself no place is taken for a token.
        angles = [0, *(int(k) for k in np.flatnonzero(peak & (alike > TOKEN)) if k)]
        turns = np.stack([_turn(2 * np.pi * k / ANGLES, middle) for k in angles])
        rings = [_Ring.of(one, middle / model.size[0]) for one in own] if len(angles) > 1 else []
        pairs = np.array([[first.against(second)[angles] for second in rings] for first in rings])
        return Phases(model, own, turns, np.moveaxis(pairs, 2, 0) if rings else np.ones((1, len(own), len(own))))

    def chosen(self, picture: Picture, place: Points, seen: Seen) -> Points:
        """The place (3, 3) of a token in that of its turns in which any value's own picture fits best there.

        The same one where it fits best as it is.
        """
        for _ in range(FOLLOWED if len(self.turns) > 1 else 0):
            scores = self._scores(picture, place, seen)
            turn, value = divmod(int(scores.argmax()), scores.shape[1])
            if turn == 0:
                break
            start = place @ self.turns[turn]
            own = self.own[value]
            fitted, _ = own.fit(picture, centred(start, self.model.size), seen=seen(own.mask, start))
            place = in_pixels(fitted, self.model.size)
        return place

    def odds(self, picture: Picture, place: Points, value: int, seen: Seen) -> Points:
        """(n,) how likely each value is in another turn of a place, against the value (its number) read there as 1."""
        odds = np.zeros(len(self.own))
        if len(self.turns) == 1:
            return odds
        scores = self._scores(picture, place, seen)
        for other in set(range(len(odds))) - {value}:
            leads = [
                lead(scores[0, value], scores[k, other], self.alike[k, value, other]) for k in range(1, len(scores))
            ]
            odds[other] = np.exp(-LEAD_STEEPNESS * min(leads))
        return odds

    def _scores(self, picture: Picture, place: Points, seen: Seen) -> Points:
        """(k, n) how well each value's picture fits each turn of a place. Kept: what is chosen is then read there.

        With the picture: as long as it is there, no other one has its number.
        """
        key = (id(picture), place.tobytes())
        if key not in self._known:
            self._known[key] = picture, self._compared(picture, place, seen)
        return self._known[key][1]

    def _compared(self, picture: Picture, place: Points, seen: Seen) -> Points:
        mask = self.own[0].mask
        targets = np.stack([one.target.reshape(-1) for one in self.own])
        rows = []
        for turn in self.turns:
            there = place @ turn
            visible = seen(mask, there)
            weight = (mask if visible is None else mask & visible).reshape(-1)
            light = shown(picture, centred(there, self.model.size), mask.shape).reshape(-1)[weight]
            known = targets[:, weight]
            rows.append(known @ light / (np.linalg.norm(known, axis=1) * np.linalg.norm(light) + 1e-6))
        return np.array(rows, np.float64)


@dataclass(frozen=True, slots=True)
class _Ring:
    """A face round its middle as the transforms over ANGLES of its rows, one a radius, each times the root of
    its length: of its local contrast, of the square of this, and of where it counts."""

    face: NDArray[np.complex64]
    squares: NDArray[np.complex64]
    counts: NDArray[np.complex64]

    @staticmethod
    def of(known: Aligner, middle: Points) -> _Ring:
        """`middle` (2,) in widths of the canvas."""
        target, mask = known.target, known.mask
        x, y = (float(at) for at in middle * mask.shape[1])
        ys, xs = np.nonzero(mask)
        reach = float(np.hypot(xs + 0.5 - x, ys + 0.5 - y).max())
        size, about = (int(reach), ANGLES), (x - 0.5, y - 0.5)
        flags = cv2.INTER_LINEAR | cv2.WARP_FILL_OUTLIERS
        inside = np.asarray(cv2.warpPolar(mask.astype(np.float32), size, about, reach, flags), np.float32)
        face = np.asarray(cv2.warpPolar(target, size, about, reach, flags), np.float32) * inside
        longer = np.sqrt(np.arange(size[0]) + 0.5)
        rows = (face * longer, face * face * longer, inside * longer)
        return _Ring(*(np.fft.rfft(row, axis=0).astype(np.complex64) for row in rows))

    def against(self, other: _Ring) -> Points:
        """(ANGLES,) the correlation of this, turned, with another where both count."""
        both = _products(self.face, other.face)
        lengths = _products(self.squares, other.counts), _products(self.counts, other.squares)
        return np.asarray(both / np.sqrt(np.maximum(lengths[0] * lengths[1], 1e-6)), np.float64)

    def lying(self) -> Points:
        """(ANGLES,) the share of the face that lies on itself after a turn."""
        both = _products(self.counts, self.counts)
        return np.asarray(both / both[0], np.float64)


def _products(first: NDArray[np.complex64], second: NDArray[np.complex64]) -> Points:
    """(ANGLES,) the sums of products of two faces, the first turned."""
    return np.asarray(np.fft.irfft((first * second.conj()).sum(axis=1), ANGLES), np.float64)


def _turn(angle: float, middle: Points) -> Points:
    """(3, 3) the canvas turned by an angle (radians) about a point of it."""
    cos, sin = np.cos(angle), np.sin(angle)
    linear = np.array([[cos, -sin], [sin, cos]])
    return np.vstack([np.column_stack([linear, middle - linear @ middle]), [0.0, 0.0, 1.0]])
