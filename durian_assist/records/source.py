"""Where in a text something stands: sources, spans, and faults that show the line with a caret under it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from durian_assist.common.text import visible, width
from durian_assist.errors import InputError, UsageError

# The name of the source of every flag.
COMMAND_LINE = "command line"

# So many faults are listed at most.
MOST_FAULTS = 200

# A longer line is shown in part, around the fault.
_MOST_SHOWN = 120


@dataclass(frozen=True, slots=True)
class Source:
    """A text and the name that people know it by: a file, `standard input`, a flag as it was typed, or what was `read`
    from a photo, a record that nobody wrote."""

    name: str
    text: str
    read: bool = False

    @property
    def unwritten(self) -> bool:
        """Whether nobody wrote this text, so that no line of it is shown: it stands for the record that a command line
        of flags has not, or for what is not in one that was read."""
        return (self.read and not self.text) or (self.name == COMMAND_LINE and not self.text.startswith("--"))


@dataclass(frozen=True, slots=True)
class Span:
    """From `start` up to `end` (character offsets) in a source."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        """Line, from 1."""
        return self.source.text.count("\n", 0, self.start) + 1

    @property
    def column(self) -> int:
        """Column in characters, from 1."""
        return self.start - self._line_start + 1

    @property
    def _line_start(self) -> int:
        return self.source.text.rfind("\n", 0, self.start) + 1

    @property
    def line_text(self) -> str:
        """The whole line that the span starts in."""
        end = self.source.text.find("\n", self.start)
        return self.source.text[self._line_start : end if end >= 0 else None]

    def part(self, start: int, end: int) -> Span:
        """A part of this span, by offsets from its start."""
        return Span(self.source, self.start + start, self.start + end)

    def shown(self) -> str:
        """The line itself and carets under the span."""
        line = self.line_text
        column = min(self.column - 1, len(line))
        first = max(0, column - _MOST_SHOWN // 2) if len(line) > _MOST_SHOWN else 0
        last = first + _MOST_SHOWN
        before, under = line[first:column], line[column : min(column + self.end - self.start, last)]
        gutter = f"{self.line:>4} | "
        pad = "".join(char if char == "\t" else " " * width(visible(char)) for char in before)
        carets = "^" * max(1, width(visible(under)))
        return f"{gutter}{visible(line[first:last])}\n{' ' * (len(gutter) - 2)}| {pad}{carets}"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong in a record."""

    span: Span
    message: str
    expected: str = ""
    found: str = ""
    mend: str = ""
    rule: str = ""

    def __str__(self) -> str:
        tail = f" [{self.rule}]" if self.rule else ""
        lines = [f"{self.span.source.name}: {visible(self.message)}{tail}"]
        if not self.span.source.unwritten:
            at = f"{self.span.source.name}:{self.span.line}:{self.span.column}"
            lines = [f"{at}: {visible(self.message)}{tail}", self.span.shown()]
        if self.expected or self.found:
            expected = f"expected {self.expected}" if self.expected else ""
            found = f"found {visible(self.found)}" if self.found else ""
            lines.append("  " + ", ".join(part for part in (expected, found) if part))
        if self.mend:
            lines.append("  " + visible(self.mend))
        return "\n".join(lines)

    def to_json(self) -> dict[str, object]:
        """JSON form."""
        return {
            "file": self.span.source.name,
            "line": self.span.line,
            "column": self.span.column,
            "message": self.message,
            "expected": self.expected,
            "found": self.found,
            "mend": self.mend,
            "rule": self.rule,
        }


class RecordError(InputError):
    """A record with faults: all of them, in the order of the text.

    Where all of them stand in flags the command line is wrong, and the exit code says so.
    """

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(sorted(faults, key=lambda f: (f.span.source.name, f.span.start)))
        if self.faults and all(fault.span.source.name == COMMAND_LINE for fault in self.faults):
            self.exit_code = UsageError.exit_code
        count = len(self.faults)
        more = ", and perhaps more" if count >= MOST_FAULTS else ""
        super().__init__(f"{count} fault{'s' if count != 1 else ''} in the record{more}")

    def __str__(self) -> str:
        text = "\n".join(str(fault) for fault in self.faults)
        return text if len(self.faults) == 1 else f"{text}\n{self.what}"
