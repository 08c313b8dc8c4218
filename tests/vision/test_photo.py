"""Photos: every format and depth loads as people see it; what is no photo is said plainly."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pillow_heif
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from durian_assist.errors import InputError
from durian_assist.vision.photo import load_photo
from durian_assist.vision.photo_header import read_header

WIDTH, HEIGHT = 120, 80


def picture() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Red on the left, blue on the right, in RGB."""
    pixels = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    pixels[:, : WIDTH // 2, 0] = 200
    pixels[:, WIDTH // 2 :, 2] = 200
    return pixels


def encoded(kind: str) -> bytes:
    """The picture as a file of that kind; `-` and a mode or depth may follow."""
    ending, _, mode = kind.partition("-")
    image = Image.fromarray(picture())
    buffer = BytesIO()
    if ending == "heic":
        pillow_heif.from_pillow(image.convert(mode or "RGB")).save(buffer, quality=90)
        return buffer.getvalue()
    if mode == "16":
        done, data = cv2.imencode(".png", picture()[..., ::-1].astype(np.uint16) * 257)
        assert done
        return data.tobytes()
    image.convert(mode or "RGB").save(buffer, {"jpg": "JPEG", "png": "PNG", "webp": "WEBP", "gif": "GIF"}[ending])
    return buffer.getvalue()


@pytest.mark.parametrize(
    "kind", ["jpg", "png", "webp", "heic", "jpg-CMYK", "png-RGBA", "png-P", "png-16", "heic-RGBA", "webp-RGBA"]
)
def test_every_format_and_depth_is_read_in_colour(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "photo.bin"
    path.write_bytes(encoded(kind))
    photo = load_photo(path)
    assert photo.size == (WIDTH, HEIGHT)
    assert photo.pixels.dtype == np.uint8
    left, right = photo.pixels[40, 10], photo.pixels[40, -10]
    assert left[2] > 120 > left[0]
    assert right[0] > 120 > right[2]


@pytest.mark.parametrize("kind", ["jpg-L", "png-L", "png-1"])
def test_grey_becomes_three_channels(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "grey"
    path.write_bytes(encoded(kind))
    assert load_photo(path).pixels.shape == (HEIGHT, WIDTH, 3)


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_the_rotation_of_exif_is_applied(form: str, tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    path = tmp_path / "turned"
    Image.fromarray(picture()).save(path, form, exif=exif)
    photo = load_photo(path)
    assert photo.size == (HEIGHT, WIDTH)
    assert photo.pixels[10, 40, 2] > 120  # red was on the left, and is on top now


def giant_png(side: int) -> bytes:
    """A PNG header of `side` x `side` pixels with next to nothing behind it."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"\0" * 99)) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        pytest.param(b"", "empty", id="empty"),
        pytest.param(b"hello world " * 20, "not a picture", id="text"),
        pytest.param(b"\xff\xd8\xff" + bytes(50), "cut off", id="jpeg head only"),
        pytest.param(b"%PDF-1.7 and so on", "PDF", id="pdf"),
        pytest.param(giant_png(30000), "too large (30000 x 30000", id="30000 x 30000"),
        pytest.param(giant_png(2**31 - 1), "too large", id="largest header"),
        pytest.param(giant_png(1), "too small", id="1 x 1"),
    ],
)
def test_what_is_no_photo_is_said(data: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"photo\.jpg") as caught:
        load_photo(path)
    assert says in str(caught.value)
    assert caught.value.mend


@pytest.mark.parametrize("kind", ["jpg", "png", "webp", "heic"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.95])
def test_a_truncated_photo_is_refused(kind: str, share: float, tmp_path: Path) -> None:
    data = encoded(kind)
    path = tmp_path / f"cut.{kind}"
    path.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(InputError, match=r"cut off|damaged"):
        load_photo(path)


def test_a_gif_is_named(tmp_path: Path) -> None:
    path = tmp_path / "moving.gif"
    path.write_bytes(encoded("gif"))
    with pytest.raises(InputError, match="GIF"):
        load_photo(path)


def test_folders_and_missing_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="folder"):
        load_photo(tmp_path)
    with pytest.raises(InputError, match="no such file"):
        load_photo(tmp_path / "nothing.jpg")


@given(st.binary(max_size=200), st.sampled_from([b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF....WEBP"]))
def test_any_bytes_are_a_header_or_an_error(rest: bytes, start: bytes) -> None:
    try:
        header = read_header(start + rest, "photo")
    except InputError:
        return
    assert header.kind in ("jpeg", "png", "webp", "heic")
