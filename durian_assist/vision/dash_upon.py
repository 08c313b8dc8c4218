"""Cards that lie upon one that would be laid as a whole one: of that only the half is seen that matches.

The best match is laid first. Where light has taken much from the upper cards of a fan, that may be a lower card, half
of which is seen: over its whole place it still matches, and what covers its other half would be lost under it. A card
that is seen as a whole matches in both halves. Where one of them falls far behind, a strip of another card is looked
for that begins in it, as a fan would have it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from durian_assist.vision.dash_parts import (
    BOTTOM,
    LEFT,
    MOST_BELOW,
    OTHER_HALF,
    RIGHT,
    STRIPS,
    TOP,
    TURNS,
    Part,
    Proposal,
    moved,
    same_place,
)
from durian_assist.vision.dash_plane import Pose
from durian_assist.vision.deck_profile import Pixels
from durian_assist.vision.layers import ACCEPT, MOSTLY_FREE, WORTH_REFINING, Explanation, Laid, Mask, Upon

# Right cards correlate by this and more in every light measured: a half of them that something covers leaves less.
WHOLLY = 0.74
# Fine print of a half by less than this share of the other half's: half a card is covered, or faint in this light.
FALLS_BEHIND = 0.5
# The strip by which a card in a half begins upon another one.
BEGINS = {BOTTOM: STRIPS[0], TOP: STRIPS[1], RIGHT: STRIPS[2], LEFT: STRIPS[3]}
# Strips of cards that begin upon others match by ACCEPT in colour and in print; this is worth a closer look.
LIKELY = 0.4


@dataclass(frozen=True, slots=True)
class UponReader:
    """Looks at what would be laid on a table known to `layers`."""

    layers: Explanation

    def find(self, card: Laid) -> Upon | None:
        """What lies upon a card that would be laid, where that is seen as a half alone."""
        if card.share <= MOSTLY_FREE or card.score >= WHOLLY:
            return None
        prints = {half: self._print(card, half) for half in OTHER_HALF}
        for half, own in OTHER_HALF.items():
            if prints[half] < FALLS_BEHIND * prints[own] and (found := self._begun(card.pose, BEGINS[half])):
                return Upon(own, tuple(found))
        return None

    def _begun(self, pose: Pose, strip: Part) -> list[Proposal]:
        """Cards whose `strip` is seen upon the card at a pose."""
        near, far = np.array(strip.near), np.array(strip.far)
        width, height = self.layers.coarse.size
        across, down = -(near + far) / 2 * (width, height) / height
        right, below = (far - near) / 2 * (width, height)
        place, spread = moved(pose, float(across), float(down)), (round(float(right)), round(float(below)))
        rough = self.layers.coarse.around(place, strip, spread, TURNS, WORTH_REFINING)[:MOST_BELOW]
        finer = [better for p in rough for better in self.layers.refined(p.pose, strip, LIKELY)[:1]]
        return [p for p in finer if self._is_seen(p)]

    def _is_seen(self, proposal: Proposal) -> bool:
        """Whether the strip of a card that is not known matches a class in colour and in fine print."""
        if any(same_place(proposal.pose, laid.pose) for laid in self.layers.laid):
            return False
        seen = self.layers.look(proposal.pose)
        cut, use = self._told(seen, proposal.part)
        if use is None:
            return False
        kind, score = self.layers.bank.best(cut, use)
        return score >= ACCEPT and self.layers.bank.print_score(cut, use, kind) >= ACCEPT

    def _print(self, seen: Laid, part: Part) -> float:
        """How well the fine print of its class is seen on a part of a card; 1, the most, where nothing tells."""
        cut, use = self._told(seen, part)
        return 1.0 if use is None else self.layers.bank.print_score(cut, use, seen.kind)

    def _told(self, seen: Laid, part: Part) -> tuple[Pixels, Mask | None]:
        """(h, w, 3) what the table shows at a card's place, and (h, w) which pixels tell of a part of the card; None
        where more than half of that is covered or lost in light."""
        size = self.layers.bank.size
        cut, own = self.layers.sheet.cut(seen.pose, size, size[1]), part.mask(size)
        use = np.asarray(own & seen.visible & self.layers.clear(seen.pose, cut), np.bool_)
        return cut, use if np.count_nonzero(use) > MOSTLY_FREE * np.count_nonzero(own) else None
