"""Flags of Durian Dash that hold more than one value: to nodes that point into the flag as it was typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from durian_assist.common.names import closest, fold, listed
from durian_assist.dash.moves import ICONS
from durian_assist.dash.varieties import SHORT, VARIETIES
from durian_assist.errors import UsageError
from durian_assist.records.document import Node, flag_node


def pair(flag: str, text: str, mark: str, mend: str) -> tuple[str, int]:
    """What stands before `mark` and where the rest starts. Raises UsageError."""
    name, found, _ = text.partition(mark)
    if not found or not name.strip():
        raise UsageError(f"this has the form NAME{mark}...", where=f"{flag} {text}", mend=mend)
    return name.strip(), len(name) + 1


def _pieces(text: str, mark: str, start: int, end: int | None = None) -> list[tuple[int, int]]:
    """Start and end of the pieces between marks, without white space; empty pieces are left out."""
    found, at = [], start
    for piece in text[start:end].split(mark):
        lead = len(piece) - len(piece.lstrip())
        if piece.strip():
            found.append((at + lead, at + len(piece.rstrip())))
        at += len(piece) + len(mark)
    return found


def split_list(flag: str, text: str, start: int = 0, end: int | None = None) -> Node:
    """`a, b, c` as a list of texts with their places."""
    nodes = [flag_node(flag, text, *piece) for piece in _pieces(text, ",", start, end)]
    part = flag_node(flag, text, start, end)
    return Node(nodes, part.span, part.span)


def whole(node: Node) -> Node:
    """A text of digits as the whole number that it is; anything else stays for the reader to refuse."""
    text = str(node.value).strip()
    digits = text.removeprefix("-")
    return Node(int(text), node.span, node.key) if text.isascii() and digits.isdigit() and len(text) < 10 else node


def _bag(flag: str, text: str, start: int, end: int) -> Node:
    """`red-prawn 2, 3 sultan, rotten 1` as a table of numbers."""
    table: dict[str, Node] = {}
    for first, last in _pieces(text, ",", start, end):
        words = text[first:last].split()
        number_first = words[0].isdigit()
        number = words[0] if number_first else words[-1]
        place = first if number_first else last - len(number)
        rest = (place + len(number), last) if number_first else (first, place)
        key = flag_node(flag, text, *(trim(text, *rest) if len(words) > 1 else (first, last)))
        name = str(key.value)
        count = whole(flag_node(flag, text, place, place + len(number)))
        table[name if name not in table else f"{name} "] = Node(count.value, count.span, key.span)
    bag = flag_node(flag, text, start, end)
    return Node(table, bag.span, bag.span)


Parts = dict[str, Callable[[int, int], Node]]
# Another word for the same part of a flag.
_SAME = {"chooses": "takes"}


def _segments(flag: str, text: str, start: int, parts: Parts, other: str, own: Sequence[str]) -> dict[str, Node]:
    """`love a; hate b; 2 c`: each segment by its first word; one without a known word is the part `other`.

    `own` are words with which that part may begin, besides numbers. Raises UsageError for a part that stands there
    twice, and for a first word that is nearly that of a part.
    """
    found: dict[str, Node] = {}
    for first, last in _pieces(text, ";", start):
        word = text[first:last].split(maxsplit=1)[0]
        said = _SAME.get(word.casefold(), word.casefold())
        key = said if said in parts else other
        begin = first + len(word) if key == said else first
        near = closest(word, [*parts, *own], most=1)
        if key == other and near and near[0] in parts and not _begins(word, own):
            what = f'"{word}" begins no part; did you mean {near[0]}?'
            raise UsageError(what, where=f"{flag} {text}", mend=f"Parts begin with {listed(parts, 'or')}.")
        if key in found:
            starts = listed((part for part in parts if part != other), "or")
            mend = f"Put them into one, with commas. Every other part starts with {starts}."
            raise UsageError(f"two parts are {key}", where=f"{flag} {text}", mend=mend)
        found[key] = parts[key](begin, last)
    return found


def _begins(word: str, own: Sequence[str]) -> bool:
    """Whether a word is a number, or one of `own` by any start of it."""
    return word[0].isdigit() or any(name.startswith(fold(word.strip(","))) for name in (*own, *SHORT))


def player_flag(text: str) -> Node:
    """`Hasan: red-prawn 2, rotten 1; love red-prawn; like sultan; hate golden-phoenix; last 12`."""
    flag = "--player"
    name, start = pair(flag, text, ":", 'For example --player "Hasan: red-prawn 2, rotten 1; love red-prawn; last 12".')
    lists = {key: lambda first, last: split_list(flag, text, first, last) for key in ("love", "like", "hate")}
    parts: Parts = {
        "collection": lambda first, last: _bag(flag, text, first, last),
        "last": lambda first, last: whole(flag_node(flag, text, *trim(text, first, last))),
        **lists,
    }
    found = _segments(flag, text, start, parts, "collection", VARIETIES)
    if "last" in found:
        found["last_action"] = found.pop("last")
    return _player_node(flag, text, name, found)


def turn_flag(text: str) -> Node:
    """`Jin 7: take, place; left into pahang; holds sultan 1; places sultan; gives sultan to Hasan`."""
    flag = "--turn"
    mend = 'For example --turn "Jin 7: take, place; left into pahang; holds sultan 1".'
    head, start = pair(flag, text, ":", mend)
    name, _, number = " ".join(head.rsplit(maxsplit=1)).rpartition(" ")
    if not name or not number.isdigit():
        raise UsageError("the number of the action card stands behind the name", where=f"{flag} {text}", mend=mend)
    lists = {key: lambda first, last: split_list(flag, text, first, last) for key in ("takes", "places", "gives")}
    parts: Parts = {
        "icons": lambda first, last: split_list(flag, text, first, last),
        "holds": lambda first, last: _bag(flag, text, first, last),
        "left": lambda first, last: flag_node(flag, text, *trim(text, first, last)),
        "right": lambda first, last: flag_node(flag, text, *trim(text, first, last)),
        **lists,
    }
    found = _segments(flag, text, start, parts, "icons", ICONS)
    own = {key: found[old] for old, key in _TURN_KEYS.items() if old in found}
    for direction in ("left", "right"):
        if direction in found:
            own["direction"] = flag_node(flag, text, *_word(text, direction))
            own["plantation"] = _without(found[direction], "into", flag, text)
    at = text.rindex(number, 0, start)
    own["action"] = whole(flag_node(flag, text, at, at + len(number)))
    return _player_node(flag, text, name.strip(), own)


_TURN_KEYS = {"icons": "icons", "holds": "collection", "takes": "take", "places": "place", "gives": "give"}


def _word(text: str, word: str) -> tuple[int, int]:
    at = text.casefold().index(word)
    return at, at + len(word)


def _without(node: Node, word: str, flag: str, text: str) -> Node:
    """The text of a node without the word with which it may begin."""
    value = str(node.value)
    begins, _, rest = " ".join(value.split(maxsplit=1)).partition(" ")
    if not rest or begins.casefold() != word:
        return node
    last = node.span.start - len(flag) - 1 + len(value)
    return flag_node(flag, text, last - len(rest), last)


def trim(text: str, first: int, last: int) -> tuple[int, int]:
    """The piece without the white space around it."""
    piece = text[first:last]
    return first + len(piece) - len(piece.lstrip()), first + len(piece.rstrip())


def _player_node(flag: str, text: str, name: str, own: dict[str, Node]) -> Node:
    at = text.index(name)
    node = flag_node(flag, text, at, at + len(name))
    return Node({"name": node, **own}, node.span, node.span)
