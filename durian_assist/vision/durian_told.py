"""The last word on a card of a table: between all faces that what is seen of it allows, laid exactly where need be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.durian_fit import Verdict
from durian_assist.vision.durian_layers import Laid, Table
from durian_assist.vision.durian_twins import CLOSE_RIM, Twins

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

PLAIN = 0.9  # a verdict that is more sure needs no other way of laying the card


def told(table: Table, twins: Twins, card: Laid, seen: Mask) -> Laid:
    """The card with a verdict between all faces that what is `seen` of it (h, w) allows.

    Where that leaves more than one, the card is laid exactly on the likeliest ones.
    """
    view, use = table.judge.look(table.picture, table.plane, card.spot, seen, CLOSE_RIM, card.lit)
    first = twins.told(view, use, card.verdict)
    return replace(card, verdict=first if first.confidence > PLAIN else _exactly(twins, view, use, first))


def _exactly(twins: Twins, view: Floats, use: Mask, first: Verdict) -> Verdict:
    """What a card's contrast (h, w, 3) and pixels in use (h, w) show once it is laid exactly on the face that it then
    shows; the `first` verdict where this is so of none, or of two that are both sure."""
    left = [(first.face, first.turned), *((face, turned) for face, turned, _ in first.rivals[:1])]
    tried: list[tuple[int, bool]] = []
    found: list[Verdict] = []
    while left:
        key = left.pop(0)
        tried.append(key)
        way = twins.told(*twins.laid(view, use, key), first)
        shown = (way.face, way.turned)
        if shown == key:
            found.append(way)
        elif shown not in [*tried, *left]:
            left.append(shown)
    sure = [way for way in found if way.confidence > PLAIN]
    return max(found, key=lambda way: way.score) if found and len(sure) < 2 else first
