"""A session as its log tells it: entries, the rounds in force, and the rows that `show` prints."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from durian_assist.common.answers import points_json
from durian_assist.common.readings import Readings
from durian_assist.ledger.log import State, Step
from durian_assist.ledger.rounds import Brought, PhotoMark, RoundResult, Setup
from durian_assist.ledger.standing import Standing, stand, tokens_after


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the log. `at` is UTC in ISO 8601; `data` is what its kind needs, `rules` their version."""

    seq: int
    at: str
    program: str
    rules: str
    kind: str
    round: int | None
    target: int | None
    data: Mapping[str, Any]
    result: RoundResult | None

    @property
    def step(self) -> Step:
        """What it does to the state."""
        return Step(self.seq, self.kind, self.round, self.target)

    @property
    def brought(self) -> Brought:
        """How its round came into the book; for `add` and `amend` only."""
        photos = tuple(PhotoMark(photo["name"], photo["sha256"]) for photo in self.data.get("photos", []))
        return Brought(
            self.data.get("record"),
            self.data.get("source", ""),
            photos,
            self.data.get("read"),
            tuple(self.data.get("corrected", [])),
            self.data.get("deck", ""),
            tuple(self.data.get("guessed", [])),
        )

    def to_json(self) -> dict[str, object]:
        """JSON form, as exports hold it; what is empty is left out."""
        return {
            "seq": self.seq,
            "at": self.at,
            "program": self.program,
            "rules": self.rules,
            "kind": self.kind,
            **({} if self.round is None else {"round": self.round}),
            **({} if self.target is None else {"target": self.target}),
            **({"data": dict(self.data)} if self.data else {}),
            **({} if self.result is None else {"result": self.result.to_json()}),
        }


def renamed(setup: Setup, entry: Entry) -> Setup:
    """The setup after an entry: the undo of a removal brings a session back under another name where it says one."""
    return replace(setup, name=entry.data["name"]) if entry.kind == "undo" and "name" in entry.data else setup


@dataclass(frozen=True, slots=True)
class Session:
    """A whole session, worked out from its log."""

    uid: str
    setup: Setup
    entries: tuple[Entry, ...]
    state: State

    @property
    def in_force(self) -> list[Entry]:
        """The entry of each round that counts."""
        return [self.entries[seq - 1] for seq in self.state.rounds]

    @property
    def results(self) -> list[RoundResult]:
        """The result of each round."""
        return [entry.result or RoundResult() for entry in self.in_force]

    def rounds_of(self, photos: Iterable[PhotoMark]) -> list[tuple[str, int]]:
        """Which of some photos a round came from already, the same file by its contents: name now, round number."""
        known = {mark.sha256: number for number, e in enumerate(self.in_force, 1) for mark in e.brought.photos}
        return [(photo.name, known[photo.sha256]) for photo in photos if photo.sha256 in known]

    def rounds_with(self, record: str | None) -> list[int]:
        """Which rounds were scored from this very record."""
        return [number for number, e in enumerate(self.in_force, 1) if record and e.brought.record == record]

    @property
    def standing(self) -> Standing:
        """Where the session stands."""
        return stand(self.setup, self.results)

    def _versions(self, number: int) -> list[Entry]:
        return [self.entries[seq - 1] for seq in self.state.versions[number - 1]]

    def notes(self) -> dict[int | None, list[str]]:
        """Notes by the round that they are about; None for those about the session."""
        found: dict[int | None, list[str]] = {}
        for seq in self.state.notes:
            entry = self.entries[seq - 1]
            found.setdefault(entry.round, []).append(str(entry.data["text"]))
        return found

    def rows(self, results: Sequence[RoundResult] | None = None) -> list[dict[str, object]]:
        """The rounds in JSON form, as they are or with other `results` that are only tried."""
        results = self.results if results is None else results
        notes = self.notes()
        gained = round_points(self.setup, results)
        return [
            _row(number, self._versions(number), result, gained[number - 1], notes.get(number, []))
            for number, result in enumerate(results, 1)
        ]


def _row(
    number: int, versions: Sequence[Entry], result: RoundResult, gained: Mapping[str, Fraction], notes: list[str]
) -> dict[str, object]:
    brought = versions[-1].brought
    row: dict[str, object] = {
        "round": number,
        "points": {name: points_json(points) for name, points in gained.items()},
        "time": versions[0].at,
        "amended": len(versions) - 1,
        "source": brought.source,
    }
    more = {
        "result": result.outcome,
        "smuggler": result.smuggler,
        "takes_token": result.takes,
        "winners": list(result.winners),
        "corrected": list(brought.corrected),
        "guessed": list(brought.guessed),
        "notes": notes,
    }
    return row | {key: value for key, value in more.items() if value}


def round_points(setup: Setup, results: Sequence[RoundResult]) -> list[Mapping[str, Fraction]]:
    """Points that each round brought; for Durian those of the tokens that were taken in it."""
    if setup.game != "durian":
        return [result.points for result in results]
    gained: list[Mapping[str, Fraction]] = []
    before = dict.fromkeys(setup.players, Fraction(0))
    held = tokens_after(setup, [])
    for result in results:
        held = tokens_after(setup, [result], held)
        now = {name: Fraction(sum(tokens)) for name, tokens in held.items()}
        gained.append({name: now[name] - before[name] for name in setup.players if now[name] != before[name]})
        before = now
    return gained


def setup_to_json(setup: Setup) -> dict[str, object]:
    """What the `new` entry holds. All readings are written out, so that a later default changes nothing."""
    return {
        "name": setup.name,
        "game": setup.game,
        "players": list(setup.players),
        "mode": setup.mode,
        "deck": setup.deck,
        "readings": dict(setup.readings.chosen),
    }


def setup_from_json(data: Mapping[str, Any]) -> Setup:
    """Back from `setup_to_json`."""
    chosen = {**Readings.defaults(data["game"]).chosen, **data["readings"]}
    return Setup(
        data["name"], data["game"], tuple(data["players"]), Readings(data["game"], chosen), data["mode"], data["deck"]
    )


def brought_to_json(brought: Brought) -> dict[str, object]:
    """What an `add` or `amend` entry holds; what is empty is left out."""
    full: dict[str, object] = {
        "source": brought.source,
        "record": brought.record,
        "photos": [photo.to_json() for photo in brought.photos],
        "read": dict(brought.read) if brought.read else None,
        "corrected": list(brought.corrected),
        "deck": brought.deck,
        "guessed": list(brought.guessed),
    }
    return {key: value for key, value in full.items() if value}


def compact(document: object) -> str:
    """JSON on one line, as the book stores it."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))
