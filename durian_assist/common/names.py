"""Names as people type them: no regard to case, spaces as hyphens, unique starts, short forms, near misses."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping

from durian_assist.common.text import as_utf8, seen


class UnknownName(ValueError):
    """A name that fits none, or more than one, of those known. `closest` are the names to offer."""

    def __init__(self, text: str, closest: tuple[str, ...], *, ambiguous: bool = False) -> None:
        self.text, self.closest, self.ambiguous = text, closest, ambiguous
        super().__init__(self.sentence)

    @property
    def sentence(self) -> str:
        """One sentence with the names that come closest."""
        if self.ambiguous:
            return f'"{self.text}" could be {listed(self.closest, "or")}'
        if self.closest:
            return f'"{self.text}" is not known; did you mean {listed(self.closest, "or")}?'
        return f'"{self.text}" is not known'


def fold(text: str) -> str:
    """The form in which names are compared: NFKC, casefold, spaces and underscores as single hyphens, nothing that
    nobody sees."""
    plain = unicodedata.normalize("NFKC", seen(as_utf8(text))).casefold().replace("_", " ").replace("-", " ")
    return "-".join(plain.split())


def listed(names: Iterable[str], last: str = "and") -> str:
    """`a, b and c`."""
    items = list(names)
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def rounds_named(numbers: Iterable[int]) -> str:
    """`round 2`, `rounds 1, 2 and 5`: a number alone would read as how many there are."""
    items = [str(number) for number in numbers]
    return f"round{'' if len(items) == 1 else 's'} {listed(items)}"


def initials(name: str) -> str:
    """`mao-shan-wang` to `msw`; a name of one word has no initials."""
    parts = fold(name).split("-")
    return "".join(part[0] for part in parts) if len(parts) > 1 else ""


def resolve(text: str, known: Iterable[str], short: Mapping[str, str] | None = None) -> str:
    """The known name that `text` means.

    Tried in turn: the same after folding, a short form (given, or the initials of a name of several words), a
    unique start. Raises UnknownName with the closest names.
    """
    names = list(dict.fromkeys(known))
    wanted = fold(text)
    same = [name for name in names if fold(name) == wanted]
    if same:
        return same[0]
    if short and wanted in short:
        return short[wanted]
    for matches in (
        [name for name in names if wanted and initials(name) == wanted],
        [name for name in names if wanted and fold(name).startswith(wanted)],
    ):
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise UnknownName(text, tuple(matches), ambiguous=True)
    raise UnknownName(text, closest(text, names))


def closest(text: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """The known names most like `text`, best first; none where nothing comes near."""
    from difflib import get_close_matches

    folded = {fold(name): name for name in known}
    return tuple(folded[match] for match in get_close_matches(fold(text), folded, n=most, cutoff=0.6))
