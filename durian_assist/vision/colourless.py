"""Photos without colours: what only colour tells apart cannot be read from them, and people should hear that reason.

A black-and-white photo has none, one in sepia has only shades of one: there the colour of a pixel follows from its
lightness, whatever was photographed.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.common.names import listed
from durian_assist.errors import InputError
from durian_assist.vision.deck_profile import DeckProfile, Pixels
from durian_assist.vision.photo import Photo
from durian_assist.vision.rectify import median, quantile

# The chroma of a pixel is its largest channel less its smallest, 0 to 255. A black-and-white photo has next to none
# anywhere, a coloured card much of it in a good part of its picture.
_NONE, _MUCH = 10, 40
# In a photo of shades of one colour next to none is left where a pixel's colour is taken against the usual one of its
# lightness, and little of all its chroma: a tenth where strongly compressed, two fifths for grey cards on green cloth.
_LEFT = 0.2
_SHADE = 4  # levels of lightness that count as one
_SIDE = 200  # pixels of a photo's longer side there: noise and the blocks of strong compression are averaged
_CLIPPED = 250  # where one channel is at its end the others run on, and the colour is none of the photo's


def colourless(photos: Sequence[Photo], profile: DeckProfile) -> tuple[str, ...]:
    """The names of the photos without colours, where the deck's cards have some; none where the deck has none."""
    grey = tuple(photo.name for photo in photos if _chroma(photo.pixels, 99.5) < _NONE)
    if grey:
        return grey if _coloured(profile) else ()
    toned = tuple(photo.name for photo in photos if _toned(photo.pixels))
    return toned if toned and _of_many_colours(profile) else ()


def for_want_of_colour(error: InputError, photos: Sequence[Photo], profile: DeckProfile) -> InputError:
    """The reason why nothing could be read: the photos have no colour; where they have, `error` as it is."""
    names = colourless(photos, profile)
    if not names:
        return error
    return InputError(f"{_reason(names, photos, profile)}; so {error.what}", where=listed(names), mend=_MEND)


def warning(photos: Sequence[Photo], profile: DeckProfile) -> str:
    """What must be said of a reading that is uncertain; nothing where the photos have colour."""
    names = colourless(photos, profile)
    return f"{listed(names)}: {_reason(names, photos, profile)}. {_MEND}" if names else ""


_MEND = "Take the photo again in colour, without a filter for black and white or sepia."


def _reason(names: Sequence[str], photos: Sequence[Photo], profile: DeckProfile) -> str:
    has = "photo has" if len(names) == 1 else "photos have"
    grey = any(photo.name in names and _chroma(photo.pixels, 99.5) < _NONE for photo in photos)
    what = "no colour" if grey else "only shades of one colour"
    return f"the {has} {what}, and the cards of the deck {profile.name} are told apart by colour"


def _coloured(profile: DeckProfile) -> bool:
    return any(_chroma(picture, 90) > _MUCH for known in profile.classes for picture in known.references[:1])


def _chroma(pixels: Pixels, percent: float) -> float:
    """The chroma that `percent` of the pixels stay below; every fourth pixel of both directions is looked at."""
    low, high = _ends(pixels)
    return quantile(high - low, percent / 100)


def _ends(pixels: Pixels) -> tuple[Pixels, Pixels]:
    """(h, w) the smallest and the largest channel of every fourth pixel of both directions. (Over so short an axis
    numpy's own take ten times as long.)"""
    blue, green, red = cv2.split(np.ascontiguousarray(pixels[::4, ::4]))
    low, high = cv2.min(cv2.min(blue, green), red), cv2.max(cv2.max(blue, green), red)
    return np.asarray(low, np.uint8), np.asarray(high, np.uint8)


def _of_many_colours(profile: DeckProfile) -> bool:
    """Whether the cards have more than shades of one colour, as black print on yellow paper is."""
    pictures = [_averaged(known.references[0], _SIDE // 4) for known in profile.classes]
    few = np.concatenate(pictures)
    return _coloured(profile) and len(few) > 0 and _off_shades(few, 90) > _NONE


def _toned(photo: Pixels) -> bool:
    """Whether a photo has only shades of one colour."""
    few = _averaged(photo)
    if not len(few):
        return False
    chroma = quantile(few.max(axis=1) - few.min(axis=1), 0.995)
    return _off_shades(few, 99.5) < min(_NONE, _LEFT * chroma)


def _averaged(pixels: Pixels, side: int = _SIDE) -> NDArray[np.float32]:
    """(n, 3) the pixels of a small picture, without those that have a part in which a channel is at its end."""
    scale = min(1.0, side / max(pixels.shape))
    size = (max(1, round(pixels.shape[1] * scale)), max(1, round(pixels.shape[0] * scale)))
    clipped = (_ends(pixels)[1] >= _CLIPPED).astype(np.float32)
    whole = cv2.resize(clipped, size, interpolation=cv2.INTER_AREA) == 0
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)[whole], np.float32)


def _off_shades(pixels: NDArray[np.float32], percent: float) -> float:
    """The chroma off the usual colour of its lightness that `percent` of the pixels (n, 3) stay below."""
    light = (pixels.mean(axis=1) / _SHADE).astype(np.int64)
    order = np.argsort(light, kind="stable")
    shades = np.split(pixels[order], np.flatnonzero(np.diff(light[order])) + 1)
    apart = [shade - shade.mean(axis=1, keepdims=True) for shade in shades]
    off = np.concatenate([part - median(part) for part in apart])
    return quantile(off.max(axis=1) - off.min(axis=1), percent / 100)
