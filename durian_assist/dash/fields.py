"""Parts of a record of Durian Dash: varieties, collections, preference cards, moves and steps that people claim."""

from __future__ import annotations

import re
from collections.abc import Sequence

from durian_assist.common.names import UnknownName, listed, resolve
from durian_assist.dash.actions import ICONS, Move
from durian_assist.dash.market import UNKNOWN, SupplyClaim
from durian_assist.dash.varieties import (
    COMMON,
    DURIAN_CARDS,
    MAO_SHAN_WANG,
    PLANTATIONS,
    ROTTEN,
    SHORT,
    VARIETIES,
    Preference,
    proper,
)
from durian_assist.records.document import Node
from durian_assist.records.reader import Reader, TableView


def read_collection(view: TableView) -> dict[str, int]:
    """Cards of each variety."""
    found: dict[str, int] = {}
    table = view.view("collection")
    for key, node in table.items() if table else ():
        variety = read_variety(view.reader, Node(key, node.key or node.span), VARIETIES)
        count = view.whole(node, f'the number of "{key}"', minimum=0, maximum=DURIAN_CARDS)
        if variety is None or count is None:
            continue
        if variety in found:
            view.reader.fault(
                node.key or node.span, f"{variety} stands twice in this collection", mend="Add the two numbers up."
            )
        found[variety] = count
    return found


def read_variety(reader: Reader, node: Node, known: Sequence[str], *, unknown: bool = False) -> str | None:
    """The variety that a text means, `?` where that is allowed; a fault and None for any other text."""
    text = str(node.value)
    if unknown and text.strip() == UNKNOWN:
        return UNKNOWN
    try:
        return resolve(text, known, SHORT)
    except UnknownName as error:
        reader.fault(node, error.sentence, expected=f"one of {listed(known, 'or')}", found=node.described)
        return None


def read_varieties(view: TableView, key: str, *, unknown: bool = False) -> tuple[str, ...]:
    """The varieties of a list."""
    cards = (read_variety(view.reader, node, VARIETIES, unknown=unknown) for node in view.texts(key))
    return tuple(card for card in cards if card is not None)


def read_preference(view: TableView) -> Preference | None:
    """Love, like and hate; None where none of the keys is there."""
    if not any(key in view for key in ("love", "like", "hate")):
        return None
    named: dict[str, str] = {}
    love = _named(view, "love", 1, named)
    like = _named(view, "like", 2, named)
    hate = _named(view, "hate", 1, named)
    return Preference(love[0] if love else None, tuple(like), hate[0] if hate else None)


def _named(view: TableView, key: str, most: int, named: dict[str, str]) -> list[str]:
    """The varieties under `key`, at most `most`, none that another key names too."""
    found = []
    for node in view.texts(key):
        variety = read_variety(view.reader, node, VARIETIES)
        if variety is None:
            continue
        if variety in (MAO_SHAN_WANG, ROTTEN):
            message = f"no preference card names {proper(variety)}: it always scores the same"
            view.reader.fault(node, message, expected=f"one of {listed(COMMON, 'or')}", rule="dash.preference")
        elif variety in named:
            message = f"{variety} is named twice, under {named[variety]} and {key}"
            view.reader.fault(node, message, mend="A preference card names each variety once.", rule="dash.preference")
        else:
            named[variety] = key
            found.append(variety)
    if len(found) > most:
        view.reader.fault(
            view.table[key],
            f"a preference card names at most {most} under {key}",
            expected=f"{most} at most",
            found=str(len(found)),
            rule="dash.preference",
        )
    return found


_TO = re.compile(r"\s+to\s+", re.IGNORECASE)


def read_gift(reader: Reader, node: Node, names: Sequence[str]) -> tuple[str, str] | None:
    """`sultan to Jin`."""
    parts = _TO.split(str(node.value).strip(), maxsplit=1)
    if len(parts) != 2:
        reader.fault(
            node, "this is no gift", expected='a card and a player, e.g. "sultan to Jin"', found=node.described
        )
        return None
    variety = read_variety(reader, Node(parts[0], node.span), VARIETIES)
    receiver = read_player(reader, node, parts[1], names)
    return None if variety is None or receiver is None else (variety, receiver)


def read_player(reader: Reader, node: Node, text: str, names: Sequence[str]) -> str | None:
    """The player that a text means."""
    try:
        return resolve(text, names)
    except UnknownName as error:
        reader.fault(node, f"no such player: {error.sentence}", expected=f"one of {listed(names, 'or')}")
        return None


def read_move(reader: Reader, node: Node, names: Sequence[str]) -> Move | None:
    """`Jin: take sultan`, `Hasan: give sultan to Jin`, `Jin: skip place`."""
    name, colon, rest = str(node.value).partition(":")
    action, _, tail = rest.strip().partition(" ")
    words = (*ICONS, "skip")
    if not colon or action.casefold() not in words or not tail.strip():
        expected = 'a move such as "Jin: take sultan", "Jin: give sultan to Hasan" or "Jin: skip place"'
        reader.fault(node, "this is no move", expected=expected, found=node.described)
        return None
    player = read_player(reader, node, name, names)
    if player is None:
        return None
    if action.casefold() == "skip":
        icon = reader.root.chosen(Node(tail.strip(), node.span), ICONS)
        return None if icon is None else Move(player, "skip", icon)
    if action.casefold() == "give":
        gift = read_gift(reader, Node(tail, node.span), names)
        return None if gift is None else Move(player, "give", *gift)
    variety = read_variety(reader, Node(tail, node.span), VARIETIES)
    return None if variety is None else Move(player, action.casefold(), variety)


_SUPPLY = re.compile(r"\s*(?P<action>\w+)\s+(?P<row>\w+)(?:\s+(?P<count>\d{1,3}))?\s*")


def read_supply_claim(reader: Reader, node: Node) -> SupplyClaim | None:
    """`refill pahang 4`, `remove johor`, `new johor 7`."""
    match = _SUPPLY.fullmatch(str(node.value))
    if not match:
        expected = 'a step such as "refill pahang 4", "remove johor" or "new johor 7"'
        reader.fault(node, "this is no step", expected=expected, found=node.described)
        return None
    action = reader.root.chosen(Node(match["action"], node.span), ("refill", "remove", "new"))
    row = reader.root.chosen(Node(match["row"], node.span), PLANTATIONS)
    if action is None or row is None:
        return None
    return SupplyClaim(action, row, int(match["count"]) if match["count"] else None)
