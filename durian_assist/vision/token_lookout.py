"""Where a photo looks as the tokens already found in it do.

By their colours, and by their mere drawing: glare on one token alone changes what colours it has. The photo is looked
at from straight above in the sizes that the tokens' plane allows; a single token hardly tells that plane, and the
likelier sizes are looked at first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from durian_assist.common.parallel import side_by_side
from durian_assist.vision.rectify import Picture, median
from durian_assist.vision.token_model import Laid, TokenModel
from durian_assist.vision.token_plane import TokenPlane
from durian_assist.vision.token_scan import ACROSS, FINE, Sighting, TokenScan, View, drawing

Floats = NDArray[np.float32]

# What is not likely may be a token that a veil of light makes faint.
LIKELY = 0.8  # share of the likeness of a clear token
MOST_SIGHTED = 16  # places of each size that are laid: a veiled token is not among the first
MOST_DRAWN = 6  # and where only the drawing counts
WASHED = 200.0  # mean level (grey) from which on light may have taken the colours and most of the contrast
STEP = 1.25  # from one size to the next: half of it off, a token is still known
MOST_STEPS = 2  # to tokens further away or of doubtful size: those of one table lie together
TOGETHER = 2  # looks at a time: as many as a phone-sized computer has cores


class Lookout:
    """Looks for what is like the `clear` tokens of a photo, which lie in one of the `planes`, the likelier first.

    `by_drawing`: see `drawn_scan`.
    """

    def __init__(
        self,
        model: TokenModel,
        picture: Picture,
        clear: Sequence[Laid],
        planes: Sequence[TokenPlane],
        by_drawing: TokenScan,
    ) -> None:
        self._model, self._by_drawing = model, by_drawing
        self._picture = picture
        self._clear = clear
        self._outlines = [model.polygon(laid.place) for laid in clear]
        ways = [(plane, step) for plane in planes for step in _steps(plane.doubt(plane.frame))]
        self._ways = sorted(ways, key=lambda way: abs(way[1]))
        self._views: dict[int, View] = {}

    def sightings(self) -> list[Sighting]:
        """Places of the photo that look as the clear tokens do, best first; how well as a share of theirs."""
        coloured, drawn = self._looks()
        side_by_side(partial(self._view, k) for k in range(len(self._ways)))
        found = side_by_side([*coloured, *drawn])
        alike = self._shares([s for one in found[: len(coloured)] for s in one])
        lines = self._shares([s for one in found[len(coloured) :] for s in one])
        return _ranked([*alike, *_only_drawn(lines)])

    def veiled(self) -> list[Sighting]:
        """Places where a token may lie under a veil of light: by the drawing that is left there, best first.

        Elsewhere the pattern of a cloth has more of a drawing than such a token, and is looked at first. Only the
        likeliest sizes are looked for.
        """
        light = {k: self._view(k).light(WASHED) for k in range(min(TOGETHER, len(self._ways)))}
        looks = [k for k, where in light.items() if where.any()]
        if not looks:
            return []
        found = side_by_side(
            partial(self._by_drawing.sightings, self._view(k).drawn, MOST_DRAWN, light[k]) for k in looks
        )
        return sorted((s for one in found for s in one), key=lambda s: -s.score)

    def little_by_little(self) -> Iterator[list[Sighting]]:
        """The same, of a few looks at a time, the likelier first; each list is of what these looks found alone."""
        for looks, faint in zip(self._looks(), (False, True), strict=True):
            seen: list[Sighting] = []
            for first in range(0, len(looks), TOGETHER):
                new = [s for one in side_by_side(looks[first : first + TOGETHER]) for s in one]
                seen += new
                shares = self._shares(seen)[-len(new) :] if new else []
                yield _ranked(_only_drawn(shares) if faint else shares)

    def _looks(self) -> tuple[list[partial[list[Sighting]]], list[partial[list[Sighting]]]]:
        """By colours and by drawing, each of all views."""
        numbers, by_colour = range(len(self._ways)), self._coloured()
        coloured = [partial(self._seen, by_colour, k) for k in numbers]
        return coloured, [partial(self._seen_drawn, k) for k in numbers]

    def _seen(self, scan: TokenScan, number: int) -> list[Sighting]:
        return scan.sightings(self._view(number), MOST_SIGHTED)

    def _seen_drawn(self, number: int) -> list[Sighting]:
        return self._by_drawing.sightings(self._view(number).drawn, MOST_DRAWN)

    def _view(self, number: int) -> View:
        """The photo seen from straight above in one of the sizes that tokens may have there."""
        if number not in self._views:
            plane, step = self._ways[number]
            centres = np.array([outline.mean(axis=0) for outline in self._outlines])
            least = STEP**-MOST_STEPS * float(plane.nearness(centres).min())
            to_photo, size = plane.from_above(self._model.size[0] / ACROSS * STEP**step, least)
            self._views[number] = View.from_above(self._picture, to_photo, size).with_table(self._outlines)
        return self._views[number]

    def _coloured(self) -> TokenScan:
        """The mean token in the colours of the clear ones: glare and shade on them do not count as its art."""
        view, model = self._view(0), self._model
        seen = np.mean([view.shown(laid.place, model.size)[model.mask] for laid in self._clear], axis=0)
        mean = model.mean[model.mask]
        away = mean - mean.mean(axis=0)
        gain = np.maximum((away * seen).sum(axis=0) / (away**2).sum(axis=0), 1e-3)
        token = (model.mean - mean.mean(axis=0)) * gain + seen.mean(axis=0)
        return TokenScan(np.asarray(token, np.float32), model.mask)

    def _shares(self, sightings: Sequence[Sighting]) -> list[Sighting]:
        """The sightings, their scores as shares of how well a clear token is sighted."""
        fresh = self._model.fresh
        near = [[s.score for s in sightings if not fresh(s.place, [laid])] for laid in self._clear]
        best = [max(scores) for scores in near if scores]
        usual = float(median(best)) if best else 1.0
        return [Sighting(s.place, s.score / usual) for s in sightings]


def drawn_scan(model: TokenModel) -> TokenScan:
    """The mean token as mere drawing. It is the same whatever the photo."""
    return TokenScan(drawing(model.mean.mean(axis=2), FINE * model.mask.shape[1], model.mask), model.mask)


def _only_drawn(sightings: Sequence[Sighting]) -> list[Sighting]:
    """Sightings by their drawing alone are no more than likely."""
    return [Sighting(s.place, min(s.score, LIKELY)) for s in sightings]


def _ranked(sightings: Sequence[Sighting]) -> list[Sighting]:
    return sorted(sightings, key=lambda sighting: -sighting.score)


def _steps(doubt: float) -> list[float]:
    """By how many steps tokens may be larger than their plane tells, whose lengths (log) are so doubtful."""
    count = min(round(doubt / float(np.log(STEP))), MOST_STEPS)
    return [k - count / 2 for k in range(count + 1)]
