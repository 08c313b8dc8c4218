"""`read smuggler`: photos of a table to its grid and hands, with what is uncertain, as JSON and as a record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from durian_assist.errors import InputError
from durian_assist.vision.deck_profile import CardClass, DeckProfile, DeckTable
from durian_assist.vision.lattice import Cell
from durian_assist.vision.photo import Photo
from durian_assist.vision.reading import Corner, Mark, Uncertain
from durian_assist.vision.recognise import Recogniser
from durian_assist.vision.rectify import Picture, Points
from durian_assist.vision.smuggler_cards import MIDDLE, SIDES, Face, Laid, faces_of, parse_face, parse_laid
from durian_assist.vision.smuggler_cells import CELLS, Answer, Sighting, read_cells
from durian_assist.vision.smuggler_combine import TableSeen, combined_cell, combined_hands, quarters_between
from durian_assist.vision.smuggler_hands import read_hands
from durian_assist.vision.smuggler_view import view_grid

SURE = 0.9
# A card that the deck table or the owners' counts speak against must be seen more clearly than others.
SURE_IN_DOUBT = 0.98
MOST_CANDIDATES = 4
SQUARE = (0.9, 1.1)


@dataclass(frozen=True, slots=True)
class Place:
    """A cell or a hand card: its answers with probabilities, best first, and the corners of the place in photo `photo`.

    `settled`: a person said so.
    """

    odds: tuple[tuple[Answer, float], ...]
    quad: Points
    photo: int = 0
    settled: bool = False

    @property
    def best(self) -> Answer:
        return self.odds[0][0]

    @property
    def confidence(self) -> float:
        return self.odds[0][1]

    @property
    def corners(self) -> tuple[Corner, ...]:
        """Corners from the card's own top left, clockwise; those of an empty place from its top left."""
        own = np.roll(self.quad, -(self.best.side if self.best is not None else 0), axis=0)
        return tuple((round(float(x), 1), round(float(y), 1)) for x, y in own)


@dataclass(frozen=True, slots=True)
class SmugglerReading:
    """A table as read.

    `cells` by row and column from the middle; `hands` as (side number, place); `middle` the centre card's corners.
    """

    cells: dict[Cell, Place]
    hands: tuple[tuple[int, Place], ...]
    faces: tuple[Face, ...]
    table: tuple[DeckTable, ...] = ()
    middle: tuple[Corner, ...] = ()

    @property
    def uncertain(self) -> tuple[Uncertain, ...]:
        """What needs a person: cells in reading order, then hands."""
        cells = [self._unsure_cell(cell) for cell in CELLS if not self._sure(self.cells[cell])]
        sides = [s for s in range(4) if any(side == s and not self._sure(p) for side, p in self.hands)]
        return (*cells, *(self._unsure_hand(side) for side in sides))

    def corrected(self, key: str, value: str) -> SmugglerReading:
        """The reading with one cell (`3,2`) or hand (`hand.south`, cards with commas between) set by a person."""
        where = f"--set {key}={value}"
        if key.startswith("hand."):
            return self._with_hand(key.removeprefix("hand."), value, where)
        row, comma, column = key.partition(",")
        cell = (int(row) - 3, int(column) - 3) if comma and row.strip().isdigit() and column.strip().isdigit() else None
        if cell not in self.cells:
            mend = "Name a cell as ROW,COLUMN from 1,1 (far left) to 5,5, or a hand as hand.south."
            raise InputError(f'"{key}" is no place of a Smuggler table', where=where, mend=mend)
        answer = parse_laid(value, self.faces, where)
        place = replace(self.cells[cell], odds=((answer, 1.0),), settled=True)
        return replace(self, cells={**self.cells, cell: place})

    def marks(self) -> tuple[Mark, ...]:
        """Every card read, and every cell that may hold one."""
        marks = [Mark("3,3", MIDDLE, self.middle, 1.0, uncertain=False)] if self.middle else []
        for cell in CELLS:
            place = self.cells[cell]
            unsure = not self._sure(place)
            if place.best is not None or unsure:
                marks.append(Mark(_key(cell), _title(place), place.corners, place.confidence, unsure, place.photo))
        for side, place in self.hands:
            unsure = not self._sure(place)
            marks.append(
                Mark(f"hand.{SIDES[side]}", _title(place), place.corners, place.confidence, unsure, place.photo)
            )
        return tuple(marks)

    def to_json(self) -> dict[str, object]:
        """The JSON of `read smuggler`."""
        grid = [[self._cell_json((r, c)) for c in range(-2, 3)] for r in range(-2, 3)]
        hands = {SIDES[side]: [f.text for f in self.hand(side)] for side in range(4) if self.hand(side)}
        return {"grid": grid, "hands": hands, "uncertain": [u.entry for u in self.uncertain]}

    def to_record(self) -> str:
        """The record with the best guess for every card and a comment for each uncertain one."""
        lines = ['game = "smuggler"']
        lines += [f"# uncertain: {u.place}: {' or '.join(u.candidates)}" for u in self.uncertain]
        lines.append('grid = """')
        lines += [" ".join(f"{self._text((r, c)):<9}" for c in range(-2, 3)).rstrip() for r in range(-2, 3)]
        lines.append('"""')
        hands = [(SIDES[side], [f.text for f in self.hand(side)]) for side in range(4)]
        if any(cards for _, cards in hands):
            lines.append("[hands]")
            lines += [f"{name} = [{', '.join(map(_quoted, cards))}]" for name, cards in hands if cards]
        return "\n".join(lines) + "\n"

    def hand(self, side: int) -> tuple[Face, ...]:
        """The faces of the cards in front of a side."""
        return tuple(p.best.face for s, p in self.hands if s == side and p.best is not None)

    def _sure(self, place: Place) -> bool:
        if place.settled or place.best is None:
            return place.settled or place.confidence >= SURE
        return place.confidence >= (SURE_IN_DOUBT if self._doubt(place.best) else SURE)

    def _doubt(self, card: Laid) -> str:
        """What in the deck table or the owners' counts speaks against cards of this kind or side; "" for nothing."""
        laid = [p.best for p in self.cells.values() if p.best is not None]
        faces = [c.face for c in laid] + [p.best.face for _, p in self.hands if p.best is not None]
        for kind in self.table:
            if kind.name == card.face.luggage:
                durians = sum(f.kind == "durian" for f in faces if f.luggage == kind.name)
                cards = sum(f.luggage == kind.name for f in faces)
                if cards > kind.cards:
                    return f"{cards} cards of {kind.name} would lie here, but the deck has {kind.cards}"
                if durians > kind.durians:
                    return f"{durians} durians of {kind.name} would lie here, but the deck has {kind.durians}"
        counts = Counter(c.side for c in laid)
        if len(laid) == len(CELLS) and len(set(counts.values())) > 1:
            return f"the sides have not placed alike: {', '.join(f'{SIDES[s]} {n}' for s, n in sorted(counts.items()))}"
        return ""

    def _unsure_cell(self, cell: Cell) -> Uncertain:
        place = self.cells[cell]
        candidates = tuple(_answer_text(a) for a, _ in place.odds[:MOST_CANDIDATES])
        row, column = cell[0] + 3, cell[1] + 3
        entry: dict[str, object] = {"row": row, "column": column, "candidates": list(candidates)}
        words = f"row {row} column {column}"
        why = self._doubt(place.best) if place.best is not None and place.confidence >= SURE else _unseen(candidates)
        if why:
            entry["why"] = why
        return Uncertain(_key(cell), words, candidates, place.corners, entry, place.photo, why)

    def _unsure_hand(self, side: int) -> Uncertain:
        """A hand is set as a whole: its candidates are the hand with one doubtful card left open."""
        own = [p for s, p in self.hands if s == side]
        doubtful = min(own, key=lambda p: p.confidence)
        rest = [p.best.face.text for p in own if p is not doubtful and p.best is not None]
        texts = dict.fromkeys(
            ",".join([*rest, *([a.face.text] if a else [])]) or "." for a, _ in doubtful.odds[:MOST_CANDIDATES]
        )
        candidates = tuple(texts)
        entry: dict[str, object] = {"hand": SIDES[side], "candidates": list(candidates)}
        why = _unseen(candidates)
        if why:
            entry["why"] = why
        return Uncertain(
            f"hand.{SIDES[side]}", f"hand of {SIDES[side]}", candidates, doubtful.corners, entry, doubtful.photo, why
        )

    def _with_hand(self, name: str, value: str, where: str) -> SmugglerReading:
        if name not in SIDES:
            raise InputError(f'"{name}" is no side', where=where, mend=f"The sides are {', '.join(SIDES)}.")
        side = SIDES.index(name)
        texts = [t for t in value.split(",") if t.strip() not in ("", ".")]
        quads = [p for s, p in self.hands if s == side]
        places = []
        for i, text in enumerate(texts):
            face = parse_face(text, self.faces, where)
            at = quads[min(i, len(quads) - 1)] if quads else Place((), np.zeros((0, 2)))
            places.append((side, replace(at, odds=((Laid(face, side), 1.0),), settled=True)))
        others = [(s, p) for s, p in self.hands if s != side]
        return replace(self, hands=tuple(sorted([*others, *places], key=lambda h: h[0])))

    def _text(self, cell: Cell) -> str:
        return "##" if cell == (0, 0) else _answer_text(self.cells[cell].best)

    def _cell_json(self, cell: Cell) -> object:
        if cell == (0, 0):
            return MIDDLE
        place = self.cells[cell]
        card = place.best
        if card is None:
            return None
        return {
            "type": card.face.luggage,
            "face": card.face.kind,
            "badge": card.face.badge,
            "points_to": SIDES[card.side],
            "confidence": round(place.confidence, 4),
            "corners": [list(c) for c in place.corners],
        }


def read_smuggler(photos: Sequence[Photo], profile: DeckProfile) -> SmugglerReading:
    """Read one table from one or more photos; the first one's frame counts. Raises InputError where there is none."""
    recogniser = Recogniser(square_classes(profile))
    tables: list[tuple[TableSeen, int]] = []
    middle: tuple[Corner, ...] = ()
    for number, photo in enumerate(photos):
        picture = Picture(photo.pixels)
        view = view_grid(picture, recogniser, photo.name)
        found = read_cells(view, photo.name)
        seen = TableSeen(found, read_hands(view, found), number)
        turn = quarters_between(tables[0][0], seen, photo.name) if tables else 0
        tables.append((seen, turn))
        if number == 0:
            corners = view.quad(view.lattice.at((0, 0)))
            middle = tuple((round(float(x), 1), round(float(y), 1)) for x, y in corners)
    cells = {cell: _place(combined_cell(cell, tables)) for cell in CELLS}
    hands = tuple((card.side, _place(card.sighting, photo)) for photo, card in combined_hands(tables))
    return SmugglerReading(cells, hands, faces_of(c.name for c in profile.classes), profile.table, middle)


def square_classes(profile: DeckProfile) -> tuple[CardClass, ...]:
    """The deck's square classes as pieces of one size: every one of them can lie in the grid, in any turn."""
    square = [c for c in profile.classes if c.four_sided and SQUARE[0] < c.aspect < SQUARE[1]]
    if not faces_of(c.name for c in square) or all(c.name != MIDDLE for c in square):
        raise InputError(
            "this deck has no luggage cards or no centre card, so no Smuggler grid can be read with it",
            where=profile.name,
            mend="Choose a Smuggler deck with --deck, or calibrate it again with all faces and the centre card.",
        )
    return tuple(replace(c, size_group="card") for c in square)


def _place(seen: Sighting, photo: int = 0) -> Place:
    return Place(seen.odds, seen.quad, photo)


def _key(cell: Cell) -> str:
    return f"{cell[0] + 3},{cell[1] + 3}"


def _title(place: Place) -> str:
    return "empty?" if place.best is None else place.best.text


def _unseen(candidates: Sequence[str]) -> str:
    """Why there is a doubt about a place that resembles no card."""
    return "nothing can be seen there" if list(candidates) == ["."] else ""


def _answer_text(answer: Answer) -> str:
    return "." if answer is None else answer.text


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
