"""Tokens found by their art: every keypoint that looks like one of the token's votes for a whole token's place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from durian_assist.common.parallel import in_halves
from durian_assist.vision.rectify import median

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]
Points = NDArray[np.float64]
Mask = NDArray[np.bool_]
# (n, 4) x, y, size and turn (radians) of keypoints in a picture, and (n, 128) their descriptors, square-rooted.
Keypoints = tuple[Points, Floats]

LIKE = 0.84  # least cosine of two square-rooted descriptors
MOST_VOTES = 500
MOST_KEYPOINTS = 2500
CONTRAST = 0.02  # low: defocus and dim light leave little
# Votes for one token agree on its centre (share of its width), size (log) and turn (radians).
AGREE = (0.2, 0.25, 0.35)
FEWEST = 3


@dataclass(frozen=True, slots=True)
class Elected:
    """A similarity (2, 3) from pixels of the token's canvas to the photo, and how many keypoints voted for it."""

    affine: Points
    votes: int


class TokenVotes:
    """Keypoints of the tokens' references, as they lie on a canvas of one size."""

    def __init__(self, references: Sequence[Pixels], mask: Pixels) -> None:
        """References (h, w, 3) all of the size of `mask`, which is 255 inside the token's outline."""
        self.size = (mask.shape[1], mask.shape[0])
        seen = [one for found in in_halves(partial(_keypoints_of, mask), references) for one in found]
        self.places = np.concatenate([places for places, _ in seen]) if seen else np.zeros((0, 4))
        self.descriptors = np.concatenate([found for _, found in seen]) if seen else np.zeros((0, 128), np.float32)

    def elect(self, seen: Keypoints, scale: float) -> list[Elected]:
        """Places of tokens by what is `seen` in a picture that is the photo times `scale`, most votes first."""
        votes = self._votes(seen, scale)
        agree = self._agreement(votes)
        left = np.ones(len(votes), np.bool_)
        found: list[Elected] = []
        while left.any():
            counts = agree[left].sum(axis=0) * left
            best = int(counts.argmax())
            if counts[best] < FEWEST:
                break
            chosen = votes[agree[:, best] & left]
            found.append(Elected(self._affine(chosen), int(counts[best])))
            reach = 0.3 * self.size[0] * votes[best, 2]
            left &= np.hypot(*(votes[:, :2] - votes[best, :2]).T) > reach
        return found

    def _agreement(self, votes: Points) -> Mask:
        """(n, n) which votes mean the same token, judged by the size of the second."""
        x, y, size, turn = votes.T
        apart = np.hypot(x[:, None] - x, y[:, None] - y)
        turns = np.abs(np.remainder(turn[:, None] - turn + np.pi, 2 * np.pi) - np.pi)
        sizes = np.abs(np.log(size)[:, None] - np.log(size))
        reach = AGREE[0] * self.size[0] * size
        return np.asarray((apart < reach) & (sizes < AGREE[1]) & (turns < AGREE[2]), np.bool_)

    def _votes(self, seen: Keypoints, scale: float) -> Points:
        """(n, 4) centre of the canvas in photo pixels, size in photo pixels per canvas pixel, turn."""
        places, found = seen
        if not len(self.places) or not len(places):
            return np.zeros((0, 4))
        likeness = found @ self.descriptors.T
        best = likeness.argmax(axis=1)
        worth = likeness[np.arange(len(best)), best]
        order = [int(i) for i in np.argsort(-worth)[:MOST_VOTES] if worth[i] > LIKE]
        if not order:
            return np.zeros((0, 4))
        there, known = places[order], self.places[best[order]]
        size = there[:, 2] / known[:, 2] / scale
        turn = there[:, 3] - known[:, 3]
        to_middle = np.array(self.size) / 2 - known[:, :2]
        cos, sin = np.cos(turn) * size, np.sin(turn) * size
        x = (there[:, 0] + 0.5) / scale - 0.5 + cos * to_middle[:, 0] - sin * to_middle[:, 1]
        y = (there[:, 1] + 0.5) / scale - 0.5 + sin * to_middle[:, 0] + cos * to_middle[:, 1]
        return np.stack([x, y, size, turn], axis=1)

    def _affine(self, votes: Points) -> Points:
        x, y = median(votes[:, :2])
        size = float(np.exp(median(np.log(votes[:, 2]))))
        turn = float(np.angle(np.exp(1j * votes[:, 3]).mean()))
        linear = size * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        return np.column_stack([linear, np.array([x, y]) - linear @ (np.array(self.size) / 2)])


def keypoints(picture: Pixels, contrast: float = CONTRAST) -> Keypoints:
    """The keypoints of a picture (h, w, 3); `contrast`: the least at which one counts."""
    finder = cv2.SIFT.create(nfeatures=MOST_KEYPOINTS, contrastThreshold=contrast)
    return _found(*finder.detectAndCompute(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None))


def _keypoints_of(mask: Pixels, reference: Pixels) -> list[Keypoints]:
    """Those within the mask (h, w) of a reference (h, w, 3), at its size and at half of it."""
    finder = cv2.SIFT.create(contrastThreshold=CONTRAST)
    grey = cv2.cvtColor(reference, cv2.COLOR_BGR2GRAY)
    seen: list[Keypoints] = []
    for shrink in (1.0, 0.5):
        size = (round(mask.shape[1] * shrink), round(mask.shape[0] * shrink))
        small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
        inside = cv2.resize(mask, size, interpolation=cv2.INTER_NEAREST)
        places, found = _found(*finder.detectAndCompute(small, inside))
        seen.append((places / (shrink, shrink, shrink, 1.0), found))
    return seen


def _found(keys: Sequence[cv2.KeyPoint], descriptors: ArrayLike | None) -> Keypoints:
    if descriptors is None or not len(keys):
        return np.zeros((0, 4)), np.zeros((0, 128), np.float32)
    places = np.array([(*key.pt, key.size, np.radians(key.angle)) for key in keys])
    return places, _rooted(np.asarray(descriptors, np.float32))


def _rooted(descriptors: NDArray[np.float32]) -> Floats:
    """Square roots of the descriptors' shares, so that a product is the Hellinger kernel (Arandjelovic 2012)."""
    total = np.maximum(descriptors.sum(axis=1, keepdims=True), 1e-6)
    return np.asarray(np.sqrt(descriptors / total), np.float32)
