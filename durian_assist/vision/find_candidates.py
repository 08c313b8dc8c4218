"""Candidates for pieces in a photo: shapes with a seen outline, each once, in a picture of a handy size."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.find_masks import Pixels, colour_steps, off_table_masks, table_masks
from durian_assist.vision.find_shapes import Points, Shape, shapes_in, snapped

WORK_SIDE = 1600
SAME_BOX = 3.5  # working pixels
# Directions, as columns, in which an outline's reach is measured: along the picture's sides, and along its diagonals.
_BOXES = np.array([(1.0, 0.0, 0.5**0.5, 0.5**0.5), (0.0, 1.0, 0.5**0.5, -(0.5**0.5))])


@dataclass(frozen=True, slots=True)
class Candidates:
    """What may be a piece, in pixels of the working picture.

    `scale`: working pixels for one of the photo; `size`: width and height of the working picture; `pixels`: it itself;
    `steps`: its map of colour steps; `all`: every shape; `shapes`: the well seen ones, each once.
    """

    scale: float
    size: tuple[int, int]
    pixels: Pixels
    steps: NDArray[np.float32]
    all: list[Shape]
    shapes: list[Shape]


def candidates(pixels: Pixels, seen: float, side: int = WORK_SIDE, table_at_rim: bool = False) -> Candidates:
    """The candidates in a photo; `seen` is the least share of its outline that must be seen of a shape.

    `table_at_rim`: the edge of the picture shows nothing but the table.
    """
    small, scale = shrunk(pixels, side)
    smooth = cv2.GaussianBlur(small, (5, 5), 0)
    steps = colour_steps(np.asarray(cv2.cvtColor(smooth, cv2.COLOR_BGR2Lab), np.uint8))
    masks = chain(table_masks(small), off_table_masks(small)) if table_at_rim else table_masks(small)
    every = snapped(shapes_in(masks), steps)
    well_seen = distinct([shape for shape in every if shape.support >= seen])
    return Candidates(scale, (small.shape[1], small.shape[0]), small, steps, every, well_seen)


def shrunk(pixels: Pixels, side: int = WORK_SIDE) -> tuple[Pixels, float]:
    """The picture with its long side at most `side`, and the scale used."""
    scale = min(1.0, side / max(pixels.shape[:2]))
    if scale == 1.0:
        return pixels, 1.0
    small = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), scale


def distinct(shapes: list[Shape]) -> list[Shape]:
    """One shape of each bundle that differ by less than about two pixels: the one whose edge is strongest.

    They are compared by the upright box round each and by the one that stands on its corner: an outline that lacks a
    corner in the table's colour has the same upright box as the whole card's, and often the stronger edge.
    """
    kept: list[Shape] = []
    boxes = np.zeros((len(shapes), 8))
    for shape in sorted(shapes, key=lambda s: -s.support * s.contrast):
        reach = shape.outline @ _BOXES
        box = np.concatenate([reach.min(axis=0), reach.max(axis=0)])
        if not (np.abs(boxes[: len(kept)] - box).max(axis=1) < SAME_BOX).any():
            boxes[len(kept)] = box
            kept.append(shape)
    return kept


def scaled(shape: Shape, factor: float) -> Shape:
    """The shape in a picture `factor` times as large."""

    # A pixel's centre is at whole numbers, so scaling is about the picture's corner at (-0.5, -0.5).
    def move(points: Points) -> Points:
        return ((points + 0.5) * factor - 0.5).astype(np.float32)

    return Shape(move(shape.outline), move(shape.quad), shape.fill, shape.support, shape.contrast, shape.worth)
