"""Four-sided shapes of a Durian photo, and the cards and the order board among them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from itertools import islice

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.common.parallel import ahead
from durian_assist.vision.durian_by_board import by_board
from durian_assist.vision.durian_faces import DurianDeck
from durian_assist.vision.durian_print import by_print
from durian_assist.vision.durian_seeds import HalfFinder, Seed, SeedFinder, card_finder, merged
from durian_assist.vision.find_masks import light_masks, table_masks
from durian_assist.vision.find_shapes import Shape, shapes_of
from durian_assist.vision.rectify import Picture, blown
from durian_assist.vision.white_paper import with_paper

Pixels = NDArray[np.uint8]
Points = NDArray[np.float64]

LONG_SIDE = 1000  # of the picture in which outlines are looked for
ENOUGH = 4  # seeds that make a plane
SURE = 0.75  # least correlation of a seed that the plane may rest on
# `table_masks` begins with edges (each raw, then closed): slow and seldom a card. Then come lightness and saturation,
# and last the main colours.
EDGE_MASKS, LIGHT_MASKS = 6, 9
ALIKE_SIZE = 0.7  # seeds of one table, seen aslant, differ in the log of their area by less
# A camera that has a table in its picture is no nearer to one side of a card than by this factor.
NEARER = 1.5
WORSE = 0.1  # a seed that fits so much worse than the best is part of a card, or two of them
GLARE = 0.0008  # of the photo's area
FAINT = 0.3  # correlation with a face of an outline that may still move onto one
MOST_SHAPES = 40  # the largest of one mask: more are squares of a cloth
VARIANTS = 2  # of one shape, from different masks, that are looked at


class OutlineSearch:
    """Looks for cards and the board mask by mask, so that it can stop when they are enough for a plane.

    `picture`: that in which they are to be read, with their paper told from glare.
    """

    def __init__(self, picture: Picture, deck: DurianDeck) -> None:
        height, width = picture.pixels.shape[:2]
        self.picture = with_paper(picture)
        self.scale = min(1.0, LONG_SIDE / max(height, width))
        size = (round(width * self.scale), round(height * self.scale))
        self.small = np.asarray(cv2.resize(picture.pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
        self.shapes: list[Shape] = []
        self.board: Seed | None = None
        self._found: list[Seed] = []
        self._round_board: list[Seed] = []
        self._deck = deck
        self._cards = card_finder(deck) if deck.faces else None
        self._boards = SeedFinder([deck.board.references], deck.board.aspect) if deck.board is not None else None
        self._counts: dict[tuple[int, int, int], int] = {}
        self._rested = -1
        self._quick = _shapes_of(light_masks(self.small))
        self._slow = _shapes_of(_slow_masks(self.small))

    @cached_property
    def _halves(self) -> HalfFinder | None:
        """Made at its first use."""
        return None if self._cards is None else HalfFinder(self._deck, self._cards)

    @property
    def cards(self) -> list[Seed]:
        """The largest group of good seeds of one size, or else those round the board."""
        return agreeing(self._found) or self._round_board

    @property
    def enough(self) -> bool:
        """Whether cards and board are found."""
        board = self._boards is None or (self.board is not None and self.board.score > SURE)
        return board and len(self.cards) >= ENOUGH

    @property
    def sure_board(self) -> Points | None:
        """(4, 2) photo corners of the board, None where it is not surely seen: by its picture, or by cards that lie on
        the plane that it gives."""
        if self.board is None or not (self.board.score > SURE or self._round_board):
            return None
        return self.board.corners

    def first(self) -> None:
        """Look through the quick masks."""
        self._look(self._quick)

    def rest(self) -> None:
        """Look through the slow ones; where no card is seen even so, again at all shapes with less asked of them.

        The art of a dark card says little while its outline is not exact. Where no shape is new since it was asked
        for before, there is nothing more to be seen.
        """
        if self._rested == len(self.shapes):
            return
        self._by_halves()
        self._look(self._slow)
        self._by_halves()
        if not self.cards and self._cards is not None:
            self._found = merged(self._cards.seeds(self.picture, self.shapes, self.scale, [], least=FAINT))
        self._rested = len(self.shapes)

    def printed(self) -> None:
        """Where no outline shows a card, look for cards on the board's plane, and then for the print of the faces."""
        if not self.cards and self._cards is not None and self.board is not None:
            self._round_board = by_board(self.picture, self._deck, self.board)
        if not self.cards and self._cards is not None:
            self._found = merged([*self._found, *by_print(self.picture, self._deck, self._cards)])

    def quick_shapes(self) -> list[Shape]:
        """The shapes of the quick masks that were not needed."""
        return [shape for shapes in self._quick for shape in shapes]

    def slow_shapes(self) -> list[Shape]:
        """The shapes of the slow masks that were not needed."""
        return [shape for shapes in self._slow for shape in shapes]

    def glare(self) -> None:
        """Where glare clips a part of the photo to white, look at edges too: nothing else bounds a piece in it."""
        if blown(self.small).mean() > GLARE:
            self._look(_shapes_of(islice(table_masks(self.small, quick=True), 1, EDGE_MASKS, 2)))

    def _look(self, masks: Iterator[list[Shape]]) -> None:
        """Look through the shapes of masks, one mask after the other, until there are enough."""
        while not self.enough:
            shapes = next(masks, None)
            if shapes is None:
                return
            fresh = [shape for shape in shapes if self._new(shape)]
            fresh = sorted(fresh, key=lambda shape: -shape.area)[:MOST_SHAPES]
            self.shapes += fresh
            if self._cards is not None:
                self._found = merged([*self._found, *self._cards.seeds(self.picture, fresh, self.scale, self._found)])
            if self._boards is not None:
                known = [self.board] if self.board is not None else []
                boards = self._boards.seeds(self.picture, fresh, self.scale, known)
                self.board = max([*boards, *known], key=lambda s: s.score, default=None)

    def _by_halves(self) -> None:
        """Where no card is seen, look for halves of cards among the shapes."""
        if not self.cards and self._halves is not None:
            self._found = merged([*self._found, *self._halves.seeds(self.picture, self.shapes, self.scale)])

    def _new(self, shape: Shape) -> bool:
        """Whether fewer than VARIANTS of this shape were seen."""
        x, y = shape.quad.mean(axis=0)
        key = (int(x // 8), int(y // 8), int(np.log(shape.area) // 0.15))
        self._counts[key] = self._counts.get(key, 0) + 1
        return self._counts[key] <= VARIANTS


def _shapes_of(masks: Iterator[Pixels]) -> Iterator[list[Shape]]:
    """The shapes of each mask; those of the next one are found while one's are looked at."""
    return ahead(partial(shapes_of, mask) for mask in masks)


def _slow_masks(pixels: Pixels) -> Iterator[Pixels]:
    """Those of `table_masks` that are not `light_masks`, closed edges first."""
    masks = table_masks(pixels, quick=True)
    edges = list(islice(masks, EDGE_MASKS))
    yield from edges[1::2]
    yield from edges[::2]
    yield from islice(masks, LIGHT_MASKS, None)


def _flat(corners: Points) -> bool:
    """Whether corners (4, 2) may be those of a card on a table: its opposite sides are seen nearly as long."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return bool(np.abs(np.log(sides[:2] / sides[2:])).max() < np.log(NEARER))


def agreeing(seeds: Sequence[Seed]) -> list[Seed]:
    """The largest group of good seeds of one size, by the sum of their scores."""
    best_score = max((s.score for s in seeds), default=0.0)
    good = [s for s in seeds if s.score > max(SURE, best_score - WORSE) and _flat(s.corners)]
    if not good:
        return []
    sizes = np.log([abs(cv2.contourArea(s.corners.astype(np.float32))) for s in good])
    alike = np.abs(sizes[:, None] - sizes[None]) < ALIKE_SIZE
    best = alike[int((alike * np.array([s.score**4 for s in good])).sum(axis=1).argmax())]
    return [s for s, same in zip(good, best, strict=True) if same]
