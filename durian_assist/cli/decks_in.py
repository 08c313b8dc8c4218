"""The deck that a command names: where there is none, only decks of the game that was asked for are offered."""

from __future__ import annotations

from durian_assist.common.names import closest, listed
from durian_assist.errors import InputError


def refuse_unknown(deck: str | None, game: str) -> None:
    """Raises InputError for a deck that is not there, with those of the game (`cards`: of any). None is no deck."""
    if deck is None:
        return
    from durian_assist.vision.deck_shelf import DECK_FILE, decks, folder_of

    try:
        folder_of(deck)
    except InputError as error:
        names = [entry.name for entry in decks() if game in ("cards", entry.game)]
        near = closest(deck, names, most=1)
        hint = f"Did you mean {near[0]}? " if near else ""
        of_game = "" if game == "cards" else f" of {game}"
        known = f"Known decks{of_game}: {listed(names)}." if names else f"No deck{of_game} is known yet."
        mend = f"{hint}{known} A folder with a {DECK_FILE} will do too."
        raise InputError(error.what, where=error.where, mend=mend) from None
