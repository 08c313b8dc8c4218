"""Bring pieces of one odd shape into one frame by their art, and take the outline that they share.

A thick piece and its shadow make an outline too large on the side away from the light, and another side in another
photo. Where the art agrees, the pictures of all pieces are laid on one another; the outline is then where the
tightest of them have it.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.calibrate_references import Face, rectified, sides_changed
from durian_assist.vision.find_masks import Pixels

Array = NDArray[np.float64]

_HEIGHT = 150
_TIGHT = 25  # percentile of the radii
_POINTS = 192
# A correlation below this says that the art of the pieces is not the same.
_SAME_ART = 0.6


def in_one_frame(faces: Sequence[Face]) -> tuple[list[Face], Array]:
    """The faces, all in the frame of their common outline, and that outline (n, 2) in units of the frame."""
    size = (round(_HEIGHT * float(np.median([f.sides[0] / f.sides[1] for f in faces]))), _HEIGHT)
    pictures = [_grey(rectified(face, size)) for face in faces]
    middle = np.median(np.stack(pictures), axis=0).astype(np.float32)
    moves = [np.eye(3)] * len(faces)
    for _ in range(2):
        moves = [_onto(middle, picture, move) for picture, move in zip(pictures, moves, strict=True)]
        laid = [_laid(picture, move, size) for picture, move in zip(pictures, moves, strict=True)]
        middle = np.median(np.stack(laid), axis=0).astype(np.float32)
    scale = np.array(size, np.float64)
    back = [np.linalg.inv(move).astype(np.float64) for move in moves]
    outlines = [_moved(face.outline * scale, move) / scale for face, move in zip(faces, back, strict=True)]
    outline = _tightest(outlines)
    low, high = outline.min(axis=0), outline.max(axis=0)
    frame = np.array([low, [high[0], low[1]], high, [low[0], high[1]]]) * scale
    framed = [_reframed(face, _moved(frame, move) / scale) for face, move in zip(faces, moves, strict=True)]
    return framed, (outline - low) / (high - low)


def _grey(picture: Pixels) -> NDArray[np.float32]:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.asarray((grey - grey.mean()) / max(float(grey.std()), 1e-6), np.float32)


def _onto(middle: NDArray[np.float32], picture: NDArray[np.float32], start: Array) -> Array:
    """(3, 3) affine map from the middle picture's pixels to the picture's; `start` where they do not agree."""
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 60, 1e-5)
    everywhere = np.full(middle.shape, 255, np.uint8)
    try:
        quality, warp = cv2.findTransformECC(
            middle, picture, start[:2].astype(np.float32), cv2.MOTION_AFFINE, criteria, everywhere, 5
        )
    except cv2.error:  # the pictures have nothing in common that could be followed
        return start
    return np.vstack([warp, [0, 0, 1]]).astype(np.float64) if quality > _SAME_ART else start


def _laid(picture: NDArray[np.float32], move: Array, size: tuple[int, int]) -> NDArray[np.float32]:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(picture, move[:2], size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.float32)


def _moved(points: Array, move: Array) -> Array:
    # Outlines have a pixel's edges at whole numbers, the alignment its centre.
    centred = (points - 0.5).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(centred, move).reshape(-1, 2) + 0.5, np.float64)


def _tightest(outlines: Sequence[Array]) -> Array:
    """The outline (n, 2) at a low percentile of the distances from the middle, smoothed over neighbours."""
    angles = np.arange(_POINTS) / _POINTS * 2 * np.pi
    radii = np.percentile([_radii(outline, angles) for outline in outlines], _TIGHT, axis=0)
    return np.asarray(0.5 + radii[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1), np.float64)


def _radii(outline: Array, angles: Array) -> Array:
    """Distance of the outline from the frame's middle in each direction."""
    own = outline - 0.5
    direction = np.arctan2(own[:, 1], own[:, 0]) % (2 * np.pi)
    order = np.argsort(direction)
    return np.asarray(np.interp(angles, direction[order], np.linalg.norm(own, axis=1)[order], period=2 * np.pi))


def _reframed(face: Face, frame: Array) -> Face:
    """The face with its corners at `frame` (4, 2), given in units of its old frame."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    to_photo = cv2.getPerspectiveTransform(unit, face.corners)
    corners = cv2.perspectiveTransform(frame.astype(np.float32).reshape(-1, 1, 2), to_photo).reshape(-1, 2)
    return sides_changed(face, np.asarray(corners, np.float32), frame)
