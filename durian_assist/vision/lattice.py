"""A lattice of cards on the table's plane: which row and column each card is in, and where the others must be.

The lattice is affine: an origin and two steps. Cards lie on it to within a fifth of a card, askew by some degrees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from durian_assist.vision.rectify import Points
from durian_assist.vision.table_plane import Pose

# Distance of neighbours, in cards: they overlap by millimetres or leave gaps of some.
USUAL_PITCH = 1.05
REACH = 0.28
Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Lattice:
    """Cell (row, column) lies at `origin` + column * `right` + row * `down` on the plane."""

    origin: Points
    right: Points
    down: Points

    @property
    def angle(self) -> float:
        """The direction of the rows in radians."""
        mean = self.right + np.array([self.down[1], -self.down[0]])
        return float(np.arctan2(mean[1], mean[0]))

    def at(self, cell: Cell) -> Pose:
        """The pose of a card that lies straight in a cell."""
        x, y = self.origin + cell[1] * self.right + cell[0] * self.down
        return Pose(float(x), float(y), self.angle)

    def place(self, pose: Pose) -> tuple[float, float]:
        """(row, column) of a point of the plane, as fractions."""
        column, row = np.linalg.solve(np.stack([self.right, self.down], 1), np.array([pose.x, pose.y]) - self.origin)
        return float(row), float(column)

    def moved(self, cell: Cell, right: Points, down: Points) -> Lattice:
        """The same lattice with its origin at a cell and other names for its two directions."""
        return Lattice(self.origin + cell[1] * self.right + cell[0] * self.down, right, down)


def main_angle(poses: Sequence[Pose]) -> float:
    """The direction (modulo a quarter turn, in radians) that most cards share: the mode, then the mean near it."""
    angles = np.array([p.angle for p in poses])
    away = np.abs((angles[:, None] - angles[None] + np.pi / 4) % (np.pi / 2) - np.pi / 4)
    mode = angles[int((away < np.radians(8)).sum(1).argmax())]
    rest = (angles - mode + np.pi / 4) % (np.pi / 2) - np.pi / 4
    return float(mode + rest[np.abs(rest) < np.radians(12)].mean())


def components(poses: Sequence[Pose], like: Lattice) -> list[dict[int, Cell]]:
    """Groups of cards that are neighbours along `like`, largest first: index of the card -> (row, column)."""
    c, s = np.cos(like.angle), np.sin(like.angle)
    flat = np.array([[p.x * c + p.y * s, -p.x * s + p.y * c] for p in poses])
    free = set(range(len(poses)))
    beside = _neighbours(flat)
    groups: list[dict[int, Cell]] = []
    while free:
        first = free.pop()
        group = {first: (0, 0)}
        waiting = [first]
        while waiting:
            i = waiting.pop()
            for j, step in beside[i]:
                if j in free:
                    free.discard(j)
                    group[j] = (group[i][0] + step[0], group[i][1] + step[1])
                    waiting.append(j)
        groups.append(group)
    return sorted(groups, key=len, reverse=True)


def _neighbours(flat: Points) -> list[list[tuple[int, Cell]]]:
    """For each of some points (n, 2) the direct neighbours: index and step (rows, columns)."""
    offsets = flat[None] - flat[:, None]
    beside: list[list[tuple[int, Cell]]] = [[] for _ in flat]
    for step in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        away = np.abs(offsets - USUAL_PITCH * np.array([step[1], step[0]])).max(-1)
        for i, j in np.argwhere(away < REACH).tolist():
            beside[i].append((j, step))
    return [sorted(near) for near in beside]


def usual_lattice(poses: Sequence[Pose]) -> Lattice:
    """A lattice in the direction that most cards share, of the usual pitch, its origin anywhere."""
    turn = main_angle(poses)
    right = USUAL_PITCH * np.array([np.cos(turn), np.sin(turn)])
    return Lattice(np.zeros(2), right, np.array([-right[1], right[0]]))


def fit_lattice(poses: Sequence[Pose], cells: Sequence[Cell], like: Lattice) -> Lattice:
    """Least squares lattice through cards with known cells; the directions of `like` hold what the cards leave open."""
    rows = [[1.0, c, r] for r, c in cells]
    values = [[p.x, p.y] for p in poses]
    weight = 0.3
    rows += [[0.0, weight, 0.0], [0.0, 0.0, weight]]
    values += [list(weight * like.right), list(weight * like.down)]
    solution, *_ = np.linalg.lstsq(np.array(rows), np.array(values), rcond=None)
    return Lattice(solution[0], solution[1], solution[2])
