"""How the session book speaks: sentences, the table of rounds, the explanation of one round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

from durian_assist.cli.output import paint, say, table
from durian_assist.common.answers import points_text
from durian_assist.common.names import listed, rounds_named
from durian_assist.common.text import plural, visible
from durian_assist.ledger.entries import Entry, Session
from durian_assist.ledger.rounds import TEAM, RoundScore, Setup
from durian_assist.ledger.sheets import columns, outcome, shown


def title(setup: Setup, rounds: int, mode: str) -> str:
    """`Friday: smuggler competitive, Ann, Bo and Cy, 12 rounds, half-points=down, deck harbour-smuggler`."""
    parts = [f"{setup.game} {mode}".strip(), listed(setup.players), plural(rounds, "round")]
    parts += [*setup.readings.settings(), *([f"deck {setup.deck}"] if setup.deck else [])]
    return f"{paint(setup.name, bold=True)}: {', '.join(parts)}"


def local_time(at: str) -> str:
    """A time of the log as people at the table read it: local, to the minute."""
    return datetime.fromisoformat(at.replace("Z", "+00:00")).astimezone().strftime("%Y-%m-%d %H:%M")


def say_hidden(count: int) -> None:
    """How many removed sessions a list leaves out: they are kept, and can be brought back."""
    if count:
        say(f"{plural(count, 'removed session')} not listed; `session list --removed` lists them too.")


def rounds_table(setup: Setup, rows: Sequence[Mapping[str, Any]], standing: Mapping[str, Any]) -> str:
    """Rounds as rows, players as columns, the totals below."""
    names = columns(setup, standing["totals"])
    body: list[list[str]] = []
    for row in rows:
        mark = ("*" if row["amended"] else "") + ("?" if "guessed" in row else "")
        remarks = [outcome(row), *row.get("notes", ())]
        points = [shown(row["points"].get(name)) for name in names]
        body.append([f"{row['round']}{mark}", *points, "; ".join(filter(None, remarks))])
    totals = [shown(standing["totals"][name]) for name in names]
    body.append(["total", *totals, ""])
    headers = ["round", *names, ""]
    if not any(line[-1] for line in body):
        body, headers = [line[:-1] for line in body], headers[:-1]
    return _with_rule(table(body, headers, right=range(1, len(names) + 1)))


def _with_rule(text: str) -> str:
    """The table with its rule drawn once more above the last row; as it is where a narrow terminal lists its rows."""
    lines = text.split("\n")
    if set(lines[1]) != {" ", "-"}:
        return text
    return "\n".join([*lines[:-1], lines[1], lines[-1]])


def standing_lines(setup: Setup, standing: Mapping[str, Any], rounds: int) -> list[str]:
    """The standing in sentences."""
    lines = {"durian": _durian_lines, "dash": _dash_lines, "smuggler": _smuggler_lines}[setup.game](standing, rounds)
    return [*lines, *(f"Note: {note}." for note in standing["notes"])]


def leads(standing: Mapping[str, Any], what: str = "") -> str:
    """`Ann leads with 34½.`"""
    leaders = standing["leaders"]
    if not leaders:
        return "Nobody leads yet."
    verb = "leads" if len(leaders) == 1 else "lead together"
    total = shown(standing["totals"][leaders[0]])
    return f"{listed(leaders)} {verb} with {total}{what if total != '1' else what.removesuffix('s')}."


def _smuggler_lines(standing: Mapping[str, Any], rounds: int) -> list[str]:
    if TEAM in standing["totals"]:
        best = standing["best"]
        if not best:
            return ["No rounds yet."]
        word = f", {best['result']}" if best["result"] else ""
        return [f"Best of {plural(rounds, 'round')}: {shown(best['points'])} in round {best['round']}{word}."]
    lines = [leads(standing)]
    pair = standing.get("pair")
    if pair:
        totals = ", ".join(f"{name} {shown(points)}" for name, points in pair["totals"].items())
        if pair["winners"]:
            verb = "wins" if len(pair["winners"]) == 1 else "share"
            lines.append(
                f"Rounds {pair['rounds'][0]} and {pair['rounds'][1]}: {totals}; {listed(pair['winners'])} {verb}."
            )
        else:
            lines.append(f"Round {pair['rounds'][0]}: {totals}; the second round, with the roles changed, is to come.")
    return lines


def _durian_lines(standing: Mapping[str, Any], rounds: int) -> list[str]:
    held = "; ".join(f"{name} {' '.join(map(str, tokens)) or 'none'}" for name, tokens in standing["tokens"].items())
    lines = [f"Tokens: {held}."]
    if not standing["over"]:
        has = "has" if len(standing["leaders"]) == 1 else "have"
        return [*lines, f"{listed(standing['leaders'])} {has} the fewest points so far."] if rounds else lines
    winners = standing["winners"]
    verb = "wins" if len(winners) == 1 else "share the win"
    same = [name for name, points in standing["totals"].items() if points == standing["totals"][winners[0]]]
    why = " by the fewest tokens" if len(same) > len(winners) else ""
    return [*lines, f"The game is over: {listed(winners)} {verb} with {shown(standing['totals'][winners[0]])}{why}."]


def _dash_lines(standing: Mapping[str, Any], rounds: int) -> list[str]:
    wins = "; ".join(f"{name} {count}" for name, count in standing["wins"].items())
    lines = [leads(standing, " thumbs"), f"Wins: {wins}."] if rounds else ["Nobody leads yet."]
    if standing["unresolved"]:
        games = rounds_named(standing["unresolved"])
        lines.append(f"Tied with no tie-breaker recorded, which is nobody's win: {games}.")
    return lines


def why_lines(session: Session, number: int, score: RoundScore | None) -> list[str]:
    """How a round's numbers came about: its versions, its source, what a person corrected, the lines of its score."""
    return [shown_line for text in _why(session, number, score) for shown_line in map(visible, text.split("\n"))]


def _why(session: Session, number: int, score: RoundScore | None) -> list[str]:
    versions = [session.entries[seq - 1] for seq in session.state.versions[number - 1]]
    entry = versions[-1]
    brought = entry.brought
    lines = [f"Round {number} of {session.setup.name}"]
    lines += [_version_line(version, now=version is entry) for version in versions]
    source = brought.source or "an unknown source"
    lines.append(f"Source: {source}; rules {entry.rules}")
    lines += [f"Photo {photo.name}, SHA-256 {photo.sha256}" for photo in brought.photos]
    if brought.read:
        lines.append(_reading_line(brought.read))
    if brought.corrected:
        lines.append(f"Corrected by a person: {listed(brought.corrected)}")
    lines += [f"Note: {text}" for text in session.notes().get(number, ())]
    if score is not None:
        lines += ["", _score_table(score), *(f"Warning: {warning}" for warning in score.warnings)]
        if entry.result is not None and score.result.points != entry.result.points:
            lines.append(
                "Warning: scored again now, the record gives other points than were saved under the rules above."
            )
    if brought.record:
        lines += ["", "Record:", *("  " + line for line in brought.record.rstrip().splitlines())]
    return lines


def _reading_line(read: Mapping[str, Any]) -> str:
    """How sure the reading of the photos was, before anybody corrected it."""
    several = read.get("readings")
    readings = several if isinstance(several, list) else [read]
    found = [reading.get("uncertain") for reading in readings if isinstance(reading, dict)]
    uncertain = sum(len(cards) for cards in found if isinstance(cards, list))
    return f"Read from the photo with {plural(uncertain, 'uncertain card')}; --json shows the reading"


def _version_line(entry: Entry, *, now: bool) -> str:
    result = entry.result
    parts = []
    if result is not None:
        parts = [f"{name} {points_text(points)}" for name, points in result.points.items()]
        parts += [f"{result.takes} takes the token"] if result.takes else []
        parts += [f"{name} holds {listed(map(str, held)) or 'none'}" for name, held in result.tokens.items()]
        parts += [result.outcome] if result.outcome else []
    verb = "added" if entry.kind == "add" else "amended"
    return f"{verb} {local_time(entry.at)}: {', '.join(parts)}" + ("" if now else " (no longer counts)")


def _score_table(score: RoundScore) -> str:
    if not any(line.points for _, line in score.lines):
        return table([(who, line.text, line.rule) for who, line in score.lines], ["", "why", "rule"])
    rows = [(who, points_text(line.points, sign=True), line.where, line.text, line.rule) for who, line in score.lines]
    return table(rows, ["", "points", "where", "why", "rule"], right=[1])


def log_table(session: Session) -> str:
    """Every entry of the log, with those that no longer count marked."""
    stands = {1, *(step.seq for step in session.state.done)}
    rows = []
    for entry in session.entries:
        mark = "" if entry.seq in stands or entry.kind in ("undo", "redo") else "taken back"
        rows.append((entry.seq, local_time(entry.at), entry.kind, entry.round, _about(session, entry), mark))
    return table(rows, ["entry", "time", "what", "round", "", ""], right=[0, 3])


def _about(session: Session, entry: Entry) -> str:
    if entry.target:
        return f"of entry {entry.target}, {session.entries[entry.target - 1].kind}"
    if entry.kind == "note":
        return str(entry.data["text"])
    if entry.result is None:
        return ""
    points = [f"{name} {points_text(value)}" for name, value in entry.result.points.items()]
    return ", ".join([*points, *([f"{entry.result.takes} takes the token"] if entry.result.takes else [])])


def points_of(points: Mapping[str, Fraction | float]) -> str:
    """`Ann 12, Bo 7½`."""
    return ", ".join(f"{name} {points_text(Fraction(value))}" for name, value in points.items())
