"""Setting up Durian for a number of players (rulebook, 2)."""

from __future__ import annotations

from dataclasses import dataclass

from durian_assist.durian.cards import DECK_CARDS, MOST_PLAYERS
from durian_assist.durian.round import Step
from durian_assist.errors import UsageError

# Rounds a game lasts, by arithmetic: tokens 1, 2, 3 ... are handed out until one player has 7 points.
LENGTHS = {2: (4, 5), 3: (4, 6)}
LONGEST = (4, 7)


@dataclass(frozen=True, slots=True)
class Guide:
    """Cards dealt and left for a number of players, how long the game lasts, and the steps."""

    players: int
    open_cards: int
    draw_pile: int
    rounds: tuple[int, int]
    steps: tuple[Step, ...]

    def to_json(self) -> dict[str, object]:
        """JSON form."""
        return {
            "players": self.players,
            "dealt": self.players,
            "open_cards": self.open_cards,
            "draw_pile": self.draw_pile,
            "rounds": list(self.rounds),
            "steps": [step.to_json() for step in self.steps],
        }


def guide(players: int) -> Guide:
    """The setup for two to seven players. Raises UsageError for another number."""
    if not 2 <= players <= MOST_PLAYERS:
        raise UsageError(f"Durian is for two to seven players, not {players}", mend="There are seven card stands.")
    open_cards = 1 if players == 2 else 0
    pile = DECK_CARDS - players - open_cards
    rounds = LENGTHS.get(players, LONGEST)
    steps = [
        Step("", "Shuffle the 28 fruit cards with the three gorillas.", "durian.setup"),
        Step(
            "",
            "Deal one card to each player, onto the stand, its face to the others. Never look at your own.",
            "durian.hidden",
        ),
    ]
    if open_cards:
        steps.append(Step("", "Lay one more card face up: it belongs to the stock as well.", "durian.two-players"))
    steps += [
        Step("", f"Stack the other {pile} cards face down as the draw pile.", "durian.setup"),
        Step("", "Put board, bell and the tokens 1 to 7 in reach of all.", "durian.setup"),
        Step("", "Whoever ate fruit last begins; later the player left of who took the token.", "durian.next-starter"),
        Step("", f"The game lasts {rounds[0]} to {rounds[1]} rounds, until somebody holds 7 points.", "durian.end"),
    ]
    return Guide(players, open_cards, pile, rounds, tuple(steps))
