"""Answers of the `dash` commands, as JSON and as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from durian_assist.cli.output import emit_json, paint, say, table
from durian_assist.common.answers import Finding, points_json, worst_first
from durian_assist.common.names import listed
from durian_assist.common.readings import Readings
from durian_assist.dash.actions import Resolution
from durian_assist.dash.market import Difference, Resupply, Rows
from durian_assist.dash.record import Game, Inventory
from durian_assist.dash.scoring import Result, Tally
from durian_assist.dash.varieties import VARIETIES, proper

_COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}


def show_findings(findings: Sequence[Finding]) -> None:
    """Print findings, worst first."""
    for finding in worst_first(findings):
        mend = f"\n    {finding.mend}" if finding.mend else ""
        head = paint(finding.severity, _COLOURS[finding.severity], bold=True)
        say(f"{head}: {finding.where}: {finding.message} [{finding.rule}]{mend}")


def _findings_json(findings: Sequence[Finding]) -> list[dict[str, object]]:
    return [finding.to_json() for finding in worst_first(findings)]


def emit_result(game: Game, found: Result, extra: Sequence[Finding]) -> None:
    """JSON of `dash score`."""
    held = {player.name: player for player in game.players}
    emit_json(
        {
            "variant": game.variant,
            "players": {
                name: {
                    "up": tally.up,
                    "down": tally.down,
                    "points": tally.points,
                    "place": tally.place,
                    "rotten": held[name].collection.get("rotten", 0),
                    "last_action": held[name].last_action,
                    "lines": [
                        {"variety": line.where, "count": held[name].collection.get(line.where, 0), **line.to_json()}
                        for line in tally.lines
                    ],
                }
                for name, tally in found.players.items()
            },
            "winners": list(found.winners),
            "decided_by": found.decided_by,
            "rule": found.rule,
            "warnings": _findings_json([*extra, *found.findings]),
        }
    )


def show_result(game: Game, found: Result, extra: Sequence[Finding]) -> None:
    """Text of `dash score`: a line for every variety, then thumbs and places."""
    names = list(found.players)
    counts = {player.name: player.collection for player in game.players}
    rows = [
        (proper(variety), *(_cell(counts[name].get(variety, 0), found.players[name], index) for name in names))
        for index, variety in enumerate(VARIETIES)
    ]
    rows += [
        ("thumbs up", *(tally.up for tally in found.players.values())),
        ("thumbs down", *(tally.down for tally in found.players.values())),
        ("points", *(tally.points for tally in found.players.values())),
        ("place", *(tally.place for tally in found.players.values())),
    ]
    say(table(rows, ["", *names], right=range(1, len(names) + 1)))
    rules = dict.fromkeys(line.rule for tally in found.players.values() for line in tally.lines)
    say(f"\nScored by: {' '.join(f'[{rule}]' for rule in rules)}")
    if found.winners:
        say(paint(_winner(game, found), "green" if found.decided_by != "unresolved" else "yellow", bold=True))
    show_findings([*extra, *found.findings])


def _cell(count: int, tally: Tally, index: int) -> str:
    points = points_json(tally.lines[index].points)
    return f"{count} -> {points}" if count else "0"


def _winner(game: Game, found: Result) -> str:
    names = listed(found.winners)
    if found.decided_by == "unresolved":
        return f"Unresolved: {names} are tied. [{found.rule}]"
    variant = "fewest thumbs, haters variant" if game.variant == "haters" else "most thumbs"
    why = {"points": variant, "fewest rotten": "tied, with the fewest Rotten"}
    return f"{names} wins: {why.get(found.decided_by, 'tied, with the lowest last action')}. [{found.rule}]"


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
            "findings": _findings_json([*extra, *found.findings]),
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
            "settled": found.settled,
            "claimed": _claim_json(difference, claimed=claimed),
            "readings": [readings.note(key) for key in ("refill", "rotten-row")],
            "findings": _findings_json([*extra, *found.findings]),
        }
    )


def show_resupply(found: Resupply, difference: Difference | None, extra: Sequence[Finding], *, claimed: bool) -> None:
    """Text of `dash resupply`."""
    for number, step in enumerate(found.steps, 1):
        say(f"{number:>3}. {step.text}. [{step.rule}]")
    say()
    _show_rows(found.rows)
    say(f"Deck: {len(found.deck)} cards.")
    last = {True: "The next round is the last", False: "The next round is not the last"}
    say(f"{last.get(found.last_round, 'Whether the next round is the last is not decided yet')}. [dash.last-round]")
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
            "findings": _findings_json(findings),
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
