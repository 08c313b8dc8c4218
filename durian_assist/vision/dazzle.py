"""Where a lamp's reflection leaves nothing to be seen of a piece that may lie there."""

from __future__ import annotations

import cv2
import numpy as np

from durian_assist.vision.rectify import Mask

# Share of a piece's place that is clipped to white where nothing of it is left.
WHITE = 0.95


def dazzled_places(white: Mask, size: tuple[int, int]) -> list[tuple[int, int]]:
    """Middles (x, y) of windows of a piece's `size` (width, height) that are `white` (h, w), the whitest first.

    One of each reflection: how many pieces it hides nobody can say.
    """
    whole = cv2.blur(white.astype(np.float32), size, borderType=cv2.BORDER_CONSTANT)
    places = np.where(whole >= WHITE, whole, np.float32(0.0))
    if not places.any():
        return []
    _, reflections = cv2.connectedComponents(white.astype(np.uint8))
    found: list[tuple[int, int]] = []
    while places.any():
        y, x = (int(v) for v in np.unravel_index(int(places.argmax()), places.shape))
        found.append((x, y))
        places[reflections == reflections[y, x]] = 0.0
    return found
