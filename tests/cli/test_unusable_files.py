"""A file that cannot be read or written is told with its place, the reason and a way out, whatever it was for."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from tests.conftest import Run
from tests.vision.drawn import Style, photo

SQUARE = Style(size_mm=(50, 50))
GREEN = (60, 120, 50)
LEARN = ("calibrate", "deck", "mine", "--game", "smuggler", "--labels", "deck.labels", "cards.png")
SHUT = "is a file, not a folder\n  Move that file away, or "


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A photo of two cards with their labels, and a file where a folder might be."""
    cv2.imwrite(str(tmp_path / "cards.png"), photo([1, 2], SQUARE, GREEN, columns=2).pixels)
    (tmp_path / "deck.labels").write_text("red/empty\nblue/empty\n", encoding="utf-8")
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ((*LEARN, "--to", "file/deck"), f"the deck cannot be written: {{}}/file {SHUT}name another with --to FOLDER."),
        ((*LEARN, "--sheet", "file/sheet.png"), f"file/sheet.png: cannot be written: {{}}/file {SHUT}name another"),
        (
            ("read", "cards", "cards.png", "--overlay", "none/o.png"),
            "none/o.png: cannot be written: there is no folder {}/none\n  Make the folder, or name another file.",
        ),
        (("read", "cards", "file/p.png"), f"file/p.png: the photo cannot be read: {{}}/file {SHUT}name another file."),
    ],
)
def test_a_file_where_a_folder_should_be(args: tuple[str, ...], says: str, run: Run, folder: Path) -> None:
    result = run(*args)
    assert result.exit_code == 3
    assert says.format(folder) in result.stderr


def test_a_reference_of_a_deck_that_cannot_be_read_is_not_called_missing(run: Run, folder: Path) -> None:
    assert run(*LEARN, "--to", "own/mine").exit_code == 0
    picture = next((folder / "own" / "mine" / "references").iterdir())
    picture.unlink()
    picture.mkdir()
    result = run("calibrate", "show", "own/mine")
    assert result.exit_code == 3
    assert "a reference image of the deck cannot be read: this is a folder\n" in result.stderr
    picture.rmdir()
    assert "a reference image of the deck is missing\n" in run("calibrate", "show", "own/mine").stderr


def test_a_truth_file_that_cannot_be_read_is_not_called_missing(run: Run, folder: Path) -> None:
    assert run(*LEARN, "--to", "own/mine").exit_code == 0
    (folder / "cards.json").mkdir()
    said = run("calibrate", "test", "own/mine", "cards.png", "--truth").stderr
    assert "the truth file cannot be read: this is a folder\n" in said


def test_a_link_to_nowhere_is_not_offered_as_its_own_correction(run: Run, folder: Path) -> None:
    (folder / "table.toml").symlink_to("gone.toml")
    result = run("smuggler", "score", "table.toml")
    assert result.exit_code == 3
    assert "table.toml: this is a link to a file that is not there\n  Give the file itself." in result.stderr
