"""The README does what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.readme import README, blocks, refreshed, with_disputes


def test_every_example_prints_what_the_readme_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DURIAN_ASSIST_DB", str(tmp_path / "book.db"))
    text = README.read_text(encoding="utf-8")
    shown = list(blocks(text))
    assert len(shown) >= 8
    for (kind, now), (_, before) in zip(blocks(refreshed(text, tmp_path)), shown, strict=True):
        assert now == before, kind


def test_the_set_up_commands_stand_once_and_on_one_line() -> None:
    commands = [line for line in README.read_text(encoding="utf-8").splitlines() if line.startswith("python3 -m venv")]
    assert len(commands) == 2
    assert "sample_images/" in commands[0]
    assert "pytest" in commands[1]


def test_the_table_of_disputes_is_that_of_the_tests() -> None:
    text = README.read_text(encoding="utf-8")
    assert with_disputes(text) == text
    assert text.count("| `smuggler.") + text.count("| `durian.") + text.count("| `dash.") >= 25
