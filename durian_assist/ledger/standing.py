"""Where a session stands after its rounds: totals, places, leaders and the end, by each game's own rules.

A pure function of the setup and the rounds' results, so the stored totals can be checked against the log.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from durian_assist.common.answers import places, points_json
from durian_assist.common.names import listed
from durian_assist.errors import InputError
from durian_assist.ledger.rounds import MODES, TEAM, RoundResult, Setup

TOKENS = 7
"""Manager tokens of Durian, worth 1 to 7; the game ends when one player holds 7 points or more."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A session's standing. `mode` is the one that its rounds have settled, `notes` are sentences.

    `more` holds what only one game has, already in JSON form.
    """

    totals: Mapping[str, Fraction]
    places: Mapping[str, int]
    leaders: tuple[str, ...] = ()
    over: bool = False
    more: Mapping[str, object] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    mode: str = ""

    def to_json(self) -> dict[str, object]:
        """JSON form."""
        return {
            "totals": {name: points_json(points) for name, points in self.totals.items()},
            "places": dict(self.places),
            "leaders": list(self.leaders),
            "over": self.over,
            "mode": self.mode,
            **self.more,
            "notes": list(self.notes),
        }


def stand(setup: Setup, rounds: Sequence[RoundResult]) -> Standing:
    """The standing after `rounds`, which are in the order in which they were played."""
    return replace(_stand(setup, rounds), mode=mode_of(setup, rounds))


def _stand(setup: Setup, rounds: Sequence[RoundResult]) -> Standing:
    if setup.game == "durian":
        return _durian(setup, rounds)
    if setup.game == "dash":
        return _dash(setup, rounds)
    if mode_of(setup, rounds) == "cooperative":
        return _cooperative(rounds)
    return _pair(setup, rounds) if len(setup.players) == 2 else _competitive(setup, rounds)


def mode_of(setup: Setup, rounds: Sequence[RoundResult]) -> str:
    """The session's mode: the one it was opened with, else that of its first round, else empty."""
    return setup.mode or next((result.mode for result in rounds if result.mode), "")


def sums(names: Sequence[str], rounds: Sequence[RoundResult]) -> dict[str, Fraction]:
    """Points of all rounds added up; who has none in a round gets nothing for it."""
    totals = dict.fromkeys(names, Fraction(0))
    for result in rounds:
        for name, points in result.points.items():
            totals[name] += points
    return totals


def _ranked(
    totals: dict[str, Fraction], played: bool, *, lowest: bool = False
) -> tuple[dict[str, int], tuple[str, ...]]:
    order = places(totals, lowest_wins=lowest)
    return order, tuple(name for name, place in order.items() if place == 1 and played)


def _competitive(setup: Setup, rounds: Sequence[RoundResult]) -> Standing:
    """Smuggler, competitive: as many rounds as people like, the highest total leads; ties share the place."""
    totals = sums(setup.players, rounds)
    order, leaders = _ranked(totals, bool(rounds))
    return Standing(totals, order, leaders, notes=_absences(setup, rounds))


def _pair(setup: Setup, rounds: Sequence[RoundResult]) -> Standing:
    """Smuggler, competitive with two players: two rounds with the roles changed are one game."""
    base = _competitive(setup, rounds)
    complete = bool(rounds) and len(rounds) % 2 == 0
    start = (len(rounds) - 1) // 2 * 2
    now = list(rounds[start:]) if rounds else []
    notes = list(base.notes)
    for first in range(0, len(rounds) - 1, 2):
        smugglers = {rounds[first].smuggler, rounds[first + 1].smuggler}
        if len(smugglers) == 1 and "" not in smugglers:
            twice = f"{smugglers.pop()} was the Smuggler in rounds {first + 1} and {first + 2}"
            notes.append(f"{twice}; within a pair the roles change")
    of_pair = sums(setup.players, now)
    _, ahead = _ranked(of_pair, bool(now))
    pair = {
        "rounds": [start + 1 + offset for offset in range(len(now))],
        "totals": {name: points_json(points) for name, points in of_pair.items()},
        "winners": list(ahead) if complete else [],
    }
    return Standing(base.totals, base.places, base.leaders, complete, {"pair": pair} if now else {}, tuple(notes))


def _cooperative(rounds: Sequence[RoundResult]) -> Standing:
    """Smuggler, cooperative: every round is a result of its own; the best is kept, nobody leads."""
    totals = sums([TEAM], rounds)
    more: dict[str, object] = {"best": None}
    if rounds:
        best = max(range(len(rounds)), key=lambda index: (rounds[index].points.get(TEAM, Fraction(0)), -index))
        more["best"] = {
            "round": best + 1,
            "points": points_json(rounds[best].points.get(TEAM, Fraction(0))),
            "result": rounds[best].outcome or None,
        }
        more["results"] = dict(Counter(result.outcome for result in rounds if result.outcome))
    return Standing(totals, {}, more=more)


def _dash(setup: Setup, rounds: Sequence[RoundResult]) -> Standing:
    """Dash: every round is a whole game; thumbs and wins are counted. Haters: the fewest thumbs lead."""
    totals = sums(setup.players, rounds)
    order, leaders = _ranked(totals, bool(rounds), lowest=mode_of(setup, rounds) == "haters")
    wins = dict.fromkeys(setup.players, 0)
    open_games = [number for number, result in enumerate(rounds, 1) if len(result.winners) != 1]
    for result in rounds:
        if len(result.winners) == 1:
            wins[result.winners[0]] += 1
    most = max(wins.values(), default=0)
    more = {
        "wins": wins,
        "most_wins": [name for name, count in wins.items() if count == most and most],
        "unresolved": open_games,
    }
    return Standing(totals, order, leaders, more=more, notes=_absences(setup, rounds))


def _absences(setup: Setup, rounds: Sequence[RoundResult]) -> tuple[str, ...]:
    played = Counter(name for result in rounds for name in result.points)
    short = [f"{name} {played[name]}" for name in setup.players if played[name] < len(rounds)]
    return (f"not everybody has points in all {len(rounds)} rounds: {listed(short)}",) if short else ()


def _durian(setup: Setup, rounds: Sequence[RoundResult]) -> Standing:
    """Durian: tokens are taken in ascending order; at 7 points or more it is over, fewest points win, then tokens."""
    held = tokens_after(setup, rounds)
    totals = {name: Fraction(sum(tokens)) for name, tokens in held.items()}
    ranks = {name: (sum(tokens), len(tokens)) for name, tokens in held.items()}
    order = {name: 1 + sum(other < own for other in ranks.values()) for name, own in ranks.items()}
    leaders = tuple(name for name, place in order.items() if place == 1 and rounds)
    over = any(points >= 7 for points in totals.values())
    more = {
        "tokens": {name: list(tokens) for name, tokens in held.items()},
        "winners": list(leaders) if over else [],
    }
    ended = next((n for n in range(1, len(rounds)) if is_over(tokens_after(setup, rounds[:n]))), None) if over else None
    late = (f"the game was over after round {ended}; the rounds after it are counted all the same",) if ended else ()
    return Standing(totals, order, leaders, over, more, late)


def is_over(held: Mapping[str, tuple[int, ...]]) -> bool:
    """Whether somebody holds 7 points or more."""
    return any(sum(tokens) >= 7 for tokens in held.values())


def tokens_after(
    setup: Setup, rounds: Sequence[RoundResult], before: Mapping[str, tuple[int, ...]] | None = None
) -> dict[str, tuple[int, ...]]:
    """Durian's tokens of each player after the rounds: the lowest token that is left goes to who takes one."""
    held: dict[str, tuple[int, ...]] = {name: (before or {}).get(name, ()) for name in setup.players}
    for result in rounds:
        if result.tokens:
            held = {name: tuple(sorted(result.tokens.get(name, ()))) for name in setup.players}
        elif result.takes:
            held[result.takes] = (*held[result.takes], next_token(held))
    return held


def next_token(held: Mapping[str, tuple[int, ...]]) -> int:
    """The lowest token that nobody holds."""
    gone = {token for tokens in held.values() for token in tokens}
    return next(token for token in range(1, len(gone) + 2) if token not in gone)


def admit(setup: Setup, rounds: Sequence[RoundResult], result: RoundResult, number: int) -> None:
    """Whether `result` can be round `number` beside the other `rounds`. Raises InputError with the reason."""
    others = [*rounds[: number - 1], *rounds[number:]]
    mode = mode_of(setup, others)
    if mode and result.mode and result.mode != mode:
        raise InputError(
            f"this round is {result.mode}, the session is {mode}",
            where=setup.name,
            mend="Totals of the two do not add up. Say the right mode, or open a session of its own for it.",
        )
    _admit_shape(setup, result)
    if setup.game == "durian":
        _admit_durian(setup, rounds[: number - 1], result)


def _admit_shape(setup: Setup, result: RoundResult) -> None:
    """Whether a result names only people of the session and has what its game needs."""
    named = (*result.points, *result.tokens, *result.winners, *filter(None, (result.smuggler, result.takes)))
    known = (TEAM,) if result.mode == "cooperative" else setup.players
    strangers = [name for name in dict.fromkeys(named) if name not in known]
    if strangers:
        raise InputError(
            f"{listed(strangers)} is no player of this session",
            where=setup.name,
            mend=f"Players: {listed(setup.players)}.",
        )
    if setup.game == "durian":
        held = sorted(token for own in result.tokens.values() for token in own)
        whole = held == list(range(1, len(held) + 1)) and len(held) <= TOKENS
        complete = bool(result.takes) != bool(result.tokens) and not result.mode and not result.points and whole
    else:
        complete = result.mode in MODES[setup.game] and bool(result.points) and not (result.takes or result.tokens)
    if not complete:
        raise InputError(f"this is no result of a round of {setup.game}", where=setup.name)


def _admit_durian(setup: Setup, before: Sequence[RoundResult], result: RoundResult) -> None:
    held = tokens_after(setup, before)
    if is_over(held):
        raise InputError(
            "the game is over: " + listed(f"{name} {sum(tokens)}" for name, tokens in held.items()) + " points",
            where=setup.name,
            mend="Open a new session for the next game, or `session undo` a round that was wrong.",
        )
    if result.takes and result.token and result.token != next_token(held):
        raise InputError(
            f"the round's token would be {result.token}, but by the book the lowest one left is {next_token(held)}",
            where=setup.name,
            mend="`session show` lists the tokens held; amend the round that is wrong, or leave the tokens out.",
        )
    missing = [
        f"{name} {token}" for name, own in held.items() for token in own if token not in result.tokens.get(name, ())
    ]
    if result.tokens and missing:
        raise InputError(
            f"by the book these tokens are held already and are not on this table: {listed(missing)}",
            where=setup.name,
            mend="Amend the round that is wrong, or read the table again.",
        )
