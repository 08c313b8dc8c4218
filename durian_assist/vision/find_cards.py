"""Find cards of one size on a table, wherever they lie, without knowing the deck.

What tells cards from envelopes, scraps of paper and prints: they are rectangles of one size on one plane, more of
them or larger ones than anything else that agrees, and nothing of that size goes round them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.find_candidates import Candidates, candidates
from durian_assist.vision.find_cloth import checked
from durian_assist.vision.find_frames import FOUR_SIDED, outermost, plane_of, right_angled
from durian_assist.vision.find_masks import Pixels
from durian_assist.vision.find_plane import USUAL_FOCAL, Plane
from durian_assist.vision.find_sets import singles, size_sets
from durian_assist.vision.find_shapes import Shape, inside, sampled
from durian_assist.vision.find_sides import fit_sides
from durian_assist.vision.find_size import overlap

Array = NDArray[np.float64]
Points = NDArray[np.float32]

SEEN = 0.55
SEEN_WITH_OTHERS = 0.4
SAME_SIZE = 0.06
LOOKED_AT = 40
MOST_SHAPES = 260
PRINT_STEP = 6.0  # Lab units per pixel
ENOUGH_PRINT = 0.04
# Cards that show two or three like prints each are seen less well, as cards, than their prints.
CONTAINERS_WORTH = 0.4
# Of the long side: a phone's main camera, its longer ones, and pictures that were cropped.
FOCALS = (USUAL_FOCAL, 1.2, 1.9)


@dataclass(frozen=True, slots=True)
class FoundCard:
    """A card in photo pixels: `corners` (4, 2), clockwise from the one nearest the top left, those of the sides
    prolonged, before rounding; `quality` 0 to 1: how well its outline is seen and agrees with the others."""

    corners: Points
    quality: float


def find_cards(pixels: Pixels) -> tuple[FoundCard, ...]:
    """The cards in a photo (h, w, 3), from far to near; none where nothing looks like one."""
    found = _without_cloth(candidates(pixels, SEEN_WITH_OTHERS))
    shapes = [s for s in found.shapes if s.fill > FOUR_SIDED and s.support >= SEEN]
    shapes = sorted(shapes, key=lambda s: -s.worth * np.sqrt(s.area))[:MOST_SHAPES]
    group, focal = _best_group(shapes, found)
    if not group:
        return ()
    cards = [s for s in outermost(group, shapes, found.size, focal) if s is not None]
    plane = plane_of(cards, found.size, focal)
    cards = _with_others(cards, plane, found)
    return _refined(pixels, cards, found.scale, plane)


def _without_cloth(found: Candidates) -> Candidates:
    """The candidates without the squares of a checked cloth."""
    cloth = checked(found.shapes, found.pixels)
    return replace(found, shapes=[s for s, square in zip(found.shapes, cloth, strict=True) if not square])


def _best_group(shapes: Sequence[Shape], found: Candidates) -> tuple[list[Shape], float]:
    """The set of equal rectangles that shows most, by number, size, print and how well they are seen; and the focal
    length with which they are equal."""
    printed = _printed(shapes, found.steps)
    value = {id(s): float(s.worth * p * np.sqrt(s.area)) for s, p in zip(shapes, printed, strict=True)}

    def worth(pieces: Sequence[Shape]) -> float:
        return sum((value[id(s)] for s in pieces), 0.0)

    options = [[shapes[i] for i in option.chosen] for option in (*singles(shapes), *size_sets(shapes))]
    options = sorted(options, key=worth, reverse=True)
    best: tuple[float, list[Shape], float] = (0.0, [], USUAL_FOCAL)
    for option in options[:LOOKED_AT]:
        for focal in FOCALS:
            # What the set is worth with all its members cannot be reached with fewer.
            if worth(option) <= best[0]:
                break
            equal = _equal(option, found.size, focal)
            if worth(equal) > best[0]:
                best = (worth(equal), equal, focal)
    for option in options:
        if worth(option) > CONTAINERS_WORTH * best[0] and _contain(option, best[1]):
            equal = _equal(option, found.size, best[2])
            if worth(equal) > CONTAINERS_WORTH * best[0] and _contain(equal, best[1]):
                return equal, best[2]
    return best[1], best[2]


def _printed(shapes: Sequence[Shape], steps: NDArray[np.float32]) -> Array:
    """How much print each shape shows, from a quarter for none, such as a square of a checked cloth, to 1."""
    if not shapes:
        return np.zeros(0)
    share = (sampled(steps, inside(shapes)) > PRINT_STEP).mean(axis=1)
    return np.asarray(0.25 + 0.75 * np.minimum(share / ENOUGH_PRINT, 1.0), np.float64)


def _contain(outer: Sequence[Shape], inner: Sequence[Shape]) -> bool:
    """Whether most of the inner pieces lie in outer ones as the print of a card does: not too many or too small."""
    if not inner or not outer or len(outer) * 4 < len(inner):
        return False
    area = float(np.median([s.area for s in outer])) / float(np.median([s.area for s in inner]))
    if not 1.5 < area < 8:
        return False
    lying = sum(any(_over(o, i) for o in outer) for i in inner)
    return lying > 0.6 * len(inner)


def _over(outer: Shape, inner: Shape) -> bool:
    x, y = inner.centre
    inside = cv2.pointPolygonTest(outer.outline, (float(x), float(y)), False) > 0
    return inside and overlap(outer.outline, inner.outline) > 0.9


def _equal(pieces: list[Shape], size: tuple[int, int], focal: float) -> list[Shape]:
    """Those of the pieces that are rectangles of one size on the plane that they agree on."""
    for _ in range(2):
        plane = plane_of(pieces, size, focal)
        flat = plane.flat(np.stack([piece.quad for piece in pieces]))
        sides = _short_long(flat)
        agree = (np.abs(sides - np.median(sides, axis=0)).max(axis=1) < SAME_SIZE) & right_angled(flat)
        pieces = [piece for piece, agrees in zip(pieces, agree, strict=True) if agrees]
        if agree.all() or not pieces:
            break
    return pieces


def _short_long(flat: Array) -> Array:
    """Logarithms (n, 2) of the short and the long side of quads (n, 4, 2) on the plane."""
    lengths = np.linalg.norm(np.roll(flat, -1, axis=1) - flat, axis=2)
    return np.asarray(np.sort(np.log((lengths[:, :2] + lengths[:, 2:]) / 2), axis=1), np.float64)


def _with_others(cards: list[Shape], plane: Plane, found: Candidates) -> list[Shape]:
    """The cards and further ones of their size that were seen less well."""
    usual = np.median(_short_long(plane.flat(np.stack([card.quad for card in cards]))), axis=0)
    likely = [shape for shape in found.shapes if shape.fill > 0.9]
    if not likely:
        return cards
    flat = plane.flat(np.stack([shape.quad for shape in likely]))
    miss = np.abs(_short_long(flat) - usual).max(axis=1)
    fits = (miss < SAME_SIZE) & right_angled(flat)
    fitting = [(s.worth - 4 * float(m), s) for s, m, fit in zip(likely, miss, fits, strict=True) if fit]
    kept = list(cards)
    for _, shape in sorted(fitting, key=lambda pair: -pair[0])[:MOST_SHAPES]:
        if all(overlap(shape.outline, other.outline) < 0.2 for other in kept):
            kept.append(shape)
    return kept


def _refined(pixels: Pixels, cards: list[Shape], scale: float, plane: Plane) -> tuple[FoundCard, ...]:
    """The cards in photo pixels with their sides fitted, from far to near."""
    sides = _short_long(plane.flat(np.stack([card.quad for card in cards])))
    misses = np.abs(sides - np.median(sides, axis=0)).max(axis=1)
    quads = np.stack([(card.quad + 0.5) / scale - 0.5 for card in cards])
    fitted, _ = fit_sides(pixels, quads, min(8.0, max(3.0, 2.5 / scale)))
    found = []
    for card, quad, before, miss in zip(cards, fitted, quads, misses, strict=True):
        moved = np.linalg.norm(quad - before, axis=1).max()
        corners = quad if moved < 0.05 * np.sqrt(cv2.contourArea(before)) else before
        quality = float(np.clip(card.support * (1 - miss / (2 * SAME_SIZE)), 0, 1))
        found.append(FoundCard(corners.astype(np.float32), quality))
    return tuple(sorted(found, key=lambda c: float(c.corners[:, 1].mean())))
