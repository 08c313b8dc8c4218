"""The answer of `dash score`, and findings of all `dash` commands, as JSON and as text."""

from __future__ import annotations

from collections.abc import Sequence

from durian_assist.cli.output import emit_json, paint, say, table
from durian_assist.common.answers import Finding, points_json, worst_first
from durian_assist.common.names import listed
from durian_assist.dash.record import Game
from durian_assist.dash.scoring import Result, Tally
from durian_assist.dash.varieties import VARIETIES, proper

_COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}


def show_findings(findings: Sequence[Finding]) -> None:
    """Print findings, worst first."""
    for finding in worst_first(findings):
        mend = f"\n    {finding.mend}" if finding.mend else ""
        head = paint(finding.severity, _COLOURS[finding.severity], bold=True)
        say(f"{head}: {finding.where}: {finding.message} [{finding.rule}]{mend}")


def findings_json(findings: Sequence[Finding]) -> list[dict[str, object]]:
    """Findings as JSON, worst first."""
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
            "warnings": findings_json([*extra, *found.findings]),
        }
    )


def show_result(game: Game, found: Result, extra: Sequence[Finding]) -> None:
    """Text of `dash score`: a line for every variety, then thumbs and places."""
    names = list(found.players)
    counts = {player.name: player.collection for player in game.players}
    rows: list[tuple[object, ...]] = [
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
    variant = (
        "fewest points, haters variant" if game.variant == "haters" else "most points (thumbs up less thumbs down)"
    )
    why = {"points": variant, "fewest rotten": "tied, with the fewest Rotten"}
    return f"{names} wins: {why.get(found.decided_by, 'tied, with the lowest last action')}. [{found.rule}]"
