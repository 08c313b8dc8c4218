"""Setting up Durian Dash for a number of players (rulebook, Game Setup)."""

from __future__ import annotations

from dataclasses import dataclass

from durian_assist.dash.varieties import CARDS_IN_GAME, DURIAN_CARDS, LEAST_PLAYERS, MOST_PLAYERS, row_length
from durian_assist.errors import UsageError


@dataclass(frozen=True, slots=True)
class Guide:
    """Cards in the game, taken out, in a row, laid out and left in the deck; the steps, each with its rule."""

    players: int
    in_game: int
    row: int
    steps: tuple[tuple[str, str], ...]

    @property
    def laid_out(self) -> int:
        """Cards in both rows."""
        return 2 * self.row

    def to_json(self) -> dict[str, object]:
        """JSON form."""
        return {
            "players": self.players,
            "cards_in_game": self.in_game,
            "taken_out": DURIAN_CARDS - self.in_game,
            "row": self.row,
            "laid_out": self.laid_out,
            "deck": self.in_game - self.laid_out,
            "steps": [{"text": text, "rule": rule} for text, rule in self.steps],
        }


def guide(players: int) -> Guide:
    """The setup for two to six players. Raises UsageError for another number."""
    if not LEAST_PLAYERS <= players <= MOST_PLAYERS:
        raise UsageError(f"Durian Dash is for two to six players, not {players}")
    in_game, row = CARDS_IN_GAME[players], row_length(players)
    taken_out = DURIAN_CARDS - in_game
    steps = [("Shuffle the action cards and deal three to each player; the rest is the action deck.", "dash.setup")]
    if taken_out:
        steps.append((f"Shuffle the durian cards and take {taken_out} out of the game unseen.", "dash.cards"))
    else:
        steps.append(("Shuffle the durian cards; all 60 stay in the game.", "dash.cards"))
    steps += [
        (f"Lay two rows of {row} durians face up; {in_game - 2 * row} cards are left as the deck.", "dash.setup"),
        ("Put the Pahang card above the upper row and the Johor card below the lower one.", "dash.setup"),
        ("Deal each player a preference card, to be kept secret, a location card and an aid card.", "dash.preference"),
    ]
    return Guide(players, in_game, row, tuple(steps))
