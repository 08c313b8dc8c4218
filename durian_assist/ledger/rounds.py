"""What a round of a session is: how it was brought, what it brought, and who turns the one into the other.

The ledger knows no rules of scoring. A `Scorer`, handed in by the command line, turns the text of a stored record
into a `RoundScore` under the session's readings; the same scorer explains a round years later and tries readings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import cast

from durian_assist.common.answers import ScoreLine, points_text
from durian_assist.common.readings import Readings
from durian_assist.errors import InputError

GAMES = ("smuggler", "durian", "dash")
TEAM = "team"
"""Stands for all players together where a round has one result for all: cooperative Smuggler."""

MODES: Mapping[str, tuple[str, ...]] = {
    "smuggler": ("cooperative", "competitive"),
    "durian": (),
    "dash": ("standard", "haters"),
}


@dataclass(frozen=True, slots=True)
class Setup:
    """What a session was opened with. `mode` is empty until the first round settles it."""

    name: str
    game: str
    players: tuple[str, ...]
    readings: Readings
    mode: str = ""
    deck: str = ""


@dataclass(frozen=True, slots=True)
class PhotoMark:
    """A photo that a round was read from: its file's name and the SHA-256 of its bytes, in hexadecimal."""

    name: str
    sha256: str

    def to_json(self) -> dict[str, object]:
        """JSON form."""
        return {"name": self.name, "sha256": self.sha256}


@dataclass(frozen=True, slots=True)
class Brought:
    """How a round came into the book.

    `record` is the text of the record that was scored, flags and corrections already in it, or None where only
    points were given. `source` says where it came from ("friday.toml", "photo", "--points"). `read` is what a
    photo's reading said before anybody corrected it, `corrected` what a person changed ("3,2=red6v"). `deck` is the
    deck that was named for this round, empty for the session's. `guessed` are the places of the record that are a
    photo's best guesses and that nobody has confirmed.
    """

    record: str | None
    source: str
    photos: tuple[PhotoMark, ...] = ()
    read: Mapping[str, object] | None = None
    corrected: tuple[str, ...] = ()
    deck: str = ""
    guessed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundResult:
    """What one round brought. Names are the session's players, or `team`.

    points   points of this round: Smuggler and Dash; Durian's come from its tokens
    mode     Smuggler cooperative/competitive, Dash standard/haters, else empty
    outcome  a cooperative round's result in words
    smuggler who was the Smuggler, where that is known
    takes    Durian: who took this round's token
    token    Durian: that token's value where the source names it, else 0
    tokens   Durian: all tokens held after this round, where the table was given as it stands
    winners  Dash: who won this game; several only where no tie-breaker was recorded
    """

    points: Mapping[str, Fraction] = field(default_factory=dict)
    mode: str = ""
    outcome: str = ""
    smuggler: str = ""
    takes: str = ""
    token: int = 0
    tokens: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    winners: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        """JSON form; what is empty is left out. Points are texts so that halves stay exact ("11/2")."""
        full: dict[str, object] = {
            "points": {name: str(points) for name, points in self.points.items()},
            "mode": self.mode,
            "outcome": self.outcome,
            "smuggler": self.smuggler,
            "takes": self.takes,
            "token": self.token,
            "tokens": {name: list(held) for name, held in self.tokens.items()},
            "winners": list(self.winners),
        }
        return {key: value for key, value in full.items() if value}

    @classmethod
    def from_json(cls, stored: Mapping[str, object]) -> RoundResult:
        """Back from `to_json`. What the book wrote itself is trusted; imports are checked before."""
        points = cast("Mapping[str, str]", stored.get("points", {}))
        tokens = cast("Mapping[str, list[int]]", stored.get("tokens", {}))
        return cls(
            {name: Fraction(text) for name, text in points.items()},
            str(stored.get("mode", "")),
            str(stored.get("outcome", "")),
            str(stored.get("smuggler", "")),
            str(stored.get("takes", "")),
            cast("int", stored.get("token", 0)),
            {name: tuple(held) for name, held in tokens.items()},
            tuple(cast("list[str]", stored.get("winners", []))),
        )


@dataclass(frozen=True, slots=True)
class RoundScore:
    """A scored record: the result, the lines whose points add up to it, and what people should know; `at_odds` are
    those of the warnings that only the session gives rise to, which a score alone does not tell."""

    result: RoundResult
    lines: tuple[tuple[str, ScoreLine], ...] = ()
    warnings: tuple[str, ...] = ()
    at_odds: tuple[str, ...] = ()


Scorer = Callable[[Setup, str], RoundScore]
"""(session's setup, text of a record) -> its score. Raises DurianAssistError where the record cannot be scored."""

_LIMIT = 10**6


def parse_points(text: str) -> Fraction:
    """Points as people write them: `12`, `-3`, `5.5`, `5,5`, `5½`, `11/2`. Raises InputError for anything else."""
    mend = "Points are a whole or half number such as 12, -3, 5.5 or 5½."
    plain = text.strip().replace("−", "-").replace(",", ".")
    if plain.endswith("½"):
        plain = f"{plain[:-1]}.5" if plain[:-1][-1:].isdigit() else f"{plain[:-1]}0.5"
    try:
        if "_" in plain or "e" in plain.casefold() or len(plain) > 12:
            raise ValueError(plain)
        points = Fraction(plain)
    except (ValueError, ZeroDivisionError):
        raise InputError(f'"{text}" is no number of points', mend=mend) from None
    if points.denominator > 2:
        raise InputError(f'"{text}" is no whole or half number', mend=mend)
    if abs(points) > _LIMIT:
        raise InputError(f"{points_text(points)} points are more than any table gives", mend=mend)
    return points
