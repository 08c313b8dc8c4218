"""`rules list|show|search`."""

from __future__ import annotations

import click

from durian_assist.cli.main import Group
from durian_assist.cli.narrow import room
from durian_assist.cli.options import json_option
from durian_assist.cli.output import emit_json, say, table
from durian_assist.errors import UsageError


@click.group(cls=Group)
def group() -> None:
    """The rules that scores, checks and disputes turn on, in own words."""


@group.command("list")
@click.argument("game", required=False)
@json_option
def list_rules(game: str | None, as_json: bool) -> None:
    """List the rules of GAME (smuggler, durian, dash), or of all."""
    from durian_assist.common.names import UnknownName, listed, resolve
    from durian_assist.rules.catalogue import GAMES, load

    try:
        games = [resolve(game, GAMES)] if game else list(GAMES)
    except UnknownName as error:
        raise UsageError(error.sentence, where=f"rules list {game}", mend=f"Games: {listed(GAMES)}.") from None
    rules = [rule for name in games for rule in load(name).values()]
    if as_json:
        emit_json({"rules": [rule.to_json() for rule in rules]})
        return
    say(table([(rule.id, rule.title, rule.section) for rule in rules], ["rule", "title", "section of the rulebook"]))


@group.command("show")
@click.argument("rule_id", metavar="ID")
@json_option
def show_rule(rule_id: str, as_json: bool) -> None:
    """Show one rule: what it says, what is checked, its readings, an example."""
    from durian_assist.common.names import UnknownName, resolve
    from durian_assist.rules.catalogue import load_all

    rules = load_all()
    try:
        rule = rules[resolve(rule_id, rules)]
    except UnknownName as error:
        raise UsageError(error.sentence, where=f"rules show {rule_id}", mend="`rules list` names them all.") from None
    if as_json:
        emit_json(rule.to_json())
        return
    say(f"{rule.id}: {rule.title}")
    say(f"Rulebook: {rule.section}\n")
    say(_wrapped(rule.text))
    if rule.example:
        say("\n" + _wrapped(f"Example: {rule.example}"))
    say("\n" + _wrapped(f"Checked: {rule.checks}"))
    for question in rule.questions:
        say("\n" + _wrapped(f"Open: {question.question} {question.why}"))
        for value, meaning in question.choices.items():
            default = " (default)" if value == question.default else ""
            say(_wrapped(f"--reading {question.key}={value}{default}: {meaning}", indent="  "))


def _wrapped(text: str, indent: str = "") -> str:
    columns = min(88, room() or 88)
    after = indent + ("  " if indent else "")
    return click.wrap_text(text, width=columns, initial_indent=indent, subsequent_indent=after)


@group.command("search")
@click.argument("words", nargs=-1, required=True)
@json_option
def search_rules(words: tuple[str, ...], as_json: bool) -> None:
    """Find rules that hold all the WORDS."""
    from durian_assist.rules.catalogue import Rule, load_all

    wanted = [word.casefold() for phrase in words for word in phrase.split()]

    def text(rule: Rule) -> str:
        open_points = " ".join(f"{q.key} {q.question} {' '.join(q.choices)}" for q in rule.questions)
        return f"{rule.id} {rule.title} {rule.section} {rule.text} {rule.example} {open_points}".casefold()

    found = [rule for rule in load_all().values() if all(word in text(rule) for word in wanted)]
    found.sort(key=lambda rule: -sum(word in f"{rule.id} {rule.title}".casefold() for word in wanted))
    if as_json:
        emit_json({"rules": [rule.to_json() for rule in found]})
    elif found:
        say(
            table([(rule.id, rule.title, rule.section) for rule in found], ["rule", "title", "section of the rulebook"])
        )
    else:
        say("No rule holds all these words. Try fewer, or `rules list`.")
