"""Where decks stand: the user's own, calibrated ones, then the shipped ones."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from durian_assist.common.names import closest, listed
from durian_assist.errors import InputError
from durian_assist.resources import shipped

DECK_FILE = "deck.toml"
GAMES = ("smuggler", "durian", "dash", "cards")


@dataclass(frozen=True, slots=True)
class DeckEntry:
    """A deck on the shelf; `calibrated` is its time as ISO text, "" where the file does not say."""

    name: str
    game: str
    folder: Path
    calibrated: str
    shipped: bool


def user_decks_folder() -> Path:
    """The folder of the user's own decks (it may not exist yet)."""
    import platformdirs

    return Path(platformdirs.user_data_dir("durian-assist", appauthor=False)) / "decks"


def decks() -> list[DeckEntry]:
    """All decks that can be chosen by name, the user's own first; damaged ones are left out."""
    own = _entries(user_decks_folder(), shipped_ones=False)
    names = {entry.name for entry in own}
    return own + [e for e in _entries(_shipped_folder(), shipped_ones=True) if e.name not in names]


def hides_shipped(folder: Path) -> bool:
    """Whether this deck of the user's has the name of a shipped one, which can then no longer be chosen by its name."""
    shelf = _shipped_folder()
    return shelf is not None and folder.parent == user_decks_folder() and (shelf / folder.name).is_dir()


def folder_of(deck: str | Path, game: str = "cards") -> Path:
    """The folder of the deck of that name, or that folder itself. Raises InputError, with the decks of the game
    (`cards`: of any)."""
    path = Path(deck).expanduser()
    if path.is_dir() and ((path / DECK_FILE).exists() or len(path.parts) > 1):
        return path
    if path.name == DECK_FILE and path.is_file():
        return path.parent
    text = str(deck)
    for shelf in (user_decks_folder(), _shipped_folder()):
        if text and shelf is not None and not any(mark in text for mark in "/\\") and (shelf / text).is_dir():
            return shelf / text
    raise InputError("there is no such deck", where=f"deck {text}", mend=_way_out(text, game))


def default_folder(game: str) -> Path:
    """The folder of the deck last calibrated for the game; shipped decks are never the default. Raises InputError."""
    fitting = [entry for entry in decks() if not entry.shipped and game in ("cards", entry.game)]
    if not fitting:
        raise InputError(
            f"a photo needs a deck, and none is calibrated for {game}",
            where="--deck",
            mend=f"Photograph the deck's cards laid out in rows and run `durian-assist calibrate deck NAME "
            f"--game {game} --labels FILE PHOTO...`, or name one with --deck ({_known(game)}). "
            "A record typed by hand needs no deck.",
        )
    return max(fitting, key=lambda entry: entry.calibrated).folder


def _shipped_folder() -> Path | None:
    try:
        return shipped("calibration", "decks")
    except InputError:
        return None


def _entries(shelf: Path | None, *, shipped_ones: bool) -> list[DeckEntry]:
    if shelf is None or not shelf.is_dir():
        return []
    found = []
    for folder in sorted(shelf.iterdir()):
        try:
            head = tomllib.loads((folder / DECK_FILE).read_text(encoding="utf-8"))
            entry = (str(head["name"]), str(head["game"]), folder, str(head.get("calibrated", "")))
        except (OSError, ValueError, KeyError):
            continue
        found.append(DeckEntry(*entry, shipped_ones))
    return found


def _known(game: str) -> str:
    """The decks of a game, or all of them."""
    return ", ".join(entry.name for entry in decks() if game in ("cards", entry.game)) or "none is there yet"


def _way_out(name: str, game: str) -> str:
    names = [entry.name for entry in decks() if game in ("cards", entry.game)]
    near = closest(name, names, most=1)
    hint = f"Did you mean {near[0]}? " if near else ""
    of_game = "" if game == "cards" else f" of {game}"
    known = f"Known decks{of_game}: {listed(names)}." if names else f"No deck{of_game} is known yet."
    return f"{hint}{known} A folder with a {DECK_FILE} will do too."
