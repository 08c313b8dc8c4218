"""Guesses that nobody has confirmed yet: the comments that a reading writes into a record's text at uncertain cards.

    # uncertain: row 2 column 2: yellow4^ or orange5^
    # card 3 is uncertain: sultan or red-prawn (--set cards.3=...)

Who has looked at the card, and corrected it where it was wrong, takes the comment out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_COMMENT = re.compile(
    r"^[ \t]*#[ \t]*(?:uncertain:[ \t]*(?P<place>[^:\n]+)|(?P<other>[^:\n]+?) is uncertain)"
    r"(?::[ \t]*(?P<guesses>[^\n]*?))?(?:[ \t]*\(--set [^\n]*)?[ \t]*$",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Doubt:
    """A place, in words, whose card is a guess, and what it may be, best first. `line` is that of its comment, from 1;
    0 where it stands in no file."""

    place: str
    guesses: str
    line: int = 0

    @property
    def comment(self) -> str:
        """The comment that says so in a record."""
        return f"# uncertain: {self.place}: {self.guesses or 'no guess'}\n"


def doubts_of(text: str) -> tuple[Doubt, ...]:
    """The doubts that the comments of a TOML text say, in its order."""
    if "uncertain" not in text:
        return ()
    return tuple(
        Doubt(
            (found["place"] or found["other"]).strip(), found["guesses"] or "", text.count("\n", 0, found.start()) + 1
        )
        for found in _COMMENT.finditer(text)
    )
