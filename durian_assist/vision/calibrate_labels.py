"""The labels file of `calibrate deck`: one class a line in reading order, a `# photo` line before each photo's."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from durian_assist.common.paths import unusable
from durian_assist.common.text import plural
from durian_assist.errors import InputError
from durian_assist.vision.calibrate_deck import Labelled
from durian_assist.vision.photo import Photo

_FRUIT = r"[a-z]+[0-9]+-[a-z]+[0-9]+"
_VARIETY = r"[^/\s]+"
_CLASSES = {
    "smuggler": re.compile(r"centre|[^/\s]+/(empty|back|durian/[1-9][0-9]*)"),
    "durian": re.compile(rf"{_FRUIT}|gorilla/[^/\s]+|token/[0-9]+|[^/\s]+/back|board/order"),
    "dash": re.compile(
        rf"{_VARIETY}|[^/\s]+/back|plantation/[^/\s]+|pref/(love|like|hate)-{_VARIETY}(/(love|like|hate)-{_VARIETY})*"
    ),
    "cards": re.compile(r".+"),
}
_EXAMPLES = {
    "smuggler": "red/durian/6, red/empty, red/back, centre",
    "durian": "strawberry1-banana3, gorilla/hannah, token/4, durian/back, board/order",
    "dash": "mao-shan-wang, dash/back, plantation/pahang, pref/love-red-prawn/hate-sultan",
    "cards": "any words",
}
# The class that a label, a game and the place of the label mean; the words of a game are none of this room's.
Meant = Callable[[str, str, str], str]
_PHOTO = re.compile(r"#\s*photo\b[:\s]*(.*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Block:
    """The labels of one photo; `photo` is the name on its `# photo` line, "" where it has none."""

    photo: str
    names: tuple[str, ...]


def as_written(label: str, _game: str, _where: str) -> str:
    """The class of a label whose words nobody checks."""
    return label


def read_labels(path: Path, game: str, meant: Meant = as_written) -> list[Block]:
    """The blocks of a labels file, each label as the class that it is `meant` to be.

    Raises InputError with file and line for a label that is no class of the game.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise unusable("the labels cannot be read", path, error) from None
    except UnicodeDecodeError:
        raise InputError("this is no text file", where=str(path), mend="Give one class a line.") from None
    blocks: list[tuple[str, list[str]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        label = line.strip()
        mark = _PHOTO.fullmatch(label)
        if mark:
            blocks.append((mark[1].strip(), []))
        elif label and not label.startswith("#"):
            where = f"{path}:{number}:1"
            check_label(label, game, where)
            if not blocks:
                blocks.append(("", []))
            blocks[-1][1].append(meant(label, game, where))
    filled = [Block(photo, tuple(names)) for photo, names in blocks if names]
    if not filled:
        raise InputError("the labels file names no class", where=str(path), mend=f"One a line: {_EXAMPLES[game]}.")
    return filled


def check_label(label: str, game: str, where: str) -> None:
    """Raise InputError for a label that is no class of the game."""
    if not _CLASSES[game].fullmatch(label):
        raise InputError(
            f"'{label}' is no class of a {game} deck", where=where, mend=f"Classes look like {_EXAMPLES[game]}."
        )


def assigned(
    blocks: Sequence[Block], photos: Sequence[Photo], count: Callable[[Photo], int], where: str
) -> list[Labelled]:
    """Each photo with its labels: by the names on the `# photo` lines, else in order.

    A single list without `# photo` lines is all of each photo, or goes on from photo to photo; `count` says how many
    pieces a photo seems to show. Raises InputError where labels and photos do not fit.
    """
    by_name = {Path(block.photo).name: block for block in blocks if block.photo}
    if all(Path(photo.name).name in by_name for photo in photos):
        return [Labelled(photo, by_name[Path(photo.name).name].names) for photo in photos]
    if len(blocks) == len(photos):
        return [Labelled(photo, block.names) for photo, block in zip(photos, blocks, strict=True)]
    if len(blocks) == 1 and not blocks[0].photo:
        return _split(blocks[0].names, photos, [count(photo) for photo in photos], where)
    unknown = [Path(photo.name).name for photo in photos if Path(photo.name).name not in by_name]
    given = f"{len(photos)} {'was' if len(photos) == 1 else 'were'} given"
    raise InputError(
        f"the labels are for {plural(len(blocks), 'photo')}, but {given}",
        where=where,
        mend=f"Put a line `# photo NAME` before each photo's labels; there is none for {', '.join(unknown)}.",
    )


def _split(names: Sequence[str], photos: Sequence[Photo], counts: Sequence[int], where: str) -> list[Labelled]:
    # Counted before anybody knows how many there are, a photo may seem to show fewer than it does; but where one shows
    # as many as the list names, the list cannot go on to another.
    if max(counts) == len(names) and min(counts) > 0:
        return [Labelled(photo, tuple(names)) for photo in photos]
    if sum(counts) != len(names):
        seen = ", ".join(f"{Path(p.name).name} {c}" for p, c in zip(photos, counts, strict=True))
        raise InputError(
            f"{plural(len(names), 'label')} do not fit what the photos seem to show ({seen})",
            where=where,
            mend="Put a line `# photo NAME` before each photo's labels.",
        )
    shares = []
    start = 0
    for photo, count in zip(photos, counts, strict=True):
        shares.append(Labelled(photo, tuple(names[start : start + count])))
        start += count
    return shares
