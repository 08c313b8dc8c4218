"""Answers of `dash resolve`, `resupply` and `check`, as JSON and as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from durian_assist.cli.dash_show import findings_json, show_findings
from durian_assist.cli.output import emit_json, paint, say, table
from durian_assist.common.answers import Finding
from durian_assist.common.readings import Readings
from durian_assist.dash.actions import Resolution
from durian_assist.dash.market import Difference, Resupply, Rows
from durian_assist.dash.record_round import Inventory
from durian_assist.dash.varieties import proper


def emit_resolution(found: Resolution, readings: Readings, extra: Sequence[Finding], *, claimed: bool) -> None:
    """JSON of `dash resolve`."""
    emit_json(
        {
            "order": list(found.order),
            "steps": [step.to_json() for step in found.steps],
            "rows": _rows_json(found.rows),
            "collections": {name: dict(cards) for name, cards in found.collections.items()},
            "complete": found.complete,
            "claimed": _claim_json(found.difference, claimed=claimed),
            "readings": [readings.note("take")],
            "findings": findings_json([*extra, *found.findings]),
        }
    )


def _claim_json(difference: Difference | None, *, claimed: bool) -> dict[str, object] | None:
    """Whether what was claimed is right, and the first step that differs; null where nothing was claimed."""
    if not claimed:
        return None
    return {"right": difference is None, "first_difference": difference.to_json() if difference else None}


def _rows_json(rows: Rows) -> dict[str, list[str]]:
    return {name: list(cards) for name, cards in rows.items()}


def show_resolution(found: Resolution, readings: Readings, extra: Sequence[Finding], *, claimed: bool) -> None:
    """Text of `dash resolve`."""
    say(f"Order of play: {', '.join(found.order)} (smallest action number first). [dash.order]\n")
    for number, step in enumerate(found.steps, 1):
        say(f"{number:>3}. {step.move.player} {step.text}. [{step.rule}]")
    say()
    _show_rows(found.rows)
    for name, cards in found.collections.items():
        say(f"{name}: {_bag(cards)}")
    note = readings.note("take")
    say(f"Taken is {note['meaning']} ({note['source']}). [dash.take]")
    _show_claim(found.difference, claimed=claimed)
    show_findings([*extra, *found.findings])


def _bag(cards: Mapping[str, int]) -> str:
    return ", ".join(f"{proper(card)} {count}" for card, count in cards.items()) or "nothing"


def _show_rows(rows: Rows) -> None:
    for name, cards in rows.items():
        say(f"{proper(name)}: {', '.join(proper(card) for card in cards) or 'empty'}")


def _show_claim(difference: Difference | None, *, claimed: bool) -> None:
    if difference:
        say(paint(f"First difference: {difference.text}. [{difference.rule}]", "red", bold=True))
    elif claimed:
        say(paint("What was done agrees with the rules.", "green", bold=True))


def emit_resupply(
    found: Resupply, readings: Readings, difference: Difference | None, extra: Sequence[Finding], *, claimed: bool
) -> None:
    """JSON of `dash resupply`."""
    emit_json(
        {
            "steps": [step.to_json() for step in found.steps],
            "rows": _rows_json(found.rows),
            "deck": len(found.deck),
            "removed": list(found.removed),
            "last_round": found.last_round,
            "rule": "dash.last-round",
            "settled": found.settled,
            "claimed": _claim_json(difference, claimed=claimed),
            "readings": [readings.note(key) for key in ("refill", "rotten-row")],
            "findings": findings_json([*extra, *found.findings]),
        }
    )


def show_resupply(found: Resupply, difference: Difference | None, extra: Sequence[Finding], *, claimed: bool) -> None:
    """Text of `dash resupply`."""
    for number, step in enumerate(found.steps, 1):
        say(f"{number:>3}. {step.text}. [{step.rule}]")
    say()
    _show_rows(found.rows)
    say(f"Deck: {len(found.deck)} card{'s' if len(found.deck) != 1 else ''}.")
    last = {
        True: "The next round is the last",
        False: "The next round is not the last",
        None: "Whether the next round is the last is not decided yet",
    }
    say(f"{last[found.last_round]}. [dash.last-round]")
    _show_claim(difference, claimed=claimed)
    show_findings([*extra, *found.findings])


def emit_check(inventory: Inventory, in_game: int, findings: Sequence[Finding]) -> None:
    """JSON of `dash check`."""
    emit_json(
        {
            "legal": _legal(inventory, findings),
            "players": inventory.players,
            "cards_in_game": in_game,
            "places": inventory.places,
            "rule": "dash.cards",
            "findings": findings_json(findings),
        }
    )


def _legal(inventory: Inventory, findings: Sequence[Finding]) -> bool | None:
    """True or false; None where a place is not recorded."""
    if any(finding.severity == "error" for finding in findings):
        return False
    return None if None in inventory.places.values() else True


def show_check(inventory: Inventory, in_game: int, findings: Sequence[Finding]) -> None:
    """Text of `dash check`."""
    rows = [(place, "not recorded" if count is None else count) for place, count in inventory.places.items()]
    say(table([*rows, ("the game has", in_game)], ["place", "cards"], right=(1,)))
    if _legal(inventory, findings):
        say(paint("\nAll cards are there. [dash.cards]", "green", bold=True))
    show_findings(findings)
