"""Cards of which a hand, a cup or a telephone leaves only a strip along one side to be seen.

As whole cards such places have too little of the cards' colours, as halves too little of their print. But the strip has
both: where a row or a column may have a card, strips in the cards' colours are held against those of the classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np

from durian_assist.vision.dash_colours import TELLING, TableColours
from durian_assist.vision.dash_gaps import HALF, INNER, MOST_GAPS, GapFinder, Shares
from durian_assist.vision.dash_halves import free_of
from durian_assist.vision.dash_others import MOST_AT_GAP
from durian_assist.vision.dash_parts import OPPOSITE, STRIPS, TURNS, Part, Proposal
from durian_assist.vision.dash_plane import Floats, Pose
from durian_assist.vision.dash_seeds import CERTAIN
from durian_assist.vision.dash_seen import ROUGH
from durian_assist.vision.dash_sheet import Sheet
from durian_assist.vision.dash_whole import near
from durian_assist.vision.layers import Explanation

# Places nearer to each other (card heights) are one: what covers a card may be as foreign to the table as the card.
SAME_PLACE = 0.35
# Strips that are worth a closer look at the coarse and at the fine scale correlate by so much.
HINT, LIKELY = 0.2, 0.4


def slivers(
    gaps: GapFinder, layers: Explanation, frame: Floats, cards: Sequence[Floats], others: Sequence[Floats]
) -> list[Pose]:
    """Poses of cards of which a strip along one side is to be seen; `cards` and `others` as in `GapFinder.places`,
    `frame` (4, 2) the photo's corners on the plane: what lies beyond it is not seen.

    What shows a strip of a card fits a class by as much as whole cards do, in colour and in its fine print: on bare
    tables and at things of the cards' colours one of them is half of that.
    """
    strips = strips_in_their_colours(gaps, cards, others)
    if not strips:
        return []
    free = free_of(layers.sheet, frame, [*cards, *others])
    found: list[Pose] = []
    for pose, part in strips:
        looks = [(_score(layers, free, near_it.pose, own), near_it.pose) for near_it, own in _laid(layers, pose, part)]
        score, place = max(looks, key=lambda look: look[0], default=(0.0, pose))
        if score >= CERTAIN and not any(near(place, other) for other in found):
            found.append(place)
    return found


def strips_in_their_colours(
    gaps: GapFinder, cards: Iterable[Floats], others: Iterable[Floats]
) -> list[tuple[Pose, Part]]:
    """Upright poses in rows and columns of known cards of which one of the `STRIPS` has the cards' colours by half,
    with that strip."""
    own = list(cards)
    if not own:
        return []
    colours = TableColours(gaps.sheet, own, others)
    usual, free = gaps.usual(colours.foreign, own), (~colours.taken).astype(np.float32)
    if usual < TELLING:
        return []
    in_line = gaps.near_cards(np.array([corners.mean(axis=0) for corners in own])) & (gaps.means(free) >= HALF)
    found: list[tuple[Pose, Part]] = []
    for part in STRIPS:
        clear, shown = (_part_means(gaps, values, part) for values in (free, colours.foreign * free))
        likely = in_line & (clear >= HALF) & (shown >= HALF * usual * clear)
        while likely.any() and len(found) < MOST_GAPS:
            y, x = (int(v) for v in np.unravel_index(int(np.where(likely, shown, -1).argmax()), shown.shape))
            found.append((Pose(*gaps.point(x, y), 0.0), part))
            off = round(SAME_PLACE * ROUGH)
            likely[max(y - off, 0) : y + off + 1, max(x - off, 0) : x + off + 1] = False
    return found


def _part_means(gaps: GapFinder, values: Shares, part: Part) -> Shares:
    """For every pixel the mean of `values` (h, w) over the inner part of a part of an upright card around it."""
    width, height = gaps.aspect * ROUGH, ROUGH
    size = (round(INNER * (part.right - part.left) * width), round(INNER * (part.bottom - part.top) * height))
    means = cv2.blur(values, (max(size[0], 1), max(size[1], 1)), borderType=cv2.BORDER_CONSTANT)
    off = ((part.left + part.right - 1) / 2 * width, (part.top + part.bottom - 1) / 2 * height)
    to_middle = np.array([[1, 0, -round(off[0])], [0, 1, -round(off[1])]], np.float32)
    return np.asarray(cv2.warpAffine(means, to_middle, (means.shape[1], means.shape[0])), np.float32)


def _laid(layers: Explanation, pose: Pose, part: Part) -> Iterator[tuple[Proposal, Part]]:
    """Where the strip lies exactly if the card lies the right way up or upside down, with what it is then."""
    reach = round(SAME_PLACE * layers.coarse.size[1])
    ways: Sequence[tuple[float, Part]] = ((0.0, part), (np.pi, OPPOSITE[part]))
    for turn, own in ways:
        rough = layers.coarse.around(replace(pose, angle=turn), own, (reach, reach), TURNS, HINT)
        for likely in rough[:MOST_AT_GAP]:
            yield from ((better, own) for better in layers.refined(likely.pose, own, LIKELY)[:1])


def _score(layers: Explanation, free: Sheet, pose: Pose, part: Part) -> float:
    """The less of how well a part of the card at a pose correlates with a class in colour and in fine print, where it
    is `free`; 0 where less than half of it is."""
    bank = layers.bank
    x0, y0, x1, y1 = part.box(bank.size)
    use = np.zeros((bank.size[1], bank.size[0]), np.bool_)
    use[y0:y1, x0:x1] = free.cut(pose, bank.size, bank.size[1])[y0:y1, x0:x1] > 127
    if use.sum() < HALF * (x1 - x0) * (y1 - y0):
        return 0.0
    cut = layers.sheet.cut(pose, bank.size, bank.size[1])
    kind, score = bank.best(cut, use)
    return min(float(score), bank.print_score(cut, use, kind))
