"""One photo of a Smuggler table: the cards that are surely seen, the table's plane, the lattice and its middle.

Outlines give places to look at; what the deck's references confirm is a card, whatever its outline; the sure cards give
the plane and the lattice; the lattice tells where to look for the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from durian_assist.errors import InputError
from durian_assist.vision.lattice import Cell, Lattice, components, fit_lattice, usual_lattice
from durian_assist.vision.outlines import Outline
from durian_assist.vision.recognise import Recogniser
from durian_assist.vision.rectify import Floats, Picture, Points, median, project
from durian_assist.vision.smuggler_growth import grown, neighbours_of, search, spans_grid
from durian_assist.vision.smuggler_scan import scanned, seeds_without_outlines, white_of_cards
from durian_assist.vision.smuggler_seen import (
    FEW_SEEDS,
    MIDDLE,
    SURE,
    SeenCard,
    SeenCards,
    on_plane,
    seen_cards,
    usual_score,
)
from durian_assist.vision.table_plane import Pose, TablePlane

# Cards of the deck correlate by 0.8 to 0.98, blurred or dim; those of another deck with the same layout mostly by less
# than this.
UNLIKE = 0.7
# A card that lies no further than this from where a sixth row would be is one; hands lie further out.
OFF_GRID = 0.2
# A middle card taken for granted though it is not sure: with less the photo is refused, as a grid read round the wrong
# card is wrong everywhere.
LIKELY_MIDDLE = 0.6
# A grid laid by hand: cards lie off their places by less than this (root of the mean square, in cards: each is 1 to 4
# mm of 66 off), and half of them are askew by less (degrees).
MOST_OFF, MOST_ASKEW = 0.1, 6.0
# Cards found without outlines from which the rest is found by the plane: each alone is a corner or two off, and those
# that agree are right.
ENOUGH_BY_ART = 6
# Contrast, as a share of that of the deck's plainest class, below which a place is bare table whatever else.
BARE = 0.3


@dataclass(frozen=True, slots=True)
class GridView:
    """The lattice as one photo shows it: its cell (0, 0) is the middle, rows run away from the far side of the photo.

    `cards`: the sure ones by cell, -2 to 2; `others`: sure cards elsewhere; `white` (3,): the cards' usual white patch;
    `recogniser`: the deck's, under the light of this photo.
    """

    picture: Picture
    plane: TablePlane
    lattice: Lattice
    cards: dict[Cell, SeenCard]
    others: tuple[SeenCard, ...]
    white: Floats
    recogniser: Recogniser
    outlines: tuple[Outline, ...] = ()

    @property
    def usual(self) -> float:
        """The usual correlation of this photo's cards with their references."""
        return usual_score((*self.cards.values(), *self.others))

    def quad(self, pose: Pose) -> Points:
        return self.plane.quad(pose)


def view_grid(picture: Picture, recogniser: Recogniser, where: str) -> GridView:
    """Find the grid in a photo; `where` names the photo. Raises InputError where there is none, or more than one."""
    seen = seen_cards(picture, recogniser)
    refused: InputError | None = None
    if isinstance(seen, SeenCards) and seen.cards:
        try:
            view = _viewed(picture, seen, where)
        except InputError as error:
            # A few cards may lead astray; many are as they lie.
            if len(seen.cards) >= FEW_SEEDS and seen.usual >= UNLIKE:
                raise
            refused = error
        else:
            if _laid_out(view):
                return view
            refused = _not_made_out(where)
    # On dark tables the outlines of dark cards are those of their prints, and agree on no plane or on a wrong one.
    known, found = (seen.recogniser, seen.outlines) if isinstance(seen, SeenCards) else (recogniser, seen)
    likely = [card.identity for card in seen.cards] if isinstance(seen, SeenCards) else []
    seeds = seeds_without_outlines(picture, known, ENOUGH_BY_ART, likely)
    if not seeds:
        raise refused or _nothing_found(found, where)
    plane, cards = on_plane(seeds)
    view = _viewed(picture, SeenCards(cards, plane, tuple(found), known), where)
    if not _laid_out(view):
        raise _not_made_out(where)
    return view


def _viewed(picture: Picture, seen: SeenCards, where: str) -> GridView:
    """The grid that some cards belong to."""
    if not seen.cards:
        raise _not_made_out(where)
    if seen.usual < UNLIKE:
        raise _other_deck(where)
    seen = grown(picture, seen)
    if not spans_grid(seen.cards):
        more = scanned(picture, seen)
        seen = seen if more is seen else grown(picture, more)
    return _on_lattice(picture, seen, where)


def _laid_out(view: GridView) -> bool:
    """Whether the cards agree with their references and lie as a grid is laid: on a wrong plane they do not."""
    places = [(view.lattice.place(card.pose), cell) for cell, card in view.cards.items()]
    off = np.array([[row - r, column - c] for (row, column), (r, c) in places])
    turns = np.array([card.pose.angle - view.lattice.angle for card in view.cards.values()])
    askew = np.abs((turns + np.pi / 4) % (np.pi / 2) - np.pi / 4)
    straight = float(np.degrees(median(askew))) < MOST_ASKEW
    return view.usual >= UNLIKE and straight and float(np.sqrt((off * off).sum(1).mean())) < MOST_OFF


def _on_lattice(picture: Picture, seen: SeenCards, where: str) -> GridView:
    cards, plane, recogniser = seen.cards, seen.plane, seen.recogniser
    usual = usual_lattice([c.pose for c in cards])
    groups = components([c.pose for c in cards], usual)
    middles = [g for g in groups if any(cards[i].identity.best.name == MIDDLE for i in g)]
    if len(middles) > 1:
        raise InputError("two grids lie in this photo", where=where, mend="Take a photo of one table at a time.")
    group = middles[0] if middles else groups[0]
    lattice = fit_lattice([cards[i].pose for i in group], list(group.values()), usual)
    lattice = _upright(lattice, plane)
    placed = _placed(lattice, cards)
    box = [(round(r), round(c)) for r, c in (lattice.place(cards[i].pose) for i in group)]
    middle = _middle(picture, recogniser, plane, lattice, placed, box, where)
    lattice = lattice.moved(middle, lattice.right, lattice.down)
    placed = _placed(lattice, cards)
    inside = {c: k for c, k in placed.items() if max(map(abs, c)) <= 2}
    lattice = fit_lattice([k.pose for k in inside.values()], list(inside), lattice)
    inside = {c: k for c, k in _placed(lattice, cards).items() if max(map(abs, c)) <= 2}
    kept = {id(c) for c in inside.values()}
    others = tuple(c for c in cards if id(c) not in kept)
    _refuse_sixth(lattice, others, where)
    white = white_of_cards(picture, seen)
    return GridView(picture, plane, lattice, inside, others, white, recogniser, seen.outlines)


def _placed(lattice: Lattice, cards: Sequence[SeenCard]) -> dict[Cell, SeenCard]:
    """The cards that lie on lattice points, the nearest one for each."""
    best: dict[Cell, tuple[float, SeenCard]] = {}
    for card in cards:
        row, column = lattice.place(card.pose)
        cell = (round(row), round(column))
        away = max(abs(row - cell[0]), abs(column - cell[1]))
        if away < 0.3 and (cell not in best or away < best[cell][0]):
            best[cell] = (away, card)
    return {cell: card for cell, (_, card) in best.items()}


def _upright(lattice: Lattice, plane: TablePlane) -> Lattice:
    """The same lattice, its columns running to the right in the photo and its rows towards the photo's lower edge."""
    at = np.stack([lattice.origin, lattice.origin + lattice.right, lattice.origin + lattice.down])
    origin, right, down = project(plane.to_photo, at)
    ways = [(lattice.right, lattice.down, right - origin), (lattice.down, -lattice.right, down - origin)]
    ways += [(-a, -b, -seen) for a, b, seen in ways]
    right_way, down_way, _ = max(ways, key=lambda w: float(w[2][0] / np.linalg.norm(w[2])))
    return Lattice(lattice.origin, right_way, down_way)


def _middle(
    picture: Picture,
    recogniser: Recogniser,
    plane: TablePlane,
    lattice: Lattice,
    placed: dict[Cell, SeenCard],
    box: Sequence[Cell],
    where: str,
) -> Cell:
    """The cell of the centre card, seen or looked for. `box`: cells of the cards that hang together."""
    for cell, card in placed.items():
        if card.identity.best.name == MIDDLE:
            return cell
    likely: list[tuple[float, Cell]] = []
    for cell in neighbours_of(placed):
        seen = search(recogniser, picture, plane.quad(lattice.at(cell)))
        if seen.best.name == MIDDLE:
            likely.append((seen.confidence, cell))
            if seen.confidence >= SURE:
                return cell
    amid = _amid_five(box)
    if amid is not None:
        return amid
    # Cards parted by unreadable ones may be hands; what looks like the centre card in their middle says they are not.
    amid = _amid_five([*placed])
    if amid is not None and any(cell == amid for _, cell in likely):
        return amid
    if likely and max(likely)[0] >= LIKELY_MIDDLE:
        return max(likely)[1]
    raise InputError(
        "the card in the middle of the grid cannot be made out",
        where=where,
        mend="Take the photo so that the whole 5 x 5 grid is in it, without a reflection on its centre card.",
    )


def _amid_five(cells: Sequence[Cell]) -> Cell | None:
    """The middle of cells that are five by five."""
    rows, columns = [c[0] for c in cells], [c[1] for c in cells]
    whole = max(rows) - min(rows) == max(columns) - min(columns) == 4
    return (min(rows) + 2, min(columns) + 2) if whole else None


def _refuse_sixth(lattice: Lattice, others: Sequence[SeenCard], where: str) -> None:
    """A card on the lattice next to the five rows and columns: it is no 5 x 5 grid, or its middle is wrong."""
    for card in others:
        row, column = lattice.place(card.pose)
        cell = (round(row), round(column))
        away = max(abs(row - cell[0]), abs(column - cell[1]))
        if away < OFF_GRID and max(map(abs, cell)) == 3 and min(map(abs, cell)) <= 2:
            raise InputError(
                "the cards lie in more than five rows or columns",
                where=where,
                mend="Move cards that are not in the grid away from it, with the centre card in the middle.",
            )


def _other_deck(where: str) -> InputError:
    return InputError(
        "the cards in this photo are not like those of this deck",
        where=where,
        mend="Choose the deck with --deck, or calibrate the one on the table with `durian-assist calibrate deck`; "
        "if it is the right deck, take the photo sharp and not too bright.",
    )


def _not_made_out(where: str) -> InputError:
    return InputError(
        "the grid cannot be made out: what looks like cards does not lie in rows and columns",
        where=where,
        mend="Take the photo from straight above in more light, or lay the cards on a table of another colour.",
    )


def _nothing_found(found: Sequence[Outline], where: str) -> InputError:
    if sum(o.votes >= 2 for o in found) >= 8:
        return _other_deck(where)
    return InputError(
        "no Smuggler table was found in this photo",
        where=where,
        mend="Take the photo from above with the whole grid in it, sharp and without strong reflections.",
    )
