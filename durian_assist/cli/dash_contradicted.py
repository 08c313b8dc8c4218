"""Where flags or corrections say another preference card than the photo of a player shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from durian_assist.common.answers import Finding
from durian_assist.common.names import fold
from durian_assist.dash.varieties import Preference

if TYPE_CHECKING:
    from durian_assist.cli.dash_in import LoadedGame
    from durian_assist.dash.scoring import Player


def contradicted(game: LoadedGame, players: Sequence[Player]) -> list[Finding]:
    """A warning for each player whose card counts as another one than was read: word by word a flag replaces what the
    photo says, and what comes of it may be no card of the game."""
    if not game.owners:
        return []
    from durian_assist.vision.dash_reading import wishes

    counted = {fold(player.name): player.preference for player in players}
    found = []
    for owner, photo in zip(game.owners, game.photos, strict=True):
        card = getattr(photo.reading, "preference", None)
        preference = counted.get(fold(owner))
        if card is None or preference is None:
            continue
        shown = wishes(card.name)
        if _words(shown) != _words(_lists(preference)):
            text = f"the photo shows {_said(shown)}; counted is {_said(_lists(preference))}."
            mend = "Say the whole card in the flag where the photo is wrong, and nothing of it where it is right."
            found.append(Finding("dash.photo", "warning", f"{owner}, the preference card", text, mend))
    return found


def _lists(preference: Preference) -> dict[str, list[str]]:
    love, hate = preference.love, preference.hate
    return {"love": [love] if love else [], "like": list(preference.like), "hate": [hate] if hate else []}


def _words(card: dict[str, list[str]]) -> dict[str, set[str]]:
    return {word: set(names) for word, names in card.items()}


def _said(card: dict[str, list[str]]) -> str:
    """`love sultan, like red-prawn and rotten`."""
    return ", ".join(f"{word} {' and '.join(names)}" for word, names in card.items() if names) or "nothing"
