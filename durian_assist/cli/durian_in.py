"""What the command line says about a game of Durian, laid over its record: flags, `--set`, `--at`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from durian_assist.cli.tables_in import Loaded, PhotoWishes, load_tables
from durian_assist.records.document import Document, load_record


@dataclass(frozen=True, slots=True)
class Flags:
    """Flags of the game's commands; what is None or empty was not given."""

    players: str | None = None
    first: str | None = None
    caller: str | None = None
    inventory: tuple[str, ...] = ()
    open_card: str | None = None
    orders: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    at: tuple[str, ...] = ()

    @property
    def any(self) -> bool:
        """Whether the flags alone can be a record."""
        return bool(self.inventory or self.orders or self.tokens)


def load_durian(tables: Sequence[str], wishes: PhotoWishes, flags: Flags) -> Loaded:
    """The table with flags and corrections in it. Raises as `load_tables` does, and UsageError for a bad flag."""
    if not tables and wishes.camera is None and flags.any:
        loaded = Loaded(load_record("command line", "", "toml"), None, wishes.corrections)
    else:
        loaded = load_tables("durian", tables, wishes, lambda read: with_flags(read, flags))
    if loaded.photo and wishes.corrections:
        from durian_assist.cli.durian_lay import refuse_doubles

        refuse_doubles({mark.key: mark.title for mark in loaded.photo.reading.marks()}, wishes.corrections)
    document = with_flags(loaded.document, flags, loaded.corrections)
    return replace(loaded, document=document, corrections=())


def with_flags(document: Document, flags: Flags, corrections: Sequence[str] = ()) -> Document:
    """A record with flags and `--set` corrections in it. Raises UsageError for a bad one."""
    if flags == Flags() and not corrections:
        return document
    from durian_assist.cli.durian_lay import corrected, flagged, named

    document = flagged(named(document, flags.at), flags)
    for text in corrections:
        document = corrected(document, text)
    return document
