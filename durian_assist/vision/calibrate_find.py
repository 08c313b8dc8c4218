"""Find the pieces of a calibration photo: their number is known, they lie apart in rows, upright."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.calibrate_regular import FOUR_SIDED, plane_of, regular, sides_of
from durian_assist.vision.find_masks import Pixels, colour_steps, table_masks
from durian_assist.vision.find_plane import Plane, plane_of_quads
from durian_assist.vision.find_shapes import Shape, shapes_in, snapped
from durian_assist.vision.find_size import Array, agreeing, apart, overlaps, refit, scales, size_models

WORK_SIDE = 1600
# Less than this share of an outline being seen is no piece.
SEEN = 0.72
SIZE_TOLERANCES = (0.01, 0.035)  # of the cube root of the area: 1.5 and 5 % of a side
IRREGULAR = 3.0
MISSING = 1.0
LEVEL_TOLERANCE = 0.018
# An outer frame may be seen less well than the print inside it: white borders on light tables.
OUTER_WORTH = 0.45
ODD_SHAPE = 0.7
MOST = 0.6
# A frame larger by a twentieth is preferred even if it is seen half as well.
OUTWARDS = 10.0
FRAME_MARGIN = 1.5  # pixels of the working picture


@dataclass(frozen=True, slots=True)
class Search:
    """What was found in a photo: the shapes (in photo pixels), best choice for the number asked for."""

    shapes: tuple[Shape, ...]


def find_pieces(pixels: Pixels, count: int) -> Search:
    """The `count` most likely pieces; fewer or more where the photo does not show that many of one size."""
    small, scale = shrunk(pixels)
    steps = _steps(small)
    shapes = snapped(shapes_in(table_masks(small)), steps)
    candidates = distinct([shape for shape in shapes if shape.support >= SEEN])
    size = (small.shape[1], small.shape[0])
    places = _places(candidates, count, size)
    chosen = regular(places, outermost(places, candidates, size), count, steps, shapes) if places else []
    return Search(tuple(_scaled(shape, 1 / scale) for shape in chosen))


def shrunk(pixels: Pixels, side: int = WORK_SIDE) -> tuple[Pixels, float]:
    """The picture with its long side at most `side`, and the scale used."""
    scale = min(1.0, side / max(pixels.shape[:2]))
    if scale == 1.0:
        return pixels, 1.0
    small = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), scale


def _steps(pixels: Pixels) -> NDArray[np.float32]:
    smooth = cv2.GaussianBlur(pixels, (5, 5), 0)
    return colour_steps(np.asarray(cv2.cvtColor(smooth, cv2.COLOR_BGR2Lab), np.uint8))


def distinct(shapes: list[Shape]) -> list[Shape]:
    """One shape of each bundle that differ by less than about two pixels: the one whose edge is strongest."""
    kept: list[Shape] = []
    boxes: list[np.ndarray] = []
    for shape in sorted(shapes, key=lambda s: -s.support * s.contrast):
        box = np.concatenate([shape.outline.min(axis=0), shape.outline.max(axis=0)])
        if not any(np.abs(box - other).max() < 3.5 for other in boxes):
            kept.append(shape)
            boxes.append(box)
    return kept


def _scaled(shape: Shape, factor: float) -> Shape:
    # A pixel's centre is at whole numbers, so scaling is about the picture's corner at (-0.5, -0.5).
    def move(points: np.ndarray) -> np.ndarray:
        return ((points + 0.5) * factor - 0.5).astype(np.float32)

    return Shape(move(shape.outline), move(shape.quad), shape.fill, shape.support, shape.contrast, shape.worth)


@dataclass(frozen=True, slots=True)
class _Set:
    """Separate shapes of one size: their indices, mean worth and size (root of the area)."""

    chosen: tuple[int, ...]
    worth: float
    root: float


def _places(shapes: list[Shape], count: int, size: tuple[int, int]) -> list[Shape]:
    """The set of separate shapes of one size that fits the count best."""
    sets = _sets(shapes) if count > 1 else _singles(shapes)
    if not sets:
        return []
    spare = max(1, count // 8) if count > 3 else 0
    nearest = min(max(abs(len(s.chosen) - count) - spare, 0) for s in sets)
    fitting = [s for s in sets if abs(len(s.chosen) - count) <= nearest + spare and s.chosen]
    # Dice and parts of the print agree in size too, but they are small.
    largest = max(s.root for s in fitting if s.worth > 0.75 * max(t.worth for t in fitting))
    large = [s for s in fitting if s.root > 0.85 * largest]
    best = _most_regular(large, shapes, size, {s: -MISSING * abs(len(s.chosen) / count - 1) for s in large})
    return [shapes[i] for i in best.chosen]


def _most_regular(
    sets: list[_Set], shapes: list[Shape], size: tuple[int, int], extra: dict[_Set, float], looked_at: int = 6
) -> _Set:
    """The set whose edges are seen best and whose pieces look most like equal rectangles on one plane."""
    likely = sorted(sets, key=lambda s: -s.worth - extra[s])[:looked_at]
    return max(likely, key=lambda s: s.worth + extra[s] - IRREGULAR * _plane(s.chosen, shapes, size).residual)


def _plane(chosen: tuple[int, ...], shapes: list[Shape], size: tuple[int, int]) -> Plane:
    return plane_of([shapes[i] for i in chosen], size)


def outermost(pieces: list[Shape], shapes: list[Shape], size: tuple[int, int]) -> list[Shape | None]:
    """The pieces, each grown to the outermost frame that most of them have in one size; None where one lacks it.

    A printed frame lies inside its card on all sides; a shadow joins a card on one or two sides only.
    The tilt of the table is not known well while some pieces are frames and others are cards: two guesses of it are
    made better in turn, and the more regular outcome is taken.
    """
    rings = [[piece, *(s for s in shapes if _frames(s, piece))] for piece in pieces]
    starts = [plane_of(pieces, size)]
    if np.median([piece.fill for piece in pieces]) > FOUR_SIDED:
        starts.append(plane_of_quads(np.stack([p.quad for p in pieces]), size, same_size=False))
    outcomes: list[tuple[float, list[Shape | None]]] = []
    for plane in starts:
        for _ in range(3):
            value, chosen = _largest_level(rings, plane)
            plane = plane_of([s for s in chosen if s is not None], size)
        outcomes.append((value - IRREGULAR * plane.residual, chosen))
    return max(outcomes, key=lambda outcome: outcome[0])[1]


def _largest_level(rings: list[list[Shape]], plane: Plane) -> tuple[float, list[Shape | None]]:
    """From each ring its shape of the largest size that most rings have, and how good that choice is."""
    regular_rings = [ring[:1] + [s for s in ring[1:] if _square(plane.flat(s.quad), s.fill)] for ring in rings]
    flat = [[np.log(sides_of(plane.flat(s.quad))) for s in ring] for ring in regular_rings]
    best: tuple[float, list[Shape | None]] = (-np.inf, [ring[0] for ring in rings])
    for sides in (own for ring in flat for own in ring):
        level = [_nearest(ring, own, sides) for ring, own in zip(regular_rings, flat, strict=True)]
        worth = [s.worth for s in level if s is not None]
        if len(worth) < MOST * len(rings):
            continue
        value = len(worth) / len(rings) + 0.5 * float(np.mean(worth)) + OUTWARDS * float(sides.mean())
        if value > best[0]:
            best = (value, level)
    return best


def _square(quad: Array, fill: float) -> bool:
    """Whether a quad on the plane has right angles to 3 degrees; outlines without four sides need not."""
    sides = np.roll(quad, -1, axis=0) - quad
    unit = sides / np.maximum(np.linalg.norm(sides, axis=1, keepdims=True), 1e-9)
    return fill <= FOUR_SIDED or bool(np.abs((unit * np.roll(unit, -1, axis=0)).sum(axis=1)).max() < 0.05)


def _nearest(ring: list[Shape], own: list[Array], sides: Array) -> Shape | None:
    """Of the shapes round one place the best seen one that has the sides given."""
    alike = [s for s, o in zip(ring, own, strict=True) if np.abs(o - sides).max() < LEVEL_TOLERANCE]
    return max(alike, key=lambda s: s.worth, default=None)


def _singles(shapes: list[Shape]) -> list[_Set]:
    roots = scales(shapes)[1] if shapes else []
    return [
        _Set((i,), s.worth * (1.0 if s.fill > FOUR_SIDED else ODD_SHAPE), float(roots[i])) for i, s in enumerate(shapes)
    ]


def _sets(shapes: list[Shape]) -> list[_Set]:
    if not shapes:
        return []
    centres, roots = scales(shapes)
    shares = overlaps(shapes)
    worth = np.array([s.worth * (1.0 if s.fill > FOUR_SIDED else ODD_SHAPE) for s in shapes])
    found: dict[tuple[int, ...], _Set] = {}
    for chosen in _consistent(centres, roots, worth, shares):
        key = tuple(sorted(chosen))
        found[key] = _Set(key, float(worth[chosen].mean()), float(roots[chosen].mean()))
    return list(found.values())


def _consistent(centres: Array, roots: Array, worth: Array, shares: Array) -> Iterator[list[int]]:
    """Sets of indices that keep to one size, each once."""
    order = np.argsort(-worth)
    models = size_models(centres, roots, worth, np.random.default_rng(5))
    seen: set[bytes] = set()
    for model in models[models[:, 2] > 0]:
        for tolerance in SIZE_TOLERANCES:
            chosen = _of_size(agreeing(model, centres, roots, tolerance), order, shares, seen)
            if chosen:
                fitted = refit(model, centres, roots, chosen)
                chosen = _of_size(agreeing(fitted, centres, roots, tolerance * 0.7), order, shares, seen)
            if chosen:
                yield chosen


def _of_size(inside: NDArray[np.bool_], order: NDArray[np.intp], shares: Array, seen: set[bytes]) -> list[int]:
    """Separate candidates among those of the size; none where the same candidates were met before."""
    key = inside.tobytes()
    if key in seen:
        return []
    seen.add(key)
    return apart([int(i) for i in order if inside[i]], shares)


def _frames(outer: Shape, inner: Shape) -> bool:
    """Whether `outer` goes round `inner` with a margin on all sides and is of the same kind of shape."""
    if not 1.01 < outer.area / inner.area < 2.0 or outer.worth < OUTER_WORTH * inner.worth:
        return False
    return abs(outer.fill - inner.fill) < 0.05 and _margin(outer.outline, inner.outline) > FRAME_MARGIN


def _margin(outer: NDArray[np.float32], inner: NDArray[np.float32]) -> float:
    """Least distance in pixels from the inner outline out to the outer one; negative where it sticks out."""
    if (inner.min(axis=0) < outer.min(axis=0)).any() or (inner.max(axis=0) > outer.max(axis=0)).any():
        return -1.0
    return float(min(cv2.pointPolygonTest(outer, (float(x), float(y)), True) for x, y in inner[::3]))
