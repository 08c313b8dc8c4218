"""Zero-mean correlation of pictures, and what a lead in it is worth.

Pictures are features: (3, p) lightness and two opponent colours of p pixels, each channel's mean taken off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.rectify import Floats

# A lead as large as NOISE can come from noise alone, however near to each other two references are.
NOISE = 0.02
LEAD_STEEPNESS = 16.0
# The lead that makes 99 of 100 right: two classes whose own references are told apart by less are never told for sure.
TELLING = float(np.log(99)) / LEAD_STEEPNESS
# Where a view has less of its pixels in use, it says nothing.
LEAST_USE = 0.05


def features(lab: Floats) -> Floats:
    """(n, h, w, 3) -> (n, 3, h * w)."""
    # One by one: turned all at once they take ten times as long.
    return np.stack([np.ascontiguousarray(one.reshape(-1, 3).T) for one in lab])


def unit(pictures: Floats) -> Floats:
    """Features (n, 3, p) with each channel's mean taken off, of length one."""
    centred = pictures - pictures.mean(-1, keepdims=True)
    length = np.sqrt(np.square(centred).sum((1, 2), keepdims=True))
    return np.asarray(centred / (length + 1e-6), np.float32)


def correlate(views: Floats, use: NDArray[np.bool_], references: Floats) -> Floats:
    """Zero-mean correlation, the mean taken off each channel.

    views (v, 3, p), use (v, p), references (n, 3, p), each made by `unit` -> (v, n). Pixels not in use
    count for neither side; a view with hardly any left scores -1 everywhere.
    """
    v, _, p = views.shape
    if use.all():
        x = (views - views.mean(-1, keepdims=True)).reshape(v, -1)
        y = references.reshape(len(references), -1)
        norm = np.sqrt(np.einsum("ij,ij->i", x, x))[:, None]
        return np.asarray(x @ y.T / (norm + 1e-6), np.float32)
    m = use.astype(np.float32)
    n = m.sum(-1) + 1e-6
    x = views * m[:, None]
    x -= m[:, None] * (x.sum(-1) / n[:, None])[..., None]
    dot = x.reshape(v, -1) @ references.reshape(len(references), -1).T
    square = (references**2).sum(1)
    spread = m @ square.T
    for c in range(3):
        spread -= (m @ references[:, c].T) ** 2 / n[:, None]
    norm = np.sqrt(np.maximum((x * x).sum((1, 2))[:, None] * spread, 1e-9))
    scores = np.asarray(dot / norm, np.float32)
    scores[n < LEAST_USE * p] = -1
    return scores


def best_shifted(ones: Sequence[Floats], others: Sequence[Floats], most: int) -> Floats:
    """(n, m) zero-mean correlations of pictures (h, w, 3), each at the best of all shifts up to `most` pixels.

    No two cards of a printer, and of scissors at home least of all, have their print in quite the same place.
    """
    inner = (slice(most, -most), slice(most, -most))
    found = [
        [cv2.matchTemplate(b, np.ascontiguousarray(a[inner]), cv2.TM_CCOEFF_NORMED).max() for b in others] for a in ones
    ]
    return np.asarray(found, np.float32)


@dataclass(frozen=True, slots=True)
class View:
    """One picture to be held against many references: `x` (3, p) without its means, zero where nothing is in use.

    `use` (3, p) float, by channel: a pixel that is full in one colour still has its lightness, but no hue. None where
    every pixel is in use.
    """

    x: Floats
    use: Floats | None
    length: float

    @staticmethod
    def of(picture: Floats, use: NDArray[np.bool_]) -> View:
        """From features (3, p)."""
        if use.all():
            x = picture - picture.mean(-1, keepdims=True)
            return View(x, None, float(np.linalg.norm(x)) + 1e-6)
        m = use.astype(np.float32)
        x = picture * m
        x -= m * (x.sum(-1, keepdims=True) / (m.sum(-1, keepdims=True) + 1e-6))
        return View(x, m, float(np.linalg.norm(x)) + 1e-6)

    def correlate(self, references: Floats) -> Floats:
        """Zero-mean correlation with references (n, 3, p) made by `unit` -> (n,); -1 with hardly a pixel in use."""
        flat = references.reshape(len(references), -1)
        dot = flat @ self.x.reshape(-1)
        if self.use is None:
            return np.asarray(dot / self.length, np.float32)
        n = self.use.sum(-1) + 1e-6
        if n[0] < LEAST_USE * self.use.shape[1]:
            return np.full(len(references), -1, np.float32)
        hidden = references * self.use
        spread = (hidden * hidden).reshape(len(references), -1).sum(-1) - (np.square(hidden.sum(-1)) / n).sum(-1)
        return np.asarray(dot / (self.length * np.sqrt(np.maximum(spread, 1e-9))), np.float32)


def lead(first: float, second: float, alike: float) -> float:
    """How clearly a piece is the first of two references: 1 as clearly as the reference itself, 0 undecided.

    `first`, `second`: the piece's correlations with both; `alike`: the references' correlation with each other under
    the same mask. Near twins thus get a small lead in correlation weighed by how little can tell them apart.
    """
    return (first - second) / (max(1.0 - alike, 0.0) + NOISE)


def own_leads(each: Floats, others: Floats) -> list[float]:
    """The lead of each reference of a class, seen as if it were a piece, over another class; none of a single one.

    `each` (n, n): correlations of the class's references with each other; `others` (n, m): with those of the other.
    """
    leads = []
    for i in range(len(each) if len(each) > 1 else 0):
        first = max((j for j in range(len(each)) if j != i), key=lambda j: float(each[i, j]))
        second = int(others[i].argmax())
        leads.append(lead(float(each[i, first]), float(others[i, second]), float(others[first, second])))
    return leads


def probabilities(scores: Sequence[float], alike: Sequence[float], trust: Sequence[float]) -> list[float]:
    """The probability of each entry, best first, from the best's lead over it.

    `scores`: the piece's correlations, best first; `alike`: of the best's reference with each entry's; `trust`: how far
    the best's lead over it counts.
    """
    leads = [lead(scores[0], s, a) for s, a in zip(scores[1:], alike[1:], strict=True)]
    odds = [1.0, *(float(np.exp(-LEAD_STEEPNESS * x * t)) for x, t in zip(leads, trust[1:], strict=True))]
    total = sum(odds)
    return [o / total for o in odds]
