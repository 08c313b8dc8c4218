"""The record of Durian Dash: one form for all commands. Here what `score` needs of it; every fault is collected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from durian_assist.common.names import fold
from durian_assist.dash.fields import read_collection, read_preference
from durian_assist.dash.scoring import Player, Variant
from durian_assist.dash.varieties import MOST_PLAYERS
from durian_assist.records.document import Document
from durian_assist.records.reader import Reader, TableView

KEYS = ("game", "variant", "players", "rows", "deck", "flipped", "removed", "claimed")
_SCORED = ("name", "collection", "love", "like", "hate", "last_action")
PLAYER_KEYS = (*_SCORED, "action", "icons", "plantation", "direction", "take", "place", "give")
MOST_ACTION = 999


@dataclass(frozen=True, slots=True)
class Game:
    """The end of a game, to be scored."""

    players: tuple[Player, ...]
    variant: Variant


def read_game(document: Document) -> Game:
    """Players with collections and preferences. Raises RecordError with every fault."""
    reader = open_reader(document)
    if document.source.read and "players" not in reader.root:
        what = "this photo shows a market, not the collection of a player"
        mend = "`durian-assist dash resupply` and `dash resolve` take a market's rows."
        reader.root.lacking(what, "a photo of one collection, or --player 'Hasan: sultan 2, rotten 1'", mend)
        reader.finish()
    players = tuple(_scored(view) for view in player_views(reader.root, least=1))
    variant: Variant = (
        "haters" if reader.root.choice("variant", ("standard", "haters"), "standard") == "haters" else "standard"
    )
    distinct(reader, [player.name for player in players])
    reader.finish()
    return Game(players, variant)


def open_reader(document: Document) -> Reader:
    """A reader that has looked at the keys and the game."""
    reader = Reader(document)
    reader.root.refuse_other_game("dash", ("smuggler", "durian"))
    reader.root.only(*KEYS)
    return reader


def market_wanted(reader: Reader) -> None:
    """Raise RecordError for a photo that shows a collection, where a market's rows are asked for."""
    root = reader.root
    if reader.document.source.read and "rows" not in root:
        what = "this photo shows a collection, not a market with its two rows"
        mend = "`durian-assist dash score` counts it; --row pahang=sultan,rotten says what lies in a row."
        root.lacking(what, "the rows pahang and johor", mend)
        reader.finish()


def player_tables(root: TableView) -> list[TableView]:
    """The tables of players; none where `players` only counts or names them."""
    node = root.get("players")
    if node is None or not isinstance(node.value, list) or all(isinstance(item.value, str) for item in node.value):
        return []
    views = root.views("players")
    for view in views:
        view.only(*PLAYER_KEYS)
        if "name" not in view:
            view.missing("name", "the player's name")
        elif view.text("name") is not None:
            view.person(view.table["name"])
    return views


def player_views(root: TableView, *, least: int) -> list[TableView]:
    """The tables of `least` to six players."""
    views = player_tables(root)
    if not views and not root.reader.faults:
        expected, mend = "a table [[players]] for each player", 'For example [[players]] with name = "Hasan".'
        node = root.get("players")
        if node is None or node.value == []:
            root.missing("players", expected, mend)
        else:
            root.reader.fault(node, '"players" has the wrong form', expected=expected, found=node.described, mend=mend)
    elif not least <= len(views) <= MOST_PLAYERS and not root.reader.faults:
        bad_number(root, len(views), least)
    return views


def bad_number(root: TableView, number: int, least: int) -> None:
    """Note a number of players that the game is not for."""
    expected = f"{least} to {MOST_PLAYERS} players"
    found = f"{number} player{'s' if number != 1 else ''}"
    root.reader.fault(
        root.table["players"], "this game has two to six players", expected=expected, found=found, rule="dash.players"
    )


def distinct(reader: Reader, names: Sequence[str]) -> None:
    """Note names that stand for two players."""
    seen: set[str] = set()
    for name in names:
        twice = bool(name) and fold(name) in seen
        seen.add(fold(name))
        if twice:
            reader.fault(
                reader.root.table["players"],
                f"{name} is named twice",
                mend="Give two players of one name a letter more.",
            )


def _scored(view: TableView) -> Player:
    name = (view.text("name") or "").strip()
    if "collection" not in view:
        view.missing(
            "collection",
            "varieties with their numbers",
            "For example collection = { sultan = 2, rotten = 1 }.",
            flag=f'--player "{name}: sultan 2, rotten 1", or for a player without cards --player "{name}: sultan 0"',
        )
    last = view.integer("last_action", minimum=1, maximum=MOST_ACTION)
    return Player(name, read_collection(view), read_preference(view), last)
