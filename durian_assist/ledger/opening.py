"""What a session may be opened with: its name, its game and its players."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import replace

from durian_assist.common.names import fold, listed
from durian_assist.common.text import visible
from durian_assist.errors import UsageError
from durian_assist.ledger.rounds import TEAM, Setup

SEATS: Mapping[str, tuple[int, int]] = {"smuggler": (1, 4), "durian": (2, 7), "dash": (2, 6)}
"""Fewest and most players of each game; Durian's box has seven card stands."""
_MEANT: Mapping[str, str] = {"blind": "a side without a player", "none": "no Smuggler"}
"""Words of Smuggler's flags and records; who has one of them as a name could not be seated, or be the Smuggler."""


def checked_setup(setup: Setup) -> Setup:
    """The setup with its names in the form in which they are kept. Raises UsageError for what cannot be opened."""
    players = setup.players
    checked = tuple(checked_name(player, "player") for player in players)
    twice = [player for index, player in enumerate(checked) if fold(player) in map(fold, checked[:index])]
    if twice:
        raise UsageError(f"{listed(twice)} is named twice", where="--player")
    least, most = SEATS[setup.game]
    if not least <= len(checked) <= most:
        raise UsageError(
            f"{setup.game} is played by {least} to {most}, not {len(checked)}",
            where="--player",
            mend="Give --player once for each player.",
        )
    if any(fold(player) == TEAM for player in checked):
        raise UsageError(f'"{TEAM}" stands for all players together', where="--player", mend="Choose another name.")
    return replace(setup, name=checked_name(setup.name, "session"), players=checked)


def opened_setup(setup: Setup) -> Setup:
    """The setup of a session that is opened now, as `checked_setup` gives it. Raises UsageError, also for a player
    called by a word that means something else; older sessions may have one."""
    checked = checked_setup(setup)
    for player in checked.players if checked.game == "smuggler" else ():
        if fold(player) in _MEANT:
            what = f'"{player}" stands for {_MEANT[fold(player)]}'
            raise UsageError(what, where="--player", mend="Choose another name.")
    return checked


def checked_note(text: str) -> str:
    """A note on one line. Raises UsageError for one that is empty, very long or cannot be shown."""
    plain = " ".join(unicodedata.normalize("NFC", text).split())
    if not plain or len(plain) > 1000 or visible(plain) != plain:
        raise UsageError("a note is a line of text of at most 1000 characters", where=visible(plain[:40]))
    return plain


def checked_name(name: str, what: str) -> str:
    """A name in its composed form without spaces around it. Raises UsageError for one that cannot be shown."""
    plain = unicodedata.normalize("NFC", name).strip()
    if not plain or not fold(plain):
        raise UsageError(f"the {what}'s name is empty")
    if len(plain) > 100:
        raise UsageError(f"the {what}'s name is longer than 100 characters")
    if visible(plain) != plain or "\t" in plain:
        raise UsageError(f"the {what}'s name has characters that cannot be shown: {visible(plain)}")
    return plain
