"""Where the face of a piece lies in another photo of its class, told by its art alone: not by any outline there."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.calibrate_references import UNIT_SQUARE, Face, rectified
from durian_assist.vision.find_masks import Pixels
from durian_assist.vision.rectify import Picture, project
from durian_assist.vision.token_align import REACH, Aligner, lightness

Array = NDArray[np.float64]
Points = NDArray[np.float32]

# Of the canvases, for a square: on the small one a size half a step off still leads to the right one.
WIDTHS = (48, 96)
# Sizes of the art, against that of the other outline, that are tried: a ring printed inside the edge of a token may
# have been taken for it.
SIZES = tuple(1.04**k for k in range(-8, 9))
ROUNDS = (12, 20)
# A correlation of local contrast below this says that the art is not the same. It knows neither hue nor sheen: two
# photos of one card come to 0.9 and more, two copies printed and cut at home to 0.7.
SAME_ART = 0.6
# Below this it is something else altogether, or hidden by glare. (Two cards in one frame are more alike.)
OTHER_ART = 0.45
# Grey levels by which a face differs from its neighbourhood, below which it is plain: paper and noise show as much.
PLAIN = 4.0


@dataclass(frozen=True, slots=True)
class Laid:
    """The corners (4, 2) of a face's frame in another photo, how like its art is there (-1 to 1), and whether it is
    too plain to tell."""

    corners: Points
    likeness: float
    plain: bool

    @property
    def same_art(self) -> bool:
        return not self.plain and self.likeness >= SAME_ART

    @property
    def other_art(self) -> bool:
        return not self.plain and self.likeness < OTHER_ART


@dataclass(slots=True)
class Layer:
    """Lays faces onto other photos; keeps those photos' halved sizes."""

    _pictures: dict[int, Picture] = field(default_factory=dict)

    def laid(self, known: Face, other: Face) -> Laid:
        """The known face where its art fits best in the photo of the other one, from that one's outline on."""
        picture = self._picture(other.pixels)
        aligners = [_aligner(known, width) for width in WIDTHS]
        plain = _plain(known)
        if other.four_sided and not plain:
            as_found = _fitted(aligners, picture, _scaled(other, 1.0, aligners[0]))
            if as_found[1] >= SAME_ART:
                return _corners(*as_found, aligners[-1], plain)
        starts = [_scaled(other, size, aligners[0]) for size in SIZES]
        start = max(starts, key=lambda start: aligners[0].fit(picture, start, rounds=1)[1])
        return _corners(*_fitted(aligners, picture, start), aligners[-1], plain)

    def _picture(self, pixels: Pixels) -> Picture:
        return self._pictures.setdefault(id(pixels), Picture(pixels))


def _canvas(face: Face, width: int) -> tuple[int, int]:
    aspect = float(np.sqrt(face.sides[0] / face.sides[1]))
    return round(width * aspect), round(width / aspect)


def _mask(face: Face, size: tuple[int, int]) -> NDArray[np.bool_]:
    """(h, w) what of a canvas is face."""
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillPoly(mask, [np.round(face.outline * size - 0.5).astype(np.int32)], 1)
    return np.asarray(mask > 0, np.bool_)


def _aligner(face: Face, width: int) -> Aligner:
    size = _canvas(face, width)
    return Aligner.of(lightness(rectified(face, size)), _mask(face, size))


def _plain(face: Face) -> bool:
    size = _canvas(face, WIDTHS[-1])
    light = lightness(rectified(face, size))
    away = light - cv2.GaussianBlur(light, (0, 0), REACH * size[0])
    return float(np.sqrt(np.square(away[_mask(face, size)]).mean())) < PLAIN


def _frame(aligner: Aligner) -> Array:
    """(4, 2) corners of a canvas in units of half its width about its middle."""
    height, width = aligner.target.shape
    high = height / width
    return np.array([[-1, -high], [1, -high], [1, high], [-1, high]])


def _scaled(face: Face, size: float, aligner: Aligner) -> Array:
    """(3, 3) from a canvas to the photo of the face: onto its outline drawn larger or smaller about its middle."""
    to_photo = cv2.getPerspectiveTransform(UNIT_SQUARE.astype(np.float32), face.corners)
    corners = project(np.asarray(to_photo, np.float64), (UNIT_SQUARE - 0.5) * size + 0.5)
    place = cv2.getPerspectiveTransform(_frame(aligner).astype(np.float32), corners.astype(np.float32))
    return np.asarray(place, np.float64)


def _fitted(aligners: list[Aligner], picture: Picture, start: Array) -> tuple[Array, float]:
    """The place where the canvas fits, and the correlation there: as a map of a plane, first seen from above."""
    place, _ = aligners[0].fit(picture, start, rounds=ROUNDS[0])
    return aligners[1].fit(picture, place, rounds=ROUNDS[1], aslant=True)


def _corners(place: Array, likeness: float, aligner: Aligner, plain: bool) -> Laid:
    return Laid(project(place, _frame(aligner)).astype(np.float32), likeness, plain)
