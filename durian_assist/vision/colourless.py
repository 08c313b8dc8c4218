"""Photos without colour: what only colour tells apart cannot be read from them, and people should hear that reason."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from durian_assist.common.names import listed
from durian_assist.errors import InputError
from durian_assist.vision.deck_profile import DeckProfile, Pixels
from durian_assist.vision.photo import Photo

# The chroma of a pixel is its largest channel less its smallest, 0 to 255. A black-and-white photo has next to none
# anywhere, a coloured card much of it in a good part of its picture.
_NONE, _MUCH = 10, 40


def colourless(photos: Sequence[Photo], profile: DeckProfile) -> tuple[str, ...]:
    """The names of the photos without colour, where the deck's cards have some; none where the deck has none."""
    names = tuple(photo.name for photo in photos if _chroma(photo.pixels, 99.5) < _NONE)
    return names if names and _coloured(profile) else ()


def for_want_of_colour(error: InputError, photos: Sequence[Photo], profile: DeckProfile) -> InputError:
    """The reason why nothing could be read: the photos have no colour; where they have, `error` as it is."""
    names = colourless(photos, profile)
    if not names:
        return error
    return InputError(f"{_reason(names, profile)}; so {error.what}", where=listed(names), mend=_MEND)


def warning(photos: Sequence[Photo], profile: DeckProfile) -> str:
    """What must be said of a reading that is uncertain; nothing where the photos have colour."""
    names = colourless(photos, profile)
    return f"{listed(names)}: {_reason(names, profile)}. {_MEND}" if names else ""


_MEND = "Take the photo again in colour, without a black-and-white filter."


def _reason(names: Sequence[str], profile: DeckProfile) -> str:
    has = "photo has" if len(names) == 1 else "photos have"
    return f"the {has} no colour, and the cards of the deck {profile.name} are told apart by colour"


def _coloured(profile: DeckProfile) -> bool:
    return any(_chroma(picture, 90) > _MUCH for known in profile.classes for picture in known.references[:1])


def _chroma(pixels: Pixels, percent: float) -> float:
    """The chroma that `percent` of the pixels stay below; every fourth pixel of both directions is looked at."""
    few = pixels[::4, ::4]
    return float(np.percentile(few.max(axis=2) - few.min(axis=2), percent))
