"""`session show --why ROUND`, and a session under readings that are only tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from durian_assist.cli.output import emit_json, say
from durian_assist.cli.saving import with_deck
from durian_assist.cli.scoring import score_record
from durian_assist.common.names import listed, rounds_named
from durian_assist.common.readings import Readings
from durian_assist.errors import DurianAssistError, InputError
from durian_assist.ledger.book import Glance
from durian_assist.ledger.entries import Session, compact
from durian_assist.ledger.rounds import RoundResult, RoundScore, Setup
from durian_assist.ledger.standing import mode_of, stand


def with_readings(session: Session, reading: Sequence[str]) -> Setup:
    """The session's setup with readings that are only tried, and the mode that its rounds have settled."""
    setup = session.setup
    readings = Readings.parse(setup.game, [*setup.readings.settings(), *reading])
    return replace(setup, readings=readings, mode=mode_of(setup, session.results))


def show_why(session: Session, number: int, reading: Sequence[str], *, as_json: bool) -> None:
    """Print how the numbers of a round came about. Raises InputError where there is no such round."""
    from durian_assist.cli.session_text import why_lines

    if number > len(session.state.versions):
        count = len(session.state.versions)
        raise InputError(
            f"there is no round {number}",
            where=session.setup.name,
            mend=f"It has rounds 1 to {count}." if count else "It has no rounds yet.",
        )
    brought = session.in_force[number - 1].brought
    setup = with_deck(with_readings(session, reading), brought)
    score = score_record(setup, brought.record) if brought.record else None
    if as_json:
        emit_json(_why_json(session, number, score))
    else:
        say("\n".join(why_lines(session, number, score)))


def _why_json(session: Session, number: int, score: RoundScore | None) -> dict[str, object]:
    versions = [session.entries[seq - 1] for seq in session.state.versions[number - 1]]
    lines = score.lines if score else ()
    return {
        "session": session.setup.name,
        **session.rows()[number - 1],
        "lines": [{"player": who, **line.to_json()} for who, line in lines],
        "warnings": list(score.warnings) if score else [],
        "versions": [entry.to_json() for entry in versions],
    }


def tried(session: Session, reading: Sequence[str], last: int | None) -> tuple[Glance, tuple[str, ...]]:
    """The session rescored from its stored records under other readings, and sentences that say so; nothing is kept."""
    setup = with_readings(session, reading)
    results: list[RoundResult] = []
    typed, failed = [], []
    for number, entry in enumerate(session.in_force, 1):
        kept = entry.result or RoundResult()
        brought = entry.brought
        if brought.record is None:
            typed.append(number)
        else:
            try:
                kept = score_record(with_deck(setup, brought), brought.record).result
            except DurianAssistError:
                failed.append(number)
        results.append(kept)
    notes = [f"Tried with {listed(reading)}; nothing of this is kept."]
    if typed:
        notes.append(f"Left as stored, without a record: {rounds_named(typed)}.")
    if failed:
        notes.append(f"Left as stored, not to be scored by this reading: {rounds_named(failed)}.")
    rows = [compact(row) for row in session.rows(results)]
    standing = stand(setup, results).to_json()
    return Glance(setup, standing, len(rows), tuple(rows if last is None else rows[-last:])), tuple(notes)
