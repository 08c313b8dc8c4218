"""Angry manager tokens: who holds which, points, places, and whether the game is over (rulebook, 4 and 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from durian_assist.common.answers import Finding
from durian_assist.common.names import listed
from durian_assist.durian.cards import LIMIT, TOKENS

Held = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Place:
    """One player's standing: points (fewer is better), the tokens, place from 1 (shared where all is equal)."""

    points: int
    tokens: tuple[int, ...]
    place: int


@dataclass(frozen=True, slots=True)
class Standing:
    """The standing. `over` is None where missing tokens leave it open; `decided_by` says what named the winner."""

    players: Mapping[str, Place]
    over: bool | None
    winners: tuple[str, ...]
    decided_by: str
    findings: tuple[Finding, ...]


def missing(held: Held) -> tuple[int, ...]:
    """Tokens that nobody holds although a higher one was taken: they are given out in ascending order."""
    taken = {token for tokens in held.values() for token in tokens}
    return tuple(token for token in TOKENS if token < max(taken, default=0) and token not in taken)


def next_token(held: Held) -> int | None:
    """The lowest token that nobody holds; None where all are taken."""
    taken = {token for tokens in held.values() for token in tokens}
    return next((token for token in TOKENS if token not in taken), None)


def dismissed(held: Held) -> tuple[str, ...]:
    """The players at or above the limit."""
    return tuple(name for name, tokens in held.items() if sum(tokens) >= LIMIT)


def check_held(held: Held) -> tuple[Finding, ...]:
    """What is wrong with the tokens held: gaps, and rounds played after somebody reached the limit."""
    return (*_gaps(held), *_played_on(held))


def _gaps(held: Held) -> tuple[Finding, ...]:
    gaps = missing(held)
    if not gaps:
        return ()
    highest = max(token for tokens in held.values() for token in tokens)
    several = len(gaps) > 1
    message = (
        f"token{'s' if several else ''} {listed(map(str, gaps))} {'are' if several else 'is'} held by nobody, "
        f"but the lowest one is always taken first and {highest} is out."
    )
    mend = f"Find who holds {'them' if several else 'it'}; until then the standing is not complete."
    return (Finding("durian.tokens-held", "warning", "tokens", message, mend),)


def _played_on(held: Held) -> tuple[Finding, ...]:
    """Tokens come in ascending order, so each one but a player's last was held before the highest was taken."""
    highest = max((token for tokens in held.values() for token in tokens), default=0)
    found = []
    for name, tokens in held.items():
        before, points = tuple(token for token in sorted(tokens) if token != highest), 0
        for token in before:
            points += token
            if points >= LIMIT:
                message = (
                    f"{name} had {points} points with token {token}: the game was over before {highest} was taken."
                )
                found.append(
                    Finding("durian.end", "warning", f"tokens of {name}", message, "Look at the tokens again.")
                )
                break
    return tuple(found)


def standing(held: Held, *, final: bool = False) -> Standing:
    """Points, places and, where the game is over (or `final`), the winners.

    Fewest points are ahead, then fewest tokens, then the place is shared. With tokens missing nobody is named
    unless `final` asks for the standing as it is.
    """
    keys = {name: (sum(tokens), len(tokens)) for name, tokens in held.items()}
    players = {
        name: Place(keys[name][0], tuple(sorted(tokens)), 1 + sum(other < keys[name] for other in keys.values()))
        for name, tokens in held.items()
    }
    findings = check_held(held)
    complete = not findings or all(finding.rule == "durian.end" for finding in findings)
    over: bool | None = bool(dismissed(held))
    if not over and missing(held):
        over = None
    named = final or (over is True and complete)
    winners = tuple(name for name, place in players.items() if place.place == 1) if named and len(players) > 1 else ()
    return Standing(players, over, winners, _decided_by(players, winners), findings)


def _decided_by(players: Mapping[str, Place], winners: tuple[str, ...]) -> str:
    """What put the winner ahead: points, fewest tokens, or nothing (shared)."""
    if not winners:
        return ""
    if len(winners) > 1:
        return "shared"
    best = players[winners[0]].points
    tied = sum(place.points == best for place in players.values()) > 1
    return "fewest tokens" if tied else "points"
