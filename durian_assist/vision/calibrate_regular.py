"""Bring the pieces of a calibration photo to one size: wrong outlines are put right, missing pieces looked for.

Both use what the other pieces tell: the plane of the table, the size of a piece on it, the rows and columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.find_frames import FOUR_SIDED, extent, plane_of, sides_of
from durian_assist.vision.find_plane import Plane
from durian_assist.vision.find_shapes import STRONG_STEP, Shape, along, sampled
from durian_assist.vision.find_size import overlap

Array = NDArray[np.float64]

SIZE_AGREES = 0.02
# A piece that is looked for at a place must be seen at least so well, against the others.
SEEN_AS_WELL = 0.62
PARTS = 4
# Of a piece's shorter side: centres nearer to a piece's are no other piece's, and those so near one another are one.
APART, SAME_HINT = 0.7, 0.04
# How far a piece is looked for round about its place, of its size; less where its outline has nearly the right size.
REACH, SHORT_REACH, NEARLY = 0.07, 0.006, 0.06
TURNS = (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5)  # degrees by which the direction of a bad outline may be wrong
WEAK_STEP = 3.0  # Lab units per pixel; grain and noise stay below


def regular(
    places: Sequence[Shape],
    seen: Sequence[Shape | None],
    count: int,
    steps: NDArray[np.float32],
    others: Sequence[Shape],
) -> list[Shape]:
    """Pieces of one size at all places: as seen, or put right; and up to `count` more found where `others` hint at.

    `seen` are the outlines that agree on one size, None at a place where there was none such.
    """
    trusted = [piece for piece in seen if piece is not None]
    if len(places) < 2:
        return [place if piece is None else piece for place, piece in zip(places, seen, strict=True)]
    plane = plane_of(trusted, (steps.shape[1], steps.shape[0]))
    pattern = _pattern(trusted, plane)
    edges = _edges(trusted, steps)
    mended = [
        piece if piece is not None and _agrees(piece, pattern, plane) else _placed(place, pattern, plane, edges)
        for place, piece in zip(places, seen, strict=True)
    ]
    while len(mended) < count:
        more = _one_more(mended, pattern, plane, edges, others)
        if more is None:
            break
        mended.append(more)
    return mended


def _pattern(pieces: Sequence[Shape], plane: Plane) -> Shape:
    """The piece nearest the middle in width and height, on the plane, about the origin."""
    sides = np.log([extent(piece, plane) for piece in pieces])
    piece = pieces[int(np.abs(sides - np.median(sides, axis=0)).sum(axis=1).argmin())]
    centre = _middle(piece, plane)
    quad, outline = plane.flat(piece.quad) - centre, plane.flat(piece.outline) - centre
    return Shape(outline.astype(np.float32), quad.astype(np.float32), piece.fill, 0.0, 0.0, piece.worth)


def _agrees(piece: Shape, pattern: Shape, plane: Plane) -> bool:
    """Whether the piece has the pattern's size. Shapes without four sides may keep a shadow that others lack."""
    if pattern.fill <= FOUR_SIDED:
        return True
    usual = sides_of(np.asarray(pattern.quad, np.float64))
    return bool(np.abs(np.log(sides_of(plane.flat(piece.quad)) / usual)).max() < SIZE_AGREES)


def _edges(trusted: Sequence[Shape], steps: NDArray[np.float32]) -> NDArray[np.float32]:
    """The map of steps, 0 to 1: 1 where a step is as strong as it usually is at the edge of a piece here.

    A printed line may be stronger by far, but is no better a place for an edge.
    """
    usual = np.median(sampled(steps, np.stack([along(piece.outline, 96)[0] for piece in trusted])))
    return np.asarray(np.sqrt(np.minimum(steps / np.clip(usual, WEAK_STEP, STRONG_STEP), 1.0)), np.float32)


def _placed(piece: Shape, pattern: Shape, plane: Plane, edges: NDArray[np.float32]) -> Shape:
    """The pattern laid on the piece, turned as it is and moved to where its edge is seen best."""
    turn = np.eye(2)
    if pattern.fill > FOUR_SIDED:  # the quad round another shape may lie in several ways, but pieces are upright
        turn = _turn(plane.flat(piece.quad)) @ _turn(np.asarray(pattern.quad, np.float64)).T
    tried = [
        _best_place(start, turn @ _turned(angle), pattern, plane, edges, reach)
        for start, reach in _starts(piece, pattern, plane)
        for angle in TURNS
    ]
    return max(tried, key=lambda found: found.worth)


def _starts(piece: Shape, pattern: Shape, plane: Plane) -> list[tuple[Array, float]]:
    """Where the middle of the pattern may be, and how far round about to look, as a share of its size.

    An outline that is nearly right has a shadow at one side or two: the other sides are where they should be.
    """
    middle = _middle(piece, plane)
    if pattern.fill <= FOUR_SIDED:
        return [(middle, REACH)]
    usual = sides_of(np.asarray(pattern.quad, np.float64))
    more = sides_of(plane.flat(piece.quad)) - usual
    if np.abs(more / usual).max() > NEARLY:
        return [(middle, REACH)]
    own = _turn(plane.flat(piece.quad))
    across, down = (((-1, 1) if abs(wrong) > SIZE_AGREES else (0,)) for wrong in more / usual)
    return [(middle + own @ (more * (x, y) / 2), SHORT_REACH) for x in across for y in down]


def _turned(degrees: float) -> Array:
    sine, cosine = np.sin(np.radians(degrees)), np.cos(np.radians(degrees))
    return np.array([[cosine, -sine], [sine, cosine]])


def _middle(piece: Shape, plane: Plane) -> Array:
    """The middle of the piece on the plane: that of its corners, or without four sides its centre of gravity."""
    if piece.fill > FOUR_SIDED:
        return np.asarray(plane.flat(piece.quad).mean(axis=0), np.float64)
    return plane.flat(piece.centre)


def _turn(quad: Array) -> Array:
    """Rotation matrix of the quad's top side."""
    top = quad[1] - quad[0] + quad[2] - quad[3]
    x, y = top / max(float(np.linalg.norm(top)), 1e-9)
    return np.array([[x, -y], [y, x]])


def _best_place(
    centre: Array, turn: Array, pattern: Shape, plane: Plane, edges: NDArray[np.float32], share: float = REACH
) -> Shape:
    """The pattern where it is seen best, at most `share` of its size from the centre along and across."""
    # Steps of 1 % and less: an edge in the working picture is a few pixels wide, and not to be stepped over.
    reach = share * float(np.sqrt(cv2.contourArea(pattern.outline)))
    outline, quad = (np.asarray(p, np.float64) @ turn.T for p in (pattern.outline, pattern.quad))
    for step, most in ((reach / 8, 8), (reach / 32, 4)):
        shifts = np.array([(x, y) for x in range(-most, most + 1) for y in range(-most, most + 1)]) * step
        values = _seen_at(plane.seen(along(outline.astype(np.float32), 96)[0] + (centre + shifts)[:, None, :]), edges)
        centre = centre + shifts[int(values.argmax())]
    worth = float(values.max())
    seen, corners = (plane.seen(part + centre).astype(np.float32) for part in (outline, quad))
    return Shape(seen, corners, pattern.fill, worth, 0.0, worth)


def _seen_at(points: NDArray[Any], edges: NDArray[np.float32]) -> Array:
    """How well outlines (m, n, 2) lie on steps of colour, 0 to 1: as a whole, and where it is seen least.

    Two sides on strong printed lines are not a piece whose other sides nothing shows.
    """
    seen = sampled(edges, points)
    parts = np.stack([part.mean(axis=1) for part in np.array_split(seen, PARTS, axis=1)])
    return np.asarray((parts.mean(axis=0) + parts.min(axis=0)) / 2, np.float64)


def _one_more(
    pieces: list[Shape], pattern: Shape, plane: Plane, edges: NDArray[np.float32], others: Sequence[Shape]
) -> Shape | None:
    """The best further piece, if it is seen nearly as well as the others."""
    turns = [_turn(plane.flat(piece.quad)) @ _turn(np.asarray(pattern.quad, np.float64)).T for piece in pieces]
    turn = turns[len(turns) // 2] if pattern.fill > FOUR_SIDED else np.eye(2)
    usual = np.median([_seen_at(along(p.outline, 96)[0][None], edges)[0] for p in pieces])
    found: list[Shape] = []
    for centre in _hints(pieces, plane, others):
        piece = _best_place(centre, turn, pattern, plane, edges)
        inside = (piece.quad > 2).all() and (piece.quad < np.array(edges.shape[::-1]) - 3).all()
        if inside and all(overlap(piece.outline, p.outline) < 0.1 for p in pieces):
            found.append(piece)
    best = max(found, key=lambda p: p.worth, default=None)
    return best if best is not None and best.worth > SEEN_AS_WELL * usual else None


def _hints(pieces: list[Shape], plane: Plane, others: Sequence[Shape]) -> Array:
    """Centres on the plane where a piece may lie, each once: shapes of about that size, and the next places of the
    rows; none where a piece lies already."""
    centres = np.array([plane.flat(p.quad).mean(axis=0) for p in pieces])
    area = float(np.median([p.area for p in pieces]))
    hints = [plane.flat(s.quad).mean(axis=0) for s in others if 0.6 < s.area / area < 1.7 and s.fill > 0.75]
    hints += [*_next_places(centres)]
    side = float(np.min([sides_of(plane.flat(p.quad)) for p in pieces]))
    free: list[Array] = []
    for hint in hints:
        apart = np.linalg.norm(centres - hint, axis=1).min() > APART * side
        if apart and all(np.linalg.norm(other - hint) > SAME_HINT * side for other in free):
            free.append(hint)
    return np.array(free).reshape(-1, 2)


def _next_places(centres: Array) -> Array:
    """One step along the rows and columns from each of the centres (n, 2)."""
    gaps = centres[:, None] - centres[None]
    across = gaps[(np.abs(gaps[..., 0]) > 2 * np.abs(gaps[..., 1]))]
    down = gaps[(np.abs(gaps[..., 1]) > 2 * np.abs(gaps[..., 0]))]
    places = []
    for group in (across, down):
        if len(group):
            near = group[np.argsort(np.linalg.norm(group, axis=1))[: max(2, len(centres) // 2)]]
            one_way = near * np.sign((near * near[0]).sum(axis=1))[:, None]
            step = np.median(one_way, axis=0)
            places += [centres + step, centres - step]
    return np.concatenate(places) if places else np.zeros((0, 2))
