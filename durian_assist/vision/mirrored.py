"""Mirror images: some cameras save a photo as a mirror shows it, and every side and arrow would be read wrongly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from durian_assist.errors import InputError
from durian_assist.vision.correlation import features, unit
from durian_assist.vision.deck_profile import DeckProfile
from durian_assist.vision.photo import Photo
from durian_assist.vision.reading import Mark
from durian_assist.vision.rectify import (
    Floats,
    Picture,
    Pixels,
    Points,
    canvas_corners,
    canvas_to_photo,
    evened,
    median,
    to_lab,
    white_of,
)

# The side in pixels of the square that a card is looked at in, whatever its shape: what stands left or right of a
# card's middle shows at that size, and a badge or a line of text does not count.
_SIDE = 24
# So many of the surest cards are looked at; fewer than the least prove nothing.
_MOST, _LEAST = 5, 3
# By how much a card must be more like the deck seen in a mirror (correlation, median of the cards). Cards that are
# the same both ways stay within 0.003 of 0; in a photo that is no mirror image all others lie below.
_LEAD = 0.01


def deck_as_seen(profile: DeckProfile) -> Floats:
    """(n, 3 * pixels) a picture of each class of a deck, to hold cards against."""
    return _flat([_seen(Picture(c.references[0]), _frame(c.references[0])) for c in profile.classes])


def refuse_mirrored(photos: Sequence[Photo], marks: Sequence[Mark], deck: Floats) -> None:
    """Raises InputError for a photo whose cards are more like the deck's when they are seen in a mirror; `deck`: see
    `deck_as_seen`."""
    own = [[m for m in marks if m.photo == number and len(m.corners) == 4] for number in range(len(photos))]
    enough = [(photo, cards) for photo, cards in zip(photos, own, strict=True) if len(cards) >= _LEAST]
    if not enough:
        return
    for photo, cards in enough:
        surest = sorted(cards, key=lambda m: -m.confidence)[:_MOST]
        leads = [_lead(_seen(*_cut_out(photo.pixels, np.array(m.corners))), deck) for m in surest]
        if float(median(leads)) > _LEAD:
            raise InputError(
                "this photo is a mirror image: its cards are those of the deck as a mirror shows them",
                where=photo.name,
                mend="Turn mirroring off in the camera and take it again, or mirror the picture back.",
            )


def _lead(seen: Floats, references: Floats) -> float:
    """By how much a card (side, side, 3) correlates better with any reference when it is seen in a mirror."""
    turned = [np.rot90(view, turns) for view in (seen, seen[:, ::-1]) for turns in range(4)]
    likeness = _flat(turned) @ references.T
    return float(likeness[4:].max() - likeness[:4].max())


def _seen(picture: Picture, corners: Points) -> Floats:
    """The colours (side, side, 3) within the corners: white as the card's own white, the light evened out."""
    crop = picture.warp(canvas_to_photo(corners, (_SIDE, _SIDE)), (_SIDE, _SIDE))
    return evened(to_lab(crop, white_of(crop)))


def _cut_out(pixels: Pixels, corners: Points) -> tuple[Picture, Points]:
    """The part of a photo round a card, which is all that needs to be made small, and the card's corners in it."""
    height, width = pixels.shape[:2]
    low = np.clip(np.floor(corners.min(0)).astype(int), 0, (width - 1, height - 1))
    high = np.clip(np.ceil(corners.max(0)).astype(int) + 1, low + 1, (width, height))
    return Picture(pixels[low[1] : high[1], low[0] : high[0]]), corners - low


def _frame(picture: Pixels) -> Points:
    """The corners (4, 2) of a whole picture, from its top left, clockwise."""
    return canvas_corners(np.eye(3), (picture.shape[1], picture.shape[0]))


def _flat(labs: Sequence[Floats]) -> Floats:
    """(n, 3 * pixels): pictures to correlate, each of length one."""
    return unit(features(np.stack(labs))).reshape(len(labs), -1)
