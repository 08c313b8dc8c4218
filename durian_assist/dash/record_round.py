"""Records of Durian Dash for `resolve`, `resupply` and `check`; every fault is collected with its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from durian_assist.dash.claims import read_choices, read_gifts, read_move, read_supply_claim
from durian_assist.dash.fields import read_collection, read_varieties
from durian_assist.dash.market import Supply, SupplyClaim
from durian_assist.dash.moves import DIRECTIONS, ICONS, Actor, Move
from durian_assist.dash.record import (
    MOST_ACTION,
    bad_number,
    distinct,
    market_wanted,
    open_reader,
    player_tables,
    player_views,
)
from durian_assist.dash.varieties import DURIAN_CARDS, LEAST_PLAYERS, MOST_PLAYERS, PLANTATIONS, UNKNOWN, proper
from durian_assist.records.document import Document, Node
from durian_assist.records.reader import TableView

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Turn:
    """A round to be resolved; `claimed` is what the players say they did, None where they say nothing."""

    actors: tuple[Actor, ...]
    rows: dict[str, tuple[str, ...]]
    claimed: tuple[Move, ...] | None


@dataclass(frozen=True, slots=True)
class Restock:
    """A resupply to be worked out, and what the players say they did."""

    supply: Supply
    claimed: tuple[SupplyClaim, ...] | None


@dataclass(frozen=True, slots=True)
class Inventory:
    """Where the cards of a game are; None where that is not recorded."""

    players: int
    places: dict[str, int | None]


def read_turn(document: Document) -> Turn:
    """Rows and every player's action. Raises RecordError with every fault."""
    reader = open_reader(document)
    market_wanted(reader)
    views = player_views(reader.root, least=LEAST_PLAYERS)
    names = [view.text("name") or "" for view in views]
    actors = tuple(_actor(view, names) for view in views)
    distinct(reader, names)
    rows = _rows(reader.root)
    claimed = _claims(reader.root, lambda node: read_move(reader, node, names))
    reader.finish()
    return Turn(actors, rows, claimed)


def read_restock(document: Document) -> Restock:
    """Rows, deck and the number of players. Raises RecordError with every fault."""
    reader = open_reader(document)
    market_wanted(reader)
    root = reader.root
    players = _number_of_players(root)
    rows = _rows(root)
    if "deck" not in root:
        expected = "the number of cards in the deck, or a list of them from the top"
        root.missing("deck", expected, "For example deck = 12.", flag="--deck-cards 12")
    deck = _deck(root)
    claimed = _claims(root, lambda node: read_supply_claim(reader, node))
    reader.finish()
    return Restock(Supply(players or LEAST_PLAYERS, rows, deck), claimed)


def read_inventory(document: Document) -> Inventory:
    """Where all cards are. Raises RecordError with every fault."""
    reader = open_reader(document)
    root = reader.root
    players = _number_of_players(root)
    places: dict[str, int | None] = {}
    for view in player_tables(root):
        name = view.text("name") or "?"
        places[f"collection of {name}"] = sum(read_collection(view).values()) if "collection" in view else None
    if not places:
        places["collections"] = None
    rows = _rows(root) if "rows" in root else {}
    for plantation in PLANTATIONS:
        places[proper(plantation)] = len(rows[plantation]) if plantation in rows else None
    places["deck"] = len(_deck(root)) if "deck" in root else None
    places["removed"] = _size(root, "removed") if "removed" in root else None
    reader.finish()
    return Inventory(players or LEAST_PLAYERS, places)


def _number_of_players(root: TableView) -> int | None:
    """`players` may be a number, a list of names, or the tables themselves."""
    node = root.get("players")
    if node is None:
        expected = "the number of players, their names, or a table for each"
        root.missing("players", expected, "For example players = 4.", flag="--players 4")
        return None
    if isinstance(node.value, list):
        number = len(node.value)
    else:
        whole = root.whole(node, '"players"', minimum=0)
        if whole is None:
            return None
        number = whole
    if not LEAST_PLAYERS <= number <= MOST_PLAYERS:
        bad_number(root, number, LEAST_PLAYERS)
    return number


def _rows(root: TableView) -> dict[str, tuple[str, ...]]:
    table = root.view("rows")
    if table is None:
        if "rows" not in root:
            expected = "a table [rows] with pahang and johor, each a list from left to right"
            root.missing("rows", expected, flag="--row pahang=sultan,rotten --row johor=sultan")
        return dict.fromkeys(PLANTATIONS, ())
    table.only(*PLANTATIONS)
    for plantation in PLANTATIONS:
        if plantation not in table:
            expected = "the cards of this row from left to right"
            flag = f"--row {plantation}=sultan,rotten, or --row {plantation}= for an empty row"
            table.missing(plantation, expected, "An empty row is [].", flag=flag)
    return {plantation: read_varieties(table, plantation, unknown=True) for plantation in PLANTATIONS}


def _deck(root: TableView) -> tuple[str, ...]:
    """The deck from the top: a list, or its number of cards with those that were flipped from it in order."""
    node = root.get("deck")
    if node is not None and isinstance(node.value, list):
        return read_varieties(root, "deck", unknown=True)
    number = root.integer("deck", maximum=DURIAN_CARDS) or 0
    flipped = read_varieties(root, "flipped", unknown=True)
    if len(flipped) > number:
        expected = f"at most {number}, as many as the deck had"
        root.reader.fault(
            root.table["flipped"],
            "more cards were flipped than the deck had",
            expected=expected,
            found=str(len(flipped)),
        )
    return (*flipped, *(UNKNOWN for _ in range(number - len(flipped))))


def _size(root: TableView, key: str) -> int | None:
    """A number of cards, or the length of a list of them."""
    node = root.get(key)
    if node is not None and isinstance(node.value, list):
        return len(read_varieties(root, key, unknown=True))
    return root.integer(key, maximum=DURIAN_CARDS)


def _actor(view: TableView, names: Sequence[str]) -> Actor:
    name = view.text("name") or ""
    for key, expected in (
        ("action", "the number of the action card"),
        ("icons", 'its icons from top to bottom, e.g. ["take", "give"]'),
        ("plantation", "pahang or johor"),
        ("direction", "left or right"),
    ):
        if key not in view:
            view.missing(key, expected)
    icons = tuple(icon for node in view.texts("icons") if (icon := view.chosen(node, ICONS)) is not None)
    return Actor(
        name,
        read_collection(view),
        view.integer("action", minimum=1, maximum=MOST_ACTION) or 0,
        icons,
        view.choice("plantation", PLANTATIONS, PLANTATIONS[0]),
        view.choice("direction", DIRECTIONS, DIRECTIONS[0]),
        read_choices(view, "take"),
        read_choices(view, "place"),
        read_gifts(view, "give", names),
    )


def _claims(root: TableView, read: Callable[[Node], T | None]) -> tuple[T, ...] | None:
    if "claimed" not in root:
        return None
    return tuple(claim for node in root.texts("claimed") if (claim := read(node)) is not None)
