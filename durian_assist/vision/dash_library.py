"""The classes of a deck as arrays of one size, and the comparison of one card's picture with all of them.

Everything that is known of a deck comes from its profile: how alike its classes are and what tells two of them apart
is measured on the references.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.deck_profile import CardClass, Pixels

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

# Print that is finer than this share of a card's height is what a veil of light leaves as it is.
FINE_PRINT = 0.18
# Classes that correlate by this much lie within the reach of one search: a misplaced card stays far below.
ALIKE = 0.8
# Columns and rows of the blocks in which a veil of light is taken as even.
BLOCKS = (3, 4)
# Differences below this share of full scale are grain, not print.
NOISE = 0.02
# Cards under a veil of glare still correlate by 0.45 as a whole; below this there is no need to look closer.
HOPELESS = 0.25
# Two references nearer to each other than this cannot be told apart in a photo.
LEAST_DIFFERENCE = 0.02
# Right cards lead by 0.29 or more in every light measured: e to the -STEEPNESS times that is a doubt of 1 %.
STEEPNESS = 16.0
# A name is certain from this probability on.
SURE = 0.95
# With a lead of less, the card is looked at closer: its print may lie a little off its cut.
SLIM = 0.4
# By so many pixels, of the height at which cards are named (a pixel is about 1 mm): (right, down).
Move = tuple[int, int]
STILL: tuple[Move, ...] = ((0, 0),)
MOVES: tuple[Move, ...] = tuple((right, down) for down in range(-2, 3) for right in range(-2, 3))


@dataclass(frozen=True, slots=True)
class Verdict:
    """`ranked`: (name, lead of the best over it), best first; `score`: the best's correlation, block by block."""

    ranked: tuple[tuple[str, float], ...]
    score: float

    @property
    def name(self) -> str:
        return self.ranked[0][0]

    @property
    def lead(self) -> float:
        """How clearly it is the best and not the next: 0 undecided, 1 as clear as the reference itself."""
        return min((lead for _, lead in self.ranked[1:]), default=1.0)

    @property
    def slim(self) -> bool:
        """Whether a print a little off its card's cut may be what speaks against the next."""
        return self.lead < SLIM

    @property
    def confidence(self) -> float:
        """The probability that the name is right, from all leads."""
        doubt = float(sum(np.exp(-STEEPNESS * lead) for _, lead in self.ranked[1:]))
        return 1 / (1 + doubt)

    def against(self, other: Verdict) -> Verdict:
        """What is left of this where another witness names another class: the surer one's name, the other's as near."""
        first, second = (self, other) if self.confidence >= other.confidence else (other, self)
        ranked = tuple((name, 0.0 if name == second.name else lead) for name, lead in first.ranked)
        return Verdict(ranked, self.score)

    def faded(self, share: float) -> Verdict:
        """The same with leads that count for a share of what they are, where the light may have changed."""
        return Verdict(tuple((name, lead * min(share, 1.0)) for name, lead in self.ranked), self.score)

    @property
    def candidates(self) -> tuple[str, ...]:
        """Names that may be right, best first."""
        return tuple(name for name, lead in self.ranked if np.exp(-STEEPNESS * lead) > 1 - SURE)


@dataclass(frozen=True)
class Library:
    """`names` (k) and `pictures` (k, height, width, 3) float32 of 0..1: the mean of each class's references."""

    names: tuple[str, ...]
    pictures: Floats

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the pictures in pixels."""
        return self.pictures.shape[2], self.pictures.shape[1]

    def at(self, height: int) -> Library:
        """The same classes with pictures of another height in pixels."""
        width = round(height * self.size[0] / self.size[1])
        scaled = [cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA) for picture in self.pictures]
        return Library(self.names, np.asarray(scaled, np.float32))

    def without(self, names: Sequence[str]) -> Library | None:
        """The other classes, or None where there are none."""
        kept = [number for number, name in enumerate(self.names) if name not in names]
        return Library(tuple(self.names[k] for k in kept), self.pictures[kept]) if kept else None

    @cached_property
    def _rows(self) -> Floats:
        """(classes, pixels * 3): the pictures as rows."""
        return np.ascontiguousarray(self.pictures.reshape(len(self.names), -1))

    def correlations(self, picture: Pixels, visible: Mask) -> Floats:
        """Zero-mean correlation (k) of a card's picture (h, w, 3) with every class over the visible pixels."""
        kinds, total = len(self.names), float(np.count_nonzero(visible))
        if total < 1:
            return np.zeros(kinds, np.float32)
        values = picture.reshape(-1, 3).astype(np.float32) / 255
        weight = visible.ravel().astype(np.float32)
        values -= weight @ values / total
        own = self._whole if total == visible.size else self._sides @ weight
        if total < visible.size:
            values *= weight[:, None]
        flat = values.ravel()
        spread = own[3 * kinds :] - (own[: 3 * kinds].reshape(kinds, 3) ** 2).sum(1) / total
        scale = np.sqrt(np.maximum(spread, 1e-6) * max(float(flat @ flat), 1e-6))
        return np.asarray(self._rows @ flat / scale, np.float32)

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Class numbers in groups that correlate by at least ALIKE."""
        everything = np.ones(self.pictures.shape[1:3], np.bool_)
        groups: list[list[int]] = []
        for number, picture in enumerate(self.pictures):
            scores = self.correlations(as_pixels(picture), everything)
            group = next((g for g in groups if scores[g[0]] >= ALIKE), None)
            if group is None:
                groups.append([number])
            else:
                group.append(number)
        return tuple(tuple(group) for group in groups)

    @cached_property
    def shapes(self) -> tuple[Pixels, ...]:
        """One picture a group, the mean of its classes: enough where only the place of a card is looked for."""
        return tuple(as_pixels(self.pictures[list(group)].mean(axis=0)) for group in self.groups)

    def shape_of(self, kind: int) -> int:
        """The number of the shape that stands for a class."""
        return next(n for n, group in enumerate(self.groups) if kind in group)

    @cached_property
    def _order(self) -> NDArray[np.intp]:
        """(blocks, m): the numbers of each block's pixels, filled up with that of one pixel more than there are."""
        columns, rows = ((np.arange(side) * n // side) for side, n in zip(self.size, BLOCKS, strict=True))
        number = (rows[:, None] * BLOCKS[0] + columns).ravel()
        pixels = [np.flatnonzero(number == block) for block in range(BLOCKS[0] * BLOCKS[1])]
        order = np.full((len(pixels), max(len(own) for own in pixels)), len(number))
        for block, own in enumerate(pixels):
            order[block, : len(own)] = own
        return order

    def _in_blocks(self, rows: Floats) -> Floats:
        """(blocks, m, channels) the pixels (n, channels) of a picture block by block, those that fill up 0."""
        return np.concatenate([rows, np.zeros((1, rows.shape[1]), np.float32)]).take(self._order, axis=0)

    @cached_property
    def _sides(self) -> Floats:
        """(4 * classes, pixels): every channel of every class, then every class's squares."""
        flat = self.pictures.reshape(len(self.names), -1, 3)
        planes = flat.transpose(0, 2, 1).reshape(-1, flat.shape[1])
        return np.ascontiguousarray(np.concatenate([planes, (flat**2).sum(-1)]))

    @cached_property
    def _whole(self) -> Floats:
        """The sums of the `_sides` (4 * classes)."""
        return np.asarray(self._sides @ np.ones(self._sides.shape[1], np.float32))

    @cached_property
    def _block_sides(self) -> Floats:
        """The `_sides` block by block (blocks, 4 * classes, m)."""
        return np.ascontiguousarray(self._in_blocks(np.ascontiguousarray(self._sides.T)).transpose(0, 2, 1))

    @cached_property
    def _block_sums(self) -> Floats:
        """The sums of the `_block_sides` (blocks, 4 * classes)."""
        return np.asarray(self._block_sides.sum(2))

    @cached_property
    def _block_rows(self) -> Floats:
        """The pictures block by block (blocks, classes, m * 3)."""
        blocks = [self._in_blocks(row.reshape(-1, 3)).reshape(len(self._order), -1) for row in self._rows]
        return np.ascontiguousarray(np.stack(blocks, 1))

    def best(self, picture: Pixels, visible: Mask) -> tuple[int, float]:
        """The class that fits best, and its correlation: block by block where any comes into question at all."""
        scores = self.correlations(picture, visible)
        if scores.max() >= HOPELESS:
            scores = self.local(picture, visible)
        return int(scores.argmax()), float(scores.max())

    def local(self, picture: Pixels, visible: Mask) -> Floats:
        """Correlation with every class, block by block, blind to a veil of light over the card.

        Every block takes off its own mean of each channel; a block counts by its visible pixels and the contrast that
        the reference has in it.
        """
        kinds, weight = len(self.names), visible.reshape(-1, 1).astype(np.float32)
        values = self._in_blocks(picture.reshape(-1, 3) * (weight / np.float32(255)))
        flat, shown = values.reshape(len(values), -1, 1), self._in_blocks(weight)
        own = self._block_sums if visible.all() else np.matmul(self._block_sides, shown)[..., 0]
        count = shown.sum((1, 2))
        total = np.maximum(count, 1e-6)
        # Numpy's own sum over the pixels takes as long as all the rest here.
        mean = np.matmul(np.ones((1, values.shape[1]), np.float32), values)[:, 0]
        means = own[:, : 3 * kinds].reshape(len(own), kinds, 3)
        spread = np.maximum(np.matmul(flat.transpose(0, 2, 1), flat)[:, 0, 0] - (mean**2).sum(1) / total, 0)
        spreads = np.maximum(own[:, 3 * kinds :].T - (means**2).sum(2).T / total, 0)
        cross = np.matmul(self._block_rows, flat)[..., 0].T - (means * mean[:, None]).sum(2).T / total
        noise = np.maximum(count, 1e-6) * 3 * NOISE**2
        match = cross / np.sqrt(spread + noise) / np.sqrt(spreads + noise)
        share = np.sqrt(spreads * count)
        return np.asarray((match * share).sum(1) / np.maximum(share.sum(1), 1e-6), np.float32)

    def verdict(self, picture: Pixels, visible: Mask) -> Verdict:
        """Which class the visible pixels show, and how clearly against each other one.

        A veil of glare may colour a block of one class as the ground of another is: the fine print is asked as well.
        Where the lead is slim, a print that lies a little off its card's cut may be the reason: then each class is laid
        where it fits best.
        """
        own, second = self._judged(picture, visible), self._fine_print
        fine = bare(picture, visible, self.size[1])
        moved = own.slim
        if moved:
            own = self._judged(picture, visible, MOVES)
        if self.names[int(second.local(fine, visible).argmax())] == own.name:
            return own
        return own.against(second._judged(fine, visible, MOVES if moved else STILL))

    @cached_property
    def _fine_print(self) -> Library:
        """The same classes without the grounds of their pictures."""
        everything = np.ones(self.pictures.shape[1:3], np.bool_)
        fine = [bare(as_pixels(picture), everything, self.size[1]) for picture in self.pictures]
        return Library(self.names, np.asarray(fine, np.float32) / np.float32(255))

    @cached_property
    def greys(self) -> Floats:
        """The pictures in grey (classes, height, width), 0..255."""
        return np.asarray([cv2.cvtColor(picture * 255, cv2.COLOR_BGR2GRAY) for picture in self.pictures], np.float32)

    @cached_property
    def prints(self) -> tuple[Pixels, ...]:
        """The shapes in grey (height, width) without their grounds."""
        return tuple(grey_print(shape, self.size[1]) for shape in self.shapes)

    def print_score(self, picture: Pixels, visible: Mask, kind: int) -> float:
        """How well the fine print of a card's picture correlates with that of the class number `kind`."""
        fine = bare(picture, visible, self.size[1])
        return float(self._fine_print.correlations(fine, visible)[kind])

    def best_print(self, picture: Pixels, visible: Mask) -> float:
        """How well the fine print of a card's picture correlates with that of the class that it fits best."""
        return float(self._fine_print.correlations(bare(picture, visible, self.size[1]), visible).max())

    def _judged(self, picture: Pixels, visible: Mask, moves: Sequence[Move] = STILL) -> Verdict:
        """The verdict of one witness, each class at the best of some moves of the picture.

        A lead of 1 is as clear as the class's own picture would be: what tells near twins apart counts as much as what
        tells strangers apart.
        """
        scores = self._best_moved(picture, visible, moves)
        best = int(scores.argmax())
        alike = self._best_moved(as_pixels(self.pictures[best]), visible, moves)
        leads = (scores[best] - scores) / (np.maximum(alike[best] - alike, 0) + LEAST_DIFFERENCE)
        order = [int(k) for k in np.argsort(-scores)]
        return Verdict(tuple((self.names[k], float(leads[k])) for k in order), float(scores[best]))

    def _best_moved(self, picture: Pixels, visible: Mask, moves: Sequence[Move]) -> Floats:
        """The correlation with every class at the best of some moves (right, down) of a picture."""
        return np.asarray(np.max([self.local(*_moved(picture, visible, move)) for move in moves], axis=0), np.float32)


def _moved(picture: Pixels, visible: Mask, move: Move) -> tuple[Pixels, Mask]:
    """A picture and its visible pixels moved; what comes in from outside is not visible."""
    if not any(move):
        return picture, visible
    (right, down), (height, width) = move, visible.shape
    shown = np.roll(visible, (down, right), (0, 1))
    shown[: max(down, 0)] = shown[height + min(down, 0) :] = False
    shown[:, : max(right, 0)] = shown[:, width + min(right, 0) :] = False
    return np.roll(picture, (down, right), (0, 1)), shown


def as_pixels(picture: Floats) -> Pixels:
    """A picture of 0..1 as pixels of 0..255."""
    return np.asarray(np.clip(picture * 255 + 0.5, 0, 255), np.uint8)


def bare(picture: Pixels, visible: Mask, height: float) -> Pixels:
    """A picture (h, w, channels) without its ground: less the mean of what is visible round about, on grey.

    `height` is that of a card in pixels.
    """
    side = round(FINE_PRINT * height) | 1
    shown = visible.astype(np.float32)
    around = cv2.blur(picture.astype(np.float32) * shown[..., None], (side, side)).reshape(picture.shape)
    ground = around / np.maximum(cv2.blur(shown, (side, side)), 1 / side**2)[..., None]
    return np.asarray(np.clip(picture - ground + 128, 0, 255), np.uint8)


def grey_print(picture: Pixels, height: float) -> Pixels:
    """A picture (h, w, 3) in grey (h, w) without its ground: in a third of the time it tells places as well."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    return bare(grey[..., None], np.ones(grey.shape, np.bool_), height)[..., 0]


def build_library(classes: Sequence[CardClass], width: int, height: int) -> Library:
    """Scale the references of `classes` to one size in pixels and average those of each class."""
    means = [np.mean([_scaled(r, width, height) for r in kind.references], axis=0) for kind in classes]
    names = tuple(kind.name for kind in classes)
    return Library(names, np.asarray(means, np.float32))


def _scaled(reference: Pixels, width: int, height: int) -> Floats:
    resized = cv2.resize(reference, (width, height), interpolation=cv2.INTER_AREA)
    scaled: Floats = np.asarray(resized, np.float32) / np.float32(255)
    return scaled
