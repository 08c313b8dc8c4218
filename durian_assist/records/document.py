"""Text to a tree of values that know where they stand, from TOML and from JSON alike.

The standard library's parsers decide what a text means; the scanners beside them only tell where each value stands.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from durian_assist.common.paths import unusable
from durian_assist.errors import InputError
from durian_assist.records.doubts import Doubt, doubts_of
from durian_assist.records.source import COMMAND_LINE, Fault, RecordError, Source, Span

# A record is a page of text; what is larger is some other file.
MOST_BYTES = 1_000_000

Value: TypeAlias = "str | int | float | bool | None | list[Node] | dict[str, Node] | object"


@dataclass(frozen=True, slots=True)
class Node:
    """A value with its place. `key` is the place of the key that holds it; `offsets` maps the characters of a text
    value to their offsets in the source (one more entry for its end)."""

    value: Value
    span: Span
    key: Span | None = None
    offsets: tuple[int, ...] | None = None

    def part(self, start: int, end: int) -> Span:
        """Place of characters `start` to `end` of a text value."""
        if self.offsets is None:
            return self.span
        last = len(self.offsets) - 1
        first = self.offsets[min(start, last)]
        return Span(self.span.source, first, max(first, self.offsets[min(end, last)]))

    @property
    def described(self) -> str:
        """The value in words, for messages."""
        return describe(self.value)


@dataclass(frozen=True, slots=True)
class Document:
    """A record as it was read: its root is a table. `doubts` are guesses in it that nobody has confirmed; `laid` are
    places in it whose text a flag has replaced, each with the place of the flag."""

    source: Source
    root: Node
    doubts: tuple[Doubt, ...] = ()
    laid: tuple[tuple[Span, Span], ...] = ()

    def said_at(self, span: Span) -> Span:
        """Where what stands at a place was said: there, or in a flag."""
        for place, flag in self.laid:
            if span.source is place.source and place.start <= span.start < place.end:
                return flag
        return span

    def with_flag(self, path: Sequence[str], value: object, source: str, part: str | None = None) -> Document:
        """The same document with the value at `path` replaced by that of a flag.

        `source` is the flag as it was typed, e.g. `--seat south=Ann`; `part`, the piece of it that is the value.
        """
        text = Source(COMMAND_LINE, source)
        start = source.rfind(part) if part else 0
        span = Span(text, max(start, 0), max(start, 0) + len(part or source))
        return self.with_node(path, _node(value, span))

    def with_node(self, path: Sequence[str], node: Node) -> Document:
        """The same document with the node at `path` replaced."""
        return replace(self, root=_replaced(self.root, list(path), node))

    def settled(self, *places: str) -> Document:
        """The same document without doubts about these places: a person has said what lies there."""
        return replace(self, doubts=tuple(doubt for doubt in self.doubts if doubt.place not in places))


def flag_node(flag: str, text: str, start: int = 0, end: int | None = None) -> Node:
    """The text of a flag, or its characters `start` to `end`, as a node that points into the flag as it was typed."""
    source = Source(COMMAND_LINE, f"{flag} {text}")
    value = text[start:end]
    first = len(flag) + 1 + start
    span = Span(source, first, first + len(value))
    return Node(value, span, span, tuple(range(first, first + len(value) + 1)))


def _node(value: object, span: Span) -> Node:
    if isinstance(value, dict):
        return Node({key: _node(item, span) for key, item in value.items()}, span, span)
    if isinstance(value, (list, tuple)):
        return Node([_node(item, span) for item in value], span, span)
    start = span.start
    whole = isinstance(value, str) and span.source.text[span.start : span.end] == value
    offsets = tuple(range(start, span.end + 1)) if whole else None
    return Node(value, span, span, offsets)


def _replaced(node: Node, path: list[str], new: Node) -> Node:
    if not path:
        return new
    table = dict(node.value) if isinstance(node.value, dict) else {}
    below = table.get(path[0], Node({}, new.span, new.key))
    table[path[0]] = _replaced(below, path[1:], new)
    return Node(table, node.span, node.key)


def describe(value: object) -> str:
    """A value in words: `the text "red"`, `the whole number 3`, `a list`, ..."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        shown = value if len(value) <= 40 else value[:37] + "..."
        return f'the text "{shown}"'
    if isinstance(value, int):
        return f"the whole number {value}" if abs(value) < 10**20 else "a whole number of more than 20 digits"
    if isinstance(value, float):
        return f"the number {value}"
    if value is None:
        return "null"
    if isinstance(value, list):
        return "a list"
    return "a table" if isinstance(value, dict) else "a date or time"


# How JPEG, PNG, GIF and TIFF files begin.
PICTURES = (b"\xff\xd8\xff", b"\x89PNG", b"GIF8", b"II*\x00", b"MM\x00*")


def read_text(path: Path) -> str:
    """The text of a record file. Raises InputError where it cannot be read or is no UTF-8 text."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise unusable("cannot be read", path, error) from None
    return decode(data, str(path))


def decode(data: bytes, name: str) -> str:
    """Bytes of a record to text with line ends as `\\n`. Raises InputError."""
    if data.startswith(PICTURES):
        mend = "Give a photo as a file with its own ending, such as table.jpg; standard input takes records only."
        raise InputError("this is a picture and no record", where=name, mend=mend)
    if len(data) > MOST_BYTES:
        raise InputError(
            "this is too large for a record", where=name, mend="A record is a page of text; give the right file."
        )
    data = data.removeprefix(BOM_UTF8)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        mend = "Save the record as UTF-8, or give the photo itself."
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise InputError("this is UTF-16 text", where=name, mend=mend) from None
        start = len(data[: error.start].decode())
        at = Span(Source(name, data.decode(errors="replace")), start, start + 1)
        raise RecordError([Fault(at, "this is no UTF-8 text", mend=mend)]) from None
    text = text.replace("\r\n", "\n")
    return text if "\n" in text else text.replace("\r", "\n")


def load_record(name: str, text: str, form: str | None = None, *, read: bool = False) -> Document:
    """Parse a record. `form` is `toml` or `json`; without it the name's ending, else the first character decides;
    `read`: a photo's reading wrote it.

    Raises RecordError for text that is no TOML or JSON.
    """
    source = Source(name, text, read)
    form = form or _form(name, text)
    if form == "json":
        from durian_assist.records.json_text import parse_json

        root = parse_json(source)
    else:
        from durian_assist.records.toml_text import parse_toml

        root = parse_toml(source)
    doubts = doubts_of(text) if form == "toml" else ()
    if not isinstance(root.value, dict):
        raise RecordError([Fault(root.span, "a record is a table of keys", "a table", root.described)])
    return Document(source, root, doubts)


def _form(name: str, text: str) -> str:
    lower = name.casefold()
    if lower.endswith((".json", ".toml")):
        return lower[-4:]
    return "json" if text.lstrip()[:1] == "{" else "toml"


def to_plain(node: Node) -> object:
    """The values alone, without places."""
    if isinstance(node.value, dict):
        return {key: to_plain(item) for key, item in node.value.items()}
    if isinstance(node.value, list):
        return [to_plain(item) for item in node.value]
    return node.value
