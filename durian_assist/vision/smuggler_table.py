"""The bare table round a grid: its colours, and whether a cell in which no card was found looks like it.

That no reference comes near does not make a cell empty: blur, glare or a strange light can do that to a card. An empty
cell shows the table, and the table is seen all round the grid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.deck_profile import CardClass
from durian_assist.vision.rectify import Floats, Mask, Points, canvas_to_photo, project, to_lab
from durian_assist.vision.smuggler_view import GridView
from durian_assist.vision.table_plane import Pose

SCALE = 10  # pixels a card
# The ring round the grid, in lattice steps from its middle.
INNER, OUTER = 2.65, 3.6
# Steps in lightness and in the two colours in which the table's colours are counted.
STEPS = np.array([10.0, 8.0, 8.0], np.float32)
# A colour that this share of the ring has is one of the table's.
COMMON = 0.002
LIKE_TABLE = 0.5
# A cell of which more has them is the table, if the cards have others: their prints reach almost to their edges.
SURELY_TABLE = 0.9
_NEAR = np.stack(np.meshgrid(*[[-1, 0, 1]] * 3), -1).reshape(-1, 3)


@dataclass(frozen=True, slots=True)
class TableColours:
    """The colours of the table as codes of steps, neighbours included."""

    codes: frozenset[int]
    white: Floats

    @staticmethod
    def of(view: GridView, things: Sequence[Pose] = ()) -> TableColours:
        """From the ring round the grid, as far as it is in the frame and neither a sure card nor a thing lies there."""
        span = 2 * OUTER
        size = (round(span * SCALE), round(span * SCALE))
        lattice = view.lattice
        ends = [(-OUTER, -OUTER), (-OUTER, OUTER), (OUTER, OUTER), (OUTER, -OUTER)]
        square = np.stack([lattice.origin + c * lattice.right + r * lattice.down for r, c in ends])
        to_photo = canvas_to_photo(project(view.plane.to_photo, square), size)
        lab = to_lab(view.picture.warp(to_photo, size), view.white)
        use = view.picture.inside(to_photo, size)
        at = (np.stack(np.meshgrid(np.arange(size[0]), np.arange(size[1])), -1) + 0.5) / SCALE - OUTER
        use &= np.abs(at).max(-1) > INNER
        for pose in (*(card.pose for card in view.others), *things):
            row, column = lattice.place(pose)
            use &= np.abs(at - (column, row)).max(-1) > 0.8
        steps, count = np.unique(np.floor(lab[use] / STEPS).astype(np.int64), axis=0, return_counts=True)
        common = steps[count >= max(COMMON * count.sum(), 2)] if len(count) else np.zeros((0, 3), np.int64)
        return TableColours(frozenset(_codes((common[:, None] + _NEAR).reshape(-1, 3)).tolist()), view.white)

    def like(self, view: GridView, quad: Points) -> bool:
        """Has a cell mostly colours of the table? True where the ring is not in the frame: it cannot be said."""
        if not self.codes:
            return True
        return self._share(self._cell(view, quad)) >= LIKE_TABLE

    def along_sides(self, view: GridView, quad: Points) -> Floats:
        """(4,) the shares of the table's colours in the outer thirds of a cell: the far one, then clockwise; all 1
        where the ring is not in the frame. Neighbours may lie a little way into it, so not to its very edge."""
        if not self.codes:
            return np.ones(4, np.float32)
        known = self._known(self._cell(view, quad))[1:-1, 1:-1]
        return np.array([np.rot90(known, side)[: SCALE // 3].mean() for side in range(4)], np.float32)

    def surely(self, view: GridView, quad: Points, rivals: Sequence[CardClass]) -> bool:
        """Has a cell hardly another colour than the table's, which the cards that it resembles most have not?"""
        if not self.codes or self._share(self._cell(view, quad)) < SURELY_TABLE:
            return False
        pictures = [view.recogniser.views.reference(card, 0, (SCALE, SCALE)) for card in rivals]
        return all(self._share(picture) < LIKE_TABLE for picture in pictures)

    def _cell(self, view: GridView, quad: Points) -> Floats:
        return to_lab(view.picture.warp(canvas_to_photo(quad, (SCALE, SCALE)), (SCALE, SCALE)), self.white)

    def _share(self, lab: Floats) -> float:
        """The share of the middle of a picture (SCALE, SCALE, 3) that has colours of the table."""
        return float(self._known(lab)[2:-2, 2:-2].mean())

    def _known(self, lab: Floats) -> Mask:
        """Which pixels of a picture (h, w, 3) have colours of the table."""
        codes = _codes(np.floor(lab.reshape(-1, 3) / STEPS).astype(np.int64)).tolist()
        return np.array([code in self.codes for code in codes], np.bool_).reshape(lab.shape[:2])


def _codes(steps: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.asarray(((steps[:, 0] + 50) * 200 + steps[:, 1] + 50) * 200 + steps[:, 2] + 50, np.int64)
