"""Which icon of an action card a recorded choice belongs to (rule dash.skip).

People write choices down in the order of the icons, and only for the icons that were carried out. A record may also
hold one for every icon, with `skip` for each that was passed over. Where it can be read both ways, that is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

# A card and, for a gift, who gets it (else ""). NOTHING: no choice is recorded.
Choice: TypeAlias = tuple[str, str]
NOTHING: Choice = ("", "")
# What stands in a record for an icon that was passed over.
SKIP = "skip"
SKIPPED: Choice = (SKIP, "")


def carried_out(icons: Sequence[str], held: int, lying: int) -> tuple[bool, ...]:
    """For each icon, from top to bottom, whether it can be carried out by a player who holds `held` cards, at a row of
    `lying` cards. That depends on numbers alone, never on which cards were chosen."""
    found = []
    for icon in icons:
        can = lying > 0 if icon == "take" else held > 0
        found.append(can)
        if can:
            held += 1 if icon == "take" else -1
            lying += {"take": -1, "place": 1, "give": 0}[icon]
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Dealt:
    """The recorded choices of one kind, dealt to the icons of that kind: one for each icon, NOTHING where none is
    recorded, SKIPPED where the record says that it was passed over.

    `surplus` is the number of recorded choices that no icon carried out. `unclear`: the record can be read in two ways
    that differ.
    """

    choices: tuple[Choice, ...]
    surplus: int
    unclear: bool = False


def deal(recorded: Sequence[Choice], done: Sequence[bool]) -> Dealt:
    """Deal recorded choices to the icons of their kind; `done` tells which of them could be carried out."""
    by_icon = (*recorded[: len(done)], *(NOTHING for _ in done[len(recorded) :]))
    if SKIPPED in recorded:
        beside = sum(not can and choice not in (NOTHING, SKIPPED) for choice, can in zip(by_icon, done, strict=True))
        return Dealt(by_icon, beside + max(0, len(recorded) - len(done)))
    queue = iter(recorded)
    in_turn = tuple(next(queue, NOTHING) if can else NOTHING for can in done)
    surplus = max(0, len(recorded) - sum(done))
    same = all(one == other for one, other, can in zip(in_turn, by_icon, done, strict=True) if can)
    return Dealt(in_turn, surplus, unclear=surplus > 0 and not same)
