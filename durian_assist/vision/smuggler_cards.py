"""What a Smuggler card shows, as a class of a deck, as the text of a record and as JSON.

Sides are numbered as quarter turns clockwise of a card whose bottom edge points south: 0 south, 1 west, 2 north,
3 east.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from durian_assist.common.names import UnknownName, listed, resolve
from durian_assist.errors import InputError

SIDES = ("south", "west", "north", "east")
ARROWS = "v<^>"
MIDDLE = "centre"
_CARD = re.compile(r"(?P<type>.*?[^\d*?-])(?P<face>\d+|\*|-|\?)")


@dataclass(frozen=True, slots=True)
class Face:
    """A luggage card's visible face: `kind` is durian, empty or back; only a durian has a badge."""

    luggage: str
    kind: str
    badge: int | None = None

    @property
    def text(self) -> str:
        """`red6`, `red-`, `red?`."""
        mark = {"durian": str(self.badge), "empty": "-", "back": "?"}[self.kind]
        return self.luggage + mark


@dataclass(frozen=True, slots=True)
class Laid:
    """A card as it lies in the grid: its face and the side that its bottom edge points to."""

    face: Face
    side: int

    @property
    def text(self) -> str:
        """`red6v`."""
        return self.face.text + ARROWS[self.side]

    def turned(self, quarters: int) -> Laid:
        """The same card as somebody sees it for whom the table is turned clockwise by so many quarters."""
        return Laid(self.face, (self.side + quarters) % 4)


def face_of(name: str) -> Face | None:
    """The face that a class of a deck shows; None for what is no luggage (the centre card)."""
    parts = name.split("/")
    if len(parts) == 3 and parts[1] == "durian" and parts[2].isdigit():
        return Face(parts[0], "durian", int(parts[2]))
    if len(parts) == 2 and parts[1] in ("empty", "back"):
        return Face(parts[0], parts[1])
    return None


def faces_of(names: Iterable[str]) -> tuple[Face, ...]:
    """All luggage faces among the classes of a deck."""
    return tuple(face for face in map(face_of, names) if face is not None)


def parse_face(text: str, faces: Sequence[Face], where: str) -> Face:
    """`red6`, `red-`, `red?`, `red*` to a face of the deck. Raises InputError."""
    example = f"Write it like {faces[0].text}." if faces else ""
    found = _CARD.fullmatch(text.strip())
    if found is None:
        raise InputError(
            f'"{text}" is no card: a type, then a badge, - (empty) or ? (face down)', where=where, mend=example
        )
    types = tuple(dict.fromkeys(f.luggage for f in faces if f.luggage))
    try:
        luggage = resolve(found["type"], types)
    except UnknownName as error:
        mend = f"The deck's types are {listed(types)}. {example}"
        raise InputError(f"no such luggage type: {error.sentence}", where=where, mend=mend) from None
    wanted = found["face"]
    own = [f for f in faces if f.luggage == luggage]
    for face in own:
        if face.text == luggage + wanted or (wanted == "*" and face.kind == "durian"):
            return face
    known = ", ".join(f.text for f in own)
    raise InputError(f'this deck has no card "{luggage}{wanted}"', where=where, mend=f"It has {known}.")


def parse_laid(text: str, faces: Sequence[Face], where: str) -> Laid | None:
    """A cell of a record to a card; None for an empty cell. Raises InputError."""
    text = text.strip()
    if text == ".":
        return None
    arrow = text[-1:].casefold()
    if not arrow or arrow not in ARROWS:
        mend = "The cell ends with the side that the card's bottom edge points to: v < ^ or >."
        raise InputError(f'"{text}" does not say which way the card lies', where=where, mend=mend)
    return Laid(parse_face(text[:-1], faces, where), ARROWS.index(arrow))
