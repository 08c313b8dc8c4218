"""The root command: groups are imported only when they are called, errors are shown as sentences."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from errno import EPIPE
from pathlib import Path
from typing import Any, NoReturn

import click

from durian_assist import __version__
from durian_assist.common.interrupt import Stopped
from durian_assist.common.text import visible
from durian_assist.errors import DurianAssistError, UsageError

# Name, module, and the line in `--help`: kept here so that help imports no group.
GROUPS = {
    "smuggler": ("durian_assist.cli.smuggler", "Durian Smuggler: score, check, legal, setup, turn."),
    "durian": ("durian_assist.cli.durian", "Durian (Oink Games): score, call, odds, setup."),
    "dash": ("durian_assist.cli.dash", "Durian Dash: score, resolve, resupply, check, setup."),
    "read": ("durian_assist.cli.read", "Photo to record: smuggler, durian, dash, cards."),
    "calibrate": ("durian_assist.cli.calibrate", "Teach the program a deck from photos; list, show and test decks."),
    "session": ("durian_assist.cli.session", "The session book: totals over many rounds."),
    "rules": ("durian_assist.cli.rules", "The rules in own words: list, show, search."),
}
_NOTHING_SAVED = "Nothing was saved."


class Command(click.Command):
    """A command that takes no option twice, where only the last one would count."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse. Raises UsageError for an option that is given twice, as the first value would be lost."""
        given = list(args)
        rest = super().parse_args(ctx, args)
        _, _, order = self.make_parser(ctx).parse_args(given)
        single = [one for one in order if isinstance(one, click.Option) and not (one.multiple or one.is_flag)]
        for option in single:
            if single.count(option) > 1:
                what = "this is given twice, and takes one value"
                raise UsageError(what, where=option.opts[-1], mend="Give it once.")
        return rest


class LazyGroup(click.Group):
    """The root group."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse, and note whether JSON was asked for: a command line that is wrong is answered in it too."""
        ctx.meta["durian_assist.asked_json"] = "--json" in args
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of the groups, in the order of the help."""
        return list(GROUPS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the group that is called."""
        if cmd_name not in GROUPS:
            return None
        command: click.Command = importlib.import_module(GROUPS[cmd_name][0]).group
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Answer an unknown name with the closest ones."""
        if args and args[0] not in GROUPS and not args[0].startswith("-"):
            ctx.fail(unknown_command(args[0], GROUPS))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the groups without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in GROUPS.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run, and show every error of ours as a sentence with its exit code; a fault says what was done before it."""
        try:
            return self._answered(ctx)
        except DurianAssistError as error:
            _leave(ctx, error)
        except (KeyboardInterrupt, click.Abort):
            raise Stopped from None
        except UnicodeEncodeError as error:
            refused = UsageError(
                "this has bytes that are no UTF-8 text",
                where=visible(str(error.object)[:200]),
                mend="Type the name anew, in a terminal that uses UTF-8.",
            )
            _leave(ctx, refused)
        except OSError as error:
            if not isinstance(error.filename, (str, bytes)) or error.errno == EPIPE:
                raise
            refuse_file(ctx, error)
        except click.exceptions.Exit:
            raise
        except click.ClickException as error:
            if ctx.meta["durian_assist.asked_json"] and not ctx.meta.get("durian_assist.answered"):
                _emit_error(error.format_message(), error.exit_code)
            raise
        except Exception as error:
            from durian_assist.cli.output import what_was_done

            error.add_note(what_was_done(ctx.meta, _NOTHING_SAVED))
            raise

    def _answered(self, ctx: click.Context) -> Any:
        """Run the command. Raises InputError where its answer could not be written, whatever its exit code."""
        try:
            value = super().invoke(ctx)
        except click.exceptions.Exit:
            _refuse_unwritten(ctx)
            raise
        _refuse_unwritten(ctx)
        return value


def _refuse_unwritten(ctx: click.Context) -> None:
    from durian_assist.cli.output import unwritten

    error = unwritten(ctx.meta)
    if error is not None:
        raise error from None


def _leave(ctx: click.Context, error: DurianAssistError) -> NoReturn:
    """Show an error and go, with its exit code."""
    unanswered = not ctx.meta.get("durian_assist.answered")
    show_error(error, as_json=unanswered and bool(ctx.meta.get("durian_assist.json")))
    ctx.exit(error.exit_code)


def refuse_file(ctx: click.Context, error: OSError) -> NoReturn:
    """A file that the system refuses, wherever it was used, is a sentence with a way out."""
    from durian_assist.common.paths import unusable

    refused = unusable("this file or folder cannot be used", Path(os.fsdecode(error.filename)), error)
    _leave(ctx, refused)


class Group(click.Group):
    """A command group that answers an unknown command with the closest ones."""

    command_class = Command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command. Fails with the closest names."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            ctx.fail(unknown_command(args[0], self.commands))
        return super().resolve_command(ctx, args)


def unknown_command(name: str, known: Any) -> str:
    """The sentence for a command that does not exist."""
    name = visible(name)
    from durian_assist.common.names import closest, listed

    near = closest(name, known)
    hint = f" Did you mean {listed(near, 'or')}?" if near else f" There are {listed(known)}."
    return f"No such command '{name}'.{hint}"


def show_error(error: DurianAssistError, *, as_json: bool) -> None:
    """Print an error to standard error, and with `--json` as a document on standard output too,
    where no answer stands there yet."""
    from durian_assist.cli.output import tell

    lines = str(error).split("\n")
    tell("\n".join(map(visible, ["durian-assist: " + lines[0], *lines[1:]])), whole=True)
    if as_json:
        faults = [fault.to_json() for fault in getattr(error, "faults", ())]
        _emit_error(error.what, error.exit_code, error.where, error.mend, faults)


def _emit_error(
    what: str, code: int, where: str = "", mend: str = "", faults: Sequence[Mapping[str, object]] = ()
) -> None:
    """An error as the document that `--json` gives."""
    from durian_assist.cli.output import emit_json

    emit_json({"error": {"what": what, "where": where, "mend": mend, "exit": code, "faults": list(faults)}})


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="durian-assist")
def app() -> None:
    """The companion beside a table of Durian Smuggler, Durian or Durian Dash.

    Type the finished table in or photograph it: it is rebuilt, scored, checked against the rules and kept.
    """


def _open_streams() -> None:
    """Standard streams that were closed (`>&-`) are there, and refuse what is written: Python has none for them, and
    the next file that is opened would take their place."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDONLY), mode, encoding="utf-8"))


def main() -> None:
    """Run the command line. A fault of the program itself is one sentence, unless DURIAN_ASSIST_DEBUG is set."""
    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        app(prog_name="durian-assist")
    except Exception as error:
        if os.environ.get("DURIAN_ASSIST_DEBUG"):
            raise
        _tell_fault(error)
        sys.exit(3)


def _tell_fault(error: Exception) -> None:
    from durian_assist.cli.output import not_written, silence, tell

    if isinstance(error, OSError) and error.filename is None:  # help, which click writes by itself
        silence(sys.stdout)
        tell(f"durian-assist: {not_written(error)}")
        return
    tell(f"durian-assist: this should not happen: {type(error).__name__}: {error}")
    known = " ".join(getattr(error, "__notes__", [_NOTHING_SAVED]))
    tell(f"  {known} Set DURIAN_ASSIST_DEBUG=1 and run again to see where, and report it.")
