"""A ruling in words and tables of plain values: steps, comparison, both readings, disputes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from durian_assist.common.names import listed
from durian_assist.common.readings import QUESTIONS, Readings
from durian_assist.durian.cards import FRUITS
from durian_assist.durian.round import Round, Step
from durian_assist.durian.verdict import TOO_MANY, Ruling, rule_on


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one reading of one question leads to."""

    value: str
    meaning: str
    in_force: bool
    verdict: str
    takes_token: str | None
    broken: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """JSON form."""
        return {
            "value": self.value,
            "meaning": self.meaning,
            "in_force": self.in_force,
            "verdict": self.verdict,
            "takes_token": self.takes_token,
            "broken_rules": list(self.broken),
        }


@dataclass(frozen=True, slots=True)
class Dispute:
    """One open question with the outcome under each of its readings, the others as they are in force."""

    key: str
    question: str
    rule: str
    outcomes: tuple[Outcome, ...]

    @property
    def matters(self) -> bool:
        """Whether the readings lead to different outcomes here."""
        return len({(one.verdict, one.takes_token, one.broken) for one in self.outcomes}) > 1

    def to_json(self) -> dict[str, object]:
        """JSON form."""
        return {
            "key": self.key,
            "question": self.question,
            "rule": self.rule,
            "matters": self.matters,
            "readings": [outcome.to_json() for outcome in self.outcomes],
        }


def disputes(round_: Round, readings: Readings) -> tuple[Dispute, ...]:
    """How the ruling changes under each reading of each open question."""
    found = []
    for question in QUESTIONS["durian"]:
        outcomes = []
        for value, meaning in question.choices.items():
            ruling = rule_on(round_, Readings("durian", {**readings.chosen, question.key: value}))
            broken = tuple(finding.rule for finding in ruling.findings if finding.severity == "error")
            in_force = readings[question.key] == value
            outcomes.append(Outcome(value, meaning, in_force, ruling.verdict, ruling.takes_token, broken))
        found.append(Dispute(question.key, question.question, question.rule, tuple(outcomes)))
    return tuple(found)


def steps(ruling: Ruling) -> tuple[Step, ...]:
    """The round from the first turn to the token, one sentence a step."""
    return (*ruling.play.steps, *_bell(ruling), *_cancelled(ruling), *_compared(ruling), *_after(ruling))


def _bell(ruling: Ruling) -> list[Step]:
    if not ruling.caller:
        return []
    on = f" on {ruling.called_on}, who had the turn before" if ruling.called_on else ""
    if ruling.called_on and ruling.readings["called-on"] == "last-order":
        on = f" on {ruling.called_on}, who took the last order"
    return [Step(ruling.caller, f"rings the bell{on}", "durian.bell")]


def _cancelled(ruling: Ruling) -> list[Step]:
    found = [
        Step(
            "", f"{void.gorilla} in the inventory cancels order {void.order.number} ({void.order.accepted})", void.rule
        )
        for void in ruling.comparison.voids
    ]
    gorillas = {getattr(card, "name", "") for card in ruling.round.stock_cards}
    cancelling = {void.rule for void in ruling.comparison.voids}
    for name in ("mitch", "hannah"):
        if name in gorillas and f"durian.{name}" not in cancelling:
            found.append(Step("", f"{name.title()} in the inventory finds no order to cancel", f"durian.{name}"))
    if "murphy" in gorillas:
        found.append(Step("", "Murphy in the inventory does nothing", "durian.murphy"))
    return found


def _compared(ruling: Ruling) -> list[Step]:
    comparison = ruling.comparison
    if comparison.exceeded:
        parts = [
            f"{fruit}: {comparison.ordered[fruit]} ordered, {comparison.stock[fruit]} in stock"
            for fruit in comparison.exceeded
        ]
        by_kind = f"by kind too many ({'; '.join(parts)})"
    else:
        equal = [
            fruit
            for fruit in FRUITS
            if comparison.ordered[fruit] and comparison.ordered[fruit] == comparison.stock[fruit]
        ]
        by_kind = "by kind not too many" + (f" ({listed(equal)}: exactly as many as in stock)" if equal else "")
    total = (
        f"in total {comparison.total_ordered} ordered, {comparison.total_stock} in stock: {comparison.verdict('total')}"
    )
    rule = "durian.compare" if comparison.exceeded or not _is_equal(ruling) else "durian.equal"
    return [Step("", f"{by_kind}; {total}", rule)]


def _is_equal(ruling: Ruling) -> bool:
    comparison = ruling.comparison
    if ruling.readings["compare"] == "total":
        return comparison.total_ordered == comparison.total_stock
    return any(comparison.ordered[fruit] and comparison.ordered[fruit] == comparison.stock[fruit] for fruit in FRUITS)


def _after(ruling: Ruling) -> list[Step]:
    if ruling.takes_token is None:
        return []
    why = "was called on" if ruling.verdict == TOO_MANY else "called too early"
    token = f"token {ruling.token}" if ruling.token else "the lowest token left"
    found = [Step(ruling.takes_token, f"{why} and takes {token}", "durian.token")]
    if ruling.over_after:
        found.append(Step(ruling.takes_token, "reaches 7 points or more: the game is over", "durian.end"))
    elif ruling.next_starter:
        found.append(
            Step(
                ruling.next_starter,
                f"sits left of {ruling.takes_token} and starts the next round",
                "durian.next-starter",
            )
        )
    return found


def difference(ruling: Ruling) -> str:
    """A sentence where the two readings of the comparison disagree; empty where they agree."""
    by = ruling.by_reading
    if by["per-kind"] == by["total"]:
        return ""
    in_force = "by kind" if ruling.readings["compare"] == "per-kind" else "by totals"
    return (
        f"The two readings differ: by kind it is {by['per-kind']}, by totals {by['total']}. Here {in_force} decides; "
        "agree on it before the next bell (--reading compare=...)."
    )


def kinds_rows(ruling: Ruling) -> Sequence[tuple[str, int, int, str]]:
    """Rows of the comparison: fruit, stock, ordered, in words."""
    comparison = ruling.comparison
    rows = [
        (
            fruit,
            comparison.stock[fruit],
            comparison.ordered[fruit],
            _word(comparison.ordered[fruit], comparison.stock[fruit]),
        )
        for fruit in FRUITS
    ]
    return [
        *rows,
        (
            "total",
            comparison.total_stock,
            comparison.total_ordered,
            _word(comparison.total_ordered, comparison.total_stock),
        ),
    ]


def _word(ordered: int, stock: int) -> str:
    if ordered > stock:
        return "too many"
    return "exactly enough" if ordered == stock and ordered else "enough"


def used_readings(ruling: Ruling) -> list[dict[str, str]]:
    """The readings that decided something, as they are in force."""
    keys = ["compare", *sorted(ruling.play.used)]
    last = ruling.play.last_order_turn
    if ruling.verdict == TOO_MANY and (last is None or last != ruling.play.turns - 1):
        keys.append("called-on")
    return [ruling.readings.note(key) for key in keys]
