"""Every mistake is answered with the words that its folder expects, word for word, and with the right exit code."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.conftest import Run

CASES = sorted(path.parent for path in Path(__file__).parent.glob("*/command.txt"))


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_answer_to_a_mistake(case: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(case)
    result = run(*shlex.split(Path("command.txt").read_text(encoding="utf-8")))
    assert f"exit {result.exit_code}\n{result.output}" == Path("expected.txt").read_text(encoding="utf-8")
