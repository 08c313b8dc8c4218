"""Is this table legal? Every finding with its rule, and whether the grid can have come about at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final, Literal

from durian_assist.common.answers import Finding, worst_first
from durian_assist.common.names import listed
from durian_assist.common.readings import Readings
from durian_assist.common.text import plural
from durian_assist.smuggler.deck import DeckTable, check_deck, no_deck_note
from durian_assist.smuggler.exemption import clashes
from durian_assist.smuggler.geometry import SIDES, Side, cell_name, cells_of, connected_to_centre
from durian_assist.smuggler.moves import check_moves
from durian_assist.smuggler.play import NEVER, TurnOrder
from durian_assist.smuggler.reach import (
    Prefix,
    Turn,
    counts_fit,
    exchanges,
    explainable,
    impossible_clashes,
    longest_prefix,
    reach,
    turns,
)
from durian_assist.smuggler.record import empty_seat_cards, unnamed_sides
from durian_assist.smuggler.table import Table

Verdict = Literal["reachable", "unreachable", "not checked"]

_MOST_EXCHANGES: Final = 3


@dataclass(frozen=True, slots=True)
class History:
    """Whether legal play can lead to the grid: for which starting sides, and one order as [cell, side] pairs.

    Where it cannot: how far play can be legal, the single cards whose turning would mend it, and, where asked for, the
    pairs of cards whose exchange would.
    """

    verdict: Verdict
    starts: tuple[Side, ...] = ()
    order: tuple[tuple[int, Side], ...] = ()
    prefix: Prefix | None = None
    repairs: tuple[Turn, ...] = ()
    exchanges: tuple[tuple[Turn, Turn], ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """The whole answer of a check; `legal` is None where it cannot be decided."""

    legal: bool | None
    findings: tuple[Finding, ...]
    history: History
    readings: tuple[Mapping[str, str], ...] = field(default=())


def check(
    table: Table,
    readings: Readings,
    deck: DeckTable | None = None,
    *,
    exchange: bool = False,
    sure: Mapping[int, float] | None = None,
) -> Report:
    """Check a table, finished or not.

    `exchange`: look for pairs of cards to exchange too (takes longer). `sure`: how sure a reading is of each cell;
    repairs then come least certain first.
    """
    exemption = readings["exemption"]
    history = _history(table, exemption, exchange=exchange)
    if sure:
        repairs = sorted(history.repairs, key=lambda turn: sure.get(turn.cell, 1.0))
        history = replace(history, repairs=tuple(repairs))
    findings = [
        *_seats(table),
        *_counts(table),
        *_growth(table),
        *_alignment(table, exemption, history),
        *_history_findings(table, history),
        *check_moves(table, exemption),
        *_hands(table),
        *check_deck(table, deck, "error"),
    ]
    if deck is None:
        findings.append(no_deck_note())
    errors = any(finding.severity == "error" for finding in findings)
    legal = False if errors else None if history.verdict == "not checked" else True
    decided = bool(clashes(table.own)) or exemption != "no-cell-left"
    return Report(legal, worst_first(findings), history, (readings.note("exemption"),) if decided else ())


def _history(table: Table, exemption: str, *, exchange: bool) -> History:
    if len(table.players) < 3:
        return History("not checked")
    if not table.seated and len(table.grid) < len(SIDES):
        return _few_cards(table, exemption)
    return decide(table.own, table.seats, _starts(table), exemption, exchange=exchange)


def _few_cards(table: Table, exemption: str) -> History:
    """With fewer than four cards and no seats given, three or four players may sit there: any fitting seats will do."""
    for absent in (None, *SIDES):
        seats = tuple(side for side in SIDES if side != absent)
        starts = [table.starts] if table.starts else seats
        found = reach(table.own, seats, [start for start in starts if start in seats], exemption)
        if found.reachable:
            return _reached(found.orders, table.own)
    return decide(table.own, SIDES, _starts(table), exemption, exchange=False)


def decide(
    own: Mapping[Side, int], seats: tuple[Side, ...], starts: Sequence[Side], exemption: str, *, exchange: bool = False
) -> History:
    """The history of a grid of three or four players."""
    found = reach(own, seats, starts, exemption)
    if found.reachable:
        return _reached(found.orders, own)
    repairs = tuple(turns(own, seats, starts, exemption))
    pairs = tuple(islice(exchanges(own, seats, starts, exemption), _MOST_EXCHANGES)) if exchange and not repairs else ()
    return History(
        "unreachable", prefix=longest_prefix(own, seats, starts, exemption), repairs=repairs, exchanges=pairs
    )


def _reached(orders: Mapping[Side, tuple[int, ...]], own: Mapping[Side, int]) -> History:
    side_of = {cell: side for side, cards in own.items() for cell in cells_of(cards)}
    order = next(iter(orders.values()))
    return History("reachable", tuple(orders), tuple((cell, side_of[cell]) for cell in order))


def _starts(table: Table) -> tuple[Side, ...]:
    return (table.starts,) if table.starts else table.seats


def _seats(table: Table) -> Iterator[Finding]:
    for side, cells in empty_seat_cards(table).items():
        message = f"Nobody sits at {side}, but a card points there: {listed(cells)}."
        yield Finding("smuggler.empty-seat", "error", cells[0], message, "Turn the card to the player who placed it.")
    if table.implied:
        yield unnamed_sides(table)


def _counts(table: Table) -> Iterator[Finding]:
    own, placed = table.own, len(table.grid)
    counts = {side: own.get(side, 0).bit_count() for side in table.seats}
    if len(table.players) < 3:
        if counts and max(counts.values()) - min(counts.values()) > 1:
            mend = "Turn a card of the side with too many to the side with too few, if it was turned by mistake."
            yield Finding("smuggler.counts", "error", "grid", _counted(counts, "all sides place equally often"), mend)
        return
    if any(counts_fit(own, table.seats, start) for start in _starts(table)) or empty_seat_cards(table):
        return
    if not table.seated and placed < len(SIDES) and max(counts.values(), default=0) < 2:
        return
    rounds, more = divmod(placed, len(table.seats))
    due = f"after {plural(placed, 'card')} each side has placed {rounds}"
    if more:
        due += f", and the first {more} of this round one more" if rounds else ", or one"
    if table.starts:
        want = TurnOrder(table.seats, table.starts).counts(placed)
        due = "with " + table.starts + " starting it is " + listed(f"{side} {n}" for side, n in want.items())
    mend = "Look for a card that was turned: its arrow must point to the player who placed it."
    yield Finding("smuggler.counts", "error", "grid", _counted(counts, due), mend)


def _counted(counts: Mapping[Side, int], due: str) -> str:
    have = listed(f"{side} {count}" for side, count in counts.items())
    return f"The cards do not add up: {have}; but {due}."


def _hands(table: Table) -> Iterator[Finding]:
    """A full grid leaves one card in every player's hand."""
    for side in table.players:
        count = len(table.hands.get(side, ()))
        if table.full and side in table.hands and count != 1:
            message = f"{table.title(side)} has {count} cards in hand, but at the end everyone has one."
            yield Finding("smuggler.one-card-left", "warning", f"hand of {side}", message, "Look at the hand again.")


def _growth(table: Table) -> Iterator[Finding]:
    loose = table.filled & ~connected_to_centre(table.filled)
    if not loose:
        return
    cells = listed(cell_name(cell) for cell in cells_of(loose))
    rule = "smuggler.first-card" if loose == table.filled else "smuggler.growth"
    message = f"Every card is placed beside one that lies already, from the centre card on; not so {cells}."
    yield Finding(rule, "error", cell_name(next(cells_of(loose))), message, "Put it back, and place it beside a card.")


def _alignment(table: Table, exemption: str, history: History) -> Iterator[Finding]:
    """Touching cards of one side: allowed only to a side that had no aligned cell left."""
    pairs = clashes(table.own)
    if not pairs:
        return
    unknown = history.verdict == "not checked"
    fair = explainable(table.own, exemption) if unknown else None
    recorded = unknown and {move.cell for move in table.moves} == table.grid.keys()
    impossible: set[int] = set()
    if history.verdict == "unreachable" and exemption != NEVER:
        impossible = impossible_clashes(table.own, table.seats, _starts(table), exemption)
    for side, one, other in pairs:
        where = f"{cell_name(one)} and {cell_name(other)}"
        cards = f"Two cards of {table.title(side)} touch at {where}"
        mend = "One of the two may be turned or read wrongly."
        if exemption == NEVER:
            yield Finding(
                "smuggler.alignment", "error", where, f"{cards}; by this reading that is never allowed.", mend
            )
        elif history.verdict == "reachable":
            message = f"{cards}: legal, where {side} had no aligned cell left at that moment."
            yield Finding("smuggler.exemption", "note", where, message)
        elif recorded:
            message = f"{cards}: decided by the recorded moves, each of which was checked."
            yield Finding("smuggler.exemption", "note", where, message)
        elif fair is False or (1 << one | 1 << other) in impossible:
            message = f"{cards}, but {side} always had an aligned cell to go to."
            yield Finding("smuggler.alignment", "error", where, message, mend)
        else:
            decided = "; that was not decided, and recorded moves would decide it" if unknown else ""
            message = f"{cards}: legal only if {side} had no aligned cell left at that moment{decided}."
            yield Finding("smuggler.exemption", "warning", where, message, mend)


def _history_findings(table: Table, history: History) -> Iterator[Finding]:
    if history.verdict == "not checked":
        message = "Only counts, growth and alignment were checked" + (
            ", and the cell of each move" if table.moves else ""
        )
        message += ": with one or two players whose turn it was is not decided."
        yield Finding("smuggler.two-players", "note", "history", message)
        return
    if history.verdict == "reachable":
        message = f"This grid can come about by legal play if {listed(history.starts, 'or')} faced the beige sequence."
        if history.order:
            yield Finding("smuggler.turn-order", "note", "history", message)
        return
    yield Finding("smuggler.history", "error", "history", _unreachable(table, history), _mend(history))


def _unreachable(table: Table, history: History) -> str:
    text = "No order of legal play leads to this grid"
    if table.starts:
        text += f" with {table.title(table.starts)} starting"
    if history.prefix is None:
        return text + "."
    count = history.prefix.placements
    bound = "" if history.prefix.exact else "at least "
    return f"{text}: of its {len(table.grid)} cards play can be legal up to {bound}card {count}."


def _mend(history: History) -> str:
    if history.repairs:
        ways = [f"turning the card at {cell_name(turn.cell)} to {turn.to}" for turn in history.repairs[:4]]
        return f"{listed(ways, 'or')[:1].upper()}{listed(ways, 'or')[1:]} would make it legal."
    if history.exchanges:
        one, other = history.exchanges[0]
        cells = f"{cell_name(one.cell)} and {cell_name(other.cell)}"
        return f"Exchanging the sides of the cards at {cells} would make it legal."
    return "Turning a single card does not mend it."
