"""The `session` group itself, and what its commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from durian_assist.cli.main import Group
from durian_assist.cli.options import db_option, json_option


@click.group(cls=Group)
def group() -> None:
    """The session book: totals over many rounds, kept for years."""


def session_command(name: str, *options: Callable[[Any], Any]) -> Callable[[Any], click.Command]:
    """A command of the group with `--db` and `--json`, and further options."""

    def made(function: Any) -> click.Command:
        decorated = function
        for option in reversed((*options, db_option, json_option)):
            decorated = option(decorated)
        command: click.Command = group.command(name)(decorated)
        return command

    return made


session_argument = click.argument("name")
