"""The worked examples of the catalogue: commands in backquotes, what they say in curly quotes."""

from __future__ import annotations

import re
import shlex

import pytest

from durian_assist.rules.catalogue import Rule, load_all
from tests.conftest import Run

RULES = [rule for rule in load_all().values() if "`" in rule.example]


@pytest.mark.parametrize("rule", RULES, ids=[rule.id for rule in RULES])
def test_worked_example(rule: Rule, run: Run) -> None:
    commands = re.findall(r"`([^`]+)`([^`]*)", rule.example)
    for command, tail in commands:
        result = run(*shlex.split(command))
        said = " ".join((result.stdout + result.stderr).split())
        expected = re.findall(r"“([^”]+)”", tail)
        assert expected, f"{rule.id}: nothing is expected of {command}"
        for words in expected:
            assert words in said, f"{rule.id}: {said}"
