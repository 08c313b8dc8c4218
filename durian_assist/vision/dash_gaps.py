"""Places of a card's size that are not bare table: cards that glare or an odd print hides must not vanish unsaid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.dash_colours import NEARLY, TELLING, TableColours
from durian_assist.vision.dash_plane import Floats, Pose
from durian_assist.vision.dash_seen import ROUGH
from durian_assist.vision.dash_sheet import Sheet
from durian_assist.vision.dazzle import dazzled_places
from durian_assist.vision.deck_profile import Pixels
from durian_assist.vision.ground import colour_numbers, detail, printed, table_colours
from durian_assist.vision.rectify import blown, median

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

# Beyond the ends of fans bare table shows no more than a hundredth of what cards show, strips under streaks of light
# two thirds of it and more.
BARE = 0.3
# A free place has no card's centre within this share of a card's width and height.
OVERLAP = 0.7
# Half of a card, or of a strip.
HALF = 0.5
# Of a place that glare hides by this share nobody can tell what lies there.
LOST = 0.5
# Cards of one row or column that lie so much of their width or height apart (centres) are neighbours.
NEXT = (0.85, 1.5)


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
        return self._most_like(colours, colours.foreign, np.array([corners.mean(axis=0) for corners in own]), least)

    def strange(self, cards: Iterable[Floats], others: Iterable[Floats], least: float) -> list[Pose]:
        """Upright poses of what has neither the table's colours nor, perhaps, the cards', where the known cards let
        expect one more: streaks of light on a sleeve change both. Arguments as in `places`."""
        own = list(cards)
        if not own:
            return []
        centres = np.array([corners.mean(axis=0) for corners in own])
        expected = np.array(expected_places(centres, self.aspect)).reshape(-1, 2)
        if not len(expected):
            return []
        colours = TableColours(self.sheet, own, others)
        other = self._no_table(colours, own)
        return [] if other is None else self._most_like(colours, other, centres, least, self._about(expected))

    def _no_table(self, colours: TableColours, own: Sequence[Floats]) -> Shares | None:
        """(h, w) 1 where the colour is not the table's, else 0; None where the table has many colours, the cards' among
        them."""
        bare = table_colours(self.sheet.pixels, colours.mask(own, 0.0), ~colours.taken)
        return self._telling((~bare[colour_numbers(self.sheet.pixels)]).astype(np.float32), colours, own)

    def _most_like(
        self,
        colours: TableColours,
        values: Shares,
        centres: Floats,
        least: float,
        only: NDArray[np.bool_] | None = None,
    ) -> list[Pose]:
        """Places with as much of the `values` (h, w; 0 or 1) as the known cards at `centres` (n, 2) have, in their rows
        and columns or `only` where that is true."""
        usual, taken = float(median(self._at(self.means(values), centres))), colours.taken
        if usual < TELLING:
            return []
        found: list[Pose] = []
        while len(found) < MOST_GAPS:
            told = ~taken & (~colours.veiled | (values > 0))
            shown, free = self.means(values * told), self.means((~taken).astype(np.float32))
            clear = self.means(told.astype(np.float32))
            near = self.near_cards(centres) if only is None else only
            likely = near & (free >= least) & (clear >= CLEAR) & (shown >= NEARLY * usual * clear)
            if not likely.any():
                break
            # Of all windows that show a piece of a card the one that shows most of it is its place.
            y, x = (int(v) for v in np.unravel_index(int(np.where(likely, shown, -1).argmax()), shown.shape))
            found.append(Pose(*self.point(x, y), 0.0))
            taken |= colours.mask([found[-1].rectangle(self.aspect, 1.0)], 0.0)
            centres = np.vstack([centres, found[-1].centre])
        return found

    def hidden(self, cards: Iterable[Floats], others: Iterable[Floats]) -> list[Pose]:
        """Upright poses of places of which glare hides so much that nothing tells whether a card lies there, where the
        cards about them let expect one. `cards` and `others` as in `places`."""
        own, taken = list(cards), [corners.mean(axis=0) for corners in others]
        centres = [corners.mean(axis=0) for corners in own]
        found: list[Pose] = []
        for x, y in expected_places(np.array(centres).reshape(-1, 2), self.aspect):
            known = [*centres, *taken, *(pose.centre for pose in found)]
            if all(abs(x - a) > OVERLAP * self.aspect or abs(y - b) > OVERLAP for a, b in known):
                pose = Pose(x, y, 0.0)
                size = (round(self.aspect * ROUGH), ROUGH)
                if float(blown(self.sheet.cut(pose, size, ROUGH)).mean()) >= LOST and self._inside(pose):
                    found.append(pose)
        return found

    def dazzled(self, known: Iterable[Floats]) -> list[Pose]:
        """Upright poses of places, however far from `known` cards (corners (4, 2) on the plane), of which a lamp's
        reflection leaves nothing: one of each reflection."""
        taken = np.zeros(self.sheet.pixels.shape[:2], np.uint8)
        for corners in known:
            at = np.round((corners - self.sheet.origin) * self.sheet.scale - 0.5).astype(np.int32)
            cv2.fillConvexPoly(taken, at, 1)
        white = np.asarray(blown(self.sheet.pixels) & (taken == 0), np.bool_)
        return [Pose(*self.point(x, y), 0.0) for x, y in dazzled_places(white, self._inner())]

    def covered(self, poses: Sequence[Pose], cards: Iterable[Floats], others: Iterable[Floats]) -> list[Pose]:
        """Those of the poses, places that known cards leave a strip of, whose free part shows a card and no table.

        `cards` and `others` as in `places`.
        """
        own = list(cards)
        if not own or not poses:
            return []
        colours = TableColours(self.sheet, own, others)
        return [poses[n] for n in self._showing(colours, colours.foreign, own, poses, BARE)]

    def no_table(self, poses: Sequence[Pose], cards: Iterable[Floats], others: Iterable[Floats]) -> list[int]:
        """The numbers of those of the poses half of whose free part has not the table's colours; as in `covered`.

        Only half: streaks of light on dark cards may come near the colours of a light table.
        """
        own = list(cards)
        if not own or not poses:
            return []
        colours = TableColours(self.sheet, own, others)
        other = self._no_table(colours, own)
        return [] if other is None else self._showing(colours, other, own, poses, HALF)

    def _showing(
        self, colours: TableColours, values: Shares, own: Sequence[Floats], poses: Sequence[Pose], share: float
    ) -> list[int]:
        """The numbers of the poses whose free part has a share of the `values` (h, w; 0 or 1) of the `own` cards."""
        usual = self.usual(values, own)
        told = ~colours.taken & (~colours.veiled | (values > 0))
        centres = np.array([pose.centre for pose in poses])
        shown = self._at(self.means(values * told), centres)
        clear = self._at(self.means(told.astype(np.float32)), centres)
        like = (clear >= CLEAR) & (shown >= share * usual * clear) & (usual >= TELLING)
        return [int(n) for n in np.flatnonzero(like)]

    def usual(self, values: Shares, own: Sequence[Floats]) -> float:
        """What known cards, corners (4, 2) on the plane, have of the `values` (h, w)."""
        return float(median(self._at(self.means(values), np.array([one.mean(axis=0) for one in own]))))

    def _inside(self, pose: Pose) -> bool:
        """Whether a card's place is on the sheet."""
        height, width = self.sheet.pixels.shape[:2]
        pixels = (pose.rectangle(self.aspect, 1.0) - self.sheet.origin) * self.sheet.scale
        return bool((pixels >= 0).all() and (pixels <= (width, height)).all())

    def more(self, cards: Iterable[Floats], others: Iterable[Floats]) -> bool:
        """Whether anywhere on the sheet, however far from known cards, something has as much of their colours as the
        strip of a fan. `cards` and `others` as in `places`."""
        own = list(cards)
        colours = TableColours(self.sheet, own, others)
        shown = self.means(colours.foreign * ~colours.taken)
        return bool(shown.max() >= STRIP_FREE * NEARLY * self.usual(colours.foreign, own))

    def odd(self, cards: Iterable[Floats], others: Iterable[Floats]) -> list[Pose]:
        """Upright poses of what has not the table's colours or is printed as cards are, in rows and columns of known
        cards: under a lamp's veil a fan may have colours of its own. `cards` and `others` as in `places`."""
        own = list(cards)
        if not own:
            return []
        colours = TableColours(self.sheet, own, others)
        centres = np.array([corners.mean(axis=0) for corners in own])
        signs = (self._no_table(colours, own), self._print(colours, own))
        return [
            pose for sign in signs if sign is not None for pose in self._most_like(colours, sign, centres, WHOLE_FREE)
        ]

    def half_hidden(self, cards: Iterable[Floats], others: Iterable[Floats]) -> bool:
        """Whether anything beside known pieces has not the table's colours, or shows print, over half of a card at
        least, or may for all that colours and print tell on this table. `cards` and `others` as in `places`."""
        own = list(cards)
        if not own:
            return True
        colours = TableColours(self.sheet, own, others)
        other, detailed = self._no_table(colours, own), self._print(colours, own)
        if other is None or detailed is None:
            return True
        shown = np.maximum(other, detailed)
        return bool(self.means(shown * ~colours.taken).max() >= HALF * NEARLY * self.usual(shown, own))

    def _print(self, colours: TableColours, own: Sequence[Floats]) -> Shares | None:
        """(h, w) 1 where there is print as on the `own` cards, else 0; None where the table has a pattern."""
        detailed = printed(detail(self.sheet.pixels), colours.mask(own, 0.0), ~colours.taken).astype(np.float32)
        return self._telling(detailed, colours, own)

    def _telling(self, values: Shares, colours: TableColours, own: Sequence[Floats]) -> Shares | None:
        """The values (h, w; 0 or 1), or None where the table has half as much of them as the `own` cards."""
        free = values[~colours.taken]
        return values if free.size and float(free.mean()) <= LOST * self.usual(values, own) else None

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

    def point(self, x: int, y: int) -> tuple[float, float]:
        (left, top), scale = self.sheet.origin, self.sheet.scale
        return left + (x + 0.5) / scale, top + (y + 0.5) / scale

    def means(self, values: Shares) -> Shares:
        """For every pixel the mean of `values` over the inner part of an upright card around it."""
        return np.asarray(cv2.blur(values, self._inner(), borderType=cv2.BORDER_CONSTANT), np.float32)

    def _inner(self) -> tuple[int, int]:
        """The width and height (pixels) of the inner part of an upright card."""
        return max(round(INNER * self.aspect * ROUGH), 1), max(round(INNER * ROUGH), 1)

    def _at(self, shares: Shares, centres: Floats) -> Shares:
        height, width = shares.shape
        at = np.round((centres - self.sheet.origin) * self.sheet.scale - 0.5).astype(np.int64)
        inside = np.clip(at, 0, (width - 1, height - 1))
        return np.asarray(shares[inside[:, 1], inside[:, 0]], np.float32)

    def _about(self, centres: Floats) -> NDArray[np.bool_]:
        """Pixels no further from one of the places (n, 2) than a hand lays cards off them."""
        about, off = np.zeros(self.sheet.pixels.shape[:2], np.uint8), round(ASIDE / 2 * ROUGH)
        for x, y in np.round((centres - self.sheet.origin) * self.sheet.scale).astype(np.int64).tolist():
            cv2.rectangle(about, (x - off, y - off), (x + off, y + off), 1, -1)
        return about > 0

    def near_cards(self, centres: Floats) -> NDArray[np.bool_]:
        """Pixels in the row or the column of a known card, near to it."""
        near = np.zeros(self.sheet.pixels.shape[:2], np.uint8)
        along, aside = round(NEIGHBOUR * ROUGH), round(ASIDE * ROUGH)
        for x, y in np.round((centres - self.sheet.origin) * self.sheet.scale).astype(np.int64).tolist():
            cv2.rectangle(near, (x - along, y - aside), (x + along, y + aside), 1, -1)
            cv2.rectangle(near, (x - aside, y - along), (x + aside, y + along), 1, -1)
        return near > 0


def expected_places(centres: Floats, aspect: float) -> list[tuple[float, float]]:
    """Where rows and columns of cards at `centres` (n, 2) let expect one more: two of the cards or more have it as a
    neighbour at the usual distance, from different sides."""
    steps = [_step(centres, 0, aspect), _step(centres, 1, 1.0)]
    reached = [
        (place, (axis, sign))
        for axis, step in enumerate(steps)
        if step is not None
        for sign in (-1, 1)
        for place in centres + sign * step * np.eye(2)[axis]
    ]
    found = []
    for place, side in reached:
        same = [(other, its) for other, its in reached if np.abs(other - place).max() <= ASIDE]
        if side == min(its for _, its in same) < max(its for _, its in same):
            x, y = np.mean([other for other, _ in same], axis=0)
            found.append((float(x), float(y)))
    return found


def _step(centres: Floats, axis: int, size: float) -> float | None:
    """The usual distance from a card to the next one along an axis, cards being `size` long there; None where none has
    a neighbour."""
    apart = centres[:, None] - centres[None]
    along, aside = apart[..., axis], np.abs(apart[..., 1 - axis])
    steps = along[(aside <= ASIDE) & (along >= NEXT[0] * size) & (along <= NEXT[1] * size)]
    return float(median(steps)) if len(steps) else None
