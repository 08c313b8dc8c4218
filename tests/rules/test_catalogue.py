"""The catalogue: complete entries, readings that exist, ids that are cited, citations that exist."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import durian_assist
from durian_assist.common.readings import QUESTIONS
from durian_assist.rules.catalogue import GAMES, NOT_CHECKABLE, load, load_all
from tests.conftest import Run

CODE = "\n".join(path.read_text(encoding="utf-8") for path in Path(durian_assist.__file__).parent.rglob("*.py"))
CITED = set(re.findall(r'"((?:smuggler|durian|dash)\.[a-z0-9-]+)"', CODE))


@pytest.mark.parametrize("game", GAMES)
def test_entries_are_complete(game: str) -> None:
    keys = {question.key for question in QUESTIONS[game]}
    for id_, rule in load(game).items():
        assert id_.startswith(f"{game}.")
        assert all((rule.title, rule.section, rule.text, rule.checks)), id_
        assert set(rule.readings) <= keys, id_


def test_every_cited_rule_exists() -> None:
    assert CITED - set(load_all()) == set()


def test_every_rule_is_cited_or_marked() -> None:
    silent = {id_ for id_, rule in load_all().items() if not rule.checks.startswith(NOT_CHECKABLE)}
    assert silent - CITED == set()


def test_every_question_names_a_rule_that_lists_it() -> None:
    rules = load_all()
    for questions in QUESTIONS.values():
        for question in questions:
            assert question.key in rules[question.rule].readings


def test_list_show_search(run: Run) -> None:
    listed = json.loads(run("rules", "list", "dash", "--json").stdout)["rules"]
    assert [rule["id"] for rule in listed] == list(load("dash"))
    shown = run("rules", "show", "smuggler.half-points")
    assert shown.exit_code == 0
    assert "--reading half-points=exact (default)" in shown.stdout
    found = json.loads(run("rules", "search", "half", "points", "--json").stdout)["rules"]
    assert found[0]["id"] == "smuggler.half-points"


def test_rules_that_do_not_exist(run: Run) -> None:
    result = run("rules", "show", "smuggler.half-point")
    assert result.exit_code == 0
    result = run("rules", "show", "smuggler.hlf-points")
    assert result.exit_code == 2
    assert "did you mean smuggler.half-points" in result.stderr
    result = run("rules", "list", "chess")
    assert result.exit_code == 2
    assert "Games: smuggler, durian and dash." in result.stderr
    assert "No rule holds all these words" in run("rules", "search", "zeppelin").stdout
