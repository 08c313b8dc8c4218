"""Cards that lie on one another: the table's picture explained from the top card down.

The plane is drawn as one upright picture (`Sheet`). Below every card that is known, the strips that a fan leaves free
(top, bottom, left, right) are looked for by correlation; a strip found proposes a whole card. Cards are accepted from
the top down: a card must match its class wherever no accepted card covers it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.dash_library import HOPELESS, Library
from durian_assist.vision.dash_parts import (
    MOST_BELOW,
    TURNS,
    WHOLE,
    Part,
    PartSearch,
    Proposal,
    distinct,
    part_corners,
    same_place,
)
from durian_assist.vision.dash_plane import Pose
from durian_assist.vision.dash_sheet import Sheet
from durian_assist.vision.deck_profile import Pixels
from durian_assist.vision.rectify import blown, median

Mask = NDArray[np.bool_]

FINE_TURNS = tuple(np.radians((-2.5, -1.25, 0.0, 1.25, 2.5)))
FINE_SPREAD = (5, 5)
# A strip that is turned by one fine step more correlates by so much less at the most.
A_TURN_OFF = 0.1
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
# Found coarsely a strip lies a few pixels and degrees off: of those that were cards in the end none matched by less
# than 0.23 there, half of those of bare table by less than this.
WORTH_REFINING = 0.2
# Cards whose centres are further apart (card heights) do not touch.
TOUCHING = 1.42
# Less than this free share of a card cannot be told from its neighbours' edges.
LEAST_SHARE = 0.12


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
        return np.count_nonzero(self.visible) / self.visible.size


@dataclass(frozen=True, slots=True)
class Upon:
    """Of a card only the `half` is its own; upon the rest of it the cards `proposals` begin."""

    half: Part
    proposals: tuple[Proposal, ...]


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
    """The cards of one sheet, accepted from the top down; `left` are proposals that nothing explains.

    `is_other` tells of what would be laid whether it is a piece of another kind than the library's: that covers what
    lies below and is not laid. `upon` tells what lies upon it, if it is seen as a half alone; `begun` are the poses of
    what was told.
    """

    def __init__(self, coarse: PartSearch, fine: PartSearch, library: Library) -> None:
        self.coarse, self.fine = coarse, fine
        self.sheet, self.bank = fine.sheet, library
        self.covered = Sheet(np.zeros(self.sheet.pixels.shape[:2], np.uint8), self.sheet.scale, self.sheet.origin)
        self.laid: list[Laid] = []
        self.left: list[Laid] = []
        self.is_other: Callable[[Laid], bool] | None = None
        self.upon: Callable[[Laid], Upon | None] | None = None
        self.begun: list[Pose] = []
        self._streaks: Sheet | None = None
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
        if seen.score < WORTH_REFINING or seen.share < LEAST_SHARE / 2:
            return
        finer = self.refined(proposal.pose, proposal.part, least, seen.kind)
        if not finer or any(same_place(finer[0].pose, card.pose) for card in self.laid):
            return
        self._have_in_mind(finer[0])

    def _have_in_mind(self, proposal: Proposal) -> None:
        """Keep a proposal, unless there is a better one for its place."""
        rivals = [entry for entry in self._pending if same_place(proposal.pose, entry.proposal.pose)]
        if all(entry.proposal.score < proposal.score for entry in rivals):
            self._pending = [entry for entry in self._pending if entry not in rivals]
            self._pending.append(_Pending(proposal))

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
        upon = self.upon(card) if self.upon is not None else None
        half = WHOLE if upon is None else upon.half
        if upon is not None:
            card = self._looked(card.pose, None, half)
            for proposal in upon.proposals:
                self._have_in_mind(proposal)
            self.begun += [proposal.pose for proposal in upon.proposals]
        self.cover(card.pose, half)
        if self.is_other is not None and self.is_other(card):
            return
        self.laid.append(card)
        for proposal in self.coarse.below(card.pose, least, self._shows):
            self._suggest(proposal, least)

    def at_end(self, pose: Pose, part: Part, spread: tuple[float, float], least: float) -> list[Proposal]:
        """Proposals for a strip of a card at `pose` give or take `spread` (shares of its width and height)."""
        width, height = self.coarse.size
        reach = (round(spread[0] * width), round(spread[1] * height))
        return self.coarse.around(pose, part, reach, TURNS, least)[:MOST_BELOW]

    def suggest(self, proposals: Iterable[Proposal], least: float) -> None:
        """Have strips in mind that are worth a look and, looked at closely, like a class by `least`."""
        for proposal in proposals:
            self._suggest(proposal, least)

    def hide(self, pose: Pose, mask: Mask) -> None:
        """Nothing tells of the card at `pose` where the `mask` (h, w), of the library's size, is true."""
        if self._streaks is None:
            self._streaks = replace(self.covered, pixels=np.zeros_like(self.covered.pixels))
        self._streaks.paste(pose, mask, self.bank.size[1])

    def clear(self, pose: Pose, picture: Pixels) -> Mask:
        """(h, w) which pixels of the picture of the place `pose` are neither blown out nor hidden."""
        clear = ~blown(picture)
        if self._streaks is not None:
            clear &= self._streaks.cut(pose, (picture.shape[1], picture.shape[0]), self.bank.size[1]) < 128
        return np.asarray(clear, np.bool_)

    def hidden(self, pose: Pose) -> bool:
        """Whether a part of the place is hidden, more than its rim."""
        size = self.bank.size
        return self._streaks is not None and bool((self._streaks.cut(pose, size, size[1]) > 127).any())

    def _shows(self, pose: Pose, size: tuple[int, int], pixels: float) -> bool:
        """Whether of a window at the coarse scale at least so many pixels are free of cards."""
        free = self.covered.cut(pose, size, self.coarse.size[1]) < 128
        return float(np.count_nonzero(free)) >= pixels

    def look(self, pose: Pose) -> Laid:
        """The card at `pose` compared with every class where no accepted card covers it."""
        return self._looked(pose, None)

    def _looked(self, pose: Pose, before: Laid | None, part: Part = WHOLE) -> Laid:
        """As `look` at a part of it; `before` is what was seen earlier: the same where no more of it is covered now."""
        size = self.bank.size
        free = self.covered.cut(pose, size, size[1]) < 128
        free = cv2.erode(free.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(np.bool_)
        if part is not WHOLE:
            free &= part.mask(size)
        if before is not None and np.array_equal(before.visible, free):
            return before
        picture = self.sheet.cut(pose, size, size[1])
        kind, score = self.bank.best(picture, free & self.clear(pose, picture))
        return Laid(pose, kind, score, free)
