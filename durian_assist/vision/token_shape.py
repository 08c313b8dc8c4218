"""Pieces of one known outline, found by their shape alone, however they are turned.

An outline seen from nearly above is the known one under an affine map. Bringing both to the same second moments
leaves a rotation, which the radial signatures tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.find_shapes import along

Points = NDArray[np.float64]

ANGLES = 120
MOST_STRETCH = 1.7  # longest over shortest axis of the affine map: a table seen 50 degrees from above
MOST_POSES = 8
ROUND = 0.02  # mean difference of the radii, as a share, when the outline is turned
FILL = 0.08  # most by which an outline's fill of its four-sided figure may differ from that of the known one
# A calibrated piece counts as four-sided up to corners that are round by a quarter of its side: so much may be missing.
CORNERS = (0.13, 0.26)


@dataclass(frozen=True, slots=True)
class Fit:
    """One way in which an outline can be the known one: `affine` (2, 3) from the known outline's coordinates;
    `misfit` mean difference of the radii as a share of the mean radius."""

    affine: Points
    misfit: float


@dataclass(frozen=True, slots=True)
class _Known:
    """One form of the known outline: its centre, the root (2, 2) of its second moments, `turned` (ANGLES, ANGLES) its
    radii turned by each step, its `roundness` and the share `fill` that it covers of its four-sided figure."""

    centre: Points
    root: Points
    turned: Points
    roundness: float
    fill: float

    @staticmethod
    def of(hull: NDArray[np.floating]) -> _Known:
        centre, root = _moments(hull)
        radii = _signature(hull, centre, root)
        turned = np.stack([np.roll(radii, k) for k in range(ANGLES)])
        return _Known(centre, root, turned, _roundness(hull), _fill(hull))

    def fits(self, hull: NDArray[np.floating], most: float) -> list[Fit]:
        """The poses in which the outline (n, 2) is this one with a misfit of at most `most`, best first."""
        if abs(np.log(_roundness(hull) / self.roundness)) > 1.5 * most:
            return []
        centre, root = _moments(hull)
        radii = _signature(hull, centre, root)
        misfits = np.abs(self.turned - radii).mean(axis=1) / radii.mean()
        fits = []
        for k in _minima(misfits, most):
            angle = 2 * np.pi * k / ANGLES
            turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            linear = root @ turn @ np.linalg.inv(self.root)
            axes = np.linalg.svd(linear, compute_uv=False)
            if axes[0] < MOST_STRETCH * axes[1]:
                shift = centre - linear @ self.centre
                fits.append(Fit(np.column_stack([linear, shift]), float(misfits[k])))
        return fits


class OutlineMatcher:
    """Compares outlines with one known convex outline (n, 2); a four-sided one may have round corners."""

    def __init__(self, outline: NDArray[np.floating]) -> None:
        hull = np.asarray(cv2.convexHull(outline.astype(np.float32)), np.float32).reshape(-1, 2)
        rounder = [_rounded(hull, share) for share in CORNERS] if len(hull) == 4 else []
        self._known = [_Known.of(form) for form in (hull, *rounder)]
        first = self._known[0]
        self.centre, self.root, self.turned = first.centre, first.root, first.turned

    def fits(self, outline: NDArray[np.floating], most: float) -> list[Fit]:
        """The poses in which the outline is the known one with a misfit of at most `most`, best first."""
        hull = np.asarray(cv2.convexHull(outline.astype(np.float32)), np.float32).reshape(-1, 2)
        if len(hull) < 3 or cv2.contourArea(hull) < 1e-6:
            return []
        ways = [fits for known in self._known if (fits := known.fits(hull, most))]
        return min(ways, key=lambda fits: fits[0].misfit, default=[])

    def likely(self, fill: float) -> bool:
        """Whether an outline that covers this share of its four-sided figure may be the known one."""
        return any(abs(fill - known.fill) < FILL for known in self._known)

    @property
    def round(self) -> bool:
        """Whether the outline looks the same however it is turned, so that only the art tells."""
        first = self.turned[0]
        return float(np.abs(self.turned - first).mean() / first.mean()) < ROUND

    def turns(self, affine: Points, count: int) -> list[Points]:
        """The same place of the known outline (2, 3) with the outline turned in `count` steps about its centre."""
        turned = []
        for angle in np.arange(count) * 2 * np.pi / count:
            turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            linear = affine[:, :2] @ self.root @ turn @ np.linalg.inv(self.root)
            shift = affine[:, 2] + (affine[:, :2] - linear) @ self.centre
            turned.append(np.column_stack([linear, shift]))
        return turned


def _rounded(quad: NDArray[np.floating], share: float) -> NDArray[np.floating]:
    """The four-sided outline with its corners rounded by this share of its shorter side."""
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    width, height = float(sides[::2].mean()), float(sides[1::2].mean())
    radius = share * min(width, height)
    quarter = np.radians(np.linspace(180, 270, 12))
    corner = np.stack([np.cos(quarter), np.sin(quarter)], axis=1) * radius + radius
    half = np.array([width, height]) / 2
    one, two = corner - half, (corner - half) * (-1, 1)
    flat = np.concatenate([one, two[::-1], -one, -two[::-1]]).astype(np.float32)
    box = np.array([-half, half * (1, -1), half, half * (-1, 1)], np.float32)
    matrix = cv2.getPerspectiveTransform(box, np.asarray(quad, np.float32))
    return np.asarray(cv2.perspectiveTransform(flat[None], matrix)[0], np.float32)


def _fill(hull: NDArray[np.floating]) -> float:
    """Share of the smallest four-sided figure round the outline that the outline covers, as in `find_shapes.Shape`."""
    quad = cv2.approxPolyN(np.asarray(hull, np.float32), 4, ensure_convex=True).reshape(-1, 2)
    return float(cv2.contourArea(hull)) / max(float(cv2.contourArea(quad.astype(np.float32))), 1e-9)


def _minima(misfits: NDArray[np.floating], most: float) -> list[int]:
    """Steps of rotation that may be right: good ones, each the best of its neighbours within 20 degrees."""
    chosen: list[int] = []
    for k in np.argsort(misfits):
        if misfits[k] > most or misfits[k] > misfits.min() * 2 + 0.01 or len(chosen) == MOST_POSES:
            break
        if all(min((k - c) % ANGLES, (c - k) % ANGLES) > ANGLES // 18 for c in chosen):
            chosen.append(int(k))
    return chosen


def _moments(hull: NDArray[np.floating]) -> tuple[Points, Points]:
    """Centre of the outline's area and the symmetric root (2, 2) of its second moments."""
    m = cv2.moments(np.asarray(hull, np.float32))
    area = m["m00"]
    centre = np.array([m["m10"], m["m01"]]) / area
    spread = np.array([[m["mu20"], m["mu11"]], [m["mu11"], m["mu02"]]]) / area
    values, vectors = np.linalg.eigh(spread)
    return centre, np.asarray(vectors @ np.diag(np.sqrt(np.maximum(values, 1e-12))) @ vectors.T, np.float64)


def _roundness(hull: NDArray[np.floating]) -> float:
    """Root of the determinant of the second moments over the area: the same for an outline under any affine map."""
    m = cv2.moments(np.asarray(hull, np.float32))
    determinant = m["mu20"] * m["mu02"] - m["mu11"] ** 2
    return float(np.sqrt(max(determinant, 1e-12))) / float(m["m00"]) ** 2


def _signature(hull: NDArray[np.floating], centre: Points, root: Points) -> Points:
    """(ANGLES,) distance of the outline from its centre in every direction, its second moments made round."""
    white = (np.asarray(hull, np.float64) - centre) @ np.linalg.inv(root).T
    points, _ = along(np.asarray(white, np.float32), 360)
    angle = np.arctan2(points[:, 1], points[:, 0])
    order = np.argsort(angle)
    radius = np.linalg.norm(points, axis=1)[order]
    steps = (np.arange(ANGLES) + 0.5) * 2 * np.pi / ANGLES - np.pi
    return np.asarray(np.interp(steps, angle[order], radius, period=2 * np.pi), np.float64)


def apply(affine: Points, points: NDArray[np.floating] | Sequence[Sequence[float]]) -> Points:
    """The affine map (2, 3) of points (n, 2)."""
    return np.asarray(np.asarray(points, np.float64) @ affine[:, :2].T + affine[:, 2], np.float64)
