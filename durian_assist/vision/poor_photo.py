"""What is wrong with a photo as a whole: so small, dark, bright or blurred that its cards cannot be told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from durian_assist.common.names import listed
from durian_assist.errors import InputError
from durian_assist.vision.photo import Photo
from durian_assist.vision.rectify import Pixels, quantile

LEAST_SIDE = 600
DARK = 25.0  # the brightest twentieth of the picture, of 255
WASHED_OUT = 0.6  # share of the picture that is pure white
# Share of pure white from which on it is the likely reason for what cannot be told. Reflections of a lamp are smaller.
MUCH_WHITE = 0.05
EMPTY = 1.6  # grey levels per pixel across the strongest edges, at 1600 pixels
BLURRED = 0.6  # share of the strongest edges that a further blur of 3 pixels leaves; 0.3 to 0.45 of a sharp picture
ALL_EDGES, SHARPEST = 99.0, 99.9  # percentiles; one card on a plain table has few sharp edges, its table none
EVERY = 8  # pixel of both directions is looked at for the light


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong and how to mend it."""

    what: str
    mend: str


def poor(photo: Photo, white: float = MUCH_WHITE) -> Fault | None:
    """The first fault of a photo; too bright is one of which more than the share `white` is pure white."""
    if max(photo.size) < LEAST_SIDE:
        return Fault(f"the photo is too small ({photo.size[0]} x {photo.size[1]} pixels)", "Take it anew at full size.")
    return lit_badly(photo, white) or _unsharp(photo)


def lit_badly(photo: Photo, white: float = MUCH_WHITE) -> Fault | None:
    """The fault of a photo's light; quick."""
    few = np.ascontiguousarray(photo.pixels[::EVERY, ::EVERY])
    grey = np.asarray(cv2.cvtColor(few, cv2.COLOR_BGR2GRAY), np.uint8)
    if quantile(grey, 0.95) < DARK:
        return Fault("the photo is too dark", "Take it anew with more light on the cards.")
    share = float((grey >= 254).mean())
    if share > white:
        what = "washed out to white" if share > WASHED_OUT else f"too bright: {100 * share:.0f} % of it is pure white"
        return Fault(f"the photo is {what}", "Take it anew with less light or out of the glare.")
    return None


def _unsharp(photo: Photo) -> Fault | None:
    grey = np.asarray(cv2.cvtColor(_small(photo.pixels), cv2.COLOR_BGR2GRAY), np.uint8)
    if edges(grey, ALL_EDGES) < EMPTY:
        return Fault("the photo shows nothing", "Lay the cards out and take it anew.")
    if edges(grey, SHARPEST, 3.0) > BLURRED * edges(grey, SHARPEST):
        return Fault("the photo is blurred", "Hold the camera still and focus on the cards.")
    return None


def for_poor_photos(error: InputError, photos: Sequence[Photo]) -> InputError | None:
    """The reason why nothing could be read that lies in the photos, with `error`; None where they are good."""
    faults = [(photo.name, fault) for photo in photos if (fault := poor(photo))]
    if not faults:
        return None
    what = "; ".join(dict.fromkeys(fault.what for _, fault in faults))
    mend = " ".join(dict.fromkeys(fault.mend for _, fault in faults))
    where = listed([name for name, _ in faults])
    return InputError(f"{what}; so {error.what}", where=where, mend=f"{mend} {error.mend}".strip())


def warnings(photos: Sequence[Photo]) -> tuple[str, ...]:
    """What must be said of a reading that is uncertain."""
    faults = [(photo.name, fault) for photo in photos if (fault := lit_badly(photo))]
    return tuple(f"{name}: {fault.what}. {fault.mend}" for name, fault in faults)


def edges(grey: Pixels, percentile: float, blur: float = 0.8) -> float:
    """Grey levels per pixel across edges of that percentile of strength, after a blur by that many pixels."""
    fine = cv2.GaussianBlur(grey, (0, 0), blur).astype(np.float32)
    step = np.hypot(cv2.Sobel(fine, cv2.CV_32F, 1, 0, scale=0.125), cv2.Sobel(fine, cv2.CV_32F, 0, 1, scale=0.125))
    return quantile(step, percentile / 100)


def _small(pixels: Pixels, side: int = 1600) -> Pixels:
    scale = min(1.0, side / max(pixels.shape[:2]))
    if scale == 1.0:
        return pixels
    return np.asarray(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
