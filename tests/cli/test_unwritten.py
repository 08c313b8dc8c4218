"""An answer that cannot be written: the command goes on, and says whether its change is in the book."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Run

pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")


@pytest.fixture
def full(run: Run) -> None:
    players = ["--player", "Ann", "--player", "Bo"]
    assert run("session", "new", "Full", "--game", "dash", *players).exit_code == 0


def shell(words: str) -> subprocess.CompletedProcess[str]:
    """The command line as a shell runs it, redirections in it."""
    command = f"{sys.executable} -m durian_assist {words}"
    return subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)


@pytest.mark.usefixtures("full")
@pytest.mark.parametrize(("to", "why"), [(">/dev/full", "no room is left on the disk"), (">&-", "it is closed")])
@pytest.mark.parametrize(
    ("words", "done", "rounds"),
    [
        ("session add Full --points Ann=1 --points Bo=2", "Saved as round 1 of Full", 1),
        ("session add Full --points Ann=1 --points Bo=2 --json", "Saved as round 1 of Full", 1),
        ("dash score --player 'Ann: sultan 1' --player 'Bo: msw 1' --save Full", "saved as round 1 of Full", 1),
        ("session remove Full --yes", "Removed Full", None),
    ],
)
def test_what_is_saved_is_said_to_be_saved(
    words: str, done: str, rounds: int | None, to: str, why: str, run: Run
) -> None:
    result = shell(f"{words} {to}")
    assert result.returncode == 3
    assert f"standard output: the answer could not be written: {why}\n" in result.stderr
    assert f"What was asked for is done all the same: {done}" in result.stderr
    assert "should not happen" not in result.stderr
    assert ("1 round" in run("session", "show", "Full").output) == bool(rounds)


@pytest.mark.usefixtures("full")
@pytest.mark.parametrize("words", ["session show Full", "session show Full --json", "--help", "session add --help"])
@pytest.mark.parametrize("to", [">/dev/full", ">&-"])
def test_an_answer_alone_may_be_asked_for_again(words: str, to: str) -> None:
    result = shell(f"{words} {to}")
    assert (result.returncode, "and run the command again" in result.stderr) == (3, True)
    assert not any(said in result.stderr for said in ("should not happen", "Traceback", "is done"))


@pytest.mark.usefixtures("full")
@pytest.mark.parametrize("to", ["2>&-", "2>/dev/full", "<&-"])
def test_other_streams_that_are_closed_change_nothing(to: str) -> None:
    result = shell(f"session show Full {to}")
    assert (result.returncode, result.stdout.split(":")[0]) == (0, "Full")
    assert shell(f"session show Nobody {to}").returncode == 3
