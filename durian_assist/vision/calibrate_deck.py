"""Learn a deck from photos of its cards laid out in rows: labels and photos in, a profile out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from durian_assist.errors import InputError
from durian_assist.vision.calibrate_agree import agreed
from durian_assist.vision.calibrate_align import in_one_frame
from durian_assist.vision.calibrate_checks import check_photo, refuse_count
from durian_assist.vision.calibrate_find import find_pieces
from durian_assist.vision.calibrate_formats import check_formats
from durian_assist.vision.calibrate_layout import check_agreement, check_layout
from durian_assist.vision.calibrate_references import UNIT_SQUARE, Face, faces_in_order, rectified
from durian_assist.vision.calibrate_straighten import straightened
from durian_assist.vision.calibrate_weakest import weakest_pairs
from durian_assist.vision.deck_profile import CardClass, DeckProfile, DeckTable, Pixels
from durian_assist.vision.photo import Photo

# Aspects nearer than this are taken for one: two photos of one card differ by up to a hundredth.
SAME_ASPECT = 0.03
SHORT_SIDE = (200, 256)
TOKEN_WIDTH = (300, 400)
MOST_REFERENCES = 6


@dataclass(frozen=True, slots=True)
class Labelled:
    """A calibration photo and the classes of its pieces in reading order."""

    photo: Photo
    names: tuple[str, ...]


def faces_of(labelled: Labelled) -> list[Face]:
    """The faces in the photo, in reading order. Raises InputError for a photo that is no good, saying why."""
    photo = labelled.photo
    check_photo(photo)
    shapes = find_pieces(photo.pixels, len(labelled.names))
    faces = faces_in_order(photo.pixels, shapes) if shapes else []
    if len(faces) != len(labelled.names):
        refuse_count(photo, len(faces), labelled.names)
    check_layout(photo, faces, labelled.names)
    return [replace(face, photo=photo.name) for face in faces]


def calibrated(
    name: str,
    game: str,
    folder: Path,
    labelled: Sequence[Labelled],
    table: tuple[DeckTable, ...] = (),
    known: DeckProfile | None = None,
    extra: Mapping[str, object] | None = None,
) -> DeckProfile:
    """The deck that the photos show; references of `known`, the same deck before, are kept beside the new ones."""
    faces: dict[str, list[Face]] = {}
    for photo in labelled:
        for label, face in zip(photo.names, faces_of(photo), strict=True):
            faces.setdefault(label, []).append(face)
    check_agreement(faces)
    held = agreed(faces)
    classes = _merged(known.classes if known else (), _classes(held.faces))
    check_formats(game, classes, faces)
    deck_table = table or (known.table if known else ())
    weakest = weakest_pairs(classes)
    return DeckProfile(name, game, folder, classes, deck_table, weakest, dict(extra or {}), tuple(held.doubts))


def _classes(faces: Mapping[str, list[Face]]) -> list[CardClass]:
    classes: dict[str, CardClass] = {}
    for number, group in enumerate(_shape_groups(faces), 1):
        classes.update({c.name: c for c in _group_classes({n: faces[n] for n in group}, number)})
    return [classes[name] for name in faces]


def _shape_groups(faces: Mapping[str, list[Face]]) -> list[list[str]]:
    """Classes of one shape: all four-sided or none, and of one aspect."""
    aspects = {n: float(np.median([f.sides[0] / f.sides[1] for f in own])) for n, own in faces.items()}
    groups: list[list[str]] = []
    for name in sorted(faces, key=lambda n: (faces[n][0].four_sided, aspects[n])):
        last = groups[-1][-1] if groups else None
        alike = last is not None and faces[last][0].four_sided == faces[name][0].four_sided
        if last is not None and alike and abs(np.log(aspects[name] / aspects[last])) < SAME_ASPECT:
            groups[-1].append(name)
        else:
            groups.append([name])
    return groups


def _group_classes(faces: Mapping[str, list[Face]], number: int) -> list[CardClass]:
    four_sided = next(iter(faces.values()))[0].four_sided
    every = [face for own in (straightened(faces) if four_sided else faces).values() for face in own]
    outline = UNIT_SQUARE.copy()
    if not four_sided:
        every, outline = in_one_frame(every)
    size = _reference_size(every)
    kind = "cards" if four_sided else "tokens"
    classes, start = [], 0
    for name, own in faces.items():
        pictures = tuple(rectified(face, size) for face in every[start : start + len(own)])
        classes.append(CardClass(name, pictures, outline, f"{kind}-{number}"))
        start += len(own)
    return classes


def _reference_size(faces: Sequence[Face]) -> tuple[int, int]:
    """Width and height of the references: as large as the photos show the pieces, within limits."""
    aspect = float(np.exp(np.median([np.log(f.sides[0] / f.sides[1]) for f in faces])))
    width = float(np.median([face.sides[0] for face in faces]))
    short = float(np.clip(width * min(1.0, 1 / aspect), *SHORT_SIDE))
    if not faces[0].four_sided:
        width = float(np.clip(width, *TOKEN_WIDTH))
        return round(width), round(width / aspect)
    return (round(short * aspect), round(short)) if aspect > 1 else (round(short), round(short / aspect))


def _merged(known: Sequence[CardClass], fresh: Sequence[CardClass]) -> tuple[CardClass, ...]:
    """Fresh references beside known ones of the same class, the newest first to be kept; other classes as they are."""
    before = {card.name: card for card in known}
    groups = {b.size_group: before[b.name].size_group for b in fresh if b.name in before}
    merged = dict(before)
    for card in fresh:
        old = before.get(card.name)
        if old is None:
            merged[card.name] = CardClass(card.name, card.references, card.outline, _regrouped(card, known, groups))
            continue
        if abs(np.log(old.aspect / card.aspect)) > 2 * SAME_ASPECT:
            raise InputError(
                f"{card.name} has another shape in these photos ({card.aspect:.2f}) than before ({old.aspect:.2f})",
                mend="Give the deck another name, or calibrate all of its cards again with --fresh.",
            )
        size = (old.references[0].shape[1], old.references[0].shape[0])
        references = (*card.references, *old.references)[:MOST_REFERENCES]
        merged[card.name] = CardClass(
            card.name, tuple(_sized(r, size) for r in references), old.outline, old.size_group
        )
    return tuple(merged.values())


def _regrouped(card: CardClass, known: Sequence[CardClass], groups: Mapping[str, str]) -> str:
    """The size group of a new class: that of its companions in the photo, else of known classes of its shape."""
    if card.size_group in groups:
        return groups[card.size_group]
    for other in known:
        if other.four_sided == card.four_sided and abs(np.log(other.aspect / card.aspect)) < SAME_ASPECT:
            return other.size_group
    taken = {other.size_group for other in known}
    return card.size_group if card.size_group not in taken else f"{card.size_group}-{len(taken) + 1}"


def _sized(picture: Pixels, size: tuple[int, int]) -> Pixels:
    if (picture.shape[1], picture.shape[0]) == size:
        return picture
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
