"""How to lay out the table, and whose turn it is: setup and sequences for one to four players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from durian_assist.common.names import listed
from durian_assist.errors import UsageError
from durian_assist.smuggler.geometry import GRID_CARDS, SIDES, Side
from durian_assist.smuggler.play import TurnOrder
from durian_assist.smuggler.table import Mode

DECK: Final = 28
# Clockwise from beige. Arithmetic leaves three orders: four players need exactly three "+1" rounds in six, and the
# sequence after beige must be a "+1" for three players to get three of them in eight rounds.
SEQUENCES: Final = (
    ("beige", "yellow", "green", "red"),
    ("beige", "yellow", "red", "green"),
    ("beige", "red", "yellow", "green"),
)
THREE_PLAYERS: Final = ("beige", "yellow", "green")
INSTRUCTIONS: Final = {
    "beige": "everyone draws a card from the player to the right, all at once",
    "green": "everyone draws a card from the player to the left, all at once",
    "yellow": "+1: everyone gets a card from the deck, the active player first",
    "red": "+1: everyone gets a card from the deck, the active player first",
}
REFILLS: Final = 4


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do, with its rule."""

    text: str
    rule: str

    def to_json(self) -> dict[str, object]:
        return {"text": self.text, "rule": self.rule}


@dataclass(frozen=True, slots=True)
class Setup:
    """What to lay out. `hand`: cards dealt to each; `set_aside`: cards out of the game; `refills`: "+1" rounds."""

    players: int
    mode: Mode
    hand: int
    set_aside: int
    blind_decks: int
    deck: int
    rounds: int
    refills: int
    sequences: tuple[tuple[str, ...], ...]
    steps: tuple[Step, ...]

    def to_json(self) -> dict[str, object]:
        """JSON form."""
        return {
            "players": self.players,
            "mode": self.mode,
            "hand_cards": self.hand,
            "set_aside": self.set_aside,
            "blind_decks": self.blind_decks,
            "deck": self.deck,
            "rounds": self.rounds,
            "refills": self.refills,
            "sequences": [list(order) for order in self.sequences],
            "steps": [step.to_json() for step in self.steps],
        }


def setup(players: int, mode: Mode) -> Setup:
    """The layout. Raises UsageError for a number of players or a mode that does not exist."""
    if not 1 <= players <= 4:
        raise UsageError("Durian Smuggler is for one to four players", where=f"smuggler setup {players}")
    if players == 1 and mode == "competitive":
        raise UsageError("alone there is only the cooperative mode", where="smuggler setup 1 --mode competitive")
    return _with_blind_decks(players, mode) if players < 3 else _all_players(players, mode)


def _all_players(players: int, mode: Mode) -> Setup:
    hand, aside = (6, 1) if players == 3 else (4, 0)
    deck = DECK - players * hand - aside
    centre = "Lay the sequence card in the centre, 3-4 player side up, a sequence facing each player"
    three = players == 3
    steps = [
        Step(f"{centre}; nobody faces the red one." if three else f"{centre}.", "smuggler.setup"),
        Step(_identities(players, mode), "smuggler.identity"),
        Step(f"Shuffle all 28 luggage cards and deal {hand} to each player.", "smuggler.setup"),
        *(
            [Step("Set one card aside, face down: one in all, not one a player.", "smuggler.set-aside")]
            if three
            else []
        ),
        Step(f"The other {deck} cards are the face-down deck.", "smuggler.setup"),
        Step("Put a token on the beige sequence: whoever faces it starts.", "smuggler.turn-order"),
    ]
    orders = (THREE_PLAYERS,) if players == 3 else SEQUENCES
    return Setup(players, mode, hand, aside, 0, deck, GRID_CARDS // players, 3, orders, tuple(steps))


def _identities(players: int, mode: Mode) -> str:
    if mode == "cooperative":
        return "Lay two Airport Security cards and two face-down identity cards between the players, for all to see."
    unused = " The fourth stays face down, unseen: perhaps nobody is the Smuggler." if players == 3 else ""
    return f"Shuffle the four identity cards and deal each player one, secretly.{unused}"


def _with_blind_decks(players: int, mode: Mode) -> Setup:
    blind = 4 - players
    deck = DECK - 4 * 3
    identity = "One of the two is the Smuggler, the other Airport Security; then change roles and play again."
    steps = [
        Step("Lay the sequence card in the centre, 1-2 player side up.", "smuggler.setup"),
        Step("Sit where you like: the rulebook contradicts itself on which sides.", "smuggler.two-player-seats"),
        Step("Each player takes an Airport Security card: its back lists all luggage.", "smuggler.identity"),
        Step("Shuffle all 28 luggage cards and deal 3 to each player.", "smuggler.setup"),
        Step(f"Lay 3 cards face down at each of the other {blind} sides: blind decks.", "smuggler.blind-decks"),
        Step(
            f"The other {deck} cards are the face-down deck: exactly four refills of four cards.",
            "smuggler.two-players",
        ),
    ]
    if mode == "competitive":
        steps[2] = Step(identity, "smuggler.two-rounds")
    numbers = (("1", "2", "3", "4"),)
    return Setup(players, mode, 3, 0, blind, deck, GRID_CARDS // 2, REFILLS, numbers, tuple(steps))


@dataclass(frozen=True, slots=True)
class Round:
    """One round: who is active, in which order cards are placed, and what each colour or number says.

    `number` from 1; `placed`: cards in the grid when it begins; `colours`: the sequences it can be (one where the
    order on the card is known).
    """

    number: int
    rounds: int
    active: Side
    order: tuple[Side, ...]
    placed: int
    colours: tuple[str, ...]
    steps: tuple[Step, ...]

    def to_json(self) -> dict[str, object]:
        """JSON form."""
        return {
            "round": self.number,
            "rounds": self.rounds,
            "active": self.active,
            "order": list(self.order),
            "placed": self.placed,
            "sequences": list(self.colours),
            "steps": [step.to_json() for step in self.steps],
        }


def round_of(
    number: int, seats: Sequence[Side], start: Side, players: int, order: Sequence[str] | None = None
) -> Round:
    """Round `number` (from 1) where `start` faced beige, or sequence 1. Raises UsageError where there is none such."""
    rounds = GRID_CARDS // (players if players > 2 else 2)
    if not 1 <= number <= rounds:
        raise UsageError(f"with {players} players there are {rounds} rounds", where=f"--round {number}")
    if players < 3:
        return _numbered_round(number, rounds, start)
    turns = TurnOrder(tuple(seats), start)
    placed = (number - 1) * players
    movers = tuple(turns.mover(placed + position) for position in range(players))
    orders = (order,) if order else (THREE_PLAYERS,) if players == 3 else SEQUENCES
    colours = tuple(dict.fromkeys(colour[(number - 1) % players] for colour in orders))
    token = "Move the token clockwise to the next sequence" + (", past the red one." if players == 3 else ".")
    steps = [Step(text, "smuggler.sequences") for text in _instructions(colours)]
    steps.append(Step(f"Then each places one card face down: {listed(movers)}.", "smuggler.turn-order"))
    reveal = Step("The grid is full: reveal all cards along their arrows.", "smuggler.reveal")
    steps.append(Step(token, "smuggler.sequences") if number < rounds else reveal)
    return Round(number, rounds, movers[0], movers, placed, colours, tuple(steps))


def _instructions(colours: Sequence[str]) -> list[str]:
    """What the round's sequence says; a line for each instruction where the colour depends on the card's print."""
    same: dict[str, list[str]] = {}
    for colour in colours:
        same.setdefault(INSTRUCTIONS[colour], []).append(colour)
    condition = "" if len(same) == 1 else "if it is "
    return [f"{condition}{listed(names, 'or')}: {text}." for text, names in same.items()]


def _numbered_round(number: int, rounds: int, start: Side) -> Round:
    """With one or two players sequences 1 to 4 go round clockwise, and the card is turned after each round."""
    at = (SIDES.index(start) + number - 1) % 4
    one, two, three, four = (SIDES[(at + step) % 4] for step in range(4))
    steps = [
        Step(f"1: {one} hands a card to the left, to {two}.", "smuggler.two-players"),
        Step(f"2: {two} places a card into the grid.", "smuggler.two-players"),
        Step(f"3: {three} hands a card to the left, to {four}.", "smuggler.two-players"),
        Step(f"4: {four} places a card into the grid.", "smuggler.two-players"),
    ]
    if number <= REFILLS:
        steps.append(Step("Every side gets a card from the deck, blind decks face down.", "smuggler.two-players"))
    elif number == REFILLS + 1:
        steps.append(Step("The deck is empty: no more cards are handed out.", "smuggler.two-players"))
    last = "Turn the sequence card a quarter clockwise." if number < rounds else "The grid is full: reveal all cards."
    steps.append(Step(last, "smuggler.two-players" if number < rounds else "smuggler.reveal"))
    return Round(number, rounds, one, (two, four), (number - 1) * 2, ("1", "2", "3", "4"), tuple(steps))
