"""Agreement on one size: pieces that are equal and lie on one plane.

On a plane seen in perspective the square root of an equal piece's scale, area ** (1/3), is a linear function of
its place in the picture. A candidate that does not keep to the function of the others is something else: a frame
printed on the card, an envelope, a group of cards that touch.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.find_shapes import Shape

Array = NDArray[np.float64]


def overlap(first: NDArray[np.float32], second: NDArray[np.float32]) -> float:
    """Common area of two convex outlines as a share of the smaller one."""
    low = np.maximum(first.min(axis=0), second.min(axis=0))
    high = np.minimum(first.max(axis=0), second.max(axis=0))
    if (high <= low).any():
        return 0.0
    common, _ = cv2.intersectConvexConvex(first, second)
    return float(common) / max(min(cv2.contourArea(first), cv2.contourArea(second)), 1e-6)


def overlaps(shapes: Sequence[Shape]) -> Array:
    """(n, n) shares of common area, of the smaller shape of each pair."""
    count = len(shapes)
    low = np.array([s.outline.min(axis=0) for s in shapes]).reshape(-1, 2)
    high = np.array([s.outline.max(axis=0) for s in shapes]).reshape(-1, 2)
    meet = (np.minimum(high[:, None], high[None]) > np.maximum(low[:, None], low[None])).all(axis=2)
    shares = np.eye(count)
    for first, second in np.argwhere(np.triu(meet, 1)):
        shares[first, second] = shares[second, first] = overlap(shapes[first].outline, shapes[second].outline)
    return shares


def apart(order: Sequence[int], shares: Array, most: float = 0.25) -> list[int]:
    """Indices, taken in `order`, of shapes that do not lie on one taken before."""
    kept: list[int] = []
    free = np.ones(len(shares), np.bool_)
    for index in order:
        if free[index]:
            kept.append(int(index))
            free &= shares[index] < most
    return kept


def scales(shapes: Sequence[Shape]) -> tuple[Array, Array]:
    """(n, 3) homogeneous centres and (n,) the cube roots of the areas."""
    centres = np.array([[*shape.centre, 1.0] for shape in shapes]).reshape(-1, 3)
    return centres, np.cbrt([shape.area for shape in shapes])


def agreeing(model: Array, centres: Array, roots: Array, tolerance: float) -> NDArray[np.bool_]:
    """Which candidates have the size that the model (a, b, c) predicts at their place, to a relative tolerance."""
    predicted = centres @ model
    return np.asarray(np.abs(roots - predicted) < tolerance * np.maximum(predicted, 1e-6), np.bool_)


def size_models(
    centres: Array, roots: Array, worth: Array, rng: np.random.Generator, seeds: int = 120, partners: int = 5
) -> Array:
    """Possible models (m, 3): one size everywhere from each good candidate, and planes through triples of them."""
    order = np.argsort(-worth)[:seeds]
    models = [np.array([0.0, 0.0, roots[i]]) for i in order]
    for i in order:
        alike = order[(np.abs(np.log(roots[order] / roots[i])) < 0.35) & (order != i)]
        if len(alike) < 2:
            continue
        for _ in range(partners):
            j, k = rng.choice(alike, 2, replace=False)
            corner = centres[[i, j, k]]
            if abs(np.linalg.det(corner)) > 1e-6:
                models.append(np.linalg.solve(corner, roots[[i, j, k]]))
    return np.array(models).reshape(-1, 3)


def refit(model: Array, centres: Array, roots: Array, chosen: Sequence[int]) -> Array:
    """The model fitted to the chosen candidates; as it was where they are too few or lie on a line."""
    picked = centres[list(chosen)]
    if len(chosen) < 4 or np.linalg.matrix_rank(picked - picked.mean(axis=0), tol=0.05 * np.ptp(picked)) < 2:
        return model
    fitted, *_ = np.linalg.lstsq(picked, roots[list(chosen)], rcond=None)
    return np.asarray(fitted, np.float64)
