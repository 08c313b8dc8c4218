"""Drawn photos of made-up decks: cards and tokens of several styles on tables, in perspective, with their truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Array = NDArray[np.float64]

PIXELS_PER_MM = 6


@dataclass(frozen=True, slots=True)
class Style:
    """Border colour (BGR) and width in mm; width and height of a piece in mm; `token` for a round one.

    `line`: colour of a thin line on the border's inner edge, the ground inside it as the border; `plate`: a light
    four-sided plate for the number; `ribbons`: colours, one a card in turn, of a band at a slant from edge to edge.
    """

    border: tuple[int, int, int] = (245, 245, 245)
    border_mm: float = 3.0
    size_mm: tuple[float, float] = (44.0, 62.0)
    token: bool = False
    line: tuple[int, int, int] | None = None
    plate: bool = False
    ribbons: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Drawn:
    """A drawn photo: `corners` (n, 4, 2) of the pieces in it, in reading order, each from its own top left."""

    pixels: Pixels
    corners: Array


def face(seed: int, style: Style) -> tuple[Pixels, Pixels]:
    """The face of card number `seed` and its mask (255 where there is card)."""
    rng = np.random.default_rng(seed)
    width, height = (round(side * PIXELS_PER_MM) for side in style.size_mm)
    art = np.full((height, width, 3), style.border, np.uint8)
    edge = round(style.border_mm * PIXELS_PER_MM)
    ground = style.border if style.line else tuple(int(value) for value in rng.integers(60, 200, 3))
    if style.token:
        cv2.ellipse(art, (width // 2, height // 2), (width // 2 - edge, height // 2 - edge), 0, 0, 360, ground, -1)
    else:
        cv2.rectangle(art, (edge, edge), (width - 1 - edge, height - 1 - edge), ground, -1)
    if style.line:
        cv2.rectangle(art, (edge, edge), (width - 1 - edge, height - 1 - edge), style.line, 4)
    for _ in range(9):
        colour = tuple(int(value) for value in rng.integers(0, 255, 3))
        x, y = (int(rng.uniform(0.3, 0.7) * side) for side in (width, height))
        cv2.circle(art, (x, y), int(rng.uniform(0.03, 0.12) * width), colour, -1)
    if style.plate:
        low, high = (0.3 * width, 0.3 * height), (0.7 * width, 0.62 * height)
        cv2.rectangle(art, (int(low[0]), int(low[1])), (int(high[0]), int(high[1])), (190, 225, 240), -1)
    cv2.putText(art, f"{seed % 10}", (width // 3, height // 2), cv2.FONT_HERSHEY_SIMPLEX, 3.0, (20, 20, 20), 8)
    if style.ribbons:
        band = np.array([(0, 0.66), (1, 0.44), (1, 0.58), (0, 0.8)]) * (width, height)
        cv2.fillConvexPoly(art, band.round().astype(np.int32), style.ribbons[seed % len(style.ribbons)])
    mask = np.zeros((height, width), np.uint8)
    if style.token:
        cv2.ellipse(mask, (width // 2, height // 2), (width // 2 - 1, height // 2 - 1), 0, 0, 360, 255, -1)
    else:
        round_by = round(3 * PIXELS_PER_MM)
        cv2.rectangle(mask, (round_by, 0), (width - 1 - round_by, height - 1), 255, -1)
        cv2.rectangle(mask, (0, round_by), (width - 1, height - 1 - round_by), 255, -1)
        for x in (round_by, width - 1 - round_by):
            for y in (round_by, height - 1 - round_by):
                cv2.circle(mask, (x, y), round_by, 255, -1)
    return art, mask


def photo(
    seeds: Sequence[int],
    style: Style,
    table: tuple[int, int, int],
    columns: int = 4,
    tilt: float = 0.0,
    noise: float = 3.0,
    angles: Sequence[float] | None = None,
) -> Drawn:
    """The pieces in rows with gaps on a table of that colour, the far side narrower by `tilt`."""
    rng = np.random.default_rng(sum(seeds) + 1)
    width, height = (round(side * PIXELS_PER_MM) for side in style.size_mm)
    gap = round(0.35 * width)
    rows = -(-len(seeds) // columns)
    room = (rows * (height + gap) + 2 * gap, columns * (width + gap) + 2 * gap)
    scene = np.full((*room, 3), table, np.float32)
    grain = cv2.GaussianBlur(rng.normal(0, 1, room).astype(np.float32), (0, 0), sigmaX=25, sigmaY=2)
    scene += (grain / np.abs(grain).max() * 14)[..., None]
    corners = []
    for number, seed in enumerate(seeds):
        row, column = divmod(number, columns)
        middle = np.array(
            [gap * 1.5 + column * (width + gap) + width / 2, gap * 1.5 + row * (height + gap) + height / 2]
        )
        angle = angles[number] if angles is not None else float(rng.uniform(-2, 2))
        corners.append(_laid(scene, face(seed, style), middle, angle))
    size = (1600, round(1600 * room[0] / room[1]))
    seen = _perspective(room, size, tilt)
    shown = cv2.warpPerspective(scene, seen, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    shown = cv2.GaussianBlur(shown, (0, 0), 0.8) + rng.normal(0, noise, shown.shape)
    points = cv2.perspectiveTransform(np.array(corners, np.float64).reshape(-1, 1, 2), seen.astype(np.float64))
    return Drawn(np.clip(shown, 0, 255).astype(np.uint8), np.asarray(points, np.float64).reshape(-1, 4, 2))


def _laid(scene: NDArray[np.float32], piece: tuple[Pixels, Pixels], middle: Array, angle: float) -> Array:
    """Lay a piece on the scene; its corners there."""
    art, mask = piece
    height, width = mask.shape
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), -angle, 1.0)
    turn[:, 2] += middle - (width / 2, height / 2)
    size = (scene.shape[1], scene.shape[0])
    over = cv2.warpAffine(mask, turn, size).astype(np.float32)[..., None] / 255
    scene *= 1 - over
    scene += over * cv2.warpAffine(art, turn, size, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    box = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64) - 0.5
    return np.asarray(box @ turn[:, :2].T + turn[:, 2], np.float64)


def _perspective(room: tuple[int, int], size: tuple[int, int], tilt: float) -> Array:
    """From the scene to the photo: a little margin, and the far side narrower."""
    height, width = room
    before = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    inset = tilt * size[0] / 2
    after = np.array([[inset, inset / 2], [size[0] - inset, inset / 2], [size[0], size[1]], [0, size[1]]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(before, after), np.float64)
