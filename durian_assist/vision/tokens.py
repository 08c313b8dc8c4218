"""Manager tokens in a photo: where they lie, which value each shows, and which cannot be told.

Tokens of one deck are near twins: only their small numbers differ. So a token is first found and laid on the mean of
all tokens, then its value is judged by the pixels where the references differ from each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.correlation import LEAD_STEEPNESS, lead
from durian_assist.vision.deck_profile import CardClass
from durian_assist.vision.find_shapes import Shape
from durian_assist.vision.rectify import Picture, blown
from durian_assist.vision.token_align import AffineAligner, centred, in_pixels, lightness
from durian_assist.vision.token_colours import of_their_colours
from durian_assist.vision.token_shape import Fit, OutlineMatcher, apply
from durian_assist.vision.token_votes import CONTRAST, FAINT, TokenVotes

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]
Points = NDArray[np.float64]

WIDTH = 200  # of the canvas on which values are told apart
ALIGN_WIDTHS = (64, 128)
TOKEN = 0.38  # least correlation with the mean token
HINT = TOKEN * 2 / 3  # a round outline that shows less of a token's art is as well a coin's
LONG_SIDE = 700  # of the picture in which keypoints are looked for
FINE_SIDE = 1600  # the same at most where tokens are too small for that
SMALL = 56  # pixels across a token below which keypoints get scarce
CLOSE = 72  # pixels across a token that are enough
TURNS = 36  # ways in which a round token is tried
SHAPE = 0.03  # misfit of an outline that may be a token where its art agrees
FILL = 0.08  # most by which an outline's fill of its four-sided figure may differ from the token's
STRICT = 0.02  # and where glare hides the art
CLEAR = 0.6  # a token that correlates so well with the mean token is one, whatever its size
ALIKE_SIZE = 0.5  # tokens of one photo differ in the log of their area by less
MOST_ELECTED = 40  # places with most votes
MOST_SHAPES = 24  # outlines that are compared with the art
BARE = 0.25  # share of the other tokens' contrast below which a shape shows no art
HIDDEN = 0.5  # share of a token blown out by glare above which nobody can read it


@dataclass(frozen=True, slots=True)
class Token:
    """A token in the photo. `corners`: (n, 2) its outline in photo pixels, from the outline's first point on.

    `values` with their probabilities, best first; `readable` false where glare hides it.
    """

    corners: Points
    values: tuple[tuple[int, float], ...]
    score: float
    readable: bool


@dataclass(frozen=True, slots=True)
class _Laid:
    """A token's place: `affine` (2, 3) from the canvas to the photo, correlation there, share blown out."""

    affine: Points
    score: float
    hidden: float


class TokenReader:
    """All that a deck's tokens tell: their mean picture, their outline, and where they differ."""

    def __init__(self, tokens: Sequence[CardClass]) -> None:
        first = tokens[0]
        height, width = first.references[0].shape[:2]
        self.size = (WIDTH, round(WIDTH * height / width))
        self.values = [int(token.name.partition("/")[2]) for token in tokens]
        self.outline = np.asarray(first.outline, np.float64) * self.size
        self.matcher = OutlineMatcher(self.outline)
        self._tokens = tokens

    def _prepare(self) -> None:
        """Make the pictures that tokens are compared with: only where something may be a token."""
        self.inside = _filled(self.outline, self.size)
        self.mask = cv2.erode(self.inside.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
        self.references = [
            [np.asarray(cv2.resize(r, self.size, interpolation=cv2.INTER_AREA), np.uint8) for r in token.references]
            for token in self._tokens
        ]
        self.mean = np.mean([_evened(r, self.mask) for refs in self.references for r in refs], axis=0)
        self.aligners = [self._aligner(width) for width in ALIGN_WIDTHS]

    def _aligner(self, width: int) -> AffineAligner:
        size = (width, round(width * self.size[1] / self.size[0]))
        light = cv2.resize(self.mean.mean(axis=2).astype(np.float32), size, interpolation=cv2.INTER_AREA)
        mask = cv2.resize(self.mask.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
        return AffineAligner.of(np.asarray(light, np.float32), mask)

    def find(self, picture: Picture, shapes: Sequence[Shape], scale: float, by_art: bool) -> list[Token]:
        """All tokens of a photo, none on another.

        `shapes`: outlines found in the photo times `scale`; `by_art` looks for their art everywhere too.
        """
        fits = self._shaped(shapes, scale)
        if not fits and not by_art:
            return []
        self._prepare()
        sure = self._by_art(picture) if by_art else []
        laid = [self._lay(picture, affine) for affine in self._poses(picture, fits, sure)]
        sure = self._of_one_size(self._apart([*sure, *(found for found in laid if found.score > TOKEN)]))
        sure, unnamed = self._by_colour(picture, sure) if sure and by_art else (sure, [])
        hidden = unnamed + self._hidden(picture, [fit for fit in fits if fit.misfit < STRICT], [*sure, *unnamed])
        values = Values(self) if sure else None
        return [values.read(picture, s) for s in sure if values] + [self._unreadable(found) for found in hidden]

    def _by_colour(self, picture: Picture, sure: list[_Laid]) -> tuple[list[_Laid], list[_Laid]]:
        """The sure tokens with those found by the colours of these, and outlines of a token's shape, size and colours
        whose art is none of a token."""
        shapes, scale = of_their_colours(picture, [self.polygon(s.affine) for s in sure])
        fits = self._best_of_each(shapes, scale, sure)
        poses = self._poses(picture, fits, sure) if self.matcher.round else [fit.affine for fit in fits]
        laid = [self._lay(picture, affine) for affine in poses]
        sure = self._of_one_size(self._apart([*sure, *(found for found in laid if found.score > TOKEN)]))
        unnamed: list[_Laid] = []
        for fit in fits:
            told = fit.misfit < STRICT and (not self.matcher.round or self._hinted(fit.affine, laid))
            if told and self._usual_size(fit.affine, sure) and self._fresh(fit.affine, [*sure, *unnamed]):
                unnamed.append(_Laid(fit.affine, 1.0 - fit.misfit, 1.0))
        return sure, unnamed

    def _hinted(self, affine: Points, laid: Sequence[_Laid]) -> bool:
        """Whether a place shows a hint of a token's art: the shape of a round one is that of any coin."""
        return any(found.score > HINT and not self._fresh(affine, [found]) for found in laid)

    def _best_of_each(self, shapes: Sequence[Shape], scale: float, sure: Sequence[_Laid]) -> list[Fit]:
        """All ways in which a token may lie in the best outline of each place where no sure one lies.

        An outline that looks the same in several turns is laid in each of them: only the art tells which is right.
        """
        ways = [fits for shape in shapes if (fits := self._shaped([shape], scale))]
        places: list[_Laid] = []
        best: list[Fit] = []
        for fits in sorted(ways, key=lambda fits: fits[0].misfit):
            if len(places) < MOST_SHAPES and self._fresh(fits[0].affine, [*sure, *places]):
                places.append(_Laid(fits[0].affine, 0.0, 0.0))
                best += fits
        return best

    def _usual_size(self, affine: Points, sure: Sequence[_Laid]) -> bool:
        """Whether a place is about as large as the sure tokens."""
        usual = float(np.median([np.log(self._area(s.affine)) for s in sure]))
        return abs(float(np.log(self._area(affine))) - usual) < ALIKE_SIZE

    def _fresh(self, affine: Points, known: Sequence[_Laid]) -> bool:
        """Whether no known token lies there."""
        near = 0.45 * np.sqrt(self._area(affine))
        return all(np.hypot(*(self._centre(affine) - self._centre(k.affine))) > near for k in known)

    def _shaped(self, shapes: Sequence[Shape], scale: float) -> list[Fit]:
        """Outlines of the token's shape as maps from the canvas to the photo, best first."""
        alike = [shape for shape in shapes if abs(shape.fill - self.matcher.fill) < FILL]
        fits = [fit for shape in alike for fit in self.matcher.fits(shape.outline / scale, SHAPE)]
        return sorted(fits, key=lambda fit: fit.misfit)

    def _poses(self, picture: Picture, fits: Sequence[Fit], sure: Sequence[_Laid]) -> list[Points]:
        """The ways in which tokens may lie in outlines that are none of the sure ones, best outlines first."""
        fresh = [fit.affine for fit in fits if self._fresh(fit.affine, sure)]
        if not self.matcher.round:
            return fresh[:MOST_SHAPES]
        places: list[_Laid] = []
        for affine in fresh:
            if len(places) < MOST_SHAPES and self._fresh(affine, places):
                places.append(_Laid(affine, 0.0, 0.0))
        return [self._turned(picture, place.affine) for place in places]

    def _turned(self, picture: Picture, affine: Points) -> Points:
        """The place with a round token turned as the art there looks most like one."""
        turns = self.matcher.turns(affine, TURNS)
        scores = [self.aligners[0].fit(picture, centred(turn, self.size), rounds=1)[1] for turn in turns]
        return turns[int(np.argmax(scores))]

    def _by_art(self, picture: Picture) -> list[_Laid]:
        """Tokens that keypoints vote for, in a finer picture too where they are small."""
        voters = TokenVotes(self.references[0][:2], self.mask.astype(np.uint8) * 255)
        height, width = picture.pixels.shape[:2]
        scale = min(1.0, LONG_SIDE / max(height, width))
        sure = self._elected(picture, voters, np.diag([1 / scale, 1 / scale, 1.0]), CONTRAST, [])
        widths = [float(np.hypot(*s.affine[:, 0])) * self.size[0] * scale for s in sure]
        if not sure or min(widths) < SMALL:
            sure = self._elected(picture, voters, self._closer(picture, sure), CONTRAST if sure else FAINT, sure)
        return sure

    def _elected(
        self, picture: Picture, voters: TokenVotes, to_photo: Points, contrast: float, sure: Sequence[_Laid]
    ) -> list[_Laid]:
        """The sure tokens and those that keypoints vote for in a view of the photo, which `to_photo` (3, 3) gives."""
        height, width = picture.pixels.shape[:2]
        frame = np.array([[[-0.5, -0.5], [width - 0.5, -0.5], [width - 0.5, height - 0.5], [-0.5, height - 0.5]]])
        corners = cv2.perspectiveTransform(frame, np.linalg.inv(to_photo))[0]
        low, high = corners.min(axis=0), corners.max(axis=0)
        shifted = to_photo @ np.array([[1, 0, low[0]], [0, 1, low[1]], [0, 0, 1.0]])
        view = picture.warp(shifted, (round(high[0] - low[0]), round(high[1] - low[1])))
        places = [(shifted @ np.vstack([e.affine, [0, 0, 1.0]]))[:2] for e in voters.elect(view, 1.0, contrast)]
        fresh = [place for place in places[:MOST_ELECTED] if self._fresh(place, sure)]
        laid = [self._lay(picture, place) for place in fresh]
        return self._of_one_size(self._apart([*sure, *(found for found in laid if found.score > TOKEN)]))

    def _closer(self, picture: Picture, sure: Sequence[_Laid]) -> Points:
        """(3, 3) to the photo from a view of it in which small tokens are larger, seen from above if one is known."""
        height, width = picture.pixels.shape[:2]
        if not sure:
            scale = max(1.0, max(height, width) / FINE_SIDE)
            return np.diag([scale, scale, 1.0])
        smallest = min(sure, key=lambda s: self._area(s.affine))
        values, vectors = np.linalg.eigh(smallest.affine[:, :2] @ smallest.affine[:, :2].T)
        # The stretch of the token alone, without its turn, so that the view stays upright.
        stretch = vectors @ np.diag(np.sqrt(values)) @ vectors.T * (self.size[0] / CLOSE)
        frame = np.abs(np.linalg.inv(stretch)) @ (width, height)
        to_photo = np.eye(3)
        to_photo[:2, :2] = stretch * max(1.0, float(frame.max()) / FINE_SIDE)
        return to_photo

    def _lay(self, picture: Picture, affine: Points) -> _Laid:
        """The canvas moved so that the photo shows the mean token, and how well it does."""
        place, score = centred(affine, self.size), 0.0
        for aligner in self.aligners:
            place, score = aligner.fit(picture, place)
            if score < TOKEN / 2:
                break
        affine = in_pixels(place, self.size)
        return _Laid(affine, score, self._blown(picture, affine))

    def cut(self, picture: Picture, affine: Points) -> Pixels:
        """The canvas at a place of the photo."""
        edge = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
        return picture.warp(np.vstack([affine, [0, 0, 1.0]]) @ edge, self.size)

    def _blown(self, picture: Picture, affine: Points) -> float:
        return float(blown(self.cut(picture, affine))[self.mask].mean())

    def _spread(self, picture: Picture, affine: Points) -> float:
        """Contrast inside the outline in grey levels."""
        return float(self.cut(picture, affine)[self.mask].astype(np.float32).std(axis=0).mean())

    def _bare(self, picture: Picture, affine: Points, usual: float) -> bool:
        """Whether the art is gone: clipped to white, or next to no contrast is left where other tokens have much."""
        return self._blown(picture, affine) > HIDDEN or self._spread(picture, affine) < BARE * usual

    def polygon(self, affine: Points) -> Points:
        """(n, 2) the token's outline in the photo."""
        return apply(affine, self.outline)

    def _centre(self, affine: Points) -> Points:
        return np.asarray(self.polygon(affine).mean(axis=0), np.float64)

    def _area(self, affine: Points) -> float:
        return abs(float(cv2.contourArea(self.polygon(affine).astype(np.float32))))

    def _apart(self, found: Sequence[_Laid]) -> list[_Laid]:
        """The best of those that lie on one another."""
        chosen: list[_Laid] = []
        for laid in sorted(found, key=lambda f: -f.score):
            if self._fresh(laid.affine, chosen):
                chosen.append(laid)
        return chosen

    def _of_one_size(self, found: list[_Laid]) -> list[_Laid]:
        """Without faint ones that differ in size from the best ones."""
        if not found:
            return []
        sizes = np.log([self._area(f.affine) for f in found])
        usual = float(np.median(sizes[: max(1, (len(found) + 1) // 2)]))
        return [f for f, size in zip(found, sizes, strict=True) if f.score > CLEAR or abs(size - usual) < ALIKE_SIZE]

    def _hidden(self, picture: Picture, fits: Sequence[Fit], sure: Sequence[_Laid]) -> list[_Laid]:
        """Outlines of a token's shape and size that glare has blown out."""
        usual = float(np.median([np.log(self._area(f.affine)) for f in sure])) if sure else None
        usual_spread = float(np.median([self._spread(picture, f.affine) for f in sure])) if sure else 0.0
        found: list[_Laid] = []
        for fit in fits:
            if usual is not None and abs(np.log(self._area(fit.affine)) - usual) > ALIKE_SIZE:
                continue
            if self._fresh(fit.affine, [*sure, *found]) and self._bare(picture, fit.affine, usual_spread):
                found.append(_Laid(fit.affine, 1.0 - fit.misfit, 1.0))
        return found

    def _unreadable(self, laid: _Laid) -> Token:
        share = 1.0 / len(self.values)
        return Token(self.polygon(laid.affine), tuple((v, share) for v in self.values), laid.score, False)


class Values:
    """Tells values apart by the places where the references differ."""

    def __init__(self, reader: TokenReader) -> None:
        self.reader = reader
        upright = np.array([[1.0, 0, 0], [0, 1.0, 0]])
        self.lights = []
        for reference in (r for refs in reader.references for r in refs):
            place, _ = reader.aligners[-1].fit(Picture(reference), centred(upright, reader.size), rounds=4)
            self.lights.append(lightness(reader.cut(Picture(reference), in_pixels(place, reader.size))))
        self.owner = np.array([k for k, refs in enumerate(reader.references) for _ in refs])
        self.regions = self._differing()

    def _differing(self) -> list[Mask]:
        """Masks (h, w) of the places where the values differ, each grown by a margin."""
        lights = np.stack([_flat(light, self.reader.mask) for light in self.lights])
        means = np.stack([lights[self.owner == k].mean(axis=0) for k in range(len(self.reader.values))])
        between = means.std(axis=0)
        within = np.sqrt(np.mean([(lights[self.owner == k] - means[k]).var(axis=0) for k in range(len(means))], axis=0))
        telling = cv2.GaussianBlur((between - within).astype(np.float32), (0, 0), 2.0)
        telling[~self.reader.mask] = 0
        hot = (telling > 0.35 * float(telling.max())).astype(np.uint8)
        hot = cv2.dilate(hot, np.ones((7, 7), np.uint8))
        count, labels = cv2.connectedComponents(hot)
        worth = [(float(telling[labels == k].sum()), k) for k in range(1, count)]
        most = max((w for w, _ in worth), default=0.0)
        return [(labels == k) & self.reader.mask for w, k in worth if w > 0.25 * most]

    def read(self, picture: Picture, laid: _Laid) -> Token:
        """The token with its values ranked."""
        reader = self.reader
        crop = reader.cut(picture, laid.affine)
        white, light = blown(crop), lightness(crop)
        scores = np.zeros(len(reader.values))
        alike = np.zeros((len(reader.values),) * 2)
        total = 1e-6
        width = float(np.hypot(*laid.affine[:, 0])) * reader.size[0]
        knowns = [_as_far(known, width) for known in self.lights]
        for region in self.regions:
            seen = 1.0 - float(white[region].mean())
            # A number lies on paper that may be white; only where nearly all is white has glare eaten it.
            weight = 0.0 if seen < 0.15 else 1.0
            box = _box(region)
            near = np.array([_best(light, known, region, box) for known in knowns])
            scores += weight * np.array([near[self.owner == k].max() for k in range(len(scores))])
            alike += weight * self._likeness(region)
            total += weight
        scores /= total
        alike /= total
        order = np.argsort(-scores)
        best = int(order[0])
        leads = [lead(float(scores[best]), float(scores[k]), float(alike[best, k])) for k in order]
        odds = np.exp(-LEAD_STEEPNESS * np.array(leads))
        odds /= odds.sum()
        values = tuple((reader.values[int(k)], float(p)) for k, p in zip(order, odds, strict=True))
        return Token(reader.polygon(laid.affine), values, laid.score, total > 0.5 and laid.hidden < HIDDEN)

    def _likeness(self, region: Mask) -> Points:
        firsts = [int(np.flatnonzero(self.owner == k)[0]) for k in range(len(self.reader.values))]
        rows = np.stack([self.lights[i][region] for i in firsts])
        return np.asarray(np.corrcoef(rows), np.float64)


REACH = 3  # pixels of the canvas by which a number may lie off


def _best(light: Floats, reference: Floats, region: Mask, box: tuple[slice, slice]) -> float:
    """Highest correlation of the reference's region with the picture, shifted by up to REACH pixels."""
    rows, columns = box
    window = light[max(rows.start - REACH, 0) : rows.stop + REACH, max(columns.start - REACH, 0) : columns.stop + REACH]
    part = np.ascontiguousarray(reference[rows, columns])
    mask = region[rows, columns].astype(np.float32)
    if window.shape[0] < part.shape[0] or window.shape[1] < part.shape[1]:
        return 0.0
    scores = cv2.matchTemplate(np.ascontiguousarray(window), part, cv2.TM_CCOEFF_NORMED, mask=mask)
    return float(np.nan_to_num(scores, nan=0.0, posinf=0.0, neginf=0.0).max())


def _as_far(light: Floats, width: float) -> Floats:
    """A reference as soft as a token that is only `width` pixels across in the photo."""
    sigma = 0.45 * light.shape[1] / max(width, 1.0)
    return light if sigma < 0.7 else np.asarray(cv2.GaussianBlur(light, (0, 0), sigma), np.float32)


def _box(region: Mask) -> tuple[slice, slice]:
    ys, xs = np.nonzero(region)
    return slice(int(ys.min()), int(ys.max()) + 1), slice(int(xs.min()), int(xs.max()) + 1)


def _filled(outline: Points, size: tuple[int, int]) -> Mask:
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillPoly(mask, [np.round(outline - 0.5).astype(np.int32)], 1)
    return mask > 0


def _evened(picture: Pixels, mask: Mask) -> Floats:
    pixels = picture.astype(np.float32)
    pixels -= pixels[mask].mean(axis=0)
    return np.asarray(pixels * (40.0 / (pixels[mask].std() + 1e-6)), np.float32)


def _flat(light: Floats, mask: Mask) -> Floats:
    """Lightness with mean 0 and spread 1 inside the mask."""
    inside = light[mask]
    return np.asarray((light - inside.mean()) / (inside.std() + 1e-6), np.float32)
