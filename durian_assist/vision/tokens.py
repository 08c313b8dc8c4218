"""Manager tokens in a photo: where they lie, which value each shows, and which cannot be told."""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.deck_profile import CardClass
from durian_assist.vision.find_shapes import Shape
from durian_assist.vision.rectify import Picture, median
from durian_assist.vision.token_colours import TheirColours
from durian_assist.vision.token_fragments import dazzled, fragments
from durian_assist.vision.token_model import CLEAR, TOKEN, Laid, TokenModel, square
from durian_assist.vision.token_plane import TokenPlane
from durian_assist.vision.token_search import TokenSearch
from durian_assist.vision.token_shape import Fit
from durian_assist.vision.token_values import HIDDEN, Token, Values

Points = NDArray[np.float64]

HINT = TOKEN * 2 / 3  # a round outline that shows less of a token's art is as well a coin's
SHAPE = 0.03  # misfit of an outline that may be a token where its art agrees
STRICT = 0.02  # and where glare hides the art
MOST_SHAPES = 24  # outlines that are compared with the art
# Two outlines of one token lie in the same turn where they differ by less; those of an octagon are twice as far apart.
SAME_TURN = math.radians(22.5)
BARE = 0.25  # share of the other tokens' contrast below which a shape shows no art
WASHED = 200.0  # mean level from which on glare may have taken the contrast
DARK = 0.9 * HIDDEN * 250  # what is darker is not clipped to white (250) over a share HIDDEN of it
ENOUGH = 2  # clear tokens in outlines that tell the plane
REPEATED = 3  # faint tokens of one value are none
TOUCH = 0.02  # share of a token: outlines of tokens that only touch overlap by no more


class TokenReader:
    """Finds and reads the tokens of a deck."""

    def __init__(self, tokens: Sequence[CardClass]) -> None:
        self.model = TokenModel(tokens)
        self.search = TokenSearch(self.model)

    def find(
        self, picture: Picture, shapes: Sequence[Shape], scale: float, by_art: bool, anywhere: bool = True
    ) -> list[Token]:
        """All tokens of a photo, none on another.

        `shapes`: outlines found in the photo times `scale`; `by_art` looks for their art everywhere too, and where no
        token is clear `anywhere` for one of any size.
        """
        fits = self._shaped(shapes, scale)
        if not fits and not by_art:
            return []
        sure = self._found(picture, fits, by_art, anywhere)
        colours = TheirColours.of(picture, self._outlines(sure)) if sure and by_art else None
        sure, unnamed = self._by_colour(picture, sure, colours) if colours else (sure, [])
        hidden = unnamed + self._hidden(picture, [fit for fit in fits if fit.misfit < STRICT], [*sure, *unnamed])
        most = len(self.model.values) - len(sure) - len(hidden)
        left = fragments(colours, self._outlines([*sure, *hidden]), most) if colours else []
        lost = [*self._outlines(hidden), *left]
        if colours:
            lost += dazzled(colours, self._outlines([*sure, *hidden]), max(most - len(left), 0))
        return self._read(picture, sure) + [self._unreadable(outline) for outline in lost]

    def _outlines(self, found: Sequence[Laid]) -> list[Points]:
        return [self.model.polygon(laid.place) for laid in found]

    def _found(self, picture: Picture, fits: Sequence[Fit], by_art: bool, anywhere: bool) -> list[Laid]:
        """The tokens in outlines of their shape, and those that their art finds."""
        # An outline tells how a token lies but for a round one, which keypoints turn better than trying does.
        sure = self.search.find(picture, [], anywhere) if by_art and self.model.matcher.round else []
        planes = self._told(picture, sure)
        fitting = [fit for fit in fits if not planes or self.search.of_size(planes, square(fit.affine))]
        laid = self._laid_in(picture, self._poses(picture, fitting, sure), planes)
        if by_art and not self.model.matcher.round:
            # Glare on a token takes it from those that look like the others: outline and art together still tell it.
            exact = [Laid(square(fit.affine)) for fit in fits if fit.misfit < STRICT]
            shaped = [found for found in laid if not self.model.fresh(found.place, exact)]
            found = self.search.find(picture, laid, anywhere)
            return self.search.joined(picture, found, shaped) if found else []
        return self.search.joined(picture, sure, laid)

    def _laid_in(self, picture: Picture, poses: Sequence[Points], planes: Sequence[TokenPlane]) -> list[Laid]:
        """What is laid in outlines, in no place again where it is clear; once the plane is known nothing in those that
        have not a token's size there."""
        laid: list[Laid] = []
        clear: list[Laid] = []
        for place in poses:
            if (planes and not self.search.of_size(planes, place)) or not self.model.fresh(place, clear):
                continue
            laid.append(self.model.lay(picture, place))
            if laid[-1].score > CLEAR:
                clear = self.search.apart([found for found in laid if found.score > CLEAR])
                planes = self._told(picture, clear) or planes
        return laid

    def _told(self, picture: Picture, found: Sequence[Laid]) -> Sequence[TokenPlane]:
        """The planes that the clear ones tell, none where they are too few."""
        clear = [laid for laid in found if laid.score > CLEAR]
        return self.search.planes(picture, clear) if len(clear) >= ENOUGH else []

    def _read(self, picture: Picture, sure: Sequence[Laid]) -> list[Token]:
        """The values of the sure tokens. Of two that lie on one another the one that fits better is on top."""
        if not sure:
            return []
        values = Values(self.model)
        tokens: list[Token] = []
        outlines: list[Points] = []
        for laid in sorted(sure, key=lambda found: -found.score):
            outline = self.model.polygon(laid.place)
            covers = [other for other in outlines if _overlap(outline, other)]
            alone = self.model.lay(picture, laid.place, covers) if covers else laid
            place = values.confirmed(picture, alone, covers)
            if place is not None:
                tokens.append(values.read(picture, place, covers))
                outlines.append(self.model.polygon(place.place))
        return _without_pattern(tokens)

    def _by_colour(self, picture: Picture, sure: list[Laid], colours: TheirColours) -> tuple[list[Laid], list[Laid]]:
        """The sure tokens with those found by their `colours`, and outlines of a token's shape, size and colours
        whose art is none of a token."""
        model = self.model
        shapes, scale = colours.shapes(), colours.scale
        planes = self.search.planes(picture, sure)
        sized = [shape for shape in shapes if self.search.of_length(planes, *self._measured(shape, scale))]
        fits = self._best_of_each(sized, scale, sure)
        poses = self._poses(picture, fits, sure) if model.matcher.round else [square(fit.affine) for fit in fits]
        laid = [model.lay(picture, place) for place in poses]
        sure = self.search.joined(picture, sure, laid)
        planes = self.search.planes(picture, sure)
        unnamed: list[Laid] = []
        for fit in fits:
            place = square(fit.affine)
            told = fit.misfit < STRICT and (not model.matcher.round or self._hinted(place, laid))
            if told and self.search.of_size(planes, place) and model.fresh(place, [*sure, *unnamed]):
                unnamed.append(Laid(place, 1.0 - fit.misfit, 1.0))
        return sure, unnamed

    def _measured(self, shape: Shape, scale: float) -> tuple[Points, float]:
        """The middle (2,) of a shape in the photo, and how many times longer than on the canvas a token there is."""
        return shape.centre / scale, math.sqrt(shape.area / self.model.area(np.eye(3))) / scale

    def _hinted(self, place: Points, laid: Sequence[Laid]) -> bool:
        """Whether a place shows a hint of a token's art: the shape of a round one is that of any coin."""
        return any(found.score > HINT and not self.model.fresh(place, [found]) for found in laid)

    def _best_of_each(self, shapes: Sequence[Shape], scale: float, sure: Sequence[Laid]) -> list[Fit]:
        """All ways in which a token may lie in the best outline of each place where no sure one lies.

        An outline that looks the same in several turns is laid in each of them: only the art tells which is right.
        """
        ways = [fits for shape in shapes if (fits := self._shaped([shape], scale))]
        places: list[Laid] = []
        best: list[Fit] = []
        for fits in sorted(ways, key=lambda fits: fits[0].misfit):
            place = square(fits[0].affine)
            if len(places) < MOST_SHAPES and self.model.fresh(place, [*sure, *places]):
                places.append(Laid(place))
                best += fits
        return best

    def _shaped(self, shapes: Sequence[Shape], scale: float) -> list[Fit]:
        """Outlines of the token's shape as maps from the canvas to the photo, best first."""
        matcher = self.model.matcher
        alike = [shape for shape in shapes if matcher.likely(shape.fill)]
        fits = [fit for shape in alike for fit in matcher.fits(shape.outline / scale, SHAPE)]
        return sorted(fits, key=lambda fit: fit.misfit)

    def _poses(self, picture: Picture, fits: Sequence[Fit], sure: Sequence[Laid]) -> list[Points]:
        """The ways in which tokens may lie in outlines that are none of the sure ones, best outlines first, and of each
        first the turn in which it looks most like one."""
        fresh = [square(fit.affine) for fit in fits if self.model.fresh(square(fit.affine), sure)]
        ways: list[tuple[Laid, list[Points]]] = []
        for place in fresh:
            turns = next((turns for first, turns in ways if not self.model.fresh(place, [first])), None)
            if turns is None and len(ways) < MOST_SHAPES:
                ways.append((Laid(place), [place]))
            elif turns is not None and all(_turn_between(place, other) > SAME_TURN for other in turns):
                turns.append(place)
        if self.model.matcher.round:
            return [self.model.turned(picture, turns[0]) for _, turns in ways]
        likely = [sorted(turns, key=lambda turn: -self.model.glanced(picture, turn)) for _, turns in ways]
        return [place for turns in likely for place in turns]

    def _hidden(self, picture: Picture, fits: Sequence[Fit], sure: Sequence[Laid]) -> list[Laid]:
        """Outlines of a token's shape and size that glare has blown out."""
        usual_spread = float(median([self._spread(picture, f.place) for f in sure])) if sure else 0.0
        planes = self.search.planes(picture, sure) if sure else []
        found: list[Laid] = []
        looked_at: set[tuple[float, ...]] = set()
        for place, misfit in ((square(fit.affine), fit.misfit) for fit in fits):
            # However it is turned, an outline shows the same pixels: one middle and one area.
            middle = place[:2] @ (*self.model.matcher.centre, 1.0)
            key = tuple(np.round((*middle, math.sqrt(abs(np.linalg.det(place)))), 2).tolist())
            if key in looked_at or (sure and not self.search.of_size(planes, place)):
                continue
            looked_at.add(key)
            if self.model.fresh(place, [*sure, *found]) and self._bare(picture, place, usual_spread):
                found.append(Laid(place, 1.0 - misfit, 1.0))
        return found

    def _spread(self, picture: Picture, place: Points) -> float:
        """Contrast inside the outline in grey levels."""
        return float(self.model.cut(picture, place)[self.model.mask].astype(np.float32).std(axis=0).mean())

    def _bare(self, picture: Picture, place: Points, usual: float) -> bool:
        """Whether glare has taken the art: it is clipped to white, or so light that next to no contrast is left where
        other tokens have much. Light that is added takes no contrast away but near white."""
        # What is dark on the smallest canvas is neither.
        if self.model.lightness(picture, place) < DARK:
            return False
        light = float(self.model.cut(picture, place)[self.model.mask].mean())
        washed = light > WASHED and self._spread(picture, place) < BARE * usual
        return washed or self.model.blown(picture, place) > HIDDEN

    def _unreadable(self, outline: Points) -> Token:
        values = self.model.values
        return Token(outline, tuple((v, 1.0 / len(values)) for v in values), 1.0, False)


def _turn_between(first: Points, second: Points) -> float:
    """By how much two places are turned against each other, in radians, 0 to pi."""
    along = [complex(*place[:2, 0]) for place in (first, second)]
    return abs(cmath.phase(along[0] / along[1]))


def _without_pattern(tokens: Sequence[Token]) -> list[Token]:
    """The tokens without those that are not clear and all seem to show one value: there is one token of each, but a
    cloth has many dots."""
    faint = [token.values[0][0] for token in tokens if token.score < CLEAR]
    return [token for token in tokens if token.score >= CLEAR or faint.count(token.values[0][0]) < REPEATED]


def _overlap(outline: Points, other: Points) -> bool:
    """Whether two convex outlines (n, 2) have a noticeable piece in common."""
    first, second = (np.asarray(cv2.convexHull(o.astype(np.float32)), np.float32) for o in (outline, other))
    return float(cv2.intersectConvexConvex(first, second)[0]) > TOUCH * float(cv2.contourArea(first))
