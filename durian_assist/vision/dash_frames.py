"""Outlines that are only a part of a card: a band of its print as light as the table parts the rest of it from that.

What parts a card there parts its reference as well. So the outlines inside the references are known, and where the
photo shows one of them it tells where the whole card lies.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.dash_library import Library
from durian_assist.vision.dash_seeds import STRETCH, outlines
from durian_assist.vision.rectify import project

Points = NDArray[np.float64]

TALL = 160  # pixels of a reference in which outlines are looked for
AROUND = 0.25  # of a card's height: the table about it
TABLES = (255, 128, 0)  # grey levels: on a table of its own colour no part of a card has an outline
# What covers less of a card tells too little of where the rest of it lies.
LEAST = 0.4
# Of a card's height: a frame whose corners lie nearer to the card's own is aligned with it as its outline is.
OFF = 0.1
ONE = 0.03  # of a card's height: frames that differ by less are one
CARD = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
UPRIGHT = 0.05  # of a card's height: by how much the corners of a frame may lie askew


def inner_frames(library: Library) -> list[Points]:
    """Corners (4, 2), clockwise from the top left, of the frames that half of the classes have or more, in widths and
    heights of a card."""
    found: list[tuple[Points, set[int]]] = []
    for kind, picture in enumerate(library.pictures):
        for level in TABLES:
            for frame in _frames(picture, level):
                known = next((classes for other, classes in found if np.abs(other - frame).max() < ONE), None)
                if known is None:
                    found.append((frame, {kind}))
                else:
                    known.add(kind)
    return [frame for frame, classes in found if 2 * len(classes) >= len(library.names)]


def _frames(picture: NDArray[np.float32], level: int) -> list[Points]:
    """Those of one class (h, w, 3) on a table of a grey level."""
    width = round(TALL * picture.shape[1] / picture.shape[0])
    around = round(AROUND * TALL)
    large = cv2.resize(picture * 255, (width, TALL), interpolation=cv2.INTER_CUBIC)
    grey = (level, level, level)
    laid = cv2.copyMakeBorder(large, around, around, around, around, cv2.BORDER_CONSTANT, value=grey)
    corners = (np.array(outlines(np.clip(laid, 0, 255).astype(np.uint8))).reshape(-1, 4, 2) + 0.5 - around) / TALL
    return [frame for frame in corners * (TALL / width, 1.0) if _of_a_card(frame)]


def _of_a_card(frame: Points) -> bool:
    """Whether a frame is an upright part of a card and not about the whole of it."""
    low, high = frame.min(axis=0), frame.max(axis=0)
    box = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
    upright = float(np.abs(frame - box).max()) < UPRIGHT and low.min() > -ONE and high.max() < 1 + ONE
    return upright and float(np.prod(high - low)) > LEAST and float(np.abs(frame - CARD).max()) > OFF


def wholes(quads: Sequence[Points], frames: Sequence[Points], aspect: float) -> list[Points]:
    """Corners (4, 2) of the whole cards, `aspect` wide and 1 high, of which quads may be one of the frames."""
    found = []
    for frame in frames:
        width, height = (frame.max(axis=0) - frame.min(axis=0)) * (aspect, 1.0)
        for quad in quads:
            sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
            ratio = float(sides[0] + sides[2]) / float(sides[1] + sides[3])
            for first, seen in enumerate((ratio, 1 / ratio, ratio, 1 / ratio)):
                if 1 / STRETCH < seen * height / width < STRETCH:
                    own = np.roll(quad, -first, axis=0).astype(np.float32)
                    to_photo = cv2.getPerspectiveTransform(frame.astype(np.float32), own)
                    found.append(project(np.asarray(to_photo, np.float64), CARD))
    return found
