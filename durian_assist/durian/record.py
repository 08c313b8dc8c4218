"""The record of a round of Durian: a document to typed values and back; every fault is collected with its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TypeVar

from durian_assist.common.names import UnknownName, fold, resolve
from durian_assist.durian.cards import MOST_PLAYERS, TOKENS, Card, Gorilla
from durian_assist.durian.notation import NotationError, parse_card, parse_entry, write_card, write_entry
from durian_assist.durian.round import Entry, Order, Round
from durian_assist.records.document import Document, Node
from durian_assist.records.reader import Reader, TableView
from durian_assist.records.write import toml_key, toml_line

T = TypeVar("T")
_INVENTORY = 'a list of cards such as ["strawberry 1 | banana 3", "gorilla hannah"]'
KEYS = ("game", "players", "first", "inventory", "open_card", "orders", "caller", "tokens", "deck")


def read_round(document: Document) -> Round:
    """The round of a record. Raises RecordError with every fault."""
    return _read(document, inventory=True)


def read_tokens(document: Document) -> dict[str, tuple[int, ...]]:
    """The tokens of a record, each player's in ascending order. Raises RecordError with every fault.

    Further keys may stand there (a whole round); they are checked too.
    """
    return dict(_read(document, inventory=False).tokens or {})


def _read(document: Document, *, inventory: bool) -> Round:
    reader = Reader(document)
    view = reader.root
    view.refuse_other_game("durian", ("smuggler", "dash"))
    view.only(*KEYS)
    players = _players(view)
    names = _Names(view, players)
    cards = tuple(_cards(view, "inventory", parse_card))
    if inventory and "inventory" not in view and "orders" not in view and "tokens" in view:
        what = "these are the tokens that players hold, without a table at the bell"
        mend = "`durian-assist durian score` counts them; --inventory and --order say what lies on the table."
        view.lacking(what, f'"inventory", {_INVENTORY}', mend)
    elif inventory and "inventory" not in view:
        view.missing("inventory", _INVENTORY, "One card a player.", flag="--inventory 'strawberry 1 | banana 3'")
    elif inventory and not cards and not reader.faults:
        reader.fault(view.table["inventory"], "the inventory is empty", expected=_INVENTORY, rule="durian.setup")
    if not inventory and "tokens" not in view:
        expected = "a table of players with the tokens that they hold"
        if "inventory" in view or "orders" in view:
            what = "this is a table at the bell, without the tokens that players hold"
            mend = "`durian-assist durian call` says who takes which token; --tokens Ann=1,4 says what is held."
            view.lacking(what, f'"tokens", {expected}', mend)
        else:
            view.missing("tokens", expected, "For example [tokens] Ann = [1, 4].", flag="--tokens Ann=1,4")
    round_ = Round(
        players,
        names.read("first"),
        cards,
        _open_card(view),
        tuple(_cards(view, "orders", parse_entry)),
        names.read("caller"),
        _tokens(view, names),
        _deck(view),
    )
    _first_gorilla_beside(view, round_)
    reader.finish()
    return round_


def _players(view: TableView) -> tuple[str, ...]:
    names: list[str] = []
    for node in view.texts("players"):
        name = view.person(node)
        if name is None:
            continue
        if fold(name) in {fold(other) for other in names}:
            view.reader.fault(node, f"{name} is named twice", mend="Give two players of the same name a letter more.")
        else:
            names.append(name)
    if "players" in view and not view.reader.faults and not 2 <= len(names) <= MOST_PLAYERS:
        found = f"{len(names)} player{'s' if len(names) != 1 else ''}"
        view.reader.fault(
            view.table["players"],
            "this game has two to seven players",
            expected="2 to 7 names",
            found=found,
            rule="durian.setup",
        )
    return tuple(names)


class _Names:
    """Names of players where the record refers to them; any name will do where `players` is not recorded."""

    def __init__(self, view: TableView, players: tuple[str, ...]) -> None:
        self.view, self.players = view, players

    def read(self, key: str) -> str | None:
        text = self.view.text(key)
        if text is None:
            return None
        node = self.view.table[key]
        return self.known(node, text) if text.strip() else self.view.person(node)

    def known(self, node: Node, text: str) -> str | None:
        if not self.players:
            return self.view.person(node if isinstance(node.value, str) else Node(text, node.key or node.span))
        try:
            return resolve(text, self.players)
        except UnknownName as error:
            at = node.span if isinstance(node.value, str) else node.key or node.span
            self.view.reader.fault(
                at, f"no such player: {error.sentence}", expected=f"one of {', '.join(self.players)}"
            )
            return None


def _cards(view: TableView, key: str, parse: Callable[[str], T]) -> list[T]:
    found = []
    for node in view.texts(key):
        try:
            found.append(parse(str(node.value)))
        except NotationError as error:
            _notation_fault(view, node, error)
    return found


def _notation_fault(view: TableView, node: Node, error: NotationError) -> None:
    text = str(node.value)
    view.reader.fault(
        node.part(error.start, error.end),
        error.message,
        expected=error.expected,
        found=f'"{text[error.start : error.end].strip()}"',
        rule=error.rule,
    )


def _open_card(view: TableView) -> Card | None:
    text = view.text("open_card")
    if text is None:
        return None
    node = view.table["open_card"]
    try:
        card = parse_card(text)
    except NotationError as error:
        _notation_fault(view, node, error)
        return None
    if card is None:
        view.reader.fault(
            node, "the open card lies face up, everybody sees it", expected="a card", rule="durian.two-players"
        )
    return card


def _tokens(view: TableView, names: _Names) -> dict[str, tuple[int, ...]] | None:
    table = view.view("tokens")
    if table is None:
        return None
    held: dict[str, tuple[int, ...]] = dict.fromkeys(names.players, ())
    owners: dict[int, str] = {}
    given: set[str] = set()
    for key, node in table.items():
        name = names.known(Node({}, node.key or node.span), key)
        if name is None:
            continue
        if name in given:
            view.reader.fault(
                node.key or node.span, f"the tokens of {name} stand twice", mend="Write them in one line."
            )
        given.add(name)
        held[name] = tuple(sorted(_held(table, key, name, owners)))
    return held


def _held(table: TableView, key: str, name: str, owners: dict[int, str]) -> list[int]:
    tokens = []
    for node in table.nodes(key):
        token = node.value
        if not isinstance(token, int) or isinstance(token, bool) or token not in TOKENS:
            expected = "one of the tokens 1 to 7"
            message = f"{name} cannot hold this token"
            table.reader.fault(node, message, expected=expected, found=node.described, rule="durian.tokens-held")
            continue
        if token in owners:
            other = "twice here" if owners[token] == name else f"with {owners[token]} too"
            message = f"token {token} exists once, but it stands {other}"
            table.reader.fault(node, message, mend="Look at the tokens again.", rule="durian.tokens-held")
            continue
        owners[token] = name
        tokens.append(token)
    return tokens


def _deck(view: TableView) -> Counter[Card] | None:
    """The players' own list of cards: card = copies. The gorillas may be left out."""
    table = view.view("deck")
    if table is None:
        return None
    deck: Counter[Card] = Counter()
    for key, node in table.items():
        copies = table.whole(node, f'copies of "{key}"', minimum=0, maximum=28)
        try:
            card = parse_card(key)
        except NotationError as error:
            view.reader.fault(node.key or node.span, error.message, expected=error.expected, rule=error.rule)
            continue
        if card is None or copies is None:
            continue
        if card in deck:
            view.reader.fault(node.key or node.span, f"{card} stands twice in the deck table")
        deck[card] = copies
    for name in ("mitch", "murphy", "hannah"):
        deck[Gorilla(name)] = 1
    return deck


def _first_gorilla_beside(view: TableView, round_: Round) -> None:
    """A gorilla lies beside one order only."""
    beside: dict[str, int] = {}
    nodes = view.nodes("orders") if not view.reader.faults else []
    for number, (entry, node) in enumerate(zip(round_.entries, nodes, strict=False), 1):
        if not isinstance(entry, Order) or not entry.flipped_by:
            continue
        if entry.flipped_by in beside:
            message = f"{entry.flipped_by.title()} lies beside order {beside[entry.flipped_by]} already"
            view.reader.fault(node, message, expected="another gorilla, or none", rule="durian.gorillas")
        beside.setdefault(entry.flipped_by, number)


def write_record(round_: Round) -> str:
    """The record (TOML) that reads back as the same round."""
    lines = [toml_line("game", "durian")]
    if round_.players:
        lines.append(toml_line("players", list(round_.players)))
    if round_.first:
        lines.append(toml_line("first", round_.first))
    if round_.inventory:
        lines.append(toml_line("inventory", [write_card(card) for card in round_.inventory]))
    if round_.open_card:
        lines.append(toml_line("open_card", str(round_.open_card)))
    if round_.entries:
        lines.append(toml_line("orders", [_written(entry) for entry in round_.entries]))
    if round_.caller:
        lines.append(toml_line("caller", round_.caller))
    if round_.tokens is not None:
        lines += ["", "[tokens]", *(toml_line(name, list(held)) for name, held in round_.tokens.items())]
    if round_.deck is not None:
        lines += ["", "[deck]", *(f"{toml_key(str(card))} = {copies}" for card, copies in sorted_deck(round_.deck))]
    return "\n".join(lines) + "\n"


def _written(entry: Entry) -> str:
    return write_entry(entry)


def sorted_deck(deck: Counter[Card]) -> list[tuple[Card, int]]:
    """Cards of a deck with their copies, by name."""
    return sorted(deck.items(), key=lambda item: str(item[0]))
