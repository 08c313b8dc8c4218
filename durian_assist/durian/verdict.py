"""The bell: compare orders with stock, name who takes the token, and list everything that broke a rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from durian_assist.common.answers import Finding, worst_first
from durian_assist.common.names import listed
from durian_assist.common.readings import Readings
from durian_assist.durian.cards import (
    DECK_CARDS,
    FRUIT_CARDS,
    FRUITS,
    LIMIT,
    MOST_PLAYERS,
    Card,
    FruitCard,
    Gorilla,
    gorillas_in,
    stock_of,
    transcribed_deck,
    void_rule,
)
from durian_assist.durian.round import GorillaTurn, Lying, Play, Round, follow
from durian_assist.durian.tokens import check_held, dismissed, next_token

TOO_MANY = "too many"
NOT_TOO_MANY = "not too many"


@dataclass(frozen=True, slots=True)
class Void:
    """An order that a gorilla in the inventory cancels, and the rule of that gorilla."""

    order: Lying
    rule: str

    @property
    def gorilla(self) -> str:
        """The gorilla's name."""
        return self.rule.removeprefix("durian.").title()


@dataclass(frozen=True, slots=True)
class Comparison:
    """Fruits in stock and fruits ordered, by kind, after flips and cancellations."""

    stock: Mapping[str, int]
    ordered: Mapping[str, int]
    voids: tuple[Void, ...] = ()

    @property
    def exceeded(self) -> tuple[str, ...]:
        """The kinds ordered above their own stock."""
        return tuple(fruit for fruit in FRUITS if self.ordered[fruit] > self.stock[fruit])

    @property
    def total_stock(self) -> int:
        """All fruits in stock."""
        return sum(self.stock.values())

    @property
    def total_ordered(self) -> int:
        """All fruits ordered."""
        return sum(self.ordered.values())

    def verdict(self, compare: str) -> str:
        """`too many` or `not too many` under a reading of `compare`; as many as there are is not too many."""
        above = bool(self.exceeded) if compare == "per-kind" else self.total_ordered > self.total_stock
        return TOO_MANY if above else NOT_TOO_MANY


def compare(stock_cards: Iterable[Card], orders: tuple[Lying, ...]) -> Comparison:
    """Stock of these cards against these orders as they lie."""
    cards = tuple(stock_cards)
    return weigh(stock_of(cards), gorillas_in(cards), orders)


def weigh(stock: Mapping[str, int], gorillas: frozenset[str], orders: tuple[Lying, ...]) -> Comparison:
    """The same from fruits in stock and the gorillas among the inventory's cards."""
    ordered = dict.fromkeys(FRUITS, 0)
    voids = []
    for order in orders:
        rule = void_rule(order.accepted, gorillas)
        if rule:
            voids.append(Void(order, rule))
        else:
            ordered[order.accepted.fruit] += order.accepted.count
    return Comparison(stock, ordered, tuple(voids))


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the bell decides. `takes_token`, `token` and the rest are None where the record leaves them open or a broken
    rule does; the comparison always says what lies on the table."""

    round: Round
    play: Play
    comparison: Comparison
    readings: Readings
    caller: str | None
    called_on: str | None
    takes_token: str | None
    token: int | None
    over_after: bool | None
    next_starter: str | None
    findings: tuple[Finding, ...]

    @property
    def verdict(self) -> str:
        """The verdict under the reading in force."""
        return self.comparison.verdict(self.readings["compare"])

    @property
    def legal(self) -> bool:
        """Whether no rule was broken."""
        return all(finding.severity != "error" for finding in self.findings)

    @property
    def by_reading(self) -> dict[str, str]:
        """The verdict under each reading of the comparison."""
        return {"per-kind": self.comparison.verdict("per-kind"), "total": self.comparison.verdict("total")}


def rule_on(round_: Round, readings: Readings) -> Ruling:
    """Follow the round to the bell and decide. Every card of the inventory must be known."""
    play = follow(round_, readings)
    stock = tuple(card for card in round_.stock_cards if card is not None)
    comparison = compare(stock, play.orders)
    caller, turn_findings = _caller(round_, play)
    off_turn = any(finding.severity == "error" for finding in turn_findings)
    called_on = None if off_turn else _called_on(round_, play, caller, readings)
    findings = worst_first(
        (
            *check_table(round_),
            *check_cards(round_),
            *play.findings,
            *turn_findings,
            *_tokens(round_),
            *_no_culprit(play, off_turn or called_on is not None, readings),
        )
    )
    broken = any(finding.severity == "error" for finding in findings)
    takes = called_on if comparison.verdict(readings["compare"]) == TOO_MANY else caller
    takes = None if broken else takes
    token = next_token(round_.tokens) if round_.tokens is not None and takes else None
    return Ruling(
        round_,
        play,
        comparison,
        readings,
        caller,
        called_on,
        takes,
        token,
        _over_after(round_, takes, token),
        round_.after(takes) if takes else None,
        findings,
    )


def check_table(round_: Round) -> list[Finding]:
    """Players, inventory and open card must fit each other."""
    players, cards = len(round_.players), len(round_.inventory)
    found = []
    if players == 2 and cards == 3 and round_.open_card is None:
        message = "three cards for two players: one of them is taken as the open card, which counts like the others."
        return [Finding("durian.two-players", "note", "inventory", message)]
    if players and players != cards:
        message = f"{players} players hold one card each, but the inventory has {cards}."
        found.append(
            Finding("durian.setup", "error", "inventory", message, "Write one card a player, in the players' order.")
        )
    if players == 2 and round_.open_card is None:
        message = "two players play with a third, open card that belongs to the stock; none is recorded."
        found.append(Finding("durian.two-players", "error", "open_card", message, "Add the open card."))
    if players > 2 and round_.open_card is not None:
        message = f"only two players lay an open card; with {players} there is none."
        found.append(Finding("durian.two-players", "error", "open_card", message, "Take the open card out."))
    if cards > MOST_PLAYERS:
        message = f"there are {MOST_PLAYERS} card stands, but the inventory has {cards} cards."
        found.append(Finding("durian.setup", "error", "inventory", message, "Look at the inventory again."))
    return found


def seen_cards(round_: Round) -> Counter[Card]:
    """Every card that the record shows: inventory, open card, orders, gorillas drawn or lying beside orders."""
    seen: Counter[Card] = Counter(card for card in round_.stock_cards if card is not None)
    for entry in round_.entries:
        if isinstance(entry, GorillaTurn):
            seen[Gorilla(entry.name)] += 1
            continue
        seen[entry.card] += 1
        if entry.flipped_by:
            seen[Gorilla(entry.flipped_by)] += 1
    return seen


def check_cards(round_: Round) -> list[Finding]:
    """Cards used twice and hands that the deck cannot hold."""
    seen = seen_cards(round_)
    found = []
    for card, number in seen.items():
        if isinstance(card, Gorilla) and number > 1:
            message = f"{card.name.title()} is used {number} times, but there is one such card."
            found.append(Finding("durian.gorillas", "error", "cards", message, "One of them is another card."))
    fruit = sum(number for card, number in seen.items() if isinstance(card, FruitCard))
    if fruit > FRUIT_CARDS:
        message = f"{fruit} fruit cards are used, but the game has {FRUIT_CARDS}."
        found.append(Finding("durian.deck", "error", "cards", message, "Look at the cards again."))
    return found + _against_deck(seen, round_.deck)


def _against_deck(seen: Counter[Card], own: Counter[Card] | None) -> list[Finding]:
    """Cards above their number of copies: errors with the players' own deck table, one warning with the fan's list."""
    deck = own if own is not None else transcribed_deck()
    above = [
        f"{card} ({number} used, {deck[card]} in the {'deck table' if own is not None else 'list'})"
        for card, number in seen.items()
        if isinstance(card, FruitCard) and number > deck[card]
    ]
    if not above:
        return []
    if own is not None:
        message, mend = f"the deck cannot hold {listed(above)}.", "Look at the cards again, or mend the [deck] table."
        return [Finding("durian.deck", "error", "cards", message, mend)]
    message = f"a fan's list of the cards, not printed in the rulebook, does not hold {listed(above)}."
    mend = "Look at the cards again; if your game has them, write your own [deck] table."
    return [Finding("durian.deck-list", "warning", "cards", message, mend)]


def cards_left(round_: Round) -> int:
    """Cards of the draw pile, hidden cards of the inventory counted as dealt."""
    return DECK_CARDS - sum(seen_cards(round_).values()) - sum(card is None for card in round_.stock_cards)


def _caller(round_: Round, play: Play) -> tuple[str | None, list[Finding]]:
    """Who rang, and whether that player could."""
    found: list[Finding] = []
    on_turn = round_.after(round_.first, play.turns) if round_.first else None
    caller = round_.caller or on_turn
    if play.turns == 0:
        message = "the bell cannot be a round's first action: there is no previous active player to call on."
        found.append(Finding("durian.bell-first", "error", "caller", message, "The first player takes an order."))
    elif round_.caller is None and on_turn:
        message = f"no caller is recorded; after {play.turns} turns it is {on_turn}'s turn, so only {on_turn} can ring."
        found.append(Finding("durian.caller", "note", "caller", message))
    elif on_turn and caller != on_turn:
        message = f"{caller} rang, but after {_turns(play.turns)} from {round_.first} it is {on_turn}'s turn."
        found.append(
            Finding(
                "durian.caller",
                "error",
                "caller",
                message,
                f"Only {on_turn} may ring now; or a turn is missing in the record.",
            )
        )
    if play.turns and cards_left(round_) == 0:
        found.append(
            Finding("durian.forced-bell", "note", "orders", "the draw pile is empty, so the bell had to be rung.")
        )
    return caller, found


def _turns(number: int) -> str:
    return f"{number} turn{'s' if number != 1 else ''}"


def _called_on(round_: Round, play: Play, caller: str | None, readings: Readings) -> str | None:
    """The player called on, counted back from the caller; None where that cannot be told."""
    if caller is None or play.turns == 0:
        return None
    if readings["called-on"] == "previous-player":
        return round_.after(caller, -1)
    if play.last_order_turn is None:
        return None
    return round_.after(caller, play.last_order_turn - play.turns)


def _no_culprit(play: Play, known: bool, readings: Readings) -> list[Finding]:
    """Under `called-on=last-order` there may be nobody to call on."""
    if readings["called-on"] != "last-order" or known or play.turns == 0:
        return []
    if play.order_turns and play.timed:
        return []
    reason = "no order was taken" if not play.order_turns else "a photo does not show in which turn a gorilla was drawn"
    return [
        Finding(
            "durian.called-on",
            "warning",
            "caller",
            f"who took the last order cannot be told: {reason}.",
            "Use called-on=previous-player.",
        )
    ]


def _tokens(round_: Round) -> list[Finding]:
    """The tokens held before the round must allow it."""
    if round_.tokens is None:
        return []
    found = list(check_held(round_.tokens))
    for name in dismissed(round_.tokens):
        points = sum(round_.tokens[name])
        message = f"{name} holds {points} points before this round, so the game was over at {LIMIT}."
        found.append(
            Finding(
                "durian.end",
                "error",
                f"tokens of {name}",
                message,
                "Write the tokens held before the round, not after it.",
            )
        )
    return found


def _over_after(round_: Round, takes: str | None, token: int | None) -> bool | None:
    """Whether the token taken ends the game; None where tokens or taker are not known."""
    if round_.tokens is None or takes is None or token is None:
        return None
    return sum(round_.tokens.get(takes, ())) + token >= LIMIT
