"""Four-sided outlines in a photo that could be cards: fast, generous, to be verified against a deck's references.

Works on a picture of about 1200 pixels. Each mask lets cards stand out by another property; outlines on which masks
agree come first. What is found here is a place to look at, never a card.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import cv2
import numpy as np

from durian_assist.common.parallel import side_by_side
from durian_assist.vision.rectify import Mask, Picture, Pixels, Points

if TYPE_CHECKING:
    from cv2.typing import MatLike

WORKING_SIDE = 1200
# Shares of the working side; a 5 x 5 grid that fills the photo has cards of 0.17, one seen from far away of 0.03.
SMALLEST, LARGEST = 0.018, 0.34
SOLID = 0.8  # least share of its hull that a contour fills
NARROW = 2.5  # a card seen at a slant is no longer than this, in its width
# Hues looked at one by one, each half as wide again as to the next: no ground of one colour lies on the edge of all.
HUES = 12
FILL = 0.9  # least share of the quad that the hull fills: rounded corners 0.96, a circle 0.79


@dataclass(frozen=True, slots=True)
class Outline:
    """A convex quad (4, 2) in photo pixels, clockwise as seen from its top left, and how many masks show it."""

    quad: Points
    votes: int

    @property
    def side(self) -> float:
        """Square root of the area, in pixels."""
        return float(np.sqrt(abs(signed_area(self.quad))))


def signed_area(quad: Points) -> float:
    """Area of a quad, positive where it runs clockwise as seen (the y axis points down)."""
    a, b, c, d = quad.tolist()
    return float((c[0] - a[0]) * (d[1] - b[1]) - (d[0] - b[0]) * (c[1] - a[1])) / 2


def clockwise(quad: Points) -> Points:
    """The quad clockwise as seen, from the corner nearest to the top left."""
    if signed_area(quad) < 0:
        quad = quad[::-1]
    return np.roll(quad, -int(np.argmin(quad.sum(1))), axis=0)


def outlines(picture: Picture, working_side: int = WORKING_SIDE, *, hues: bool = False) -> list[Outline]:
    """Outlines, those with most votes first. A smaller working side finds them in a blurred photo.

    `hues`: instead those of what has one hue, as the ground of cards that are printed to their edges.
    """
    height, width = picture.pixels.shape[:2]
    shrink = min(1.0, working_side / max(height, width))
    level = 2 if shrink <= 0.25 else 1 if shrink <= 0.5 else 0
    size = (max(round(width * shrink), 1), max(round(height * shrink), 1))
    small = np.asarray(cv2.resize(picture.level(level), size, interpolation=cv2.INTER_AREA), np.uint8)
    masks = _hue_masks(small) if hues else _masks(small)
    found = side_by_side([partial(_quads, mask) for mask in masks])
    back = np.array([width / size[0], height / size[1]])
    return [Outline((o.quad + 0.5) * back - 0.5, o.votes) for o in _agreed(found)]


def _masks(pixels: Pixels) -> Iterator[Pixels]:
    smooth = cv2.GaussianBlur(pixels, (3, 3), 0)
    light = cv2.cvtColor(smooth, cv2.COLOR_BGR2GRAY)
    yield np.asarray(cv2.Canny(light, 60, 120), np.uint8)
    side = max(light.shape)
    for share in (30, 10):
        mask = cv2.adaptiveThreshold(light, 1, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, side // share | 1, -6)
        yield np.asarray(mask, np.uint8)
    saturation = np.ascontiguousarray(cv2.cvtColor(smooth, cv2.COLOR_BGR2HSV)[..., 1])
    level, _ = cv2.threshold(saturation, 0, 255, cv2.THRESH_OTSU)
    yield np.asarray(saturation < 0.6 * level, np.uint8)


def _hue_masks(pixels: Pixels) -> Iterator[Pixels]:
    """What is colourful and of one hue: red cards on a green cloth are as light as it is, and beside yellow ones they
    touch."""
    hue, saturation, _ = cv2.split(cv2.cvtColor(cv2.GaussianBlur(pixels, (3, 3), 0), cv2.COLOR_BGR2HSV))
    level, _ = cv2.threshold(saturation, 0, 255, cv2.THRESH_OTSU)
    for middle in range(0, 180, 180 // HUES):
        away = np.abs(hue.astype(np.int16) - middle)
        yield np.asarray((np.minimum(away, 180 - away) <= 180 // HUES) & (saturation > 0.6 * level), np.uint8)


def _quads(mask: Pixels) -> list[Points]:
    """Convex quads (4, 2) round the solid contours of a mask."""
    side = max(mask.shape)
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    quads: list[Points] = []
    for contour, box in _of_card_size(contours, side):
        hull = cv2.convexHull(contour)
        area = cv2.contourArea(hull)
        if area < 0.4 * box or cv2.contourArea(contour) < SOLID * area:
            continue
        quad = np.asarray(cv2.approxPolyN(hull, 4, ensure_convex=True), np.float64).reshape(-1, 2)
        if len(quad) == 4 and area > FILL * abs(signed_area(quad)) > 0:
            quads.append(clockwise(quad))
    return quads


def _of_card_size(contours: Sequence[MatLike], side: int) -> list[tuple[MatLike, float]]:
    """The contours (n, 1, 2) with upright boxes as large and as wide as a card's, and the boxes' areas.

    All are measured at once: cloth and wood have thousands.
    """
    lengths = np.array([len(c) for c in contours], np.intp)
    if not lengths.size:
        return []
    points, starts = np.concatenate(contours)[:, 0], np.cumsum(lengths) - lengths
    boxes = np.maximum.reduceat(points, starts) - np.minimum.reduceat(points, starts) + 1.0
    short, long = boxes.min(1), boxes.max(1)
    fits = (lengths >= 4) & (short >= SMALLEST * side) & (long <= LARGEST * side) & (long <= NARROW * short)
    return [(contours[i], float(boxes[i].prod())) for i in np.flatnonzero(fits).tolist()]


def _agreed(found: list[list[Points]]) -> list[Outline]:
    """Outlines that several masks show as one, with the mean of their corners."""
    quads = [q for part in found for q in part]
    if not quads:
        return []
    corners = np.stack(quads)
    owner = np.repeat(np.arange(len(found)), [len(part) for part in found])
    side = np.sqrt(np.array([abs(signed_area(q)) for q in quads]))
    centre = corners.mean(1)
    free: Mask = np.ones(len(quads), np.bool_)
    result: list[Outline] = []
    for i in np.argsort(-side):
        if not free[i]:
            continue
        near = free & (np.linalg.norm(centre - centre[i], axis=1) < 0.06 * side[i]) & (side > 0.93 * side[i])
        near &= np.abs(corners - corners[i]).max((1, 2)) < 0.12 * side[i]
        near[i] = True
        free &= ~near
        result.append(Outline(corners[near].mean(0), len(set(owner[near].tolist()))))
    return sorted(result, key=lambda o: -o.votes)
