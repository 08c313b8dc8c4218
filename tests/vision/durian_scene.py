"""Photos of Durian made up from a profile's references, and a deck in an art of its own, for the tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.deck_profile import CardClass, DeckProfile
from durian_assist.vision.photo import Photo

Pixels = NDArray[np.uint8]
Points = NDArray[np.float64]

UNIT = 110  # plane pixels per card height
COLOURS = {"strawberry": (60, 50, 200), "banana": (40, 190, 220), "grapes": (170, 60, 120), "durian": (60, 130, 70)}
UNIT_SQUARE = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)


@dataclass
class Scene:
    """A table in plane units (height of a card = 1), pieces laid one after the other, later ones on top."""

    deck: DeckProfile
    size: tuple[float, float] = (13.0, 10.0)
    table: tuple[int, int, int] = (70, 95, 120)
    board_height: float = 0.65
    token_width: float = 1.1
    seed: int = 0
    picture: Pixels = field(init=False)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)
        width, height = (round(v * UNIT) for v in self.size)
        grain = cv2.GaussianBlur(self.rng.normal(0, 60, (height, width, 1)).astype(np.float32), (0, 0), 9, sigmaY=1)
        self.picture = np.clip(np.array(self.table, np.float32) + grain[..., None], 0, 255).astype(np.uint8)

    def lay(self, name: str, x: float, y: float, angle: float = 0.0) -> None:
        """A piece with its centre at (x, y), turned clockwise by `angle` degrees."""
        card = next(c for c in self.deck.classes if c.name == name)
        reference = card.references[0]
        h, w = reference.shape[:2]
        if name.startswith("token/"):
            scale = self.token_width * UNIT / w
        else:
            scale = (self.board_height if name.startswith("board/") else 1.0) * UNIT / h
        cos, sin = np.cos(np.radians(angle)) * scale, np.sin(np.radians(angle)) * scale
        linear = np.array([[cos, -sin], [sin, cos]])
        shift = np.array([x, y]) * UNIT - linear @ np.array([w / 2, h / 2])
        matrix = np.column_stack([linear, shift])
        size = (self.picture.shape[1], self.picture.shape[0])
        drawn = cv2.warpAffine(cv2.GaussianBlur(reference, (0, 0), max(0.3, 0.35 / scale)), matrix, size)
        mask = cv2.warpAffine(_outline_mask(card, w, h), matrix, size)[..., None] / 255.0
        self.picture = np.asarray(self.picture * (1 - mask) + drawn * mask, np.uint8)

    def scramble(self, x: float, y: float, width: float, height: float) -> None:
        """Shuffle what lies in a rectangle about (x, y) in small blocks: its colours stay, nobody can read it."""
        block = UNIT // 8
        columns, rows = round(width * UNIT / block), round(height * UNIT / block)
        left, top = round((x - width / 2) * UNIT), round((y - height / 2) * UNIT)
        part = self.picture[top : top + rows * block, left : left + columns * block]
        blocks = part.reshape(rows, block, columns, block, 3).swapaxes(1, 2).reshape(-1, block, block, 3)
        mixed = self.rng.permutation(blocks).reshape(rows, columns, block, block, 3).swapaxes(1, 2)
        part[:] = mixed.reshape(part.shape)

    def gingham(self, width: float, height: float, colour: tuple[int, int, int] = (150, 90, 60)) -> None:
        """Spread a checked cloth whose checks are so wide and high (in heights of a card) on the bare table."""
        rows, columns = self.picture.shape[:2]
        across = (np.arange(columns) / (width * UNIT)).astype(np.int64) % 2
        down = (np.arange(rows) / (height * UNIT)).astype(np.int64) % 2
        dyed = (across[None] + down[:, None])[..., None] / 2.0
        cloth = 240.0 * (1 - dyed) + np.array(colour, np.float64) * dyed
        weave = self.rng.normal(0, 6, (rows, columns, 1))
        self.picture = np.clip(cloth + weave, 0, 255).astype(np.uint8)

    def glare(self, x: float, y: float, reach: float) -> None:
        """A lamp's reflection that clips everything within `reach` of the place to white."""
        ys, xs = np.mgrid[0 : self.picture.shape[0], 0 : self.picture.shape[1]]
        away = np.hypot(xs / UNIT - x, ys / UNIT - y) / reach
        light = 600.0 * np.exp(-0.5 * away**6)
        self.picture = np.clip(self.picture + light[..., None], 0, 255).astype(np.uint8)

    def photo(
        self,
        turn: float = 0.0,
        pitch: float = 6.0,
        blur: float = 0.8,
        noise: float = 3.0,
        tint: tuple[float, float, float] = (1.0, 1.0, 1.0),
    ) -> Photo:
        """As a phone sees it: turned by `turn` degrees, the camera tilted by `pitch`."""
        width, height = 2000, 1500
        f = 0.85 * width
        camera = np.array([[f, 0, width / 2], [0, f, height / 2], [0, 0, 1.0]])
        tilt = _turn((np.radians(pitch), 0.0, 0.0)) @ _turn((0.0, 0.0, np.radians(turn)))
        rows, columns = self.picture.shape[:2]
        fit = 0.92 * min(width / columns, height / rows)
        centre = np.array([[fit, 0, (width - fit * columns) / 2], [0, fit, (height - fit * rows) / 2], [0, 0, 1.0]])
        matrix = camera @ tilt @ np.linalg.inv(camera) @ centre
        middle = matrix @ np.array([columns / 2, rows / 2, 1.0])
        back = np.eye(3)
        back[:2, 2] = np.array([width / 2, height / 2]) - middle[:2] / middle[2]
        matrix = back @ matrix
        seen = cv2.warpPerspective(self.picture, matrix, (width, height), flags=cv2.INTER_AREA, borderValue=self.table)
        tinted = seen.astype(np.float32) * np.array(tint, np.float32)
        pixels = np.asarray(cv2.GaussianBlur(tinted, (0, 0), blur), np.float32)
        pixels += self.rng.normal(0, noise, pixels.shape)
        return Photo("scene", np.clip(pixels, 0, 255).astype(np.uint8))


def _turn(axis: tuple[float, float, float]) -> Points:
    return np.asarray(cv2.Rodrigues(np.array(axis))[0], np.float64)


def _outline_mask(card: CardClass, w: int, h: int) -> Pixels:
    mask = np.zeros((h, w), np.uint8)
    if card.four_sided:
        r = h // 14
        cv2.rectangle(mask, (r, 0), (w - r, h), 255, -1)
        cv2.rectangle(mask, (0, r), (w, h - r), 255, -1)
        for x, y in ((r, r), (w - r, r), (w - r, h - r), (r, h - r)):
            cv2.circle(mask, (x, y), r, 255, -1)
        return mask
    cv2.fillPoly(mask, [np.round(card.outline * (w, h)).astype(np.int32)], 255)
    return mask


def drawn_deck() -> DeckProfile:
    """A deck of other art, other proportions and other tokens than the shipped one: flat icons on white, hexagons."""
    names = [
        f"{single}1-{many}{count}"
        for single in COLOURS
        for many in COLOURS
        for count in (2, 3)
        if single != many and (hash_of(single + many) + count) % 3
    ]
    classes = [_class(name, _fruit_card(name, flipped=hash_of(name) % 2 == 1), "card") for name in names]
    classes += [_class(f"gorilla/{name}", _gorilla(name), "card") for name in ("mitch", "murphy", "hannah")]
    classes.append(_class("durian/back", np.full((180, 252, 3), (150, 110, 60), np.uint8), "card"))
    classes.append(_class("board/order", _board(), "board"))
    angles = np.radians(np.arange(6) * 60)
    hexagon = 0.5 + 0.48 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    classes += [_class(f"token/{n}", _token(n), "token", hexagon) for n in range(1, 8)]
    return DeckProfile("drawn", "durian", Path("drawn"), tuple(classes))


def hash_of(text: str) -> int:
    """A number from a text, the same in every run."""
    return sum(i * ord(c) for i, c in enumerate(text, 1))


def _class(name: str, picture: Pixels, group: str, outline: Points = UNIT_SQUARE) -> CardClass:
    dim = np.clip(picture.astype(np.float32) * (0.75, 0.8, 0.9) + 4, 0, 255).astype(np.uint8)
    return CardClass(name, (picture, dim), outline, group)


def _fruit_card(name: str, flipped: bool) -> Pixels:
    card = np.full((180, 252, 3), 245, np.uint8)
    cv2.line(card, (126, 12), (126, 168), (170, 170, 170), 2)
    halves = [(part[:-1], int(part[-1])) for part in name.split("-")]
    for left, (fruit, count) in zip((126, 0) if flipped else (0, 126), halves, strict=True):
        for x, y in {1: [(63, 90)], 2: [(40, 55), (85, 125)], 3: [(63, 45), (38, 125), (90, 125)]}[count]:
            _icon(card, fruit, left + x, y, 40 if count == 1 else 22)
    return card


def _icon(card: Pixels, fruit: str, x: int, y: int, r: int) -> None:
    colour = COLOURS[fruit]
    if fruit == "strawberry":
        cv2.fillPoly(card, [np.array([(x - r, y - r // 2), (x + r, y - r // 2), (x, y + r)])], colour)
        cv2.rectangle(card, (x - r // 3, y - r), (x + r // 3, y - r // 2), (40, 120, 40), -1)
    elif fruit == "banana":
        cv2.ellipse(card, (x, y - r // 2), (r, r), 0, 10, 170, colour, max(5, r // 2))
    elif fruit == "grapes":
        for dx, dy in ((-1, -1), (0, -1), (1, -1), (-0.5, 0), (0.5, 0), (0, 1)):
            cv2.circle(card, (round(x + dx * r * 0.6), round(y + dy * r * 0.55)), round(r * 0.33), colour, -1)
    else:
        cv2.circle(card, (x, y), r, colour, -1)
        cv2.circle(card, (x - r // 3, y - r // 3), r // 3, (200, 230, 210), -1)
        cv2.rectangle(card, (x - r // 8, y - r - r // 3), (x + r // 8, y - r + 2), (30, 60, 90), -1)


def _gorilla(name: str) -> Pixels:
    card = np.full(
        (180, 252, 3), {"mitch": (80, 160, 240), "murphy": (230, 180, 90), "hannah": (200, 170, 240)}[name], np.uint8
    )
    cv2.rectangle(card, (8, 8), (244, 172), (250, 250, 250), 5)
    cv2.circle(card, (75, 95), 50, (50, 60, 80), -1)
    cv2.circle(card, (75, 115), 28, (140, 150, 170), -1)
    cv2.putText(card, name, (125, 60), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (20, 20, 20), 3)
    sign = {"mitch": "3", "murphy": "z", "hannah": "b"}[name]
    cv2.putText(card, sign, (165, 140), cv2.FONT_HERSHEY_SIMPLEX, 2.0, (20, 20, 160), 5)
    return card


def _board() -> Pixels:
    board = np.full((120, 420, 3), (210, 235, 245), np.uint8)
    cv2.rectangle(board, (4, 4), (415, 115), (40, 60, 90), 4)
    cv2.putText(board, "NO", (50, 85), cv2.FONT_HERSHEY_SIMPLEX, 2.0, (40, 40, 180), 6)
    cv2.rectangle(board, (230, 20), (400, 100), (90, 170, 60), -1)
    cv2.putText(board, "OK", (260, 85), cv2.FONT_HERSHEY_SIMPLEX, 2.0, (255, 255, 255), 6)
    return board


def _token(number: int) -> Pixels:
    token = np.full((200, 200, 3), (190, 120, 40), np.uint8)
    for k in range(6):
        a = np.radians(60 * k)
        end = (round(100 + 95 * np.cos(a)), round(100 + 95 * np.sin(a)))
        cv2.line(token, (100, 100), end, (230, 190, 120), 8)
    cv2.circle(token, (100, 100), 62, (240, 240, 235), -1)
    cv2.circle(token, (100, 100), 62, (60, 40, 20), 4)
    cv2.ellipse(token, (100, 60), (28, 12), 0, 180, 360, (40, 40, 200), 6)
    cv2.putText(token, str(number), (76, 138), cv2.FONT_HERSHEY_SIMPLEX, 2.2, (30, 30, 30), 7)
    return token
