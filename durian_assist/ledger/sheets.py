"""A session as a table for other programs and for people: CSV and Markdown."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from durian_assist.common.answers import points_text
from durian_assist.common.names import listed
from durian_assist.common.text import visible
from durian_assist.ledger.rounds import TEAM, Setup

_NUMBER = re.compile(r"-?\d+(\.\d+)?")
# What a spreadsheet takes for the start of a formula, in half and full width, spaces before it or not.
_FORMULA = tuple("=+-@＝＋－＠")


def columns(setup: Setup, totals: Mapping[str, object]) -> list[str]:
    """The names over the columns of points: the players, or the team."""
    return [TEAM] if TEAM in totals else list(setup.players)


def to_csv(setup: Setup, rows: Sequence[Mapping[str, Any]], totals: Mapping[str, float]) -> str:
    """A header, a line for each round, the totals. Cells that a spreadsheet would run as a formula are defused."""
    names = columns(setup, totals)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([defused(cell) for cell in ("round", "time", *names, "result", "source", "notes")])
    for row in rows:
        points = [_plain(row["points"].get(name)) for name in names]
        cells = (str(row["round"]), row["time"], *points, outcome(row), row["source"], " / ".join(row.get("notes", ())))
        writer.writerow([defused(cell) for cell in cells])
    writer.writerow([defused(cell) for cell in ("total", "", *(_plain(totals[name]) for name in names), "", "", "")])
    return out.getvalue()


def defused(cell: str) -> str:
    """The cell as text where a spreadsheet would calculate it; numbers stay numbers."""
    start = cell.lstrip()
    risky = start.startswith(_FORMULA) or cell[:1] in ("\t", "\r", "\n")
    return f"'{cell}" if risky and not _NUMBER.fullmatch(cell) else cell


def _plain(points: float | None) -> str:
    return "" if points is None else str(points)


def outcome(row: Mapping[str, Any]) -> str:
    """What a round brought beside points: its result in words, who took the token, who won, who was the Smuggler.

    Only games of Dash have winners; several are a tie that nothing recorded could break, which is nobody's win.
    """
    words = [row.get("result", "")]
    if row.get("takes_token"):
        words.append(f"{row['takes_token']} takes the token")
    if row.get("winners"):
        names = listed(row["winners"])
        words.append(f"won by {names}" if len(row["winners"]) == 1 else f"unresolved: {names} are tied")
    if row.get("smuggler"):
        words.append(f"Smuggler: {row['smuggler']}")
    return ", ".join(word for word in words if word)


def to_markdown(
    setup: Setup, rows: Sequence[Mapping[str, Any]], standing: Mapping[str, Any], lines: Sequence[str]
) -> str:
    """A heading, the table of the rounds with the totals, and `lines` of text below it."""
    names = columns(setup, standing["totals"])
    head = ["round", *names, "result", "notes"]
    table = [head, ["---:"] * (len(names) + 1) + [":---", ":---"]]
    for row in rows:
        points = [shown(row["points"].get(name)) for name in names]
        table.append([str(row["round"]), *points, outcome(row), " / ".join(row.get("notes", ()))])
    table.append(["**total**", *(f"**{shown(standing['totals'][name])}**" for name in names), "", ""])
    body = "\n".join(f"| {' | '.join(cells)} |" for cells in [list(map(escaped, head)), table[1]])
    body += "\n" + "\n".join(f"| {' | '.join(map(escaped, cells))} |" for cells in table[2:-1])
    body = body.rstrip("\n") + f"\n| {' | '.join(table[-1])} |"
    texts = "\n".join(f"{escaped(line)}  " for line in lines)
    return f"# {escaped(setup.name)}\n\n{body}\n\n{texts}\n"


def shown(points: float | None) -> str:
    """Points of a cell as people write them; empty where there are none."""
    return "" if points is None else points_text(Fraction(points))


def escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    plain = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_\[\]|#])", r"\\\1", plain)
