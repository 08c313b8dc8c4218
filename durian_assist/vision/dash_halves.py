"""Cards of which only half is to be seen: what is no card covers them, or the photo's frame cuts them off.

The halves of every face are looked for by their fine print where nothing is known yet, at the known cards' size and in
their directions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.dash_library import Library
from durian_assist.vision.dash_parts import OTHER_HALF, SAME_PLACE, TURNS, Part, Proposal, distinct, moved, peaks
from durian_assist.vision.dash_plane import Floats, Pose
from durian_assist.vision.dash_sheet import Sheet
from durian_assist.vision.dash_slide import Slider
from durian_assist.vision.dash_whole import FAINT, near, prints_near
from durian_assist.vision.deck_profile import Pixels
from durian_assist.vision.layers import ACCEPT, FINE_SPREAD, FINE_TURNS, Explanation
from durian_assist.vision.rectify import blown

Scores = NDArray[np.float32]

# With less of a half free of known cards and inside the frame, their edges are what correlates.
FREE = 0.95
# Clutter is as often the negative of a print as it is like it: the strongest negative of a photo tells how strong
# chance gets in it. Halves of cards have 1.4 times that and more, chance 1.3 times at most.
ABOVE_CHANCE = 1.35
# In colour halves of cards correlate by 0.5 and more, chance by 0.38 at most.
LIKE_A_CARD = 0.45
# On a table of strong edges chance is not told from cards by a few pixels; at the finer scale the print of halves
# correlates by 0.75 and more even under a veil of light that has taken their colours, edges by 0.72 at most.
PRINTED = 0.75
# A print that correlates by PRINTED at the finer scale does so by this at the coarse one: a few pixels blur it.
CLEAR = 0.6
# More places than these are the pattern of a table cloth.
MOST_HALVES = 8


def free_of(sheet: Sheet, frame: Floats, known: Iterable[Floats]) -> Sheet:
    """255 where the sheet shows the photo, whose corners are `frame` (4, 2) on the plane, and none of the `known`
    cards (4, 2 each); else 0."""
    free = np.zeros(sheet.pixels.shape[:2], np.uint8)
    for corners, value in ((frame, 255), *((corners, 0) for corners in known)):
        pixels = (corners - sheet.origin) * sheet.scale - 0.5
        cv2.fillConvexPoly(free, np.round(pixels * 16).astype(np.int32), value, shift=4)
    return Sheet(free, sheet.scale, sheet.origin)


def half_cards(sheet: Sheet, library: Library, poses: Sequence[Pose], free: Sheet) -> tuple[list[Proposal], float]:
    """Where halves of cards are seen on the `sheet` (h, w, 3), drawn at the library's scale, near the known cards.

    `poses` are those of the known cards, `free` is as `free_of` says. The best come first; each has the half that is
    seen as its part. The second value is what chance gets in this photo.
    """
    around = prints_near(sheet, poses)
    quarters = sorted({round(pose.angle / (np.pi / 2)) % 4 for pose in poses})
    found: list[Proposal] = []
    chance = FAINT
    sliders = {part: _slider(library.prints, part) for part in OTHER_HALF}
    for pose, size in _views(around, quarters):
        view, room = around.cut(pose, size, sheet.scale), free.cut(pose, size, sheet.scale)
        for part, slider in sliders.items():
            like, unlike = _scores(view, room, slider)
            chance = max(chance, unlike)
            for y, x in peaks(like, FAINT, round(SAME_PLACE * sheet.scale)):
                found.append(Proposal(_card_at(pose, size, library.size, part, x, y), part, float(like[y, x])))
    least = min(ABOVE_CHANCE * chance, CLEAR)
    return [half for half in distinct(found) if half.score >= least][:MOST_HALVES], chance


def _views(sheet: Sheet, quarters: Iterable[int]) -> Iterator[tuple[Pose, tuple[int, int]]]:
    """The middle of the sheet, turned as cards may lie, and the size (width, height) of the window that shows it."""
    height, width = sheet.pixels.shape[:2]
    x, y = np.array(sheet.origin) + np.array((width, height)) / 2 / sheet.scale
    for quarter in quarters:
        size = (width, height) if quarter % 2 == 0 else (height, width)
        for turn in TURNS:
            yield Pose(float(x), float(y), quarter * np.pi / 2 + turn), size


def _slider(prints: Sequence[Pixels], part: Part) -> Slider:
    """For the part of each print."""
    x0, y0, x1, y1 = part.box((prints[0].shape[1], prints[0].shape[0]))
    return Slider([shape[y0:y1, x0:x1] for shape in prints])


def _scores(view: Pixels, room: Pixels, slider: Slider) -> tuple[Scores, float]:
    """How well the best of the slider's pictures correlates at every place of the view that is free, 0 elsewhere; and
    how strong the negative of any of them is there."""
    size = slider.size
    if view.shape[1] < size[0] or view.shape[0] < size[1]:
        return np.zeros((1, 1), np.float32), 0.0
    height, width = (seen - own + 1 for seen, own in zip(view.shape, reversed(size), strict=True))
    shares = cv2.boxFilter((room > 127).astype(np.float32), -1, size, anchor=(0, 0), borderType=cv2.BORDER_CONSTANT)
    is_free = shares[:height, :width] >= FREE
    if not is_free.any():
        return np.zeros((1, 1), np.float32), 0.0
    scores = slider.each(view)
    like = np.where(is_free, np.max(scores, axis=0), 0)
    return np.asarray(like, np.float32), float(-np.where(is_free, np.min(scores, axis=0), 0).min())


def _card_at(pose: Pose, view: tuple[int, int], card: tuple[int, int], part: Part, x: int, y: int) -> Pose:
    """The whole card whose part has its top left at pixel (x, y) of a view around `pose`; sizes (width, height)."""
    x0, y0, _, _ = part.box(card)
    right, down = x - x0 + (card[0] - view[0]) / 2, y - y0 + (card[1] - view[1]) / 2
    return moved(pose, right / card[1], down / card[1])


def lay_halves(layers: Explanation, library: Library, frame: Floats, known: Iterable[Floats]) -> list[Pose]:
    """Lay the cards of which only half is to be seen, and what lies below them; the poses of those half seen.

    `library` has the classes at the scale of the coarse search; `frame` and `known` are as in `free_of`.
    """
    if not layers.laid:
        return []
    free = free_of(layers.sheet, frame, known)
    halves: list[Pose] = []
    poses = [laid.pose for laid in layers.laid]
    sheet = layers.coarse.sheet
    rough_halves, chance = half_cards(sheet, library, poses, free.at(sheet.scale))
    for rough in rough_halves:
        half = next(iter(layers.fine.around(rough.pose, rough.part, FINE_SPREAD, FINE_TURNS, FAINT)), rough)
        if any(near(half.pose, laid.pose) for laid in layers.laid):
            continue
        if not _is_card(layers, half, free, rough.score / chance):
            continue
        layers.cover(half.pose, OTHER_HALF[half.part])
        halves.append(half.pose)
        layers.lay(layers.look(half.pose), LIKE_A_CARD)
        layers.explain([], LIKE_A_CARD, ACCEPT)
    return halves


def _is_card(layers: Explanation, half: Proposal, free: Sheet, above_chance: float) -> bool:
    """Whether a half, found so much above chance, correlates with a class in colour as well, or in the finest print."""
    size = layers.bank.size
    x0, y0, x1, y1 = half.part.box(size)
    seen = layers.sheet.cut(half.pose, size, size[1])
    use = np.zeros(seen.shape[:2], np.bool_)
    use[y0:y1, x0:x1] = True
    use &= (free.cut(half.pose, size, size[1]) > 127) & ~blown(seen)
    kind, score = layers.bank.best(seen, use)
    if above_chance >= ABOVE_CHANCE and score >= LIKE_A_CARD:
        return True
    return layers.bank.print_score(seen, use, kind) >= PRINTED
