"""From the pieces found in a calibration photo to upright pictures of their faces, in reading order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.calibrate_outline import followed, upright_box
from durian_assist.vision.find_frames import FOUR_SIDED, plane_of, sides_of
from durian_assist.vision.find_masks import Pixels
from durian_assist.vision.find_plane import Plane
from durian_assist.vision.find_shapes import Shape, clockwise
from durian_assist.vision.find_sides import fit_sides

Array = NDArray[np.float64]
Points = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Face:
    """One piece of a calibration photo.

    `corners`: (4, 2) of its upright frame in photo pixels, from its top left clockwise; `outline`: (n, 2) in units
    of that frame; `sides`: width and height on the table, in pixels of the photo's middle; `photo`: its name.
    """

    pixels: Pixels
    corners: Points
    outline: Array
    sides: tuple[float, float]
    photo: str = ""

    @property
    def four_sided(self) -> bool:
        return len(self.outline) == 4


UNIT_SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


def faces_in_order(pixels: Pixels, shapes: Sequence[Shape]) -> list[Face]:
    """The shapes found in a photo as faces, row by row from the far left."""
    size = (pixels.shape[1], pixels.shape[0])
    if np.median([shape.fill for shape in shapes]) > FOUR_SIDED:
        quads = np.stack([clockwise(shape.quad) for shape in shapes])
        reach = float(np.clip(0.012 * np.sqrt(np.median([shape.area for shape in shapes])), 3.0, 8.0))
        fitted, _ = fit_sides(pixels, quads, reach)
        fitted, _ = fit_sides(pixels, fitted, 3.0)
        plane = plane_of([_with_quad(s, q) for s, q in zip(shapes, fitted, strict=True)], size)
        faces = [_face(pixels, quad, UNIT_SQUARE, plane) for quad in fitted]
    else:
        outlines = [followed(pixels, shape.outline) for shape in shapes]
        plane = plane_of([Shape(o, s.quad, s.fill) for o, s in zip(outlines, shapes, strict=True)], size)
        faces = [_odd_face(pixels, outline, plane) for outline in outlines]
    return [faces[i] for i in reading_order([plane.flat(face.corners) for face in faces])]


def _with_quad(shape: Shape, quad: Points) -> Shape:
    return Shape(quad, quad, shape.fill, shape.support, shape.contrast, shape.worth)


def _face(pixels: Pixels, corners: Points, outline: Array, plane: Plane) -> Face:
    width, height = sides_of(plane.flat(corners))
    return Face(pixels, corners, outline, (float(width), float(height)))


def _odd_face(pixels: Pixels, outline: Points, plane: Plane) -> Face:
    corners = upright_box(outline, plane)
    to_frame = cv2.getPerspectiveTransform(corners, UNIT_SQUARE.astype(np.float32))
    own = cv2.perspectiveTransform(outline.reshape(-1, 1, 2), to_frame).reshape(-1, 2)
    return _face(pixels, corners, own.astype(np.float64), plane)


def reading_order(quads: Sequence[Array]) -> list[int]:
    """Indices of quads on the plane in rows from far to near, each from left to right.

    The rows may run askew: their direction is the usual direction of the top sides.
    """
    stack = np.stack(quads)
    top = np.median(stack[:, 1] - stack[:, 0] + stack[:, 2] - stack[:, 3], axis=0)
    angle = np.arctan2(top[1], top[0])
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    centres = stack.mean(axis=1) @ turn.T
    height = np.median([sides_of(quad)[1] for quad in quads])
    order = list(np.argsort(centres[:, 1]))
    rows: list[list[int]] = []
    for index in order:
        row = rows[-1] if rows else []
        if row and centres[index, 1] - np.mean(centres[row, 1]) < 0.5 * height:
            row.append(int(index))
        else:
            rows.append([int(index)])
    return [i for row in rows for i in sorted(row, key=lambda k: centres[k, 0])]


def rectified(face: Face, size: tuple[int, int]) -> Pixels:
    """The face upright, (height, width, 3), its edges exactly at the picture's edges."""
    width, height = size
    finer = max(1, min(4, round(face.sides[0] / width)))
    w, h = width * finer, height * finer
    target = np.array([[-0.5, -0.5], [w - 0.5, -0.5], [w - 0.5, h - 0.5], [-0.5, h - 0.5]], np.float32)
    warp = cv2.getPerspectiveTransform(face.corners, target)
    large = cv2.warpPerspective(face.pixels, warp, (w, h), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    small = large if finer == 1 else cv2.resize(large, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def sides_changed(face: Face, corners: Points, frame: Array) -> Face:
    """The face in a new frame: `corners` in the photo, `frame` (4, 2) in units of the old one."""
    width, height = sides_of(frame * face.sides)
    return replace(face, corners=np.asarray(corners, np.float32), sides=(float(width), float(height)))
