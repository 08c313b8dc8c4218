"""One good picture from a camera, a stream or a video file."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np

from durian_assist.errors import InputError
from durian_assist.vision.photo import LEAST_SIDE, Photo, Pixels
from durian_assist.vision.poor_photo import ALL_EDGES, edges

# A camera needs some pictures to set its exposure; of the next ones the sharpest is taken.
WARM_UP, TAKEN = 5, 8
_STREAMS = ("rtsp://", "rtmp://", "http://", "https://", "udp://")


def photograph(source: str) -> Photo:
    """A photo from `source`: a camera's number, a stream's address or a video file. Raises InputError."""
    where = f"--camera {source}"
    is_address = source.startswith(_STREAMS)
    if not source.isdecimal() and not is_address and not Path(source).is_file():
        raise InputError(
            "there is no such camera, stream or video file",
            where=where,
            mend="Give a camera's number (0 is the first), an address (rtsp://..., http://...) or a video file.",
        )
    # OpenCV would write its own complaints to standard error, before ours.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    opened = cv2.VideoCapture(int(source) if source.isdecimal() else source)
    try:
        best = _sharpest(opened)
    except cv2.error:
        best = None
    finally:
        opened.release()
    if best is None or min(best.shape[:2]) < LEAST_SIDE:
        raise InputError("no picture came from it", where=where, mend="Is it switched on, and used by nothing else?")
    return Photo(source, best)


def _sharpest(opened: cv2.VideoCapture) -> Pixels | None:
    best: tuple[float, Pixels] | None = None
    for number in range(WARM_UP + TAKEN):
        done, frame = opened.read()
        if not done:
            break
        pixels = np.asarray(frame, np.uint8)
        grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
        # A short video may end while a camera would still be warming up.
        value = edges(grey, ALL_EDGES) * (0.5 if number < WARM_UP else 1.0)
        if best is None or value > best[0]:
            best = (value, pixels)
    return None if best is None else best[1]
