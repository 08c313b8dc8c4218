"""The first cards of a table: four-sided outlines whose picture is a class of the deck. They fix the table's plane."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.common.parallel import ahead
from durian_assist.vision.align import Aligner
from durian_assist.vision.dash_library import Library
from durian_assist.vision.find_masks import table_masks
from durian_assist.vision.find_shapes import shapes_of
from durian_assist.vision.rectify import Picture, blown, canvas_to_photo

Pixels = NDArray[np.uint8]
Points = NDArray[np.float64]
Mask = NDArray[np.bool_]

# Long side of the picture in which outlines are looked for: a card of a full table is still 80 pixels high.
WORK_SIDE = 1000
# An outline a few percent off already correlates by this much with its class; chance stays below.
LIKELY = 0.5
# After alignment a card of the deck correlates by more, whatever the light.
CERTAIN = 0.6
# The same card is not found twice when centres are nearer than this share of its height.
TWICE = 0.3
ROUNDS = 6
# Heights in pixels at which a card is aligned that a search at 16 pixels found, off by one of them.
ROUGHLY = (24, 32)
# Off by half of one fine print still correlates by so much.
FOUND = 0.3
# What lies between cards that look alike agrees by four fifths of what they do.
BESIDE = 0.85
# A picture with no more spread (the sum of squares of grey levels) is of one colour, and like nothing.
EVEN = 1.0
# A tilted view changes a card's width over height by no more.
STRETCH = 1.4


@dataclass(frozen=True, slots=True)
class Seed:
    """A card found by its outline: `corners` (4, 2) photo pixels, own top left first; `kind` its class number."""

    corners: Points
    kind: int
    score: float


def outlines(pixels: Pixels, *, thorough: bool = False) -> list[Points]:
    """Four-sided outlines (4, 2) in photo pixels, clockwise; `thorough` takes every mask, at four times the cost."""
    scale = min(1.0, WORK_SIDE / max(pixels.shape[:2]))
    small = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    masks = table_masks(np.asarray(small, np.uint8)) if thorough else _quick_masks(np.asarray(small, np.uint8))
    # Of a photo, the contours of one mask are followed while the next mask is made.
    looks = ahead(partial(shapes_of, mask) for mask in masks) if scale < 1 else map(shapes_of, masks)
    quads = [(np.asarray(shape.quad, np.float64) + 0.5) / scale - 0.5 for shapes in looks for shape in shapes]
    return _distinct(quads, 3 / scale)


def _quick_masks(small: Pixels) -> Iterator[Pixels]:
    light = cv2.cvtColor(cv2.GaussianBlur(small, (5, 5), 0), cv2.COLOR_BGR2GRAY)
    level, _ = cv2.threshold(light, 0, 255, cv2.THRESH_OTSU)
    for share in (0.75, 1.0, 1.25):
        yield np.asarray(light > min(level * share, 250), np.uint8)
    for block in (max(light.shape) // 5 | 1, max(light.shape) // 16 | 1):
        for offset in (-6, 10):
            mean = cv2.ADAPTIVE_THRESH_MEAN_C
            yield np.asarray(cv2.adaptiveThreshold(light, 1, mean, cv2.THRESH_BINARY, block, offset), np.uint8)
    saturation = np.ascontiguousarray(cv2.cvtColor(small, cv2.COLOR_BGR2HSV)[..., 1])
    level, _ = cv2.threshold(saturation, 0, 255, cv2.THRESH_OTSU)
    for share in (0.6, 1.0):
        yield np.asarray(saturation < level * share, np.uint8)


def _distinct(quads: Sequence[Points], near: float) -> list[Points]:
    """The quads without those that repeat an earlier one to within `near` pixels."""
    kept = np.zeros((0, 4, 2))
    for quad in quads:
        if not len(kept) or np.abs(kept - quad).max(axis=(1, 2)).min() >= near:
            kept = np.concatenate([kept, quad[None]])
    return list(kept)


class Aligners:
    """Fits cards onto the pictures of a library; made when asked for."""

    def __init__(self, library: Library) -> None:
        self.bank = library
        self._made: dict[int, Aligner] = {}

    def refine(self, picture: Picture, kind: int, corners: Points, visible: Mask | None = None) -> Points:
        """Corners (4, 2) moved onto the print of the class number `kind`; `visible` has the library's size."""
        aligner = self._made.get(kind)
        if aligner is None:
            grey = cv2.cvtColor(self.bank.pictures[kind] * 255, cv2.COLOR_BGR2GRAY)
            aligner = self._made.setdefault(kind, Aligner.of(np.asarray(grey, np.float32)))
        return aligner.refine(picture, corners, visible, ROUNDS)


class SeedFinder:
    """Names outlines by the library's pictures; the library may be small, 48 pixels high."""

    def __init__(self, library: Library) -> None:
        self.bank = library
        rows = library.pictures - library.pictures.mean(axis=(1, 2), keepdims=True)
        flat = rows.reshape(len(rows), -1)
        unit = flat / np.linalg.norm(flat, axis=1, keepdims=True)
        # The classes, and then the same turned by half a turn.
        both = np.concatenate([unit, unit.reshape(len(rows), -1, 3)[:, ::-1].reshape(len(rows), -1)])
        self._rows = np.ascontiguousarray(both.T, np.float32)
        self._aligners = Aligners(library)
        self._small = [Aligners(library.at(height)) for height in ROUGHLY]

    def seeds(self, picture: Picture, quads: Sequence[Points]) -> list[Seed]:
        """The outlines that look like a class of the deck, best first, one for each card."""
        turned = [np.roll(quad, -first, axis=0) for quad in quads for first in self._first_corners(quad)]
        return self.upright(picture, turned)

    def searched(self, picture: Picture, quads: Sequence[Points]) -> list[Seed]:
        """The cards at places (4, 2), own top left first, that a search of few pixels a card found.

        Off by up to one of those pixels they are aligned step by step. A dark card looks much like parts of two others:
        what agrees far less than the best does once it is aligned is none.
        """
        found = [self.aligned(picture, self._roughly(picture, seed)) for seed in self.upright(picture, quads, FOUND)]
        best = max((seed.score for seed in found), default=0.0)
        return apart(sorted((s for s in found if s.score >= BESIDE * best), key=lambda seed: -seed.score))

    def _roughly(self, picture: Picture, seed: Seed) -> Seed:
        corners = seed.corners
        for aligners in self._small:
            corners = aligners.refine(picture, seed.kind, corners)
        return replace(seed, corners=corners)

    def upright(self, picture: Picture, turned: Sequence[Points], least: float = LIKELY) -> list[Seed]:
        """Like `seeds` for corners that begin with a card's own top left, give or take half a turn."""
        if not turned:
            return []
        scores = self._scores(cut_all(picture, np.asarray(turned), self.bank.size))
        count = len(self.bank.names)
        found = [
            Seed(np.roll(turned[int(n)], -turn, axis=0), int(own[n].argmax()), float(own[n].max()))
            for turn, own in ((0, scores[:, :count]), (2, scores[:, count:]))
            for n in np.flatnonzero(own.max(axis=1) >= least)
        ]
        return apart(sorted(found, key=lambda seed: -seed.score))

    def _scores(self, cuts: Pixels) -> NDArray[np.float32]:
        """(n, 2 * classes) correlation of pictures (n, height, width, 3) with every class, and with each turned by half
        a turn. The classes have no mean, so that of a picture changes no product."""
        flat = cuts.reshape(len(cuts), -1, 3).astype(np.float32)
        spread = np.einsum("npc,npc->n", flat, flat) - flat.shape[1] * np.square(flat.mean(axis=1)).sum(axis=1)
        lengths = np.sqrt(np.maximum(spread, EVEN))
        return np.asarray(flat.reshape(len(flat), -1) @ self._rows / lengths[:, None], np.float32)

    def _first_corners(self, quad: Points) -> tuple[int, ...]:
        """Corners that may be the card's own top left, give or take half a turn."""
        sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
        width, height = self.bank.size
        stretched = float((sides[0] + sides[2]) / (sides[1] + sides[3])) / (width / height)
        turned = float((sides[1] + sides[3]) / (sides[0] + sides[2])) / (width / height)
        return tuple(n for n, ratio in ((0, stretched), (1, turned)) if 1 / STRETCH < ratio < STRETCH)

    def aligned(self, picture: Picture, seed: Seed) -> Seed:
        """The seed with its corners moved onto its class's picture, and its correlation there, block by block."""
        corners = self._aligners.refine(picture, seed.kind, seed.corners)
        cut = picture.warp(canvas_to_photo(corners, self.bank.size), self.bank.size)
        return Seed(corners, *self.bank.best(cut, ~blown(cut)))


def apart(seeds: Iterable[Seed]) -> list[Seed]:
    """The seeds without those that lie on an earlier one."""
    listed = list(seeds)
    if not listed:
        return []
    corners = np.array([seed.corners for seed in listed])
    centres, sides = corners.mean(axis=1), np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
    reach = TWICE * (sides[:, 0] + sides[:, 2]) / 2
    open_still = np.ones(len(listed), np.bool_)
    kept: list[Seed] = []
    for number, seed in enumerate(listed):
        if open_still[number]:
            kept.append(seed)
            open_still &= np.hypot(*(centres - centres[number]).T) >= reach[number]
    return kept


def cut_all(picture: Picture, quads: Points, size: tuple[int, int]) -> Pixels:
    """Upright pictures (n, height, width, 3) of many quads (n, 4, 2) at once; `size` is (width, height)."""
    width, height = size
    lengths = np.linalg.norm(quads - np.roll(quads, -1, axis=1), axis=2).mean(axis=1)
    levels = np.clip(np.log2(np.maximum(lengths / ((width + height) / 2), 1.0)), 0, 5).astype(int)
    matrices = zip(levels.tolist(), _homographies(size, quads), strict=True)
    return np.stack([picture.halved(level, matrix, size) for level, matrix in matrices])


def _homographies(size: tuple[int, int], quads: Points) -> Points:
    """(n, 3, 3) from canvas pixels to photo pixels."""
    width, height = size
    box = np.array([(-0.5, -0.5), (width - 0.5, -0.5), (width - 0.5, height - 0.5), (-0.5, height - 0.5)])
    x, y = np.broadcast_to(box[:, 0], quads.shape[:2]), np.broadcast_to(box[:, 1], quads.shape[:2])
    one, zero = np.ones_like(x), np.zeros_like(x)
    u, v = quads[..., 0], quads[..., 1]
    first = np.stack([x, y, one, zero, zero, zero, -u * x, -u * y], axis=-1)
    second = np.stack([zero, zero, zero, x, y, one, -v * x, -v * y], axis=-1)
    solved = np.linalg.solve(np.concatenate([first, second], axis=1), np.concatenate([u, v], axis=1)[..., None])
    return np.concatenate([solved[..., 0], np.ones((len(quads), 1))], axis=1).reshape(-1, 3, 3)
