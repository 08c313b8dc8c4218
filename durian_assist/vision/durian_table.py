"""The table at the bell: from a photo to the row of inventory cards and the orders as they were laid.

The order board tells which way the table reads. Cards above it are the inventory, all others orders, in a column or
in rows, read as a page is read; a gorilla among them belongs to the order that it lies beside.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.dash_plane import TablePlane, fit_plane
from durian_assist.vision.durian_faces import DurianDeck
from durian_assist.vision.durian_fit import FaceJudge
from durian_assist.vision.durian_layers import Laid, Table, cards_on, judged, shared
from durian_assist.vision.durian_scan import Box, Scanner
from durian_assist.vision.durian_seeds import Seed, SeedFinder, card_finder
from durian_assist.vision.find_masks import table_masks
from durian_assist.vision.find_shapes import Shape, shapes_in
from durian_assist.vision.rectify import Picture

Pixels = NDArray[np.uint8]
Points = NDArray[np.float64]

LONG_SIDE = 1200  # of the picture in which outlines are looked for
ENOUGH = 4  # seeds that make a plane
SURE = 0.75  # least correlation of a seed that the plane may rest on
EDGE_MASKS = 6  # the first masks of `table_masks` are edges: many small shapes, slow, and seldom a card
ALIKE_SIZE = 0.25  # seeds of one table differ in the log of their area by less


@dataclass(frozen=True, slots=True)
class Outlines:
    """Four-sided shapes of a photo (pixels of the photo) and the cards and the board among them."""

    cards: tuple[Seed, ...]
    board: Seed | None
    shapes: tuple[Shape, ...]
    scale: float


def outlines(picture: Picture, deck: DurianDeck) -> Outlines:
    """Look for cards and the board by their outlines, mask by mask until they are enough for a plane."""
    height, width = picture.pixels.shape[:2]
    scale = min(1.0, LONG_SIDE / max(height, width))
    small = np.asarray(cv2.resize(picture.pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    cards = card_finder(deck)
    boards = SeedFinder(deck.board.references[:1], deck.board.aspect) if deck.board is not None else None
    shapes: list[Shape] = []
    found: list[Seed] = []
    board: Seed | None = None
    for mask in _masks(small):
        fresh = shapes_in([mask])
        shapes += fresh
        found = _merged([*found, *cards.seeds(picture, fresh, scale)])
        if boards is not None:
            seen = boards.seeds(picture, fresh, scale)
            board = max([*seen, *([board] if board else [])], key=lambda s: s.score, default=None)
        if len(_agreeing(found)) >= ENOUGH and (board is not None and board.score > SURE):
            break
    return Outlines(tuple(_agreeing(found)), board, tuple(shapes), scale)


def _masks(small: Pixels) -> Iterator[Pixels]:
    """The masks in the order in which they mostly show cards: lightness and saturation, edges, main colours."""
    edges = []
    for k, mask in enumerate(table_masks(small)):
        if k < EDGE_MASKS:
            edges.append(mask)
            continue
        if k == EDGE_MASKS + 9:
            yield from reversed(edges)
        yield mask


def _merged(seeds: Sequence[Seed]) -> list[Seed]:
    """The best seeds, no two in one place."""
    kept: list[Seed] = []
    for seed in sorted(seeds, key=lambda s: -s.score):
        side = np.linalg.norm(seed.corners[3] - seed.corners[0])
        if all(np.linalg.norm(seed.corners.mean(axis=0) - k.corners.mean(axis=0)) > side / 2 for k in kept):
            kept.append(seed)
    return kept


def _agreeing(seeds: Sequence[Seed]) -> list[Seed]:
    """The largest group of good seeds of one size, by the sum of their scores."""
    good = [s for s in seeds if s.score > SURE]
    if not good:
        return []
    sizes = np.log([abs(cv2.contourArea(s.corners.astype(np.float32))) for s in good])
    alike = np.abs(sizes[:, None] - sizes[None]) < ALIKE_SIZE
    best = alike[int((alike * np.array([s.score**4 for s in good])).sum(axis=1).argmax())]
    return [s for s, same in zip(good, best, strict=True) if same]


@dataclass(frozen=True, slots=True)
class Placed:
    """A card of the table in its row: what is known of it and its corners (4, 2) in the photo."""

    card: Laid
    corners: Points


@dataclass(frozen=True, slots=True)
class Order:
    """An order card and the gorilla that lies beside it; `close` names other orders that gorilla could belong to."""

    placed: Placed
    gorilla: Placed | None = None
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class TableParts:
    """What lies on the table. `board` (4, 2) photo corners or None; `plane` None where no card was found."""

    inventory: tuple[Placed, ...]
    orders: tuple[Order, ...]
    board: Points | None
    plane: TablePlane | None


def read_parts(picture: Picture, deck: DurianDeck) -> TableParts:
    """Find and name the cards of a table photo and sort them into inventory and orders."""
    seen = outlines(picture, deck)
    board = seen.board.corners if seen.board is not None else None
    if not seen.cards:
        return TableParts((), (), board, None)
    size = (picture.pixels.shape[1], picture.pixels.shape[0])
    plane = fit_plane([seed.corners for seed in seen.cards], deck.aspect, size)
    if board is not None:
        plane = _turned(plane, _direction(plane.to_plane(board)))
    table = Table(picture, plane, FaceJudge(deck.faces, deck.aspect), Scanner.of(deck.faces, deck.aspect))
    taken = [plane.to_plane(board)] if board is not None else []
    cards = cards_on(table, [seed.corners for seed in seen.cards], taken, _box(plane, size))
    final = [card for card, _ in judged(table, cards)]
    final = [card for card in final if deck.faces[card.verdict.face].kind != "back"]
    return _sorted(table, deck, final, board)


def _turned(plane: TablePlane, angle: float) -> TablePlane:
    cos, sin = np.cos(angle), np.sin(angle)
    return TablePlane(np.asarray(plane.matrix @ np.array([(cos, -sin, 0), (sin, cos, 0), (0, 0, 1.0)]), np.float64))


def _direction(corners: Points) -> float:
    """Angle of the top and bottom side of a piece on the plane, its own top left corner first."""
    along = corners[1] - corners[0] + corners[2] - corners[3]
    return float(np.arctan2(along[1], along[0]))


def _box(plane: TablePlane, size: tuple[int, int]) -> Box:
    """The part of the plane that the photo shows."""
    width, height = size
    edge = plane.to_plane(np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64))
    (left, top), (right, bottom) = edge.min(axis=0), edge.max(axis=0)
    return float(left), float(top), float(right), float(bottom)


def _sorted(table: Table, deck: DurianDeck, cards: Sequence[Laid], board: Points | None) -> TableParts:
    aspect = deck.aspect
    placed = [Placed(card, _own_corners(table, card, aspect)) for card in cards]
    level = _level(table, cards, board)
    inventory = sorted((p for p in placed if p.card.spot.y < level), key=lambda p: p.card.spot.x)
    rest = [p for p in placed if p.card.spot.y >= level]
    fruit = [p for p in rest if deck.faces[p.card.verdict.face].kind == "fruit"]
    gorillas = [p for p in rest if deck.faces[p.card.verdict.face].kind == "gorilla"]
    orders = [Order(p) for p in _reading_order(fruit, aspect)]
    return TableParts(tuple(inventory), _with_gorillas(orders, gorillas, aspect), board, table.plane)


def _level(table: Table, cards: Sequence[Laid], board: Points | None) -> float:
    """The height on the plane above which cards are the inventory: three quarters of a card above the board's middle.

    Without a board the upper row is the inventory.
    """
    if board is not None:
        return float(table.plane.to_plane(board)[:, 1].mean()) - 0.75
    tops = sorted(card.spot.y for card in cards)
    return tops[0] + 0.6 if tops else 0.0


def _own_corners(table: Table, card: Laid, aspect: float) -> Points:
    corners = table.plane.to_photo(card.spot.corners(aspect))
    return np.roll(corners, -2, axis=0) if card.verdict.turned else corners


def _reading_order(cards: Sequence[Placed], aspect: float) -> list[Placed]:
    """Row by row; cards that lie above each other are rows of their own however closely they overlap."""
    rows: list[list[Placed]] = []
    for placed in sorted(cards, key=lambda p: p.card.spot.y):
        spot = placed.card.spot
        row = rows[-1] if rows else []
        beside = all(abs(spot.x - p.card.spot.x) > 0.7 * aspect for p in row)
        if row and beside and spot.y - row[0].card.spot.y < 0.55:
            row.append(placed)
        else:
            rows.append([placed])
    return [p for row in rows for p in sorted(row, key=lambda p: p.card.spot.x)]


# A gorilla lies right of its order or below it, seldom left or above: offsets in card widths and heights, and how
# much further than measured an unusual place counts.
_BESIDE = (((1.12, 0.0), 0.0), ((0.0, 1.12), 0.0), ((-1.12, 0.0), 0.35), ((0.0, -1.12), 0.35))
DOUBT = 0.2


def _with_gorillas(orders: list[Order], gorillas: Sequence[Placed], aspect: float) -> tuple[Order, ...]:
    """Each gorilla with the order that it lies beside."""
    for gorilla in gorillas:
        spot = gorilla.card.spot
        ways = sorted(
            (_away(spot.x - o.placed.card.spot.x, spot.y - o.placed.card.spot.y, aspect), k)
            for k, o in enumerate(orders)
            if o.gorilla is None
        )
        if not ways:
            continue
        best = ways[0][1]
        doubtful = ways[0][0] > 1.0 or (len(ways) > 1 and ways[1][0] - ways[0][0] < DOUBT)
        orders[best] = Order(orders[best].placed, gorilla, doubtful)
    return tuple(orders)


def _away(dx: float, dy: float, aspect: float) -> float:
    return min(float(np.hypot(dx / aspect - x, dy - y)) + extra for (x, y), extra in _BESIDE)


__all__ = ["Order", "Placed", "TableParts", "outlines", "read_parts", "shared"]
