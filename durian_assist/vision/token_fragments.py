"""What is left of tokens that a hand, a card or the frame covers: pieces with the colours of the known tokens, mixed as
in these; and places where a lamp's reflection leaves nothing of one.

No token is read from such a place; that one may lie there must be said, as tokens that nobody counts are a wrong score.
How much a part has of the whole's colours the known tokens of the same photo tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from durian_assist.vision.ground import Mask, Pixels, Shares
from durian_assist.vision.rectify import Points, blown
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
# Share of a token's place that is clipped to white where nothing of it is left.
WHITE = 0.95
# Pixels that a rim of another colour between two pieces of one token may be wide.
GAP = 5


def fragments(colours: TheirColours, found: Sequence[Points], most: int) -> list[Points]:
    """Outlines (n, 2) in the photo of pieces of tokens; `found`: outlines of all that were found, read or not.

    More than `most` pieces, as many as there may be tokens yet, are a cloth's pattern, and none of them is one.
    """
    scale = colours.scale
    taken = widened(filled(colours.known.shape, [outline * scale for outline in found]))
    area = float(np.median([cv2.contourArea((outline * scale).astype(np.float32)) for outline in found]))
    lab: Pixels | None = None
    pieces: list[Points] = []
    for piece in _pieces([(colours.times >= least) & ~taken for least in TIMES], area):
        lab = np.asarray(cv2.cvtColor(colours.small, cv2.COLOR_BGR2Lab), np.uint8) if lab is None else lab
        share = min(float(piece.sum()) / area, LARGEST_PART)
        parts = [part for one in found for part in _parts(lab, colours, one, share)]
        hull = _hull(piece)
        new = all(
            cv2.pointPolygonTest((known * scale).astype(np.float32), _middle(hull), measureDist=False) < 0
            for known in pieces
        )
        if new and _like_a_part(lab[piece], lab[colours.known], parts):
            pieces.append(hull / scale)
    return pieces if len(pieces) <= most else []


def dazzled(colours: TheirColours, found: Sequence[Points], most: int) -> list[Points]:
    """Outlines (4, 2) in the photo where a lamp's reflection hides all of a token, as large as those `found`.

    One of each reflection, of `most` the largest: how many tokens it hides nobody can say.
    """
    scale = colours.scale
    taken = widened(filled(colours.known.shape, [outline * scale for outline in found]))
    white = blown(colours.small) & ~taken
    width = float(np.median([np.ptp(outline, axis=0).max() for outline in found])) * scale
    side = max(round(width), 1)
    whole = cv2.blur(white.astype(np.float32), (side, side), borderType=cv2.BORDER_CONSTANT)
    _, labels = cv2.connectedComponents(white.astype(np.uint8))
    places = np.where(whole >= WHITE, whole, 0.0)
    hidden: list[Points] = []
    while places.any() and len(hidden) < most:
        y, x = np.unravel_index(int(places.argmax()), places.shape)
        corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) * side + np.array((x, y))
        hidden.append(corners / scale)
        places[labels == labels[y, x]] = 0.0
    return hidden


def _pieces(masks: Sequence[Mask], area: float) -> Iterator[Mask]:
    """The connected pieces (h, w) of some masks that are parts of a token of that area (pixels) by their size."""
    for mask in masks:
        whole = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((GAP, GAP), np.uint8))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(whole)
        for k in range(1, count):
            if LEAST * area <= stats[k, cv2.CC_STAT_AREA] <= MOST * area:
                piece = labels == k
                if cv2.contourArea(_hull(piece).astype(np.float32)) <= MOST * area:
                    yield piece


def _hull(piece: Mask) -> Points:
    """(n, 2) the convex outline of a piece (h, w)."""
    contours, _ = cv2.findContours(piece.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(cv2.convexHull(np.vstack(list(contours)))[:, 0], np.float64)


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


def _parts(lab: Pixels, colours: TheirColours, outline: Points, share: float) -> Iterator[Pixels]:
    """Lab pixels (n, 3) of parts of a token, a `share` of it, cut off from all sides; none where it is not known."""
    ys, xs = np.nonzero(filled(colours.known.shape, [outline * colours.scale]) & colours.known)
    for k in range(WAYS if len(xs) else 0):
        way = 2 * np.pi * k / WAYS
        along = xs * np.cos(way) + ys * np.sin(way)
        kept = along >= np.sort(along)[int((1 - share) * (len(along) - 1))]
        yield lab[ys[kept], xs[kept]]


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
