"""Flags, `--at` and `--set` corrections of Durian laid over a record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from durian_assist.cli.durian_in import Flags
from durian_assist.common.names import UnknownName, fold, listed, resolve
from durian_assist.errors import UsageError
from durian_assist.records.document import Document, Node, flag_node

SIDES = ("south", "west", "north", "east")
EVERYWHERE = "all"
_LISTS = ("inventory", "orders")
_TEXTS = ("first", "caller", "open_card")
# How a reading calls the places of a list, with the number behind.
_PLACES = {"inventory": "inventory card", "orders": "order"}


def flagged(document: Document, flags: Flags) -> Document:
    """A record with the flags in it. Raises UsageError for a bad one."""
    if flags.players is not None:
        document = document.with_node(["players"], _split("--players", flags.players))
    for key in _TEXTS:
        text = getattr(flags, key)
        if text is not None:
            document = document.with_node([key], flag_node(f"--{key.replace('_', '-')}", text))
    for key, flag in (("inventory", "--inventory"), ("orders", "--order")):
        texts = getattr(flags, key)
        if texts:
            nodes = [flag_node(flag, text) for text in texts]
            document = document.with_node([key], Node(nodes, nodes[0].span, nodes[0].key))
            document = document.settled(*(d.place for d in document.doubts if d.place.startswith(_PLACES[key])))
    named: set[str] = set()
    for text in flags.tokens:
        name = fold(text.partition("=")[0])
        if name in named:
            mend = "Give all tokens of a player at once: --tokens Ann=1,4."
            raise UsageError("this player stands there twice", where=f"--tokens {text}", mend=mend)
        named.add(name)
        document = _with_tokens(document, "--tokens", text)
    return document


def _split(flag: str, text: str, start: int = 0) -> Node:
    """`a, b, c` from `start` on as a list of texts with their places."""
    whole = flag_node(flag, text, start)
    nodes, at = [], start
    for part in text[start:].split(","):
        lead = len(part) - len(part.lstrip())
        if part.strip():
            nodes.append(flag_node(flag, text, at + lead, at + len(part.rstrip())))
        at += len(part) + 1
    return Node(nodes, whole.span, whole.span)


def _pair(flag: str, text: str, mend: str) -> tuple[str, int]:
    """The name before `=` and where the value starts. Raises UsageError."""
    name, equals, _ = text.partition("=")
    if not equals or not name.strip():
        raise UsageError("this has the form NAME=VALUE", where=f"{flag} {text}", mend=mend)
    return name.strip(), len(name) + 1


def _with_tokens(document: Document, flag: str, text: str, known: str | None = None) -> Document:
    """The record with a player's tokens; `known` is the player as the record has it, else the flag names it."""
    name, start = _pair(flag, text, "For example --tokens Ann=1,4; --tokens Cy= for a player without tokens.")
    name = name if known is None else known
    values = _split(flag, text, start)
    assert isinstance(values.value, list)
    numbers = [_whole(node) for node in values.value]
    key = _key(document, name)
    laid = document.with_node(["tokens", key], Node(numbers, values.span, values.span))
    return laid.settled(*(doubt.place for doubt in document.doubts if _is_token_of(doubt.place, key)))


def _whole(node: Node) -> Node:
    """A text of digits as the whole number that it is; anything else stays for the reader to refuse."""
    text = str(node.value)
    return Node(int(text), node.span, node.key) if text.isascii() and text.isdigit() and len(text) < 10 else node


def _key(document: Document, name: str) -> str:
    """The key of the tokens' table that means this player, so that a flag replaces what the record says."""
    root = document.root.value
    table = root.get("tokens") if isinstance(root, dict) else None
    keys = list(table.value) if table is not None and isinstance(table.value, dict) else []
    return next((key for key in keys if fold(key) == fold(name)), name)


def named(document: Document, at: Sequence[str]) -> Document:
    """`--at NAME=side`: the tokens lying on a side of the photo are that player's; `--at NAME=all`: all of them."""
    if not at:
        return document
    root = document.root.value
    table = root.get("tokens") if isinstance(root, dict) else None
    held = dict(table.value) if table is not None and isinstance(table.value, dict) else {}
    owners: dict[str, str] = {}
    for text in at:
        name, start = _pair("--at", text, "For example --at Ann=south.")
        for side in _sides(text, text[start:], held, owners):
            owners[side] = name
    renamed: dict[str, Node] = {}
    for side, node in held.items():
        owner = owners.get(side, side)
        renamed[owner] = _together(renamed[owner], node) if owner in renamed else node
    first = next(iter(held.values()))
    return _renamed(document, owners).with_node(["tokens"], Node(renamed, first.span, first.key))


def _is_token_of(place: str, holder: str) -> bool:
    """Whether a doubt is about a token of this side or player: `the third token, the 1 of south`."""
    return place.startswith("the ") and place.endswith(f" of {holder}")


def _renamed(document: Document, owners: Mapping[str, str]) -> Document:
    """The same record, its doubts about tokens on a side with the name of whose they are."""
    doubts = list(document.doubts)
    for side, name in owners.items():
        doubts = [
            replace(doubt, place=f"{doubt.place.removesuffix(side)}{name}")
            if _is_token_of(doubt.place, side)
            else doubt
            for doubt in doubts
        ]
    return replace(document, doubts=tuple(doubts))


def _together(one: Node, other: Node) -> Node:
    """Two lists of tokens of one player."""
    if isinstance(one.value, list) and isinstance(other.value, list):
        return Node([*one.value, *other.value], one.span, one.key)
    return other


def _sides(text: str, side: str, held: dict[str, Node], owners: dict[str, str]) -> list[str]:
    """The sides that one `--at` names. Raises UsageError where no tokens lie there or they have an owner."""
    try:
        found = resolve(side, (*SIDES, EVERYWHERE))
    except UnknownName as error:
        mend = f"Sides: {listed(SIDES)}; {EVERYWHERE} where all tokens are one player's."
        raise UsageError(error.sentence, where=f"--at {text}", mend=mend) from None
    sides = list(held) if found == EVERYWHERE else [found]
    if (found != EVERYWHERE and found not in held) or not sides:
        there = f"Tokens lie on {listed(held)}. " if held else ""
        there += f"A player without tokens is given as --tokens {text.partition('=')[0].strip()}=."
        place = "at any side" if found == EVERYWHERE else f"on {found}"
        raise UsageError(f"no tokens lie {place}", where=f"--at {text}", mend=there)
    taken = [side for side in sides if side in owners]
    if taken:
        raise UsageError(f"{taken[0]} is given to {owners[taken[0]]} already", where=f"--at {text}")
    return sides


def refuse_doubles(read: Mapping[str, str], corrections: Sequence[str]) -> None:
    """Raise UsageError where `--set` gives a token of a photo the value of another one; `read`: what lies where, by its
    key, with the corrections in it."""
    for text in corrections:
        place = text.partition("=")[0].strip()
        if not (place.startswith("tokens.") and read.get(place, "").isdigit()):
            continue  # also where a person says that there is no token
        for other, value in read.items():
            if other.startswith("tokens.") and other != place and value == read.get(place):
                what = f"token {value} exists once, and {other} is that one already"
                mend = f"Look at both again, and correct the other one with --set {other}=... where it was misread."
                raise UsageError(what, where=f"--set {text}", mend=mend)


def _holder(document: Document, name: str, text: str) -> str:
    """The player of the record whose tokens `--set tokens.NAME` corrects. Raises UsageError for anybody else: a number
    is a token of a photo, and has no meaning in a record."""
    root = document.root.value if isinstance(document.root.value, dict) else {}
    table, seated = root.get("tokens"), root.get("players")
    names = list(table.value) if table is not None and isinstance(table.value, dict) else []
    if seated is not None and isinstance(seated.value, list):
        names += [str(node.value) for node in seated.value if fold(str(node.value)) not in map(fold, names)]
    try:
        return resolve(name, names)
    except UnknownName as error:
        there = f"The record has the tokens of {listed(names)}." if names else "The record names no players."
        mend = f"{there} A further player is given as --tokens NAME=1,4."
        raise UsageError(f"no such player: {error.sentence}", where=f"--set {text}", mend=mend) from None


def corrected(document: Document, text: str) -> Document:
    """One `--set` on a record: `inventory.2=...`, `orders.1=...`, `tokens.Ann=1,4`, `caller=Bo`."""
    mend = f"Places: {listed([*(f'{key}.2' for key in _LISTS), 'tokens.Ann', *_TEXTS], 'or')}."
    place, start = _pair("--set", text, mend)
    key, dot, item = place.partition(".")
    if key == "tokens" and item:
        return _with_tokens(document, "--set", text, _holder(document, item.strip(), text))
    if key in _TEXTS and not dot:
        return document.with_node([key], flag_node("--set", text, start))
    if key not in _LISTS:
        raise UsageError("there is no such place in a record of Durian", where=f"--set {text}", mend=mend)
    root = document.root.value
    node = root.get(key) if isinstance(root, dict) else None
    items = list(node.value) if node is not None and isinstance(node.value, list) else []
    if node is None or not (item.isascii() and item.isdigit()) or not 1 <= int(item) <= len(items):
        there = f"{key} has the places 1 to {len(items)}." if items else f"The record has no {key}."
        raise UsageError(f"there is no {place}", where=f"--set {text}", mend=there)
    items[int(item) - 1] = flag_node("--set", text, start)
    return document.with_node([key], Node(items, node.span, node.key)).settled(f"{_PLACES[key]} {int(item)}")
