"""Tokens found by their art: every keypoint that looks like one of the token's votes for a whole token's place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]
Points = NDArray[np.float64]
Mask = NDArray[np.bool_]

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
        finder = cv2.SIFT.create(contrastThreshold=CONTRAST)
        places, descriptors = [], []
        for reference in references:
            grey = cv2.cvtColor(reference, cv2.COLOR_BGR2GRAY)
            for shrink in (1.0, 0.5):
                size = (round(self.size[0] * shrink), round(self.size[1] * shrink))
                small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
                keys, found = finder.detectAndCompute(small, cv2.resize(mask, size, interpolation=cv2.INTER_NEAREST))
                if found is not None and len(keys):
                    places += [(*(np.array(k.pt) / shrink), k.size / shrink, np.radians(k.angle)) for k in keys]
                    descriptors.append(_rooted(np.asarray(found, np.float32)))
        self.places = np.array(places, np.float64).reshape(-1, 4)
        self.descriptors = np.concatenate(descriptors) if descriptors else np.zeros((0, 128), np.float32)

    def elect(self, picture: Pixels, scale: float, contrast: float = CONTRAST) -> list[Elected]:
        """Places of tokens in a picture that is the photo times `scale`, most votes first.

        `contrast`: the least at which a keypoint counts.
        """
        votes = self._votes(picture, scale, contrast)
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

    def _votes(self, picture: Pixels, scale: float, contrast: float) -> Points:
        """(n, 4) centre of the canvas in photo pixels, size in photo pixels per canvas pixel, turn."""
        if not len(self.places):
            return np.zeros((0, 4))
        finder = cv2.SIFT.create(nfeatures=MOST_KEYPOINTS, contrastThreshold=contrast)
        keys, found = finder.detectAndCompute(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None)
        if found is None or not len(keys):
            return np.zeros((0, 4))
        likeness = _rooted(np.asarray(found, np.float32)) @ self.descriptors.T
        best = likeness.argmax(axis=1)
        worth = likeness[np.arange(len(best)), best]
        order = [int(i) for i in np.argsort(-worth)[:MOST_VOTES] if worth[i] > LIKE]
        if not order:
            return np.zeros((0, 4))
        seen = np.array([(*keys[i].pt, keys[i].size, np.radians(keys[i].angle)) for i in order])
        known = self.places[best[order]]
        size = seen[:, 2] / known[:, 2] / scale
        turn = seen[:, 3] - known[:, 3]
        to_middle = np.array(self.size) / 2 - known[:, :2]
        cos, sin = np.cos(turn) * size, np.sin(turn) * size
        x = (seen[:, 0] + 0.5) / scale - 0.5 + cos * to_middle[:, 0] - sin * to_middle[:, 1]
        y = (seen[:, 1] + 0.5) / scale - 0.5 + sin * to_middle[:, 0] + cos * to_middle[:, 1]
        return np.stack([x, y, size, turn], axis=1)

    def _affine(self, votes: Points) -> Points:
        x, y = np.median(votes[:, :2], axis=0)
        size = float(np.exp(np.median(np.log(votes[:, 2]))))
        turn = float(np.angle(np.exp(1j * votes[:, 3]).mean()))
        linear = size * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        return np.column_stack([linear, np.array([x, y]) - linear @ (np.array(self.size) / 2)])


def _rooted(descriptors: NDArray[np.float32]) -> Floats:
    """Square roots of the descriptors' shares, so that a product is the Hellinger kernel (Arandjelovic 2012)."""
    total = np.maximum(descriptors.sum(axis=1, keepdims=True), 1e-6)
    return np.asarray(np.sqrt(descriptors / total), np.float32)
