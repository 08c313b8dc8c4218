"""JSON with places."""

from __future__ import annotations

import json
import re

from durian_assist.records.document import Node
from durian_assist.records.scan import (
    Cursor,
    character_offsets,
    first_number,
    first_too_deep,
    string_end,
    too_deep,
    too_long,
)
from durian_assist.records.source import Fault, RecordError, Source, Span

_SPACE = " \t\n\r"
# What may hold or be a bracket or a number.
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*+"|(?P<open>[\[{])|(?P<close>[\]}])|(?P<number>NaN|-?(?:Infinity|\d[\d.eE+-]*))')


def parse_json(source: Source) -> Node:
    """Parse JSON text. Raises RecordError with the place of the first syntax fault, and for a key given twice."""
    try:
        value = json.loads(source.text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        span = Span(source, error.pos, error.pos + 1)
        raise RecordError([Fault(span, f"this is not valid JSON: {error.msg[0].lower()}{error.msg[1:]}")]) from None
    except RecursionError:
        raise too_deep(first_too_deep(source, _TOKENS)) from None
    except ValueError as error:
        what = str(error) if str(error).endswith("is no number") else "a number is too large"
        raise RecordError(
            [Fault(first_number(source, _TOKENS, _no_number), f"this JSON cannot be used: {what}")]
        ) from None
    return _Scanner(Cursor(source)).node(value)


def _no_number(number: str) -> bool:
    """Is it `NaN`, an infinity or too long a number?"""
    return number[-1] in "Ny" or too_long(number)


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no number")


class _Scanner:
    """Walks valid JSON beside the parsed value."""

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor

    def node(self, value: object, key: Span | None = None) -> Node:
        self.cursor.skip(_SPACE)
        start = self.cursor.at
        if isinstance(value, dict | list):
            self.cursor.deeper()
            inside = self.table(value) if isinstance(value, dict) else self.items(value)
            self.cursor.depth -= 1
            return Node(inside, self.cursor.span(start), key)
        if isinstance(value, str):
            offsets = self.string()
            return Node(value, self.cursor.span(start), key, offsets)
        self.cursor.until(",]}" + _SPACE)
        return Node(value, self.cursor.span(start), key)

    def string(self) -> tuple[int, ...]:
        start = self.cursor.at + 1
        text = self.cursor.source.text
        end = string_end(text, start, '"', escapes=True)
        self.cursor.at = end + 1
        return character_offsets(text, start, end)

    def table(self, value: dict[str, object]) -> dict[str, Node]:
        cursor, found = self.cursor, dict[str, Node]()
        cursor.take("{")
        cursor.skip(_SPACE)
        while not cursor.take("}"):
            start = cursor.at
            self.string()
            span = cursor.span(start)
            name = json.loads(cursor.source.text[start : cursor.at])
            if name in found:
                raise RecordError([Fault(span, f'the key "{name}" is given twice', mend="Keep one of the two.")])
            cursor.skip(_SPACE + ":")
            found[name] = self.node(_twin(cursor, value[name]), span)
            cursor.skip(_SPACE + ",")
        return found

    def items(self, value: list[object]) -> list[Node]:
        cursor, found = self.cursor, list[Node]()
        cursor.take("[")
        cursor.skip(_SPACE)
        while not cursor.take("]"):
            found.append(self.node(value[len(found)]))
            cursor.skip(_SPACE + ",")
        return found


def _twin(cursor: Cursor, value: object) -> object:
    """The value that stands here: of a key given twice the parser kept the last one, and the walk needs its own."""
    if value is None:
        return None
    return json.JSONDecoder(parse_constant=_no_constant).raw_decode(cursor.source.text, cursor.at)[0]
