"""Shapes in a photo that could be pieces lying on the table, and how well their outlines are seen.

Coordinates are pixels of the picture given; a shape is a convex outline, and the four-sided figure round it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.find_masks import Pixels

Points = NDArray[np.float32]

MIN_SHARE = 0.0006  # of the picture's area
MAX_SHARE = 0.85
MIN_SIDE = 22
SOLID = 0.85
STRONG_STEP = 24.0  # Lab units; a shadow's edge is a step of less than half of it


@dataclass(frozen=True, slots=True)
class Shape:
    """A convex piece of the picture.

    `outline`: (n, 2) its convex outline; `quad`: (4, 2) the smallest four-sided figure round it, clockwise as seen;
    `fill`: share of the quad that the outline covers (a rounded card 0.96 to 1, a circle 0.79);
    `support`: share of the outline along which a step of colour is seen; `contrast`: that step in Lab units;
    `worth`: 0 to 1, support in which weak steps count less.
    """

    outline: Points
    quad: Points
    fill: float
    support: float = 0.0
    contrast: float = 0.0
    worth: float = 0.0

    @property
    def area(self) -> float:
        return float(cv2.contourArea(self.outline))

    @property
    def centre(self) -> NDArray[np.float64]:
        moments = cv2.moments(self.outline)
        return np.array([moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]])


def clockwise(quad: Points) -> Points:
    """The quad clockwise as seen, starting at the corner nearest the top left."""
    if cv2.contourArea(quad, oriented=True) < 0:
        quad = quad[::-1]
    first = int(np.argmin(quad[:, 0] + quad[:, 1]))
    return quad[_TURNS[first]] if len(quad) == len(_TURNS) else np.roll(quad, -first, axis=0)


# The corners of a quad from each of them on. (np.roll does it in twenty times the time.)
_TURNS = [np.roll(np.arange(4), -first) for first in range(4)]


def shapes_in(masks: Iterable[Pixels], solid: float = SOLID) -> list[Shape]:
    """Convex shapes among the contours of the masks; `solid`: see `shapes_of`."""
    return [shape for mask in masks for shape in shapes_of(mask, solid)]


def shapes_of(mask: Pixels, solid: float = SOLID) -> list[Shape]:
    """Convex shapes among the contours of a mask; `solid` is the least share of its hull that a contour fills."""
    found: list[Shape] = []
    height, width = mask.shape
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    for contour in contours:
        # A patterned cloth has tens of thousands of them, nearly all of which end here.
        if len(contour) < 4:
            continue
        x, y, w, h = cv2.boundingRect(contour)
        if w < MIN_SIDE or h < MIN_SIDE or x <= 1 or y <= 1 or x + w >= width - 1 or y + h >= height - 1:
            continue
        shape = _shape(np.asarray(contour, np.int32), width, height, solid)
        if shape is not None:
            found.append(shape)
    return found


def _shape(contour: NDArray[np.int32], width: int, height: int, solid: float) -> Shape | None:
    hull = cv2.convexHull(contour)
    area = cv2.contourArea(hull)
    if not MIN_SHARE < area / (width * height) < MAX_SHARE or cv2.contourArea(contour) < solid * area:
        return None
    quad = cv2.approxPolyN(hull, 4, ensure_convex=True).reshape(-1, 2).astype(np.float32)
    if len(quad) != 4:
        return None
    around = cv2.contourArea(quad)
    if around <= 0:
        return None
    return Shape(hull.reshape(-1, 2).astype(np.float32), clockwise(quad), min(1.0, float(area / around)))


def sampled(picture: NDArray[Any], points: NDArray[Any]) -> NDArray[Any]:
    """Values of a picture (h, w) or (h, w, k) at points (n, m, 2), between pixels too: (n, m) or (n, m, k)."""
    across, down = (np.ascontiguousarray(points[..., axis], np.float32) for axis in (0, 1))
    return np.asarray(cv2.remap(picture, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def inside(shapes: Sequence[Shape], count: int = 24, margin: float = 0.14) -> NDArray[np.float32]:
    """(n, count * count, 2) points evenly over the quad of each shape, that share of its sides away from its edge."""
    places = np.linspace(margin, 1 - margin, count)
    across, down = (grid.ravel()[None, :, None] for grid in np.meshgrid(places, places))
    a, b, c, d = (np.stack([shape.quad[k] for shape in shapes])[:, None, :] for k in range(4))
    return np.asarray((a * (1 - across) + b * across) * (1 - down) + (d * (1 - across) + c * across) * down, np.float32)


def along(outline: Points, count: int) -> tuple[Points, Points]:
    """`count` points evenly along a closed outline and the unit normals there, pointing outwards."""
    closed = np.vstack([outline, outline[:1]]).astype(np.float64)
    steps = np.linalg.norm(np.diff(closed, axis=0), axis=1)
    keep = np.append(True, steps > 1e-6)
    closed, steps = closed[keep], steps[steps > 1e-6]
    reach = np.append(0.0, np.cumsum(steps))
    places = (np.arange(count) + 0.5) / count * reach[-1]
    points = np.stack([np.interp(places, reach, closed[:, axis]) for axis in (0, 1)], axis=1)
    index = np.clip(np.searchsorted(reach, places) - 1, 0, len(steps) - 1)
    direction = (closed[index + 1] - closed[index]) / steps[index, None]
    normal = np.stack([direction[:, 1], -direction[:, 0]], axis=1)
    if cv2.contourArea(outline, oriented=True) < 0:
        normal = -normal
    return points.astype(np.float32), normal.astype(np.float32)


def snapped(shapes: list[Shape], steps: NDArray[np.float32], seen: float = 2.0, count: int = 128) -> list[Shape]:
    """The shapes grown or shrunk onto the step of colour next to their outline, `support` and `contrast` measured.

    Masks of edges give outlines a pixel or two beside the edge, all round by the same amount. `support` counts
    the places where the strongest step lies on the outline, not beside it.
    """
    if not shapes:
        return []
    offsets = np.arange(-4, 4.1, 0.5, dtype=np.float32)
    points, normals = (np.stack(part) for part in zip(*(along(s.outline, count) for s in shapes), strict=True))
    where = points[:, :, None, :] + offsets[None, None, :, None] * normals[:, :, None, :]
    values = sampled(steps, where.reshape(len(shapes), -1, 2)).reshape(*where.shape[:3])
    peak = (values * np.exp(-0.5 * (offsets / 3.0) ** 2)).argmax(axis=2)
    strength = np.take_along_axis(values, peak[..., None], 2)[..., 0]
    moved = np.array([_weighted_median(offsets[p], s) for p, s in zip(peak, strength, strict=True)])
    on_line = np.abs(offsets[peak] - moved[:, None]) <= 1.5
    support = ((strength > seen) & on_line).mean(axis=1)
    contrast = np.median(np.where(on_line, strength, 0), axis=1)
    worth = np.where((strength > seen) & on_line, np.sqrt(np.minimum(strength / STRONG_STEP, 1.0)), 0).mean(axis=1)
    return [
        _grown(shape, points[i] + normals[i] * moved[i], float(support[i]), float(contrast[i]), float(worth[i]))
        for i, shape in enumerate(shapes)
    ]


def _weighted_median(values: NDArray[np.float32], weights: NDArray[np.float32]) -> float:
    order = np.argsort(values)
    reach = np.cumsum(weights[order])
    return float(values[order][int(np.searchsorted(reach, reach[-1] / 2))])


def _grown(shape: Shape, outline: Points, support: float, contrast: float, worth: float) -> Shape:
    hull = np.asarray(cv2.convexHull(outline.astype(np.float32)), np.float32).reshape(-1, 2)
    quad = cv2.approxPolyN(hull, 4, ensure_convex=True).reshape(-1, 2).astype(np.float32)
    around = float(cv2.contourArea(quad)) if len(quad) == 4 else 0.0
    if around <= 0:
        return Shape(shape.outline, shape.quad, shape.fill)
    return Shape(hull, clockwise(quad), min(1.0, float(cv2.contourArea(hull)) / around), support, contrast, worth)
