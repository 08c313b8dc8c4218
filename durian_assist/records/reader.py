"""From a document to typed values: what a key must hold is asked for by name, and every fault is collected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from durian_assist.common.names import UnknownName, closest, fold, listed, resolve
from durian_assist.common.text import visible
from durian_assist.records.document import Document, Node
from durian_assist.records.source import COMMAND_LINE, MOST_FAULTS, Fault, RecordError, Source, Span
from durian_assist.records.write import toml_key

# How each type of value is written.
_FORMS = {
    str: 'Put it in quotes, as in "south".',
    int: "Write it in figures, without quotes and without a point.",
    bool: "Write true or false, without quotes.",
    list: 'Put it in brackets, as in ["one", "two"].',
    dict: "Give it keys of its own: in TOML below a line [{key}], in JSON in braces.",
}


class Reader:
    """Collects the faults of one document. Ask `root` for its keys, then call `finish`."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.faults: list[Fault] = []
        # Faults that hide no other, so that nothing which follows from the keys is left unsaid for their sake.
        self.first: list[Fault] = []

    @property
    def root(self) -> TableView:
        """The whole record."""
        return TableView(self, self.document.root, "")

    def fault(
        self, at: Node | Span, message: str, *, expected: str = "", found: str = "", mend: str = "", rule: str = ""
    ) -> None:
        """Note a fault. Raises RecordError where there are as many as nobody reads: this is some other file."""
        span = self.document.said_at(at.span if isinstance(at, Node) else at)
        fault = Fault(span, message, expected, found, mend, rule)
        if fault not in self.faults[-1:]:
            self.faults.append(fault)
        if len(self.faults) == MOST_FAULTS:
            self.finish()

    def finish(self) -> None:
        """Raises RecordError with every fault noted; returns where there is none."""
        if self.first or self.faults:
            raise RecordError([*self.first, *self.faults])


class TableView:
    """A table of the record. Each getter notes a fault for a wrong type and then gives the default."""

    def __init__(self, reader: Reader, node: Node, name: str) -> None:
        self.reader, self.node, self.name = reader, node, name
        self.table: dict[str, Node] = node.value if isinstance(node.value, dict) else {}

    def __contains__(self, key: str) -> bool:
        return key in self.table

    def get(self, key: str) -> Node | None:
        """The node of a key, unread."""
        return self.table.get(key)

    def items(self) -> Iterator[tuple[str, Node]]:
        """Keys with their nodes, in the record's order."""
        return iter(self.table.items())

    def only(self, *keys: str) -> None:
        """Every other key is a fault."""
        for key, node in self.table.items():
            if key not in keys:
                near = closest(key, keys)
                where = f" in {self.name}" if self.name else ""
                self.reader.fault(
                    node.key or node.span,
                    f'the key "{key}" is not known{where}',
                    expected=f"one of {listed(keys, 'or')}",
                    mend=f"Did you mean {listed(near, 'or')}?" if near else "",
                )

    def refuse_other_game(self, game: str, others: Sequence[str]) -> None:
        """A record that says to be of another game than `game`: RecordError at once, as nothing else in it can fit. A
        name that is no game's is a fault among others."""
        said = self.text("game")
        if said is None or fold(said) == game:
            return
        node = self.table["game"]
        if fold(said) in others:
            mend = f"Use the commands of that game: durian-assist {fold(said)} ..."
            self.reader.fault(
                node,
                "this record is of another game",
                expected=f'game = "{game}"',
                found=node.described,
                mend=mend,
            )
            self.reader.finish()
        near = closest(said, (game, *others), most=1)
        mend = f"Did you mean {near[0]}?" if near else ""
        span = self.reader.document.said_at(node.span)
        fault = Fault(span, "there is no such game", f'game = "{game}"', node.described, mend)
        self.reader.first.append(fault)

    def missing(self, key: str, expected: str, mend: str = "", *, flag: str = "") -> None:
        """Note that a key is not there. `flag` is an example of the flag that says the same: where people gave flags
        and no record, or a photo, they are told of it instead of the key."""
        where = f" in {self.name}" if self.name else ""
        source = (self.node.key or self.node.span).source
        if flag and (source.read or source.name == COMMAND_LINE):
            self.lacking(f'"{key}" was not given', expected, f"For example {flag}.")
            return
        self.lacking(f'the key "{key}" is missing{where}', expected, mend)

    def lacking(self, message: str, expected: str, mend: str) -> None:
        """Note that something is not in this table; of what a photo showed no line is shown, for nobody wrote it."""
        span = self.node.key or self.node.span
        if span.source.read:
            span = Span(Source(span.source.name, "", read=True), 0, 0)
        self.reader.fault(span, message, expected=expected, mend=mend)

    def _typed(self, key: str, kind: type, expected: str) -> Node | None:
        node = self.table.get(key)
        if node is None:
            return None
        if not isinstance(node.value, kind) or (isinstance(node.value, bool) and kind is not bool):
            mend = _FORMS[kind].format(key=toml_key(key))
            self.reader.fault(node, f'"{key}" has the wrong type', expected=expected, found=node.described, mend=mend)
            return None
        return node

    def text(self, key: str) -> str | None:
        """A text, or None where it is not there."""
        node = self._typed(key, str, "a text in quotes")
        return node.value if node and isinstance(node.value, str) else None

    def choice(self, key: str, choices: Sequence[str], default: str) -> str:
        """One of some words, by any unique start."""
        node = self._typed(key, str, f"one of {listed(choices, 'or')}")
        if node is None:
            return default
        return self.chosen(node, choices) or default

    def chosen(self, node: Node, choices: Sequence[str], *, what: str = "") -> str | None:
        """Which of `choices` the text of `node` means; a fault and None where it is none."""
        try:
            return resolve(str(node.value), choices)
        except UnknownName as error:
            expected = f"one of {listed(choices, 'or')}" if choices else ""
            self.reader.fault(node, f"{what}{' ' if what else ''}{error.sentence}", expected=expected)
            return None

    def person(self, node: Node) -> str | None:
        """The player's name that a text is; a fault and None where it is empty or cannot be shown on a terminal."""
        name = str(node.value).strip()
        if name and visible(name) == name and "\t" not in name:
            return name
        what = "a player's name has characters that cannot be shown" if name else "a player has no name"
        self.reader.fault(node, what, expected="a name")
        return None

    def flag(self, key: str, default: bool = False) -> bool:
        """True or false."""
        node = self._typed(key, bool, "true or false")
        return node.value if node and isinstance(node.value, bool) else default

    def integer(self, key: str, *, minimum: int = 0, maximum: int | None = None) -> int | None:
        """A whole number within bounds, or None where it is not there."""
        node = self._typed(key, int, "a whole number")
        return None if node is None else self.whole(node, f'"{key}"', minimum=minimum, maximum=maximum)

    def whole(self, node: Node, what: str, *, minimum: int = 0, maximum: int | None = None) -> int | None:
        """The whole number of `node` within bounds; a fault and None where it is none."""
        bounds = f"a whole number from {minimum}" + (f" to {maximum}" if maximum is not None else " up")
        value = node.value
        if not isinstance(value, int) or isinstance(value, bool):
            found = node.described
            self.reader.fault(node, f"{what} has the wrong type", expected=bounds, found=found, mend=_FORMS[int])
            return None
        if value < minimum or (maximum is not None and value > maximum):
            self.reader.fault(node, f"{what} is out of range", expected=bounds, found=node.described)
            return None
        return value

    def nodes(self, key: str) -> list[Node]:
        """The items of a list; empty where it is not there."""
        node = self._typed(key, list, "a list")
        return node.value if node and isinstance(node.value, list) else []

    def texts(self, key: str) -> list[Node]:
        """The items of a list of texts; items of another type are faults and left out."""
        good = []
        for node in self.nodes(key):
            if isinstance(node.value, str):
                good.append(node)
            else:
                what = f'an item of "{key}" has the wrong type'
                self.reader.fault(node, what, expected="a text in quotes", found=node.described, mend=_FORMS[str])
        return good

    def view(self, key: str) -> TableView | None:
        """A table below this one, or None where it is not there."""
        node = self._typed(key, dict, "a table")
        return TableView(self.reader, node, key) if node else None

    def views(self, key: str) -> list[TableView]:
        """A list of tables (`[[key]]`)."""
        found = []
        for node in self.nodes(key):
            if isinstance(node.value, dict):
                found.append(TableView(self.reader, node, key))
            else:
                mend = f"Each has keys of its own: in TOML below a line [[{toml_key(key)}]], in JSON in braces."
                what = f'an item of "{key}" has the wrong type'
                self.reader.fault(node, what, expected="a table", found=node.described, mend=mend)
        return found
