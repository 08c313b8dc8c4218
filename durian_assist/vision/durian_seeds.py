"""The first cards of a table photo: four-sided shapes that look like a face of the deck or like the order board.

They give the table's plane and which way the board reads; everything else is then looked for on the plane.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.align import Aligner
from durian_assist.vision.durian_contrast import contrast
from durian_assist.vision.durian_faces import DurianDeck
from durian_assist.vision.durian_shade import evened, on_paper
from durian_assist.vision.find_shapes import Shape
from durian_assist.vision.rectify import Picture, canvas_to_photo, project, turned_corners

Floats = NDArray[np.float32]
Points = NDArray[np.float64]

ALIKE = 0.55  # least correlation of a seed with its face
GOOD = 0.85  # a seed so like its face need not be looked for again
MOST = 12  # seeds of one mask
# A card with round corners fills more than nine tenths of the four-sided figure round it, rings and flowers do not.
LEAST_FILL = 0.85
# Seeds that correlate by less once they are aligned are no cards; after so many in a row no others of a mask are.
LIKELY, PATIENCE = 0.75, 3
STRETCH = 2.0  # a tilted view changes a card's width over height by no more: 60 degrees from above
CANVASES = (20, 64)  # pixels high, for alignment from coarse to fine
ROWS = 24  # pixels high, for comparison


@dataclass(frozen=True, slots=True)
class Seed:
    """A piece found by its outline: `corners` (4, 2) in the photo, its own top left first; `score` correlation."""

    corners: Points
    score: float


class SeedFinder:
    """Compares four-sided shapes with one picture for each class of one outline."""

    def __init__(self, classes: Sequence[Sequence[NDArray[np.uint8]]], aspect: float) -> None:
        """`classes`: the references of each class."""
        self.references, self.aspect = [stack[0] for stack in classes], aspect
        self.size = (round(ROWS * aspect), ROWS)
        self._paper = on_paper(self.references)
        rows = np.stack([np.mean([self._row(r) for r in stack], axis=0) for stack in classes])
        self.rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        self._aligners: dict[tuple[int, int], Aligner] = {}

    def seeds(
        self, picture: Picture, shapes: Sequence[Shape], scale: float, known: Sequence[Seed], least: float = ALIKE
    ) -> list[Seed]:
        """New seeds among the shapes, whose pixels are those of the photo times `scale`, best first.

        None lies on another, nor on a good one of the `known`. `least`: correlation below which a shape is passed over.
        """
        good = [seed.corners for seed in known if seed.score > GOOD]
        found = []
        for shape in shapes:
            if shape.fill < LEAST_FILL:
                continue
            corners = self._landscape(np.asarray(shape.quad / scale, np.float64))
            if corners is None or not all(_apart(corners, other) for other in good):
                continue
            score, index, turned = self._compare(picture, corners)
            if score > least:
                found.append((score, index, turned_corners(corners, 2) if turned else corners))
        found.sort(key=lambda f: -f[0])
        kept: list[tuple[float, int, Points]] = []
        for entry in found:
            if len(kept) < MOST and all(_apart(entry[2], other[2]) for other in kept):
                kept.append(entry)
        seeds: list[Seed] = []
        misses = 0
        for entry in kept:
            seeds.append(self._aligned(picture, *entry))
            misses = 0 if seeds[-1].score > LIKELY else misses + 1
            if misses == PATIENCE:
                break
        return seeds

    def _landscape(self, quad: Points) -> Points | None:
        """The corners so that width over height is near that of the class; None where it never is."""
        sides = _sides(quad)
        ratio = (sides[0] + sides[2]) / (sides[1] + sides[3])
        ways = [abs(math.log(ratio / self.aspect)), abs(math.log(1 / ratio / self.aspect))]
        turn = int(ways[1] < ways[0])
        return turned_corners(quad, turn) if ways[turn] < math.log(STRETCH) else None

    def _row(self, reference: NDArray[np.uint8]) -> Floats:
        small = np.asarray(cv2.resize(reference, self.size, interpolation=cv2.INTER_AREA), np.uint8)
        return contrast(self._plain(small)).reshape(-1)

    def _plain(self, crop: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """A canvas without the shade on it, where the classes are print on bare paper."""
        return evened(crop) if self._paper else crop

    def _compare(self, picture: Picture, corners: Points) -> tuple[float, int, bool]:
        crop = picture.warp(canvas_to_photo(corners, self.size), self.size)
        row = contrast(self._plain(crop)).reshape(-1)
        row /= np.linalg.norm(row) + 1e-3
        scores = self.rows @ np.stack([row, row.reshape(-1, 3)[::-1].reshape(-1)], axis=1)
        index, turned = np.unravel_index(int(scores.argmax()), scores.shape)
        return float(scores[index, turned]), int(index), bool(turned)

    def aligned(self, picture: Picture, corners: Points) -> Seed:
        """The seed that lies at these corners (own top left first), moved to where it fits best."""
        score, index, turned = self._compare(picture, corners)
        return self._aligned(picture, score, index, turned_corners(corners, 2) if turned else corners)

    def _aligned(self, picture: Picture, score: float, index: int, corners: Points) -> Seed:
        best = Seed(corners, score)
        for height in CANVASES:
            aligner = self._aligner(index, height)
            moved = aligner.refine(picture, best.corners, rounds=6)
            after, again, turned = self._compare(picture, moved)
            if after > best.score and again == index and not turned:
                best = Seed(moved, after)
        return best

    def _aligner(self, index: int, height: int) -> Aligner:
        aligner = self._aligners.get((index, height))
        if aligner is None:
            size = (round(height * self.aspect), height)
            small = np.asarray(cv2.resize(self.references[index], size, interpolation=cv2.INTER_AREA), np.uint8)
            light = cv2.cvtColor(self._plain(small), cv2.COLOR_BGR2GRAY).astype(np.float32)
            prepare = evened if self._paper else None
            aligner = self._aligners.setdefault((index, height), Aligner.of(np.asarray(light, np.float32), prepare))
        return aligner


class HalfFinder:
    """Finds cards by one half: on cloth where no outline shows a whole card, one often shows a half in its colour."""

    def __init__(self, deck: DurianDeck, cards: SeedFinder) -> None:
        """`cards`: the finder of whole ones."""
        faces = [face for face in deck.faces if face.halves is not None]
        self._cards = cards
        self._halves = SeedFinder([half for face in faces for half in _halves(face.references)], deck.aspect / 2)

    def seeds(self, picture: Picture, shapes: Sequence[Shape], scale: float) -> list[Seed]:
        """The whole cards of which a half is among the shapes, whose pixels are those of the photo times `scale`."""
        halves = self._halves.seeds(picture, shapes, scale, [])
        ways = [[self._cards.aligned(picture, whole) for whole in _wholes(half.corners)] for half in halves]
        return [max(both, key=lambda seed: seed.score) for both in ways]


def _halves(references: Sequence[NDArray[np.uint8]]) -> tuple[list[NDArray[np.uint8]], list[NDArray[np.uint8]]]:
    """The left and the right halves of a face's references."""
    middle = references[0].shape[1] // 2
    return [r[:, :middle] for r in references], [r[:, -middle:] for r in references]


def _wholes(half: Points) -> tuple[Points, Points]:
    """The corners (4, 2) of the card that has the given half on its left, and of that which has it on its right."""
    unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    to_photo = np.asarray(cv2.getPerspectiveTransform(unit, half.astype(np.float32)), np.float64)
    left, right = unit * (2, 1), unit * (2, 1) - (1, 0)
    return project(to_photo, np.asarray(left, np.float64)), project(to_photo, np.asarray(right, np.float64))


def card_finder(deck: DurianDeck) -> SeedFinder:
    """For the faces of the cards."""
    return SeedFinder([face.references for face in deck.faces], deck.aspect)


def _sides(quad: Points) -> list[float]:
    """The lengths of the four sides of a quad (4, 2)."""
    corners = quad.tolist()
    return [math.dist(corner, after) for corner, after in zip(corners, [*corners[1:], corners[0]], strict=True)]


def _apart(first: Points, second: Points) -> bool:
    """Whether the centres of two quads are further apart than a third of the shorter side of the first."""
    across, down = (first.sum(axis=0) - second.sum(axis=0)).tolist()
    return math.hypot(across, down) / 4 > min(_sides(first)) / 3


def merged(seeds: Sequence[Seed]) -> list[Seed]:
    """The best seeds, no two in one place."""
    kept: list[Seed] = []
    for seed in sorted(seeds, key=lambda s: -s.score):
        side = np.linalg.norm(seed.corners[3] - seed.corners[0])
        if all(np.linalg.norm(seed.corners.mean(axis=0) - k.corners.mean(axis=0)) > side / 2 for k in kept):
            kept.append(seed)
    return kept
