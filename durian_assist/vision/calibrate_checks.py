"""Reasons to refuse a calibration photo, each with what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

import cv2
import numpy as np

from durian_assist.errors import InputError
from durian_assist.vision.find_masks import Pixels
from durian_assist.vision.photo import Photo

LEAST_SIDE = 600
DARK = 25.0  # the brightest twentieth of the picture, of 255
WASHED_OUT = 0.6  # share of the picture that is pure white
EMPTY = 1.6  # grey levels per pixel across the strongest edges, at 1600 pixels
BLURRED = 0.6  # share of the strongest edges that a further blur of 3 pixels leaves; 0.3 to 0.45 of a sharp picture
ALL_EDGES, SHARPEST = 99.0, 99.9  # percentiles; one card on a plain table has few sharp edges, its table none


def check_photo(photo: Photo) -> None:
    """Raise InputError where the photo as a whole is too small, too dark, washed out or blurred."""
    if max(photo.size) < LEAST_SIDE:
        refuse(
            photo, f"the photo is too small ({photo.size[0]} x {photo.size[1]} pixels)", "Take it anew at full size."
        )
    grey = np.asarray(cv2.cvtColor(_small(photo.pixels), cv2.COLOR_BGR2GRAY), np.uint8)
    if np.percentile(grey, 95) < DARK:
        refuse(photo, "the photo is too dark", "Take it anew with more light on the cards.")
    if (grey >= 254).mean() > WASHED_OUT:
        refuse(photo, "the photo is washed out to white", "Take it anew with less light or out of the glare.")
    if edges(grey, ALL_EDGES) < EMPTY:
        refuse(photo, "the photo shows nothing", "Lay the cards out and take it anew.")
    if edges(grey, SHARPEST, 3.0) > BLURRED * edges(grey, SHARPEST):
        refuse(photo, "the photo is blurred", "Hold the camera still and focus on the cards.")


def edges(grey: Pixels, percentile: float, blur: float = 0.8) -> float:
    """Grey levels per pixel across edges of that percentile of strength, after a blur by that many pixels."""
    fine = cv2.GaussianBlur(grey, (0, 0), blur).astype(np.float32)
    step = np.hypot(cv2.Sobel(fine, cv2.CV_32F, 1, 0, scale=0.125), cv2.Sobel(fine, cv2.CV_32F, 0, 1, scale=0.125))
    return float(np.percentile(step, percentile))


def _small(pixels: Pixels, side: int = 1600) -> Pixels:
    scale = min(1.0, side / max(pixels.shape[:2]))
    if scale == 1.0:
        return pixels
    return np.asarray(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def refuse_count(photo: Photo, found: int, names: Sequence[str]) -> NoReturn:
    """Raise the error for a photo that shows another number of pieces than its labels."""
    pieces = f"{found} piece{'s' if found != 1 else ''}"
    refuse(
        photo,
        f"{pieces} found, but the labels name {len(names)} ({names[0]}{' ... ' + names[-1] if len(names) > 1 else ''})",
        "Lay the cards apart in rows with gaps, none cut off by the edge of the picture, on a table of another "
        "colour, and check the labels.",
    )


def refuse(photo: Photo, what: str, mend: str) -> NoReturn:
    """Raise the error for a photo that is no good."""
    raise InputError(what, where=photo.name, mend=mend)
