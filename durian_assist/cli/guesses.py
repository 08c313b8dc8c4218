"""What must be said of guesses: those that `--accept` took from a photo, and those of a draft nobody has confirmed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from durian_assist.common.answers import Finding
from durian_assist.records.document import Document

if TYPE_CHECKING:
    from durian_assist.cli.tables_in import Loaded


def said_of(rule: str, loaded: Loaded) -> list[Finding]:
    """The guesses in a table: those that were taken from its photo, else those that its record still marks."""
    return accepted(rule, [loaded.photo.warning]) if loaded.photo else unconfirmed(rule, loaded.document)


def accepted(rule: str, warnings: Iterable[str]) -> list[Finding]:
    """The best guesses that were taken from photos."""
    mend = "Check these cards on the table."
    return [Finding(rule, "warning", "photo", f"{warning}.", mend) for warning in warnings if warning]


def unconfirmed(rule: str, document: Document, besides: Iterable[str] = ()) -> list[Finding]:
    """The guesses that a record's comments mark, but for those of the players `besides`."""
    seen = tuple(f"{name}, " for name in besides)
    return [
        Finding(
            rule,
            "warning",
            doubt.place,
            f"a guess from the photo that nobody has confirmed: {doubt.guesses or 'no guess'}.",
            _mend(document, doubt.line),
        )
        for doubt in document.doubts
        if not doubt.place.startswith(seen)
    ]


def _mend(document: Document, line: int) -> str:
    where = f" ({document.source.name}, line {line})" if line else ""
    return f"Look at the card, correct it where it is wrong, and take the comment out of the record{where}."
