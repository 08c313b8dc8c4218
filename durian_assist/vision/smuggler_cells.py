"""What lies in each cell of the grid, as one photo shows it, with the probability of each answer.

A cell whose card no outline showed is searched through the lattice; a cell in which no reference comes near is empty,
and where that cannot be told it stays open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from durian_assist.common.parallel import in_halves
from durian_assist.errors import InputError
from durian_assist.vision.deck_profile import CardClass
from durian_assist.vision.glints import without_glints
from durian_assist.vision.lattice import Cell
from durian_assist.vision.recognise import Identity
from durian_assist.vision.rectify import SMALLEST_LEVEL, Mask, Points, blown, canvas_to_photo, to_lab
from durian_assist.vision.smuggler_cards import Laid, face_of
from durian_assist.vision.smuggler_growth import REACH, search
from durian_assist.vision.smuggler_overlaps import left_by
from durian_assist.vision.smuggler_parts import partly_seen
from durian_assist.vision.smuggler_seen import ALIKE, NOT_ALIKE, SURE, SeenCard
from durian_assist.vision.smuggler_table import TableColours
from durian_assist.vision.smuggler_view import BARE, GridView

CELLS: tuple[Cell, ...] = tuple((r, c) for r in range(-2, 3) for c in range(-2, 3) if (r, c) != (0, 0))
# A cell is looked at where at least this share of it lies inside the frame; with more unseen ones half a grid is shown.
LEAST_SHOWN = 0.25
MOST_HIDDEN = 2
FLOOR = 1e-3
SMALL = (24, 24)
# An outlined card that correlates by less than this share of the usual is looked for again.
SUSPICIOUS = 0.88
# An empty cell with more glare than this may hide a card.
MOST_GLARE = 0.2
# Cards are turned up together: that one lies the other way up is so much less likely than that it does not.
OTHER_WAY_UP = 0.05
# How far a cell in which no card is seen counts as empty where the grid should be full.
STILL_EMPTY = 0.4
# By so much more a card correlates without what its neighbours show of themselves on it. Where it gains less it is not
# they that leave its name in doubt, and less of it tells less.
UNCOVERED = 0.05

Answer = Laid | None


@dataclass(frozen=True, slots=True)
class Sighting:
    """What one place shows. `odds`: probability of each answer, best first, None for "no card".

    `quad` (4, 2): the corners in the photo, from the place's top left as the table lies in the photo. `alike`: what the
    place resembles most, should it be a card after all.
    """

    odds: tuple[tuple[Answer, float], ...]
    quad: Points
    alike: tuple[tuple[Answer, float], ...] = ()

    @property
    def best(self) -> Answer:
        return self.odds[0][0]

    @property
    def confidence(self) -> float:
        return self.odds[0][1]

    @property
    def surely_empty(self) -> bool:
        return self.best is None and self.confidence >= 1


def read_cells(view: GridView, where: str) -> dict[Cell, Sighting]:
    """A sighting for each of the 24 cells. Raises InputError where the photo shows only a part of the grid."""
    found, hidden = _explored(view)
    if len(hidden) > MOST_HIDDEN:
        raise InputError(
            f"the photo shows only a part of the grid: {len(hidden)} of its cells lie outside the frame",
            where=where,
            mend="Take the photo from further away, with all of the 5 x 5 grid in it.",
        )
    found |= _beside_neighbours(view, found)
    looked_at = set(found)
    judge = _Judge(view, finished=not in_progress(found))
    waiting = list(CELLS)
    while waiting:
        cell = waiting.pop(0)
        quad = view.quad(view.lattice.at(cell))
        if cell in hidden:
            found[cell] = Sighting(((None, STILL_EMPTY),), quad)
            continue
        before = found.get(cell, Sighting(((None, 1.0),), quad))
        found[cell] = judge.settled(before, quad)
        if before.surely_empty and not found[cell].surely_empty:
            # It was passed over at first, and so were the cells that lie beside no other card.
            beside = [near for near in _beside(cell) if near not in looked_at and near not in hidden]
            found |= {near: _looked_at(view, view.quad(view.lattice.at(near))) for near in beside}
            looked_at |= set(beside)
            waiting += [near for near in beside if near not in waiting]
    return found


@dataclass(frozen=True)
class _Judge:
    """Settles what lies in a cell by the table round the grid and by whether the grid is `finished`."""

    view: GridView
    finished: bool

    @cached_property
    def table(self) -> TableColours:
        """Made at its first use."""
        return TableColours.of(self.view)

    def settled(self, seen: Sighting, quad: Points) -> Sighting:
        """What is to be said of a cell (4, 2), where so much was seen of it alone."""
        if self.finished:
            return self._full(seen, quad)
        seen = weighed(seen, face_down=True)
        if seen.best is not None and seen.confidence >= SURE:
            return seen
        view, table = self.view, self.table
        like_table = table.like(view, quad)
        if not like_table:
            clear = _through_glints(view, quad, seen)
            if clear.best is not None:
                return weighed(clear, face_down=True)
        if seen.best is not None:
            return seen
        part = partly_seen(view, table, quad)
        if part is not None:
            return _doubted(sighting(view, part))
        if not like_table:
            return weighed(_doubted(seen), face_down=True)
        if _glare(view, quad) > MOST_GLARE:
            return _doubted(seen)
        if seen.confidence < SURE and table.surely(view, quad, _resembled(view, seen)):
            return Sighting(((None, 1.0),), quad)
        return seen

    def _full(self, seen: Sighting, quad: Points) -> Sighting:
        """In a full grid every cell holds a card."""
        if seen.best is None or seen.confidence < SURE:
            seen = _through_glints(self.view, quad, seen)
        return seen if seen.best is not None else _doubted(seen)


def _resembled(view: GridView, seen: Sighting) -> list[CardClass]:
    """The cards that a cell resembles most."""
    faces = {answer.face for answer, _ in (*seen.odds, *seen.alike) if answer is not None}
    return [card for card in view.recogniser.classes if face_of(card.name) in faces]


def _explored(view: GridView) -> tuple[dict[Cell, Sighting], list[Cell]]:
    """Sightings from the centre card outwards, and the cells with a card beside them that the frame hides.

    Every card was laid beside another one: a cell without a neighbour is empty, and is not looked at.
    """
    found = {cell: _named(view, cell, card) for cell, card in view.cards.items() if cell in CELLS}
    hidden: list[Cell] = []
    view.picture.level(SMALLEST_LEVEL)  # made once, not by two threads at once
    waiting = [n for cell in [(0, 0), *found] for n in _beside(cell)]
    while waiting:
        cells = [cell for cell in dict.fromkeys(waiting) if cell not in found and cell not in hidden]
        quads = {cell: view.quad(view.lattice.at(cell)) for cell in cells}
        hidden += [cell for cell in cells if _shown(view, quads[cell]) < LEAST_SHOWN]
        shown = [cell for cell in cells if cell not in hidden]
        seen = dict(zip(shown, in_halves(partial(_looked_at, view), [quads[cell] for cell in shown]), strict=True))
        found |= seen
        waiting = [n for cell, one in seen.items() if not one.surely_empty for n in _beside(cell)]
    return found, hidden


def _named(view: GridView, cell: Cell, card: SeenCard) -> Sighting:
    """A card with an outline. One that leaves its name in doubt, or is less like its reference than the photo's cards
    are, may have followed a print on the card: then the place is searched as if it had none, and what agrees better
    with the references counts."""
    identity = card.identity
    if identity.confidence < SURE or identity.best.score < SUSPICIOUS * view.usual:
        again = search(view.recogniser, view.picture, view.quad(view.lattice.at(cell)))
        identity = max(identity, again, key=lambda i: i.best.score)
    return sighting(view, identity)


def _beside(cell: Cell) -> list[Cell]:
    """The cells with a side in common; the middle is none of them."""
    row, column = cell
    near = ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1))
    return [n for n in near if n in CELLS]


def _looked_at(view: GridView, quad: Points) -> Sighting:
    """What lies in a cell in which no outline was confirmed as a card."""
    if _bare(view, quad, BARE * view.recogniser.contrast):
        return Sighting(((None, 1.0),), quad)
    return sighting(view, search(view.recogniser, view.picture, quad))


def _beside_neighbours(view: GridView, found: Mapping[Cell, Sighting]) -> dict[Cell, Sighting]:
    """The doubtful cells that are surer once the edges of the sure cards round them are left out.

    In a full grid a cell in which no card was seen is one of them. A card that has become sure leaves more to tell of
    those round it.
    """
    sure = {cell: s.quad for cell, s in found.items() if s.best is not None and s.confidence >= SURE}
    if (0, 0) in view.cards:
        sure[0, 0] = view.cards[0, 0].identity.corners
    begun = in_progress(found)
    surer: dict[Cell, Sighting] = {}
    waiting = [cell for cell, seen in found.items() if cell not in sure and not (begun and seen.surely_empty)]
    doubtful = set(waiting)
    while waiting:
        cell = waiting.pop(0)
        seen = surer.get(cell, found[cell])
        quad = seen.quad if seen.best is not None else view.quad(view.lattice.at(cell))
        left = left_by(quad, [sure[near] for near in _round(cell) if near in sure])
        again = None if left is None else _uncovered(view, seen, quad, left)
        if again is None:
            continue
        surer[cell] = again
        if again.best is not None and again.confidence >= SURE:
            sure[cell] = again.quad
            doubtful.discard(cell)
            waiting += [near for near in _round(cell) if near in doubtful and near not in waiting]
    return surer


def _round(cell: Cell) -> list[Cell]:
    """The eight cells round one, the middle too."""
    return [(cell[0] + r, cell[1] + c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]


def _uncovered(view: GridView, seen: Sighting, quad: Points, left: Mask) -> Sighting | None:
    """A doubtful sighting by what neighbours leave of its place, None where that makes it no surer.

    What may be a card by all that is seen is not taken for empty by less, nor named by less that fits no better.
    """
    if seen.best is None:
        again = sighting(view, search(view.recogniser, view.picture, quad, visible=left))
        return again if again.best is not None or again.confidence > seen.confidence else None
    whole, rest = (
        view.recogniser.identify(view.picture, quad, reach=REACH, visible=shown, rigid=True) for shown in (None, left)
    )
    again = sighting(view, rest)
    better = again.best is not None and rest.best.score > whole.best.score + UNCOVERED
    return again if better and again.confidence > seen.confidence else None


def _through_glints(view: GridView, quad: Points, seen: Sighting) -> Sighting:
    """What lies in a cell that leaves a doubt, and where something lies, once streaks of light are left out."""
    identity = view.recogniser.identify(view.picture, quad, reach=REACH, rigid=True)
    clear = without_glints(view.recogniser, view.picture, identity, view.usual)
    return seen if clear is identity else sighting(view, clear)


def in_progress(found: Mapping[Cell, Sighting]) -> bool:
    """Are no more than half of the cards face up? They are turned when the grid is full: then a cell in which none was
    made out holds one all the same, and until then players hold their hands."""
    faces = [s.best.face.kind for s in found.values() if s.best is not None]
    return 2 * sum(kind == "back" for kind in faces) >= len(faces)


def weighed(seen: Sighting, face_down: bool) -> Sighting:
    """A doubtful sighting: what looks a little like a card that lies the other way up than those of the grid is cloth.

    `face_down`: the grid is in progress, its cards have not been turned.
    """
    if seen.confidence >= SURE:
        return seen
    odds = [(answer, p if answer is None or (answer.face.kind == "back") == face_down else OTHER_WAY_UP * p)
            for answer, p in seen.odds]  # fmt: skip
    # What the probabilities lack to one stays what it is: answers that nobody thought of.
    total = sum(p for _, p in odds) + 1 - sum(p for _, p in seen.odds)
    return replace(seen, odds=ordered([(answer, p / total) for answer, p in odds]))


def _doubted(seen: Sighting) -> Sighting:
    """An empty cell that must not be one: it needs a person, with what it resembles most as candidates."""
    odds = [(answer, (1 - STILL_EMPTY) * p) for answer, p in seen.alike]
    return Sighting(ordered([*odds, (None, STILL_EMPTY)]) if odds else ((None, STILL_EMPTY),), seen.quad, seen.alike)


def _bare(view: GridView, quad: Points, least: float) -> bool:
    """Is there nothing but an even table in a cell?"""
    crop = view.picture.warp(canvas_to_photo(quad, SMALL), SMALL)
    return float(to_lab(crop, view.white)[..., 0].std()) < least


def _glare(view: GridView, quad: Points) -> float:
    """The share of a cell that is blown out."""
    return float(blown(view.picture.warp(canvas_to_photo(quad, SMALL), SMALL)).mean())


def _shown(view: GridView, quad: Points) -> float:
    """The share of a quad that lies inside the photo's frame."""
    return float(view.picture.inside(canvas_to_photo(quad, SMALL), SMALL).mean())


def sighting(view: GridView, identity: Identity) -> Sighting:
    """The answers that an identity leaves open, in the frame of the lattice."""
    turn = view.plane.pose(identity.corners).angle - view.lattice.angle
    side = round(turn / (np.pi / 2)) % 4
    best = identity.best
    card = min(identity.card, _like_the_others(best.score / view.usual))
    alike: dict[Answer, float] = {}
    for candidate in identity.ranked:
        face = face_of(candidate.name)
        if face is not None:
            answer = Laid(face, (side + candidate.turns - best.turns) % 4)
            alike[answer] = alike.get(answer, 0.0) + candidate.probability
    odds = [(answer, p * card) for answer, p in alike.items()]
    corners = np.roll(identity.corners, side, axis=0)
    return Sighting(ordered([*odds, (None, 1 - card)]), corners, tuple(alike.items()))


def _like_the_others(share: float) -> float:
    """How likely a place is a card that correlates by this share of what the photo's cards usually do."""
    return float(np.clip((share - NOT_ALIKE) / (ALIKE - NOT_ALIKE), 0.0, 1.0))


def ordered(odds: Iterable[tuple[Answer, float]]) -> tuple[tuple[Answer, float], ...]:
    """Answers of note, best first. What their probabilities lack to one stands for answers that nobody thought of."""
    ranked = sorted(odds, key=lambda o: -o[1])
    return tuple(o for o in ranked if o[1] >= FLOOR) or tuple(ranked[:1])
