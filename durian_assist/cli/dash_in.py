"""What the command line says about a game of Durian Dash, laid over its record: flags, `--set`, `NAME=photo.jpg`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from durian_assist.cli.dash_flags import pair, player_flag, split_list, trim, turn_flag, whole
from durian_assist.cli.tables_in import Loaded, PhotoWishes, is_record, load_record_file, load_tables
from durian_assist.common.names import UnknownName, fold, listed, resolve
from durian_assist.dash.varieties import PLANTATIONS
from durian_assist.errors import UsageError
from durian_assist.records.document import Document, Node, flag_node, load_record

if TYPE_CHECKING:
    from durian_assist.cli.photo_in import PhotoTable

_OWN = ("collection", "love", "like", "hate", "last_action")
_NAMELESS = "player"


@dataclass(frozen=True, slots=True)
class Flags:
    """Flags of the game's commands; what is None or empty was not given."""

    player: tuple[str, ...] = ()
    turn: tuple[str, ...] = ()
    variant: str | None = None
    players: str | None = None
    deck_cards: str | None = None
    rows: tuple[str, ...] = ()
    claimed: tuple[str, ...] = ()

    @property
    def any(self) -> bool:
        """Whether the flags alone can be a record."""
        return bool(self.player or self.turn or self.rows)


@dataclass(frozen=True, slots=True)
class LoadedGame:
    """A table as a record with the flags in it, and the photos that it came from, one a player or one for all."""

    loaded: Loaded
    photos: tuple[PhotoTable, ...] = ()

    @property
    def document(self) -> Document:
        """The record."""
        return self.loaded.document

    @property
    def warnings(self) -> tuple[str, ...]:
        """What `--accept` must say."""
        return tuple(photo.warning for photo in self.photos if photo.warning)


def load_dash(tables: Sequence[str], wishes: PhotoWishes, flags: Flags) -> LoadedGame:
    """The table with flags and corrections in it. Raises as `load_tables` does, and UsageError for a bad flag."""
    named = _named(tables)
    if named:
        game = _by_player(named, wishes)
    elif not tables and wishes.camera is None and flags.any:
        game = LoadedGame(Loaded(load_record("command line", "", "toml"), None, wishes.corrections))
    else:
        loaded = load_tables("dash", tables, wishes)
        game = LoadedGame(loaded, (loaded.photo,) if loaded.photo else ())
    document = with_flags(game.document, flags, game.loaded.corrections)
    return replace(game, loaded=replace(game.loaded, document=document, corrections=()))


def with_flags(document: Document, flags: Flags, corrections: Sequence[str] = ()) -> Document:
    """A record with flags and `--set` corrections in it. Raises UsageError for a bad one."""
    document = _flagged(_as_players(document), flags)
    for text in corrections:
        document = _corrected(document, text)
    return document


def _named(tables: Sequence[str]) -> list[tuple[str, str]]:
    """`NAME=FILE` arguments; none where a plain TABLE is given. Raises UsageError for a mixture."""
    pairs = [table.split("=", 1) for table in tables if "=" in table and not Path(table).exists()]
    if pairs and len(pairs) != len(tables):
        raise UsageError("some tables have a player's name and some have not", mend="Give NAME=PHOTO for each player.")
    names = [name.strip() for name, _ in pairs]
    for number, name in enumerate(names):
        if not name or fold(name) in {fold(other) for other in names[:number]}:
            raise UsageError(
                "every photo needs the name of another player", where=tables[number], mend="Hasan=one.jpg Jin=two.jpg"
            )
    return [(name, file) for name, (_, file) in zip(names, pairs, strict=True)]


def _by_player(named: Sequence[tuple[str, str]], wishes: PhotoWishes) -> LoadedGame:
    """One photo or record a player. Raises NeedsPerson with what is uncertain in all of them."""
    if wishes.camera is not None:
        raise UsageError("--camera stands instead of TABLE, not beside it", mend="Give one of the two.")
    corrections, rest = _shared_out(wishes.corrections, [name for name, file in named if not is_record(file)])
    photos: dict[str, PhotoTable] = {}
    players = []
    for name, file in named:
        if is_record(file):
            document = load_record_file(file)
        else:
            from durian_assist.cli.photo_in import best_table

            own = replace(wishes, corrections=corrections[name], draft=None)
            photos[name] = best_table("dash", [file], own)
            document = photos[name].document
        players.append(_one_player(document, name, file))
    empty = load_record("command line", "", "toml")
    span = players[0].span
    merged = empty.with_node(["players"], Node(players, span, span))
    _settle(photos, wishes, merged)
    return LoadedGame(Loaded(merged, None, rest), tuple(photos.values()))


def _shared_out(texts: Sequence[str], names: Sequence[str]) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """`--set Hasan.cards.3=sultan` goes to Hasan's photo as `cards.3=sultan`; the rest is for the record."""
    shares: dict[str, list[str]] = {name: [] for name in names}
    rest = []
    for text in texts:
        head, _, tail = text.partition(".")
        owner = next((name for name in names if fold(name) == fold(head)), None)
        if owner is not None and tail.startswith("cards."):
            shares[owner].append(tail)
        else:
            rest.append(text)
    return {name: tuple(own) for name, own in shares.items()}, tuple(rest)


def _settle(photos: dict[str, PhotoTable], wishes: PhotoWishes, merged: Document) -> None:
    """Write the draft, and raise NeedsPerson where something stays uncertain without `--accept`."""
    if not photos:
        return
    from durian_assist.cli.photo_in import needs_person, write_text

    if wishes.draft:
        from durian_assist.cli.saving import record_text

        write_text(wishes.draft, record_text(merged))
    if wishes.accept:
        return
    uncertain = [
        replace(item, key=f"{name}.{item.key}", place=f"{name}, {item.place}")
        for name, photo in photos.items()
        for item in photo.reading.uncertain
    ]
    if uncertain:
        raise needs_person(uncertain, wishes)


def _one_player(document: Document, name: str, file: str) -> Node:
    """The one player of a record or reading, under another name."""
    root = _as_players(document).root
    players = root.value.get("players") if isinstance(root.value, dict) else None
    items = players.value if players is not None and isinstance(players.value, list) else []
    if len(items) != 1 or not isinstance(items[0].value, dict):
        raise UsageError(
            "this is not the collection of one player", where=f"{name}={file}", mend="Give a photo of one collection."
        )
    own = items[0]
    assert isinstance(own.value, dict)
    return Node({**own.value, "name": flag_node("", f"{name}={file}", 0, len(name))}, own.span, own.key)


def _as_players(document: Document) -> Document:
    """A record of one collection, as a photo gives it, as a record of one player."""
    root = document.root.value
    if not isinstance(root, dict) or "players" in root or "collection" not in root:
        return document
    own = {key: root[key] for key in _OWN if key in root}
    at = root["collection"].span
    own["name"] = Node(_NAMELESS, at)
    rest = {key: node for key, node in root.items() if key not in own}
    rest["players"] = Node([Node(own, at, at)], at, at)
    return Document(document.source, Node(rest, document.root.span, document.root.key))


def _flagged(document: Document, flags: Flags) -> Document:
    if flags.variant is not None:
        document = document.with_node(["variant"], flag_node("--variant", flags.variant))
    if flags.players is not None:
        document = document.with_node(["players"], whole(flag_node("--players", flags.players)))
    if flags.deck_cards is not None:
        text = flags.deck_cards
        deck = whole(flag_node("--deck-cards", text)) if text.strip().isdigit() else split_list("--deck-cards", text)
        document = document.with_node(["deck"], deck)
    for text in flags.rows:
        name, start = pair("--row", text, "=", "For example --row pahang=sultan,rotten.")
        document = document.with_node(["rows", _row(text, name)], split_list("--row", text, start))
    if flags.claimed:
        nodes = [flag_node("--claimed", text) for text in flags.claimed]
        document = document.with_node(["claimed"], Node(nodes, nodes[0].span, nodes[0].key))
    for text in flags.player:
        document = _with_player(document, player_flag(text))
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
        items[at] = Node({**_table(old), **new.value}, old.span, old.key)
    return document.with_node(["players"], Node(items, new.span, new.key))


def _table(node: Node) -> dict[str, Node]:
    return node.value if isinstance(node.value, dict) else {}


def _position(items: Sequence[Node], name: str) -> int | None:
    for number, item in enumerate(items):
        own = _table(item).get("name")
        if own is not None and fold(str(own.value)) == fold(name):
            return number
    return None


def _corrected(document: Document, text: str) -> Document:
    """One `--set` on a record: `Hasan.rotten=1`, `Hasan.love=sultan`, `Hasan.last_action=12`."""
    mend = "For example --set Hasan.rotten=1, --set Hasan.love=sultan or --set Hasan.last_action=12."
    place, start = pair("--set", text, "=", mend)
    name, dot, key = place.rpartition(".")
    root = document.root.value
    players = root.get("players") if isinstance(root, dict) else None
    items = list(players.value) if players is not None and isinstance(players.value, list) else []
    at = _position(items, name)
    if not dot or not key or at is None or players is None:
        names = [str(_table(item)["name"].value) for item in items if "name" in _table(item)]
        there = f"Players: {listed(names)}." if names else "The record has no players."
        raise UsageError(f"there is no {place} in this record", where=f"--set {text}", mend=f"{mend} {there}")
    value = flag_node("--set", text, *trim(text, start, len(text)))
    own = dict(_table(items[at]))
    if key in {"love", "like", "hate"}:
        own[key] = split_list("--set", text, start)
    elif key == "last_action":
        own[key] = whole(value)
    else:
        own["collection"] = _counted(own.get("collection"), key, whole(value))
    items[at] = Node(own, items[at].span, items[at].key)
    return document.with_node(["players"], Node(items, players.span, players.key))


def _counted(collection: Node | None, key: str, count: Node) -> Node:
    """A collection with another number of one variety, whichever way the record writes its name."""
    from durian_assist.dash.varieties import SHORT, VARIETIES

    def proper(name: str) -> str:
        try:
            return resolve(name, VARIETIES, SHORT)
        except UnknownName:
            return name

    table = dict(_table(collection)) if collection is not None else {}
    same = next((own for own in table if proper(own) == proper(key)), key)
    table[same] = Node(count.value, count.span, count.key)
    span = collection.span if collection is not None else count.span
    return Node(table, span, span)
