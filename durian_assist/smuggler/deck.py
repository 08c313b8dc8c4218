"""The deck table: the luggage types of a copy of the game, as its overview card lists them.

The rulebook does not print it, so none ships as the published one; players enter theirs, or calibrate a deck with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from durian_assist.common.answers import Finding, Severity
from durian_assist.common.text import plural
from durian_assist.errors import InputError
from durian_assist.records.document import load_record, read_text
from durian_assist.records.reader import Reader, TableView
from durian_assist.smuggler.table import MOST_BADGE, Luggage, Table

DECK_CARDS: Final = 28
TYPES: Final = 6


class LuggageType(NamedTuple):
    """One type: how many cards, how many of them hold a Durian, and the badge of those."""

    name: str
    cards: int
    durians: int
    badge: int


class DeckTable(NamedTuple):
    """The types by name."""

    types: Mapping[str, LuggageType]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.types)

    @property
    def cards(self) -> int:
        """Cards in the deck."""
        return sum(kind.cards for kind in self.types.values())


def read_deck(path: Path) -> DeckTable | None:
    """The deck table of a TOML file; None where it has no `[[type]]`. Raises InputError, RecordError."""
    reader = Reader(load_record(str(path), read_text(path), "toml"))
    kinds = [kind for view in reader.root.views("type") if (kind := _type(view))]
    reader.finish()
    game = reader.root.text("game")
    if game is not None and game != "smuggler":
        mend = "Choose a deck of smuggler: `durian-assist calibrate list` shows them."
        raise InputError(f"this deck is for {game}, not for smuggler", where=f"deck {path}", mend=mend)
    if game is None and not kinds:
        mend = (
            "It has a [[type]] with name, cards, durians and badge for each luggage type; `calibrate deck` makes one."
        )
        raise InputError("this is no deck and no deck table", where=f"deck {path}", mend=mend)
    return DeckTable({kind.name: kind for kind in kinds}) if kinds else None


def _type(view: TableView) -> LuggageType | None:
    name = (view.text("name") or "").strip()
    cards = view.integer("cards", minimum=1, maximum=DECK_CARDS)
    durians = view.integer("durians", minimum=0, maximum=DECK_CARDS)
    badge = view.integer("badge", minimum=1, maximum=MOST_BADGE)
    for key in ("name", "cards", "durians", "badge"):
        if key not in view:
            view.missing(key, "name, cards, durians and badge of a luggage type")
    if cards is not None and durians is not None and durians > cards:
        view.reader.fault(
            view.table["durians"],
            f"{name or 'a type'} has more durians than cards",
            expected=f"at most {cards}, as its Durians are among its cards",
            found=str(durians),
            mend="Compare it with the overview card.",
        )
    if name and cards is not None and durians is not None and badge is not None:
        return LuggageType(name, cards, durians, badge)
    return None


def check_deck(table: Table, deck: DeckTable | None, severity: Severity) -> list[Finding]:
    """What the cards that lie there say against the deck."""
    seen = [card.luggage for card in table.grid.values()]
    seen += [luggage for hand in table.hands.values() for luggage in hand]
    findings = [] if deck is None else _against(seen, deck, severity)
    if deck is not None and deck.cards != DECK_CARDS:
        message = f"The deck table has {deck.cards} cards, but the game has {DECK_CARDS}."
        findings.append(Finding("smuggler.deck", "warning", "deck", message, "Compare it with the overview card."))
    findings += _badges(seen)
    if len(seen) > DECK_CARDS:
        message = f"{len(seen)} cards are on the table, but the game has {DECK_CARDS}."
        findings.append(Finding("smuggler.deck", severity, "grid and hands", message, "Look at the hands again."))
    types = {luggage.type for luggage in seen}
    if deck is None and len(types) > TYPES:
        message = f"{len(types)} luggage types are written, but the game has {TYPES}: {', '.join(sorted(types))}."
        findings.append(Finding("smuggler.deck", "warning", "grid and hands", message, "Write each type in one way."))
    return findings


def no_deck_note() -> Finding:
    """What is said where the deck could not be checked."""
    message = "The cards were not checked against the deck: no deck table."
    return Finding("smuggler.deck", "note", "deck", message, "Name a deck with its table: --deck NAME.")


def _against(seen: Iterable[Luggage], deck: DeckTable, severity: Severity) -> list[Finding]:
    cards, durians = Counter[str](), Counter[str]()
    wrong: dict[str, set[int]] = {}
    for luggage in seen:
        cards[luggage.type] += 1
        if luggage.face == "durian" and luggage.badge is not None:
            durians[luggage.type] += 1
            if luggage.type in deck.types and luggage.badge != deck.types[luggage.type].badge:
                wrong.setdefault(luggage.type, set()).add(luggage.badge)
    found = []
    mend = "Look at these cards again; one may be misread or turned over."
    for name, kind in deck.types.items():
        empties = sum(luggage.type == name and luggage.face == "empty" for luggage in seen)
        for count, most, what in (
            (cards[name], kind.cards, f"{name} card"),
            (durians[name], kind.durians, f"{name} Durian"),
            (empties, kind.cards - kind.durians, f"empty {name} card"),
        ):
            if count > most:
                verb = "is" if count == 1 else "are"
                message = f"{plural(count, what)} {verb} on the table, but the deck has {most}."
                found.append(Finding("smuggler.deck", severity, f"type {name}", message, mend))
        for badge in sorted(wrong.get(name, ())):
            message = f"A {name} Durian shows {badge}, but the deck's {name} Durians show {kind.badge}."
            found.append(Finding("smuggler.badge", severity, f"type {name}", message, mend))
    return found


def _badges(seen: Iterable[Luggage]) -> list[Finding]:
    """Without a deck table too: all Durians of one type have one badge."""
    badges: dict[str, set[int]] = {}
    for luggage in seen:
        if luggage.badge is not None:
            badges.setdefault(luggage.type, set()).add(luggage.badge)
    return [
        Finding(
            "smuggler.badge",
            "warning",
            f"type {name}",
            f"Durians of one type have one badge, but {name} shows {' and '.join(map(str, sorted(values)))}.",
            "Look at these cards again.",
        )
        for name, values in badges.items()
        if len(values) > 1
    ]
