"""The table's plane as tokens tell it, and how the photo looks from straight above.

A flat token of known outline shows at its place how much the table is shortened there, and along which line; a pinhole
camera that looks at a plane shows that at every other place too. Lengths on the plane are in pixels of a token's
canvas.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.rectify import project

Points = NDArray[np.float64]

# A phone's main lens sees 66 degrees along the longer side of its photo: half of that, as a slope.
VIEW = 0.65
ROUNDS = 6  # of the fit with all tokens alike, and as many in which strange ones count for less
STEP = 1e-4  # of a derivative
ENOUGH = 1e-3  # a step that moves the plane by less is the last
# By how much (log) a laid token's width and height are off, and how steep, as a slope, tables usually are.
OFF, USUAL = 0.05, 1.0
STRANGE = 9.0  # a token's misfit above which it counts for less: it may be none
UNTOLD = 9.0  # one plane is told from another where its misfit is less by so much: three times what is usual
SAME = 0.03  # log of lengths: planes that differ by less are one


@dataclass(frozen=True, slots=True)
class TokenPlane:
    """`depths` (3,): the inverse depth of the plane along a line of sight (x, y, 1); `focal` length in pixels of the
    photo, `size` of the photo (width, height); `unsure` (3, 3) the root of the depths' covariance."""

    depths: Points
    focal: float
    size: tuple[int, int]
    unsure: Points

    @staticmethod
    def through(places: Points, slopes: Points, size: tuple[int, int]) -> list[TokenPlane]:
        """The plane in which tokens lie at `places` (n, 2) of a photo of `size` with maps of `slopes` (n, 2, 2) from
        their canvas; both planes that may be, the likelier first, where the tokens do not tell."""
        focal = max(size) / 2 / VIEW
        rays = _rays(places, focal, size)
        roots = np.stack([_root(slope) for slope in slopes]) / focal
        ways = [_Fit.from_start(start, rays, roots) for start in _starts(rays[0], roots[0])]
        best, other = sorted(ways, key=lambda way: way.cost)
        first, second = (TokenPlane(way.depths, focal, size, way.unsure) for way in (best, other))
        apart = np.abs(np.log(first.lengths(first.frame) / second.lengths(first.frame))).max()
        return [first, second] if other.cost - best.cost < UNTOLD and apart > SAME else [first]

    @property
    def frame(self) -> Points:
        """(n, 2) corners of that part of the photo in which the plane is seen, from half as near as in the middle."""
        return self.nearer(self._corners, float(self.depths[2]) / 2)

    @property
    def _corners(self) -> Points:
        """(4, 2) of the photo."""
        width, height = self.size
        return np.array([(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)])

    def nearer(self, outline: Points, least: float) -> Points:
        """The part (m, 2) of a convex outline (n, 2) of the photo where the inverse depth is not below `least`."""
        over = self.nearness(outline) - least
        kept = []
        for k in range(len(outline)):
            if over[k] >= 0:
                kept.append(outline[k])
            after = (k + 1) % len(outline)
            if (over[k] >= 0) != (over[after] >= 0):
                kept.append(outline[k] + (outline[after] - outline[k]) * over[k] / (over[k] - over[after]))
        return np.array(kept).reshape(-1, 2)

    def nearness(self, places: Points) -> Points:
        """(n,) the inverse depth of the plane at places (n, 2) of the photo; not above 0 beyond the horizon."""
        return np.asarray(_rays(places, self.focal, self.size) @ self.depths, np.float64)

    def lengths(self, places: Points) -> Points:
        """(n,) pixels of the photo that one of the canvas is long at places (n, 2), the mean of all directions."""
        return np.asarray(self.focal * _sizes(self.depths, _rays(places, self.focal, self.size)), np.float64)

    def doubt(self, places: Points) -> float:
        """By how much (log) the lengths at places (n, 2) may be off, their root mean square."""
        rays = _rays(places, self.focal, self.size)
        usual, step = np.log(_sizes(self.depths, rays)), STEP
        ways = [(np.log(_sizes(self.depths + step * way, rays)) - usual) / step for way in self.unsure.T]
        return float(np.sqrt(np.mean(np.sum(np.square(ways), axis=0))))

    def from_above(self, unit: float, least: float) -> tuple[Points, tuple[int, int]]:
        """The map (3, 3) to the photo from the plane seen from above, its pixels `unit` of the canvas long, and its
        size; of the photo where the inverse depth is `least` or more. The depth does not change along its rows."""
        a, b, c = self.depths
        across = np.array([b, -a, 0.0]) if np.hypot(a, b) > 1e-9 * abs(c) else np.array([1.0, 0.0, 0.0])
        across /= np.linalg.norm(across)
        down = np.cross(self.depths / np.linalg.norm(self.depths), across)
        camera = np.array([(self.focal, 0, self.size[0] / 2), (0, self.focal, self.size[1] / 2), (0, 0, 1.0)])
        to_photo = camera @ np.column_stack([across * unit, down * unit, (0.0, 0.0, 1 / c)])
        seen = project(np.asarray(np.linalg.inv(to_photo), np.float64), self.nearer(self._corners, least))
        low, high = seen.min(axis=0), seen.max(axis=0)
        shift = np.array([(1, 0, low[0] + 0.5), (0, 1, low[1] + 0.5), (0, 0, 1.0)])
        return to_photo @ shift, (max(round(high[0] - low[0]), 1), max(round(high[1] - low[1]), 1))


@dataclass(frozen=True, slots=True)
class _Fit:
    """Inverse depths (3,), their misfit in its usual size, and the root (3, 3) of their covariance."""

    depths: Points
    cost: float
    unsure: Points

    @staticmethod
    def from_start(depths: Points, rays: Points, roots: Points) -> _Fit:
        """The plane nearest to a start that the roots (n, 2, 2) of the tokens at some rays (n, 3) tell."""
        unit = float(np.linalg.norm(depths))
        for strange in [np.inf] * ROUNDS + [STRANGE] * ROUNDS:
            off = _misfits(depths, rays, roots, strange)
            ways = [_misfits(depths + STEP * unit * way, rays, roots, strange) - off for way in np.eye(3)]
            slopes = np.stack(ways, axis=1) / STEP
            step = np.linalg.lstsq(slopes, -off, rcond=None)[0]
            length = float(np.linalg.norm(step))
            better = depths + step * unit * min(1.0, 0.5 / max(length, 1e-9))
            if (rays @ better).min() <= 0 or better[2] <= 0 or (length < ENOUGH and strange < np.inf):
                break
            depths = better
        off = _misfits(depths, rays, roots)
        values, vectors = np.linalg.eigh(slopes.T @ slopes)
        return _Fit(depths, float(off @ off), vectors * (unit / np.sqrt(np.maximum(values, 1e-9))))


def _rays(places: Points, focal: float, size: tuple[int, int]) -> Points:
    """(n, 3) lines of sight (x, y, 1) of places (n, 2) of a photo."""
    return np.column_stack([(places - np.array(size) / 2) / focal, np.ones(len(places))])


def _root(slope: Points) -> Points:
    """(2, 2) the symmetric map with the stretches of a slope but without its turn."""
    values, vectors = np.linalg.eigh(slope @ slope.T)
    return np.asarray((vectors * np.sqrt(values)) @ vectors.T, np.float64)


def _squares(depths: Points, rays: Points) -> Points:
    """(n, 2, 2) the squares of lengths on the plane of small steps of lines of sight (n, 3)."""
    nearness = (rays @ depths)[:, None, None]
    steps = np.eye(3)[:2] / nearness - depths[:2, None] * rays[:, None] / nearness**2
    return np.asarray(steps @ steps.transpose(0, 2, 1), np.float64)


def _sizes(depths: Points, rays: Points) -> Points:
    """(n,) by how much lengths on the plane are seen smaller along lines of sight."""
    return np.asarray(np.linalg.det(_squares(depths, rays)) ** -0.25, np.float64)


def _starts(ray: Points, root: Points) -> list[Points]:
    """Both planes that are as long and as shortened along a line of sight as a root tells, the line being the view's
    middle: that which falls off along the line of shortening one way, and that which does the other way."""
    values, vectors = np.linalg.eigh(root)
    steep = float(np.sqrt(max((values[1] / values[0]) ** 2 - 1, 0.0))) * vectors[:, 0]
    return [values[1] * np.array([*falls, 1.0 - falls @ ray[:2]]) for falls in (steep, -steep)]


def _misfits(depths: Points, rays: Points, roots: Points, strange: float = STRANGE) -> Points:
    """By how much lengths at the tokens differ from theirs, and the steepness, each in its usual size, (3 n + 2,).

    What differs by more than the root of `strange` counts for less.
    """
    away = roots @ _squares(depths, rays) @ roots - np.eye(2)
    each = np.stack([away[:, 0, 0] / 2, away[:, 1, 1] / 2, away[:, 0, 1]], axis=1) / OFF
    each /= np.sqrt(1 + np.square(each).sum(axis=1, keepdims=True) / strange)
    return np.concatenate([each.ravel(), depths[:2] / depths[2] / USUAL])


def alike(planes: Sequence[TokenPlane], place: Points, length: float) -> float:
    """By how much (log) a length at a place (2,) differs from that which the nearest of the planes foretells."""
    return min(abs(float(np.log(length / plane.lengths(place[None])[0]))) for plane in planes)
