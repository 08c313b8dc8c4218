"""The first look at a place: every class and turn of a deck, seen small, over small shifts and turns of the place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.correlation import correlate
from durian_assist.vision.deck_profile import CardClass
from durian_assist.vision.rectify import (
    Floats,
    Mask,
    Picture,
    Pixels,
    Points,
    blown,
    canvas_to_photo,
    evened,
    project,
    to_lab,
    turned_corners,
    white_of,
)

SHORTLIST = 6
# A class that correlates by so much less than the best, before alignment, is no rival.
OUTCLASSED = 0.35
# A place that correlates by less, before alignment, is not tried with other tilts.
HOPELESS = 0.15
# Nor one that correlates by more: alignment turns it by the rest.
PLAIN = 0.7


@dataclass(frozen=True, slots=True)
class Bank:
    """References of one size group.

    `coarse` (4, classes, 3, pixels): one a class, centred and of length one, as a canvas of `coarse_size` shows it when
    the piece's own top left is its corner 0, 1, 2, 3 (1 and 3 for square pieces only); `contrast` the least standard
    deviation of lightness among them. Sizes are (width, height).
    """

    size: tuple[int, int]
    coarse_size: tuple[int, int]
    classes: tuple[CardClass, ...]
    names: tuple[str, ...]
    coarse: Floats
    contrast: float


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a photo that may hold a piece, and what may lie there.

    `corners` (4, 2) clockwise from any corner; `rotations`: the corner numbers at which the piece's own top left may
    be; `visible` (h, w) bool in the frame of the corners, None for all of it; `allowed` (classes,) bool; `white` (3,)
    the photo's white patch, None where each piece is balanced by its own.
    """

    picture: Picture
    corners: Points
    rotations: Sequence[int]
    visible: Mask | None
    allowed: NDArray[np.bool_]
    white: Floats | None


@dataclass(frozen=True, slots=True)
class Start:
    """Where an alignment may start: class `k` at turn `r`, the place's corners moved there, the correlation."""

    score: float
    k: int
    r: int
    corners: Points


@dataclass(frozen=True, slots=True)
class Look:
    """What the first look found: `scores` (4, classes), -2 where not asked; `starts`, the best first."""

    scores: Floats
    starts: tuple[Start, ...]

    def shortlist(self) -> list[tuple[int, int]]:
        """(class, turn), best first."""
        order = np.argsort(-self.scores, axis=None)[:SHORTLIST]
        least = max(float(self.scores.max()) - OUTCLASSED, -1.0)
        pairs = np.stack(np.unravel_index(order, self.scores.shape), -1)
        return [(int(k), int(r)) for i, (r, k) in enumerate(pairs) if i < 2 or self.scores[r, k] > least]


def look(bank: Bank, place: Place, reach: float, tilts: Sequence[float]) -> Look:
    """Every class and turn, over shifts up to `reach` (a share of the side) and tilts in degrees, likeliest first."""
    first = _shifted(bank, place, place.corners if tilts[0] == 0 else tilted(place.corners, tilts[0]), reach)
    if len(tilts) == 1 or not HOPELESS <= first.scores.max() <= PLAIN:
        return first
    looks = [first, *(_shifted(bank, place, tilted(place.corners, t), reach) for t in tilts[1:])]
    starts = sorted((s for one in looks for s in one.starts), key=lambda s: -s.score)
    return Look(np.asarray(np.max([one.scores for one in looks], axis=0)), tuple(starts))


def tilted(corners: Points, degrees: float) -> Points:
    """Corners turned about their middle, clockwise as seen."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    middle = corners.mean(0)
    return np.asarray((corners - middle) @ np.array([[c, s], [-s, c]]) + middle, np.float64)


def turned(mask: Mask | None, turns: int) -> Mask | None:
    """A mask in the frame of the given corners, as seen when corner number `turns` is the top left."""
    return None if mask is None else np.rot90(mask, turns)


def fitted(mask: Mask | None, size: tuple[int, int]) -> Pixels:
    """A mask at a size (width, height), 1 where the piece is to be seen."""
    if mask is None:
        return np.ones((size[1], size[0]), np.uint8)
    return np.asarray(cv2.resize(mask.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST), np.uint8)


def _shifted(bank: Bank, place: Place, corners: Points, reach: float) -> Look:
    w, h = bank.coarse_size
    margin = round(reach * min(w, h))
    across = 2 * margin + 1
    scores = np.full((4, len(bank.names)), -2, np.float32)
    starts: list[Start] = []
    # One crop serves both turns of its shape, and all four of a square piece.
    shapes = sorted({r % 2 for r in place.rotations}) if w != h else [0]
    for shape in shapes:
        own = turned_corners(corners, shape)
        lab, use = _crop(place, own, (w, h), margin, shape)
        rotations = [r for r in place.rotations if w == h or r % 2 == shape]
        pictures = np.concatenate([bank.coarse[r - shape] for r in rotations])
        found = correlate(_windows(lab, (w, h)), _masks(use, (w, h)), pictures)
        found = found.reshape(-1, len(rotations), len(bank.names))
        found[..., ~place.allowed] = -2
        to_photo = canvas_to_photo(own, (w, h), margin)
        for i, r in enumerate(rotations):
            scores[r] = found[:, i].max(0)
            at, k = divmod(int(found[:, i].argmax()), len(bank.names))
            dy, dx = divmod(at, across)
            box = np.array([[dx, dy], [dx + w, dy], [dx + w, dy + h], [dx, dy + h]], float) - 0.5
            moved = turned_corners(project(to_photo, box), -shape) if margin else corners
            starts.append(Start(float(found[at, i, k]), k, r, moved))
    return Look(scores, tuple(sorted(starts, key=lambda s: -s.score)))


def _windows(lab: Floats, size: tuple[int, int]) -> Floats:
    """All windows (n, 3, p) of a canvas, row by row."""
    w, h = size
    views = np.lib.stride_tricks.sliding_window_view(lab, (h, w), (0, 1))
    return views.reshape(-1, 3, h * w)


def _masks(use: Mask, size: tuple[int, int]) -> Mask:
    """The pixels in use (n, p) of all windows."""
    w, h = size
    if use.all():
        return np.ones((1, 1), np.bool_)
    return np.lib.stride_tricks.sliding_window_view(use, (h, w)).reshape(-1, h * w)


def _crop(place: Place, own: Points, size: tuple[int, int], margin: int, shape: int) -> tuple[Floats, Mask]:
    """Lab canvas with a margin, its light evened, and the pixels in use."""
    w, h = size
    full = (w + 2 * margin, h + 2 * margin)
    to_photo = canvas_to_photo(own, size, margin)
    crop = place.picture.warp(to_photo, full)
    white = white_of(crop[margin : margin + h, margin : margin + w]) if place.white is None else place.white
    use = ~blown(crop) & place.picture.inside(to_photo, full)
    if place.visible is not None:
        shown = fitted(turned(place.visible, shape), size)
        use &= cv2.copyMakeBorder(shown, margin, margin, margin, margin, cv2.BORDER_CONSTANT) > 0
    return evened(to_lab(crop, white)), use
