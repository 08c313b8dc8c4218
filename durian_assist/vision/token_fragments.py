"""What is left of tokens that a hand, a card or the frame covers: pieces with the colours of the known tokens, mixed as
in these; and places where a lamp's reflection leaves nothing of one.

No token is read from such a place; that one may lie there must be said, as tokens that nobody counts are a wrong score.
How much a part has of the whole's colours the known tokens of the same photo tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from durian_assist.vision.dazzle import dazzled_places
from durian_assist.vision.find_masks import quick_lab
from durian_assist.vision.ground import Mask, Pixels, Shares
from durian_assist.vision.rectify import Points, blown, median
from durian_assist.vision.token_colours import COMMONER, TheirColours, filled, widened

# How many times commoner on the known tokens than on the table the piece's colours are: a finger may have some of them.
TIMES = COMMONER[1:]
# Of a token's area: what is smaller is a speck, or art on something else; what is larger is more than a token.
LEAST, MOST = 0.1, 1.1
# A piece is compared with parts of known tokens that are no larger: more of one has all of the colours, in one light.
LARGEST_PART = 0.25
# Levels of lightness and of each colour by which mixes are compared, in Lab as 8 bits.
BINS = (6, 11, 11)
# Parts of known tokens are cut off along so many directions.
WAYS = 8
# The tenth of the known parts that has least of the mix may be one colour alone.
LEAST_OF_PARTS = 0.1
# A piece shows another number, in other light, than the known parts: it may have so much less.
NEARLY = 0.9
# Pixels that a rim of another colour between two pieces of one token may be wide.
GAP = 5


def fragments(colours: TheirColours, found: Sequence[Points], most: int) -> list[Points]:
    """Outlines (n, 2) in the photo of pieces of tokens; `found`: outlines of all that were found, read or not.

    More than `most` pieces, as many as there may be tokens yet, are a cloth's pattern, and none of them is one.
    """
    scale = colours.scale
    outlines = [outline * scale for outline in found]
    taken = widened(filled(colours.known.shape, outlines))
    area = float(median([cv2.contourArea(outline.astype(np.float32)) for outline in outlines]))
    tokens: list[_Token] = []
    known = np.zeros((0, 3), np.uint8)
    pieces: list[Points] = []
    for hull, piece in _pieces(colours.small, [(colours.times >= least) & ~taken for least in TIMES], area):
        if any(cv2.pointPolygonTest(one.astype(np.float32), _middle(hull), measureDist=False) >= 0 for one in pieces):
            continue
        if not tokens:
            tokens = [_Token.of(colours, outline) for outline in outlines]
            known = np.concatenate([token.pixels for token in tokens])
        parts = [part for token in tokens for part in token.parts(min(len(piece) / area, LARGEST_PART))]
        if _like_a_part(piece, known, parts):
            pieces.append(hull)
    pieces = [hull / scale for hull in pieces]
    return pieces if len(pieces) <= most else []


def dazzled(colours: TheirColours, found: Sequence[Points], most: int) -> list[Points]:
    """Outlines (4, 2) in the photo where a lamp's reflection hides all of a token, as large as those `found`.

    No more than `most`.
    """
    scale = colours.scale
    taken = widened(filled(colours.known.shape, [outline * scale for outline in found]))
    side = max(round(float(median([np.ptp(outline, axis=0).max() for outline in found])) * scale), 1)
    corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) * side
    places = dazzled_places(blown(colours.small) & ~taken, (side, side))
    return [(corners + np.array(place)) / scale for place in places[:most]]


def _pieces(small: Pixels, masks: Sequence[Mask], area: float) -> Iterator[tuple[Points, Pixels]]:
    """The pieces of some masks (h, w) that are parts of a token of that area (pixels) by their size: their hulls (n, 2)
    and their pixels (n, 3) in Lab."""
    for mask in masks:
        closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((GAP, GAP), np.uint8))
        whole = np.asarray(closed, np.uint8)
        contours, _ = cv2.findContours(whole, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        for contour in contours:
            hull = cv2.convexHull(contour)
            if not LEAST * area <= cv2.contourArea(hull) <= MOST * area:
                continue
            x, y, width, height = cv2.boundingRect(contour)
            inside = np.zeros((height, width), np.uint8)
            cv2.drawContours(inside, [contour], -1, 1, -1, offset=(-x, -y))
            piece = small[y : y + height, x : x + width][(inside & whole[y : y + height, x : x + width]) > 0]
            if LEAST * area <= len(piece) <= MOST * area:
                yield hull[:, 0].astype(np.float64), _lab(piece)


def _lab(pixels: Pixels) -> Pixels:
    """Pixels (n, 3) in Lab."""
    return np.asarray(quick_lab(np.ascontiguousarray(pixels[None]))[0], np.uint8)


@dataclass(frozen=True, slots=True)
class _Token:
    """A known token's `places` (n, 2) in the picture and its `pixels` (n, 3) in Lab, none where it is not known."""

    places: Points
    pixels: Pixels

    @classmethod
    def of(cls, colours: TheirColours, outline: Points) -> _Token:
        """The token with an outline (n, 2) in the picture that is looked at."""
        ys, xs = np.nonzero(filled(colours.known.shape, [outline]) & colours.known)
        places = np.stack([xs, ys], axis=1).astype(np.float64)
        return cls(places, _lab(colours.small[ys, xs]) if len(xs) else np.zeros((0, 3), np.uint8))

    def parts(self, share: float) -> Iterator[Pixels]:
        """The pixels of parts of it, a `share` of it each, cut off from all sides."""
        for k in range(WAYS if len(self.places) else 0):
            way = 2 * np.pi * k / WAYS
            along = self.places @ np.array([np.cos(way), np.sin(way)])
            yield self.pixels[along >= np.sort(along)[int((1 - share) * (len(along) - 1))]]


def _middle(outline: Points) -> tuple[float, float]:
    x, y = outline.mean(axis=0).tolist()
    return x, y


def _like_a_part(piece: Pixels, known: Pixels, parts: Sequence[Pixels]) -> bool:
    """Has a piece as much of the `known` tokens' mix of colours as parts of them have? Lab pixels (n, 3) of each.

    And is it no plainer and no louder than these?
    """
    spreads = [_spread(part) for part in parts]
    if not parts or not _low(spreads) <= _spread(piece) <= max(spreads) / NEARLY:
        return False
    usual = _mix(known)
    return _shared(_mix(piece), usual) >= _low([_shared(_mix(part), usual) for part in parts])


def _low(measures: Sequence[float]) -> float:
    """What a piece must have, where known parts measure so much."""
    return NEARLY * float(np.sort(measures)[int(LEAST_OF_PARTS * len(measures))])


def _spread(pixels: Pixels) -> float:
    """How far from plain some Lab pixels (n, 3) are: the spread of their lightness."""
    return float(pixels[:, 0].astype(np.float32).std())


def _mix(pixels: Pixels) -> Shares:
    """The shares of the colours, by Lab levels, of some pixels (n, 3); each is spread to its neighbours."""
    levels = pixels.astype(np.int64) * BINS // 256
    numbers = (levels[:, 0] * BINS[1] + levels[:, 1]) * BINS[2] + levels[:, 2]
    mix = np.bincount(numbers, minlength=BINS[0] * BINS[1] * BINS[2]).reshape(BINS).astype(np.float32)
    for axis in range(len(BINS)):
        mix = 0.5 * mix + 0.25 * (np.roll(mix, 1, axis) + np.roll(mix, -1, axis))
    return np.asarray(mix / max(float(mix.sum()), 1.0), np.float32)


def _shared(first: Shares, second: Shares) -> float:
    return float(np.minimum(first, second).sum())
