"""Sets of separate shapes that agree on one size on the table's plane."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.find_frames import FOUR_SIDED, IRREGULAR, plane_of
from durian_assist.vision.find_shapes import Shape
from durian_assist.vision.find_size import Array, agreeing, apart, overlaps, refit, scales, size_models

SIZE_TOLERANCES = (0.01, 0.035)  # of the cube root of the area: 1.5 and 5 % of a side
# Shapes without four sides are more often parts of the print.
ODD_SHAPE = 0.7


@dataclass(frozen=True, slots=True)
class SizeSet:
    """Separate shapes of one size: their indices, mean worth and size (root of the area)."""

    chosen: tuple[int, ...]
    worth: float
    root: float


def singles(shapes: Sequence[Shape]) -> list[SizeSet]:
    """Each shape as a set of its own."""
    return [
        SizeSet((i,), s.worth * (1.0 if s.fill > FOUR_SIDED else ODD_SHAPE), float(np.cbrt(s.area)))
        for i, s in enumerate(shapes)
    ]


def size_sets(shapes: Sequence[Shape]) -> list[SizeSet]:
    """All sets that keep to one size, from many guesses of it."""
    if not shapes:
        return []
    centres, roots = scales(shapes)
    shares = overlaps(shapes)
    worth = np.array([s.worth * (1.0 if s.fill > FOUR_SIDED else ODD_SHAPE) for s in shapes])
    found: dict[tuple[int, ...], SizeSet] = {}
    for chosen in _consistent(centres, roots, worth, shares):
        key = tuple(sorted(chosen))
        found[key] = SizeSet(key, float(worth[chosen].mean()), float(roots[chosen].mean()))
    return list(found.values())


def _consistent(centres: Array, roots: Array, worth: Array, shares: Array) -> Iterator[list[int]]:
    """Sets of indices that keep to one size; most of them once."""
    order = np.argsort(-worth)
    models = size_models(centres, roots, worth, np.random.default_rng(5))
    guessed: set[bytes] = set()
    fitted: set[bytes] = set()
    for model in models[models[:, 2] > 0]:
        for tolerance in SIZE_TOLERANCES:
            inside = agreeing(model, centres, roots, tolerance)
            if not _new(inside, guessed):
                continue
            chosen = _separate(inside, order, shares)
            inside = agreeing(refit(model, centres, roots, chosen), centres, roots, tolerance * 0.7)
            if _new(inside, fitted):
                yield _separate(inside, order, shares)


def _new(inside: NDArray[np.bool_], seen: set[bytes]) -> bool:
    """Whether there is something inside that was not met before."""
    key = inside.tobytes()
    if key in seen or not inside.any():
        return False
    seen.add(key)
    return True


def _separate(inside: NDArray[np.bool_], order: NDArray[np.intp], shares: Array) -> list[int]:
    """Of the candidates inside those that lie apart, the best ones."""
    return apart([int(i) for i in order if inside[i]], shares)


def most_regular(
    sets: Sequence[SizeSet],
    shapes: Sequence[Shape],
    size: tuple[int, int],
    extra: Mapping[SizeSet, float],
) -> SizeSet:
    """The set whose edges are seen best and whose pieces look most like equal rectangles on one plane.

    All sets are looked at: whole pieces of one row mixed with parts of the print of another may be seen better than
    the pieces, in any number of ways, but no plane makes them equal.
    """

    def value(option: SizeSet) -> float:
        plane = plane_of([shapes[i] for i in option.chosen], size)
        return option.worth + extra[option] - IRREGULAR * plane.residual

    return max(sets, key=value)
