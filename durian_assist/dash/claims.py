"""What a record says that people did: gifts, moves of a round, steps of a resupply."""

from __future__ import annotations

import re
from collections.abc import Sequence

from durian_assist.common.names import UnknownName, fold, listed, resolve
from durian_assist.dash.choices import SKIP, SKIPPED, Choice
from durian_assist.dash.fields import read_variety
from durian_assist.dash.market import SupplyClaim
from durian_assist.dash.moves import ICONS, Move
from durian_assist.dash.varieties import PLANTATIONS, VARIETIES
from durian_assist.records.document import Node
from durian_assist.records.reader import Reader, TableView

_TO = re.compile(r"\s+to\s+", re.IGNORECASE)


def read_choices(view: TableView, key: str) -> tuple[str, ...]:
    """The cards chosen at icons of one kind, SKIP for one that was passed over."""
    cards = (SKIP if _skips(node) else read_variety(view.reader, node, VARIETIES) for node in view.texts(key))
    return tuple(card for card in cards if card is not None)


def read_gifts(view: TableView, key: str, names: Sequence[str]) -> tuple[Choice, ...]:
    """The gifts of a list, SKIPPED for an icon that was passed over."""
    gifts = (SKIPPED if _skips(node) else read_gift(view.reader, node, names) for node in view.texts(key))
    return tuple(gift for gift in gifts if gift is not None)


def _skips(node: Node) -> bool:
    return fold(str(node.value)) == SKIP


def read_gift(reader: Reader, node: Node, names: Sequence[str]) -> Choice | None:
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
