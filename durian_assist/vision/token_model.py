"""What a deck's tokens look like: their mean picture, their outline, and where in a photo they lie exactly.

Tokens of one deck are near twins: only their small numbers differ. So a token is laid on the mean of all tokens.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.deck_profile import CardClass
from durian_assist.vision.rectify import Picture, blown, project
from durian_assist.vision.token_align import Aligner, centred, in_pixels, shown
from durian_assist.vision.token_references import together
from durian_assist.vision.token_shape import OutlineMatcher

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]
Points = NDArray[np.float64]

WIDTH = 200  # of the canvas on which values are told apart
ALIGN_WIDTHS = (40, 64, 128)
TOKEN = 0.38  # least correlation with the mean token
# On a canvas of this width a token is nearly as like the mean one as on the finest, which costs much more: of 2,171
# places none that became a token had less than 0.86 of TOKEN there, three in four of the others had.
TELLING_WIDTH, HOPE = 64, 0.85 * TOKEN
CLEAR = 0.6  # a token that correlates so well with the mean token is one, whatever its size
DOUBTLESS = 0.8  # a token that correlates so well with the mean token needs no second look
CLEAR_HOPE = 0.7 * CLEAR  # nor had any that became clear less there, but for one of 618
_BOX = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
HALF = 0.5  # of a token of which less is seen nobody can tell that it is one
TURNS = 36  # ways in which a round token is tried
# The far side of a token that fills a photo taken 60 degrees aslant is less than so many times smaller than the near
# one, and its width along the line of sight no more than so many times shorter than across it.
MOST_PERSPECTIVE = 2.0
MOST_ASLANT = 2.0


@dataclass(frozen=True, slots=True)
class Laid:
    """A token's place: `place` (3, 3) from the canvas to the photo, correlation there, share blown out, share that
    lies in the photo's frame and under nothing known; `vague`: only a value that fits it clearly makes it a token."""

    place: Points
    score: float = 0.0
    hidden: float = 0.0
    seen: float = 1.0
    vague: bool = False


@dataclass(frozen=True, slots=True)
class Footprint:
    """Where a token's outline lies in the photo: the middle of its points, and its area, in pixels."""

    x: float
    y: float
    area: float

    def away(self, other: Footprint) -> float:
        """How far the middles lie apart."""
        return math.hypot(self.x - other.x, self.y - other.y)


class TokenModel:
    """The tokens of a deck on a canvas of `size`; `outline` (n, 2) there."""

    def __init__(self, tokens: Sequence[CardClass]) -> None:
        first = tokens[0]
        height, width = first.references[0].shape[:2]
        self.size = (WIDTH, round(WIDTH * height / width))
        self.values = [int(token.name.partition("/")[2]) for token in tokens]
        self.outline = np.asarray(first.outline, np.float64) * self.size
        self.matcher = OutlineMatcher(self.outline)
        self._tokens = tokens
        self._footprints: dict[bytes, Footprint] = {}

    @cached_property
    def mask(self) -> Mask:
        """(h, w) the canvas well inside the outline."""
        inside = np.zeros((self.size[1], self.size[0]), np.uint8)
        cv2.fillPoly(inside, [np.round(self.outline - 0.5).astype(np.int32)], 1)
        return np.asarray(cv2.erode(inside, np.ones((5, 5), np.uint8)) > 0, np.bool_)

    @cached_property
    def references(self) -> list[list[Pixels]]:
        """The references of each value on the canvas, lying on one another."""
        sized = [
            [np.asarray(cv2.resize(r, self.size, interpolation=cv2.INTER_AREA), np.uint8) for r in token.references]
            for token in self._tokens
        ]
        return together(sized, self.mask)

    @cached_property
    def mean(self) -> Floats:
        """(h, w, 3) the mean of all tokens."""
        evened = [_evened(r, self.mask) for references in self.references for r in references]
        return np.asarray(np.mean(evened, axis=0), np.float32)

    @cached_property
    def aligners(self) -> list[Aligner]:
        """From coarse to fine."""
        return [self._aligner(width) for width in ALIGN_WIDTHS]

    def _aligner(self, width: int) -> Aligner:
        size = (width, round(width * self.size[1] / self.size[0]))
        light = cv2.resize(self.mean.mean(axis=2), size, interpolation=cv2.INTER_AREA)
        mask = cv2.resize(self.mask.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
        return Aligner.of(np.asarray(light, np.float32), np.asarray(mask, np.bool_))

    def lay(
        self,
        picture: Picture,
        place: Points,
        covers: Sequence[Points] = (),
        hope: float = HOPE,
        tried: list[Points] | None = None,
    ) -> Laid:
        """The canvas moved so that the photo shows the mean token, and how well it does.

        Pixels beyond the photo's frame or under one of `covers` (n, 2) in the photo do not count. Where less than
        `hope` is seen on a small canvas the finest one is left out; so it is at places `tried` (see `centred`), to
        which this one is added: from there no other end is reached.
        """
        best = Laid(place)
        tried = [] if tried is None else tried
        for first in (1, 0):
            laid = self._laid(picture, place, covers, self.aligners[first:], hope, tried)
            best = max(best, laid, key=lambda found: found.score)
            if best.score > CLEAR:
                break
        return best

    def _laid(
        self,
        picture: Picture,
        place: Points,
        covers: Sequence[Points],
        aligners: Sequence[Aligner],
        hope: float,
        tried: list[Points],
    ) -> Laid:
        """The same with these aligners one after the other; the last one sees the token aslant too."""
        place, score = centred(place, self.size), 0.0
        for aligner in aligners:
            seen = self._seen_by(aligner, picture, place, covers)
            place, score = aligner.fit(picture, place, seen=seen)
            if aligner.mask.shape[1] == TELLING_WIDTH:
                if any(_same(place, other) for other in tried):
                    return Laid(in_pixels(place, self.size))
                tried.append(place)
            if score < (TOKEN / 2 if aligner.mask.shape[1] < TELLING_WIDTH else hope):
                break
        else:
            seen = self._seen_by(aligners[-1], picture, place, covers)
            aslant, better = aligners[-1].fit(picture, place, aslant=True, seen=seen)
            if better > score and self._regular(in_pixels(aslant, self.size)):
                place, score = aslant, better
        seen = self._seen_by(aligners[0], picture, place, covers)
        share = 1.0 if seen is None else float(seen[aligners[0].mask].mean())
        place = in_pixels(place, self.size)
        return Laid(place, score, self.blown(picture, place) if score > TOKEN else 0.0, share)

    def _seen_by(self, aligner: Aligner, picture: Picture, place: Points, covers: Sequence[Points]) -> Mask | None:
        size = (aligner.mask.shape[1], aligner.mask.shape[0])
        return self.seen(picture, in_pixels(place, self.size), size, covers)

    def seen(
        self, picture: Picture, place: Points, size: tuple[int, int], covers: Sequence[Points] = ()
    ) -> Mask | None:
        """(h, w) the pixels of a canvas of `size` that lie in the photo's frame and under no cover; None: all."""
        corners = project(place, self.outline)
        height, width = picture.pixels.shape[:2]
        inside = bool((corners > 0).all() and (corners < (width - 1, height - 1)).all())
        if inside and not covers:
            return None
        to_photo = place @ _stretch(size, self.size)
        mask = picture.inside(to_photo, size)
        for cover in covers:
            hidden = np.zeros(mask.shape, np.uint8)
            there = project(np.asarray(np.linalg.inv(to_photo), np.float64), cover)
            cv2.fillPoly(hidden, [np.round(there).astype(np.int32)], 1)
            mask &= hidden == 0
        return mask

    def turned(self, picture: Picture, place: Points) -> Points:
        """The place (3, 3) with a round token turned as the art there looks most like one."""
        aligner = self.aligners[1]
        light = shown(picture, centred(place, self.size), aligner.target.shape).reshape(-1)
        targets, masks = self._turned
        lengths = np.sqrt(np.square(targets).sum(axis=1) * (masks @ np.square(light))) + 1e-6
        return self.turns(place)[int(np.argmax(targets @ light / lengths))]

    @cached_property
    def _turned(self) -> tuple[Floats, Floats]:
        """(TURNS, n) the picture of a round token on a coarse canvas in all its turns, and where it counts.

        It is the known picture that is turned, once, and not what each place of a photo shows.
        """
        aligner = self.aligners[1]
        size = (aligner.mask.shape[1], aligner.mask.shape[0])
        to_canvas = _stretch(size, self.size)
        parts = (aligner.target * aligner.mask, aligner.mask.astype(np.float32))
        turns = [(np.linalg.inv(to_canvas) @ turn @ to_canvas)[:2] for turn in self.turns(np.eye(3))]
        targets, masks = (np.stack([cv2.warpAffine(part, turn, size).reshape(-1) for turn in turns]) for part in parts)
        return np.asarray(targets, np.float32), np.asarray(masks, np.float32)

    def turns(self, place: Points) -> list[Points]:
        """A place (3, 3) with a round token in TURNS turns about the outline's middle."""
        return [np.asarray(place @ square(turn), np.float64) for turn in self.matcher.turns(np.eye(3)[:2], TURNS)]

    def glanced(self, picture: Picture, place: Points) -> float:
        """How much a place (3, 3) looks like the mean token on the coarsest canvas, as it is."""
        return self.aligners[0].fit(picture, centred(place, self.size), rounds=1)[1]

    def turned_by(self, angle: float, size: float) -> Points:
        """(3, 3) the canvas turned by an angle (radians) and made `size` times larger about its middle."""
        cos, sin = np.cos(angle) * size, np.sin(angle) * size
        linear = np.array([[cos, -sin], [sin, cos]])
        middle = np.array(self.size) / 2
        return square(np.column_stack([linear, middle - linear @ middle]))

    def cut(self, picture: Picture, place: Points) -> Pixels:
        """The canvas at a place of the photo."""
        return picture.warp(place @ _stretch(self.size, self.size), self.size)

    def lightness(self, picture: Picture, place: Points) -> float:
        """Mean level at a place of the photo, on the smallest canvas."""
        mask = self.aligners[0].mask
        size = (mask.shape[1], mask.shape[0])
        return float(picture.warp(place @ _stretch(size, self.size), size)[mask].mean())

    def blown(self, picture: Picture, place: Points) -> float:
        """Share that glare clips."""
        return float(blown(self.cut(picture, place))[self.mask].mean())

    def polygon(self, place: Points) -> Points:
        """(n, 2) the token's outline in the photo."""
        return project(place, self.outline)

    def footprint(self, place: Points) -> Footprint:
        """Where the token lies in the photo. Kept: every new place is compared with all that are known."""
        key = place.tobytes()
        known = self._footprints.get(key)
        if known is None:
            outline = self.polygon(place)
            x, y = outline.mean(axis=0).tolist()
            known = Footprint(x, y, abs(float(cv2.contourArea(outline.astype(np.float32)))))
            self._footprints[key] = known
        return known

    def area(self, place: Points) -> float:
        """Pixels of the photo."""
        return self.footprint(place).area

    def width(self, place: Points) -> float:
        """Pixels of the photo across the middle of the canvas."""
        return float(np.hypot(*self.slope(place)[:, 0])) * self.size[0]

    def slope(self, place: Points) -> Points:
        """(2, 2) the map's slopes in the middle of the canvas."""
        x, y, w = place @ (self.size[0] / 2, self.size[1] / 2, 1.0)
        return np.asarray((place[:2, :2] - np.outer((x / w, y / w), place[2, :2])) / w, np.float64)

    def _regular(self, place: Points) -> bool:
        """Whether a map can be that of a flat token before a camera: neither mirrored nor wildly aslant."""
        depths = self.outline @ place[2, :2] + place[2, 2]
        if depths.min() <= 0 or depths.max() > MOST_PERSPECTIVE * depths.min():
            return False
        slope = self.slope(place)
        axes = np.linalg.svd(slope, compute_uv=False)
        return bool(np.linalg.det(slope) > 0 and axes[0] < MOST_ASLANT * axes[1])

    def fresh(self, place: Points, known: Sequence[Laid]) -> bool:
        """Whether no known token lies there."""
        there = self.footprint(place)
        near = 0.45 * math.sqrt(there.area)
        return all(there.away(self.footprint(k.place)) > near for k in known)


def square(affine: Points) -> Points:
    """An affine map (2, 3) as (3, 3)."""
    return np.asarray(np.vstack([affine, [0.0, 0.0, 1.0]]), np.float64)


def _same(place: Points, other: Points) -> bool:
    """Whether two places (see `centred`) are one but for less than a pixel of the telling canvas at its corners."""
    there, then = (project(one, _BOX) for one in (place, other))
    return float(np.abs(there - then).max()) < float(np.hypot(*place[:2, 0])) * 2 / TELLING_WIDTH


def _stretch(size: tuple[int, int], canvas: tuple[int, int]) -> Points:
    """(3, 3) from the indices of a picture of `size` to the coordinates of the canvas, which count from its edge."""
    across, down = canvas[0] / size[0], canvas[1] / size[1]
    return np.array([[across, 0, across / 2], [0, down, down / 2], [0, 0, 1.0]])


def _evened(picture: Pixels, mask: Mask) -> Floats:
    """(h, w, 3) with mean 0 in each channel and a spread of 40 inside the mask."""
    pixels = picture.astype(np.float32)
    inside = pixels[mask]
    middle = inside.mean(axis=0)
    return np.asarray((pixels - middle) * np.float32(40.0 / (float((inside - middle).std()) + 1e-6)), np.float32)
