"""Files to write are only written over an earlier output of the same kind."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from durian_assist.resources import shipped
from durian_assist.vision.picture import write_picture
from tests.conftest import Run

PHOTO = shipped("sample_images", "smuggler-midgame-02.jpg")


@pytest.fixture
def friday(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("session", "new", "Friday", "--game", "dash", "--player", "Ann", "--player", "Bo").exit_code == 0
    assert run("session", "add", "Friday", "--points", "Ann=1", "--points", "Bo=2").exit_code == 0


@pytest.mark.usefixtures("friday")
@pytest.mark.parametrize(
    "args",
    [
        ["export", "Friday", "--format", "json", "--out", "mine.toml"],
        ["export", "Friday", "--out", "mine.json"],
        ["export", "Friday", "--out", "mine.csv"],
        ["export", "Friday", "--out", "mine.md"],
        ["chart", "Friday", "--out", "mine.png"],
        ["chart", "Friday", "mine.svg"],
    ],
)
def test_another_file_stays_and_an_own_one_is_renewed(args: list[str], run: Run) -> None:
    file = Path(args[-1])
    file.write_text("[seats] # of mine\n", encoding="utf-8")
    refused = run("session", *args)
    assert (refused.exit_code, "this file is there already" in refused.stderr) == (2, True)
    assert file.read_text(encoding="utf-8") == "[seats] # of mine\n"
    file.unlink()
    assert run("session", *args).exit_code == 0
    before = file.read_bytes()
    assert run("session", "add", "Friday", "--points", "Ann=7", "--points", "Bo=2").exit_code == 0
    assert run("session", *args).exit_code == 0
    assert file.read_bytes() != before


@pytest.mark.usefixtures("friday")
def test_an_export_is_not_written_over_by_another_kind(run: Run) -> None:
    assert run("session", "export", "Friday", "--out", "friday.json").exit_code == 0
    assert run("session", "export", "Friday", "--format", "csv", "--out", "friday.json").exit_code == 2


@pytest.mark.parametrize("ending", ["png", "jpg", "webp"])
def test_pictures_of_our_own_are_known_and_others_stay(ending: str, tmp_path: Path) -> None:
    file = tmp_path / f"seen.{ending}"
    pixels = np.random.default_rng(3).integers(0, 256, (61, 83, 3)).astype(np.uint8)
    for _ in range(2):
        write_picture(file, pixels)
    shown = cv2.imread(str(file))
    assert shown is not None
    assert shown.shape == pixels.shape
    with Image.open(file) as opened:
        opened.load()
        assert opened.size == (83, 61)
    cv2.imwrite(str(file), pixels)
    with pytest.raises(Exception, match="this file is there already"):
        write_picture(file, pixels)


def test_an_overlay_never_covers_another_photo(run: Run, tmp_path: Path) -> None:
    other = tmp_path / "photo2.jpg"
    other.write_bytes(PHOTO.read_bytes())
    args = ("read", "smuggler", PHOTO, "--deck", "harbour-smuggler", "--accept", "--overlay")
    assert run(*args, other).exit_code == 2
    assert other.read_bytes() == PHOTO.read_bytes()
    for _ in range(2):
        assert run(*args, tmp_path / "seen.jpg").exit_code == 0
