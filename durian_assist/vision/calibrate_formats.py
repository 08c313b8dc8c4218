"""The cards of one deck have one format. Where photos show two, a part of the cards was not seen in one of them.

A band in the colour of the table may escape from every card of a photo alike, so that they agree with each other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from durian_assist.errors import InputError
from durian_assist.vision.calibrate_layout import LAY_OUT, SAME_ASPECT
from durian_assist.vision.calibrate_references import Face
from durian_assist.vision.deck_profile import CardClass

# The classes of each game that are sides of the same cards, by the rulebooks. Centre, board, tokens, plantations and
# preference cards may have a format of their own.
_ONE_FORMAT = {
    "smuggler": re.compile(r"[^/]+/.+"),
    "durian": re.compile(r"[a-z]+[0-9]+-[a-z]+[0-9]+|gorilla/.+|[^/]+/back"),
    "dash": re.compile(r"[^/]+|dash/back"),
}


def check_formats(game: str, classes: Sequence[CardClass], faces: Mapping[str, Sequence[Face]]) -> None:
    """Raise InputError where cards of one deck differ in width over height. `faces`: those of this calibration."""
    pattern = _ONE_FORMAT.get(game)
    cards = [card for card in classes if card.four_sided and pattern is not None and pattern.fullmatch(card.name)]
    if not cards:
        return
    narrow, wide = min(cards, key=lambda c: c.aspect), max(cards, key=lambda c: c.aspect)
    if np.log(wide.aspect / narrow.aspect) < SAME_ASPECT:
        return
    photos = sorted({Path(f.photo).name for card in (narrow, wide) for f in faces.get(card.name, ())})
    raise InputError(
        f"the cards of this deck have two shapes: {narrow.name} is {narrow.aspect:.2f} times as wide as high, "
        f"{wide.name} {wide.aspect:.2f}",
        where=", ".join(photos),
        mend=f"In one of these photos a part of each card, as light or as dark as the table, was not seen. {LAY_OUT} "
        "What an earlier calibration got wrong is forgotten with --fresh.",
    )
