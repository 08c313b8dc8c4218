"""The market of Durian Dash in a photo: two rows, the Pahang card above the one, the Johor card below the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from durian_assist.vision.dash_seen import SeenCard

PLANTATION = "plantation/"
UPPER, LOWER = "pahang", "johor"


def market_rows(cards: Sequence[SeenCard], others: Sequence[SeenCard]) -> dict[str, list[int]] | None:
    """Numbers of the cards of each row from left to right, or None where no plantation card is seen.

    "Above" and "left" are as the table is seen with Pahang above Johor; with one plantation card the cards' own upright
    direction says what is above.
    """
    places = {o.name.removeprefix(PLANTATION): np.array(o.place) for o in others if o.name.startswith(PLANTATION)}
    if not places.keys() & {UPPER, LOWER}:
        return None
    rows: dict[str, list[int]] = {UPPER: [], LOWER: []}
    if not cards:
        return rows
    centres = np.array([card.place for card in cards])
    down, middle = _axis(places, centres)
    along = centres @ np.array((down[1], -down[0]))
    lower = centres @ down > middle
    for number in np.argsort(along, kind="stable"):
        rows[LOWER if lower[number] else UPPER].append(int(number))
    return rows


def unseen_rows(rows: Mapping[str, Sequence[int]], others: Sequence[SeenCard]) -> tuple[str, ...]:
    """Those of the rows that have no card and whose plantation card is not among the others: nothing tells that they
    are empty rather than outside the photo."""
    seen = {other.name.removeprefix(PLANTATION) for other in others}
    return tuple(row for row, numbers in rows.items() if not numbers and row not in seen)


def _axis(places: dict[str, np.ndarray], centres: np.ndarray) -> tuple[np.ndarray, float]:
    """The direction from Pahang to Johor, and where along it the two rows part."""
    if UPPER in places and LOWER in places:
        step = places[LOWER] - places[UPPER]
        down = step / max(float(np.linalg.norm(step)), 1e-6)
        heights = centres @ down
        return down, _gap(heights, float((places[UPPER] + places[LOWER]) @ down) / 2)
    down = np.array((0.0, 1.0))
    heights = centres @ down
    known, sign = (places[UPPER], 1.0) if UPPER in places else (places[LOWER], -1.0)
    # One row lies a card's height from its plantation card, the other row one more.
    return down, _gap(heights, float(known @ down) + sign * 1.7)


def _gap(heights: np.ndarray, guess: float) -> float:
    """The middle of the gap between cards in which the guess lies: rows are laid by hand."""
    above, below = heights[heights <= guess], heights[heights > guess]
    if not len(above) or not len(below):
        return guess
    return float(above.max() + below.min()) / 2
