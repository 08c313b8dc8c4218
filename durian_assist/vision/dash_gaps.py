"""Places of a card's size that are not bare table: cards that glare or an odd print hides must not vanish unsaid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.dash_colours import NEARLY, TELLING, TableColours
from durian_assist.vision.dash_plane import Floats, Pose
from durian_assist.vision.dash_seen import ROUGH
from durian_assist.vision.deck_profile import Pixels
from durian_assist.vision.layers import Sheet
from durian_assist.vision.rectify import median

Shares = NDArray[np.float32]

# Cards are laid in rows and columns: what lies further from every known card (card heights), or more aside of its row
# and its column, is something else.
NEIGHBOUR, ASIDE = 1.6, 0.25
# A turn of a hand-laid card and the neighbour's rim take this share of its width and height.
INNER = 0.86
# Free shares of a place: of whole cards, and, where such were found, of the strips of fans below them; less is the rim
# of known cards.
WHOLE_FREE, STRIP_FREE = 0.7, 0.4
# What glare leaves of a place must be this much of a card to tell what lies there.
CLEAR = 0.2
# More places than these are not looked at.
MOST_GAPS = 6
# A sheet of paper goes on beyond a card's edges: looked at between these distances (card heights) from them.
BEYOND = (0.1, 0.35)
# Pieces of one sheet lie nearer to each other (card heights): they are cut out of it side by side.
PIECES = 1.0
# With this share of it foreign, it goes on: paper is written on, and may lie askew.
GOES_ON = 0.3


class GapFinder:
    """Looks for places on `sheet` that look like cards; a card is `aspect` wide and 1 high."""

    def __init__(self, sheet: Sheet, aspect: float) -> None:
        self.sheet, self.aspect = sheet.at(ROUGH), aspect

    def places(self, cards: Iterable[Floats], others: Iterable[Floats], least: float) -> list[Pose]:
        """Upright poses of what may be cards, at least the share `least` of them free of known ones.

        `cards` and `others` are the corners (4, 2) of known ones on the plane.
        """
        own = list(cards)
        if not own:
            return []
        colours = TableColours(self.sheet, own, others)
        foreign, taken = colours.foreign, colours.taken
        centres = np.array([corners.mean(axis=0) for corners in own])
        usual = float(median(self._at(self._means(foreign), centres)))
        if usual < TELLING:
            return []
        found: list[Pose] = []
        while len(found) < MOST_GAPS:
            told = ~taken & (~colours.veiled | (foreign > 0))
            shown, free = self._means(foreign * told), self._means((~taken).astype(np.float32))
            clear = self._means(told.astype(np.float32))
            likely = self._near(centres) & (free >= least) & (clear >= CLEAR) & (shown >= NEARLY * usual * clear)
            if not likely.any():
                break
            # Of all windows that show a piece of a card the one that shows most of it is its place.
            y, x = (int(v) for v in np.unravel_index(int(np.where(likely, shown, -1).argmax()), shown.shape))
            found.append(Pose(*self._point(x, y), 0.0))
            taken |= colours.mask([found[-1].rectangle(self.aspect, 1.0)], 0.0)
            centres = np.vstack([centres, found[-1].centre])
        return found

    def more(self, cards: Iterable[Floats], others: Iterable[Floats]) -> bool:
        """Whether anywhere on the sheet, however far from known cards, something has as much of their colours as the
        strip of a fan. `cards` and `others` as in `places`."""
        own = list(cards)
        colours = TableColours(self.sheet, own, others)
        centres = np.array([corners.mean(axis=0) for corners in own])
        usual = float(median(self._at(self._means(colours.foreign), centres)))
        shown = self._means(colours.foreign * ~colours.taken)
        return bool(shown.max() >= STRIP_FREE * NEARLY * usual)

    def of_sheets(self, poses: Sequence[Pose], cards: Iterable[Floats], others: Iterable[Floats]) -> list[Pose]:
        """Those of the poses that are pieces of sheets larger than a card: what goes on, and what lies beside that."""
        if not poses:
            return []
        colours = TableColours(self.sheet, cards, others)
        shown = np.asarray((colours.foreign * ~colours.taken) * 255, np.uint8)
        sheets = [pose for pose in poses if self._goes_on(pose, shown)]
        return [pose for pose in poses if any(np.hypot(pose.x - s.x, pose.y - s.y) < PIECES for s in sheets)]

    def _goes_on(self, pose: Pose, shown: Pixels) -> bool:
        """Whether what lies at `pose` is larger than a card both ways: it goes on beside it and above or below it.

        `shown` (h, w): 255 where the sheet shows neither table nor a known piece.
        """
        near, far = (round(distance * ROUGH) for distance in BEYOND)
        size = (round(self.aspect * ROUGH) + 2 * far, ROUGH + 2 * far)
        window = Sheet(shown, self.sheet.scale, self.sheet.origin).cut(pose, size, ROUGH)
        rest = far - near
        aside = max(float(part.mean()) for part in (window[far:-far, :rest], window[far:-far, -rest:]))
        along = max(float(part.mean()) for part in (window[:rest, far:-far], window[-rest:, far:-far]))
        return min(aside, along) >= GOES_ON * 255

    def _point(self, x: int, y: int) -> tuple[float, float]:
        (left, top), scale = self.sheet.origin, self.sheet.scale
        return left + (x + 0.5) / scale, top + (y + 0.5) / scale

    def _means(self, values: Shares) -> Shares:
        """For every pixel the mean of `values` over the inner part of an upright card around it."""
        size = (max(round(INNER * self.aspect * ROUGH), 1), max(round(INNER * ROUGH), 1))
        return np.asarray(cv2.blur(values, size, borderType=cv2.BORDER_CONSTANT), np.float32)

    def _at(self, shares: Shares, centres: Floats) -> Shares:
        height, width = shares.shape
        at = np.round((centres - self.sheet.origin) * self.sheet.scale - 0.5).astype(np.int64)
        inside = np.clip(at, 0, (width - 1, height - 1))
        return np.asarray(shares[inside[:, 1], inside[:, 0]], np.float32)

    def _near(self, centres: Floats) -> NDArray[np.bool_]:
        """Pixels in the row or the column of a known card, near to it."""
        near = np.zeros(self.sheet.pixels.shape[:2], np.uint8)
        along, aside = round(NEIGHBOUR * ROUGH), round(ASIDE * ROUGH)
        for x, y in np.round((centres - self.sheet.origin) * self.sheet.scale).astype(np.int64).tolist():
            cv2.rectangle(near, (x - along, y - aside), (x + along, y + aside), 1, -1)
            cv2.rectangle(near, (x - aside, y - along), (x + aside, y + along), 1, -1)
        return near > 0
