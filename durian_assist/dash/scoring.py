"""Collections and preferences to thumbs, places and the winner (rulebook, End of the Game and Scoring)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from durian_assist.common.answers import Finding, ScoreLine
from durian_assist.common.names import listed
from durian_assist.dash.varieties import CARDS_IN_GAME, DURIAN_CARDS, ROTTEN, VARIETIES, Preference, proper

Variant = Literal["standard", "haters"]
_WORDS = {
    "dash.love": "loved",
    "dash.like": "liked",
    "dash.hate": "hated",
    "dash.other": "any other durian",
    "dash.mao-shan-wang": "always",
    "dash.rotten": "always",
}


@dataclass(frozen=True, slots=True)
class Player:
    """A player at the end of the game. `preference` and `last_action` are None where they are not recorded."""

    name: str
    collection: Mapping[str, int]
    preference: Preference | None = None
    last_action: int | None = None

    @property
    def cards(self) -> int:
        """Cards in the collection."""
        return sum(self.collection.values())


@dataclass(frozen=True, slots=True)
class Tally:
    """A player's thumbs: up, down (as a positive number), the lines that they come from, and the place from 1."""

    up: int
    down: int
    lines: tuple[ScoreLine, ...]
    place: int = 0

    @property
    def points(self) -> int:
        """Thumbs up less thumbs down; may be below zero."""
        return self.up - self.down


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a game. `decided_by`: points, fewest rotten, lowest last action, unresolved; empty for one player.

    Where a tie could not be broken because something is not recorded, all who are still tied are `winners`.
    """

    players: Mapping[str, Tally]
    winners: tuple[str, ...]
    decided_by: str
    rule: str
    findings: tuple[Finding, ...]


def tally(player: Player) -> Tally:
    """The thumbs of one player, a line for every variety."""
    preference = player.preference or Preference()
    lines, up, down = [], 0, 0
    for variety in VARIETIES:
        count = player.collection.get(variety, 0)
        each, rule = preference.value(variety)
        up += max(each, 0) * count
        down += max(-each, 0) * count
        thumbs = f"{each} up" if each > 0 else f"{-each} down"
        lines.append(
            ScoreLine(Fraction(each * count), rule, variety, f"{proper(variety)}: {count} x {thumbs} ({_WORDS[rule]})")
        )
    return Tally(up, down, tuple(lines))


def result(players: Sequence[Player], variant: Variant = "standard") -> Result:
    """Thumbs, places and the winner.

    Most thumbs win (`haters`: fewest); then the fewest Rotten; then the lowest action number of the last round, in both
    variants. A tie that needs a number that is not recorded stays unresolved, with the place shared.
    """
    tallies = {player.name: tally(player) for player in players}
    order = _Order(players, tallies, variant)
    placed = {
        player.name: Tally(t.up, t.down, t.lines, order.place(player))
        for player in players
        for t in (tallies[player.name],)
    }
    winners, decided_by, rule = order.winner()
    findings = (*_too_many_cards(players), *_no_preference(players), *_same_action(players), *order.open_ties())
    return Result(placed, winners, decided_by, rule, findings)


class _Order:
    """Who is ahead of whom."""

    def __init__(self, players: Sequence[Player], tallies: Mapping[str, Tally], variant: Variant) -> None:
        self.players, self.variant = players, variant
        sign = 1 if variant == "haters" else -1
        self.keys = {p.name: (sign * tallies[p.name].points, p.collection.get(ROTTEN, 0)) for p in players}

    def ahead(self, one: Player, other: Player) -> bool:
        if self.keys[one.name] != self.keys[other.name]:
            return self.keys[one.name] < self.keys[other.name]
        # Whether the action number decides depends on all who are tied: one unknown number leaves all of them open.
        group = [player for player in self.players if self.keys[player.name] == self.keys[one.name]]
        if any(player.last_action is None for player in group):
            return False
        return (one.last_action or 0) < (other.last_action or 0)

    def place(self, player: Player) -> int:
        return 1 + sum(self.ahead(other, player) for other in self.players if other is not player)

    def winner(self) -> tuple[tuple[str, ...], str, str]:
        if len(self.players) < 2:
            return (), "", "dash.win"
        best = min(self.keys.values())
        by_points = [player for player in self.players if self.keys[player.name][0] == best[0]]
        by_rotten = [player for player in by_points if self.keys[player.name] == best]
        first = [player for player in by_rotten if self.place(player) == 1]
        win = "dash.haters" if self.variant == "haters" else "dash.win"
        if len(first) > 1:
            return tuple(player.name for player in first), "unresolved", "dash.tie-action"
        name = (first[0].name,)
        if len(by_points) == 1:
            return name, "points", win
        if len(by_rotten) == 1:
            return name, "fewest rotten", "dash.tie-rotten"
        return name, "lowest last action", "dash.tie-action"

    def open_ties(self) -> list[Finding]:
        """A finding for every tie that an unknown action number leaves open."""
        found = []
        for key in dict.fromkeys(self.keys.values()):
            group = [player for player in self.players if self.keys[player.name] == key]
            unknown = [player.name for player in group if player.last_action is None]
            if len(group) > 1 and unknown:
                names = listed(player.name for player in group)
                message = (
                    f"unresolved: {names} are tied; the action card that {listed(unknown)} played last is not recorded."
                )
                mend = "Add last_action, the number of the action card played in the last round."
                found.append(Finding("dash.tie-action", "warning", names, message, mend))
        return found


def _too_many_cards(players: Sequence[Player]) -> list[Finding]:
    held = sum(player.cards for player in players)
    most = CARDS_IN_GAME.get(len(players), DURIAN_CARDS)
    if held <= most:
        return []
    of = f"with {len(players)} players" if len(players) in CARDS_IN_GAME else "at all"
    message = f"{held} cards are held, but the game has {most} {of}."
    return [Finding("dash.cards", "warning", "collections", message, "Count the collections again.")]


def _no_preference(players: Sequence[Player]) -> list[Finding]:
    names = [player.name for player in players if player.preference is None]
    if not names:
        return []
    message = f"no preference card is recorded for {listed(names)}: scored as if it named nothing."
    return [Finding("dash.preference", "warning", listed(names), message, "Add love, like and hate.")]


def _same_action(players: Sequence[Player]) -> list[Finding]:
    """Each action number is on one card only, or nobody could say who resolves first."""
    found = []
    for number in sorted({player.last_action for player in players if player.last_action is not None}):
        names = [player.name for player in players if player.last_action == number]
        if len(names) > 1:
            message = f"{listed(names)} cannot both have played action card {number} in the last round."
            found.append(Finding("dash.order", "warning", listed(names), message, "Look at the action cards again."))
    return found
