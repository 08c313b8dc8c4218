"""Cards far from the middle of a photo that a lens has bent off the table's plane.

The plane is that of the grid; a wide lens makes a card near the frame smaller by a tenth and more, and moves it. Where
an outline of nearly a card's size shows something that correlates as the photo's other cards do, it is a card, whatever
its shape on the plane.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from durian_assist.vision.recognise import Identity
from durian_assist.vision.smuggler_seen import LEAST_ALIKE, PRINTED, SAME, SURE, SeenCard
from durian_assist.vision.smuggler_view import GridView
from durian_assist.vision.table_plane import Pose

# Sides of an outline, in cards of the plane: a lens that moves a place by a share of its distance from the middle makes
# what lies there smaller by three times that share (the slope of r - k r^3), and 8 % are more than lenses of phones
# move the edge of a photo by.
BENT_SIZE = (1 - 3 * 0.08, 1 + 3 * 0.08)
# Prints on cards, taken for one, reach PRINTED of the usual correlation; a card lies beyond half the way to all of it.
AS_ALIKE = (1 + PRINTED) / 2


def bent_cards(view: GridView, wanted: Callable[[Pose], bool]) -> tuple[SeenCard, ...]:
    """The cards beyond doubt in outlines at `wanted` poses that are no cards of the view, one for each."""
    bent: list[SeenCard] = []
    known = [card.pose for card in (*view.cards.values(), *view.others)]
    for outline in view.outlines:
        pose, sides = view.plane.pose(outline.quad), view.plane.sides(outline.quad)
        taken = any(np.hypot(pose.x - k.x, pose.y - k.y) < SAME for k in (*known, *(card.pose for card in bent)))
        if taken or not wanted(pose) or sides.min() < BENT_SIZE[0] or sides.max() > BENT_SIZE[1]:
            continue
        identity = view.recogniser.identify(view.picture, outline.quad, least=LEAST_ALIKE)
        if _beyond_doubt(view, identity):
            bent.append(SeenCard(identity, view.plane.pose(identity.corners)))
    return tuple(bent)


def _beyond_doubt(view: GridView, identity: Identity) -> bool:
    return min(identity.card, identity.confidence) >= SURE and identity.best.score >= AS_ALIKE * view.usual
