"""Tokens found by their picture: the mean token compared with every place of the photo, in every turn, made very small.

So small, a token is hardly more than its colours and where they lie; that is enough to tell it from nearly all else
on a table, costs little, and needs neither an outline nor sharp detail.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from durian_assist.vision.rectify import Picture, project
from durian_assist.vision.token_align import local_contrast
from durian_assist.vision.token_likeness import Closely, Floats, Kernels, Mask, Points, Spectra, likeness

ACROSS = 20  # pixels across a token in the view that is looked at
TURNS = 24
COARSE = 2  # times that a view is smaller where all of it is looked at
# Half a pixel off in the coarse view a token's rim shows what lies beside it: a bright dot of a cloth there outweighs
# all of its art.
RIM = 0.5
LIKE = 0.25  # least correlation of a place that is worth a closer look
HINT = 0.7  # share of it that is worth one in the coarse view, where a token lies up to half a step off
HINTED = 5  # times as many places are looked at closely as are wanted: a veiled token is not among the first
FINE = 0.15  # of a token's width: what is larger than that in its art may be glare's edge or a shadow's
LOUD = 30.0  # grey levels that a spread of one counts as: far above a phone's noise
ROUGH = 4  # times smaller is the picture in which a table is summed up
AROUND = 1.5  # widths of a token: how far around a place its table reaches
APART = 0.3  # of a token's width: places nearer than that are one
SAME = 0.05  # share by which the outlines of two turns differ that count as one


@dataclass(frozen=True, slots=True)
class Sighting:
    """`place` (3, 3) from the token's canvas to the photo, and the correlation there."""

    place: Points
    score: float


class TokenScan:
    """One token (h, w, c) in `TURNS` turns; `mask` (h, w) where it counts.

    A photo is first looked at with tokens only `ACROSS` / COARSE pixels wide and without its rim; what is like
    the token there is compared at ACROSS pixels, in all turns and at the places about.
    """

    def __init__(self, token: Floats, mask: Mask) -> None:
        turns = [2 * np.pi * k / TURNS for k in range(TURNS)]
        self._fine = Kernels(token, mask, ACROSS, turns)
        self._coarse = Kernels(token, _within(mask), ACROSS / COARSE, turns)
        self._outlines = [self._first_alike(k) for k in range(len(self._coarse.weights))]

    def _first_alike(self, number: int) -> int:
        """The first coarse turn whose outline is that of the numbered one: a round token has one in all turns."""
        weights = self._coarse.weights
        away = np.abs(weights[: number + 1] - weights[number]).sum(axis=(1, 2))
        return int(np.argmax(away < SAME * weights[number].sum()))

    def sightings(self, view: View, most: int, within: Mask | None = None) -> list[Sighting]:
        """The `most` likeliest places of tokens that are ACROSS pixels wide in a view of the photo, best first;
        only those with their middle `within` a part (h, w) of the view.

        Where the view has a table the token's colours against it count, and the token is given so; otherwise only
        how they differ inside the token.
        """
        against = view.table is not None
        pixels = view.pixels - (view.table if view.table is not None else view.pixels.mean(axis=(0, 1)))
        closely = Closely(pixels, self._fine)
        coarse = self._coarsely(_shrunk(pixels), against)
        if within is not None:
            coarse[~_shrunk(within[..., None].astype(np.float32))[..., 0].astype(np.bool_)] = -1.0
        places = _peaks(coarse, APART * ACROSS / COARSE, HINTED * most)
        middles = (np.round(COARSE * (np.array(place) + 0.5) - 0.5).astype(int) for place in places)
        found = [closely.likeliest(int(x), int(y), against) for x, y in middles]
        return self._apart(found, view.to_photo, most)

    def _coarsely(self, pixels: Floats, against: bool) -> Floats:
        """(h, w) the best likeness of any turn in a coarse view."""
        best = np.full(pixels.shape[:2], -1.0, np.float32)
        kernels = self._coarse
        spectra = Spectra.of(pixels, kernels.side)
        sums = {k: spectra.sums(kernels.weights[k]) for k in set(self._outlines)}
        for picture, scale, outline in zip(kernels.pictures, kernels.scales, self._outlines, strict=True):
            cv2.max(best, likeness(spectra.product(picture), sums[outline], scale, against), dst=best)
        return best

    def _apart(self, found: list[tuple[float, int, int, int]], to_photo: Points, most: int) -> list[Sighting]:
        """The best of the (score, x, y, turn), none near another."""
        chosen: list[tuple[int, int]] = []
        sightings: list[Sighting] = []
        for score, x, y, turn in sorted(found, reverse=True):
            near = any(np.hypot(x - other[0], y - other[1]) < APART * ACROSS for other in chosen)
            if score < LIKE or near or len(chosen) == most:
                continue
            place = np.eye(3)
            place[:2, :2] = self._fine.linear[turn]
            place[:2, 2] = np.array([x, y]) - self._fine.linear[turn] @ self._fine.middle
            chosen.append((x, y))
            sightings.append(Sighting(to_photo @ place, score))
        return sightings


@dataclass(frozen=True)
class View:
    """The whole photo seen so that tokens are ACROSS pixels wide: `pixels` (h, w, c) and `to_photo` (3, 3) from them.

    `table` (h, w, c) what the table looks like at each pixel, where the photo's tokens are known.
    """

    pixels: Floats
    to_photo: Points
    table: Floats | None = None

    @staticmethod
    def of(picture: Picture, to_photo: Points) -> View:
        """`to_photo` affine, from a view that may begin anywhere."""
        height, width = picture.pixels.shape[:2]
        frame = np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]) - 0.5
        inverse = np.linalg.inv(to_photo)
        corners = frame @ inverse[:2, :2].T + inverse[:2, 2]
        low, high = corners.min(axis=0), corners.max(axis=0)
        shifted = to_photo @ np.array([[1, 0, low[0] + 0.5], [0, 1, low[1] + 0.5], [0, 0, 1.0]])
        size = (max(round(high[0] - low[0]), 1), max(round(high[1] - low[1]), 1))
        return View(picture.warp(shifted, size).astype(np.float32), np.asarray(shifted, np.float64))

    @staticmethod
    def from_above(picture: Picture, to_photo: Points, size: tuple[int, int]) -> View:
        """A view (width, height) of a plane seen aslant: what is near is seen much smaller than what is far, so that
        it is cut out in a finer view and halved."""
        fine = np.array([(0.5, 0, -0.25), (0, 0.5, -0.25), (0, 0, 1.0)])
        pixels = picture.warp(to_photo @ fine, (2 * size[0], 2 * size[1]))
        small = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.float32)
        return View(small, to_photo)

    def with_table(self, tokens: Sequence[Points]) -> View:
        """The table is what lies around each pixel but for the tokens' outlines (n, 2) in the photo."""
        bare = np.ones(self.pixels.shape[:2], np.float32)
        inverse = np.asarray(np.linalg.inv(self.to_photo), np.float64)
        for outline in tokens:
            cv2.fillPoly(bare, [np.round(project(inverse, outline)).astype(np.int32)], 0.0)
        # So wide a neighbourhood needs no fine picture: it is summed up in a smaller one.
        height, width = self.pixels.shape[:2]
        size, sigma = (max(width // ROUGH, 1), max(height // ROUGH, 1)), AROUND * ACROSS / ROUGH
        shown, rest, every = (
            cv2.resize(part, size, interpolation=cv2.INTER_AREA)
            for part in (self.pixels * bare[..., None], bare, self.pixels)
        )
        share = cv2.GaussianBlur(rest, (0, 0), sigma)[..., None] + 1e-3
        rough = (cv2.GaussianBlur(shown, (0, 0), sigma) + 1e-3 * every) / share
        table = cv2.resize(rough, (width, height), interpolation=cv2.INTER_LINEAR)
        return View(self.pixels, self.to_photo, np.asarray(table, np.float32))

    @cached_property
    def drawn(self) -> View:
        """The same as mere drawing, whatever the light: see `drawing`."""
        return View(drawing(self._grey, FINE * ACROSS), self.to_photo)

    def light(self, least: float) -> Mask:
        """(h, w) where a token with its middle there would lie on what is lighter than `least` on the average."""
        level = cv2.blur(self._grey, (ACROSS, ACROSS), borderType=cv2.BORDER_REPLICATE)
        return np.asarray(level > least, np.bool_)

    @property
    def _grey(self) -> Floats:
        """(h, w) the mean of the channels. (Numpy's own takes ten times as long.)"""
        count = self.pixels.shape[2]
        return np.asarray(cv2.transform(self.pixels, np.full((1, count), 1 / count, np.float32)), np.float32)

    def shown(self, place: Points, size: tuple[int, int]) -> Floats:
        """(h, w, 3) the canvas of `size` at a place (3, 3) of the photo, as it differs from the table."""
        assert self.table is not None
        to_view = np.linalg.inv(self.to_photo) @ place
        away = self.pixels - self.table
        return np.asarray(cv2.warpPerspective(away, to_view, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP))


def drawing(light: Floats, reach: float, mask: Mask | None = None) -> Floats:
    """(h, w, 1) the local contrast of lightness (h, w) within `reach` pixels, in what would be grey levels."""
    return local_contrast(light, reach / light.shape[1], mask)[..., None] * LOUD


def _peaks(best: Floats, radius: float, most: int) -> Iterator[tuple[int, int]]:
    """The places (x, y) of the highest values, none nearer than the radius to one another, highest first."""
    left = best.copy()
    for _ in range(most):
        _, score, _, (x, y) = cv2.minMaxLoc(left)
        if score < LIKE * HINT:
            return
        yield x, y
        cv2.circle(left, (x, y), round(radius), -1.0, -1)


def _shrunk(pixels: Floats) -> Floats:
    """A view COARSE times smaller; a rest at its right and lower edges is left out."""
    height, width = (max(n // COARSE, 1) for n in pixels.shape[:2])
    whole = pixels[: height * COARSE, : width * COARSE]
    small = cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small.reshape(height, width, pixels.shape[2]), np.float32)


def _within(mask: Mask) -> Mask:
    """A token's mask (h, w) without the rim that a coarse view may show beside it."""
    reach = round(RIM * mask.shape[1] * COARSE / ACROSS)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    inner = cv2.erode(mask.astype(np.uint8), disc, borderValue=0) > 0
    return np.asarray(inner, np.bool_) if inner.any() else mask
