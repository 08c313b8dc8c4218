"""Answers that every game gives alike: score lines, findings, points as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Severity = Literal["error", "warning", "note"]
_ORDER = {"error": 0, "warning": 1, "note": 2}


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One reason for points: how many, by which rule, where, and in words. A score is the sum of its lines."""

    points: Fraction
    rule: str
    where: str
    text: str

    def to_json(self) -> dict[str, object]:
        """JSON form."""
        return {"points": points_json(self.points), "rule": self.rule, "where": self.where, "text": self.text}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a check found: one sentence for the people at the table and what would mend it."""

    rule: str
    severity: Severity
    where: str
    message: str
    mend: str = ""

    def to_json(self) -> dict[str, object]:
        """JSON form."""
        return {
            "rule": self.rule,
            "severity": self.severity,
            "where": self.where,
            "message": self.message,
            "mend": self.mend,
        }


def worst_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings ordered by severity; within one severity they keep their order."""
    return tuple(sorted(findings, key=lambda finding: _ORDER[finding.severity]))


def total(lines: Iterable[ScoreLine]) -> Fraction:
    """Sum of the points of score lines."""
    return sum((line.points for line in lines), Fraction(0))


def points_json(points: Fraction | int) -> int | float:
    """Points as a JSON number: whole points as int, halves as an exact float."""
    exact = Fraction(points)
    return exact.numerator if exact.denominator == 1 else exact.numerator / exact.denominator


def points_text(points: Fraction | int, *, sign: bool = False) -> str:
    """Points as people write them: `5`, `-3`, `5½`, `-½`; with `sign` a plus before gains."""
    exact = Fraction(points)
    whole, rest = divmod(abs(exact), 1)
    half = f"{whole or ''}½" if rest == Fraction(1, 2) else str(abs(exact))
    body = half if rest else str(whole)
    mark = "-" if exact < 0 else "+" if sign and exact > 0 else ""
    return mark + body


def places(points: dict[str, Fraction], *, lowest_wins: bool = False) -> dict[str, int]:
    """Places by points, ties shared: 1, 1, 3."""
    sign = -1 if lowest_wins else 1
    return {name: 1 + sum(sign * other > sign * own for other in points.values()) for name, own in points.items()}
