"""Where on the table cards lie: every place of the flattened table is compared with every face at once.

The table is seen from straight above at a few pixels a card, all windows become rows of a matrix, and one matrix
product with the faces' small pictures gives the correlation of all of them. Only the upper or the lower part of a
card is compared, so that a card is found though others cover the rest of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.dash_plane import Pose, TablePlane
from durian_assist.vision.durian_contrast import deviation, mean_square, unglared
from durian_assist.vision.durian_faces import Face
from durian_assist.vision.ground import colour_numbers
from durian_assist.vision.rectify import Picture

Floats = NDArray[np.float32]
Box = tuple[float, float, float, float]

ROWS = 14  # height of a card in pixels of the scan
PART = 8  # rows of a card's upper or lower part
STRIDE = 2
LIKELIEST = 3
PARTS = {"upper": slice(0, PART), "lower": slice(ROWS - PART, ROWS)}
# A window as even as a bare table says nothing: this much noise (grey levels) is thought into every window, but no
# more than this share of the contrast of the photo's cards, which dim light makes small.
EVEN, NOISE = 5.0, 0.2
NEIGHBOURHOOD = 5.0  # pixels of the scan
QUIET = 6.0  # grey levels of spread that count as none


@dataclass(frozen=True, slots=True)
class Sighting:
    """A place where a part of a face was seen.

    `faces`: the likeliest as (index, turned by 180 degrees or not), best first; `score` the correlation of the best.
    """

    pose: Pose
    part: str
    faces: tuple[tuple[int, bool], ...]
    score: float


@dataclass(frozen=True, slots=True)
class Scanner:
    """Small pictures of all faces, upright and turned, ready for the matrix product.

    `bare` (by colour number): colours of the table that cards have not. Such pixels are left out: beside a dark card a
    bright table drowns the card's art. `even`: grey levels of noise that are thought into every window.
    """

    columns: int
    templates: dict[str, Floats]
    bare: NDArray[np.bool_] | None = None
    even: float = EVEN

    @staticmethod
    def of(faces: Sequence[Face], aspect: float) -> Scanner:
        columns = round(ROWS * aspect)
        stack = np.stack([t for face in faces for t in _small(face, columns)])
        return Scanner(columns, {part: _rows(stack[:, rows]) for part, rows in PARTS.items()})

    def scan(
        self, picture: Picture, plane: TablePlane, box: Box, angles: Sequence[float], floor: float, spread: float
    ) -> list[Sighting]:
        """Sightings above `floor` in the box (left, top, right, bottom in plane units), best first.

        `angles` in radians from the plane's upright; windows of less `spread` (grey levels) are passed over.
        """
        found: list[Sighting] = []
        for angle in angles:
            to_plane, size = _view(box, angle)
            if size[0] < self.columns or size[1] < ROWS:
                continue
            raw = picture.warp(plane.matrix @ to_plane, size)
            found += self._at(raw, self._known(raw), to_plane, angle, floor, spread)
        return sorted(found, key=lambda s: -s.score)

    def _known(self, raw: NDArray[np.uint8]) -> NDArray[np.bool_] | None:
        """(h, w) the pixels that may be a card's and no lamp's reflection reaches; None where that is all."""
        clear = unglared(raw, ROWS)
        if self.bare is None:
            return clear
        cards = np.asarray(~self.bare[colour_numbers(raw)], np.bool_)
        return cards if clear is None else cards & clear

    def _at(
        self,
        raw: NDArray[np.uint8],
        known: NDArray[np.bool_] | None,
        to_plane: NDArray[np.float64],
        angle: float,
        floor: float,
        spread: float,
    ) -> list[Sighting]:
        """The sightings in one view of the table, whose pixels `known` alone count."""
        flat = levelled(raw, known)
        windows = np.lib.stride_tricks.sliding_window_view(flat, (ROWS, self.columns), axis=(0, 1))
        windows = windows[::STRIDE, ::STRIDE].transpose(0, 1, 3, 4, 2)
        found = []
        for part, rows in PARTS.items():
            lengths = _spreads(raw.astype(np.float32), rows, self.columns)[: windows.shape[0], : windows.shape[1]]
            places = lengths > spread
            count = int(places.sum())
            if not count:
                continue
            seen = windows[:, :, rows][places].reshape(count, -1)
            products = seen @ self.templates[part].T
            best = products.argmax(axis=1)
            norms = _spreads(flat, rows, self.columns)[: windows.shape[0], : windows.shape[1]][places]
            worth = products[np.arange(count), best] / (np.sqrt(seen.shape[1]) * (norms + 1e-3))
            worth *= lengths[places] / (lengths[places] + self.even)
            scores = np.zeros(places.shape, np.float32)
            scores[places] = worth
            index = np.zeros(places.shape, np.int64)
            index[places] = np.arange(count)
            for y, x in _peaks(scores, floor):
                at = to_plane @ np.array([x * STRIDE + (self.columns - 1) / 2, y * STRIDE + (ROWS - 1) / 2, 1.0])
                order = np.argsort(-products[index[y, x]])[:LIKELIEST].tolist()
                pose = Pose(float(at[0]), float(at[1]), angle)
                faces = tuple((row // 2, bool(row % 2)) for row in order)
                found.append(Sighting(pose, part, faces, float(scores[y, x])))
        return found


def _view(box: Box, angle: float) -> tuple[NDArray[np.float64], tuple[int, int]]:
    """(3, 3) from scan pixels to plane points for a view of the box turned by `angle`, and the view's size."""
    left, top, right, bottom = box
    width, height = int(np.ceil((right - left) * ROWS)), int(np.ceil((bottom - top) * ROWS))
    cos, sin = np.cos(angle), np.sin(angle)
    to_plane = np.eye(3)
    to_plane[:2, :2] = np.array([[cos, -sin], [sin, cos]]) / ROWS
    to_plane[:2, 2] = np.array([left + right, top + bottom]) / 2 - to_plane[:2, :2] @ [
        (width - 1) / 2,
        (height - 1) / 2,
    ]
    return to_plane, (width, height)


def _small(face: Face, columns: int) -> list[Floats]:
    """The face at scan size (rows, columns, 3), upright and turned by 180 degrees."""
    small = [
        levelled(np.asarray(cv2.resize(r, (columns, ROWS), interpolation=cv2.INTER_AREA), np.uint8))
        for r in face.references
    ]
    mean = np.mean(small, axis=0)
    return [mean, mean[::-1, ::-1]]


def levelled(picture: NDArray[np.uint8], known: NDArray[np.bool_] | None = None) -> Floats:
    """Colours as deviation from their neighbourhood, in units of its spread: so a veil of glare hides no card.

    Only the pixels `known` (h, w) count, all others are 0.
    """
    pixels = picture.astype(np.float32)
    if known is None:
        away = pixels - cv2.GaussianBlur(pixels, (0, 0), NEIGHBOURHOOD)
        spread = np.sqrt(cv2.GaussianBlur(mean_square(away), (0, 0), NEIGHBOURHOOD))
    else:
        away, spread = deviation(pixels, known, NEIGHBOURHOOD)
    return np.asarray(30.0 * away / (spread + QUIET)[..., None], np.float32)


def _rows(stack: NDArray[np.float32]) -> Floats:
    """(n, h, w, 3) to (n, d) rows without their channels' means and of unit length."""
    flat = stack.reshape(len(stack), -1, 3)
    flat = (flat - flat.mean(axis=1, keepdims=True)).reshape(len(stack), -1)
    return np.asarray(flat / np.linalg.norm(flat, axis=1, keepdims=True), np.float32)


def _spreads(flat: Floats, rows: slice, columns: int) -> Floats:
    """Standard deviation within the window (all channels, their means removed) at every place of the stride."""
    size, corner = (columns, rows.stop - rows.start), (0, 0)
    mean = cv2.boxFilter(flat, cv2.CV_32F, size, anchor=corner)
    square = cv2.boxFilter(flat * flat, cv2.CV_32F, size, anchor=corner)
    places = (slice(rows.start, None, STRIDE), slice(None, None, STRIDE))
    mean, square = mean[places], square[places]
    variances = np.maximum(square - mean * mean, 0)
    return np.asarray(np.sqrt((variances[..., 0] + variances[..., 1] + variances[..., 2]) / 3), np.float32)


def _peaks(scores: NDArray[np.float32], floor: float) -> list[tuple[int, int]]:
    """(row, column) of local maxima above `floor`."""
    high = cv2.dilate(scores, np.ones((3, 3), np.uint8))
    return [(int(y), int(x)) for y, x in zip(*np.nonzero((scores >= high) & (scores > floor)), strict=True)]
