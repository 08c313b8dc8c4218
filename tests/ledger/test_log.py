"""The log: what follows from entries, and entries that cannot follow."""

from __future__ import annotations

import pytest

from durian_assist.ledger.log import BrokenLog, State, Step, replay


def steps(text: str) -> list[Step]:
    """`new add:1 amend:1 undo@3` as steps: kind, round after `:`, target after `@`."""
    found = []
    for seq, word in enumerate(text.split(), 1):
        kind, _, target = word.partition("@")
        kind, _, number = kind.partition(":")
        found.append(Step(seq, kind, int(number) if number else None, int(target) if target else None))
    return found


def state(text: str) -> State:
    """The state after steps."""
    return replay(steps(text))


@pytest.mark.parametrize(
    ("text", "rounds"),
    [
        ("new", []),
        ("new add:1 add:2", [2, 3]),
        ("new add:1 amend:1", [3]),
        ("new add:1 amend:1 amend:1 undo@4", [3]),
        ("new add:1 amend:1 undo@3", [2]),
        ("new add:1 undo@2", []),
        ("new add:1 undo@2 redo@2", [2]),
        ("new add:1 amend:1 undo@3 undo@2 redo@2 redo@3", [3]),
        ("new add:1 undo@2 add:1", [4]),
        ("new add:1 note:1 undo@3", [2]),
    ],
)
def test_the_entry_in_force_of_each_round(text: str, rounds: list[int]) -> None:
    assert state(text).rounds == rounds


def test_a_removal_is_taken_back_like_any_change() -> None:
    assert state("new add:1 remove").removed
    after = state("new add:1 remove undo@3")
    assert not after.removed
    assert after.rounds == [2]


def test_notes_stand_until_they_are_taken_back() -> None:
    assert state("new note add:1 note:1").notes == [2, 4]
    assert state("new note add:1 note:1 undo@4").notes == [2]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("add:1", "entry 1 .add.: a session starts with `new`"),
        ("new new", "starts with `new`, once"),
        ("new add:2", "should be round 1"),
        ("new add:1 add:1", "should be round 2"),
        ("new amend:1", "there is no such round"),
        ("new add:1 amend", "there is no such round"),
        ("new note:1", "there is no such round"),
        ("new undo@1", "not about the last change"),
        ("new add:1 amend:1 undo@2", "not about the last change"),
        ("new add:1 undo@2 add:1 redo@2", "not about the last undo"),
        ("new remove add:1", "the session was removed before"),
        ("new remove redo@2", "the session was removed before"),
        ("new celebrate", "of an unknown kind"),
    ],
)
def test_an_entry_that_cannot_follow_is_named(text: str, reason: str) -> None:
    with pytest.raises(BrokenLog, match=reason):
        state(text)


def test_numbers_of_entries_have_no_gap() -> None:
    with pytest.raises(BrokenLog, match="should be number 2"):
        replay([Step(1, "new"), Step(3, "remove")])
