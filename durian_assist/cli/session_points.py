"""A round of a session from bare points: `--points Ann=12 --points Bo=7`, without a record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from durian_assist.common.answers import points_text
from durian_assist.common.names import UnknownName, listed, resolve
from durian_assist.errors import DurianAssistError, UsageError
from durian_assist.ledger.rounds import TEAM, RoundResult, Setup, parse_points


@dataclass(frozen=True, slots=True)
class Typed:
    """What the command line says about a round without a record."""

    points: tuple[str, ...] = ()
    takes: str | None = None
    winner: str | None = None
    smuggler: str | None = None

    @property
    def given(self) -> bool:
        """Whether anything was said."""
        return bool(self.points or self.takes)


def typed_result(setup: Setup, mode: str, typed: Typed) -> RoundResult:
    """The round that was typed in. `mode` is the session's so far, or empty. Raises UsageError."""
    if setup.game == "durian":
        return _durian(setup, typed)
    points = _points(setup, mode, typed.points)
    if TEAM in points:
        return RoundResult(points, "cooperative", outcome_of(points[TEAM]))
    if mode == "cooperative":
        mend = f"For example --points {TEAM}=44."
        raise UsageError("this session is cooperative: a round has one result for all", where="--points", mend=mend)
    winner = _player(setup, typed.winner, "--winner") if typed.winner else ""
    if setup.game == "dash":
        _refuse_halves(points, typed.points)
        mode = mode or "standard"
        ahead = leading(points, mode)
        if winner and winner not in ahead:
            _refuse_winner(winner, ahead, mode)
        return RoundResult(points, mode, winners=(winner,) if winner else ahead)
    smuggler = _player(setup, typed.smuggler, "--smuggler") if typed.smuggler else ""
    return RoundResult(points, "competitive", smuggler=smuggler)


def completed(setup: Setup, mode: str, typed: Typed, before: RoundResult) -> tuple[Typed, tuple[str, ...]]:
    """What is typed to correct a round that brought `before`, with what it leaves out as it was, and the sentence that
    says so. Who corrects one number means the others to stay."""
    if setup.game == "durian" or not typed.points:
        return typed, ()
    named = _points(setup, mode, typed.points)
    kept = {name: points for name, points in before.points.items() if name not in named}
    if TEAM in named or TEAM in kept:
        return typed, ()
    points = (*typed.points, *(f"{name}={value}" for name, value in kept.items()))
    known = setup.game == "dash" and len(before.winners) == 1
    same = known and leading({**named, **kept}, mode) == leading(dict(before.points), mode)
    tie_broken = before.winners[0] if same else None
    whole = replace(
        typed,
        points=points,
        winner=typed.winner or tie_broken,
        smuggler=typed.smuggler or before.smuggler or None,
    )
    said = ", ".join(f"{name} {points_text(value)}" for name, value in kept.items())
    return whole, (f"points that were not given stay as they were: {said}",) if kept else ()


def _refuse_halves(points: dict[str, Fraction], texts: Sequence[str]) -> None:
    """Thumbs are whole: `5,5` is rather two numbers or a slip of the finger."""
    if any(value.denominator != 1 for value in points.values()):
        where = " ".join(f"--points {text}" for text in texts)
        raise UsageError("thumbs of Durian Dash are whole numbers", where=where, mend="For example --points Ann=12.")


def _refuse_winner(winner: str, ahead: Sequence[str], mode: str) -> None:
    """Who has the best points wins; only among those who are tied does the command line decide."""
    best = "fewest (haters)" if mode == "haters" else "most"
    has = "has" if len(ahead) == 1 else "have"
    mend = f"{listed(ahead)} {has} the {best}: correct the points, or leave --winner out."
    raise UsageError("the points tell another winner", where=f"--winner {winner}", mend=mend)


def leading(points: dict[str, Fraction], mode: str) -> tuple[str, ...]:
    """Who has the most thumbs, or in the haters variant the fewest."""
    best = min(points.values()) if mode == "haters" else max(points.values())
    return tuple(name for name, own in points.items() if own == best)


def outcome_of(points: Fraction) -> str:
    """The result of a cooperative round in words."""
    from durian_assist.smuggler.scoring import result_of

    return result_of(points)


def _points(setup: Setup, mode: str, texts: Sequence[str]) -> dict[str, Fraction]:
    found: dict[str, Fraction] = {}
    for text in texts:
        name, equals, value = text.rpartition("=")
        where = f"--points {text}"
        if not equals and mode != "cooperative":
            raise UsageError("points are NAME=NUMBER", where=where, mend=f"Names: {listed(setup.players)}.")
        team = setup.game == "smuggler" and mode != "competitive" and name.strip().casefold() in ("", TEAM)
        player = TEAM if team else _player(setup, name, where)
        if player in found:
            raise UsageError(f"{player} has points already", where=where)
        try:
            found[player] = parse_points(value)
        except DurianAssistError as error:
            raise UsageError(error.what, where=where, mend=error.mend) from None
    if TEAM in found and len(found) > 1:
        raise UsageError("a round has either one result for all or points for each", where="--points")
    return found


def _player(setup: Setup, name: str, where: str) -> str:
    try:
        return resolve(name.strip(), setup.players)
    except UnknownName as error:
        raise UsageError(error.sentence, where=where, mend=f"Players: {listed(setup.players)}.") from None


def _durian(setup: Setup, typed: Typed) -> RoundResult:
    """One player takes the round's token, the lowest that is left; its value may be given and is checked."""
    if typed.takes:
        if typed.points:
            raise UsageError("--takes and --points say the same of a round of Durian", mend="Give one of the two.")
        return RoundResult(takes=_player(setup, typed.takes, "--takes"))
    taken = {name: points for name, points in _points(setup, "", typed.points).items() if points}
    where = " ".join(f"--points {text}" for text in typed.points)
    mend = "Say who took it with --takes NAME."
    if len(taken) != 1:
        raise UsageError("in a round of Durian exactly one player takes a token", where=where, mend=mend)
    ((name, value),) = taken.items()
    if value.denominator != 1 or not 1 <= value <= 7:
        raise UsageError("the tokens of Durian are worth 1 to 7", where=where, mend=mend)
    return RoundResult(takes=name, token=int(value))
