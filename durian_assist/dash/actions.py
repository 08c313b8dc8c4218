"""A round's actions: who resolves when, and what every icon does (rulebook, 2. Resolve Actions)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from durian_assist.common.answers import Finding
from durian_assist.common.names import listed
from durian_assist.common.readings import Readings
from durian_assist.dash.choices import SKIPPED, Choice, Dealt, carried_out, deal
from durian_assist.dash.market import Difference
from durian_assist.dash.moves import ICONS, ActionStep, Actor, Move
from durian_assist.dash.varieties import PLANTATIONS, counted, proper

# How a choice is recorded: in a record, or in `--turn`.
_ADD = {
    "take": 'Add it: take = ["sultan"], or "takes sultan" in --turn.',
    "place": 'Add it: place = ["sultan"], or "places sultan" in --turn.',
    "give": 'Add it: give = ["sultan to {to}"], or "gives sultan to {to}" in --turn.',
}
_ONLY = "Record only the cards of icons that were carried out, in order, or write skip for one that was not:"
_SKIP = {
    "take": f'{_ONLY} take = ["skip", "sultan"], or "takes skip, sultan" in --turn.',
    "place": f'{_ONLY} place = ["skip", "sultan"], or "places skip, sultan" in --turn.',
    "give": f'{_ONLY} give = ["skip", "sultan to {{to}}"], or "gives skip, sultan to {{to}}" in --turn.',
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
        done = carried_out(actor.icons, sum(self.hands[actor.name].values()), len(self.rows[actor.plantation]))
        turn = tuple(zip(actor.icons, done, strict=True))
        dealt = {icon: deal(actor.recorded(icon), [can for own, can in turn if own == icon]) for icon in ICONS}
        queues = {icon: iter(of.choices) for icon, of in dealt.items()}
        for icon, can in turn:
            choice = next(queues[icon])
            if not can:
                self.skip(actor, icon)
                continue
            self.settled(actor, icon, choice, dealt[icon], sum(one == icon for one, _ in turn))
            {"take": self.take, "place": self.place, "give": self.give}[icon](actor, choice)
        for icon, of in dealt.items():
            if of.surplus:
                message = f"{of.surplus} more to {icon} is recorded than the card of {actor.name} could {icon}."
                where = f"{actor.name}, {icon}"
                self.findings.append(Finding("dash.icons", "warning", where, message, "Take it out of the record."))

    def settled(self, actor: Actor, icon: str, choice: Choice, dealt: Dealt, icons: int) -> None:
        """Stop where the record does not tell which choice belongs to an icon that is carried out, or says that the
        player passed over it."""
        where = f"{actor.name}, {icon}"
        if dealt.unclear:
            recorded = len(actor.recorded(icon))
            message = (
                f"{recorded} choices to {icon} are recorded for {actor.name}, but only {recorded - dealt.surplus} of "
                f"{icons} icons to {icon} can be carried out: which choice belongs to which is not clear."
            )
            self.stop_unrecorded("dash.skip", where, message, self.example(actor, _SKIP[icon]))
        if choice == SKIPPED:
            why = f"{proper(actor.plantation)} is not empty" if icon == "take" else f"there is a durian to {icon}"
            message = f"{actor.name} cannot skip an icon to {icon}: {why}."
            self.stop("dash.skip", where, message, "Say which card it was: no icon that can be done is skipped.")

    def skip(self, actor: Actor, icon: str) -> None:
        empty = f"takes nothing: {proper(actor.plantation)} is empty"
        text = empty if icon == "take" else f"has no durian to {icon}"
        self.step(Move(actor.name, "skip", icon), "dash.skip", text)

    def step(self, move: Move, rule: str, text: str) -> None:
        self.steps.append(ActionStep(move, rule, text))

    def take(self, actor: Actor, choice: Choice) -> None:
        row = self.rows[actor.plantation]
        at = self.place_in_row(actor, row, choice[0])
        card = row.pop(at)
        self.hands[actor.name][card] = self.hands[actor.name].get(card, 0) + 1
        end = f"the {actor.direction} end of " if self.readings["take"] == "end" else ""
        text = f"takes {proper(card)} from {end}{proper(actor.plantation)}"
        self.step(Move(actor.name, "take", card), "dash.take", text)

    def place_in_row(self, actor: Actor, row: list[str], named: str) -> int:
        """Position of the card to take. At the row's end by default; anywhere in the row under `take=any`."""
        end = 0 if actor.direction == "left" else len(row) - 1
        if self.readings["take"] == "end":
            if named and named != row[end]:
                heads = f"{actor.name} heads {actor.direction} into {proper(actor.plantation)}"
                message = f"{heads}: {proper(row[end])} lies there, not {proper(named)}."
                self.stop(
                    "dash.take",
                    f"{actor.name}, take",
                    message,
                    "Take the card at that end, or play with --reading take=any.",
                )
            return end
        named = named or self.claim(actor, "take").card or (row[0] if len(set(row)) == 1 else "")
        if not named:
            message = f"which card {actor.name} takes from {proper(actor.plantation)} is not recorded."
            self.stop_unrecorded("dash.take", f"{actor.name}, take", message, self.example(actor, _ADD["take"]))
        if named not in row:
            message = f"{actor.name} cannot take {proper(named)}: it does not lie in {proper(actor.plantation)}."
            self.stop("dash.take", f"{actor.name}, take", message, f"There lie {listed(row)}.")
        return row.index(named) if actor.direction == "left" else len(row) - 1 - row[::-1].index(named)

    def claim(self, actor: Actor, action: str) -> Move:
        """What the players say they did in this step, if it is that player's action; else an empty move."""
        at = len(self.steps)
        if self.claimed is not None and at < len(self.claimed):
            move = self.claimed[at]
            if (move.player, move.action) == (actor.name, action):
                return move
        return Move(actor.name, action)

    def own_card(self, actor: Actor, action: str, named: str) -> str:
        """The card of the own collection that is placed or given. Stops where it is not recorded or not held."""
        held = [card for card, count in self.hands[actor.name].items() if count]
        card = named or self.claim(actor, action).card or (held[0] if len(held) == 1 else "")
        rule, where = f"dash.{action}", f"{actor.name}, {action}"
        if not card:
            message = f"which card {actor.name} decides to {action} is not recorded; {actor.name} holds {listed(held)}."
            self.stop_unrecorded(rule, where, message, self.example(actor, _ADD[action]))
        if card not in held:
            message = f"{actor.name} cannot {action} {proper(card)}: it is not in the collection ({listed(held)})."
            self.stop(rule, where, message, f"Name a card that {actor.name} holds.")
        return card

    def place(self, actor: Actor, choice: Choice) -> None:
        card = self.own_card(actor, "place", choice[0])
        self.hands[actor.name][card] -= 1
        row = self.rows[actor.plantation]
        row.insert(0 if actor.direction == "left" else len(row), card)
        text = f"places {proper(card)} at the {actor.direction} end of {proper(actor.plantation)}"
        self.step(Move(actor.name, "place", card), "dash.place", text)

    def give(self, actor: Actor, choice: Choice) -> None:
        named, to = choice
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
        others = self.others(actor)
        if len(others) != 1:
            message = f"to whom {actor.name} gives a durian is not recorded."
            self.stop_unrecorded("dash.give", f"{actor.name}, give", message, self.example(actor, _ADD["give"]))
        return others[0]

    def others(self, actor: Actor) -> list[str]:
        return [name for name in self.hands if name != actor.name]

    def example(self, actor: Actor, text: str) -> str:
        """How a choice is recorded, with a player to whom this one may give."""
        return text.replace("{to}", next(iter(self.others(actor)), "Jin"))

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
