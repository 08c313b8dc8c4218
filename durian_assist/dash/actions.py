"""A round's actions: who resolves when, and what every icon does (rulebook, 2. Resolve Actions)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from durian_assist.common.answers import Finding
from durian_assist.common.names import listed
from durian_assist.common.readings import Readings
from durian_assist.dash.market import Difference
from durian_assist.dash.varieties import PLANTATIONS, counted, proper

ICONS = ("take", "place", "give")
DIRECTIONS = ("left", "right")
# How a choice is recorded: in a record, or in `--turn`.
_ADD = {
    "take": 'Add it: take = ["sultan"], or "takes sultan" in --turn.',
    "place": 'Add it: place = ["sultan"], or "places sultan" in --turn.',
    "give": 'Add it: give = ["sultan to Jin"], or "gives sultan to Jin" in --turn.',
}


@dataclass(frozen=True, slots=True)
class Move:
    """One icon as it was resolved: who, what (`take`, `place`, `give`, or `skip` of one), which card, given to whom."""

    player: str
    action: str
    card: str = ""
    to: str = ""

    def __str__(self) -> str:
        tail = f" to {self.to}" if self.to else ""
        return f"{self.player}: {self.action} {self.card}{tail}"


@dataclass(frozen=True, slots=True)
class Actor:
    """A player in a round: collection, action card, icons from top to bottom, where it heads, and the free choices.

    `take`, `place` and `give` are the cards chosen at the icons of that kind, in order; they may be left out where
    there is no choice. `give` holds the card and the receiver.
    """

    name: str
    collection: Mapping[str, int]
    action: int
    icons: tuple[str, ...]
    plantation: str
    direction: str
    take: tuple[str, ...] = ()
    place: tuple[str, ...] = ()
    give: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ActionStep:
    """A move with the rule that it follows and a sentence."""

    move: Move
    rule: str
    text: str

    def to_json(self) -> dict[str, object]:
        """JSON form."""
        move = self.move
        return {
            "player": move.player,
            "action": move.action,
            "card": move.card or None,
            "to": move.to or None,
            "rule": self.rule,
            "text": self.text,
        }


@dataclass(frozen=True, slots=True)
class Resolution:
    """A round resolved: order of play, steps, rows and collections after, as far as it could be resolved.

    `unrecorded`: it had to stop at a free choice that nobody recorded, which breaks no rule.
    """

    order: tuple[str, ...]
    steps: tuple[ActionStep, ...]
    rows: Mapping[str, tuple[str, ...]]
    collections: Mapping[str, Mapping[str, int]]
    difference: Difference | None
    findings: tuple[Finding, ...]
    unrecorded: bool = False

    @property
    def complete(self) -> bool:
        """Whether every icon could be resolved."""
        return all(finding.severity != "error" for finding in self.findings)


def resolve_round(
    actors: tuple[Actor, ...],
    rows: Mapping[str, tuple[str, ...]],
    readings: Readings,
    claimed: tuple[Move, ...] | None = None,
) -> Resolution:
    """Resolve the action cards, smallest number first, icons from top to bottom.

    A free choice that is not recorded (which card is placed, which is given to whom) is taken from `claimed`, else
    the round stops there with a finding. `claimed` is compared move by move.
    """
    resolver = _Resolver(actors, rows, readings, claimed)
    resolver.run()
    return resolver.resolution()


class _Stop(Exception):
    """The round cannot be resolved further."""


@dataclass(slots=True)
class _Choices:
    """The recorded choices of one player that are not used yet."""

    take: list[str]
    place: list[str]
    give: list[tuple[str, str]]


class _Resolver:
    def __init__(
        self,
        actors: tuple[Actor, ...],
        rows: Mapping[str, tuple[str, ...]],
        readings: Readings,
        claimed: tuple[Move, ...] | None,
    ) -> None:
        self.actors = tuple(sorted(actors, key=lambda actor: actor.action))
        self.readings, self.claimed = readings, claimed
        self.rows = {name: list(rows[name]) for name in PLANTATIONS}
        self.hands = {actor.name: dict(actor.collection) for actor in actors}
        self.steps: list[ActionStep] = []
        self.findings: list[Finding] = []
        self.unrecorded = False

    def run(self) -> None:
        try:
            self.order()
            for actor in self.actors:
                self.resolve(actor)
        except _Stop:
            return

    def order(self) -> None:
        for one, other in zip(self.actors, self.actors[1:], strict=False):
            if one.action == other.action:
                message = f"{one.name} and {other.name} cannot both play action card {one.action}."
                self.stop("dash.order", f"{one.name}, {other.name}", message, "Look at the action cards again.")

    def stop(self, rule: str, where: str, message: str, mend: str) -> None:
        self.findings.append(Finding(rule, "error", where, message, mend))
        raise _Stop

    def stop_unrecorded(self, rule: str, where: str, message: str, mend: str) -> None:
        self.unrecorded = True
        self.stop(rule, where, message, mend)

    def resolve(self, actor: Actor) -> None:
        left = _Choices(list(actor.take), list(actor.place), list(actor.give))
        for icon in actor.icons:
            {"take": self.take, "place": self.place, "give": self.give}[icon](actor, left)
        for icon, unused in (("take", left.take), ("place", left.place), ("give", left.give)):
            if unused:
                message = f"{len(unused)} more to {icon} is recorded than the card of {actor.name} could {icon}."
                where = f"{actor.name}, {icon}"
                self.findings.append(Finding("dash.icons", "warning", where, message, "Take it out of the record."))

    def step(self, move: Move, rule: str, text: str) -> None:
        self.steps.append(ActionStep(move, rule, text))

    def take(self, actor: Actor, left: _Choices) -> None:
        row = self.rows[actor.plantation]
        named = left.take.pop(0) if left.take else None
        if not row:
            text = f"takes nothing: {proper(actor.plantation)} is empty"
            self.step(Move(actor.name, "skip", "take"), "dash.skip", text)
            return
        at = self.place_in_row(actor, row, named)
        card = row.pop(at)
        self.hands[actor.name][card] = self.hands[actor.name].get(card, 0) + 1
        end = f"the {actor.direction} end of " if self.readings["take"] == "end" else ""
        text = f"takes {proper(card)} from {end}{proper(actor.plantation)}"
        self.step(Move(actor.name, "take", card), "dash.take", text)

    def place_in_row(self, actor: Actor, row: list[str], named: str | None) -> int:
        """Position of the card to take. At the row's end by default; anywhere in the row under `take=any`."""
        end = 0 if actor.direction == "left" else len(row) - 1
        if self.readings["take"] == "end":
            if named is not None and named != row[end]:
                heads = f"{actor.name} heads {actor.direction} into {proper(actor.plantation)}"
                message = f"{heads}: {proper(row[end])} lies there, not {proper(named)}."
                self.stop(
                    "dash.take",
                    f"{actor.name}, take",
                    message,
                    "Take the card at that end, or play with --reading take=any.",
                )
            return end
        named = named or self.claim(actor, "take").card or (row[0] if len(set(row)) == 1 else None)
        if named is None:
            message = f"which card {actor.name} takes from {proper(actor.plantation)} is not recorded."
            self.stop_unrecorded("dash.take", f"{actor.name}, take", message, _ADD["take"])
        if named not in row:
            message = f"{actor.name} cannot take {proper(str(named))}: it does not lie in {proper(actor.plantation)}."
            self.stop("dash.take", f"{actor.name}, take", message, f"There lie {listed(row)}.")
        return row.index(str(named)) if actor.direction == "left" else len(row) - 1 - row[::-1].index(str(named))

    def claim(self, actor: Actor, action: str) -> Move:
        """What the players say they did in this step, if it is that player's action; else an empty move."""
        at = len(self.steps)
        if self.claimed is not None and at < len(self.claimed):
            move = self.claimed[at]
            if (move.player, move.action) == (actor.name, action):
                return move
        return Move(actor.name, action)

    def own_card(self, actor: Actor, action: str, named: str | None) -> str:
        """The card of the own collection that is placed or given. Stops where it is not recorded or not held."""
        held = [card for card, count in self.hands[actor.name].items() if count]
        card = named or self.claim(actor, action).card or (held[0] if len(held) == 1 else None)
        rule, where = f"dash.{action}", f"{actor.name}, {action}"
        if card is None:
            message = f"which card {actor.name} decides to {action} is not recorded; {actor.name} holds {listed(held)}."
            self.stop_unrecorded(rule, where, message, _ADD[action])
        if card not in held:
            message = f"{actor.name} cannot {action} {proper(str(card))}: it is not in the collection ({listed(held)})."
            self.stop(rule, where, message, f"Name a card that {actor.name} holds.")
        return str(card)

    def place(self, actor: Actor, left: _Choices) -> None:
        named = left.place.pop(0) if left.place else None
        if not any(self.hands[actor.name].values()):
            self.step(Move(actor.name, "skip", "place"), "dash.skip", "has no durian to place")
            return
        card = self.own_card(actor, "place", named)
        self.hands[actor.name][card] -= 1
        row = self.rows[actor.plantation]
        row.insert(0 if actor.direction == "left" else len(row), card)
        text = f"places {proper(card)} at the {actor.direction} end of {proper(actor.plantation)}"
        self.step(Move(actor.name, "place", card), "dash.place", text)

    def give(self, actor: Actor, left: _Choices) -> None:
        named, to = left.give.pop(0) if left.give else (None, None)
        if not any(self.hands[actor.name].values()):
            self.step(Move(actor.name, "skip", "give"), "dash.skip", "has no durian to give")
            return
        claim = self.claim(actor, "give")
        card = self.own_card(actor, "give", named)
        receiver = to or claim.to or self.only_other(actor)
        if receiver == actor.name or receiver not in self.hands:
            message = f"{actor.name} gives to another player, not to {receiver}."
            self.stop("dash.give", f"{actor.name}, give", message, "Name another player.")
        self.hands[actor.name][card] -= 1
        self.hands[receiver][card] = self.hands[receiver].get(card, 0) + 1
        self.step(Move(actor.name, "give", card, receiver), "dash.give", f"gives {proper(card)} to {receiver}")

    def only_other(self, actor: Actor) -> str:
        others = [name for name in self.hands if name != actor.name]
        if len(others) != 1:
            message = f"to whom {actor.name} gives a durian is not recorded."
            mend = _ADD["give"].replace("Jin", next(iter(others), "Jin"))
            self.stop_unrecorded("dash.give", f"{actor.name}, give", message, mend)
        return others[0]

    def resolution(self) -> Resolution:
        return Resolution(
            tuple(actor.name for actor in self.actors),
            tuple(self.steps),
            {name: tuple(cards) for name, cards in self.rows.items()},
            {name: counted(card for card, n in hand.items() for _ in range(n)) for name, hand in self.hands.items()},
            first_difference(tuple(self.steps), self.claimed, stopped=bool(self.findings))
            if self.claimed is not None
            else None,
            tuple(self.findings),
            self.unrecorded,
        )


def first_difference(
    steps: tuple[ActionStep, ...], claimed: tuple[Move, ...], *, stopped: bool = False
) -> Difference | None:
    """The first move that differs from the rules; None where all are the same, as far as the round was resolved."""
    for number, (step, move) in enumerate(zip(steps, claimed, strict=False), 1):
        if step.move != move:
            rule, why = _rule_of(step, move)
            return Difference(number, str(step.move), str(move), rule, f"step {number}: {why}")
    if len(claimed) > len(steps) and not stopped:
        extra = claimed[len(steps)]
        text = f"step {len(steps) + 1}: {extra}, but every icon was resolved before"
        return Difference(len(steps) + 1, "", str(extra), "dash.icons", text)
    if len(claimed) < len(steps):
        step = steps[len(claimed)]
        text = f"step {len(claimed) + 1}: {step.move} was left out"
        return Difference(len(claimed) + 1, str(step.move), "", step.rule, text)
    return None


def _rule_of(step: ActionStep, move: Move) -> tuple[str, str]:
    expected = step.move
    if move.player != expected.player:
        return "dash.order", f"it is {expected.player}'s turn ({expected}), not {move.player}'s"
    if move.action != expected.action:
        if "skip" in (move.action, expected.action):
            return ("dash.skip" if expected.action == "skip" else step.rule), f"expected {expected}, not {move}"
        return "dash.icons", f"the next icon of {expected.player} is {expected.action}, not {move.action}"
    return step.rule, f"{expected.player} {step.text}; claimed was {move}"
