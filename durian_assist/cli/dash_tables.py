"""One table a player, `Hasan=photo1.jpg Jin=photo2.jpg`, merged to one record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from durian_assist.cli.dash_in import LoadedGame, as_players
from durian_assist.cli.tables_in import Loaded, PhotoWishes, is_record, load_record_file
from durian_assist.cli.whereabouts import placed
from durian_assist.common.names import fold
from durian_assist.errors import UsageError
from durian_assist.records.document import Document, Node, flag_node, load_record
from durian_assist.records.doubts import Doubt

if TYPE_CHECKING:
    from durian_assist.cli.photo_in import PhotoTable

# A record with the flags and these corrections of the command line in it.
Lay = Callable[[Document, Sequence[str]], Document]

# Places of a reading, which its record has not.
_OF_THE_PHOTO = ("cards.", "preference=")


def by_player(named: Sequence[tuple[str, str]], wishes: PhotoWishes, lay: Lay) -> LoadedGame:
    """One photo or record a player; the draft is written with the flags in it, which `lay` lays over the record.

    Raises NeedsPerson with what is uncertain in all of them.
    """
    if wishes.camera is not None:
        raise UsageError("--camera stands instead of TABLE, not beside it", mend="Give one of the two.")
    _refuse_one_for_two(named)
    corrections, rest = _shared_out(wishes.corrections, {name: is_record(file) for name, file in named})
    photos: dict[str, PhotoTable] = {}
    players: list[Node] = []
    doubts: list[Doubt] = []
    for name, file in named:
        if is_record(file):
            document = load_record_file(file)
        else:
            from durian_assist.cli.photo_in import best_table

            own = replace(wishes, corrections=corrections[name], draft=None)
            photos[name] = best_table("dash", [file], own, owner=name)
            document = photos[name].document
        players.append(_one_player(document, name, file))
        doubts += [Doubt(f"{name}, {doubt.place}", doubt.guesses) for doubt in document.doubts]
    empty = replace(load_record("command line", "", "toml"), doubts=tuple(doubts))
    span = players[0].span
    merged = empty.with_node(["game"], Node("dash", span, span)).with_node(["players"], Node(players, span, span))
    game = LoadedGame(Loaded(merged, None, rest), tuple(photos.values()), tuple(photos))
    if photos:
        _settle(game, wishes, lay)
    return game


def _refuse_one_for_two(named: Sequence[tuple[str, str]]) -> None:
    """Raise UsageError where one file stands for two players: their cards would be counted twice."""
    owners: dict[Path, str] = {}
    for name, file in named:
        owner = owners.setdefault(Path(file).resolve(), name)
        if owner != name:
            what = f"this is the file of {owner} already"
            raise UsageError(what, where=f"{name}={file}", mend="Give each player a photo or a record of their own.")


def _shared_out(
    texts: Sequence[str], records: Mapping[str, bool]
) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """`--set Hasan.cards.3=sultan` goes to Hasan's photo as `cards.3=sultan`; the rest is for the record.

    `records` says of each player whether a record stands for the photo. Raises UsageError for another player.
    """
    shares: dict[str, list[str]] = {name: [] for name in records}
    rest = []
    for text in texts:
        head, dot, tail = text.partition(".")
        owner = next((name for name in records if fold(name) == fold(head)), None)
        if owner is None or not dot:
            mend = f"Name the player first, such as --set {next(iter(records))}.cards.3=sultan."
            raise UsageError("this names no player of these tables", where=f"--set {text}", mend=mend)
        if not records[owner] and tail.startswith(_OF_THE_PHOTO):
            shares[owner].append(tail)
        else:
            rest.append(text)
    return {name: tuple(own) for name, own in shares.items()}, tuple(rest)


def _settle(game: LoadedGame, wishes: PhotoWishes, lay: Lay) -> None:
    """Raise NeedsPerson where something stays uncertain without `--accept`; the draft and the overlays, which show what
    it is, are written before."""
    from durian_assist.cli.photo_in import needs_person, write_draft

    if wishes.accept:
        return
    uncertain = [
        replace(item, key=f"{name}.{item.key}", place=f"{name}, {item.place}")
        for name, photo in zip(game.owners, game.photos, strict=True)
        for item in placed(photo.reading.uncertain, photo.photos)
    ]
    if uncertain:
        if wishes.draft:
            write_draft(wishes.draft, lay(game.document, game.loaded.corrections))
        if wishes.overlay:
            from durian_assist.cli.dash_overlay import write_overlays

            write_overlays(game, wishes.overlay)
        raise needs_person(uncertain, wishes)


def _one_player(document: Document, name: str, file: str) -> Node:
    """The one player of a record or reading, under another name."""
    root = as_players(document).root
    players = root.value.get("players") if isinstance(root.value, dict) else None
    items = players.value if players is not None and isinstance(players.value, list) else []
    if len(items) != 1 or not isinstance(items[0].value, dict):
        raise UsageError(
            "this is not the collection of one player", where=f"{name}={file}", mend="Give a photo of one collection."
        )
    own = items[0]
    assert isinstance(own.value, dict)
    return Node({**own.value, "name": flag_node("", f"{name}={file}", 0, len(name))}, own.span, own.key)
