"""Stored points held against the records that they were scored from, under the session's own readings."""

from __future__ import annotations

from dataclasses import dataclass, replace

from durian_assist.cli.saving import with_deck
from durian_assist.cli.scoring import score_record
from durian_assist.cli.session_text import points_of
from durian_assist.common.names import listed
from durian_assist.errors import DurianAssistError
from durian_assist.ledger.book import rules_version
from durian_assist.ledger.entries import Session
from durian_assist.ledger.rounds import RoundResult
from durian_assist.ledger.standing import mode_of


@dataclass(frozen=True, slots=True)
class Rescored:
    """Sentences about rounds whose record does not give what is stored.

    `faults` are those that this program's rules should have given, `notes` those saved under other rules, and records
    that cannot be scored here, for example without their deck.
    """

    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def rescored(session: Session) -> Rescored:
    """Score every round in force of a session anew from its record."""
    setup = replace(session.setup, mode=mode_of(session.setup, session.results))
    now = rules_version(setup.game)
    faults: list[str] = []
    notes: list[str] = []
    for number, entry in enumerate(session.in_force, 1):
        if entry.brought.record is None or entry.result is None:
            continue
        where = f"{setup.name}, round {number}"
        try:
            found = score_record(with_deck(setup, entry.brought), entry.brought.record).result
        except DurianAssistError as error:
            notes.append(f"{where}: its record cannot be scored here: {error.what}")
            continue
        if found != entry.result:
            said = f"{where}: stored is {_said(entry.result)}, but its record gives {_said(found)}"
            faults.append(said) if entry.rules == now else notes.append(f"{said}; it was saved under other rules")
    return Rescored(tuple(faults), tuple(notes))


def _said(result: RoundResult) -> str:
    parts = [points_of(result.points)] if result.points else []
    parts += [f"{result.takes} takes the token {result.token or ''}".rstrip()] if result.takes else []
    parts += [f"{name} holds {listed(map(str, held)) or 'none'}" for name, held in result.tokens.items()]
    parts += [f"won by {listed(result.winners)}"] if result.winners else []
    parts += [f"Smuggler {result.smuggler}"] if result.smuggler else []
    return ", ".join([*parts, *filter(None, (result.outcome, result.mode))]) or "nothing"
