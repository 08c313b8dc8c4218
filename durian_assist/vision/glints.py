"""Streaks of light on a sleeve or a glossy card: what is lighter than any card that the place may hold says nothing.

A streak is not blown out, so nothing in the photo alone tells it from a light print. The references do: laid on the
place with a brightness and a contrast of their own (fitted to most of the pixels, so that the streak does not count),
each leaves the streak over; what all of them leave over is none of the print. Where they differ, one of them has it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import cv2
import numpy as np

from durian_assist.vision.recognise import Identity, Recogniser
from durian_assist.vision.rectify import Floats, Mask, Picture, canvas_to_photo

SIDE = 64
# Alignment and glints each get better with the other: so often.
ROUNDS = 3
FITS = 5
# A pixel is left over when it is lighter by more robust standard deviations than this: noise hardly ever is.
OUTLYING = 3.0
# Glints on less of a piece than this change nothing.
HARDLY_ANY = 0.02
# How far a place may lie off at first, and once glints are known, as a share of its side.
REACH, NEAR = 0.12, 0.06
# The median distance from the median, in standard deviations of a normal distribution.
MAD = 1.4826


def without_glints(recogniser: Recogniser, picture: Picture, seen: Identity, usual: float) -> Identity:
    """What lies at a place once glints are left out; `seen` as it was where that is no more like a reference.

    `usual`: the usual correlation of the photo's cards. By how much the place falls short of it, so much may what is
    left of the light have changed: no lead that is smaller counts in full.
    """
    best = seen
    for i in range(ROUNDS):
        clear = ~glints(recogniser, picture, best)
        if clear.mean() > 1 - HARDLY_ANY:
            break
        again = recogniser.identify(picture, best.corners, visible=clear, reach=NEAR if i else REACH, rigid=True)
        if again.best.score <= best.best.score:
            break
        best = again
    return best if best is seen else _prudent(best, usual)


def glints(recogniser: Recogniser, picture: Picture, seen: Identity) -> Mask:
    """(SIDE, SIDE) what is lighter than each card that the place may hold, in the frame of the identity's corners."""
    crop = picture.warp(canvas_to_photo(seen.corners, (SIDE, SIDE)), (SIDE, SIDE))
    light = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY).astype(np.float32).ravel()
    classes = {card.name: card for card in recogniser.classes}
    references = (
        np.rot90(
            recogniser.views.reference(classes[one.name], 0, (SIDE, SIDE))[..., 0], seen.best.turns - one.turns
        ).ravel()
        for one in seen.ranked
    )
    return lighter_than_all(light, references, np.ones((SIDE, SIDE), np.bool_))


def lighter_than_all(light: Floats, references: Iterable[Floats], shown: Mask, least: float = 0.0) -> Mask:
    """(h, w) what each of some references leaves over, and what touches it.

    `light`, `references` (p,): lightness of the `shown` (h, w) pixels. With less than a share `least` of these: none.
    """
    over = np.ones(light.shape, np.bool_)
    for reference in references:
        over &= left_over(light, reference)
        if over.sum() < least * over.size:
            return np.zeros(shown.shape, np.bool_)
    drawn = np.zeros(shown.shape, np.uint8)
    drawn[shown] = over
    return np.asarray(cv2.dilate(drawn, np.ones((3, 3), np.uint8)) > 0, np.bool_)


def left_over(light: Floats, reference: Floats) -> Mask:
    """(p,) the pixels that are lighter than a reference says, its brightness and contrast fitted to the others."""
    fits = np.ones(light.shape, np.bool_)
    rest, spread = light, np.inf
    for _ in range(FITS):
        x, y = reference[fits], light[fits]
        middle, level = float(x.sum()) / len(x), float(y.sum()) / len(y)
        x, y = x - np.float32(middle), y - np.float32(level)
        slope = max(float(x @ y) / len(x) / (float(x @ x) / len(x) + 1e-6), 0.0)
        rest = light - np.float32(slope) * reference - np.float32(level - slope * middle)
        inner = rest[fits]
        spread = MAD * float(_middle(np.abs(inner - _middle(inner)))) + 1e-6
        fits = rest < OUTLYING * spread
    return np.asarray(~fits, np.bool_)


def _middle(values: Floats) -> np.float32:
    """The value of which half of the others (p,) are no larger."""
    return np.float32(np.partition(values, len(values) // 2)[len(values) // 2])


def _prudent(seen: Identity, usual: float) -> Identity:
    """An identity whose leads count for less where they are smaller than what it lacks of the usual correlation."""
    best, lacks = seen.best, max(usual - seen.best.score, 1e-6)
    odds = [
        (c.probability / best.probability) ** min((best.score - c.score) / lacks, 1.0) if c is not best else 1.0
        for c in seen.ranked
    ]
    share = sum(c.probability for c in seen.ranked) / sum(odds)
    ranked = tuple(replace(c, probability=o * share) for c, o in zip(seen.ranked, odds, strict=True))
    return replace(seen, ranked=ranked, confidence=ranked[0].probability * seen.card)
