"""Overlays: the photo with what was read, and what it is worth, drawn on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from durian_assist.cli.output import tell

if TYPE_CHECKING:
    from durian_assist.vision.photo import Photo
    from durian_assist.vision.reading import Mark


class HasMarks(Protocol):
    """A reading, of a table or of loose cards."""

    def marks(self) -> Sequence[Mark]:
        """Every card read."""
        ...


def write_overlay(
    name: str, photos: Sequence[Photo], reading: HasMarks, lines: Mapping[str, Sequence[str]] | None = None
) -> None:
    """Write the overlay of the first photo. `lines` are further lines for a card, by its key, e.g. owner and points.

    Raises InputError where the picture cannot be written.
    """
    from durian_assist.vision.overlay import Label, draw_overlay
    from durian_assist.vision.picture import write_picture

    extra = lines or {}
    labels = [
        Label(mark.corners, (mark.title, *extra.get(mark.key, ())), mark.uncertain)
        for mark in reading.marks()
        if mark.photo == 0 and mark.corners
    ]
    write_picture(Path(name), draw_overlay(photos[0].pixels, labels))
    if len(photos) > 1:
        tell(f"Written: {name} shows what was read in the first photo, {photos[0].name}.")
