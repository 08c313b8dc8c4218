"""Tokens found by their art alone, anywhere in a photo and of any size.

Where no outline shows one keypoints vote for tokens, and where they find none the mean token is looked for in all
sizes. Then whatever looks like the tokens found and lies in their plane is found: most of them look the same in one
photo, so that even one that is faint or partly covered stands out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from durian_assist.common.parallel import Started, in_halves
from durian_assist.vision.rectify import SMALLEST_LEVEL, Picture
from durian_assist.vision.token_lookout import LIKELY, STEP, Lookout, drawn_scan
from durian_assist.vision.token_model import CLEAR, CLEAR_HOPE, DOUBTLESS, HALF, HOPE, TOKEN, Laid, TokenModel, square
from durian_assist.vision.token_plane import TokenPlane, alike
from durian_assist.vision.token_scan import ACROSS, TURNS, Sighting, TokenScan, View
from durian_assist.vision.token_votes import TokenVotes, keypoints

Floats = NDArray[np.float32]
Points = NDArray[np.float64]

# Where a token is not yet laid it is as much less like one; what is only perhaps like the others must be more like it.
HALFWAY, HINT = TOKEN / 2, TOKEN * 2 / 3
LONG_SIDE = 700  # of the picture in which keypoints are looked for
ALIKE_SIZE = 0.25  # a token differs in the log of its width by less from what its plane tells
MOST_ELECTED = 40  # places with most votes
# Share of the likeness of a clear token: what is less like it is not laid.
WORTH = 0.65
# What is not likely may be a token that a veil of light makes faint: where it is nearly clear its value must tell.
NEARLY_CLEAR = 0.85 * CLEAR
# Unlikely sightings in a row, and likely ones, that are no clear token: the rest is a cloth's pattern. Each kind is
# counted alone: what a lamp makes of a plain table may look more like a token than one in the shade.
PATIENCE, LONG_PATIENCE = 8, 24
TELL_PLANE = 3  # clear tokens from which on their plane is known well enough to look for the others in that alone
CROWD = 2  # times as many likely places as values
MOST_ANYWHERE = 6  # and where nothing is known of the size
# A sighting lies up to half a step beside the token's turn and size.
ANGLES = (-np.pi / TURNS, 0.0, np.pi / TURNS)
SIZES = (STEP**-0.5, 1.0, STEP**0.5)
SMALLEST, LARGEST = 0.035, 0.85  # widths of a token as shares of the photo's longer side


@dataclass(frozen=True, slots=True)
class _Trials:
    """What was laid: `tried` places (see `TokenModel.lay`), and what came of sightings, by place and whether likely."""

    tried: list[Points] = field(default_factory=list)
    laid: dict[tuple[bytes, bool], Laid] = field(default_factory=dict)


class TokenSearch:
    """Looks for the art of a deck's tokens."""

    def __init__(self, model: TokenModel) -> None:
        self.model = model
        self._planes: dict[tuple[object, ...], list[TokenPlane]] = {}
        self._voted: tuple[Picture, list[Laid]] | None = None

    def find(self, picture: Picture, known: Sequence[Laid], anywhere: bool = True) -> list[Laid]:
        """The tokens, best first, no two in one place; `known` have been found by their outlines.

        Where no token is clear, one of any size is looked for only if `anywhere`, and nothing is found otherwise.
        """
        found = self.joined(picture, [], known)
        if not any(laid.score > CLEAR for laid in found):
            found = self.joined(picture, found, self._elected(picture))
        if not any(laid.score > CLEAR for laid in found):
            if not anywhere:
                return []
            found = self.joined(picture, found, self._anywhere(picture))
        return self._like(picture, found) if found else []

    def _anywhere(self, picture: Picture) -> list[Laid]:
        """A clear token of any size, seen from nearly above: the likeliest one, all others look like it."""
        scan = TokenScan(self.model.mean, self.model.mask)
        longest = max(picture.pixels.shape[:2])
        count = int(np.log(LARGEST / SMALLEST) / np.log(STEP)) + 1
        sightings: list[Sighting] = []
        for k in range(count):
            width = LARGEST * longest / STEP**k
            view = View.of(picture, np.diag([width / ACROSS, width / ACROSS, 1.0]))
            sightings += scan.sightings(view, MOST_ANYWHERE)
        laid = (
            self._laid(picture, sighting.place, HALFWAY, CLEAR_HOPE, [])
            for sighting in sorted(sightings, key=lambda s: -s.score)
        )
        clear = next((found for found in laid if found.score > CLEAR), None)
        return [clear] if clear is not None else []

    def _like(self, picture: Picture, found: list[Laid]) -> list[Laid]:
        """The tokens found with all that look like them and lie in their plane."""
        clear = [laid for laid in found if laid.score > CLEAR] or found[:1]
        sightings: list[Sighting] = []
        more: list[Laid] = []
        lookout = self._lookout(picture, clear)
        if len(clear) < TELL_PLANE:
            sightings, more = self._until_told(picture, lookout, clear)
        known = self._clear_of([*clear, *more])
        if len(known) >= TELL_PLANE:
            # Their plane is known now: seen in that the others stand out from a cloth that was like them. Far from the
            # three it may be off, so what was as good as likely before is laid as well.
            before = _likely(sightings)
            lookout = self._lookout(picture, known)
            sightings = lookout.sightings()
            more += self._laid_of(picture, sightings, known)
            more += self._laid_of(picture, before, self._clear_of([*clear, *more]))
            known = self._clear_of([*clear, *more])
            more += self._laid_of(picture, self._resized(sightings, known), known)
        more += self._veiled(picture, lookout, self._clear_of([*clear, *more]))
        alike = [Laid(sighting.place) for sighting in sightings if sighting.score > LIKELY]
        doubtful = [laid for laid in found if laid.score <= CLEAR and not self.model.fresh(laid.place, alike)]
        return self.joined(picture, clear, [*doubtful, *more])

    def _veiled(self, picture: Picture, lookout: Lookout, clear: Sequence[Laid]) -> list[Laid]:
        """The clear tokens under veils of light, none of those that are known."""
        fresh = [s.place for s in lookout.veiled() if self.model.fresh(s.place, clear)]
        laid = [self._laid(picture, place, HALFWAY, HOPE, []) for place in fresh]
        return [found for found in laid if found.score > CLEAR]

    def _until_told(
        self, picture: Picture, lookout: Lookout, clear: Sequence[Laid]
    ) -> tuple[list[Sighting], list[Laid]]:
        """The sightings, best first, and the tokens among them; only as many as it takes, and only the clear tokens,
        where so many are clear that they tell their plane."""
        sightings: list[Sighting] = []
        more: list[Laid] = []
        trials = _Trials()
        for seen in lookout.little_by_little():
            sightings += seen
            likely = [sighting for sighting in seen if sighting.score > LIKELY]
            more += self._laid_of(picture, likely, self._clear_of([*clear, *more]), TELL_PLANE, trials)
            known = self._clear_of([*clear, *more])
            if len(known) >= TELL_PLANE:
                return sightings, known
        sightings.sort(key=lambda sighting: -sighting.score)
        return sightings, self._laid_of(picture, sightings, clear, TELL_PLANE, trials)

    def _resized(self, sightings: Sequence[Sighting], clear: Sequence[Laid]) -> list[Sighting]:
        """Likely places that are not clear, a step larger and smaller, where few are likely: what is said to be of
        another size than it has may be laid wrongly."""
        likely = [sighting for sighting in sightings if sighting.score > LIKELY]
        doubtful = [sighting for sighting in likely if self.model.fresh(sighting.place, clear)]
        sizes = [self.model.turned_by(0.0, size) for size in (1 / STEP, STEP)] if self._few(likely) else []
        return [Sighting(sighting.place @ size, sighting.score) for sighting in doubtful for size in sizes]

    def _lookout(self, picture: Picture, clear: Sequence[Laid]) -> Lookout:
        return Lookout(self.model, picture, clear, self.planes(picture, clear), self._by_drawing)

    @cached_property
    def _by_drawing(self) -> TokenScan:
        return drawn_scan(self.model)

    def _clear_of(self, found: Sequence[Laid]) -> list[Laid]:
        """The clear ones, none on another."""
        return self.apart([laid for laid in found if laid.score > CLEAR])

    def _laid_of(
        self,
        picture: Picture,
        sightings: Sequence[Sighting],
        clear: Sequence[Laid],
        enough: int | None = None,
        trials: _Trials | None = None,
    ) -> list[Laid]:
        """The tokens laid of sightings, best first, until `enough` with the clear ones are clear or the rest is a
        cloth's pattern."""
        more: list[Laid] = []
        trials = _Trials() if trials is None else trials
        misses, telling = {True: 0, False: 0}, self._few([s for s in sightings if s.score > LIKELY])
        for sighting in sightings:
            likely = sighting.score > LIKELY
            # A token may be laid better from its sighting in another size.
            known = [*clear, *(laid for laid in more if laid.score > CLEAR)]
            patience = LONG_PATIENCE if likely else PATIENCE
            if sighting.score < WORTH or misses[likely] >= patience or len(known) == enough:
                break
            if not self.model.fresh(sighting.place, known):
                continue
            demands = (HALFWAY, HOPE) if likely else (HINT, CLEAR_HOPE)
            key = (sighting.place.tobytes(), likely)
            if key not in trials.laid:
                trials.laid[key] = self._laid(picture, sighting.place, *demands, trials.tried)
            laid = replace(trials.laid[key], vague=not (likely and telling))
            if laid.score > (NEARLY_CLEAR if laid.vague else TOKEN):
                more.append(laid)
            misses[likely] = misses[likely] + 1 if laid.score < CLEAR else 0
        return more

    def _few(self, sightings: Sequence[Sighting]) -> bool:
        """Whether these lie in so few places that it tells anything of a place to be one of them.

        There is one token of each value: where many more places look like one, that is the cloth's pattern.
        """
        places: list[Laid] = []
        for sighting in sightings:
            if self.model.fresh(sighting.place, places):
                places.append(Laid(sighting.place))
        return len(places) <= CROWD * len(self.model.values)

    def _laid(self, picture: Picture, place: Points, least: float, hope: float, tried: list[Points]) -> Laid:
        """A token laid from the turn and size about a place where it is most like one; where none is so much like a
        token it is not laid, which costs far more. `hope`, `tried`: see `TokenModel.lay`."""
        model = self.model
        starts = [place @ model.turned_by(turn, size) for turn in ANGLES for size in SIZES]
        best, score = max(((start, model.glanced(picture, start)) for start in starts), key=lambda found: found[1])
        if score < least:
            return Laid(place)
        laid = model.lay(picture, best, hope=hope, tried=tried)
        if TOKEN < laid.score < CLEAR:
            laid = max(laid, model.lay(picture, place, hope=hope, tried=tried), key=lambda found: found.score)
        if TOKEN < laid.score < DOUBTLESS and model.matcher.round:
            # No outline tells the turn of a round token, and its colours tell it only roughly.
            turned = model.turned(picture, place)
            laid = max(laid, model.lay(picture, turned, hope=hope, tried=tried), key=lambda found: found.score)
        return laid

    def planes(self, picture: Picture, clear: Sequence[Laid]) -> list[TokenPlane]:
        """The planes that clear tokens may lie in, the likelier first. Kept: it is asked again and again."""
        key = (picture.pixels.shape, *(laid.place.tobytes() for laid in clear))
        if key not in self._planes:
            height, width = picture.pixels.shape[:2]
            places = np.array([self.model.polygon(laid.place).mean(axis=0) for laid in clear])
            slopes = np.array([self.model.slope(laid.place) for laid in clear])
            self._planes[key] = TokenPlane.through(places, slopes, (width, height))
        return self._planes[key]

    def _elected(self, picture: Picture) -> list[Laid]:
        """Tokens that keypoints vote for. Kept: a photo without clear ones is looked through twice."""
        if self._voted is None or self._voted[0] is not picture:
            self._voted = picture, self._by_votes(picture)
        return self._voted[1]

    def _by_votes(self, picture: Picture) -> list[Laid]:
        height, width = picture.pixels.shape[:2]
        scale = min(1.0, LONG_SIDE / max(height, width))
        view = picture.warp(np.diag([1 / scale, 1 / scale, 1.0]), (round(width * scale), round(height * scale)))
        seen = Started(partial(keypoints, view))
        voters = TokenVotes(self.model.references[0][:2], self.model.mask.astype(np.uint8) * 255)
        elected = [square(e.affine) for e in voters.elect(seen.result(), scale)[:MOST_ELECTED]]
        # What both halves need is made once, not by two threads at once.
        picture.level(SMALLEST_LEVEL)
        assert self.model.aligners
        return in_halves(partial(self.model.lay, picture), elected)

    def joined(self, picture: Picture, sure: Sequence[Laid], laid: Sequence[Laid]) -> list[Laid]:
        """The sure tokens and those among the laid ones that show a token, of one size, none on another."""
        shown = [found for found in laid if found.score > TOKEN and found.seen > HALF]
        return self._of_one_size(picture, self.apart([*sure, *shown]))

    def apart(self, found: Sequence[Laid]) -> list[Laid]:
        """The best of those that lie on one another."""
        chosen: list[Laid] = []
        for laid in sorted(found, key=lambda f: -f.score):
            if self.model.fresh(laid.place, chosen):
                chosen.append(laid)
        return chosen

    def _of_one_size(self, picture: Picture, found: list[Laid]) -> list[Laid]:
        """Without faint ones that have not the size that the best ones tell."""
        clear = [laid for laid in found if laid.score > CLEAR] or found[: (len(found) + 1) // 2]
        if len(clear) == len(found):
            return found
        planes = self.planes(picture, clear)
        return [laid for laid in found if laid.score > CLEAR or self.of_size(planes, laid.place)]

    def of_size(self, planes: Sequence[TokenPlane], place: Points) -> bool:
        """Whether a place is about as large as a token there in one of the planes."""
        length = math.sqrt(self.model.area(place) / self.model.area(np.eye(3)))
        return self.of_length(planes, self.model.polygon(place).mean(axis=0), length)

    def of_length(self, planes: Sequence[TokenPlane], centre: Points, length: float) -> bool:
        """Whether a token with its middle there may be so many times longer than on the canvas."""
        return alike(planes, centre, length) < ALIKE_SIZE


def _likely(sightings: Sequence[Sighting]) -> list[Sighting]:
    """Those as good as likely."""
    return [sighting for sighting in sightings if sighting.score >= LIKELY]
