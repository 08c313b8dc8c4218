"""Which colours of a photo are its cards' and which its table's, learnt from the photo itself.

Pixels under known cards are counted against pixels beside them: what is commoner on cards is foreign to the table.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.dash_plane import Floats
from durian_assist.vision.dash_sheet import Sheet
from durian_assist.vision.deck_profile import Pixels
from durian_assist.vision.ground import foreign
from durian_assist.vision.layers import Laid
from durian_assist.vision.rectify import blown, median

Mask = NDArray[np.bool_]

# Cards' edges throw shadows and are found a little off: this much beside a card (card heights) is nobody's.
RIM = 0.08
# A place is a card's where it is foreign by this share of what the known cards are.
NEARLY = 0.8
# Around what glare has clipped its veil changes colours: so far (card heights) they tell nothing.
VEIL = 0.12
# Cards whose colours are not foreign by this share of their area say nothing of other places.
TELLING = 0.6


class TableColours:
    """The table `sheet` beside known pieces: `cards` and `others` are their corners (4, 2) on the plane.

    `taken`: pixels of known pieces and of the rim around them. `foreign`: 1 where the colour is the cards' rather than
    the table's, else 0. `veiled`: pixels in or near glare, where colours tell nothing.
    """

    def __init__(self, sheet: Sheet, cards: Iterable[Floats], others: Iterable[Floats]) -> None:
        own = list(cards)
        self.sheet = sheet
        self.taken = self.mask([*own, *others], RIM)
        self.foreign = foreign(sheet.pixels, self.mask(own, 0.0), ~self.taken).astype(np.float32)
        self.veiled = self._wider(blown(sheet.pixels).astype(np.uint8), VEIL).astype(np.bool_)

    def mask(self, quads: Iterable[Floats], rim: float) -> Mask:
        """Pixels of the sheet inside any of the quads, or nearer to one than `rim` card heights."""
        mask = np.zeros(self.sheet.pixels.shape[:2], np.uint8)
        for corners in quads:
            pixels = (corners - self.sheet.origin) * self.sheet.scale - 0.5
            cv2.fillConvexPoly(mask, np.round(pixels * 16).astype(np.int32), 1, shift=4)
        return self._wider(mask, rim).astype(np.bool_)

    def _wider(self, mask: Pixels, distance: float) -> Pixels:
        reach = round(distance * self.sheet.scale)
        if not reach:
            return mask
        return np.asarray(cv2.dilate(mask, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)), np.uint8)


class CardLikeness:
    """Tells whether what is seen of a piece has the colours of the photo's known cards rather than of the table."""

    def __init__(self, colours: TableColours, known: Iterable[Laid]) -> None:
        shown = np.asarray(colours.foreign * 255, np.uint8)
        self._sheet = Sheet(shown, colours.sheet.scale, colours.sheet.origin)
        shares = [self._share(laid) for laid in known]
        self._usual = float(median(shares)) if shares else 0.0

    @classmethod
    def of(cls, sheet: Sheet, aspect: float, known: Iterable[Laid]) -> Self:
        """Learn from the cards that are `known`, `aspect` wide and 1 high."""
        cards = list(known)
        return cls(TableColours(sheet, [laid.pose.rectangle(aspect, 1.0) for laid in cards], []), cards)

    @property
    def tells(self) -> bool:
        """False where cards and table have the same colours: then colours vouch for nothing."""
        return self._usual >= TELLING

    def __call__(self, laid: Laid) -> bool:
        """Whether a piece has the cards' colours where it is to be seen."""
        return self.tells and self._share(laid) >= NEARLY * self._usual

    def _share(self, laid: Laid) -> float:
        height, width = laid.visible.shape
        cut = self._sheet.cut(laid.pose, (width, height), height)
        return float(cut[laid.visible].mean()) / 255 if laid.visible.any() else 0.0
