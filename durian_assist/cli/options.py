"""Options that several commands share, each defined once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from durian_assist.errors import UsageError

F = TypeVar("F", bound=Callable[..., Any])


class RoundNumber(click.types.IntParamType):
    """The number of a round, counted from 1."""

    name = "round"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number. Raises UsageError for anything else."""
        text = str(value).strip()
        if text.isascii() and text.isdigit() and len(text) < 10 and int(text) > 0:
            return int(text)
        what = f'"{text}" is no round'
        raise UsageError(what, mend="Rounds are counted from 1; `durian-assist session show NAME` numbers them.")


def _remember_json(ctx: click.Context, _param: click.Parameter, value: bool) -> bool:
    ctx.meta["durian_assist.json"] = value
    return value


def named(_ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """The value of an option. Raises UsageError for an empty one: a script's variable that is not set must not mean
    that nothing is saved, or that another book is used."""
    if value == "":
        raise UsageError("nothing is named", where=param.opts[-1], mend="Name it, or leave the option out.")
    return value


def json_option(command: F) -> F:
    """`--json`: one JSON document on standard output and nothing else there."""
    return click.option(
        "--json", "as_json", is_flag=True, is_eager=True, callback=_remember_json, help="Print one JSON document."
    )(command)


def tables_argument(command: F) -> F:
    """TABLE...: photos, one record, or `-`."""
    return click.argument("tables", nargs=-1, metavar="[TABLE]...", type=click.Path(readable=False, path_type=str))(
        command
    )


def deck_option(command: F) -> F:
    """`--deck NAME|FOLDER`."""
    return click.option(
        "--deck",
        callback=named,
        metavar="NAME|FOLDER",
        help="Deck profile; default: the last one calibrated for the game.",
    )(command)


def camera_option(command: F) -> F:
    """`--camera SOURCE`."""
    return click.option(
        "--camera", callback=named, metavar="SOURCE", help="A camera's number, a stream's address or a video file."
    )(command)


def reading_option(command: F) -> F:
    """`--reading KEY=VALUE`, repeatable."""
    return click.option(
        "--reading", "reading", multiple=True, metavar="KEY=VALUE", help="House reading of an open rule; repeatable."
    )(command)


def set_option(command: F) -> F:
    """`--set CELL=VALUE`, repeatable."""
    return click.option(
        "--set",
        "corrections",
        multiple=True,
        metavar="CELL=VALUE",
        help="Correct one cell or card, e.g. 3,2=red6v; repeatable.",
    )(command)


def save_option(command: F) -> F:
    """`--save SESSION` and `--db FILE`."""
    command = click.option(
        "--save", callback=named, metavar="SESSION", help="Add the result to a session as its next round."
    )(command)
    return db_option(command)


def db_option(command: F) -> F:
    """`--db FILE`."""
    return click.option(
        "--db",
        callback=named,
        metavar="FILE",
        envvar="DURIAN_ASSIST_DB",
        type=click.Path(readable=False, path_type=str),
        help="The session book to use.",
    )(command)


def review_options(command: F) -> F:
    """`--draft FILE`, `--accept`, `--overlay FILE`: what to do with a reading from a photo."""
    command = click.option(
        "--overlay",
        callback=named,
        metavar="FILE",
        type=click.Path(path_type=str),
        help="Write the photo with what was read drawn on it.",
    )(command)
    command = click.option("--accept", is_flag=True, help="Take the best guess for uncertain cards, and say so.")(
        command
    )
    return click.option(
        "--draft",
        callback=named,
        metavar="FILE",
        type=click.Path(path_type=str),
        help="Write the record read, to correct by hand.",
    )(command)
