"""The words in the labels of a deck against those of its game: a slip would teach a class that no game has.

The luggage types of Durian Smuggler are free words, since no rulebook prints them; a deck table, where there is one,
names them and their badges.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from durian_assist.common.names import UnknownName, closest, listed, resolve
from durian_assist.errors import InputError

if TYPE_CHECKING:
    from durian_assist.vision.deck_profile import DeckTable

_HALVES = re.compile(r"([a-z]+)([0-9]+)-([a-z]+)([0-9]+)")
# A preference card names so many varieties at most under each word.
_WISHES = {"love": 1, "like": 2, "hate": 1}


def class_meant(label: str, game: str, where: str) -> str:
    """The class that a label of the right form means, as the game writes it. Raises InputError for a word that the game
    has not."""
    if label.endswith("/back") or game not in ("durian", "dash"):
        return label
    try:
        return _durian(label) if game == "durian" else _dash(label)
    except UnknownName as error:
        what, mend = f"'{label}' is no class of a {game} deck: {error.sentence}", _known(label, game)
    except ValueError as error:
        what, mend = f"'{label}' is no class of a {game} deck: {error}", "Look at the card again."
    raise InputError(what, where=where, mend=mend)


def _durian(label: str) -> str:
    """Raises UnknownName, and ValueError for a card or a token that the game has not."""
    from durian_assist.durian.cards import FRUITS, GORILLAS, TOKENS, FruitCard, Side

    head, _, name = label.partition("/")
    if head == "gorilla":
        return f"{head}/{resolve(name, GORILLAS)}"
    if head == "token" and int(name) not in TOKENS:
        raise ValueError(f"manager tokens are {TOKENS[0]} to {TOKENS[-1]}")
    halves = _HALVES.fullmatch(label)
    if not halves:
        return label
    one, other = (Side(resolve(halves[n], FRUITS), int(halves[n + 1])) for n in (1, 3))
    FruitCard.of(one, other)
    return f"{one.fruit}{one.count}-{other.fruit}{other.count}"


def _dash(label: str) -> str:
    """Raises UnknownName, and ValueError for a preference card that the game cannot have."""
    from durian_assist.dash.varieties import COMMON, PLANTATIONS, SHORT, VARIETIES

    head, slash, rest = label.partition("/")
    if not slash:
        return resolve(label, VARIETIES, SHORT)
    if head == "plantation":
        return f"{head}/{resolve(rest, PLANTATIONS)}"
    wishes = [(key, resolve(name, COMMON)) for key, _, name in (part.partition("-") for part in rest.split("/"))]
    keys, names = [key for key, _ in wishes], [name for _, name in wishes]
    if len(set(names)) < len(names):
        raise ValueError("a preference card names each variety once")
    for key, most in _WISHES.items():
        if keys.count(key) > most:
            raise ValueError(f"a preference card names at most {most} under {key}")
    return "/".join([head, *(f"{key}-{name}" for key, name in wishes)])


def _known(label: str, game: str) -> str:
    """What a label of this kind may say."""
    from durian_assist.dash.varieties import COMMON, PLANTATIONS, VARIETIES
    from durian_assist.durian.cards import FRUITS, GORILLAS

    if game == "durian":
        gorilla = label.startswith("gorilla/")
        return f"Gorillas: {listed(GORILLAS)}." if gorilla else f"Fruits: {listed(FRUITS)}."
    if label.startswith("plantation/"):
        return f"Plantations: {listed(PLANTATIONS)}."
    return f"Preference cards name {listed(COMMON)}." if "/" in label else f"Varieties: {listed(VARIETIES)}."


def check_against_table(names: Iterable[str], table: Sequence[DeckTable], where: str) -> None:
    """Raise InputError where classes of a Smuggler deck and its deck table cannot both be right."""
    kinds = {kind.name: kind for kind in table}
    for name in dict.fromkeys(names):
        luggage, _, face = name.partition("/")
        kind, badge = kinds.get(luggage), face.removeprefix("durian/")
        if kind is None and kinds and face and (near := closest(luggage, kinds, most=1)):
            what = f"the class {name} is of no type of the deck table; did you mean {near[0]}?"
            raise InputError(
                what, where=where, mend=f"Correct the label, or give {luggage} a [[type]] in the table too."
            )
        if kind is not None and badge != face and int(badge) != kind.badge:
            what = f"the class {name} has the badge {badge}, but the deck table gives {luggage} the badge {kind.badge}"
            mend = "All Durians of one type have one badge: look at the card, and correct the label or the table."
            raise InputError(what, where=where, mend=mend)
        if kind is not None and badge != face and not kind.durians:
            what = f"the class {name} is a Durian, but the deck table gives {luggage} none"
            raise InputError(what, where=where, mend="Look at the card, and correct the label or the table.")
