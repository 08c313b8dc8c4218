"""Cards under streaks of light on sleeves: what is lighter there than any class says is left out of the comparison.

See `glints`. A streak is not blown out, yet on dark cards it is the strongest thing to be seen: a whole card correlates
by 0.2 with its class, and by 0.8 once the streak is left out. Bare table comes by that no nearer to a card than before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from durian_assist.vision.dash_library import Library, bare
from durian_assist.vision.dash_parts import TURNS, Part, PartSearch, same_place
from durian_assist.vision.dash_plane import Floats, Pose, TablePlane, pose_of
from durian_assist.vision.dash_seeds import Aligners
from durian_assist.vision.dash_sheet import Sheet
from durian_assist.vision.deck_profile import Pixels
from durian_assist.vision.glints import ROUNDS, lighter_than_all
from durian_assist.vision.layers import ACCEPT, FANNED, MOST_POOR, Explanation, Laid
from durian_assist.vision.rectify import Mask, Picture, quantile

# What is left out must leave so much of what is free of a card: of less, chance makes a card.
LEFT = 0.5
# Less than this share of what is free of a card is no streak.
LEAST = 0.02
# So much of what known cards show is no lighter than a card: the rest may be streaks.
LIGHT = 0.98
# Of a streak more than this share is lighter than that; the print of a card on top, left out likewise, is not.
BRIGHT = 0.02
# Of a strip streaks leave so little that chance comes by 0.67 near a class, strips of cards by 0.83 and more.
STRIP_RIGHT = 0.7
# Print of a card, streaks left out, correlates by so much with its class where it is found roughly.
HINT, MOST = 0.2, 3
# A place lies no further (card heights) off the card.
MOST_OFF = 0.1


def streaks(library: Library, picture: Pixels, visible: Mask) -> Mask:
    """(h, w) what of the visible pixels of a card's picture is lighter than each class says, and what touches it."""
    light = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)[visible]
    return lighter_than_all(light, (grey[visible] for grey in library.greys), visible, LEAST)


@dataclass(frozen=True)
class StreakReader:
    """Looks at places of a table again without streaks.

    `coarse` has the classes at the scale of the rough search; `aligners` fit cards onto their classes in the `picture`.
    """

    picture: Picture
    plane: TablePlane
    layers: Explanation
    coarse: Library
    aligners: Aligners

    def lit(self, pose: Pose) -> bool:
        """Whether something at a place that no known card covers is lighter than those: it may be a streak."""
        size = self.layers.bank.size
        free = self.layers.covered.cut(pose, size, size[1]) < 128
        light = cv2.cvtColor(self.layers.sheet.cut(pose, size, size[1]), cv2.COLOR_BGR2GRAY) > self._light
        return bool(np.count_nonzero(light & free) > BRIGHT * np.count_nonzero(free))

    def near(self, pose: Pose, part: Part, spread: tuple[float, float]) -> list[Laid]:
        """What lies where `part` of a card at a pose, give or take `spread` (card heights), shows a little print."""
        right, down = (round(distance * self.coarse.size[1]) for distance in spread)
        return [self.layers.look(p.pose) for p in self._dimmed.around(pose, part, (right, down), TURNS, HINT)[:MOST]]

    @cached_property
    def _dimmed(self) -> PartSearch:
        """A search for fine print on the table without what is lighter than its known cards."""
        sheet = self.layers.coarse.sheet
        grey = np.asarray(cv2.cvtColor(sheet.pixels, cv2.COLOR_BGR2GRAY), np.uint8)
        light = self._light
        clear = cv2.dilate((grey > light).astype(np.uint8), np.ones((3, 3), np.uint8)) == 0
        fine = bare(grey[..., None], clear, sheet.scale)[..., 0]
        return PartSearch(
            Sheet(np.where(clear, fine, 128).astype(np.uint8), sheet.scale, sheet.origin), self.coarse.prints
        )

    @cached_property
    def _light(self) -> float:
        """How light known cards are at most, in grey levels."""
        shown = [
            self._grey(laid)[laid.visible & self.layers.clear(laid.pose, self._cut(laid))] for laid in self.layers.laid
        ]
        return float(quantile(np.concatenate(shown), LIGHT)) if shown else 255.0

    def _grey(self, laid: Laid) -> Pixels:
        """(h, w) what the sheet shows at a place, in grey."""
        return np.asarray(cv2.cvtColor(self._cut(laid), cv2.COLOR_BGR2GRAY), np.uint8)

    def _cut(self, laid: Laid) -> Pixels:
        """(h, w, 3) what the sheet shows at a place."""
        size = self.layers.bank.size
        return self.layers.sheet.cut(laid.pose, size, size[1])

    def find(self, places: Iterable[Laid]) -> list[tuple[Laid, bool]]:
        """What matches as a card does once streaks are left out, of the likeliest places, and whether light is surely
        what was left out; its streaks are then known to the `layers`."""
        found: list[tuple[Laid, bool]] = []
        likely = [place for place in places if place.share > FANNED[0]]
        for place in likely[:MOST_POOR]:
            if any(same_place(place.pose, card.pose) for card, _ in found):
                continue
            card, clear = self._without(place)
            least = ACCEPT if card.share >= FANNED[1] else STRIP_RIGHT
            if card.score >= max(least, self.layers.usual) and clear.sum() >= LEFT * card.visible.sum():
                out = card.visible & ~clear
                bright = self._grey(card)[out] > self._light
                self.layers.hide(card.pose, out)
                found.append((card, bool(bright.sum() >= BRIGHT * bright.size)))
        return found

    def _without(self, seen: Laid) -> tuple[Laid, Mask]:
        """The place, moved onto its class's print, and its pixels without streaks: each gets better with the other."""
        best, clear = seen, seen.visible
        for _ in range(ROUNDS):
            again, own = self._looked(seen)
            if again.score <= best.score:
                break
            best, clear = again, own
            corners = self._corners(best)
            moved = self.aligners.refine(self.picture, best.kind, corners, clear)
            if np.abs(moved - corners).max() > MOST_OFF * float(np.linalg.norm(corners[3] - corners[0])):
                break
            aspect = self.layers.bank.size[0] / self.layers.bank.size[1]
            seen = self.layers.look(pose_of(self.plane.to_plane(moved), aspect, 1.0))
        return best, clear

    def _looked(self, seen: Laid) -> tuple[Laid, Mask]:
        library, cut = self.layers.bank, self._cut(seen)
        use = seen.visible & self.layers.clear(seen.pose, cut)
        clear = use & ~streaks(library, cut, use)
        kind, score = library.best(cut, clear)
        return replace(seen, kind=kind, score=score), clear

    def _corners(self, laid: Laid) -> Floats:
        width, height = self.layers.bank.size
        return self.plane.to_photo(laid.pose.rectangle(width / height, 1.0))
