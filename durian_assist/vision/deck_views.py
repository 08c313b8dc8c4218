"""How a deck's pictures look at every size, in every turn and under one light: what photos are compared with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from durian_assist.vision.coarse import Bank
from durian_assist.vision.correlation import TELLING, best_shifted, features, own_leads, unit
from durian_assist.vision.deck_profile import CardClass
from durian_assist.vision.rectify import Floats, Pixels, evened, median, quantile, to_lab, white_of

FINE = 96
COARSE = 24
# Spread of the classes' white patches in hue (natural logarithm) beyond which they have no white in common.
TINT = 0.25
# The paper of a card is as light as this share of it stays below, as for its white patch.
PAPER = 0.9
# A card's print lies so far from where that of another does, in pixels of the full canvas: 2 mm of a card of 63.
SHIFT = 3
# Classes whose references correlate by less are never taken for one another.
ALIKE = 0.6


@dataclass(slots=True)
class DeckViews:
    """The references of some classes as they are compared; made when asked for, and kept.

    `photo_white` (3,): the white patch of the photo that they are compared with, where the deck's cards have no white
    in common; else each reference is balanced by its own.
    """

    classes: Sequence[CardClass]
    photo_white: Floats | None = None
    banks: dict[str, Bank] = field(default_factory=dict)
    _turned: dict[tuple[str, int, int], Floats] = field(default_factory=dict)
    _labs: dict[tuple[str, int], list[Floats]] = field(default_factory=dict)
    _inks: dict[tuple[str, int, int], Floats] = field(default_factory=dict)
    _whites: dict[int, Floats] = field(default_factory=dict)
    _fine: dict[tuple[str, int], Pixels] = field(default_factory=dict)
    _told: dict[tuple[str, int, int], float] = field(default_factory=dict)
    _tinted: bool | None = None

    def __post_init__(self) -> None:
        for group in dict.fromkeys(c.size_group for c in self.classes):
            self.banks[group] = self._bank([c for c in self.classes if c.size_group == group])

    def _bank(self, classes: Sequence[CardClass]) -> Bank:
        aspect = float(median([c.aspect for c in classes]))
        size, coarse_size = canvas_size(aspect, FINE), canvas_size(aspect, COARSE)
        small = np.stack([evened(self.reference(c, 0, coarse_size)) for c in classes])
        contrast = float(small[..., 0].std((1, 2)).min())
        # Laid on its side a piece that is not square has no canvas of this shape.
        laid = [np.rot90(small, -turns if size[0] == size[1] else -turns // 2 * 2, (1, 2)) for turns in range(4)]
        coarse = np.stack([unit(features(one)) for one in laid])
        return Bank(size, coarse_size, tuple(classes), tuple(c.name for c in classes), coarse, contrast)

    @property
    def tinted(self) -> bool:
        """Do the classes' white patches differ in hue, so that balancing each by its own takes colours away?"""
        if self._tinted is None:
            patches = np.log(np.stack([self.patch(c, 0) for c in self.classes]))
            hue = patches - patches.mean(1, keepdims=True)
            self._tinted = bool(np.abs(hue - median(hue)).max() > TINT)
        return self._tinted

    def deck_white(self, index: int) -> Floats:
        """The usual white patch of the references number `index` of all classes: those of one calibration photo."""
        some = [self.patch(c, min(index, len(c.references) - 1)) for c in self.classes]
        return np.asarray(median(some), np.float32)

    def patch(self, card: CardClass, index: int) -> Floats:
        """The white patch of a reference, seen small."""
        return white_of(self._sized(card, index, (COARSE, COARSE)))

    def reference(self, card: CardClass, index: int, size: tuple[int, int]) -> Floats:
        """(h, w, 3) a reference in colours to compare, its light not evened out."""
        small = self._sized(card, index, size)
        if self.photo_white is None:
            return to_lab(small, white_of(small))
        if index not in self._whites:
            self._whites[index] = self.deck_white(index)
        return to_lab(small, self._whites[index])

    def _sized(self, card: CardClass, index: int, size: tuple[int, int]) -> Pixels:
        """A reference at a size: all smaller ones are made from that of full canvas size, which is kept."""
        key = (card.name, index)
        if key not in self._fine:
            self._fine[key] = _shrunk(card.references[index], canvas_size(card.aspect, FINE))
        return np.asarray(cv2.resize(self._fine[key], size, interpolation=cv2.INTER_AREA), np.uint8)

    def seen(self, group: str, k: int, turns: int) -> Floats:
        """A class's references (n, 3, p), laid with `turns` more than the crop's canvas, as that canvas shows them."""
        key = (group, k, turns)
        if key not in self._turned:
            bank = self.banks[group]
            labs = [np.rot90(lab, -turns) for lab in self._upright(group, k)]
            w, h = bank.size
            sized = [x if x.shape[:2] == (h, w) else cv2.resize(np.ascontiguousarray(x), (w, h)) for x in labs]
            self._turned[key] = unit(features(np.stack(sized)))
        return self._turned[key]

    def ink(self, group: str, k: int, turns: int) -> Floats:
        """(h, w) how much darker than its paper a class's first reference is, laid as in `seen`; 1 on the paper."""
        key = (group, k, turns)
        if key not in self._inks:
            light = np.rot90(self._upright(group, k)[0][..., 0], -turns)
            w, h = self.banks[group].size
            sized = light if light.shape == (h, w) else cv2.resize(np.ascontiguousarray(light), (w, h))
            self._inks[key] = np.asarray(np.maximum(quantile(sized, PAPER) - sized, 0) + 1, np.float32)
        return self._inks[key]

    def trust(self, group: str, k: int, other: int) -> float:
        """How far a lead of class k over another may be trusted: 1 where the deck's own photos tell the two apart.

        Each reference of the one is held against its further references and those of the other. What does not name the
        references themselves for sure (light or sheen between two calibration photos counts for more than what tells
        the classes apart) cannot name a card. A class with one reference shows nothing, and neither do classes that are
        not alike, whatever ails their references: 1. They are aligned first, as pieces are, where it matters.
        """
        key = (group, min(k, other), max(k, other))
        if key not in self._told:
            mine, theirs = ((seen := self.seen(group, a, 0)).reshape(len(seen), -1) for a in (k, other))
            both = mine @ theirs.T
            leads = [TELLING]
            if float(both.max()) >= ALIKE:
                leads += [*own_leads(mine @ mine.T, both), *own_leads(theirs @ theirs.T, both.T)]
            if min(leads) < TELLING:
                leads = [TELLING, *self._aligned_leads(group, k, other)]
            self._told[key] = float(np.clip(min(leads) / TELLING, 0.0, 1.0))
        return self._told[key]

    def _aligned_leads(self, group: str, k: int, other: int) -> list[float]:
        """The leads of the references of two classes over each other, each pair laid where it fits best."""
        mine, theirs = self._upright(group, k), self._upright(group, other)
        both = best_shifted(mine, theirs, SHIFT)
        each = (best_shifted(one, one, SHIFT) for one in (mine, theirs))
        return [x for own, across in zip(each, (both, both.T), strict=True) for x in own_leads(own, across)]

    def _upright(self, group: str, k: int) -> list[Floats]:
        """A class's references at full canvas size."""
        if (group, k) not in self._labs:
            bank = self.banks[group]
            card = bank.classes[k]
            self._labs[group, k] = [evened(self.reference(card, i, bank.size)) for i in range(len(card.references))]
        return self._labs[group, k]


def canvas_size(aspect: float, side: int) -> tuple[int, int]:
    """Width and height of a canvas with the area of `side` squared."""
    return round(side * aspect**0.5), round(side / aspect**0.5)


def _shrunk(reference: Pixels, size: tuple[int, int]) -> Pixels:
    """A reference at a size (width, height), halved as often as it goes: that takes a fifth of the time."""
    while reference.shape[0] >= 2 * size[1] and reference.shape[1] >= 2 * size[0]:
        half = (reference.shape[1] // 2, reference.shape[0] // 2)
        reference = np.asarray(cv2.resize(reference, half, interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(cv2.resize(reference, size, interpolation=cv2.INTER_AREA), np.uint8)
