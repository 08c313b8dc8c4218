"""Smuggler tables laid from the shipped references: a plain table, a grid, hands, seen by a tilted camera."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.deck_profile import DeckProfile, load_profile
from durian_assist.vision.photo import Photo

Pixels = NDArray[np.uint8]
CARD = 105  # pixels of a card's side on the flat table
PITCH = 112
MIDDLE = (750, 700)
TABLE = (1500, 1400)
SIDES = {"v": 0, "<": 1, "^": 2, ">": 3}

FULL = """
red6v    blue-<   green-^  red-<    purple8v
blue7<   orange-v yellow4^ green9>  red-v
red-^    green-v  ##       purple-> orange5^
yellow-v blue-^   purple-< red6^    yellow-<
orange-> yellow4> blue7v   orange5< green->
"""


@cache
def deck() -> DeckProfile:
    return load_profile("harbour-smuggler", "smuggler")


def class_name(text: str) -> str:
    """`red6` to `red/durian/6`."""
    luggage = text.rstrip("0123456789-?")
    mark = text[len(luggage) :]
    return f"{luggage}/{ {'-': 'empty', '?': 'back'}[mark] }" if mark in "-?" else f"{luggage}/durian/{mark}"


def lay(table: Pixels, name: str, centre: tuple[float, float], side: int, askew: float = 0.0) -> None:
    """Paint one card of the deck on the table, its bottom edge to side number `side`."""
    picture = next(c for c in deck().classes if c.name == name).references[-1]
    h, w = picture.shape[:2]
    angle = np.radians(90 * side + askew)
    c, s = np.cos(angle), np.sin(angle)
    half = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * CARD
    corners = half @ np.array([[c, s], [-s, c]]) + centre
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    to_table = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    size = (table.shape[1], table.shape[0])
    painted = cv2.warpPerspective(picture, to_table, size, flags=cv2.INTER_AREA)
    inside = np.zeros(table.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, corners.round().astype(np.int32), 1)
    table[inside > 0] = painted[inside > 0]


def table_of(grid: str, hands: Mapping[str, tuple[str, float, float]] | None = None, seed: int = 1) -> Pixels:
    """A table seen from straight above. `hands`: side letter -> (card, along, askew) in front of that side."""
    rng = np.random.default_rng(seed)
    table = np.full((TABLE[1], TABLE[0], 3), (70, 95, 120), np.uint8)
    table += rng.integers(0, 12, table.shape, np.uint8)
    for r, line in enumerate(grid.strip().splitlines()):
        for c, cell in enumerate(line.split()):
            centre = (MIDDLE[0] + (c - 2) * PITCH, MIDDLE[1] + (r - 2) * PITCH)
            if cell == "##":
                lay(table, "centre", centre, 1)
            elif cell != ".":
                x, y = rng.normal(0, 3, 2)
                lay(table, class_name(cell[:-1]), (centre[0] + x, centre[1] + y), SIDES[cell[-1]], rng.normal(0, 1.5))
    for letter, (card, along, askew) in (hands or {}).items():
        side = SIDES[letter]
        outward = np.radians(90 * side)
        x = -np.sin(outward) * 3.7 * PITCH + np.cos(outward) * along
        y = np.cos(outward) * 3.7 * PITCH + np.sin(outward) * along
        lay(table, class_name(card), (MIDDLE[0] + x, MIDDLE[1] + y), side, askew)
    return table


def photographed(table: Pixels, tilt: float = 0.12, turn: int = 0, seed: int = 2) -> Photo:
    """The table through a camera tilted so that the far side is smaller, from another side of it, blurred and noisy."""
    seen = np.ascontiguousarray(np.rot90(table, turn))
    h, w = seen.shape[:2]
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    there = corners + np.array([[tilt * w, 0.5 * tilt * h], [-tilt * w, 0.3 * tilt * h], [0, 0], [0, 0]], np.float32)
    to_photo = cv2.getPerspectiveTransform(corners, there.astype(np.float32))
    photo = cv2.warpPerspective(seen, to_photo, (w, h), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    noise = np.random.default_rng(seed).normal(0, 3, photo.shape)
    soft = cv2.GaussianBlur(photo, (0, 0), 0.8).astype(np.float32) + noise
    return Photo("scene.jpg", np.clip(soft, 0, 255).astype(np.uint8))
