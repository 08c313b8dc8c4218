"""Sessions and rounds in a few words, for the tests of the session book."""

from __future__ import annotations

from fractions import Fraction

from durian_assist.common.readings import Readings
from durian_assist.ledger.rounds import Brought, RoundResult, Setup

TYPED = Brought(None, "typed in")


def setup(game: str = "smuggler", players: str = "Ann Bo Cy", mode: str = "", name: str = "Friday") -> Setup:
    """A session of players named in one text."""
    return Setup(name, game, tuple(players.split()), Readings.defaults(game), mode)


def points(text: str, mode: str = "competitive", *, smuggler: str = "", outcome: str = "") -> RoundResult:
    """`Ann 12, Bo 11/2` as a round's result."""
    pairs = (part.split() for part in text.split(","))
    return RoundResult({name: Fraction(value) for name, value in pairs}, mode, outcome, smuggler)


def game_of_dash(text: str, *winners: str, mode: str = "standard") -> RoundResult:
    """A game of Dash."""
    return RoundResult(points(text).points, mode, winners=winners)


def taken(names: str) -> list[RoundResult]:
    """Rounds of Durian: who took the tokens, one after the other."""
    return [RoundResult(takes=name) for name in names.split()]
