"""A refusal of the file system is told with its place, its reason and the way out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from durian_assist.common.paths import unusable


def told(path: Path, error: OSError) -> str:
    """The error as people see it."""
    return str(unusable("cannot be written", path, error))


def test_a_file_where_a_folder_should_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    path = tmp_path / "file" / "below" / "book"
    assert told(path, NotADirectoryError()) == (
        f"{path}: cannot be written: {tmp_path / 'file'} is a file, not a folder\n"
        "  Move that file away, or name another file."
    )


def test_the_outermost_missing_folder_is_named(tmp_path: Path) -> None:
    assert f"there is no folder {tmp_path / 'a'}\n" in told(tmp_path / "a" / "b" / "c", FileNotFoundError())


@pytest.mark.parametrize(
    ("name", "closed", "says"),
    [
        ("new/deep.txt", "", "write in {}"),
        ("there.txt", "", "read and write {}/there.txt"),
        ("shut/deep/x.txt", "shut", "look into {}/shut"),
    ],
)
def test_what_somebody_may_not_do_is_named(
    name: str, closed: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "there.txt").touch()
    (tmp_path / "shut").mkdir()
    monkeypatch.setattr(os, "access", lambda path, _mode: not closed or Path(path) != tmp_path / closed)
    assert f"you have no right to {says.format(tmp_path)}\n" in told(tmp_path / name, PermissionError())


def test_a_missing_file_is_no_missing_folder(tmp_path: Path) -> None:
    assert "there is no such file\n  Check the name, or" in told(tmp_path / "x", FileNotFoundError())


def test_what_has_no_words_of_its_own_has_those_of_the_system(tmp_path: Path) -> None:
    assert "cannot be written: No space left on device\n" in told(tmp_path / "x", OSError(28, os.strerror(28)))
    assert "this is a folder\n" in told(tmp_path, IsADirectoryError())
