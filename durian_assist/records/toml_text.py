"""TOML with places: `tomllib` says what the text means, the scanner where each value stands."""

from __future__ import annotations

import re
import tomllib

from durian_assist.records.document import Node
from durian_assist.records.scan import (
    MOST_DEPTH,
    Cursor,
    character_offsets,
    first_number,
    first_too_deep,
    string_end,
    too_deep,
    too_long,
)
from durian_assist.records.source import Fault, RecordError, Source, Span

_SPACE = " \t"
_BLANK = " \t\n"
# The standard parser takes minutes over a key of thousands of parts.
_DOTTED = re.compile(rf"""(?<![\w"'-])(?:["']?[\w-]++["']?[ \t]*\.[ \t]*){{{MOST_DEPTH + 1}}}""")
# What may hold or be a bracket or a number: texts and comments first.
_TOKENS = re.compile(
    r'''"""(?:[^\\]|\\.)*?"""|\'{3}[\s\S]*?\'{3}|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+'|#[^\n]*+'''
    r"|(?P<open>[\[{])|(?P<close>[\]}])|(?P<number>\d[\d_]*+)"
)
# A line `key = value` with nothing nested in it.
_KEY = re.compile(r"\s*([^\s={}\[\]#][^={}\[\]#]*?)\s*=[^{\[]*")
_AT = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")


def parse_toml(source: Source) -> Node:
    """Parse TOML text. Raises RecordError with the place of the first syntax fault."""
    dotted = _DOTTED.search(source.text)
    if dotted:
        raise too_deep(Span(source, dotted.start(), dotted.end()))
    try:
        value = tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as error:
        raise RecordError([_syntax_fault(source, str(error))]) from None
    except RecursionError:
        raise too_deep(first_too_deep(source, _TOKENS)) from None
    except ValueError:
        raise RecordError(
            [Fault(first_number(source, _TOKENS, too_long), "this TOML holds a number that is too large")]
        ) from None
    return _Scanner(Cursor(source)).document(value)


def _syntax_fault(source: Source, message: str) -> Fault:
    at = _AT.search(message)
    text = _AT.sub("", message)
    start = max(len(source.text.rstrip()) - 1, 0)
    if at and at.group(1):
        lines = source.text.split("\n")
        start = sum(len(line) + 1 for line in lines[: int(at.group(1)) - 1]) + int(at.group(2)) - 1
        twice = _KEY.match(lines[int(at.group(1)) - 1]) if "overwrite" in text else None
        if twice and twice.end() <= int(at.group(2)):
            first = start - int(at.group(2)) + 1 + twice.start(1)
            key = Span(source, first, first + len(twice[1]))
            return Fault(key, f"the key {twice[1]} is given twice", mend="Keep one of the two.")
    what = f"this is not valid TOML: {text[:1].lower()}{text[1:]}"
    return Fault(Span(source, start, start + 1), what, mend=_hint(text))


def _hint(text: str) -> str:
    if "overwrite" in text or "twice" in text or "already" in text:
        return "A key may stand only once; keep one of the two."
    if "nvalid value" in text:
        return 'Text stands in quotes: name = "Ann".'
    return ""


class _Scanner:
    """Walks valid TOML; values come from the parsed tree by their path."""

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor

    def document(self, value: dict[str, object]) -> Node:
        cursor = self.cursor
        whole = Span(cursor.source, 0, 0)
        root: dict[str, Node] = {}
        table, values = root, value
        while self.to_next_line():
            if cursor.peek() == "[":
                table, values = self.header(root, value)
            else:
                self.pair(table, values)
        return Node(root, whole)

    def to_next_line(self) -> bool:
        cursor = self.cursor
        cursor.skip(_BLANK)
        while cursor.peek() == "#":
            cursor.until("\n")
            cursor.skip(_BLANK)
        return bool(cursor.peek())

    def header(self, root: dict[str, Node], value: dict[str, object]) -> tuple[dict[str, Node], dict[str, object]]:
        cursor = self.cursor
        start = cursor.at
        array = cursor.take("[[") or not cursor.take("[")
        keys = self.keys()
        cursor.take("]]" if array else "]")
        span = cursor.span(start)
        table, values = root, value
        for position, (name, key) in enumerate(keys):
            last = position == len(keys) - 1
            table, values = _step(table, values, name, key, span, opens=array and last)
        return table, values

    def keys(self) -> list[tuple[str, Span]]:
        """A dotted key: its parts with their places."""
        cursor, found = self.cursor, list[tuple[str, Span]]()
        while True:
            cursor.skip(_SPACE)
            start = cursor.at
            quote = cursor.peek()
            if quote in {'"', "'"}:
                cursor.at = string_end(cursor.source.text, start + 1, quote, escapes=quote == '"') + 1
            else:
                cursor.until(" \t.=]")
            span = cursor.span(start)
            raw = cursor.source.text[start : cursor.at]
            name = next(iter(tomllib.loads(f"{raw} = 0"))) if quote in {'"', "'"} else raw
            found.append((name, span))
            if len(found) > MOST_DEPTH:
                raise too_deep(span)
            cursor.skip(_SPACE)
            if not cursor.take("."):
                return found

    def pair(self, table: dict[str, Node], values: dict[str, object]) -> None:
        cursor = self.cursor
        keys = self.keys()
        cursor.skip(_SPACE)
        cursor.take("=")
        cursor.skip(_SPACE)
        for name, key in keys[:-1]:
            table, values = _step(table, values, name, key, key, opens=False)
        name, key = keys[-1]
        table[name] = self.node(values[name], key)

    def node(self, value: object, key: Span | None = None) -> Node:
        cursor = self.cursor
        start = cursor.at
        if isinstance(value, dict | list):
            cursor.deeper()
            inside = self.inline(value) if isinstance(value, dict) else self.items(value)
            cursor.depth -= 1
            return Node(inside, cursor.span(start), key)
        if isinstance(value, str):
            offsets = self.string()
            return Node(value, cursor.span(start), key, offsets)
        cursor.until(",]}#\n")
        span = cursor.span(start)
        text = cursor.source.text[start : cursor.at].rstrip()
        return Node(value, span.part(0, len(text)), key)

    def string(self) -> tuple[int, ...]:
        cursor = self.cursor
        text, quote = cursor.source.text, cursor.peek()
        quote = quote * 3 if cursor.peek(3) == quote * 3 else quote
        cursor.at += len(quote)
        if len(quote) == 3:
            cursor.take("\n")
        start = cursor.at
        end = string_end(text, start, quote, escapes=quote[0] == '"')
        cursor.at = end + len(quote)
        return character_offsets(text, start, end) if quote[0] == '"' else tuple(range(start, end + 1))

    def inline(self, value: dict[str, object]) -> dict[str, Node]:
        found: dict[str, Node] = {}
        self.cursor.take("{")
        self.cursor.skip(_SPACE)
        while not self.cursor.take("}"):
            self.pair(found, value)
            self.cursor.skip(_SPACE + ",")
        return found

    def items(self, value: list[object]) -> list[Node]:
        found: list[Node] = []
        self.cursor.take("[")
        while True:
            self.to_next_line()
            if self.cursor.take("]"):
                return found
            found.append(self.node(value[len(found)]))
            self.to_next_line()
            self.cursor.take(",")


def _step(
    table: dict[str, Node], values: dict[str, object], name: str, key: Span, span: Span, *, opens: bool
) -> tuple[dict[str, Node], dict[str, object]]:
    """Into the table `name`; of a list of tables its last one, or a new one where `opens`."""
    below = values[name]
    if isinstance(below, list):
        if name not in table:
            table[name] = Node([], span, key)
        nodes = table[name].value
        assert isinstance(nodes, list)
        if opens:
            nodes.append(Node({}, span, key))
        inner, item = nodes[-1].value, below[len(nodes) - 1]
    else:
        if name not in table:
            table[name] = Node({}, span, key)
        inner, item = table[name].value, below
    assert isinstance(inner, dict)
    assert isinstance(item, dict)
    return inner, item
