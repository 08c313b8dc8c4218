"""The score of a table: one line for every card, whose sum is the total."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, NamedTuple

from durian_assist.common.answers import Finding, places, points_text
from durian_assist.common.names import listed
from durian_assist.common.readings import Readings
from durian_assist.common.text import plural
from durian_assist.errors import InputError
from durian_assist.smuggler.deck import DeckTable, check_deck
from durian_assist.smuggler.geometry import GRID_CARDS, Side, cell_name, neighbours
from durian_assist.smuggler.record import empty_seat_cards, unnamed_sides
from durian_assist.smuggler.table import Luggage, Mode, Table

Role = Literal["security", "smuggler", "blind"]

# Bands of the cooperative result, from the rulebook's list; totals between two bands belong to the lower one.
BANDS: Final = ((44, "huge promotion"), (33, "salary raise"), (20, "keep your job"))
FIRED: Final = "fired"
TOP_OF_LIST: Final = 54


class CardLine(NamedTuple):
    """The points of one card. `cell` is None for a card in hand; `side` placed it, or holds it."""

    points: Fraction
    rule: str
    text: str
    luggage: Luggage
    side: Side
    cell: int | None = None

    @property
    def where(self) -> str:
        return f"hand of {self.side}" if self.cell is None else cell_name(self.cell)


class SeatScore(NamedTuple):
    """One seat's share: its role and the sum of its lines; `place` in the competitive mode, ties shared."""

    player: str | None
    role: Role
    points: Fraction
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """The whole answer. `result` is None for a partial or a competitive score."""

    status: Literal["final", "partial"]
    mode: Mode
    lines: tuple[CardLine, ...]
    seats: Mapping[Side, SeatScore]
    result: str | None
    warnings: tuple[Finding, ...]
    readings: tuple[Mapping[str, str], ...]

    @property
    def total(self) -> Fraction:
        return sum((line.points for line in self.lines), Fraction(0))


def score(table: Table, readings: Readings, deck: DeckTable | None = None, *, partial: bool = False) -> Score:
    """Score a table. Raises InputError for a grid that is not full or not face up, unless `partial`."""
    if not partial:
        _refuse_unfinished(table)
    _refuse_ownerless(table)
    lines = (*_grid_lines(table, readings), *_hand_lines(table))
    final = table.full and not any(card.luggage.face == "back" for card in table.grid.values())
    total = sum((line.points for line in lines), Fraction(0))
    halved = any(line.rule in _HALVED and (line.luggage.badge or 0) % 2 for line in lines)
    return Score(
        "final" if final else "partial",
        table.mode,
        lines,
        _seats(table, lines),
        result_of(total) if final and table.mode == "cooperative" else None,
        tuple(_warnings(table, deck, total, final=final)),
        (readings.note("half-points"),) if halved else (),
    )


def result_of(total: Fraction) -> str:
    """The cooperative result for a total, as the rulebook's list has it."""
    return next((name for least, name in BANDS if total >= least), FIRED)


def half(badge: int, reading: str) -> Fraction:
    """Half a badge under a reading of `half-points`."""
    exact = Fraction(badge, 2)
    return {"exact": exact, "down": Fraction(badge // 2), "up": Fraction(-(-badge // 2))}[reading]


_HALVED: Final = frozenset({"smuggler.adjacent", "smuggler.smuggler-adjacent"})


class NobodySits(InputError):
    """Cards of these `cells` point to a side at which nobody sits."""

    def __init__(self, side: Side, cells: tuple[int, ...], names: Sequence[str]) -> None:
        super().__init__(
            f"nobody sits at {side}, but the card at {listed(names[:3])} points there [smuggler.empty-seat]",
            mend="Correct the card with --set (such as --set 2,4=red6v), or name the player with --seat.",
        )
        self.side, self.cells = side, cells


def _refuse_unfinished(table: Table) -> None:
    way_out = "Finish the game, or score what lies there with --partial."
    if not table.full:
        missing = GRID_CARDS - len(table.grid)
        what = f"the grid is not full: {missing} card{'s' if missing != 1 else ''} missing [smuggler.grid-full]"
        raise InputError(what, mend=way_out)
    hidden = [cell_name(cell) for cell, card in table.grid.items() if card.luggage.face == "back"]
    if hidden:
        what = f"{len(hidden)} cards lie face down ({listed(hidden[:3])}) [smuggler.reveal]"
        if len(hidden) == 1:
            what = f"a card lies face down ({hidden[0]}) [smuggler.reveal]"
        raise InputError(what, mend=f"Turn every card over along its arrow. {way_out}")


def _refuse_ownerless(table: Table) -> None:
    """In the competitive mode every card's points belong to somebody."""
    strays = empty_seat_cards(table) if table.mode == "competitive" else {}
    if strays:
        side, cells = next(iter(strays.items()))
        raise NobodySits(side, tuple(cell for cell, card in table.grid.items() if card.side == side), cells)


def _grid_lines(table: Table, readings: Readings) -> Iterator[CardLine]:
    for cell in sorted(table.grid):
        card = table.grid[cell]
        luggage, side = card.luggage, card.side
        if luggage.face == "back":
            yield CardLine(Fraction(0), "smuggler.reveal", "face down: not scored", luggage, side, cell)
        elif luggage.face == "empty" or luggage.badge is None:
            yield CardLine(Fraction(0), "smuggler.empty", "empty luggage", luggage, side, cell)
        elif table.mode == "competitive" and side in table.blind:
            text = "placed by a blind deck: scores for nobody"
            yield CardLine(Fraction(0), "smuggler.blind-cards", text, luggage, side, cell)
        else:
            yield _durian_line(table, cell, luggage, luggage.badge, readings["half-points"])


def _durian_line(table: Table, cell: int, luggage: Luggage, badge: int, halves: str) -> CardLine:
    """A Durian in the grid: alone or beside others, of whatever owner; for security or for the Smuggler."""
    side = table.grid[cell].side
    beside = [c for c in neighbours(cell) if c in table.grid and table.grid[c].luggage.face == "durian"]
    smuggler = table.smuggler == side
    if beside:
        part = half(badge, halves)
        text = f"beside a Durian at {listed(cell_name(c) for c in beside)}: half of {badge}"
        if smuggler:
            return CardLine(part, "smuggler.smuggler-adjacent", f"{text}, gained", luggage, side, cell)
        return CardLine(-part, "smuggler.adjacent", f"{text}, lost", luggage, side, cell)
    if smuggler:
        text = "alone: the Smuggler loses the whole badge"
        return CardLine(Fraction(-badge), "smuggler.smuggler-isolated", text, luggage, side, cell)
    return CardLine(Fraction(badge), "smuggler.isolated", "alone: the whole badge", luggage, side, cell)


def _hand_lines(table: Table) -> Iterator[CardLine]:
    """Cards left in hand: a Durian costs its whole badge, the Smuggler's too; blind decks' leftovers never count."""
    for side, hand in table.hands.items():
        for luggage in hand:
            if side in table.blind:
                text = "left in a blind deck: never counts"
                yield CardLine(Fraction(0), "smuggler.blind-leftover", text, luggage, side)
            elif luggage.badge is not None:
                text = "left in hand: the whole badge, lost"
                yield CardLine(Fraction(-luggage.badge), "smuggler.hand", text, luggage, side)
            elif luggage.face == "back":
                yield CardLine(Fraction(0), "smuggler.reveal", "in hand, face down: not scored", luggage, side)
            else:
                yield CardLine(Fraction(0), "smuggler.empty", "empty luggage left in hand", luggage, side)


def _seats(table: Table, lines: tuple[CardLine, ...]) -> dict[Side, SeatScore]:
    points = {side: sum((line.points for line in lines if line.side == side), Fraction(0)) for side in table.own}
    ranked: dict[str, int] = {}
    if table.mode == "competitive":
        ranked = places({side: points[side] for side in table.players})
    return {
        side: SeatScore(
            table.players.get(side),
            "blind" if side in table.blind else "smuggler" if side == table.smuggler else "security",
            points[side],
            ranked.get(side),
        )
        for side in points
    }


def _warnings(table: Table, deck: DeckTable | None, total: Fraction, *, final: bool) -> Iterator[Finding]:
    if not final:
        yield _partial_warning(table)
    if table.mode == "cooperative" and total > TOP_OF_LIST:
        message = f"{points_text(total)} points are more than the list of results has ({TOP_OF_LIST})."
        yield Finding("smuggler.bands", "warning", "total", message, "Look at the badges again.")
    if table.implied:
        yield unnamed_sides(table)
    for side, cells in empty_seat_cards(table).items():
        message = f"Nobody sits at {side}, but cards point there: {listed(cells)}."
        yield Finding("smuggler.empty-seat", "warning", side, message, "Correct the card, or name the player.")
    yield from _count_warnings(table)
    yield from check_deck(table, deck, "warning")
    yield from _hand_warnings(table, final=final)


def _partial_warning(table: Table) -> Finding:
    hidden = sum(card.luggage.face == "back" for card in table.grid.values())
    message = f"This is no final score: {len(table.grid)} of {GRID_CARDS} cards lie in the grid"
    message += f", {hidden} of them face down and not scored." if hidden else "."
    return Finding("smuggler.grid-full", "warning", "grid", message)


def _count_warnings(table: Table) -> Iterator[Finding]:
    """A full grid has 8 cards a seat with three players, else 6."""
    if not table.full:
        return
    due = GRID_CARDS // len(table.seats)
    for side in table.seats:
        count = sum(card.side == side for card in table.grid.values())
        if count != due:
            message = f"{table.title(side)} has {plural(count, 'card')} in the grid, but each seat places {due}."
            yield Finding("smuggler.counts", "warning", side, message, "Look at the arrows again; `check` says more.")


def _hand_warnings(table: Table, *, final: bool) -> Iterator[Finding]:
    unknown = []
    for side in table.players:
        count = len(table.hands.get(side, ()))
        if final and side not in table.hands:
            unknown.append(table.title(side))
        elif final and count != 1:
            message = f"{table.title(side)} has {count} cards in hand, but at the end everyone has one."
            yield Finding("smuggler.one-card-left", "warning", f"hand of {side}", message, "Look at the hand again.")
        if any(luggage.face == "back" for luggage in table.hands.get(side, ())):
            message = f"A card in the hand of {table.title(side)} lies face down; it was not scored."
            yield Finding("smuggler.reveal", "warning", f"hand of {side}", message, "Turn it over.")
    if unknown:
        message = f"The card left in hand is not known for {listed(unknown)}; a Durian there costs its badge."
        mend = "Say what it is: --hand south=red6, or --hand south=red- for empty luggage."
        yield Finding("smuggler.hand", "warning", "hands", message, mend)
