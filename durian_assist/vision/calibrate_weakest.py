"""Which classes of a deck look most alike: told from its references alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.correlation import best_shifted
from durian_assist.vision.deck_profile import CardClass, Pixels
from durian_assist.vision.deck_views import SHIFT

Array = NDArray[np.float32]

SIDE = 96
REPORTED = 8
# So many of the classes that come nearest as they lie are laid where they fit best, which takes far longer.
ALIGNED = 3
# Two pictures of one card differ by as much as this: a smaller margin is as good as none, or negative.
CHANCE = 0.003


def weakest_pairs(classes: Sequence[CardClass]) -> tuple[tuple[str, str, float], ...]:
    """The pairs with the least margin, weakest first: (class, the class it is most like, margin)."""
    pairs = []
    for group in dict.fromkeys(card.size_group for card in classes):
        pairs += _group_pairs([card for card in classes if card.size_group == group])
    return tuple(sorted(pairs, key=lambda pair: pair[2])[:REPORTED])


def confused(weakest: Sequence[tuple[str, str, float]]) -> list[tuple[str, str]]:
    """The pairs of classes that are more alike than the pictures of one of them from two photos."""
    return [(first, second) for first, second, margin in weakest if margin < CHANCE]


def _group_pairs(classes: Sequence[CardClass]) -> list[tuple[str, str, float]]:
    signatures = [[signature(r, card.outline) for r in card.references] for card in classes]
    pairs: dict[frozenset[str], tuple[str, str, float]] = {}
    for own, card in enumerate(classes):
        alike = [(_likeness(signatures[own], s, card.aspect), i) for i, s in enumerate(signatures) if i != own]
        if not alike:
            continue
        nearest = sorted(alike, reverse=True)[:ALIGNED]
        most, index = max((_likeness(signatures[own], signatures[i], card.aspect, best_shifted), i) for _, i in nearest)
        pair = (card.name, classes[index].name, _sameness(signatures[own]) - most)
        key = frozenset(pair[:2])
        if key not in pairs or pair[2] < pairs[key][2]:
            pairs[key] = pair
    return list(pairs.values())


def _sameness(own: Sequence[Array]) -> float:
    """The mean correlation of a class's references with each other, each pair laid where it fits best; 1 for one."""
    count = len(own)
    if count == 1:
        return 1.0
    return float((best_shifted(own, own, SHIFT).sum() - count) / (count * (count - 1)))


def signature(reference: Pixels, outline: NDArray[np.float64]) -> Array:
    """White-balanced Lab picture (96, 96, 3) of mean 0 and length 1; nothing outside the outline (n, 2), in units of
    the picture, counts."""
    inside = np.zeros((SIDE, SIDE), np.uint8)
    cv2.fillPoly(inside, [np.round(outline * SIDE).astype(np.int32)], 1)
    small = cv2.resize(reference, (SIDE, SIDE), interpolation=cv2.INTER_AREA).astype(np.float32)
    white = np.maximum(np.percentile(small[inside > 0], 90, axis=0), 1)
    balanced = np.clip(small / white, 0, 1).astype(np.float32)
    lab = cv2.cvtColor(balanced, cv2.COLOR_BGR2Lab)
    lab = (lab - lab[inside > 0].mean(axis=0)) * inside[..., None]
    return np.asarray(lab / max(float(np.linalg.norm(lab)), 1e-6), np.float32)


def _unmoved(own: Sequence[Array], other: Sequence[Array], _: int) -> Array:
    """(n, m) the products of n and m pictures as they lie."""
    mine, theirs = (np.stack([one.ravel() for one in pictures]) for pictures in (own, other))
    return np.asarray(mine @ theirs.T, np.float32)


def _likeness(
    own: Sequence[Array],
    other: Sequence[Array],
    aspect: float,
    correlations: Callable[[Sequence[Array], Sequence[Array], int], Array] = _unmoved,
) -> float:
    """Best correlation over the ways in which the other card could lie.

    Where both have several references, those of one number are left out: they are from one photo, and its light makes
    them alike, as a class's own pictures from two photos are not.
    """
    turns = (0, 1, 2, 3) if abs(aspect - 1) < 0.05 else (0, 2)
    turned = [[np.ascontiguousarray(np.rot90(one, turn)) for one in other] for turn in turns]
    same_photo = np.eye(len(own), len(other), dtype=np.bool_) if min(len(own), len(other)) > 1 else False
    return float(max(np.mean(correlations(own, laid, SHIFT), where=~np.asarray(same_photo)) for laid in turned))
