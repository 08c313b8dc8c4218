"""Streaks of light on a sleeved card of a Durian table: what is lighter than each face that it may show says nothing.

See `glints`: a streak is not blown out, only the faces tell it from a light print. On dark cards it is by far the
strongest contrast of the photo. Left out are the pixels that all likely faces leave over; which of them it is, is then
told by the rest, with less trust the less like a card the rest is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.correlation import LEAD_STEEPNESS
from durian_assist.vision.durian_fit import Spot, Verdict
from durian_assist.vision.durian_layers import CLEAR, SIZE_OFF, UNCOVERED, Laid, Table
from durian_assist.vision.glints import ROUNDS, lighter_than_all

Mask = NDArray[np.bool_]

FEW = 0.06  # of what is seen of a card: fewer glints do not hide its face
LIKE = 0.4  # correlation at the start: from less a place does not move onto the card
# A piece of a streak is so many times longer than wide; of one streak they lie no further apart (of a card's height).
LONG, GAP = 2.0, 1 / 3
USUAL = 0.95  # correlation of a card of which nothing is hidden


def without_glints(table: Table, card: Laid, mask: Mask) -> Laid:
    """The card by the part `mask` (h, w) once glints are left out; as it was where that makes no clear card of it."""
    lit = None if card.lit is None else card.lit.tobytes()
    return table.once((card, lit, mask.tobytes()), lambda: _without_glints(table, card, mask))


def _without_glints(table: Table, card: Laid, mask: Mask) -> Laid:
    best = card
    for _ in range(ROUNDS):
        lit = ~_glints(table, best.spot, best.verdict, mask)
        if np.count_nonzero(mask & ~lit) < FEW * np.count_nonzero(mask):
            break
        again = _laid(table, best, mask, lit)
        if again is None or again.quality <= best.quality or abs(again.spot.size - 1) > SIZE_OFF:
            break
        best = again
    return replace(best, verdict=_prudent(best.verdict)) if best is not card and best.quality > CLEAR else card


def streakless(table: Table, spot: Spot, part: str, looks: Sequence[Laid]) -> list[Laid]:
    """What was seen of a part of a card, and where none of it is clear, also what is seen of it beside glints."""
    if any(card.quality > CLEAR for card in looks):
        return list(looks)
    mask = table.part(part)
    there = Laid(spot, table.judge.judge(table.picture, table.plane, spot, mask), part, 0.0)
    likely = max(looks, key=lambda card: card.verdict.score, default=there)
    beside = [without_glints(table, there, mask), without_glints(table, likely, table.part(likely.part))]
    return [*looks, *(_grown(table, card) for card in beside)]


def _grown(table: Table, card: Laid) -> Laid:
    """A card that is clear beside glints as a whole one where all of it is: the rest may say another thing of it."""
    if card.part == "whole" or card.lit is None:
        return card
    mask = table.part("whole")
    whole = without_glints(table, replace(card, part="whole", lit=None, fit=0.0), mask)
    return whole if whole.quality > max(CLEAR, card.quality - UNCOVERED) else card


def _laid(table: Table, card: Laid, mask: Mask, lit: Mask) -> Laid | None:
    """The card with the likeliest face by what is `lit` evenly (h, w), moved to where that fits best; None where no
    face is like it."""
    judge = table.judge
    first = judge.judge(table.picture, table.plane, card.spot, mask, lit)
    if first.score < LIKE:
        return None
    spot, fit = judge.place(table.picture, table.plane, card.spot, first.face, first.turned, mask, lit)
    return replace(card, spot=spot, fit=fit, lit=lit, verdict=judge.judge(table.picture, table.plane, spot, mask, lit))


def _glints(table: Table, spot: Spot, verdict: Verdict, mask: Mask) -> Mask:
    """(h, w) what is lighter at the spot than each of the likely faces."""
    judge = table.judge
    crop = table.picture.warp(table.plane.matrix @ spot.canvas(*judge.small), judge.small)
    seen = cv2.resize((mask & judge.body).astype(np.uint8), judge.small, interpolation=cv2.INTER_NEAREST) > 0
    colours = (np.asarray(judge.colours(face, turned), np.uint8) for face, turned in _faces(verdict))
    small = (np.asarray(cv2.resize(one, judge.small, interpolation=cv2.INTER_AREA), np.uint8) for one in colours)
    glints = lighter_than_all(_light(crop)[seen], (_light(one)[seen] for one in small), seen).astype(np.uint8)
    return np.asarray(cv2.resize(_joined(glints), judge.size, interpolation=cv2.INTER_NEAREST) > 0, np.bool_)


def _joined(glints: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(h, w) glints, and the gaps between pieces of one streak, that go on in each other's directions.

    A streak's piece on the light print of a face that the card may show is what that face has there.
    """
    count, labels = cv2.connectedComponents(glints)
    ways = np.zeros(glints.shape, np.uint8)
    for label in range(1, count):
        piece = np.argwhere(labels == label)[:, ::-1].astype(np.float64)
        middle = piece.mean(axis=0)
        spreads, axes = np.linalg.eigh(np.cov(piece.T) + np.eye(2) / 12)
        # A run of n pixels has a spread of n squared by twelve.
        across, along = np.sqrt(12 * spreads)
        if along > LONG * across:
            reach = axes[:, 1] * (along / 2 + GAP * len(glints))
            way = np.zeros(glints.shape, np.uint8)
            first, last = (np.round(middle + side * reach).astype(int).tolist() for side in (-1, 1))
            cv2.line(way, first, last, 1, max(round(float(across)), 1))
            ways += way
    return glints | np.asarray(ways > 1, np.uint8)


def _light(pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.float32)


def _faces(verdict: Verdict) -> Sequence[tuple[int, bool]]:
    return [(verdict.face, verdict.turned), *((face, turned) for face, turned, _ in verdict.rivals)]


def _prudent(verdict: Verdict) -> Verdict:
    """No lead that is smaller than what the card lacks of the usual correlation counts in full."""
    lacks = max(USUAL - verdict.score, 1e-6)
    odds = []
    for _, _, p in verdict.rivals:
        lead = -np.log(max(p, 1e-9) / verdict.confidence) / LEAD_STEEPNESS
        odds.append(float(np.exp(-LEAD_STEEPNESS * lead * min(lead / lacks, 1.0))))
    total = 1.0 + sum(odds)
    rivals = tuple((face, turned, o / total) for (face, turned, _), o in zip(verdict.rivals, odds, strict=True))
    return replace(verdict, confidence=1.0 / total, rivals=rivals)
