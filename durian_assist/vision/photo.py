"""Load a photo: bytes to BGR pixels as a person sees the picture (EXIF rotation applied)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.errors import InputError

Pixels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Photo:
    """A photo in memory. `pixels` is (height, width, 3) uint8 BGR as shown."""

    name: str
    pixels: Pixels

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.pixels.shape[1], self.pixels.shape[0]


def load_photo(path: str | Path) -> Photo:
    """Read a photo file. Raises InputError where the file is no picture that can be decoded."""
    data = np.frombuffer(Path(path).read_bytes(), np.uint8)
    pixels = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    if pixels is None:
        raise InputError("this is not a picture that can be read", where=str(path))
    return Photo(str(path), np.asarray(pixels, np.uint8))
