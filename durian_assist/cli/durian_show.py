"""Answers of `durian score` and `durian call`, as JSON and as text."""

from __future__ import annotations

from collections.abc import Sequence

from durian_assist.cli.output import paint, say, table
from durian_assist.common.answers import Finding
from durian_assist.common.names import listed
from durian_assist.durian.explain import Dispute, difference, disputes, kinds_rows, steps, used_readings
from durian_assist.durian.tokens import Standing
from durian_assist.durian.verdict import Ruling


def standing_json(result: Standing, findings: Sequence[Finding]) -> dict[str, object]:
    """JSON of `durian score`."""
    return {
        "players": {
            name: {"points": place.points, "tokens": list(place.tokens), "place": place.place, "rule": "durian.tie"}
            for name, place in result.players.items()
        },
        "over": result.over,
        "winners": list(result.winners),
        "decided_by": result.decided_by,
        "warnings": [finding.to_json() for finding in findings],
        "rule": "durian.end",
    }


def show_standing(result: Standing, findings: Sequence[Finding]) -> None:
    """Text of `durian score`."""
    rows = sorted(result.players.items(), key=lambda item: item[1].place)
    say(
        table(
            [(name, " ".join(map(str, place.tokens)) or "none", place.points, place.place) for name, place in rows],
            ["player", "tokens", "points", "place"],
            right=(2, 3),
        )
    )
    say()
    over = {True: "The game is over", False: "The game goes on", None: "Whether the game is over cannot be told"}
    say(f"{over[result.over]} (7 points or more end it). [durian.end]")
    if result.winners:
        how = {"shared": "the first place is shared", "fewest tokens": "fewest tokens among equal points"}
        ahead = "wins" if len(result.winners) == 1 else "win"
        verb = ahead if result.over else "is ahead" if len(result.winners) == 1 else "are ahead"
        why = how.get(result.decided_by, "fewest points")
        say(paint(f"{listed(result.winners)} {verb}: {why}. [durian.tie]", "green", bold=True))
    show_findings(findings)


def show_findings(findings: Sequence[Finding]) -> None:
    """Print findings, as they are ordered."""
    colours = {"error": "red", "warning": "yellow", "note": "cyan"}
    for finding in findings:
        mend = f"\n    {finding.mend}" if finding.mend else ""
        head = paint(finding.severity, colours[finding.severity], bold=True)
        say(f"{head}: {finding.where}: {finding.message} [{finding.rule}]{mend}")


def ruling_json(ruling: Ruling, extra: Sequence[Finding], *, dispute: bool) -> dict[str, object]:
    """JSON of `durian call`."""
    comparison = ruling.comparison
    document: dict[str, object] = {
        "verdict": ruling.verdict,
        "legal": ruling.legal,
        "caller": ruling.caller,
        "called_on": ruling.called_on,
        "takes_token": ruling.takes_token,
        "token": ruling.token,
        "over_after": ruling.over_after,
        "next_starter": ruling.next_starter,
        "kinds": {
            fruit: {"stock": stock, "ordered": comparison.ordered[fruit]} for fruit, stock in comparison.stock.items()
        },
        "total": {"stock": comparison.total_stock, "ordered": comparison.total_ordered},
        "readings": ruling.by_reading,
        "difference": difference(ruling),
        "decided_by": used_readings(ruling),
        "rule": "durian.compare",
        "steps": [step.to_json() for step in steps(ruling)],
        "findings": [finding.to_json() for finding in (*extra, *ruling.findings)],
    }
    if dispute:
        document["disputes"] = [one.to_json() for one in disputes(ruling.round, ruling.readings)]
    return document


def show_ruling(ruling: Ruling, extra: Sequence[Finding], *, dispute: bool) -> None:
    """Text of `durian call`: the steps, the comparison, the verdict, what is wrong."""
    for number, step in enumerate(steps(ruling), 1):
        who = f"{step.player}: " if step.player else ""
        say(f"{number:>3}. {who}{step.text}. [{step.rule}]")
    say()
    say(table(kinds_rows(ruling), ["fruit", "stock", "ordered", ""], right=(1, 2)))
    say()
    by = ruling.by_reading
    say(f"By kind: {by['per-kind']}. By totals: {by['total']}. [durian.compare]")
    if difference(ruling):
        say(paint(difference(ruling), "yellow", bold=True))
    say(paint(_verdict_line(ruling), "green" if ruling.legal else "red", bold=True))
    show_findings([*extra, *ruling.findings])
    if dispute:
        _show_disputes(disputes(ruling.round, ruling.readings))


def _verdict_line(ruling: Ruling) -> str:
    if not ruling.legal:
        return (
            f"As it lies: {ruling.verdict}. But the round broke the rules: nobody takes a token before that is mended."
        )
    if ruling.takes_token is None:
        who = "the player who had the turn before the caller" if ruling.verdict == "too many" else "the caller"
        return f"Verdict: {ruling.verdict}; {who} takes the lowest token left. The record does not say who that is."
    token = f"token {ruling.token}" if ruling.token else "the lowest token left"
    return f"Verdict: {ruling.verdict}; {ruling.takes_token} takes {token}. [durian.token]"


def _show_disputes(found: Sequence[Dispute]) -> None:
    for one in found:
        matters = "changes the outcome here" if one.matters else "makes no difference here"
        say(f"\n{one.question} This {matters}. [{one.rule}]")
        rows = [
            (
                f"{one.key}={outcome.value}{' (in force)' if outcome.in_force else ''}",
                outcome.verdict,
                outcome.takes_token or "-",
                ", ".join(outcome.broken),
            )
            for outcome in one.outcomes
        ]
        say(table(rows, ["reading", "verdict", "takes the token", "broken rules"]))
