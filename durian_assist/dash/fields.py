"""Parts of a record of Durian Dash: varieties, collections, preference cards."""

from __future__ import annotations

from collections.abc import Sequence

from durian_assist.common.names import UnknownName, listed, resolve
from durian_assist.dash.varieties import (
    COMMON,
    DURIAN_CARDS,
    MAO_SHAN_WANG,
    ROTTEN,
    SHORT,
    UNKNOWN,
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
