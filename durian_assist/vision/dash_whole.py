"""Whole cards on a table's sheet, near known ones, looked for by their fine print.

A veil of light, or a table of the cards' own colours, changes the ground of a picture and leaves its fine print.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from durian_assist.vision.dash_library import grey_print
from durian_assist.vision.dash_parts import TURNS, WHOLE, PartSearch, Proposal
from durian_assist.vision.dash_plane import Pose
from durian_assist.vision.dash_sheet import Sheet
from durian_assist.vision.deck_profile import Pixels

# Cards of one table, and what belongs to them, lie with centres within this many card heights of the next one.
BESIDE = 1.9
# What is looked at begins and ends at multiples of this: a card that moves a little changes nothing.
EVEN = 0.25
# The fine print of a card in good light correlates by 0.5 and more, bare table by 0.45 at most: what is less than this
# is not worth a closer look.
FAINT = 0.3
# More places than these at once are the pattern of a table cloth.
MOST_NEW = 8
# A place of a card is found to within this share of its height.
NEAR_GAP = 0.3


def whole_cards(
    sheet: Sheet, shapes: Sequence[Pixels], quarters: Iterable[int], least: float, turns: Sequence[float] = TURNS
) -> list[Proposal]:
    """Places on the sheet, drawn at the shapes' scale, where whole cards lie: turned by `quarters` of a full turn and
    one of `turns` (radians) more, correlating by `least` with one of the shapes; best first."""
    search = PartSearch(sheet, shapes)
    height, width = sheet.pixels.shape[:2]
    x, y = np.array(sheet.origin) + np.array((width, height)) / 2 / sheet.scale
    found: list[Proposal] = []
    for quarter in quarters:
        across = (width, height) if quarter % 2 == 0 else (height, width)
        spread = ((across[0] - search.size[0]) // 2 + 2, (across[1] - search.size[1]) // 2 + 2)
        if min(spread) > 0:
            found += search.around(Pose(float(x), float(y), quarter * np.pi / 2), WHOLE, spread, turns, least)
    return sorted(found, key=lambda proposal: -proposal.score)


def prints_near(sheet: Sheet, poses: Sequence[Pose]) -> Sheet:
    """The part of the sheet, (at least one) known cards at `poses` and what is near them, in grey (h, w) without its
    grounds: to be compared with a library's `prints`."""
    centres = np.array([pose.centre for pose in poses])
    # The next one to a single card must be whole in the part; beside several there is hardly any at the full distance.
    reach = BESIDE if len(poses) > 1 else BESIDE + 0.5
    low, high = centres.min(axis=0) - reach, centres.max(axis=0) + reach
    near = sheet.part(np.floor(low / EVEN) * EVEN, np.ceil(high / EVEN) * EVEN)
    return Sheet(grey_print(near.pixels, sheet.scale), near.scale, near.origin)


def new_places(found: Sequence[Proposal], known: Sequence[Pose]) -> list[Pose]:
    """The best of the places, given best first, at which no card is known."""
    return [p.pose for p in found if not any(near(p.pose, card) for card in known)][:MOST_NEW]


def near(pose: Pose, place: Pose) -> bool:
    """Whether a card lies at a place, as far as that is known."""
    return bool(np.hypot(pose.x - place.x, pose.y - place.y) < NEAR_GAP)
