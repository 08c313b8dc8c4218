"""Contact sheets: every class of a deck with its references and its name; or numbered faces to be named."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from durian_assist.vision.calibrate_references import Face, rectified
from durian_assist.vision.deck_profile import DeckProfile, Pixels
from durian_assist.vision.overlay import plain

_TILE = 190
_CAPTION = 46
_COLUMNS = 6
_GAP = 8


def contact_sheet(profile: DeckProfile) -> Pixels:
    """All references of all classes, one tile each, (h, w, 3)."""
    tiles = [
        (reference, card.name, f"{number} of {len(card.references)}")
        for card in profile.classes
        for number, reference in enumerate(card.references, 1)
    ]
    return _sheet(tiles)


def face_sheet(faces: Sequence[Face]) -> Pixels:
    """Faces with their numbers in reading order, to be named by a person."""
    tiles = []
    for number, face in enumerate(faces, 1):
        width, height = face.sides
        scale = _TILE / max(width, height)
        size = (max(8, round(width * scale)), max(8, round(height * scale)))
        tiles.append((rectified(face, size), str(number), ""))
    return _sheet(tiles)


def _sheet(tiles: Sequence[tuple[Pixels, str, str]]) -> Pixels:
    rows = -(-len(tiles) // _COLUMNS)
    cell = (_TILE + _CAPTION + _GAP, _TILE + _GAP)
    sheet = np.full((rows * cell[0] + _GAP, _COLUMNS * cell[1] + _GAP, 3), 245, np.uint8)
    for index, (picture, title, note) in enumerate(tiles):
        row, column = divmod(index, _COLUMNS)
        top, left = _GAP + row * cell[0], _GAP + column * cell[1]
        scale = _TILE / max(picture.shape[:2])
        size = (max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale)))
        small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
        sheet[top : top + size[1], left : left + size[0]] = small
        _write(sheet, title, left, top + _TILE + 18)
        _write(sheet, note, left, top + _TILE + 38, faint=True)
    return sheet


def _write(sheet: Pixels, text: str, left: int, base: int, *, faint: bool = False) -> None:
    """One line, as large as fits the tile."""
    words = plain(text)
    width, _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, 1.0, 1)[0]
    scale = min(0.55, _TILE / max(width, 1))
    colour = (130, 130, 130) if faint else (20, 20, 20)
    cv2.putText(sheet, words, (left, base), cv2.FONT_HERSHEY_SIMPLEX, scale, colour, 1, cv2.LINE_AA)
