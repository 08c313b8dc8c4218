"""Tables of Dash cards painted from the shipped references, so that every corner is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.dash_seen import is_variety
from durian_assist.vision.deck_profile import DeckProfile

Pixels = NDArray[np.uint8]
Points = NDArray[np.float64]

CARD = 300.0  # pixels of a card's height
DARK = 0.3  # share of a light deck's lightness that a dark one has


@dataclass(frozen=True, slots=True)
class Scene:
    """A painted photo; `cards` are (name, corners) from the lowest card to the top one."""

    pixels: Pixels
    cards: tuple[tuple[str, Points], ...]


def faces(profile: DeckProfile) -> dict[str, Pixels]:
    """One picture of each class, the last: calibration's second photo."""
    return {kind.name: kind.references[-1] for kind in profile.classes}


def printed_dark(light: DeckProfile) -> DeckProfile:
    """The deck printed on dark cards."""
    dark = tuple(
        replace(kind, references=tuple((picture * DARK).astype(np.uint8) for picture in kind.references))
        for kind in light.classes
    )
    return replace(light, classes=dark)


def varieties(profile: DeckProfile) -> list[str]:
    """The names that count in a collection."""
    return [kind.name for kind in profile.classes if is_variety(kind.name)]


def column(names: Sequence[str], covered: float, *, seed: int = 0) -> list[tuple[str, float, float, float]]:
    """A fan downwards: (name, x, y, degrees) in card heights; each card covers `covered` of the one before."""
    rng = np.random.default_rng(seed)
    return [
        (name, float(rng.normal(0, 0.02)), n * (1 - covered), float(rng.normal(0, 1.2))) for n, name in enumerate(names)
    ]


def shifted(
    cards: Sequence[tuple[str, float, float, float]], dx: float, dy: float
) -> list[tuple[str, float, float, float]]:
    """The same cards further right and down."""
    return [(name, x + dx, y + dy, degrees) for name, x, y, degrees in cards]


def paint(
    profile: DeckProfile,
    cards: Sequence[tuple[str, float, float, float]],
    *,
    size: tuple[int, int] = (2400, 1800),
    table: tuple[int, int, int] = (70, 90, 120),
    turn: float = 0.0,
    tilt: float = 1.5e-5,
) -> Scene:
    """Lay cards (name, x, y, degrees; centres in card heights from the table's middle) and photograph them.

    `turn` (degrees) turns the whole table, `tilt` is the perspective's strength per pixel.
    """
    width, height = size
    own = faces(profile)
    pixels = np.full((height, width, 3), table, np.uint8)
    pixels += np.random.default_rng(1).integers(0, 6, pixels.shape, dtype=np.uint8)
    angle = np.radians(turn)
    whole = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    camera = np.array([(1, 0, 0), (0, 1, 0), (0, tilt, 1.0)])
    laid = []
    for name, x, y, degrees in cards:
        face = own[name]
        corners = _corners(face, x, y, degrees) @ whole.T * CARD
        seen = np.column_stack([corners, np.ones(4)]) @ camera.T
        quad = seen[:, :2] / seen[:, 2:] + (width / 2, height / 2)
        _stamp(pixels, face, quad)
        laid.append((name, quad))
    return Scene(np.asarray(cv2.GaussianBlur(pixels, (0, 0), 0.9), np.uint8), tuple(laid))


def _corners(face: Pixels, x: float, y: float, degrees: float) -> Points:
    aspect = face.shape[1] / face.shape[0]
    half = 0.5 * np.array([(-aspect, -1), (aspect, -1), (aspect, 1), (-aspect, 1)])
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.asarray(half @ np.array([(cos, sin), (-sin, cos)]) + (x, y), np.float64)


def _stamp(pixels: Pixels, face: Pixels, quad: Points) -> None:
    h, w = face.shape[:2]
    box = np.array([(-0.5, -0.5), (w - 0.5, -0.5), (w - 0.5, h - 0.5), (-0.5, h - 0.5)], np.float32)
    matrix = cv2.getPerspectiveTransform(box, quad.astype(np.float32))
    size = (pixels.shape[1], pixels.shape[0])
    cv2.warpPerspective(face, matrix, size, dst=pixels, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_TRANSPARENT)
    # A card's cut edge throws a thin shadow.
    cv2.polylines(pixels, [np.round(quad * 16).astype(np.int32)], True, (60, 60, 60), 1, cv2.LINE_AA, 4)
