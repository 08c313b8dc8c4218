"""Cards of a grid whose edges lie under or over those of their neighbours: what a neighbour shows there says nothing.

Cards that are laid close lie on one another by some millimetres, by more where one is askew. On cards that are printed
to their edges such a strip has the strongest contrast of all: a tenth of a card that shows another one takes a third
off its correlation.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from durian_assist.vision.rectify import Mask, Points, canvas_to_photo, project

SIDE = 64  # pixels of the picture of a place
EDGE = 3  # of them that a neighbour's edge and its shadow reach beyond its outline, to both sides together
ENOUGH = 0.5  # share of a place that must be left


def left_by(quad: Points, others: Sequence[Points]) -> Mask | None:
    """(SIDE, SIDE) what other pieces (4, 2) leave of a place with these corners (4, 2), all in the photo.

    None where they leave all of it, or too little.
    """
    to_place = np.asarray(np.linalg.inv(canvas_to_photo(quad, (SIDE, SIDE))), np.float64)
    covered = np.zeros((SIDE, SIDE), np.uint8)
    for other in others:
        outline = project(to_place, other)
        cv2.fillConvexPoly(covered, np.round(outline * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    left = cv2.dilate(covered, np.ones((EDGE, EDGE), np.uint8)) == 0
    return left if covered.any() and left.mean() > ENOUGH else None
