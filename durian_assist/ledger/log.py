"""The log: entries that are only ever appended, and the state that follows from them.

Undo takes back the last change that stands (a round, an amended round, a note, a removal); redo brings back the last
one that was taken back, until a new change is made. Both are entries of their own and name the entry they are about.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

KINDS = ("new", "add", "amend", "note", "remove", "undo", "redo")


@dataclass(frozen=True, slots=True)
class Step:
    """What an entry does: its number in its session from 1, kind, the round it is about, the entry it is about."""

    seq: int
    kind: str
    round: int | None = None
    target: int | None = None


class BrokenLog(ValueError):
    """An entry that cannot follow those before it."""


@dataclass(slots=True)
class State:
    """What stands after some entries. Numbers are the `seq` of entries.

    versions  for each round the entries that gave it, the last one in force
    done      changes that stand, in order; undone: those taken back, the last one first to come back
    """

    versions: list[list[int]] = field(default_factory=list)
    notes: list[int] = field(default_factory=list)
    done: list[Step] = field(default_factory=list)
    undone: list[Step] = field(default_factory=list)
    removed: bool = False
    last: int = 0

    @property
    def rounds(self) -> list[int]:
        """The entry in force of each round."""
        return [versions[-1] for versions in self.versions]


def replay(steps: Iterable[Step]) -> State:
    """The state after all steps. Raises BrokenLog naming the first that cannot be."""
    state = State()
    for step in steps:
        apply(state, step)
    return state


def apply(state: State, step: Step) -> None:
    """Carry out one step on `state`. Raises BrokenLog where it cannot follow."""
    _require(step.seq == state.last + 1, step, f"should be number {state.last + 1}")
    _require((step.kind == "new") == (step.seq == 1), step, "a session starts with `new`, once")
    _require(not state.removed or step.kind == "undo", step, "the session was removed before")
    if step.kind == "undo":
        _require(bool(state.done) and step.target == state.done[-1].seq, step, "is not about the last change")
        change = state.done.pop()
        _take_back(state, change)
        state.undone.append(change)
    elif step.kind == "redo":
        _require(bool(state.undone) and step.target == state.undone[-1].seq, step, "is not about the last undo")
        change = state.undone.pop()
        _make(state, change)
        state.done.append(change)
    elif step.kind != "new":
        _make(state, step)
        state.done.append(step)
        state.undone.clear()
    state.last = step.seq


def _make(state: State, step: Step) -> None:
    if step.kind == "add":
        _require(step.round == len(state.versions) + 1, step, f"should be round {len(state.versions) + 1}")
        state.versions.append([step.seq])
    elif step.kind == "amend":
        _require(step.round is not None and 1 <= step.round <= len(state.versions), step, "there is no such round")
        state.versions[(step.round or 0) - 1].append(step.seq)
    elif step.kind == "note":
        _require(step.round is None or 1 <= step.round <= len(state.versions), step, "there is no such round")
        state.notes.append(step.seq)
    else:
        _require(step.kind == "remove", step, "is of an unknown kind")
        state.removed = True


def _take_back(state: State, step: Step) -> None:
    if step.kind == "add":
        state.versions.pop()
    elif step.kind == "amend":
        state.versions[(step.round or 0) - 1].pop()
    elif step.kind == "note":
        state.notes.pop()
    else:
        state.removed = False


def _require(holds: bool, step: Step, reason: str) -> None:
    if not holds:
        raise BrokenLog(f"entry {step.seq} ({step.kind}): {reason}")
