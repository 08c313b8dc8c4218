"""What the command line says about a game of Durian Dash, laid over its record: flags, `--set`, `NAME=photo.jpg`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from durian_assist.cli.tables_in import Loaded, PhotoWishes, load_tables
from durian_assist.common.names import fold
from durian_assist.errors import UsageError
from durian_assist.records.document import Document, Node, load_record

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
    """A table as a record with the flags in it, and the photos that it came from, one a player or one for all.

    `owners` are the players' names of the photos where there is one a player.
    """

    loaded: Loaded
    photos: tuple[PhotoTable, ...] = ()
    owners: tuple[str, ...] = ()

    @property
    def document(self) -> Document:
        """The record."""
        return self.loaded.document

    @property
    def warnings(self) -> tuple[str, ...]:
        """What `--accept` must say."""
        owners = [f"{name}: " for name in self.owners] or [""] * len(self.photos)
        pairs = zip(owners, self.photos, strict=True)
        return tuple(f"{owner}{photo.warning}" for owner, photo in pairs if photo.warning)


def load_dash(tables: Sequence[str], wishes: PhotoWishes, flags: Flags) -> LoadedGame:
    """The table with flags and corrections in it. Raises as `load_tables` does, and UsageError for a bad flag."""
    named = _named(tables)
    if named:
        from durian_assist.cli.dash_tables import by_player

        game = by_player(named, wishes, lambda read, rest: with_flags(read, flags, rest))
    elif not tables and wishes.camera is None and flags.any:
        game = LoadedGame(Loaded(load_record("command line", "", "toml"), None, wishes.corrections))
    else:
        loaded = load_tables("dash", tables, wishes, lambda read: read if flags == Flags() else with_flags(read, flags))
        game = LoadedGame(loaded, (loaded.photo,) if loaded.photo else ())
    document = with_flags(game.document, flags, game.loaded.corrections)
    return replace(game, loaded=replace(game.loaded, document=document, corrections=()))


def of_session(game: LoadedGame, save: str | None, db: str | None) -> LoadedGame:
    """With `--save`, a game that names no variant has that of the session."""
    from durian_assist.cli.saving import with_mode_of

    document = with_mode_of(save, db, game.document)
    return replace(game, loaded=replace(game.loaded, document=document))


def with_flags(document: Document, flags: Flags, corrections: Sequence[str] = ()) -> Document:
    """A record with flags and `--set` corrections in it. Raises UsageError for a bad one."""
    document = as_players(document)
    if flags == Flags() and not corrections:
        return document
    from durian_assist.cli.dash_lay import corrected, flagged

    document = flagged(document, flags)
    for text in corrections:
        document = corrected(document, text)
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


def as_players(document: Document) -> Document:
    """A record of one collection, as a photo gives it, as a record of one player."""
    root = document.root.value
    if not isinstance(root, dict) or "players" in root or "collection" not in root:
        return document
    own = {key: root[key] for key in _OWN if key in root}
    at = root["collection"].span
    own["name"] = Node(_NAMELESS, at)
    rest = {key: node for key, node in root.items() if key not in own}
    rest["players"] = Node([Node(own, at, at)], at, at)
    return replace(document, root=Node(rest, document.root.span, document.root.key))
