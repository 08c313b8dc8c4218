"""The market of Durian Dash and its resupply at the end of a round (rulebook, 3. Resupply)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from durian_assist.common.answers import Finding
from durian_assist.common.readings import Readings
from durian_assist.common.text import plural
from durian_assist.dash.varieties import LOW_ROW, PLANTATIONS, ROTTEN, UNKNOWN, proper, row_length

Rows = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Supply:
    """Rows from left to right, and the deck from the top; unknown cards are `?`."""

    players: int
    rows: Rows
    deck: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SupplyStep:
    """One thing to do: `refill` or `new` (cards are laid), `remove` (the row goes), `leave` (it stays as it is),
    `look` (some card must be known to decide)."""

    action: str
    row: str
    cards: tuple[str, ...]
    rule: str
    text: str

    @property
    def done(self) -> bool:
        """Whether people at the table move cards in this step."""
        return self.action in {"refill", "new", "remove"}

    def to_json(self) -> dict[str, object]:
        """JSON form."""
        return {
            "action": self.action,
            "row": self.row,
            "count": len(self.cards),
            "cards": list(self.cards),
            "rule": self.rule,
            "text": self.text,
        }


@dataclass(frozen=True, slots=True)
class Resupply:
    """What a resupply does: the steps in order, rows and deck after, cards removed, whether the next round is the last.

    `settled` is false where an unknown card decides whether a row goes: then the steps end there.
    """

    steps: tuple[SupplyStep, ...]
    rows: Rows
    deck: tuple[str, ...]
    removed: tuple[str, ...]
    last_round: bool | None
    settled: bool
    findings: tuple[Finding, ...]


def resupply(supply: Supply, readings: Readings) -> Resupply:
    """Refill low rows, Pahang first, then take out rotten rows, again while a new one is rotten."""
    return _Resupplier(supply, readings).run()


@dataclass(slots=True)
class _Resupplier:
    supply: Supply
    readings: Readings
    rows: dict[str, list[str]] = field(init=False)
    deck: list[str] = field(init=False)
    removed: list[str] = field(default_factory=list)
    steps: list[SupplyStep] = field(default_factory=list)
    short: bool = False
    settled: bool = True

    def __post_init__(self) -> None:
        self.rows = {name: list(self.supply.rows[name]) for name in PLANTATIONS}
        self.deck = list(self.supply.deck)

    @property
    def full(self) -> int:
        return row_length(self.supply.players)

    def run(self) -> Resupply:
        empty_before = not self.deck
        for row in PLANTATIONS:
            self.refill(row)
        for row in PLANTATIONS:
            self.clear(row)
        findings = [self.over()] if empty_before else []
        last = True if self.short or not self.deck else False if self.settled else None
        return Resupply(
            tuple(self.steps),
            {name: tuple(cards) for name, cards in self.rows.items()},
            tuple(self.deck),
            tuple(self.removed),
            last,
            self.settled,
            tuple(findings),
        )

    def over(self) -> Finding:
        message = "the deck was empty before this resupply: if it ran out in an earlier round, the game is over now."
        return Finding("dash.last-round", "note", "deck", message)

    def refill(self, row: str) -> None:
        lying = len(self.rows[row])
        if lying > LOW_ROW:
            text = f"{proper(row)} has {lying} cards, more than {LOW_ROW}: it stays as it is"
            self.steps.append(SupplyStep("leave", row, (), "dash.low-row", text))
            return
        self.lay("refill", row, self.full - lying, f"{proper(row)} has {plural(lying, 'card')}, {LOW_ROW} or fewer: ")

    def lay(self, action: str, row: str, wanted: int, why: str) -> None:
        """Lay `wanted` cards from the deck at the right end of a row, as far as the reading lets the deck go."""
        have = len(self.deck)
        if have < wanted:
            self.short = True
        if have < wanted and (self.readings["refill"] == "leave" or not have):
            text = f"{why}it would need {wanted}, but the deck has {have}: it is not filled"
            self.steps.append(SupplyStep("leave", row, (), "dash.refill", text))
            return
        cards = tuple(self.deck[:wanted])
        del self.deck[:wanted]
        self.rows[row] += cards
        rest = f", all that the deck has of {wanted}" if have < wanted else ""
        named = "" if all(card == UNKNOWN for card in cards) else f" ({', '.join(cards)})"
        rule = "dash.refill" if action == "refill" else "dash.rotten-row"
        text = f"{why}lay {len(cards)} from the deck{rest}{named}"
        self.steps.append(SupplyStep(action, row, cards, rule, text))

    def clear(self, row: str) -> None:
        """Take the row out while half of it or more is rotten."""
        while self.settled and self.rows[row]:
            cards = self.rows[row]
            rotten, unknown = cards.count(ROTTEN), cards.count(UNKNOWN)
            if 2 * (rotten + unknown) < len(cards):
                return
            if 2 * rotten < len(cards):
                self.undecided(row, rotten, unknown)
                return
            self.remove(row, rotten)
            if self.readings["rotten-row"] == "once":
                return

    def undecided(self, row: str, rotten: int, unknown: int) -> None:
        size = len(self.rows[row])
        need = -(-size // 2) - rotten
        text = (
            f"{proper(row)}: {rotten} of {size} are rotten and {unknown} not known; "
            f"with {need} or more rotten among these it goes: look at it"
        )
        self.steps.append(SupplyStep("look", row, (), "dash.rotten-row", text))
        self.settled = False

    def remove(self, row: str, rotten: int) -> None:
        gone = tuple(self.rows[row])
        self.removed += gone
        self.rows[row] = []
        text = f"{proper(row)}: {rotten} of {len(gone)} are rotten, half or more: the whole row leaves the game"
        self.steps.append(SupplyStep("remove", row, gone, "dash.rotten-row", text))
        self.lay("new", row, self.full, f"{proper(row)} gets a new row: ")


@dataclass(frozen=True, slots=True)
class SupplyClaim:
    """What people say they did: `refill`, `remove` or `new` with a row, and how many cards where that is said."""

    action: str
    row: str
    count: int | None = None

    def __str__(self) -> str:
        return f"{self.action} {self.row}" + ("" if self.count is None else f" {self.count}")

    def fits(self, step: SupplyStep) -> bool:
        """Whether it is this step."""
        return (self.action, self.row) == (step.action, step.row) and self.count in {None, len(step.cards)}


@dataclass(frozen=True, slots=True)
class Difference:
    """The first step in which the players did something else: its number from 1, both, the rule, and a sentence."""

    step: int
    expected: str
    claimed: str
    rule: str
    text: str

    def to_json(self) -> dict[str, object]:
        """JSON form."""
        return {
            "step": self.step,
            "expected": self.expected or None,
            "claimed": self.claimed or None,
            "rule": self.rule,
            "text": self.text,
        }


def first_difference(found: Resupply, claimed: tuple[SupplyClaim, ...]) -> Difference | None:
    """The first step that differs from the rules; None where all are the same, as far as the resupply is settled."""
    done = [step for step in found.steps if step.done]
    for number, (step, claim) in enumerate(zip(done, claimed, strict=False), 1):
        if not claim.fits(step):
            expected = str(SupplyClaim(step.action, step.row, len(step.cards)))
            text = f"step {number}: expected {expected}, not {claim}: {step.text}"
            return Difference(number, expected, str(claim), step.rule, text)
    if len(claimed) > len(done) and found.settled:
        extra = claimed[len(done)]
        number = len(done) + 1
        rule, why = _why_not(found, extra)
        return Difference(
            number, "", str(extra), rule, f"step {number}: {extra}, but nothing more is to be done: {why}"
        )
    if len(claimed) < len(done):
        step, number = done[len(claimed)], len(claimed) + 1
        expected = str(SupplyClaim(step.action, step.row, len(step.cards)))
        return Difference(number, expected, "", step.rule, f"step {number}: {expected} was left out: {step.text}")
    return None


def _why_not(found: Resupply, claim: SupplyClaim) -> tuple[str, str]:
    """Why a further step is wrong: the row had enough cards, could not be filled, or is not rotten."""
    if claim.action == "refill":
        left = next((step for step in found.steps if step.action == "leave" and step.row == claim.row), None)
        if left:
            return left.rule, left.text
    return "dash.rotten-row", f"{proper(claim.row)} is not half rotten"


def check_cards(players: int, in_game: int, places: Mapping[str, int | None]) -> list[Finding]:
    """Whether all cards of the game add up. `places` maps a place in words to its cards, None where not recorded."""
    known = sum(count for count in places.values() if count is not None)
    parts = ", ".join(f"{place} {count}" for place, count in places.items() if count is not None)
    missing = [place for place, count in places.items() if count is None]
    if known > in_game:
        message = f"{known} cards are on the table ({parts}), but the game has {in_game} with {players} players."
        return [Finding("dash.cards", "error", "cards", message, "Count again; some card is counted twice.")]
    if missing:
        message = f"not decided: {', '.join(missing)} not recorded; {in_game - known} cards must be there."
        return [Finding("dash.cards", "note", "cards", message)]
    if known < in_game:
        message = f"{known} cards are on the table ({parts}), {in_game - known} fewer than {players} players have."
        return [Finding("dash.cards", "error", "cards", message, "Look for them under the table, or count again.")]
    return []
