"""Take one picture from a camera, a stream or a video file; learn a lens from photos of a chessboard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.errors import InputError
from durian_assist.vision.photo import Photo, Pixels

# A camera sets its exposure over its first pictures; of those after, the sharpest is taken.
WARM_UP = 15
LOOKED_AT = 10
LEAST_BOARDS = 3
Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Lens:
    """A pinhole camera with lens distortion (Zhang 2000): `matrix` (3, 3), `distortion` (5,), `size` in pixels (w, h),
    `error` the root mean square distance of the board's corners from the model, in pixels."""

    matrix: Matrix
    distortion: Matrix
    size: tuple[int, int]
    error: float

    def straightened(self, pixels: Pixels) -> Pixels:
        """A picture of this camera without distortion; other sizes are scaled if their shape is the same."""
        wide, high = pixels.shape[1], pixels.shape[0]
        scale = np.array([wide / self.size[0], high / self.size[1], 1.0])
        if abs(scale[0] / scale[1] - 1) > 0.01:
            return pixels
        return np.asarray(cv2.undistort(pixels, self.matrix * scale[:, None], self.distortion), np.uint8)


def photograph(source: str, lens: Lens | None = None) -> Photo:
    """One picture from a camera's number, a stream's address or a video file. Raises InputError where none comes."""
    number = int(source) if source.isascii() and source.isdigit() and len(source) < 4 else None
    if number is None and "://" not in source and not Path(source).exists():
        mend = "Give a camera's number (0 is the first), a stream's address or a video file."
        raise InputError("there is no such camera or file", where=f"--camera {source}", mend=mend)
    capture = cv2.VideoCapture(number) if number is not None else cv2.VideoCapture(source)
    try:
        frames = _frames(capture, WARM_UP if number is not None else 0)
    finally:
        capture.release()
    if not frames:
        mend = "Is it plugged in, and not in use by another program? Give a photo instead."
        raise InputError("no picture came from the camera", where=f"--camera {source}", mend=mend)
    best = max(frames, key=_sharpness)
    return Photo(f"camera {source}", lens.straightened(best) if lens else best)


def _frames(capture: cv2.VideoCapture, skipped: int) -> list[Pixels]:
    frames = []
    for number in range(skipped + LOOKED_AT):
        done, frame = capture.read()
        if not done or frame is None:
            break
        if number >= skipped:
            frames.append(np.asarray(frame, np.uint8))
    return frames


def _sharpness(pixels: Pixels) -> float:
    return float(cv2.Laplacian(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), cv2.CV_32F).var())


def learn_lens(photos: Sequence[Photo], board: tuple[int, int]) -> Lens:
    """The lens from at least three photos of a chessboard with `board` inner corners (columns, rows).

    Raises InputError where a photo shows no such board, sizes differ, or there are too few photos.
    """
    if len(photos) < LEAST_BOARDS:
        raise InputError(
            f"{len(photos)} photos are too few", mend=f"Give at least {LEAST_BOARDS}, from different sides."
        )
    size = photos[0].size
    grid = np.zeros((board[0] * board[1], 3), np.float32)
    grid[:, :2] = np.mgrid[0 : board[0], 0 : board[1]].T.reshape(-1, 2)
    corners = [_board_corners(photo, board, size) for photo in photos]
    flat = np.zeros(5)
    error, matrix, distortion, *_ = cv2.calibrateCamera([grid] * len(photos), corners, size, np.eye(3), flat)
    return Lens(np.asarray(matrix, np.float64), np.asarray(distortion, np.float64).reshape(-1)[:5], size, float(error))


def _board_corners(photo: Photo, board: tuple[int, int], size: tuple[int, int]) -> NDArray[np.float32]:
    if photo.size != size:
        raise InputError("the photos are of different sizes", where=photo.name, mend="Take them all with one camera.")
    grey = np.asarray(cv2.cvtColor(photo.pixels, cv2.COLOR_BGR2GRAY), np.uint8)
    found, corners = cv2.findChessboardCornersSB(grey, board)
    if not found:
        what = f"no chessboard with {board[0]} x {board[1]} inner corners was found"
        raise InputError(
            what, where=photo.name, mend="Show the whole board, or say its inner corners with --board 9x6."
        )
    return np.asarray(corners, np.float32).reshape(-1, 1, 2)
