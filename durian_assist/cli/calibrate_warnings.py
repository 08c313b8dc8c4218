"""What a person should know before relying on a deck."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from durian_assist.vision.deck_profile import DeckProfile


def warnings(profile: DeckProfile, left: Collection[str] = ()) -> list[str]:
    """What a person should know before relying on the deck; `left` are classes of an earlier calibration that this one
    does not name."""
    from durian_assist.vision.calibrate_weakest import confused
    from durian_assist.vision.deck_shelf import hides_shipped

    found = []
    if hides_shipped(profile.folder):
        found.append(
            f"there is a shipped deck of the name {profile.name}: from now on this name means your deck, not the "
            f"shipped one. To have the shipped one back, delete the folder {profile.folder} and choose another name."
        )
    found += profile.doubts
    pairs = confused(profile.weakest)
    if not pairs:
        return found
    listed = "; ".join(f"{first} and {second}" for first, second in pairs)
    return [
        *found,
        f"this deck does not tell {len(pairs)} pair{'s' if len(pairs) != 1 else ''} of cards apart well: {listed}. "
        "In these photos they look more alike than one card does from photo to photo, so they may be taken for one "
        "another. Lay those cards out once more in even light without glare and give that photo and its labels to "
        f"`durian-assist calibrate deck {profile.name} --game {profile.game}` too; then look at `calibrate show` and "
        "try the deck with `calibrate test`.",
        *_twins_left(profile, pairs, left),
    ]


def _twins_left(profile: DeckProfile, pairs: Sequence[tuple[str, str]], left: Collection[str]) -> list[str]:
    """What to do about a card that has two names since an earlier calibration called it otherwise."""
    old = {one: other for pair in pairs for one, other in (pair, pair[::-1]) if one in left and other not in left}
    return [
        f"the class {one} is of an earlier calibration, and none of these labels names it. If it was a slip and the "
        f"card is {other}, calibrate {profile.name} anew from all of its photos with --fresh: that forgets it."
        for one, other in old.items()
    ]
