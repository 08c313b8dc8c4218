"""Which value a token shows, by the pixels where the references of the values differ from each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.common.parallel import in_halves
from durian_assist.vision.correlation import LEAD_STEEPNESS, lead
from durian_assist.vision.rectify import Picture, Pixels, blown, median
from durian_assist.vision.token_align import Aligner, centred, in_pixels, lightness
from durian_assist.vision.token_model import CLEAR, DOUBTLESS, HALF, TOKEN, Laid, TokenModel
from durian_assist.vision.token_phases import Phases, Seen
from durian_assist.vision.token_shifts import Shifts
from durian_assist.vision.token_softness import Softness, lacking, likeliest

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]
Points = NDArray[np.float64]

HIDDEN = 0.5  # share of a token blown out by glare above which nobody can read it
SEEN = 0.15  # a number lies on paper that may be white: only where less is not clipped has glare eaten it
ONE_PHOTO = 0.97  # how much a sharp token is like its reference where there is but one of each to tell
UNCOVERED = 0.75  # of a number that lies under another token or beyond the frame less does not tell


@dataclass(frozen=True, slots=True)
class Token:
    """A token in the photo. `corners`: (n, 2) its outline in photo pixels, from the outline's first point on.

    `values` with their probabilities, best first; `readable` false where glare hides it.
    """

    corners: Points
    values: tuple[tuple[int, float], ...]
    score: float
    readable: bool


class Values:
    """Tells values apart by the places where the references differ."""

    def __init__(self, model: TokenModel) -> None:
        self.model = model
        aligner = model.aligners[-1]
        self.lights = in_halves(partial(self._laid, aligner), [r for refs in model.references for r in refs])
        self.owner = np.array([k for k, refs in enumerate(model.references) for _ in refs])
        self.firsts = [int(np.flatnonzero(self.owner == k)[0]) for k in range(len(model.values))]
        self.regions = self._differing()
        self.usual = self._usual()

    def _laid(self, aligner: Aligner, reference: Pixels) -> Floats:
        """(h, w) the lightness of a reference, laid on the mean token by an aligner."""
        picture = Picture(reference)
        place, _ = aligner.fit(picture, centred(np.eye(3), self.model.size), rounds=4)
        return lightness(self.model.cut(picture, in_pixels(place, self.model.size)))

    def _usual(self) -> float:
        """How much two photos of one token are alike, mostly, where the values differ."""
        near: list[float] = []
        for i in self.firsts:
            others = [self.lights[j] for j in np.flatnonzero(self.owner == self.owner[i]) if i != j]
            shown = [Shifts.of(self.lights[i], region) for region in self.regions] if others else []
            if shown:
                near += np.mean([one.best([other[one.box] for other in others]) for one in shown], axis=0).tolist()
        return float(median(near)) if near else ONE_PHOTO

    def _differing(self) -> list[Mask]:
        """Masks (h, w) of the places where the values differ, each grown by a margin."""
        lights = np.stack([_flat(light, self.model.mask) for light in self.lights])
        means = np.stack([lights[self.owner == k].mean(axis=0) for k in range(len(self.model.values))])
        between = means.std(axis=0)
        within = np.sqrt(np.mean([(lights[self.owner == k] - means[k]).var(axis=0) for k in range(len(means))], axis=0))
        telling = cv2.GaussianBlur((between - within).astype(np.float32), (0, 0), 2.0)
        telling[~self.model.mask] = 0
        hot = (telling > 0.35 * float(telling.max())).astype(np.uint8)
        hot = cv2.dilate(hot, np.ones((7, 7), np.uint8))
        count, labels = cv2.connectedComponents(hot)
        worth = [(float(telling[labels == k].sum()), k) for k in range(1, count)]
        most = max((w for w, _ in worth), default=0.0)
        return [(labels == k) & self.model.mask for w, k in worth if w > 0.25 * most]

    @cached_property
    def _own(self) -> list[Aligner]:
        """The aligner of each value by its own first reference, on the finest canvas."""
        return self._owned(self.model.aligners[-1].mask)

    @cached_property
    def _own_coarse(self) -> list[Aligner]:
        """The same on a coarser canvas, where many ways are compared in a quarter of the time."""
        return self._owned(self.model.aligners[-2].mask)

    def _owned(self, mask: Mask) -> list[Aligner]:
        """The aligners of the values on the canvas of a mask (h, w)."""
        size = (mask.shape[1], mask.shape[0])
        lights = [lightness(references[0]) for references in self.model.references]
        return [
            Aligner.of(np.asarray(cv2.resize(light, size, interpolation=cv2.INTER_AREA), np.float32), mask)
            for light in lights
        ]

    @cached_property
    def phases(self) -> Phases:
        """The turns in which the tokens look alike."""
        return Phases.of(self.model, self._own_coarse)

    def confirmed(self, picture: Picture, laid: Laid, covers: Sequence[Points] = ()) -> Laid | None:
        """A place laid on the value that it fits best; None where no value fits a faint one better than their mean,
        or where what is not covered shows no token.

        A token is of one value: what is like the mean of all but less like any of them is none.
        """
        if laid.score <= DOUBTLESS and (laid.score < TOKEN or laid.seen < HALF):
            return None
        turned = self.phases.chosen(picture, laid.place, self._seen_in(picture, covers))
        if laid.score > DOUBTLESS and turned is laid.place:
            return laid
        laid = replace(laid, place=turned)
        place, score = self._fitted(picture, [centred(laid.place, self.model.size)], covers)
        if score < DOUBTLESS and self.model.matcher.round:
            starts = [centred(turn, self.model.size) for turn in self.model.turns(laid.place)]
            place, score = max((place, score), self._fitted(picture, starts, covers), key=lambda fit: fit[1])
        if score > (max(laid.score, CLEAR) if laid.vague else laid.score):
            return replace(laid, place=in_pixels(place, self.model.size), score=score)
        return laid if laid.score > (DOUBTLESS if laid.vague else CLEAR) else None

    def _fitted(self, picture: Picture, starts: Sequence[Points], covers: Sequence[Points]) -> tuple[Points, float]:
        """The value's place and correlation that fit best from any of the starts; of many only the best is refined."""
        seen = self._seen_on(self.model.aligners[-1].mask, picture, starts[0], covers)
        ways = [(k, start) for k in range(len(self._own)) for start in starts]
        if len(starts) > 1:
            coarse = self._own_coarse
            seen_so = self._seen_on(coarse[0].mask, picture, starts[0], covers)
            fits = np.array([coarse[0].likeness(picture, start, coarse, seen_so) for start in starts])
            ways = [ways[k] for k in np.argsort(-fits.T.ravel())[: len(coarse)]]
        return self._best_fit(picture, ways, seen)

    def _best_fit(
        self, picture: Picture, ways: Sequence[tuple[int, Points]], seen: Mask | None
    ) -> tuple[Points, float]:
        """The place and correlation that fit best of the ways, each the number of a value and its start.

        Values are near twins: the likeliest way is followed first, and another one only where it then fits better.
        """
        own = self._own
        starts = {start.tobytes(): start for _, start in ways}
        near = {key: own[0].likeness(picture, start, own, seen) for key, start in starts.items()}
        k, start = max(ways, key=lambda way: near[way[1].tobytes()][way[0]])
        place, score = own[k].fit(picture, start, seen=seen)
        there = own[0].likeness(picture, place, own, seen)
        likelier = int(np.argmax(there))
        return own[likelier].fit(picture, place, seen=seen) if there[likelier] > score else (place, score)

    def _seen_in(self, picture: Picture, covers: Sequence[Points]) -> Seen:
        """What is seen of any place in the photo under covers."""
        size = self.model.size
        return lambda mask, place: self._seen_on(mask, picture, centred(place, size), covers)

    def _seen_on(self, mask: Mask, picture: Picture, place: Points, covers: Sequence[Points]) -> Mask | None:
        """What is seen of a token on the canvas of a mask."""
        size = (mask.shape[1], mask.shape[0])
        return self.model.seen(picture, in_pixels(place, self.model.size), size, covers)

    def read(self, picture: Picture, laid: Laid, covers: Sequence[Points] = ()) -> Token:
        """The token with its values ranked; `covers`: outlines (n, 2) in the photo of what lies on it."""
        model = self.model
        crop = model.cut(picture, laid.place)
        light = lightness(crop)
        seen = model.seen(picture, laid.place, model.size, covers)
        uncovered = np.ones(light.shape, np.bool_) if seen is None else seen
        clear = uncovered & ~blown(crop)
        regions = [
            region & uncovered
            for region in self.regions
            if uncovered[region].mean() >= UNCOVERED and clear[region].mean() >= SEEN
        ]
        values = self._ranked(light, regions, model.width(laid.place))
        if len(self.phases.turns) > 1:
            values = self._in_any_phase(picture, laid.place, values, covers)
        readable = bool(regions) and laid.hidden < HIDDEN
        return Token(model.polygon(laid.place), values, laid.score, readable)

    def _ranked(self, light: Floats, regions: Sequence[Mask], width: float) -> tuple[tuple[int, float], ...]:
        """The values with their probabilities, best first.

        `light` (h, w): a token's canvas, of which `regions` are shown and tell; `width`: its pixels in the photo.
        """
        count = len(self.model.values)
        if not regions:
            return tuple((value, 1 / count) for value in self.model.values)
        known = [_as_far(own, width) for own in self.lights]
        shown = [Shifts.of(light, region) for region in regions]

        def likeness(softness: Softness) -> Points:
            near = np.array([one.best([softness.of(own, one.box) for own in known]) for one in shown])
            return np.array([near[:, self.owner == k].max(1).mean() for k in range(count)])

        softness, scores = likeliest(likeness, self.usual)
        soft = [softness.of(known[i]) for i in self.firsts]
        alike = np.mean([np.corrcoef([own[region] for own in soft]) for region in regions], axis=0)
        order = np.argsort(-scores)
        best = int(order[0])
        # A lead that is smaller than what the token lacks of the usual likeness may be due to what makes it lack it.
        lacks = lacking(scores, self.usual)
        leads = [
            lead(float(scores[best]), float(scores[k]), float(alike[best, k]))
            * min(float(scores[best] - scores[k]) / lacks, 1.0)
            for k in order
        ]
        odds = np.exp(-LEAD_STEEPNESS * np.array(leads))
        odds /= odds.sum()
        return tuple((self.model.values[int(k)], float(p)) for k, p in zip(order, odds, strict=True))

    def _in_any_phase(
        self, picture: Picture, place: Points, ranked: tuple[tuple[int, float], ...], covers: Sequence[Points]
    ) -> tuple[tuple[int, float], ...]:
        """The values with their probabilities, best first, where the token may lie in any turn in which it looks alike.

        `ranked`: the same as it lies.
        """
        best = self.model.values.index(ranked[0][0])
        odds = self.phases.odds(picture, place, best, self._seen_in(picture, covers))
        weights = {value: p + ranked[0][1] * odds[self.model.values.index(value)] for value, p in ranked}
        total = sum(weights.values())
        return tuple(sorted(((v, float(w / total)) for v, w in weights.items()), key=lambda entry: -entry[1]))


def _as_far(light: Floats, width: float) -> Floats:
    """A reference as soft as a token that is only `width` pixels across in the photo."""
    sigma = 0.45 * light.shape[1] / max(width, 1.0)
    return light if sigma < 0.7 else np.asarray(cv2.GaussianBlur(light, (0, 0), sigma), np.float32)


def _flat(light: Floats, mask: Mask) -> Floats:
    """Lightness with mean 0 and spread 1 inside the mask."""
    inside = light[mask]
    return np.asarray((light - inside.mean()) / (inside.std() + 1e-6), np.float32)
