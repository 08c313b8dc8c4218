"""Where the fans of known cards go on: a fan's own step tells where one more card would show its strip."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from durian_assist.vision.dash_parts import STRIPS, Part, Proposal, moved
from durian_assist.vision.dash_plane import Floats, Pose
from durian_assist.vision.layers import FANNED, WORTH_REFINING, Explanation, Laid

# Hands step by so much more or less, as a share of the step.
UNEVEN = 0.5


def further(layers: Explanation, aspect: float) -> Iterator[Proposal]:
    """What is a little like a card where a fan of those that `layers` knows would go on.

    A streak of light on a sleeve leaves of a strip less than a search of the whole table takes for a card.
    """
    for pose, part, spread in ends(layers.laid, aspect):
        yield from layers.at_end(pose, part, spread, WORTH_REFINING)


def ends(laid: Sequence[Laid], aspect: float) -> list[tuple[Pose, Part, tuple[float, float]]]:
    """Poses of cards that would lie next in each fan, the strips that they would show, and how far (shares of a card's
    width and height) they may lie off. `laid`: the topmost first."""
    centres = np.array([card.pose.centre for card in laid]).reshape(-1, 2)
    found = []
    for k, low in enumerate(laid):
        if low.share >= FANNED[1]:
            continue
        steps = [(step, part) for upper in centres[:k] if (part := _strip(step := _step(low, upper, aspect)))]
        if not steps:
            continue
        step, part = min(steps, key=lambda entry: float(np.hypot(*entry[0])))
        way = _turned(step * (aspect, 1.0), low.pose.angle)
        place = centres[k] + way
        if np.hypot(*(centres - place).T).min() > UNEVEN * float(np.hypot(*way)):
            along = UNEVEN * np.abs(step)
            aside = float(np.abs(step).max()) * UNEVEN / 2
            spread = (max(float(along[0]), aside), max(float(along[1]), aside))
            found.append((Pose(float(place[0]), float(place[1]), low.pose.angle), part, spread))
    return found


def beneath(laid: Sequence[Laid], aspect: float) -> list[tuple[Pose, Part, tuple[float, float]]]:
    """As `ends` for cards that may lie below each card in a fan of any step; distances in card heights."""
    found = []
    for card in laid:
        for part in STRIPS:
            near, far = np.array(part.near) * (aspect, 1.0), np.array(part.far) * (aspect, 1.0)
            across, down = (float(v) for v in (far - near) / 2)
            found.append((moved(card.pose, *(near + far) / 2), part, (across, down)))
    return found


def _step(low: Laid, upper: Floats, aspect: float) -> Floats:
    """From an upper card's centre to that of a lower one in widths and heights of the lower card, in its own frame."""
    return _turned(np.array(low.pose.centre) - upper, -low.pose.angle) / (aspect, 1.0)


def _turned(way: Floats, angle: float) -> Floats:
    cos, sin = float(np.cos(angle)), float(np.sin(angle))
    return np.array([cos * way[0] - sin * way[1], sin * way[0] + cos * way[1]])


def _strip(step: Floats) -> Part | None:
    """The strip that a fan of such steps leaves free; None for cards that are no neighbours in a fan."""
    fits = [part for part in STRIPS if (np.array(part.near) <= step).all() and (step <= np.array(part.far)).all()]
    return fits[0] if fits else None
