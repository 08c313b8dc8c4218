"""Flags and `--set` corrections of Durian Dash laid over a record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from durian_assist.cli.dash_flags import pair, player_flag, split_list, trim, turn_flag, whole
from durian_assist.cli.dash_in import Flags
from durian_assist.common.names import UnknownName, fold, listed, resolve
from durian_assist.dash.varieties import PLANTATIONS, SHORT, VARIETIES
from durian_assist.errors import UsageError
from durian_assist.records.document import Document, Node, flag_node

_WISHES = ("love", "like", "hate")


def flagged(document: Document, flags: Flags) -> Document:
    """A record with the flags in it. Raises UsageError for a bad one."""
    if flags.variant is not None:
        document = document.with_node(["variant"], flag_node("--variant", flags.variant))
    if flags.players is not None:
        document = document.with_node(["players"], whole(flag_node("--players", flags.players)))
    if flags.deck_cards is not None:
        text = flags.deck_cards
        deck = (
            whole(flag_node("--deck-cards", text))
            if text.strip().removeprefix("-").isdigit()
            else split_list("--deck-cards", text)
        )
        document = document.with_node(["deck"], deck)
    for text in flags.rows:
        name, start = pair("--row", text, "=", "For example --row pahang=sultan,rotten.")
        document = document.with_node(["rows", _row(text, name)], split_list("--row", text, start))
    if flags.claimed:
        nodes = [flag_node("--claimed", text) for text in flags.claimed]
        document = document.with_node(["claimed"], Node(nodes, nodes[0].span, nodes[0].key))
    said: set[tuple[str, str]] = set()
    for text in flags.player:
        player = player_flag(text)
        own = {(fold(str(_table(player)["name"].value)), key) for key in _table(player) if key != "name"}
        if own & said:
            mend = "Say everything about a player in one --player."
            raise UsageError("this is said of the player twice", where=f"--player {text}", mend=mend)
        said |= own
        document = _with_player(document, player)
    for text in flags.turn:
        document = _with_player(document, turn_flag(text))
    return document


def _row(text: str, name: str) -> str:
    try:
        return resolve(name, PLANTATIONS)
    except UnknownName as error:
        raise UsageError(error.sentence, where=f"--row {text}", mend="Rows: pahang and johor.") from None


def _with_player(document: Document, new: Node) -> Document:
    """A player's flag replaces what the record says of that player, key by key, or adds a player."""
    assert isinstance(new.value, dict)
    root = document.root.value
    players = root.get("players") if isinstance(root, dict) else None
    items = list(players.value) if players is not None and isinstance(players.value, list) else []
    at = _position(items, str(new.value["name"].value))
    if at is None:
        items.append(new)
    else:
        old = items[at]
        kept = _unnamed(_table(old), new.value)
        items[at] = Node({**kept, **new.value, "name": _table(old)["name"]}, old.span, old.key)
    return document.with_node(["players"], Node(items, new.span, new.key))


def _unnamed(own: dict[str, Node], said: Mapping[str, Node]) -> dict[str, Node]:
    """What a record says of a player without the varieties that a flag names as loved, liked or hated: a preference
    card names each once, and the flag wins."""
    named = {_proper(str(node.value)) for key in _WISHES if key in said for node in _items(said[key])}
    kept = dict(own)
    for key in _WISHES:
        if key in own and key not in said and isinstance(own[key].value, list):
            rest = [node for node in _items(own[key]) if _proper(str(node.value)) not in named]
            kept[key] = Node(rest, own[key].span, own[key].key)
    return kept


def _items(node: Node) -> list[Node]:
    return node.value if isinstance(node.value, list) else []


def _proper(name: str) -> str:
    """A variety's own name; any other text as it is."""
    try:
        return resolve(name, VARIETIES, SHORT)
    except UnknownName:
        return name


def _table(node: Node) -> dict[str, Node]:
    return node.value if isinstance(node.value, dict) else {}


def _position(items: Sequence[Node], name: str) -> int | None:
    for number, item in enumerate(items):
        own = _table(item).get("name")
        if own is not None and fold(str(own.value)) == fold(name):
            return number
    return None


def corrected(document: Document, text: str) -> Document:
    """One `--set` on a record: `Hasan.rotten=1`, `Hasan.love=sultan`, `Hasan.last_action=12`, `pahang.3=rotten`."""
    mend = "For example --set Hasan.rotten=1, --set Hasan.love=sultan, --set Hasan.last=12 or --set pahang.3=rotten."
    place, start = pair("--set", text, "=", mend)
    name, dot, key = place.rpartition(".")
    value = flag_node("--set", text, *trim(text, start, len(text)))
    row = _listed(document, "rows", name)
    if row is not None and key.isascii() and key.isdigit() and 1 <= int(key) <= len(row):
        return document.with_node(["rows", name], Node([*row[: int(key) - 1], value, *row[int(key) :]], value.span))
    items = _listed(document, "players") or []
    at = _position(items, name)
    if not dot or not key or at is None:
        names = [str(_table(item)["name"].value) for item in items if "name" in _table(item)]
        there = f"Players: {listed(names)}." if names else "The record has no players."
        raise UsageError(f"there is no {place} in this record", where=f"--set {text}", mend=f"{mend} {there}")
    own = dict(_table(items[at]))
    if key in _WISHES:
        said = {key: split_list("--set", text, start)}
        own = {**_unnamed(own, said), **said}
    elif key in {"last", "last_action"}:
        own["last_action"] = whole(value)
    else:
        own["collection"] = _counted(own.get("collection"), key, whole(value))
    items[at] = Node(own, items[at].span, items[at].key)
    return document.with_node(["players"], Node(items, items[at].span))


def _listed(document: Document, *path: str) -> list[Node] | None:
    """The list at a path of the record; None where there is none."""
    node: Node | None = document.root
    for key in path:
        node = _table(node).get(key) if node is not None else None
    return list(node.value) if node is not None and isinstance(node.value, list) else None


def _counted(collection: Node | None, key: str, count: Node) -> Node:
    """A collection with another number of one variety, whichever way the record writes its name."""
    table = dict(_table(collection)) if collection is not None else {}
    same = next((own for own in table if _proper(own) == _proper(key)), key)
    table[same] = Node(count.value, count.span, count.key)
    span = collection.span if collection is not None else count.span
    return Node(table, span, span)
