"""Places of a card's size beside the cards of a table that are not bare table: cards that nobody could read.

Cards lie in rows, and in columns in which each leaves a strip of the one before free. What goes on in such a line, a
card wide, is looked at; whether it is bare table the photo itself tells (see `ground`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.dash_plane import TablePlane
from durian_assist.vision.durian_contrast import unglared
from durian_assist.vision.ground import Mask, Pixels, Shares, colour_numbers, detail, foreign, printed, table_colours
from durian_assist.vision.rectify import Picture, quantile

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
# Of the known cards' pixels so few may have a colour of the table's: what lies under their round corners, and specks.
SHARED = 0.1
# A step from cards to table of so many times the spread of what is printed on the cards drowns that.
DROWNING = 2.0
# Away from the lines of a table lies no card: where more than so many of the places there look like one, what lies in
# a line and looks like one may be the table's pattern just as well.
CHANCE = 0.005
VEIL = 0.5  # card heights round a lamp's reflection in which its veil may hide a card's art
PLAIN = 0.45  # of the known cards' detail is found on every card
VARIED = 0.9  # of the places on the table show no more than what counts as bare
NEXT, ASIDE = 0.4, 0.3  # how far from a piece, along and beside its line, the next one may lie (card heights)
ON_BOARD = 0.25  # of a card's height: the first order lies no further up on the board
# The inventory's cards lie so many card heights above the board's middle, and no more than so many widths aside of it.
ROW_ABOVE, ROW_CARDS = (0.75, 2.2), 4.0
STEP = 0.4  # card heights: each order leaves more than that of the one before free
# Free share of a place: beside others, and above or below them, where a strip is all that is left free.
WHOLE_FREE, STRIP_FREE = 0.75, 0.45
OPEN = 0.95  # of what is free of a place: where more is clear of glare it shows a card's outline
LEAST_FREE = 0.15  # of a place: where less is free what is seen there tells little of it
SEEN = 0.35  # least share of a place that is free of cards and glare
ALIKE = 0.95  # of two places as good as this against each other the upper left one comes first
TOGETHER = 0.4  # places as good as each other within so many card heights are one card's
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
            bare, usual = float(quantile(share[table], VARIED)), float(shown[known].mean())
            if usual - bare > TELLING:
                faintest = max(self._faintest(shown, cards), bare + FAINTEST * (usual - bare))
                signs.append(Sign(shown & self.clear, bare, min(faintest, usual), usual))
        plenty = self._plenty(details, PLAIN * float(details[known].mean()))
        return Evidence(self, tuple(signs), plenty) if signs else None

    def bare(self, cards: Sequence[Points], others: Sequence[Points]) -> Mask | None:
        """By colour number: the table's colours that no card has, told by known `cards` apart from `others`.

        None where more than a few pixels of the known cards have them too, or where the table is no more different
        from the cards than what is printed on them.
        """
        known = self.mask(cards, 0.0) & self.clear
        table = ~self.mask([*cards, *others], RIM) & self.clear
        if not known.any() or not table.any():
            return None
        own, rest = self.pixels[known].astype(np.float32), self.pixels[table].astype(np.float32)
        step = float(np.abs(own.mean(axis=0) - rest.mean(axis=0)).max())
        if step < DROWNING * float(np.sqrt(own.var(axis=0).mean())):
            return None
        colours = table_colours(self.pixels, known, table)
        shared = colours[colour_numbers(self.pixels)][known].mean()
        return colours if shared < SHARED else None

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
    """Pixels `shown` to be cards; what share of them counts as `bare` table, what the faintest card has and what cards
    usually have."""

    shown: Mask
    bare: float
    faintest: float
    usual: float

    @property
    def least(self) -> float:
        """The share of them that a card shows."""
        return self.bare + NEARLY * (self.faintest - self.bare)


@dataclass(frozen=True, slots=True)
class Piece:
    """A known card: plane outlines (4, 2) of all of it and of the part of it that is `shown`.

    `is_order`: of a column, in which the next card may cover it from below where it `goes_on`.
    """

    outline: Points
    shown: Points
    is_order: bool
    goes_on: bool


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
        self, pieces: Sequence[Piece], boards: Sequence[Points], top: float, outlined: bool, middle: bool
    ) -> list[tuple[float, float]]:
        """Centres of what may be further cards beside the known pieces, the likeliest first.

        Of places as good as each other the uppermost left one is taken, or the `middle` of those around it.

        `boards` are plane outlines. Strips of cards that others cover are looked for too, but none above `top`; above
        boards the inventory's row, where no card of it is known. `outlined`: this table's cards show their outlines, so
        that one in a row of which none was found lies at most where the photo does not show all of it clearly.
        """
        ground = self.ground
        taken = ground.mask([*(piece.shown for piece in pieces), *boards], RIM)
        rows, columns = self.lines(pieces, boards)
        if all(piece.is_order for piece in pieces):
            rows = rows | self._above(boards)
        below = np.arange(len(rows))[:, None] >= ground.at(np.array([[0.0, top]]))[0, 1]
        below = below & ~self._on(boards)
        outlines = [piece.outline for piece in pieces]
        found: list[tuple[float, float]] = []
        while len(found) < MOST:
            free, counted = ground.means(~taken), ground.means(~taken & ground.clear)
            worth = self._worth(~taken, counted) * free
            row = rows & (free > WHOLE_FREE)
            if outlined:
                row &= counted < OPEN * free
            likely = row | (columns & below & ~self._close(outlines) & (free > STRIP_FREE))
            worth = np.where(likely & (counted > SEEN) & self.plenty, worth, 0.0)
            if not worth.any():
                break
            good = worth >= ALIKE * worth.max()
            y, x = first_middle(good) if middle else np.argwhere(good)[0].tolist()
            found.append((ground.origin[0] + (x + 0.5) / SCALE, ground.origin[1] + (y + 0.5) / SCALE))
            card = upright(found[-1], ground.aspect)
            outlines.append(card)
            taken = taken | ground.mask([card], 0.0)
            order = bool(columns[y, x])
            more = self.lines([Piece(card, card, order, order)], [])
            rows, columns = rows | more[0], columns | more[1]
        return found

    def patternless(self, pieces: Sequence[Piece], boards: Sequence[Points]) -> Evidence:
        """With those signs only that the table itself does not show, away from the lines of the known pieces."""
        ground = self.ground
        free = ~ground.mask([*(piece.outline for piece in pieces), *boards], RIM)
        rows, columns = self.lines(pieces, boards)
        counted = ground.means(free & ground.clear)
        # A card in a line is seen beside its place too.
        beside = np.ones((2 * round(TOGETHER * SCALE) + 1,) * 2, np.uint8)
        away = (cv2.dilate((rows | columns).astype(np.uint8), beside) == 0) & (counted > WHOLE_FREE)
        if not away.any():
            return self
        alike = [(replace(self, signs=(s,))._worth(free, counted) > 0) & self.plenty & away for s in self.signs]
        kept = [s for s, shown in zip(self.signs, alike, strict=True) if not _repeats(shown, away)]
        return replace(self, signs=tuple(kept))

    def glared(self, place: tuple[float, float]) -> bool:
        """Whether a lamp's reflection, or the veil round it, hides some of a card with its centre there."""
        lit = unglared(self.ground.pixels, SCALE)
        if lit is None:
            return False
        ((x, y),) = self.ground.at(np.array([place]))
        reach = np.ones((2 * round(VEIL * SCALE) + 1,) * 2, np.uint8)
        veiled = cv2.dilate((~lit).astype(np.uint8), reach) > 0
        return bool(self.ground.means(veiled)[y, x] > 1 - OPEN)

    def _worth(self, free: Mask, counted: Shares) -> Shares:
        """How card-like the `free` pixels of each place are by the sign that says most for it, 0 where none says so.

        `counted`: the share of a place that is free and clear.
        """
        worth = np.zeros(counted.shape, np.float32)
        for sign in self.signs:
            share = self.ground.means(sign.shown & free) / np.maximum(counted, 1e-3)
            like = np.minimum((share - sign.bare) / (sign.usual - sign.bare), 1.0)
            worth = np.maximum(worth, np.where(share > sign.least, like, 0.0))
        return worth

    def _above(self, boards: Sequence[Points]) -> Mask:
        """Where the cards of the inventory may have their centres: in a row above a board."""
        rows = np.zeros(self.plenty.shape, np.uint8)
        for board in boards:
            x, y = board.mean(axis=0).tolist()
            aside = ROW_CARDS * self.ground.aspect
            self._fill(rows, np.array([x - aside, y - ROW_ABOVE[1]]), np.array([x + aside, y - ROW_ABOVE[0]]))
        return rows > 0

    def lines(self, pieces: Sequence[Piece], boards: Sequence[Points]) -> tuple[Mask, Mask]:
        """Where the next card of a row may have its centre, and that of a column."""
        shape = self.plenty.shape
        rows, columns = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
        for piece in pieces:
            middle, beside, below = self._next(piece.outline)
            self._fill(rows, middle - beside, middle + beside)
            if piece.is_order:
                self._fill(columns, middle - below, middle + (below if piece.goes_on else (below[0], 0.0)))
        for board in boards:
            middle, beside, below = self._next(board)
            self._fill(rows, middle - beside, middle + beside)
            self._fill(columns, middle - (below[0], 0.0), middle + below)
        return rows > 0, columns > 0

    def _on(self, boards: Sequence[Points]) -> Mask:
        """Where the first order of a column would lie further up on its board than one does."""
        shown = np.zeros(self.plenty.shape, np.uint8)
        for board in boards:
            middle, _, below = self._next(board)
            aside, first = below - (0.0, NEXT + ON_BOARD)
            self._fill(shown, middle - (aside, 0.0), middle + np.array([aside, first]))
        return shown > 0

    def _close(self, outlines: Sequence[Points]) -> Mask:
        """Where a card of a column would lie nearer to another one than cards that overlap do."""
        close = np.zeros(self.plenty.shape, np.uint8)
        reach = np.array([self.ground.aspect / 2, STEP])
        for outline in outlines:
            middle = outline.mean(axis=0)
            self._fill(close, middle - reach, middle + reach)
        return close > 0

    def _next(self, outline: Points) -> tuple[Points, Points, Points]:
        """The middle of a piece, and how far the next card's centre may lie beside it and below it (x, y)."""
        half, aspect = np.ptp(outline, axis=0) / 2, self.ground.aspect
        beside = np.array([half[0] + aspect / 2 + NEXT, ASIDE])
        below = np.array([ASIDE * aspect, half[1] + 0.5 + NEXT])
        return outline.mean(axis=0), beside, below

    def _fill(self, mask: NDArray[np.uint8], low: Points, high: Points) -> None:
        (left, top), (right, bottom) = self.ground.at(np.stack([low, high])).tolist()
        cv2.rectangle(mask, (left, top), (right, bottom), 1, -1)


def _repeats(shown: Mask, where: Mask) -> bool:
    """Whether much of a region shows something, and that in more than one place: a single thing is no pattern."""
    if shown.sum() < CHANCE * where.sum():
        return False
    return int(cv2.connectedComponents(shown.astype(np.uint8))[0]) - 1 > 1


def first_middle(places: Mask) -> tuple[int, int]:
    """Row and column of the middle of those places that lie near the one furthest to the upper left."""
    rows, columns = np.nonzero(places)
    first = int((rows + columns).argmin())
    near = np.hypot(rows - rows[first], columns - columns[first]) < TOGETHER * SCALE
    return round(float(rows[near].mean())), round(float(columns[near].mean()))


def upright(centre: tuple[float, float], aspect: float) -> Points:
    half = 0.5 * np.array([(-aspect, -1.0), (aspect, -1.0), (aspect, 1.0), (-aspect, 1.0)])
    return np.asarray(half + centre, np.float64)
