"""Cards that lie on one another: the table's picture explained from the top card down.

The plane is drawn as one upright picture (`Sheet`). Below every card that is known, the strips that a fan leaves free
(top, bottom, left, right) are looked for by correlation; a strip found proposes a whole card. Cards are accepted from
the top down: a card must match its class wherever no accepted card covers it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.dash_library import HOPELESS, Library
from durian_assist.vision.dash_plane import Floats, Pose, TablePlane
from durian_assist.vision.dash_slide import Slider
from durian_assist.vision.deck_profile import Pixels
from durian_assist.vision.rectify import Picture, blown, median

Mask = NDArray[np.bool_]

# Fans cover at most 70 % of a card: the strip that is left of it is what is looked for.
STRIP = 0.3
# How far a fanned card lies aside of the fan's direction at most, in units of its size.
ASIDE = 0.25
# Hand-laid cards of one direction are a few degrees apart; a strip still matches two degrees off.
TURNS = tuple(np.radians((-4.5, 0.0, 4.5)))
FINE_TURNS = tuple(np.radians((-2.5, -1.25, 0.0, 1.25, 2.5)))
FINE_SPREAD = (5, 5)
# A strip that is turned by one fine step more correlates by so much less at the most.
A_TURN_OFF = 0.1
# Two proposals nearer than this share of the card's height are one card: fans step by more.
SAME_PLACE = 0.1
# A fan leaves one strip free beside a card; the best few places are enough.
MOST_BELOW = 3
# More places than these in one search are the pattern of a table cloth.
MOST_PLACES = 64
# Free shares of a card in a fan, where a bad match may still be one: fans cover a tenth to 70 %, neighbours a little.
FANNED = (0.25, 0.9)
# No player has more cards; more is the pattern of a table cloth, and so are many bad matches.
MOST_CARDS, MOST_POOR = 60, 6
OF_THE_USUAL = 0.7
# Right cards correlate by 0.74 and more in every light measured, misplaced ones of framed art by 0.26 at most; a strip
# of a card in poor light by POOR at least.
ACCEPT, POOR = 0.55, 0.35
# No chance makes the table match a card by ACCEPT over more than this share of it; over less it may.
MOSTLY_FREE = 0.5
# Cards whose centres are further apart (card heights) do not touch.
TOUCHING = 1.42
# Less than this free share of a card cannot be told from its neighbours' edges.
LEAST_SHARE = 0.12


@dataclass(frozen=True)
class Sheet:
    """The table's plane as a picture: `scale` pixels per card height, `origin` the plane point of its top left."""

    pixels: Pixels
    scale: float
    origin: tuple[float, float]

    def cut(self, pose: Pose, size: tuple[int, int], scale: float) -> Pixels:
        """The window of `size` (width, height) pixels around a pose, turned with it, `scale` pixels per card height."""
        ratio = self.scale / scale
        cos, sin = np.cos(pose.angle) * ratio, np.sin(pose.angle) * ratio
        x, y = (pose.x - self.origin[0]) * self.scale - 0.5, (pose.y - self.origin[1]) * self.scale - 0.5
        u, v = (size[0] - 1) / 2, (size[1] - 1) / 2
        matrix = np.array([(cos, -sin, x - cos * u + sin * v), (sin, cos, y - sin * u - cos * v)])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpAffine(self.pixels, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE))

    def part(self, low: Floats, high: Floats) -> Sheet:
        """What lies between the corners `low` and `high` (plane units), as far as it is on the sheet."""
        height, width = self.pixels.shape[:2]
        left, top = (int(v) for v in np.clip(np.floor((low - self.origin) * self.scale), 0, (width - 1, height - 1)))
        right, bottom = (int(v) for v in np.ceil((high - self.origin) * self.scale))
        x, y = self.origin
        return Sheet(self.pixels[top:bottom, left:right], self.scale, (x + left / self.scale, y + top / self.scale))

    def at(self, scale: float) -> Sheet:
        """The same sheet at another scale."""
        ratio = scale / self.scale
        small = cv2.resize(self.pixels, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA)
        return Sheet(np.asarray(small, np.uint8), scale, self.origin)


def draw_sheet(picture: Picture, plane: TablePlane, scale: float, low: Floats, high: Floats) -> Sheet:
    """The plane between the corners `low` and `high` (plane units) at `scale` pixels per card height."""
    width, height = (int(v) for v in np.ceil((high - low) * scale))
    to_plane = np.array([(1 / scale, 0, low[0] + 0.5 / scale), (0, 1 / scale, low[1] + 0.5 / scale), (0, 0, 1)])
    drawn = picture.warp(plane.matrix @ to_plane, (width, height))
    return Sheet(drawn, scale, (float(low[0]), float(low[1])))


@dataclass(frozen=True, slots=True)
class Part:
    """A rectangle of the card in units of its width and height, and the steps (dx, dy) of a fan that leaves it free."""

    left: float
    top: float
    right: float
    bottom: float
    near: tuple[float, float] = (0.0, 0.0)
    far: tuple[float, float] = (0.0, 0.0)

    def box(self, size: tuple[int, int]) -> tuple[int, int, int, int]:
        """x0, y0, x1, y1 in pixels of a picture of `size` (width, height)."""
        (w, h), edges = size, (self.left, self.top, self.right, self.bottom)
        x0, y0, x1, y1 = (round(edge * side) for edge, side in zip(edges, (w, h, w, h), strict=True))
        return x0, y0, x1, y1


WHOLE = Part(0, 0, 1, 1)
STRIPS = (
    Part(0, 0, 1, STRIP, (-ASIDE, -0.85), (ASIDE, -0.2)),
    Part(0, 1 - STRIP, 1, 1, (-ASIDE, 0.2), (ASIDE, 0.85)),
    Part(0, 0, STRIP, 1, (-0.85, -ASIDE), (-0.2, ASIDE)),
    Part(1 - STRIP, 0, 1, 1, (0.2, -ASIDE), (0.85, ASIDE)),
)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A card that may lie at `pose`: `part` of it correlates with some class by `score`."""

    pose: Pose
    part: Part
    score: float


def moved(pose: Pose, dx: float, dy: float) -> Pose:
    """The pose shifted by (dx, dy) card heights in its own frame."""
    cos, sin = float(np.cos(pose.angle)), float(np.sin(pose.angle))
    return Pose(pose.x + cos * dx - sin * dy, pose.y + sin * dx + cos * dy, pose.angle)


def part_corners(pose: Pose, part: Part, aspect: float) -> Floats:
    """Corners (4, 2) of a part of the card at `pose`, `aspect` wide and 1 high."""
    middle = moved(pose, (part.left + part.right - 1) / 2 * aspect, (part.top + part.bottom - 1) / 2)
    return middle.rectangle((part.right - part.left) * aspect, part.bottom - part.top)


class PartSearch:
    """Looks for parts of cards in windows of a sheet: for those of `shapes`, pictures of one size at its scale."""

    def __init__(self, sheet: Sheet, shapes: Sequence[Pixels]) -> None:
        self.sheet, self.shapes = sheet, tuple(shapes)
        self.size = (shapes[0].shape[1], shapes[0].shape[0])
        self._sliders: dict[tuple[Part, int | None], Slider] = {}

    def below(self, pose: Pose, least: float) -> list[Proposal]:
        """Proposals for cards that lie under the one at `pose` in a fan, with at least this correlation."""
        width, height = self.size
        found: list[Proposal] = []
        for part in STRIPS:
            middle = (np.array(part.near) + part.far) / 2 * (width, height) / height
            spread = (np.array(part.far) - part.near) / 2 * (width, height)
            reach = (round(spread[0]), round(spread[1]))
            found += self.around(moved(pose, *middle), part, reach, TURNS, least)[:MOST_BELOW]
        return found

    def around(
        self,
        pose: Pose,
        part: Part,
        spread: tuple[int, int],
        turns: Sequence[float],
        least: float,
        shape: int | None = None,
    ) -> list[Proposal]:
        """Proposals for cards at `pose` give or take `spread` pixels (x, y) and one of `turns` (radians)."""
        width, height = self.size
        x0, y0, x1, y1 = part.box((width, height))
        offset = ((x0 + x1 - width) / 2 / height, (y0 + y1 - height) / 2 / height)
        size = (x1 - x0 + 2 * spread[0], y1 - y0 + 2 * spread[1])
        found: list[Proposal] = []
        for turn in turns:
            turned = Pose(pose.x, pose.y, pose.angle + turn)
            window = self.sheet.cut(moved(turned, *offset), size, height)
            scores = self._slider(part, shape).best(window)
            for y, x in peaks(scores, least, round(SAME_PLACE * height)):
                place = moved(turned, (x - spread[0]) / height, (y - spread[1]) / height)
                found.append(Proposal(place, part, float(scores[y, x])))
        return distinct(found)[:MOST_PLACES]

    def _slider(self, part: Part, shape: int | None) -> Slider:
        """For a part of all shapes, or of the one; made at its first use."""
        if (part, shape) not in self._sliders:
            x0, y0, x1, y1 = part.box(self.size)
            shapes = self.shapes if shape is None else (self.shapes[shape],)
            self._sliders[part, shape] = Slider([one[y0:y1, x0:x1] for one in shapes])
        return self._sliders[part, shape]


def distinct(proposals: Iterable[Proposal]) -> list[Proposal]:
    """The best of every group of proposals for one place, best first."""
    kept: list[Proposal] = []
    for proposal in sorted(proposals, key=lambda p: -p.score)[: 4 * MOST_PLACES]:
        if not any(same_place(proposal.pose, other.pose) for other in kept):
            kept.append(proposal)
    return kept


def same_place(a: Pose, b: Pose) -> bool:
    """Whether two poses are too near to each other to be two cards of a fan."""
    return bool(np.hypot(a.x - b.x, a.y - b.y) < SAME_PLACE)


def peaks(scores: NDArray[np.float32], least: float, reach: int) -> list[tuple[int, int]]:
    """Places (y, x) whose score is at least `least`, and the highest within `reach` pixels."""
    kernel = np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
    tops = (scores >= cv2.dilate(scores, kernel)) & (scores >= least)
    return [(int(y), int(x)) for y, x in np.argwhere(tops)]


@dataclass(frozen=True, slots=True)
class Laid:
    """A card that was accepted: the topmost first. `kind` is the class number that correlated best."""

    pose: Pose
    kind: int
    score: float
    visible: Mask

    @property
    def share(self) -> float:
        """The share of the card that no other card covers."""
        return float(self.visible.mean())


@dataclass(slots=True, eq=False)
class _Pending:
    """A proposal and what was last seen there; `stale` where a card laid since may cover some of it."""

    proposal: Proposal
    laid: Laid | None = None
    stale: bool = True

    @property
    def seen(self) -> Laid | None:
        return None if self.stale else self.laid


class Explanation:
    """The cards of one sheet, accepted from the top down; `left` are proposals that nothing explains."""

    def __init__(self, coarse: PartSearch, fine: PartSearch, library: Library) -> None:
        self.coarse, self.fine = coarse, fine
        self.sheet, self.bank = fine.sheet, library
        self.covered = Sheet(np.zeros(self.sheet.pixels.shape[:2], np.uint8), self.sheet.scale, self.sheet.origin)
        self.laid: list[Laid] = []
        self.left: list[Laid] = []
        self._pending: list[_Pending] = []

    def explain(
        self,
        proposals: Iterable[Proposal],
        least: float,
        accept: float,
        poor: Callable[[Laid], bool] | None = None,
    ) -> None:
        """Accept cards from the top down until no proposal is left that matches where it is free.

        A card must match by `accept`, and nearly as well as is usual in this photo. Below every accepted card proposals
        are looked for with at least the correlation `least`. With `poor` a few are accepted that match less well, by
        `accept` alone, or strips of fans by POOR, because they may be what hides the next ones: those that `poor` says
        may be cards by what else is known of them. Cards that lie free need no such word.
        """
        self._pending += [_Pending(p, laid, False) for p in proposals if (laid := self.look(p.pose)).score >= HOPELESS]
        tried = 0
        while len(self.laid) < MOST_CARDS:
            best = self._best(lambda entry: self._matches(entry, max(accept, self.usual)))
            if best is None and poor is not None and tried < MOST_POOR:
                best = self._best(lambda entry: self._may_be_card(entry, accept, poor))
                tried += 1
            if best is None:
                break
            self.lay(best, least)
        seen = [entry.seen for entry in self._pending]
        self.left = [laid for laid in seen if laid is not None and laid.share > LEAST_SHARE]

    @property
    def usual(self) -> float:
        """What a card of this photo must match by: on a table that looks like the cards itself, misplaced ones reach
        two thirds of what the right ones have."""
        return OF_THE_USUAL * float(median([card.score for card in self.laid])) if self.laid else 0.0

    def _suggest(self, proposal: Proposal, least: float) -> None:
        seen = self.look(proposal.pose)
        # Found coarsely it lies a few pixels and degrees off: half of what a card needs there is enough for a look.
        if seen.score < HOPELESS / 2 or seen.share < LEAST_SHARE / 2:
            return
        finer = self.refined(proposal.pose, proposal.part, least, seen.kind)
        if not finer or any(same_place(finer[0].pose, card.pose) for card in self.laid):
            return
        rivals = [entry for entry in self._pending if same_place(finer[0].pose, entry.proposal.pose)]
        if all(entry.proposal.score < finer[0].score for entry in rivals):
            self._pending = [entry for entry in self._pending if entry not in rivals]
            self._pending.append(_Pending(finer[0]))

    def _best(self, fits: Callable[[_Pending], bool]) -> Laid | None:
        for entry in self._pending:
            if entry.stale:
                entry.laid, entry.stale = self._looked(entry.proposal.pose, entry.laid), False
        ready = [entry.laid for entry in self._pending if entry.laid is not None and fits(entry)]
        return max(ready, key=lambda laid: laid.score, default=None)

    def refined(self, pose: Pose, part: Part, least: float, kind: int | None = None) -> list[Proposal]:
        """Proposals a few pixels and degrees around a pose at the fine scale, best first; `kind`: the class there.

        The turn of a pose found coarsely may be the neighbouring one: where the best lies at the end of what was looked
        at, what lies beyond is looked at as well.
        """
        shape = None
        if len(self.bank.groups) > 1:
            shape = self.bank.shape_of(self.look(pose).kind if kind is None else kind)
        found = self._about(pose, part, least, shape)
        if not found or found[0].score < POOR or abs(found[0].pose.angle - pose.angle) < 0.99 * FINE_TURNS[-1]:
            return found
        further = self._about(found[0].pose, part, least, shape)
        return further if further and further[0].score > found[0].score else found

    def _about(self, pose: Pose, part: Part, least: float, shape: int | None) -> list[Proposal]:
        """What lies about a pose in any of the fine turns, the outermost one only on the side where the rest of them
        fits better: where none of the inner ones shows anything near, it does not either."""
        found = self.fine.around(pose, part, FINE_SPREAD, FINE_TURNS[1:-1], least - A_TURN_OFF, shape)
        if not found:
            return []
        turn = found[0].pose.angle - pose.angle
        outer = [end for end in (FINE_TURNS[0], FINE_TURNS[-1]) if turn * end > 0]
        found += self.fine.around(pose, part, FINE_SPREAD, outer, least, shape)
        return distinct(proposal for proposal in found if proposal.score >= least)

    @staticmethod
    def _matches(entry: _Pending, least: float) -> bool:
        return entry.laid is not None and entry.laid.share > LEAST_SHARE and entry.laid.score >= least

    def _may_be_card(self, entry: _Pending, accept: float, poor: Callable[[Laid], bool]) -> bool:
        laid = entry.laid
        if laid is None:
            return False
        if laid.share > MOSTLY_FREE and laid.score >= ACCEPT:
            return True
        strip = FANNED[0] < laid.share < FANNED[1] and entry.proposal.part is not WHOLE
        return self._matches(entry, POOR if strip else accept) and poor(laid)

    def cover(self, pose: Pose, part: Part = WHOLE) -> None:
        """Nothing is seen of the table or of lower cards where `part` of the card at `pose` lies."""
        width, height = self.bank.size
        corners = part_corners(pose, part, width / height)
        pixels = (corners - self.sheet.origin) * self.sheet.scale - 0.5
        cv2.fillConvexPoly(self.covered.pixels, np.round(pixels * 16).astype(np.int32), 255, shift=4)
        for entry in self._pending:
            if np.hypot(entry.proposal.pose.x - pose.x, entry.proposal.pose.y - pose.y) < TOUCHING:
                entry.stale = True

    def lay(self, card: Laid, least: float) -> None:
        """Accept a card; below it proposals are looked for with at least the correlation `least`."""
        self._pending = [e for e in self._pending if not same_place(e.proposal.pose, card.pose)]
        self.cover(card.pose)
        self.laid.append(card)
        for proposal in self.coarse.below(card.pose, least):
            self._suggest(proposal, least)

    def look(self, pose: Pose) -> Laid:
        """The card at `pose` compared with every class where no accepted card covers it."""
        return self._looked(pose, None)

    def _looked(self, pose: Pose, before: Laid | None) -> Laid:
        """As `look`; `before` is what was seen there earlier: the same where no more of it is covered now."""
        size = self.bank.size
        free = self.covered.cut(pose, size, size[1]) < 128
        free = cv2.erode(free.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(np.bool_)
        if before is not None and np.array_equal(before.visible, free):
            return before
        picture = self.sheet.cut(pose, size, size[1])
        kind, score = self.bank.best(picture, free & ~blown(picture))
        return Laid(pose, kind, score, free)
