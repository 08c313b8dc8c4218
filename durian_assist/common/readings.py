"""House readings: the questions that the rulebooks leave open, their answers and which one is in force.

The rulebooks are silent or unclear on these points. The product follows the default, says that it did where it
decided something, and takes the other reading with `--reading KEY=VALUE`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from durian_assist.common.names import UnknownName, listed, resolve
from durian_assist.errors import UsageError


@dataclass(frozen=True, slots=True)
class Question:
    """One open question: its key, its choices with their meaning, and why the default is the default."""

    key: str
    question: str
    default: str
    choices: Mapping[str, str]
    why: str
    rule: str


QUESTIONS: Mapping[str, tuple[Question, ...]] = {
    "smuggler": (
        Question(
            "half-points",
            "What is half of an odd badge?",
            "exact",
            {
                "exact": "halves stay halves",
                "down": "half of an odd badge is rounded down: half of 5 is 2",
                "up": "half of an odd badge is rounded up: half of 5 is 3",
            },
            "The rulebook halves badges and never speaks of rounding.",
            "smuggler.half-points",
        ),
        Question(
            "exemption",
            "When may a card lie beside another of the same side?",
            "no-cell-left",
            {
                "no-cell-left": "only where that player had no aligned cell left at that moment, in any round",
                "last-round": "the same, but only in the last round",
                "never": "never",
            },
            "The rulebook allows it late in the game where no legal placement remains, and names no round.",
            "smuggler.exemption",
        ),
    ),
    "durian": (
        Question(
            "compare",
            "What is compared when the bell rings?",
            "per-kind",
            {
                "per-kind": "too many as soon as any one fruit is ordered above its own stock",
                "total": "too many when all orders together are above the whole stock",
            },
            "The rulebook's text speaks of totals; the game is played by kind, in every implementation and in print.",
            "durian.compare",
        ),
        Question(
            "no-target",
            "What becomes of a gorilla drawn when no order can be flipped?",
            "wasted",
            {"wasted": "it does nothing and the turn passes", "redraw": "it does nothing and the player draws again"},
            "The rulebook is silent.",
            "durian.no-target",
        ),
        Question(
            "called-on",
            "Who is called on?",
            "previous-player",
            {
                "previous-player": "the previous active player, whatever that player did",
                "last-order": "the player who took the last order",
            },
            "The rulebook names the previous active player.",
            "durian.called-on",
        ),
    ),
    "dash": (
        Question(
            "take",
            "Which card of the row does a player take?",
            "end",
            {"end": "the one at the end that the action card points to", "any": "any card of the row"},
            "The rulebook takes it from the row in the direction on the card, which is left or right; "
            "it also speaks of cards of one's choice.",
            "dash.take",
        ),
        Question(
            "refill",
            "What happens to a row that the deck cannot fill?",
            "leave",
            {"leave": "it is not filled", "partial": "it is filled as far as the deck goes"},
            "The rulebook says that such a row is not filled.",
            "dash.refill",
        ),
        Question(
            "rotten-row",
            "Is a new row that is half rotten replaced again?",
            "again",
            {"again": "yes, as long as it holds", "once": "no, a row is replaced once"},
            "The rulebook removes any row that is half rotten after the resupply.",
            "dash.rotten-row",
        ),
    ),
}


@dataclass(frozen=True, slots=True)
class Readings:
    """The readings in force for one game."""

    game: str
    chosen: Mapping[str, str]

    def __getitem__(self, key: str) -> str:
        return self.chosen[key]

    @classmethod
    def defaults(cls, game: str) -> Readings:
        """Every question answered by its default."""
        return cls(game, {q.key: q.default for q in QUESTIONS[game]})

    @classmethod
    def parse(cls, game: str, settings: Iterable[str]) -> Readings:
        """From `KEY=VALUE` texts, over the defaults. Raises UsageError for an unknown key or value."""
        chosen = dict(cls.defaults(game).chosen)
        for setting in settings:
            key, value = _setting(game, setting)
            chosen[key] = value
        return cls(game, chosen)

    def settings(self) -> tuple[str, ...]:
        """As `KEY=VALUE` texts, those that differ from the default only."""
        return tuple(f"{q.key}={self[q.key]}" for q in QUESTIONS[self.game] if self[q.key] != q.default)

    def note(self, key: str) -> dict[str, str]:
        """What the answer says where this reading decided something."""
        question = next(q for q in QUESTIONS[self.game] if q.key == key)
        return {
            "key": key,
            "value": self[key],
            "meaning": question.choices[self[key]],
            "source": "default" if self[key] == question.default else "chosen",
            "rule": question.rule,
        }


def _setting(game: str, text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    where = f"--reading {text}"
    if not equals:
        raise UsageError("a reading is KEY=VALUE", where=where, mend=f"Keys: {listed(q.key for q in QUESTIONS[game])}.")
    questions = {q.key: q for q in QUESTIONS[game]}
    try:
        question = questions[resolve(key, questions)]
    except UnknownName as error:
        raise UsageError(error.sentence, where=where, mend=f"Readings of {game}: {listed(questions)}.") from None
    try:
        return question.key, resolve(value, question.choices)
    except UnknownName as error:
        mend = f"{question.key} can be {listed(question.choices, 'or')}."
        raise UsageError(error.sentence, where=where, mend=mend) from None
