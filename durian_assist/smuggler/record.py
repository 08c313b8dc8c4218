"""The record of a Smuggler table: a document to typed values; every fault is collected with its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeVar, cast

from durian_assist.common.answers import Finding
from durian_assist.common.names import UnknownName, fold, listed, resolve
from durian_assist.records.document import Document, Node
from durian_assist.records.reader import Reader
from durian_assist.records.source import Span
from durian_assist.smuggler.deck import DeckTable
from durian_assist.smuggler.geometry import CENTRE, SIDE_OF_ARROW, SIDES, SIZE, Side, cell_name
from durian_assist.smuggler.notation import (
    FORM,
    NotationError,
    parse_card,
    parse_cell,
    parse_luggage,
)
from durian_assist.smuggler.table import BLIND, Card, Luggage, Mode, Move, Table, without_blind

KEYS = ("game", "mode", "smuggler", "starts", "grid", "seats", "hands", "moves")
T = TypeVar("T")


def read_table(document: Document, deck: DeckTable | None = None) -> Table:
    """The table of a record. Raises RecordError with every fault; types must be those of `deck`, if given."""
    return _Reading(Reader(document), deck).table()


def words(node: Node) -> list[list[tuple[Span, str]]]:
    """The words of a text with their places, line by line; lines without any are left out."""
    rows, start = [], 0
    for line in str(node.value).split("\n"):
        found = [(node.part(start + m.start(), start + m.end()), m[0]) for m in re.finditer(r"\S+", line)]
        if found:
            rows.append(found)
        start += len(line) + 1
    return rows


class _Reading:
    """One pass over a record."""

    def __init__(self, reader: Reader, deck: DeckTable | None) -> None:
        self.reader, self.view, self.deck = reader, reader.root, deck

    def table(self) -> Table:
        view = self.view
        self.view.refuse_other_game("smuggler", ("durian", "dash"))
        view.only(*KEYS)
        before = len(self.reader.faults)
        mode = cast("Mode", view.choice("mode", ("cooperative", "competitive"), "cooperative"))
        mode_told = len(self.reader.faults) == before
        grid = self.grid()
        hands = self.hands()
        seats_faults = len(self.reader.faults)
        named, declared = self.seats()
        seats_told = len(self.reader.faults) == seats_faults
        used = frozenset(card.side for card in grid.values()) | hands.keys()
        if declared:
            players = dict(named) or {side: side for side in SIDES if side in used and side not in declared}
            blind = frozenset(SIDES) - players.keys() if players else declared
            self.blind_fits(players, declared)
        else:
            players, blind = without_blind(named, used)
        ordered = {side: players[side] for side in SIDES if side in players}
        seated = bool(named or declared)
        self.hands_fit(hands, ordered, blind)
        smuggler = None
        if mode_told:
            smuggler = self.smuggler(mode, ordered)
        elif fold(view.text("smuggler") or "none") != "none" and seats_told:
            self.side("smuggler", ordered, (*ordered, *blind))
        starts = self.side("starts", ordered, (*ordered, *blind))
        moves = self.moves(ordered)
        self.reader.finish()
        return Table(grid, ordered, blind, hands, mode, smuggler, starts, moves, seated, (blind - declared) & used)

    def grid(self) -> dict[int, Card]:
        node = self.view.get("grid")
        if node is None:
            self.view.missing(
                "grid", 'five rows of five cells between """ and """', "`.` is an empty cell, `##` the centre card."
            )
            return {}
        rows = self.rows(node)
        if rows is None:
            return {}
        if len(rows) != SIZE:
            where = rows[SIZE][0][0] if len(rows) > SIZE else node.span
            found = f"{len(rows)} row{'s' if len(rows) != 1 else ''}"
            self.reader.fault(where, "the grid has five rows", expected="5 rows", found=found, rule="smuggler.grid")
        cards: dict[int, Card] = {}
        for number, cells in enumerate(rows[:SIZE]):
            self.row(number, cells, cards, centred=len(rows) == SIZE)
        return cards

    def rows(self, node: Node) -> list[list[tuple[Span, str]]] | None:
        """The cells of each row with their places: from a text of several lines, or a list of texts."""
        lines = node.value if isinstance(node.value, list) else [node]
        if not all(isinstance(line.value, str) for line in lines):
            expected = 'five rows of five cells between """ and """'
            self.reader.fault(node, '"grid" has the wrong type', expected=expected, found=node.described)
            return None
        return [row for line in lines for row in words(line)]

    def row(self, number: int, cells: list[tuple[Span, str]], cards: dict[int, Card], *, centred: bool) -> None:
        if len(cells) != SIZE:
            span = cells[SIZE][0] if len(cells) > SIZE else cells[-1][0]
            found = f"{len(cells)} cell{'s' if len(cells) != 1 else ''}"
            message = f"row {number + 1} of the grid has five cells"
            self.reader.fault(span, message, expected="5 cells", found=found, rule="smuggler.grid")
            centred = False
        for column, (span, text) in enumerate(cells[:SIZE]):
            cell = number * SIZE + column
            if centred and (text == "##") != (cell == CENTRE):
                message = "the centre card lies in row 3, column 3"
                wanted = "##" if cell == CENTRE else "a card or `.`"
                self.reader.fault(span, message, expected=wanted, found=f'"{text}"', rule="smuggler.grid")
            elif text not in {".", "##"}:
                card = self.notation(span, text, lambda t: parse_card(t, self.deck))
                if card:
                    cards[cell] = card

    def notation(self, span: Span, text: str, parse: Callable[[str], T]) -> T | None:
        try:
            return parse(text)
        except NotationError as error:
            at = span.part(error.start, max(error.end, error.start + 1)) if span.end - span.start == len(text) else span
            self.reader.fault(
                at, error.message, expected=error.expected or FORM, found=f'"{text}"', mend=error.mend, rule=error.rule
            )
            return None

    def seats(self) -> tuple[dict[Side, str], frozenset[Side]]:
        """Players by side, and the sides declared blind."""
        view = self.view.view("seats")
        named: dict[Side, str] = {}
        blind: set[Side] = set()
        for key, node in view.items() if view else ():
            side = self.side_of(Node(key, node.key or node.span))
            if side is None:
                continue
            if side in named or side in blind:
                self.reader.fault(node.key or node.span, f"{side} stands twice", mend="Keep one of the two lines.")
                continue
            name = node.value.strip() if isinstance(node.value, str) else ""
            if not name:
                self.reader.fault(
                    node, f"{side} has no player's name", expected='a name, or "blind"', found=node.described
                )
            elif self.view.person(node) is None:
                continue
            elif fold(name) == BLIND:
                blind.add(side)
            elif fold(name) in {fold(other) for other in named.values()}:
                self.reader.fault(node, f"{name} sits at two sides", mend="Give two players of one name a letter more.")
            else:
                named[side] = name
        return named, frozenset(blind)

    def blind_fits(self, players: Mapping[Side, str], declared: frozenset[Side]) -> None:
        if len(players) > 2:
            node = self.view.table["seats"]
            self.reader.fault(
                node.key or node.span,
                "blind decks belong to games of one or two players",
                expected="one or two players",
                found=f"{len(players)} players and {len(declared)} blind",
                rule="smuggler.blind-decks",
            )

    def hands(self) -> dict[Side, tuple[Luggage, ...]]:
        view = self.view.view("hands")
        hands: dict[Side, tuple[Luggage, ...]] = {}
        for key, node in view.items() if view else ():
            side = self.side_of(Node(key, node.key or node.span))
            if not isinstance(node.value, list):
                expected = 'a list of cards, such as ["red6"]'
                self.reader.fault(
                    node, f"the hand of {key} has the wrong type", expected=expected, found=node.described
                )
                continue
            cards = node.value
            read = []
            for card in cards:
                if isinstance(card.value, str):
                    text = card.value.strip()
                    read.append(
                        self.notation(card.part(0, len(card.value)), text, lambda t: parse_luggage(t, self.deck))
                    )
                else:
                    self.reader.fault(card, "a card in hand is a text", expected='such as "red6"', found=card.described)
            if side:
                hands[side] = tuple(luggage for luggage in read if luggage)
        return hands

    def hands_fit(self, hands: Mapping[Side, object], players: Mapping[Side, str], blind: frozenset[Side]) -> None:
        view = self.view.view("hands") if hands else None
        for key, node in view.items() if view else ():
            side = next((s for s in SIDES if s.startswith(key.strip().casefold())), None)
            if side and hands.get(side) and side not in players and side not in blind:
                self.reader.fault(
                    node.key or node.span,
                    f"nobody sits at {side}, but a hand lies there",
                    expected="a player at that side",
                    mend=f'Name the player with --seat {side}=NAME, or under [seats]: {side} = "...".',
                    rule="smuggler.empty-seat",
                )

    def smuggler(self, mode: Mode, players: Mapping[Side, str]) -> Side | None:
        node = self.view.get("smuggler")
        if node is not None and isinstance(node.value, list):
            found = f"{len(node.value)} Smugglers"
            self.reader.fault(
                node,
                "there is one Smuggler card",
                expected='one side or name, or "none"',
                found=found,
                rule="smuggler.identity",
            )
            return None
        if mode == "cooperative":
            # "none" is true of this mode, and may stand there from a competitive record.
            if node is not None and fold(str(node.value)) != "none":
                self.reader.fault(
                    node.key or node.span,
                    "nobody is the Smuggler in the cooperative mode",
                    mend='Say mode = "competitive", or smuggler = "none"; as flags, --mode and --smuggler.',
                    rule="smuggler.identity",
                )
            return None
        if len(players) < 2:
            self.reader.fault(
                self.view.table["mode"],
                "the competitive mode needs two to four players",
                found=f"{len(players)} player",
                expected="2 to 4 players under [seats]",
                rule="smuggler.identity",
            )
            return None
        if node is None:
            choice = ', or "none"' if len(players) == 3 else ""
            self.view.missing(
                "smuggler",
                f"the Smuggler's side or name{choice}",
                'Points depend on who was the Smuggler: smuggler = "west", or --smuggler west.',
                flag="--smuggler west",
            )
            return None
        if isinstance(node.value, str) and fold(node.value) == "none":
            self.no_smuggler(node, len(players))
            return None
        return self.side("smuggler", players, tuple(players))

    def no_smuggler(self, node: Node, players: int) -> None:
        """With four or two players one of them is the Smuggler; with three the Smuggler card may lie unused."""
        if players != 3:
            self.reader.fault(
                node,
                f"with {players} players one of them is the Smuggler",
                expected="a side or a name",
                found='"none"',
                rule="smuggler.identity",
            )

    def side(self, key: str, players: Mapping[Side, str], allowed: tuple[Side, ...]) -> Side | None:
        """A side by its own name or its player's."""
        node = self.view.get(key)
        if node is None:
            return None
        if not isinstance(node.value, str):
            mend = 'Put it in quotes, as in "south".'
            what = f'"{key}" has the wrong type'
            self.reader.fault(node, what, expected="a side or a name", found=node.described, mend=mend)
            return None
        side = self.side_of(node, players)
        if side is not None and side not in allowed:
            expected = ", ".join(allowed)
            self.reader.fault(
                node, f"no player sits at {side}", expected=f"one of {expected}", rule="smuggler.empty-seat"
            )
            return None
        return side

    def side_of(self, node: Node, players: Mapping[Side, str] | None = None) -> Side | None:
        names: dict[str, Side] = {name: side for side, name in (players or {}).items()}
        names.update({side: side for side in SIDES})
        text = str(node.value)
        if text in SIDE_OF_ARROW:
            return SIDE_OF_ARROW[text]
        try:
            return names[resolve(text, names)]
        except UnknownName as error:
            named = set(names) - set(SIDES)
            mend = "" if named or players is None else f"Say where {text} sits: --seat east={text}, or under [seats]."
            self.reader.fault(node, f"no such side: {error.sentence}", expected=f"one of {', '.join(names)}", mend=mend)
            return None

    def moves(self, players: Mapping[Side, str]) -> tuple[Move, ...]:
        """The order of play: `"2,3"`, `"2,3 south"`, or [2, 3, "south"] as answers give it."""
        return tuple(move for node in self.view.nodes("moves") if (move := self.move(node, players)))

    def move(self, node: Node, players: Mapping[Side, str]) -> Move | None:
        parts = [str(part.value) for part in node.value] if isinstance(node.value, list) else []
        text = f"{','.join(parts[:2])} {''.join(parts[2:3])}" if parts else str(node.value)
        where, _, who = text.strip().replace(", ", ",").partition(" ")
        cell = parse_cell(where)
        if cell is None or cell == CENTRE:
            expected = '"ROW,COLUMN SIDE" such as "2,3 south"'
            self.reader.fault(node, "this is no move", expected=expected, found=node.described)
            return None
        return Move(cell, self.side_of(Node(who.strip(), node.span), players) if who.strip() else None)


def unnamed_sides(table: Table) -> Finding:
    """The warning about sides with cards that the record does not name, where it names others."""
    sides = [side for side in SIDES if side in table.implied]
    words = "is not named: taken for a blind deck" if len(sides) == 1 else "are not named: taken for blind decks"
    message = f"{listed(sides)} {words}, where no player sits."
    return Finding("smuggler.blind-decks", "warning", "seats", message, "Name every player, e.g. --seat west=Bo.")


def empty_seat_cards(table: Table) -> dict[Side, list[str]]:
    """Sides where nobody sits although cards point there, with the places of those cards."""
    found: dict[Side, list[str]] = {}
    for cell, card in table.grid.items():
        if card.side not in table.seats:
            found.setdefault(card.side, []).append(cell_name(cell))
    return found
