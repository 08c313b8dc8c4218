"""Contact sheets: every class of a deck with its references and its name; or numbered faces to be named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from durian_assist.vision.calibrate_references import Face, rectified
from durian_assist.vision.calibrate_weakest import confused
from durian_assist.vision.deck_profile import CardClass, DeckProfile, Pixels
from durian_assist.vision.overlay import plain

_TILE = 190
_TILES = 6  # in a row
_GAP = 10
_LINE = 22
_GROUND, _INK, _FAINT, _ALARM = (245, 245, 245), (20, 20, 20), (120, 120, 120), (30, 30, 200)


@dataclass(frozen=True, slots=True)
class _Block:
    """Pictures side by side with a title and a note below them; `alarm` writes the note in red."""

    pictures: tuple[Pixels, ...]
    title: str
    note: str = ""
    alarm: bool = False

    @property
    def width(self) -> int:
        return len(self.pictures) * (_TILE + _GAP) + _GAP

    @property
    def height(self) -> int:
        return max(int(picture.shape[0]) for picture in self.pictures) + 2 * _LINE + _GAP


def contact_sheet(profile: DeckProfile) -> Pixels:
    """All classes with all of their references, (h, w, 3); those that are easily confused say with what."""
    like: dict[str, str] = {}
    for first, second in confused(profile.weakest):
        like.setdefault(first, second)
        like.setdefault(second, first)
    return _sheet([_class_block(card, like.get(card.name)) for card in profile.classes])


def _class_block(card: CardClass, like: str | None) -> _Block:
    pictures = tuple(_fitted(_cut_out(reference, card)) for reference in card.references)
    count = f"{len(pictures)} picture{'s' if len(pictures) != 1 else ''}"
    return _Block(pictures, card.name, f"too much like {like}" if like else count, alarm=like is not None)


def _cut_out(reference: Pixels, card: CardClass) -> Pixels:
    """The reference with what lies outside the piece's outline left blank."""
    if card.four_sided:
        return reference
    height, width = reference.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    cv2.fillPoly(mask, [np.round(card.outline * (width, height)).astype(np.int32)], 1)
    return np.where(mask[..., None] > 0, reference, np.array(_GROUND, np.uint8))


def face_sheet(faces: Sequence[Face]) -> Pixels:
    """Faces with their numbers in reading order, to be named by a person."""
    blocks = []
    for number, face in enumerate(faces, 1):
        width, height = face.sides
        scale = _TILE / max(width, height)
        size = (max(8, round(width * scale)), max(8, round(height * scale)))
        blocks.append(_Block((rectified(face, size),), str(number)))
    return _sheet(blocks)


def _fitted(picture: Pixels) -> Pixels:
    """The picture with its long side as long as a tile."""
    scale = _TILE / max(picture.shape[:2])
    size = (max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale)))
    return np.asarray(
        cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC), np.uint8
    )


def _sheet(blocks: Sequence[_Block]) -> Pixels:
    rows: list[list[_Block]] = [[]]
    for block in blocks:
        if rows[-1] and sum(len(b.pictures) for b in (*rows[-1], block)) > _TILES:
            rows.append([])
        rows[-1].append(block)
    heights = [max(block.height for block in row) + _GAP for row in rows]
    width = max(sum(block.width for block in row) for row in rows)
    sheet = np.full((sum(heights) + _GAP, width, 3), _GROUND, np.uint8)
    for row, top in zip(rows, np.cumsum([_GAP, *heights[:-1]]).tolist(), strict=True):
        left = _GAP
        for block in row:
            _draw(sheet, block, left, top)
            left += block.width
    return sheet


def _draw(sheet: Pixels, block: _Block, left: int, top: int) -> None:
    base = top + max(picture.shape[0] for picture in block.pictures)
    for number, picture in enumerate(block.pictures):
        place = left + number * (_TILE + _GAP)
        sheet[base - picture.shape[0] : base, place : place + picture.shape[1]] = picture
    _write(sheet, block.title, (left, base + _LINE - 4), block.width - 2 * _GAP, _INK)
    _write(sheet, block.note, (left, base + 2 * _LINE - 4), block.width - 2 * _GAP, _ALARM if block.alarm else _FAINT)


def _write(sheet: Pixels, text: str, place: tuple[int, int], room: int, colour: tuple[int, int, int]) -> None:
    """One line, as large as the room in pixels allows."""
    words = plain(text)
    width, _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, 1.0, 1)[0]
    scale = min(0.55, room / max(width, 1))
    cv2.putText(sheet, words, place, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, 1, cv2.LINE_AA)
