"""Pieces of one class whose sizes differ, as cards cut by hand do, are laid onto one another by their art.

All pieces of a photo have one size. Where one differs from its companions still, after those cut beside their edge were
put right (see calibrate_agree), it was cut by hand, or its edge is hidden; references are compared by their art, so
that is what must lie alike in them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.align import Aligner
from durian_assist.vision.calibrate_references import Face, rectified
from durian_assist.vision.rectify import Picture

# Sides of pieces of one photo differ by less than this (logarithm), bent cards among them.
SKEW = 0.01
# Corners that move by less than this share of the piece's height were right, and by more is a fit gone astray.
LEAST_MOVED, MOST_MOVED = 0.01, 0.06
# Height of the pictures that are laid on one another, and rounds of doing so.
HEIGHT, ROUNDS = 192, 30


def straightened(faces: Mapping[str, Sequence[Face]]) -> dict[str, list[Face]]:
    """The faces of classes of one shape, those that are askew with the corners that their class's best one gives."""
    every = [face for own in faces.values() for face in own]
    usual = {photo: _usual([f for f in every if f.photo == photo]) for photo in {face.photo for face in every}}

    def skew(face: Face) -> float:
        return float(np.abs(np.log(face.sides) - np.log(usual[face.photo])).max())

    best = {name: min(own, key=skew) for name, own in faces.items()}
    return {
        name: [_onto(best[name], f, usual[f.photo]) if skew(f) > max(SKEW, skew(best[name])) else f for f in own]
        for name, own in faces.items()
    }


def _usual(faces: Sequence[Face]) -> NDArray[np.float64]:
    """Width and height of the pieces of one photo."""
    return np.asarray(np.median([face.sides for face in faces], axis=0), np.float64)


def _onto(best: Face, face: Face, sides: NDArray[np.float64]) -> Face:
    """The face with its corners where its art lies as that of `best` does; as it is where that is near or far away."""
    size = (round(HEIGHT * best.sides[0] / best.sides[1]), HEIGHT)
    light = cv2.cvtColor(rectified(best, size), cv2.COLOR_BGR2GRAY).astype(np.float32)
    before = face.corners.astype(np.float64)
    corners = Aligner.of(np.asarray(light, np.float32)).refine(Picture(face.pixels), before, rounds=ROUNDS)
    moved = float(np.linalg.norm(corners - before, axis=1).max() / np.linalg.norm(before[3] - before[0]))
    if not LEAST_MOVED < moved < MOST_MOVED:
        return face
    return replace(face, corners=corners.astype(np.float32), sides=(float(sides[0]), float(sides[1])))
