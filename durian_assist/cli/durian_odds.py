"""The answer of `durian odds`: for one pair of eyes, and for every seat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from durian_assist.cli.output import say, table
from durian_assist.common.answers import Finding, worst_first
from durian_assist.common.names import UnknownName, listed, resolve
from durian_assist.common.readings import Readings
from durian_assist.common.text import plural
from durian_assist.durian.odds import Odds, odds, unlisted
from durian_assist.durian.round import Play, Round, follow
from durian_assist.durian.verdict import check_cards, check_table
from durian_assist.errors import UsageError


@dataclass(frozen=True, slots=True)
class OddsAnswer:
    """Odds for the viewer (None where nobody in particular looks) and, if asked for, for all seats."""

    viewer: str | None
    own: Odds | None
    seats: Mapping[str, Odds | None]
    reading: dict[str, str]
    findings: tuple[Finding, ...]

    def to_json(self) -> dict[str, object]:
        """JSON form. `seats` only with `--all`."""
        document: dict[str, object] = {**_json(self.own), "viewer": self.viewer, "rule": "durian.odds"}
        if self.seats:
            document["seats"] = {name: _json(one) for name, one in self.seats.items()}
        return {**document, "readings": [self.reading]}


def _json(found: Odds | None) -> dict[str, object]:
    if found is None:
        return {"probability": None, "fraction": None, "hidden": None, "cards_left": None}
    return {
        "probability": float(found.probability),
        "fraction": str(found.probability),
        "hidden": found.hidden,
        "cards_left": found.pool,
    }


def odds_answer(round_: Round, readings: Readings, player: str | None, *, all_seats: bool) -> OddsAnswer:
    """The odds as `player` sees them, or the one that the record points to. Raises UsageError for nobody."""
    play = follow(round_, readings)
    reading = readings["compare"]
    viewer = _viewer(round_, play, player)
    hidden = viewer is not None or None in round_.inventory
    if not hidden and not all_seats:
        mend = f"Give --player ({listed(round_.holders, 'or')}), --all, or write ? for the card that is hidden."
        raise UsageError("whose eyes to look with is not said", mend=mend)
    own = odds(round_, play.orders, reading, viewer=viewer) if hidden else None
    seats = {name: odds(round_, play.orders, reading, viewer=name) for name in round_.holders if all_seats}
    findings = worst_first(
        [*check_table(round_), *check_cards(round_), *play.findings, *_no_cards(own, hidden), *_unlisted(round_)]
    )
    return OddsAnswer(viewer, own, seats, readings.note("compare"), findings)


def _no_cards(own: Odds | None, hidden: bool) -> list[Finding]:
    if own is not None or not hidden:
        return []
    message = "fewer cards are left in the deck than are hidden."
    return [Finding("durian.odds", "warning", "inventory", message, "Look at the cards again.")]


def _unlisted(round_: Round) -> list[Finding]:
    count = unlisted(round_)
    if not count:
        return []
    said = f"{plural(count, 'card')} of the table {'is' if count == 1 else 'are'} beyond the list of the deck"
    message = (
        f"{said}: {count} too many {'is' if count == 1 else 'are'} counted as left, and the odds are near, not exact."
    )
    return [Finding("durian.odds", "warning", "cards", message, "Look at the cards again, or write your own [deck].")]


def _viewer(round_: Round, play: Play, player: str | None) -> str | None:
    """`--player`, else nobody where cards are hidden anyway, else the caller or the player on turn."""
    if player is not None:
        try:
            return resolve(player, round_.holders)
        except UnknownName as error:
            mend = f"The players are {listed(round_.holders)}."
            raise UsageError(error.sentence, where=f"--player {player}", mend=mend) from None
    if None in round_.inventory:
        return None
    on_turn = round_.after(round_.first, play.turns) if round_.first else None
    looks = round_.caller or on_turn
    return looks if looks in round_.holders else None


def show_odds(answer: OddsAnswer) -> None:
    """Print the odds."""
    if answer.own is not None:
        eyes = f"As {answer.viewer} sees it" if answer.viewer else "With the cards marked ? hidden"
        say(f"{eyes}: too many orders with probability {_text(answer.own)}. [durian.odds]")
    if answer.seats:
        say(table([(name, _text(one)) for name, one in answer.seats.items()], ["seen by", "too many orders"]))
    say(f"Too many means: {answer.reading['meaning']} ({answer.reading['source']}). [durian.compare]")


def _text(found: Odds | None) -> str:
    if found is None:
        return "not known: too few cards are left"
    hidden = f"{found.hidden} hidden, {plural(found.pool, 'card')} left"
    return f"{found.probability} = {float(found.probability):.1%} ({hidden})"
