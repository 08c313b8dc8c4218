"""Pictures for people: a photo with every card outlined and named, and a sheet of crops to look at.

Drawn for a phone: text as large as the cards allow, white on dark, never by colour alone: an uncertain card has a
broken, thick outline, hatching and a question mark.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from durian_assist.vision.rectify import Picture, Pixels, Points, canvas_to_photo

FONT = cv2.FONT_HERSHEY_DUPLEX
# BGR; told apart by people who see no red or green, and by lightness.
SURE, UNSURE, DARK, LIGHT = (255, 190, 60), (40, 200, 255), (30, 20, 20), (255, 255, 255)
BACKGROUND = (235, 235, 235)
# What the drawn font lacks and has a plain spelling.
SPELT = {
    "½": ".5",
    "−": "-",
    "–": "-",
    "—": "-",
    "·": "-",
    "→": ">",
    "←": "<",
    "↑": "^",
    "↓": "v",
    "×": "x",
    "…": "...",
    "ß": "ss",
    "ø": "o",
    "Ø": "O",
    "ł": "l",
    "Ł": "L",
    "æ": "ae",
    "Æ": "AE",
}

# From line to line, in heights of a line's letters.
LINE = 1.6
# A line is written in as many parts at most.
MOST_PARTS = 4
FEW_MARKS = 2
HALVES = " | "
GLUE = "\u00a0"  # a space at which no line is broken

TILE = 300
TILES_A_ROW = 4
CAPTION = 44


@dataclass(frozen=True, slots=True)
class Label:
    """A piece's outline (three or more corners in pixels), the lines to write on it, and whether it is uncertain."""

    corners: Sequence[tuple[float, float]]
    lines: Sequence[str] = ()
    uncertain: bool = False


def plain(text: str) -> str:
    """Text in the letters that the drawn font has: accents go, other signs become a question mark."""
    spelt = "".join(SPELT.get(c, c) for c in text)
    parts = unicodedata.normalize("NFKD", spelt)
    letters = (c for c in parts if not unicodedata.combining(c) and unicodedata.category(c) not in ("Cf", "Cc"))
    return "".join(c if " " <= c <= "~" else "?" for c in letters)


def draw_overlay(pixels: Pixels, labels: Sequence[Label]) -> Pixels:
    """A copy of the photo (h, w, 3) with all labels drawn on it; uncertain ones last, on top."""
    canvas = np.array(pixels, np.uint8, copy=True)
    shown = [label for label in sorted(labels, key=lambda x: x.uncertain) if len(label.corners) >= 3]
    for label in shown:
        _outline(canvas, label)
    for label in shown:
        _write(canvas, label)
    return canvas


def _line_width(canvas: Pixels) -> int:
    return max(2, int(max(canvas.shape[:2]) / 500))


def _outline(canvas: Pixels, label: Label) -> None:
    corners = np.asarray(label.corners, np.float64)
    width = _line_width(canvas)
    ring = [corners.round().astype(np.int32)]
    if not label.uncertain:
        cv2.polylines(canvas, ring, True, DARK, width * 2 + 2, cv2.LINE_AA)
        cv2.polylines(canvas, ring, True, SURE, width, cv2.LINE_AA)
        return
    _hatch(canvas, corners, width)
    cv2.polylines(canvas, ring, True, DARK, width * 5, cv2.LINE_AA)
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        for i in range(0, 9, 2):
            a, b = start + (end - start) * i / 9, start + (end - start) * (i + 1) / 9
            cv2.line(canvas, _pixel(a), _pixel(b), UNSURE, width * 3, cv2.LINE_AA)


def _hatch(canvas: Pixels, corners: Points, width: int) -> None:
    """Diagonal stripes over a piece."""
    low = np.clip(np.floor(corners.min(0)).astype(int), 0, None)
    high = np.minimum(np.ceil(corners.max(0)).astype(int) + 1, (canvas.shape[1], canvas.shape[0]))
    if (high <= low).any():
        return
    part = canvas[low[1] : high[1], low[0] : high[0]]
    inside = np.zeros(part.shape[:2], np.uint8)
    cv2.fillPoly(inside, [(corners - low).round().astype(np.int32)], 1)
    y, x = np.mgrid[: part.shape[0], : part.shape[1]]
    stripes = (inside > 0) & ((x + y) % (width * 14) < width * 2)
    part[stripes] = UNSURE


def _pixel(point: Points) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))


def _write(canvas: Pixels, label: Label) -> None:
    """The lines in the middle of the piece, on a dark ground, as large as its width allows, within the picture."""
    lines = [plain(line) for line in label.lines if line]
    if label.uncertain:
        lines = [f"? {lines[0]}" if lines else "?", *lines[1:]]
    if not lines:
        return
    corners = np.asarray(label.corners, np.float64)
    thickness = max(1, _line_width(canvas) // 2)
    lines = max((_broken(lines, parts) for parts in range(1, MOST_PARTS + 1)), key=lambda some: _scale(some, corners))
    scale = max(_scale(lines, corners), 0.35)
    widest = _widest(lines)
    step = round(_tall() * scale * LINE)
    x, y = corners.mean(0)
    box_wide, box_high = round(widest * scale) + step // 2, step * len(lines) + step // 3
    height, width = canvas.shape[:2]
    x = float(np.clip(x, box_wide / 2, max(width - box_wide / 2, box_wide / 2)))
    y = float(np.clip(y, box_high / 2, max(height - box_high / 2, box_high / 2)))
    left, top = round(x - box_wide / 2), round(y - box_high / 2)
    _shade(canvas, left, top, left + box_wide, top + box_high)
    for i, line in enumerate(lines):
        size = cv2.getTextSize(line, FONT, scale, thickness)[0][0]
        at = (round(x - size / 2), top + step // 8 + round((i + 0.8) * step))
        colour = UNSURE if label.uncertain else LIGHT
        cv2.putText(canvas, line, at, FONT, scale, colour, thickness, cv2.LINE_AA)


def _broken(lines: Sequence[str], parts: int) -> list[str]:
    """Each line in about so many parts: between the halves of a card, between words and after strokes, for what a
    preference card says is long.

    The question mark of an uncertain piece stays with its first word.
    """
    broken = []
    for line in lines:
        width = -(-len(line) // parts) + parts
        for half in line.split(HALVES) if parts > 1 else [line]:
            text = half.replace("/", "/ ").replace("? ", "?" + GLUE, 1)
            broken += textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
    return [part.replace(GLUE, " ") for part in broken]


@cache
def _tall() -> int:
    """Pixels that letters are tall at a scale of 1."""
    return cv2.getTextSize("Ag", FONT, 1.0, 1)[0][1]


def _widest(lines: Sequence[str]) -> int:
    """Pixels that the longest of some lines takes at a scale of 1."""
    return max((cv2.getTextSize(line, FONT, 1.0, 1)[0][0] for line in lines), default=1)


def _scale(lines: Sequence[str], corners: Points) -> float:
    """How large lines may be written in the middle of a piece: they are smaller than it, for it must stay visible.

    A mark or two, as a token has, may be twice as tall: so small a text hides little.
    """
    box = np.ptp(corners, axis=0)
    longest = max(cv2.minAreaRect(corners.astype(np.float32))[1])  # a token's outline has many short sides
    wide, high = 0.82 * min(float(box[0]), longest), 0.5 * min(float(box[1]), longest)
    largest = 0.16 * max(wide, high) / _tall()
    if len(lines) == 1 and len(lines[0]) <= FEW_MARKS:
        high, largest = 1.5 * high, 2 * largest
    return min(wide / _widest(lines), high / (len(lines) * _tall() * LINE), largest)


def _shade(canvas: Pixels, left: int, top: int, right: int, bottom: int) -> None:
    """Darken a box so that white text stands out and the card shows through."""
    part = canvas[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)]
    part[:] = (part * 0.3).astype(np.uint8)


def crop_sheet(crops: Sequence[tuple[Pixels, Sequence[tuple[float, float]], str]]) -> Pixels:
    """One picture of all crops (photo, corners, caption), upright and with a little of what lies round them."""
    rows = [crops[i : i + TILES_A_ROW] for i in range(0, len(crops), TILES_A_ROW)]
    wide = min(len(crops), TILES_A_ROW) * TILE
    sheet = np.full((max(len(rows), 1) * (TILE + CAPTION), max(wide, TILE), 3), BACKGROUND, np.uint8)
    for r, row in enumerate(rows):
        for c, (pixels, corners, caption) in enumerate(row):
            top, left = r * (TILE + CAPTION), c * TILE
            tile = _tile(pixels, np.asarray(corners, np.float64))
            sheet[top : top + tile.shape[0], left : left + tile.shape[1]] = tile
            _caption(sheet, plain(caption), left + 6, top + TILE + CAPTION - 14)
    return sheet


def _tile(pixels: Pixels, corners: Points) -> Pixels:
    """A piece rectified (four corners) or the part of the photo round it, at most TILE in width and height."""
    if len(corners) != 4:
        low, high = corners.min(0), corners.max(0)
        corners = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    wide, high = max(sides[0], sides[2], 1.0), max(sides[1], sides[3], 1.0)
    margin = TILE // 8
    inner = TILE - 8 - 2 * margin
    size = (max(round(inner * min(1.0, wide / high)), 8), max(round(inner * min(1.0, high / wide)), 8))
    full = (size[0] + 2 * margin, size[1] + 2 * margin)
    return Picture(pixels).warp(canvas_to_photo(corners, size, margin), full)


def _caption(sheet: Pixels, text: str, x: int, y: int) -> None:
    scale = min(0.62, (TILE - 12) / max(cv2.getTextSize(text, FONT, 1.0, 1)[0][0], 1))
    cv2.putText(sheet, text, (x, y), FONT, scale, DARK, 1, cv2.LINE_AA)
