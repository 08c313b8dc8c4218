"""One round of Durian, from the deal up to the bell: as recorded, and how it was played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from durian_assist.common.answers import Finding
from durian_assist.common.readings import Readings
from durian_assist.durian.cards import Card, FruitCard, Side


@dataclass(frozen=True, slots=True)
class Order:
    """An order card: the side accepted as it is recorded, and the gorilla that a photo shows beside it.

    With `flipped_by` the card is recorded as it lies now, after the flip.
    """

    card: FruitCard
    accepted: Side
    flipped_by: str | None = None

    @property
    def other(self) -> Side:
        """The side that is not accepted."""
        return self.card.other(self.accepted)


@dataclass(frozen=True, slots=True)
class GorillaTurn:
    """A gorilla drawn as an order, and the number of the order that it flipped (from 1)."""

    name: str
    flips: int | None = None


Entry: TypeAlias = Order | GorillaTurn


@dataclass(frozen=True, slots=True)
class Round:
    """A round as recorded. What is not recorded is empty or None; None in the inventory is a card not known yet."""

    players: tuple[str, ...] = ()
    first: str | None = None
    inventory: tuple[Card | None, ...] = ()
    open_card: Card | None = None
    entries: tuple[Entry, ...] = ()
    caller: str | None = None
    tokens: Mapping[str, tuple[int, ...]] | None = None
    deck: Counter[Card] | None = None

    @property
    def stock_cards(self) -> tuple[Card | None, ...]:
        """Every card that counts for the stock: the inventory and, with two players, the open card."""
        return self.inventory + ((self.open_card,) if self.open_card else ())

    @property
    def holders(self) -> tuple[str, ...]:
        """Whose card each card of the inventory is; numbers where the players are not recorded."""
        if len(self.players) == len(self.inventory):
            return self.players
        return tuple(f"card {number}" for number in range(1, len(self.inventory) + 1))

    def after(self, player: str, steps: int = 1) -> str | None:
        """The player `steps` places clockwise from `player`; None where the players are not recorded."""
        if player not in self.players:
            return None
        return self.players[(self.players.index(player) + steps) % len(self.players)]


@dataclass(frozen=True, slots=True)
class Lying:
    """An order as it lies at the bell: number from 1, side accepted now, other side, gorilla beside it."""

    number: int
    accepted: Side
    other: Side
    gorilla: str | None = None

    def flipped(self, gorilla: str) -> Lying:
        """The same order turned round and locked by a gorilla."""
        return Lying(self.number, self.other, self.accepted, gorilla)


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened, in words: who (empty where that cannot be told), what, by which rule."""

    player: str
    text: str
    rule: str

    def to_json(self) -> dict[str, str]:
        """JSON form."""
        return {"player": self.player, "text": self.text, "rule": self.rule}


@dataclass(frozen=True, slots=True)
class Play:
    """A round followed turn by turn.

    `turns` counts the turns taken before the bell, `order_turns` those in which an order was accepted. `timed` is false
    where a photo does not show in which turn a gorilla was drawn. `used` are the readings that decided something.
    """

    orders: tuple[Lying, ...]
    turns: int
    order_turns: tuple[int, ...]
    steps: tuple[Step, ...]
    findings: tuple[Finding, ...]
    timed: bool = True
    used: frozenset[str] = frozenset()

    @property
    def last_order_turn(self) -> int | None:
        """The turn (from 0) in which the last order was taken; None where there is none or that cannot be told."""
        return self.order_turns[-1] if self.order_turns and self.timed else None


def follow(round_: Round, readings: Readings) -> Play:
    """Play the recorded turns from the first to the bell, noting every flip that the rules do not allow."""
    follower = _Follower(round_, readings)
    for number, entry in enumerate(round_.entries, 1):
        follower.take(number, entry)
    return follower.play()


class _Follower:
    """State of the table while the recorded turns are followed."""

    def __init__(self, round_: Round, readings: Readings) -> None:
        self.round, self.readings = round_, readings
        self.orders: list[Lying] = []
        # Numbers of orders by their line in the record, for records that count lines.
        self.by_line: dict[int, int] = {}
        self.turn = 0
        self.order_turns: list[int] = []
        self.steps: list[Step] = []
        self.findings: list[Finding] = []
        self.used: set[str] = set()
        # A photo shows beside which order a gorilla lies, not when it was drawn: then no turn has a sure player.
        self.timed = not any(isinstance(entry, Order) and entry.flipped_by for entry in round_.entries)

    def player(self) -> str:
        if self.round.first is None or not self.timed:
            return ""
        return self.round.after(self.round.first, self.turn) or ""

    def take(self, line: int, entry: Entry) -> None:
        if isinstance(entry, Order):
            self.order(line, entry)
        else:
            self.gorilla(line, entry)

    def order(self, line: int, entry: Order) -> None:
        number = len(self.orders) + 1
        self.by_line[line] = number
        self.orders.append(Lying(number, entry.accepted, entry.other, entry.flipped_by))
        self.order_turns.append(self.turn)
        if entry.flipped_by:
            who = entry.flipped_by.title()
            text = f"order {number}: {entry.other} accepted, then flipped by {who}: {entry.accepted} counts"
            self.note(text, "durian.flip")
            self.turn += 1  # the turn in which that gorilla was drawn
        else:
            self.note(f"order {number}: {entry.accepted} accepted ({entry.other} on the other side)", "durian.order")
        self.turn += 1

    def gorilla(self, line: int, entry: GorillaTurn) -> None:
        who = entry.name.title()
        free = [order.number for order in self.orders if order.gorilla is None]
        where = f"orders, entry {line}"
        if entry.flips is None:
            self.unused(who, free, where)
            return
        target = self.target(entry.flips, free, where)
        if target is not None:
            turned = self.orders[target - 1].flipped(entry.name)
            self.orders[target - 1] = turned
            self.note(f"{who} flips order {target}: {turned.accepted} counts now, and it stays so", "durian.flip")
        self.turn += 1

    def unused(self, who: str, free: list[int], where: str) -> None:
        """A gorilla that flipped nothing."""
        if free:
            self.fault(
                "durian.flip-mandatory",
                where,
                f"{who} could flip {_orders(free)} but flipped none.",
                f"Flip one of them now, and write it as: gorilla {who.lower()} flips {free[-1]}.",
            )
            self.note(f"{who} is drawn and flips nothing", "durian.flip-mandatory")
            self.turn += 1
            return
        self.used.add("no-target")
        again = self.readings["no-target"] == "redraw"
        self.note(
            f"{who} finds no order to flip: " + ("the same player draws again" if again else "the turn passes"),
            "durian.no-target",
        )
        self.turn += 0 if again else 1

    def target(self, flips: int, free: list[int], where: str) -> int | None:
        """The order that `flips N` means: order N, or, where that is none to flip, the order on line N of the list."""
        by_line = self.by_line.get(flips)
        if flips in free:
            if by_line in free and by_line != flips:
                text = f"flips {flips} is taken as order {flips}; counted by lines of the list it is order {by_line}."
                self.warn(where, text)
            return flips
        if by_line in free:
            text = f"no order {flips} can be flipped; taken as line {flips} of the list, which is order {by_line}."
            self.warn(where, text)
            return by_line
        self.bad_target(flips, free, where)
        return None

    def bad_target(self, flips: int, free: list[int], where: str) -> None:
        mend = (
            f"It may flip {_orders(free)}." if free else "No order can be flipped: write the gorilla without a number."
        )
        if flips <= len(self.orders):
            gorilla = str(self.orders[flips - 1].gorilla).title()
            self.fault(
                "durian.flip-locked",
                where,
                f"order {flips} was flipped by {gorilla} before and may not be flipped again.",
                mend,
            )
        else:
            lay = f"{len(self.orders)} order{'s' if len(self.orders) != 1 else ''} lay there"
            self.fault(
                "durian.flip",
                where,
                f"only an order accepted earlier can be flipped: {lay}, there was no order {flips}.",
                mend,
            )

    def warn(self, where: str, message: str) -> None:
        mend = "Gorillas are not counted among the orders."
        self.findings.append(Finding("durian.flip", "warning", where, message, mend))

    def fault(self, rule: str, where: str, message: str, mend: str) -> None:
        self.findings.append(Finding(rule, "error", where, message, mend))

    def note(self, text: str, rule: str) -> None:
        self.steps.append(Step(self.player(), text, rule))

    def play(self) -> Play:
        last = self.round.entries[-1] if self.round.entries else None
        if (
            isinstance(last, GorillaTurn)
            and self.steps
            and self.steps[-1].rule == "durian.no-target"
            and self.readings["no-target"] == "redraw"
        ):
            where = f"orders, entry {len(self.round.entries)}"
            text = f"{last.name.title()} had nothing to flip, so the same player draws again before anything else."
            self.fault("durian.no-target", where, text, "Draw again and add that card.")
        return Play(
            tuple(self.orders),
            self.turn,
            tuple(self.order_turns),
            tuple(self.steps),
            tuple(self.findings),
            self.timed,
            frozenset(self.used),
        )


def _orders(numbers: list[int]) -> str:
    if len(numbers) == 1:
        return f"order {numbers[0]}"
    return f"order {', '.join(map(str, numbers[:-1]))} or {numbers[-1]}"
