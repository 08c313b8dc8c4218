"""Every dispute is settled by the command as its entry says.

An entry has `question`, `command` (arguments, as they are typed in the folder of the README; its records lie in
`records/`), `exit` (0 where it is left out), `facts` (dotted paths into the JSON answer and their values), `rules` (ids
that the answer must cite) and `says` (words in the text).
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from durian_assist.rules.catalogue import load
from tests.conftest import Run

HERE = Path(__file__).parent
DISPUTES = [
    pytest.param(entry, id=f"{path.stem}-{number}")
    for path in sorted(HERE.glob("*.toml"))
    for number, entry in enumerate(tomllib.loads(path.read_text(encoding="utf-8"))["dispute"], 1)
]
KEYS = {"question", "command", "exit", "facts", "rules", "says"}


def fact(answer: Any, path: str) -> Any:
    """The value at a dotted path; numbers count the items of a list."""
    for part in path.split("."):
        answer = answer[int(part)] if isinstance(answer, list) else answer[part]
    return answer


@pytest.mark.parametrize("entry", DISPUTES)
def test_dispute(entry: dict[str, Any], run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE.parent.parent)
    assert set(entry) <= KEYS
    assert entry.get("facts") or entry.get("rules") or entry.get("says")
    result = run(*entry["command"], "--json")
    assert result.exit_code == entry.get("exit", 0), result.output
    answer = json.loads(result.stdout)
    assert {path: fact(answer, path) for path in entry.get("facts", {})} == entry.get("facts", {})
    cited = set(re.findall(r'"((?:smuggler|durian|dash)\.[a-z0-9-]+)"', result.stdout))
    assert set(entry.get("rules", [])) <= cited
    assert cited <= set(load(entry["command"][0]))
    text = " ".join(run(*entry["command"]).output.split())
    for words in entry.get("says", []):
        assert words in text
