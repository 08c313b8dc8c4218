"""A round of Durian beside the session book: who should have gone first, and how the players sit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from durian_assist.common.names import UnknownName, listed, resolve
from durian_assist.records.document import load_record

if TYPE_CHECKING:
    from durian_assist.ledger.entries import Session


def at_odds(session: Session, record: str | None) -> list[str]:
    """Warnings where the next round of a session starts with, or seats, others than the book has it."""
    if session.setup.game != "durian" or not record:
        return []
    root = load_record("the round's record", record).root.value
    assert isinstance(root, dict)
    named = root.get("players")
    texts = [str(node.value) for node in named.value] if named is not None and isinstance(named.value, list) else []
    book = session.setup.players
    seated = [name for text in texts if (name := _player(text, book))]
    first = _player(str(root["first"].value), book) if "first" in root else ""
    return [*_turned(seated, book), *_starter(session, first, seated)]


def _player(text: str, players: Sequence[str]) -> str:
    """The session's player of that name, "" for nobody's: that is refused elsewhere."""
    try:
        return resolve(text, players)
    except UnknownName:
        return ""


def _turned(seated: Sequence[str], book: Sequence[str]) -> list[str]:
    """Whether these players follow one another in another order than in the book, wherever one begins to count."""
    expected = [name for name in book if name in seated]
    turns = [expected[at:] + expected[:at] for at in range(len(expected))]
    if not seated or list(seated) in turns:
        return []
    return [
        f"the round seats the players clockwise {listed(seated)}, the session {listed(expected)}: whose turn it was "
        "and who starts next depend on it"
    ]


def _starter(session: Session, first: str, seated: Sequence[str]) -> list[str]:
    """Whether somebody else went first than the one to the left of who took the last token."""
    taker = session.results[-1].takes if session.results else ""
    book = session.setup.players
    if not first or not taker:
        return []
    at = book.index(taker)
    follow = [name for name in (*book[at + 1 :], *book[: at + 1]) if not seated or name in seated]
    if not follow or follow[0] == first:
        return []
    return [
        f"by the book {follow[0]} starts this round, to the left of {taker}, who took the last token; "
        f"here it was {first}"
    ]
