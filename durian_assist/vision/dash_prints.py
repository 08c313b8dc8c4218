"""Cards whose fine print is clear and whose colours are not: a veil of light changes the grounds of their pictures.

On a dark deck a lamp's shine lifts one end of a card more than the other, so that no part of it looks like its class;
its lines are as they were.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from durian_assist.vision.dash_gaps import ASIDE, NEIGHBOUR
from durian_assist.vision.dash_halves import LIKE_A_CARD
from durian_assist.vision.dash_library import FINE_PRINT, grey_print
from durian_assist.vision.dash_parts import Proposal, moved
from durian_assist.vision.dash_plane import Pose
from durian_assist.vision.dash_slide import Slider
from durian_assist.vision.dash_whole import MOST_NEW
from durian_assist.vision.layers import ACCEPT, FINE_SPREAD, FINE_TURNS, MOSTLY_FREE, Explanation
from durian_assist.vision.rectify import blown

# At the finer scale the print of whole cards correlates by 0.73 and more under a veil of light, the grain of wood by
# 0.65 at most, other tables by 0.4.
PRINTED = 0.7


def lay_printed(layers: Explanation, found: Iterable[Proposal]) -> list[Pose]:
    """Lay the cards whose fine print is seen beside known ones, and what lies below them; their poses.

    `found` are the places of such prints at the scale of the coarse search, best first: a few pixels blur lines, so
    that there a card is hardly told from the table.
    """
    slider = Slider(layers.bank.prints)
    printed: list[Pose] = []
    for rough in [proposal for proposal in found if _is_free(layers, proposal.pose)][:MOST_NEW]:
        pose = _finer(layers, slider, rough.pose)
        if _is_free(layers, pose) and _is_printed(layers, pose):
            layers.lay(layers.look(pose), LIKE_A_CARD)
            layers.explain([], LIKE_A_CARD, ACCEPT)
            printed.append(pose)
    return printed


def _is_free(layers: Explanation, pose: Pose) -> bool:
    """Whether a place lies in the row or the column of a known card, next to it, and no card covers most of it."""
    if not any(_beside(pose, laid.pose) for laid in layers.laid):
        return False
    size = layers.coarse.size
    return float((layers.covered.cut(pose, size, size[1]) < 128).mean()) > MOSTLY_FREE


def _beside(pose: Pose, card: Pose) -> bool:
    """Whether a place is next to a card, in its row or its column."""
    dx, dy = pose.x - card.x, pose.y - card.y
    cos, sin = np.cos(card.angle), np.sin(card.angle)
    across, down = abs(cos * dx + sin * dy), abs(cos * dy - sin * dx)
    return bool(min(across, down) <= ASIDE and max(across, down) <= NEIGHBOUR)


def _finer(layers: Explanation, slider: Slider, pose: Pose) -> Pose:
    """A few pixels and degrees about a pose the one at which a print fits best."""
    width, height = layers.bank.size
    rim = round(FINE_PRINT * height)
    right, down = FINE_SPREAD
    size = (width + 2 * (right + rim), height + 2 * (down + rim))
    best, finest = -1.0, pose
    for turn in FINE_TURNS[1:-1]:
        turned = Pose(pose.x, pose.y, pose.angle + turn)
        window = grey_print(layers.sheet.cut(turned, size, height), height)[rim:-rim, rim:-rim]
        scores = slider.best(window)
        y, x = divmod(int(scores.argmax()), scores.shape[1])
        if scores[y, x] > best:
            best, finest = float(scores[y, x]), moved(turned, (x - right) / height, (y - down) / height)
    return finest


def _is_printed(layers: Explanation, pose: Pose) -> bool:
    """Whether the finest print of a class is seen on what is free of a card."""
    size = layers.bank.size
    seen, cut = layers.look(pose), layers.sheet.cut(pose, size, size[1])
    return layers.bank.best_print(cut, seen.visible & ~blown(cut)) >= PRINTED
