"""Overlays of Durian Dash: what was read and, where a collection is scored, what each card is worth."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from durian_assist.cli.dash_in import LoadedGame
from durian_assist.cli.output import tell
from durian_assist.cli.outputs import numbered
from durian_assist.cli.photo_in import PhotoTable
from durian_assist.cli.pictures import write_overlay
from durian_assist.common.names import listed
from durian_assist.dash.scoring import Player
from durian_assist.dash.varieties import VARIETIES, Preference


def write_overlays(game: LoadedGame, name: str, players: Sequence[Player] = ()) -> None:
    """One overlay a photo; where there are several, a number is put before the ending.

    `players` are those scored. Raises InputError where a picture cannot be written.
    """
    path = Path(name)
    scored = {player.name: player for player in players}
    files: list[Path] = []
    for number, photo in enumerate(game.photos):
        owner = game.owners[number] if game.owners else None
        player = scored.get(owner) if owner else players[0] if len(players) == 1 else None
        file = numbered(path, number) if len(game.photos) > 1 else path
        files.append(file)
        write_overlay(str(file), photo.photos, photo.reading, _worth(photo, player) if player else None)

    if len(files) > 1:
        owned = [f"{file} ({owner})" for file, owner in zip(files, game.owners, strict=True)]
        tell(f"Written, one overlay a photo: {listed(owned)}.")


def _worth(photo: PhotoTable, player: Player) -> dict[str, list[str]]:
    """Thumbs of each card of the photo, as the player's preference card counts them."""
    preference = player.preference or Preference()
    return {
        mark.key: [f"{preference.value(mark.title)[0]:+d}"] for mark in photo.reading.marks() if mark.title in VARIETIES
    }
