"""How well a deck tells its cards apart on photos whose truth is known: every card is named where the truth has it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.common.paths import unusable
from durian_assist.errors import InputError
from durian_assist.vision.cards_reading import SURE
from durian_assist.vision.deck_profile import DeckProfile
from durian_assist.vision.photo import Photo
from durian_assist.vision.recognise import Recogniser
from durian_assist.vision.rectify import Picture

Array = NDArray[np.float64]

# A card that shows less of itself than this is not asked about.
SHOWN = 0.6


@dataclass(frozen=True, slots=True)
class Named:
    """One card of a photo: what it is and what the deck takes it for."""

    photo: str
    truth: str
    name: str
    confidence: float

    @property
    def right(self) -> bool:
        return self.name == self.truth

    @property
    def uncertain(self) -> bool:
        return self.confidence < SURE


def truth_of(photo: Path) -> list[tuple[str, Array]]:
    """The cards of the truth file beside a photo: class and outline (n, 2). Raises InputError."""
    path = photo.with_suffix(".json")
    mend = "It lists `cards` with `id` and `corners` (top left, top right, bottom right, bottom left) in photo pixels."
    try:
        cards = json.loads(path.read_text(encoding="utf-8"))["cards"]
        return [_true_card(card) for card in cards if float(card.get("visible", 1.0)) >= SHOWN]
    except FileNotFoundError:
        raise InputError("the photo has no truth file beside it", where=str(path), mend=mend) from None
    except OSError as error:
        raise unusable("the truth file cannot be read", path, error) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError("this is no truth file", where=str(path), mend=mend) from None


def _true_card(card: Mapping[str, object]) -> tuple[str, Array]:
    outline = np.array(card.get("corners") or card["polygon"], np.float64)
    if outline.ndim != 2 or outline.shape[1] != 2 or len(outline) < 4:
        raise ValueError("an outline has at least four points")
    return str(card["id"]), outline


def named(photo: Photo, truth: Sequence[tuple[str, Array]], profile: DeckProfile) -> list[Named]:
    """What the deck takes each card for; cards that it does not know are left out."""
    known = {card.name: card for card in profile.classes}
    cards = [(name, outline) for name, outline in truth if name in known and known[name].four_sided]
    tokens = [(name, outline) for name, outline in truth if name in known and not known[name].four_sided]
    return _named_cards(photo, cards, profile) + (_named_tokens(photo, tokens, profile) if tokens else [])


def _named_cards(photo: Photo, truth: Sequence[tuple[str, Array]], profile: DeckProfile) -> list[Named]:
    groups = {card.name: card.size_group for card in profile.classes}
    recogniser = Recogniser([card for card in profile.classes if card.four_sided])
    picture = Picture(photo.pixels)
    found = []
    for name, outline in truth:
        corners = outline if len(outline) == 4 else _box(outline)
        identity = recogniser.identify(picture, corners, (0, 1, 2, 3), group=groups[name])
        found.append(Named(photo.name, name, identity.best.name, identity.confidence))
    return found


def _named_tokens(photo: Photo, truth: Sequence[tuple[str, Array]], profile: DeckProfile) -> list[Named]:
    """Tokens as `read durian` reads them: the one nearest each true one, if it lies on it."""
    from durian_assist.vision.durian_reading import read_durian

    listed = cast("list[dict[str, Any]]", read_durian([photo], profile).to_json()["tokens"])
    read = [(float(t["confidence"]), str(t["value"]), np.mean(t["corners"], axis=0)) for t in listed]
    found = []
    for name, outline in truth:
        middle, reach = outline.mean(axis=0), 0.3 * float(np.ptp(outline, axis=0).max())
        near = [token for token in read if np.linalg.norm(token[2] - middle) < reach]
        confidence, value, _ = max(near, key=lambda token: token[0], default=(1.0, "", middle))
        found.append(Named(photo.name, name, f"token/{value}" if value else "nothing", confidence))
    return found


def _box(outline: Array) -> Array:
    """The smallest rectangle round an outline, clockwise as seen."""
    box = cv2.boxPoints(cv2.minAreaRect(outline.astype(np.float32))).astype(np.float64)
    return box if cv2.contourArea(box.astype(np.float32), oriented=True) > 0 else box[::-1].copy()
