"""Does a thing end at the outline of what may be a card, or does it go on beyond it?

A card ends at its outline on every side. A pencil, the stripe of a cloth, a plank or the lines of a newspaper cross
it: what lies just inside a side then lies just outside it too, straight on or at a slant. Only what is seen to cross
speaks. A weak edge does not: a dark card on a dark table, or a white one in a veil of light, shows nothing on either
side that could be the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.rectify import (
    Floats,
    Mask,
    Picture,
    Points,
    blown,
    canvas_to_photo,
    project,
    to_lab,
    white_of,
)

Index = NDArray[np.intp]

# Pixels of a piece's shorter side on the canvas that is looked at.
SHORT_SIDE = 60
# Pixels from a side: nearer lie its own blur and what the outline may be off (3 % of the piece), further away it is
# another matter what lies there.
NEAR, FAR = 2, 7
# A side's ends, as shares of it, are left out: corners are round.
ROUND = 0.06
# What crosses a side may do so at up to 45 degrees.
SLANTS = np.linspace(-1.0, 1.0, 9)
# What crosses a side may do so anywhere: halves of it are looked at, the first, the middle and the last one. With less
# of a half to be seen, neither covered by known pieces nor beyond the frame, it tells nothing.
HALVES = (0.0, 0.25, 0.5)
LEAST_SEEN = 0.9
# Of what changes along a half of a side, so much is the same inside and outside where something crosses it. Of 8,600
# sides of cards on plain, wooden, striped and printed tables none has half as much.
SAME = 0.7
# The least standard deviation along a side (lightness 0 to 100 and colours) of what crosses it: noise has less.
LEAST_CONTRAST = 1.5


def goes_on(picture: Picture, corners: Points, known: Iterable[Points] = ()) -> bool:
    """Whether something crosses a side of a quadrilateral (4, 2 photo pixels, clockwise).

    `known`: outlines (n, 2) of other pieces; where they lie nothing is compared, as like cards may lie side by side.
    """
    return any(crossed(side, seen) for side, seen in _sides(picture, corners, known))


def crossed(lab: Floats, seen: Mask) -> bool:
    """Whether something crosses the upper side of a piece on its canvas (h, w, 3), `seen` (h, w) where it is told."""
    at, mirrored = _crossing(lab.shape[1])
    inside, outside = _rows()
    told = np.asarray((seen[inside, at] & seen[outside, mirrored]).all(axis=1), np.bool_)
    within, beyond = lab[inside, at].mean(axis=1), lab[outside, mirrored].mean(axis=1)
    length = told.shape[1]
    halves = [slice(round(start * length), round(start * length) + length // 2) for start in HALVES]
    return any(_same(within[:, half], beyond[:, half], told[:, half]) for half in halves)


def _same(within: Floats, beyond: Floats, told: Mask) -> bool:
    """Whether for any slant two profiles (slants, n, 3) change along a side, and alike, where it is `told`."""
    weight = told[..., None].astype(np.float32)
    own, other = (_change(part, weight) for part in (within, beyond))
    apart = ((within - beyond) ** 2 * weight).sum(axis=(1, 2))
    clear = np.minimum(own, other) > LEAST_CONTRAST**2 * weight.sum(axis=(1, 2))
    return bool((clear & (apart < (1 - SAME) * (own + other)) & (told.mean(axis=1) >= LEAST_SEEN)).any())


def _change(profiles: Floats, weight: Floats) -> Floats:
    """(slants,) the sum of squares of what profiles (slants, n, 3) are off a parabola each, which light may be."""
    along = np.linspace(-1, 1, profiles.shape[1], dtype=np.float32)[:, None]
    rest, taken = profiles * weight, list[Floats]()
    for power in range(3):
        part = along**power * weight
        for other in taken:
            part = part - (part * other).sum(axis=1, keepdims=True) * other
        taken.append(part / np.sqrt((part**2).sum(axis=1, keepdims=True) + 1e-6))
        rest = rest - (rest * taken[-1]).sum(axis=1, keepdims=True) * taken[-1]
    return np.asarray((rest**2).sum(axis=(1, 2)), np.float32)


def _sides(picture: Picture, corners: Points, known: Iterable[Points]) -> list[tuple[Floats, Mask]]:
    """The piece with a margin, turned so that each of its sides is the upper one in turn, and where it is told."""
    lengths = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    across, down = float(lengths[0] + lengths[2]), float(lengths[1] + lengths[3])
    scale = SHORT_SIDE / max(min(across, down), 1e-6)
    size = (round(across * scale), round(down * scale))
    to_photo, whole = canvas_to_photo(corners, size, FAR), (size[0] + 2 * FAR, size[1] + 2 * FAR)
    crop, seen = picture.warp(to_photo, whole), picture.inside(to_photo, whole)
    hidden, to_canvas = np.zeros(seen.shape, np.uint8), np.asarray(np.linalg.inv(to_photo), np.float64)
    for outline in known:
        if _touch(corners, outline):
            at = project(to_canvas, outline)
            cv2.fillConvexPoly(hidden, np.round(at * 16).astype(np.int32), 1, shift=4)
    seen &= cv2.dilate(hidden, np.ones((3, 3), np.uint8)) == 0
    # A lamp's glare lies on a card and on the table about it alike.
    seen &= cv2.dilate(blown(crop).astype(np.uint8), np.ones((2 * FAR + 1, 2 * FAR + 1), np.uint8)) == 0
    lab = to_lab(crop, white_of(crop[FAR:-FAR, FAR:-FAR]))
    return [(np.rot90(lab, turns), np.rot90(seen, turns)) for turns in range(4)]


def _touch(one: Points, other: Points) -> bool:
    """Whether two outlines are near enough to each other to touch, the margin included."""
    middles = one.mean(axis=0), other.mean(axis=0)
    reach = [float(np.linalg.norm(q - m, axis=1).max()) for q, m in zip((one, other), middles, strict=True)]
    return float(np.linalg.norm(middles[0] - middles[1])) < 1.5 * reach[0] + reach[1]


@lru_cache
def _crossing(width: int) -> tuple[Index, Index]:
    """Two arrays (slants, depths, n) of columns: along the side at each depth inside it, and where what lies there
    comes out as far outside."""
    length = width - 2 * FAR
    ends = round(ROUND * length)
    along = np.arange(FAR + ends, width - FAR - ends)
    shift = np.round(SLANTS[:, None] * (np.arange(NEAR, FAR) + 0.5)).astype(np.intp)[..., None]
    return np.clip(along + shift, 0, width - 1), np.clip(along - shift, 0, width - 1)


@lru_cache
def _rows() -> tuple[Index, Index]:
    """Two arrays (1, depths, 1) of rows: each depth inside the upper side, and as far outside it."""
    depth = np.arange(NEAR, FAR)[None, :, None]
    return FAR + depth, FAR - 1 - depth
