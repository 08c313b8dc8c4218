"""Pictures are written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from durian_assist.errors import InputError
from durian_assist.vision.picture import write_picture

PIXELS = np.full((40, 60, 3), 90, np.uint8)


def test_a_disk_that_gets_full_leaves_the_picture_that_lay_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "overlay.jpg"
    write_picture(path, PIXELS)
    before = path.read_bytes()
    write = Path.write_bytes

    def full(where: Path, data: bytes) -> int:
        write(where, data[:9])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(InputError, match="cannot be written"):
        write_picture(path, 2 * PIXELS)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["overlay.jpg"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    link = tmp_path / "overlay.png"
    link.symlink_to(tmp_path / "there" / "own.png")
    write_picture(link, PIXELS)
    assert link.is_symlink()
    assert (tmp_path / "there" / "own.png").stat().st_size > 0
