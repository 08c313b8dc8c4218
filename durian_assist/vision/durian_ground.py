"""Places of a card's size beside the cards of a table that are not bare table: cards that nobody could read.

Cards lie in rows, and in columns in which each leaves a strip of the one before free. What goes on in such a line, a
card wide, is looked at; whether it is bare table the photo itself tells (see `ground`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.dash_plane import TablePlane
from durian_assist.vision.durian_contrast import unglared
from durian_assist.vision.ground import Mask, Pixels, Shares, detail, foreign, printed
from durian_assist.vision.rectify import Picture

Points = NDArray[np.float64]

SCALE = 20.0  # pixels a card height
AROUND = 6.0  # card heights round the known pieces that are looked at
RIM = 0.08  # beside a card (card heights): its shadow, and what it lies beside its place
INNER = 0.86  # of a card's width and height: it may be turned, its neighbours' rims reach over its edge
# A place is a card's where it shows as much as this share of what the faintest known card does above the table.
NEARLY = 0.75
# A card that shows less than this share of what known cards usually do says nothing of what a card must show.
FAINTEST = 0.3
# What tells less between the known cards and the rest (shares of the area) says nothing of other places.
TELLING = 0.3
PLAIN = 0.45  # of the known cards' detail is found on every card
VARIED = 0.9  # of the places on the table show no more than what counts as bare
NEXT, ASIDE = 0.4, 0.3  # how far from a piece, along and beside its line, the next one may lie (card heights)
# Free share of a place: beside others, and above or below them, where a strip is all that is left free.
WHOLE_FREE, STRIP_FREE = 0.75, 0.45
LEAST_FREE = 0.15  # of a place: where less is free what is seen there tells little of it
SEEN = 0.35  # least share of a place that is free of cards and glare
ALIKE = 0.95  # of two places as good as this against each other the upper left one comes first
MOST = 6  # places


@dataclass(frozen=True, slots=True)
class Ground:
    """The table's plane as a picture, `origin` the plane point of its top left; `clear` what the photo shows of it
    without glare."""

    pixels: Pixels
    clear: Mask
    origin: tuple[float, float]
    aspect: float

    @staticmethod
    def of(picture: Picture, plane: TablePlane, pieces: Sequence[Points], aspect: float) -> Ground:
        """The surroundings of the pieces (n, 2), plane outlines."""
        points = np.concatenate(list(pieces))
        low, high = points.min(axis=0) - AROUND, points.max(axis=0) + AROUND
        size = (int(np.ceil((high[0] - low[0]) * SCALE)), int(np.ceil((high[1] - low[1]) * SCALE)))
        to_photo = plane.matrix @ np.array([[1 / SCALE, 0, low[0]], [0, 1 / SCALE, low[1]], [0, 0, 1.0]])
        pixels = picture.warp(to_photo, size)
        inside, lit = picture.inside(to_photo, size), unglared(pixels, SCALE)
        return Ground(pixels, inside if lit is None else inside & lit, (float(low[0]), float(low[1])), aspect)

    def evidence(self, cards: Sequence[Points], others: Sequence[Points]) -> Evidence | None:
        """What tells cards from the table, learnt from the plane outlines of known `cards`, apart from `others`.

        None where nothing does.
        """
        known = self.mask(cards, 0.0) & self.clear
        table = ~self.mask([*cards, *others], RIM) & self.clear
        if not known.any() or not table.any():
            return None
        details = detail(self.pixels)
        counted = np.maximum(self.means(table), 1e-3)
        signs = []
        for shown in (foreign(self.pixels, known, table), printed(details, known, table)):
            share = self.means(shown & table) / counted
            bare, usual = float(np.quantile(share[table], VARIED)), float(shown[known].mean())
            if usual - bare > TELLING:
                faintest = max(self._faintest(shown, cards), bare + FAINTEST * (usual - bare))
                signs.append(Sign(shown & self.clear, bare, min(faintest, usual)))
        plenty = self._plenty(details, PLAIN * float(details[known].mean()))
        return Evidence(self, tuple(signs), plenty) if signs else None

    def _faintest(self, shown: Mask, cards: Sequence[Points]) -> float:
        """The least share of the pixels `shown` that a known card has."""
        masks = [self.mask([card], 0.0) & self.clear for card in cards]
        return min(float(shown[mask].mean()) for mask in masks if mask.any())

    def _plenty(self, details: Shares, least: float) -> Mask:
        """Where the inner part of a card has so much detail: a lamp's reflection on a bare table has not."""
        total = self.means(np.where(self.clear, details, np.float32(0.0)))
        return np.asarray(total >= least * self.means(self.clear), np.bool_)

    def mask(self, outlines: Iterable[Points], rim: float) -> Mask:
        """(h, w) the pixels inside any of the outlines, or nearer to one than `rim` card heights."""
        mask = np.zeros(self.pixels.shape[:2], np.uint8)
        for outline in outlines:
            cv2.fillConvexPoly(mask, self.at(outline), 1)
        reach = round(rim * SCALE)
        if reach:
            mask = np.asarray(cv2.dilate(mask, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)), np.uint8)
        return mask > 0

    def at(self, points: Points) -> NDArray[np.int32]:
        """Plane points (n, 2) in pixels."""
        return np.asarray(np.round((points - self.origin) * SCALE - 0.5), np.int32)

    def means(self, values: Mask | Shares) -> Shares:
        """For every pixel the mean of `values` over the inner part of an upright card around it."""
        size = (max(round(INNER * self.aspect * SCALE), 1), max(round(INNER * SCALE), 1))
        return np.asarray(cv2.blur(values.astype(np.float32), size, borderType=cv2.BORDER_CONSTANT), np.float32)


@dataclass(frozen=True, slots=True)
class Sign:
    """Pixels `shown` to be cards; what share of them counts as `bare` table, and what the faintest card has."""

    shown: Mask
    bare: float
    faintest: float

    @property
    def least(self) -> float:
        """The share of them that a card shows."""
        return self.bare + NEARLY * (self.faintest - self.bare)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The signs that tell on this table, each enough by itself.

    `plenty` (h, w): whether the card-sized place round a pixel shows detail enough for a card.
    """

    ground: Ground
    signs: tuple[Sign, ...]
    plenty: Mask

    def likeness(self, points: Points, known: Sequence[Points]) -> Shares:
        """How card-like the places (n, 2) of whole cards are: 0 bare table or `known` pieces, 1 like a known card.

        What lies on the plane outlines of known pieces shows them, and no card beside them.
        """
        ground = self.ground
        free = ~ground.mask(known, RIM) & ground.clear
        counted = np.maximum(ground.means(free), LEAST_FREE)
        height, width = counted.shape
        x, y = np.clip(ground.at(points), 0, (width - 1, height - 1)).T
        shares = [((ground.means(s.shown & free) / counted)[y, x], s) for s in self.signs]
        each = [(share - s.bare) / (s.faintest - s.bare) for share, s in shares]
        return np.asarray(np.clip(np.max(each, axis=0), 0.0, 1.0), np.float32)

    def places(
        self, cards: Sequence[Points], boards: Sequence[Points], is_order: Sequence[bool]
    ) -> list[tuple[float, float]]:
        """Centres of what may be further cards, the likeliest first, by the first sign that shows any.

        `cards` and `boards` are plane outlines of known ones; below boards, and above and below orders, strips of
        cards are looked for too.
        """
        found = (self._shown(sign, cards, boards, is_order) for sign in self.signs)
        return next((places for places in found if places), [])

    def _shown(
        self, sign: Sign, cards: Sequence[Points], boards: Sequence[Points], is_order: Sequence[bool]
    ) -> list[tuple[float, float]]:
        ground = self.ground
        taken = ground.mask([*cards, *boards], RIM)
        rows, columns = self._lines([*cards, *boards], is_order)
        found: list[tuple[float, float]] = []
        while len(found) < MOST:
            free, counted = ground.means(~taken), ground.means(~taken & ground.clear)
            share = ground.means(sign.shown & ~taken) / np.maximum(counted, 1e-3)
            likely = (rows & (free > WHOLE_FREE)) | (columns & (free > STRIP_FREE))
            likely &= (counted > SEEN) & self.plenty & (share > sign.least)
            if not likely.any():
                break
            worth = np.where(likely, share * free, 0.0)
            y, x = (int(v) for v in np.argwhere(worth >= ALIKE * worth.max())[0])
            found.append((ground.origin[0] + (x + 0.5) / SCALE, ground.origin[1] + (y + 0.5) / SCALE))
            card = _upright(found[-1], ground.aspect)
            taken = taken | ground.mask([card], 0.0)
            more = self._lines([card], [True] if columns[y, x] else [])
            rows, columns = rows | more[0], columns | more[1]
        return found

    def _lines(self, pieces: Sequence[Points], is_order: Sequence[bool]) -> tuple[Mask, Mask]:
        """Where the next card of a row may have its centre, and that of a column.

        `is_order` for the first pieces, the others are boards.
        """
        shape, aspect = self.plenty.shape, self.ground.aspect
        rows, columns = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
        for k, piece in enumerate(pieces):
            middle, half = piece.mean(axis=0), np.ptp(piece, axis=0) / 2
            beside = np.array([half[0] + aspect / 2 + NEXT, ASIDE])
            below = np.array([ASIDE * aspect, half[1] + 0.5 + NEXT])
            self._fill(rows, middle - beside, middle + beside)
            if k >= len(is_order):
                self._fill(columns, middle - (below[0], 0.0), middle + below)
            elif is_order[k]:
                self._fill(columns, middle - below, middle + below)
        return rows > 0, columns > 0

    def _fill(self, mask: NDArray[np.uint8], low: Points, high: Points) -> None:
        (left, top), (right, bottom) = self.ground.at(np.stack([low, high])).tolist()
        cv2.rectangle(mask, (left, top), (right, bottom), 1, -1)


def _upright(centre: tuple[float, float], aspect: float) -> Points:
    half = 0.5 * np.array([(-aspect, -1.0), (aspect, -1.0), (aspect, 1.0), (-aspect, 1.0)])
    return np.asarray(half + centre, np.float64)
