"""Killed processes and many writers, shortened; the full run is tests/benchmarks/ledger.py."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks import ledger


def test_every_acknowledged_round_outlives_kill_9(tmp_path: Path) -> None:
    assert "all there" in ledger.kills(6, tmp_path)


def test_processes_that_add_at_once_lose_and_double_nothing(tmp_path: Path) -> None:
    assert "4 x 5: 20 rounds" in ledger.writers(4, 5, tmp_path)


def test_random_changes_of_a_long_log_follow_from_it(tmp_path: Path) -> None:
    assert "replayed log" in ledger.replay(1, 60, tmp_path)


def test_a_long_session_is_exported_and_imported_identically(tmp_path: Path) -> None:
    assert "identical" in ledger.exchange(150, tmp_path)
