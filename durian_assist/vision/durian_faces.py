"""What a Durian profile knows: the faces of the cards, which fruit each half shows, the board and the tokens.

A face's name says which two fruits a card shows, not which of them is printed on the left. That is worked out from
the references: halves that carry the same fruit and number look alike on different cards.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.errors import InputError
from durian_assist.vision.deck_profile import CardClass, DeckProfile, Pixels
from durian_assist.vision.rectify import median

Floats = NDArray[np.float32]

# Nothing is compared at more than 64 pixels a card: larger references only take time to shrink. They are halved down to
# no less than this height, twice that.
WORK_HEIGHT = 128
STARTS = 12  # random choices of sides from which the best is looked for

_FRUIT = re.compile(r"(?P<a>[a-z][a-z-]*?)\s*(?P<m>\d)-(?P<b>[a-z][a-z-]*?)\s*(?P<n>\d)")


@dataclass(frozen=True, slots=True)
class Half:
    """One side of a fruit card: a fruit and how many of it."""

    fruit: str
    count: int

    def __str__(self) -> str:
        return f"{self.fruit} {self.count}"


@dataclass(frozen=True, slots=True)
class Face:
    """One face of the deck.

    `kind`: fruit, gorilla or back; `halves`: the left and the right half as the reference stands (fruit only),
    `sides_known` true where the references tell which is which; `name`: the gorilla's.
    """

    label: str
    kind: str
    references: tuple[Pixels, ...]
    name: str = ""
    halves: tuple[Half, Half] | None = None
    sides_known: bool = False

    def text(self, turned: bool = False) -> str:
        """As a record writes it, left half first for a card that lies upright or `turned` by 180 degrees."""
        if self.halves is None:
            return f"gorilla {self.name}" if self.kind == "gorilla" else self.label
        left, right = reversed(self.halves) if turned else self.halves
        return f"{left} | {right}"


@dataclass(frozen=True, slots=True)
class DurianDeck:
    """A Durian profile sorted: `faces` of the cards, the order `board`, the `tokens` by value."""

    faces: tuple[Face, ...]
    aspect: float
    board: CardClass | None
    tokens: tuple[CardClass, ...]


def durian_deck(profile: DeckProfile) -> DurianDeck:
    """Sort a profile's classes; which half is on which side is left to `with_sides`.

    Raises InputError where the profile holds neither fruit cards nor tokens.
    """
    faces: list[Face] = []
    for card in profile.classes:
        fruit = _FRUIT.fullmatch(card.name)
        if fruit:
            halves = Half(fruit["a"], int(fruit["m"])), Half(fruit["b"], int(fruit["n"]))
            faces.append(Face(card.name, "fruit", _work_sized(card.references), halves=halves))
        elif card.name.startswith("gorilla/"):
            faces.append(Face(card.name, "gorilla", _work_sized(card.references), name=card.name.partition("/")[2]))
        elif card.name.endswith("/back"):
            faces.append(Face(card.name, "back", _work_sized(card.references)))
    board = next((card for card in profile.classes if card.name.startswith("board/")), None)
    tokens = tuple(card for card in profile.classes if card.name.startswith("token/"))
    fruits = [face for face in faces if face.kind == "fruit"]
    if not fruits and not tokens:
        raise InputError(
            f"deck {profile.name} has no fruit cards and no manager tokens",
            mend="calibrate it with --game durian and labels like strawberry1-banana3 and token/4",
        )
    aspect = float(median([_aspect(face) for face in fruits or faces])) if faces else 1.5
    return DurianDeck(tuple(faces), aspect, board, tokens)


def _work_sized(references: tuple[Pixels, ...]) -> tuple[Pixels, ...]:
    """The references at the size at which they are worked with."""
    return tuple(_shrunk(picture) for picture in references)


def _shrunk(picture: Pixels) -> Pixels:
    while picture.shape[0] >= 2 * WORK_HEIGHT:
        size = (picture.shape[1] // 2, picture.shape[0] // 2)
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    return picture


def _aspect(face: Face) -> float:
    height, width = face.references[0].shape[:2]
    return float(width) / float(height)


def with_sides(deck: DurianDeck) -> DurianDeck:
    """The deck with the halves of its faces in the order in which the references show them."""
    fruits = [face for face in deck.faces if face.kind == "fruit"]
    if not fruits:
        return deck
    swapped, known = _sides(fruits)
    sorted_fruits = []
    for face, swap, sure in zip(fruits, swapped, known, strict=True):
        assert face.halves is not None
        halves = (face.halves[1], face.halves[0]) if swap else face.halves
        sorted_fruits.append(Face(face.label, face.kind, face.references, halves=halves, sides_known=bool(sure)))
    others = (face for face in deck.faces if face.kind != "fruit")
    return DurianDeck((*sorted_fruits, *others), deck.aspect, deck.board, deck.tokens)


def _sides(fruits: list[Face]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """For each face whether its second named half is the left one, and whether the references tell so.

    A face is turned over while that raises the likeness of halves of one name, from several starts: the spectral
    relaxation of the whole choice, and random ones.
    """
    pictures = np.stack([_half_pictures(face) for face in fruits])  # (n, 2, d), left and right
    likeness = np.einsum("iad,jbd->iajb", pictures, pictures)
    names = [face.halves or () for face in fruits]
    same = np.array([[[[a == b for b in names[j]] for j in range(len(names))] for a in p] for p in names])
    n = len(fruits)
    same[np.arange(n), :, np.arange(n)] = False
    starts = [_relaxed(likeness, same), *_mixed(n)]
    found = [_climbed(likeness, same, swap) for swap in starts]
    best = max(found, key=lambda swap: float(_gains(likeness, same, swap)[np.arange(n), swap.astype(int)].sum()))
    table = _gains(likeness, same, best)
    margin = np.abs(table[:, 0] - table[:, 1]) / np.maximum(1, same.sum(axis=(1, 2, 3)))
    return best, margin > 0.1


def _mixed(n: int) -> NDArray[np.bool_]:
    """(STARTS, n) choices that have little to do with each other: bits of multiples of the golden ratio."""
    places = np.arange(1, STARTS * n + 1, dtype=np.float64) * 0.6180339887498949
    return np.asarray((places * 64 % 1.0 < 0.5).reshape(STARTS, n), np.bool_)


def _gains(likeness: NDArray[np.floating], same: NDArray[np.bool_], swap: NDArray[np.bool_]) -> NDArray[np.float64]:
    """(n, 2) likeness of a face's named halves with all others' as placed, unswapped and swapped."""
    placed = np.where(swap[None, None, :, None], likeness[..., ::-1], likeness)
    return np.stack([(same * placed).sum(axis=(1, 2, 3)), (same * placed[:, ::-1]).sum(axis=(1, 2, 3))], 1)


def _climbed(likeness: NDArray[np.floating], same: NDArray[np.bool_], swap: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The choice after swapping, one at a time, the face that gains most by it."""
    swap = swap.copy()
    for _ in range(4 * len(swap)):
        table = _gains(likeness, same, swap)
        better = np.where(swap, table[:, 0] - table[:, 1], table[:, 1] - table[:, 0])
        worst = int(np.argmax(better))
        if better[worst] <= 1e-6:
            break
        swap[worst] = ~swap[worst]
    return swap


def _relaxed(likeness: NDArray[np.floating], same: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The choice that the leading eigenvector of the pairs' preferences makes.

    With x = 1 for unswapped and -1 for swapped, a pair's likeness is a bilinear form in both x; a constant stands for
    what each face prefers whatever the other does.
    """
    n = len(same)
    straight = (same * likeness).sum(axis=(1, 3))
    first = (same * likeness[:, ::-1]).sum(axis=(1, 3))
    second = (same * likeness[..., ::-1]).sum(axis=(1, 3))
    both = (same * likeness[:, ::-1, :, ::-1]).sum(axis=(1, 3))
    form = np.zeros((n + 1, n + 1))
    form[:n, :n] = (straight - first - second + both) / 4
    form[:n, n] = (straight - first + second - both).sum(axis=1) / 4
    form = form + form.T
    vector = np.linalg.eigh(form)[1][:, -1]
    return np.asarray(vector[:n] * (vector[n] if abs(vector[n]) > 1e-9 else 1.0) < 0, np.bool_)


def _half_pictures(face: Face) -> Floats:
    """(2, d) zero-mean unit-length small pictures of the left and the right half."""
    small = np.mean([cv2.resize(r, (24, 16), interpolation=cv2.INTER_AREA) for r in face.references], axis=0)
    small = small[1:-1].astype(np.float32)
    halves = np.stack([small[:, 1:12], small[:, 12:23]]).reshape(2, -1, 3)
    halves = (halves - halves.mean(axis=1, keepdims=True)).reshape(2, -1)
    return np.asarray(halves / (np.linalg.norm(halves, axis=1, keepdims=True) + 1e-6), np.float32)
