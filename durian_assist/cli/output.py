"""What every command prints with: JSON, tables, colour."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from errno import EBADF, ENOSPC
from typing import Any, TextIO

import click

from durian_assist.cli.narrow import fitted, room, wrapped
from durian_assist.errors import InputError

_DONE, _UNWRITTEN = "durian_assist.done", "durian_assist.unwritten"
_ELSEWHERE = "Make room there, or send the answer elsewhere, and run the command again."


def emit_json(document: object) -> None:
    """Print one JSON document on standard output, and remember that the answer stands there."""
    _meta()["durian_assist.answered"] = True
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "")
    give(json.dumps(document, indent=2, ensure_ascii=encoding != "utf8") + "\n")


def say(text: str = "", *, whole: bool = False) -> None:
    """Print a line of the answer, with colour only where it is wanted; broken between words where the terminal is too
    narrow, but for drawings, which stay `whole`."""
    give(f"{text if whole else wrapped(text, room())}\n")


def give(answer: str | bytes) -> None:
    """Write to standard output as it is. Where its reader has gone (`| head -1`), or where it cannot be written, the
    command goes on all the same: it may have a round to save. A reader that has gone changes no exit code; anything
    else is remembered, and told when the command ends."""
    try:
        click.echo(answer, nl=False, color=colour_wanted())
    except BrokenPipeError:
        silence(sys.stdout)
    except OSError as error:
        silence(sys.stdout)
        _meta()[_UNWRITTEN] = error


def tell(text: str, *, whole: bool = False) -> None:
    """Print a message that is not the answer itself, to standard error; nobody can be told that this fails. Lines with
    a caret below them stay `whole`."""
    try:
        click.echo(text if whole else wrapped(text, room(sys.stderr)), err=True)
    except OSError:
        silence(sys.stderr)


def remember_done(sentence: str) -> None:
    """Remember a change that was made, for the case that the answer cannot be written afterwards."""
    _meta().setdefault(_DONE, []).append(sentence.rstrip("."))


def what_was_done(meta: dict[str, Any], otherwise: str) -> str:
    """What a command has changed, for a person who must know whether to run it again; `otherwise` where nothing."""
    if not meta.get(_DONE):
        return otherwise
    return f"What was asked for is done all the same: {'; '.join(meta[_DONE])}. Do not run the command again."


def unwritten(meta: dict[str, Any]) -> InputError | None:
    """The error for an answer that could not be written, from the meta of a command's context."""
    if _UNWRITTEN not in meta:
        return None
    return not_written(meta[_UNWRITTEN], what_was_done(meta, f"Nothing was added to the session book. {_ELSEWHERE}"))


def not_written(error: OSError, mend: str = _ELSEWHERE) -> InputError:
    """The error for a standard output that the system refuses."""
    why = {EBADF: "it is closed", ENOSPC: "no room is left on the disk"}.get(error.errno or 0, error.strerror)
    return InputError(f"the answer could not be written: {why}", where="standard output", mend=mend)


def _meta() -> dict[str, Any]:
    context = click.get_current_context(silent=True)
    return {} if context is None else context.meta


def silence(stream: TextIO) -> None:
    """Send what a stream still holds, and all that follows, to nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def colour_wanted() -> bool:
    """Colour on a terminal only, and never with NO_COLOR set to anything but nothing (no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def paint(text: str, colour: str | None = None, *, bold: bool = False) -> str:
    """Text in a colour of click's names; unchanged where no colour is wanted."""
    return click.style(text, fg=colour, bold=bold or None) if colour_wanted() else text


def table(rows: Iterable[Sequence[object]], headers: Sequence[str], *, right: Sequence[int] = ()) -> str:
    """A plain table as tabulate draws it, made narrower where the terminal is. Columns in `right` are aligned right; a
    player called "007" stays "007"."""
    body = [["" if cell is None else str(cell) for cell in row] for row in rows]
    columns = room()
    if columns is None:
        return _whole(body, headers, right)
    return fitted(body, headers, columns, lambda body, headers: _whole(body, headers, right))


def _whole(body: Sequence[Sequence[str]], headers: Sequence[str], right: Sequence[int]) -> str:
    if body and all(len(row) == len(headers) and all(map(_plain, row)) for row in (headers, *body)):
        return _drawn(body, headers, right)
    from tabulate import tabulate

    align = ["right" if column in right else "left" for column in range(len(headers))]
    return str(
        tabulate(body, headers=headers, tablefmt="simple", disable_numparse=True, colalign=align if body else None)
    )


def _plain(cell: str) -> bool:
    """Whether every character takes one column and the cell one line; half points (½) do."""
    return cell.replace("½", "").isascii() and cell.isprintable() and cell == cell.strip()


def _drawn(body: Sequence[Sequence[str]], headers: Sequence[str], right: Sequence[int]) -> str:
    """What tabulate gives for plain cells: importing it takes longer than all the rest of a scoring command."""
    columns = zip(headers, *body, strict=True)
    widths = [max(len(head) + 2, *map(len, cells)) for head, *cells in columns]
    lines = [headers, ["-" * width for width in widths], *body]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
