"""Loader of the rules catalogue: one TOML file a game, one entry a rule.

An entry has `id`, `title`, `section` (of the rulebook), `text` (own words), `checks` (what the program checks of it, or
`not checkable`), `readings` (keys of common/readings.py) and `example`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from durian_assist.common.readings import QUESTIONS, Question

GAMES = ("smuggler", "durian", "dash")
NOT_CHECKABLE = "not checkable"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule in own words, with the section of the rulebook that it comes from."""

    id: str
    title: str
    section: str
    text: str
    checks: str
    readings: tuple[str, ...] = ()
    example: str = ""

    @property
    def game(self) -> str:
        """The game that the rule belongs to."""
        return self.id.split(".", 1)[0]

    @property
    def questions(self) -> tuple[Question, ...]:
        """The open questions that turn on this rule."""
        return tuple(q for q in QUESTIONS[self.game] if q.key in self.readings)

    def to_json(self) -> dict[str, object]:
        """JSON form."""
        return {
            "id": self.id,
            "title": self.title,
            "section": self.section,
            "text": self.text,
            "checks": self.checks,
            "readings": [
                {"key": q.key, "question": q.question, "default": q.default, "choices": dict(q.choices), "why": q.why}
                for q in self.questions
            ],
            "example": self.example,
        }


def load(game: str) -> Mapping[str, Rule]:
    """The rules of a game by id, in the catalogue's order."""
    text = Path(__file__).with_name(f"{game}.toml").read_text(encoding="utf-8")
    rules = (_rule(entry) for entry in tomllib.loads(text)["rule"])
    return {rule.id: rule for rule in rules}


def load_all() -> Mapping[str, Rule]:
    """The rules of all games by id."""
    return {id_: rule for game in GAMES for id_, rule in load(game).items()}


def _rule(entry: dict[str, object]) -> Rule:
    readings = entry.get("readings", [])
    assert isinstance(readings, list)
    words = {key: " ".join(str(value).split()) for key, value in entry.items() if key != "readings"}
    return Rule(**words, readings=tuple(readings))
