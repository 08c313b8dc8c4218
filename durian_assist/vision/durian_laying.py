"""Laying one picture of a card exactly on another: by the affine map that carries the one onto the other.

A card that bends, lies a little nearer to the camera at one side, or whose print was cut askew shows its left numeral
off to the left and its right one off to the right. No shift and no turn mends that.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

ROUNDS = 8
OUTLIER = 1.5  # in standard deviations of contrast: what covers a card pulls no harder
STILL = 2e-3  # of half the picture: smaller steps are not worth another round
LONGEST = 0.1  # step of one round, in halves of the picture
FEW = 100  # pixels in use: less says nothing of six numbers


def laid_on(view: Floats, use: Mask, face: Floats, start: tuple[int, int] = (0, 0)) -> tuple[Floats, Mask]:
    """The view (h, w, 3) and its pixels in use (h, w) moved to where the view fits the face (h, w, 3) best.

    Inverse compositional Gauss-Newton on local contrast (Baker and Matthews 2004), as it was where nothing fits better.
    `start`: by so many rows and columns the view lies off the face, roughly.
    """
    if np.count_nonzero(use) < FEW:
        return view, use
    solver = _solver(face, use)
    best, best_score = (view, use), -1.0
    height, width = use.shape
    back = np.array([[1.0, 0.0, 2 * start[1] / (width - 1)], [0.0, 1.0, 2 * start[0] / (height - 1)], [0.0, 0.0, 1.0]])
    seen, known = (view, use) if start == (0, 0) else _moved(view, use, back)
    for _ in range(ROUNDS):
        mine, theirs = _even(seen, known), _even(face, known)
        score = float(np.vdot(mine, theirs)) / (3 * float(np.count_nonzero(known)))
        if score <= best_score:
            break
        best, best_score = (seen, known), score
        step = _step(solver @ np.clip(mine - theirs, -OUTLIER, OUTLIER).reshape(-1))
        if np.abs(step - np.eye(3)).max() < STILL:
            break
        back = back @ np.linalg.inv(step)
        seen, known = _moved(view, use, back)
        if np.count_nonzero(known) < FEW:
            break
    return best


def _solver(face: Floats, use: Mask) -> Floats:
    """(6, 3 h w) that takes differences of contrast in the pixels in use to the numbers of an affine step."""
    height, width = face.shape[:2]
    across = cv2.Sobel(face, cv2.CV_32F, 1, 0, ksize=3, scale=width / 16)
    down = cv2.Sobel(face, cv2.CV_32F, 0, 1, ksize=3, scale=height / 16)
    x = np.linspace(-1, 1, width, dtype=np.float32)[None, :, None]
    y = np.linspace(-1, 1, height, dtype=np.float32)[:, None, None]
    slopes = np.stack([across, across * x, across * y, down, down * x, down * y])
    rows = (slopes * (use[..., None] / (float(face[use].std()) + 1e-6))).reshape(6, -1).astype(np.float32)
    normal = (rows @ rows.T).astype(np.float64)
    normal += np.diag(np.diag(normal)) * 0.01 + np.eye(6) * 1e-3
    return np.asarray(np.linalg.solve(normal, rows), np.float32)


def _step(numbers: Floats) -> NDArray[np.float64]:
    """(3, 3) the affine step of six numbers, in halves of the picture."""
    a, b, c, d, e, f = np.clip(numbers, -LONGEST, LONGEST).tolist()
    return np.array([[1 + b, c, a], [e, 1 + f, d], [0, 0, 1]])


def _moved(view: Floats, use: Mask, back: NDArray[np.float64]) -> tuple[Floats, Mask]:
    """What the view shows at the places to which `back` takes its pixels, in halves of the picture."""
    height, width = use.shape
    scale = np.array([[(width - 1) / 2, 0, (width - 1) / 2], [0, (height - 1) / 2, (height - 1) / 2], [0, 0, 1]])
    to_view = (scale @ back @ np.linalg.inv(scale))[:2]
    way = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = np.asarray(cv2.warpAffine(view, to_view, (width, height), flags=way), np.float32)
    known = np.asarray(cv2.warpAffine(use.astype(np.float32), to_view, (width, height), flags=way), np.float32)
    return seen, np.asarray(known > 0.99, np.bool_)


def _even(picture: Floats, use: Mask) -> Floats:
    """(h, w, 3) without each channel's mean, in units of their spread, nothing outside of the pixels in use."""
    weight = use[..., None].astype(np.float32)
    count = float(np.count_nonzero(use))
    centred = (picture - (picture * weight).sum(axis=(0, 1)) / count) * weight
    return np.asarray(centred / (float(np.sqrt(np.vdot(centred, centred) / (3 * count))) + 1e-6), np.float32)
