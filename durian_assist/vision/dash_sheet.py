"""The table's plane drawn as one upright picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from durian_assist.vision.dash_plane import Floats, Pose, TablePlane
from durian_assist.vision.deck_profile import Pixels
from durian_assist.vision.rectify import Mask, Picture


@dataclass(frozen=True)
class Sheet:
    """The table's plane as a picture: `scale` pixels per card height, `origin` the plane point of its top left."""

    pixels: Pixels
    scale: float
    origin: tuple[float, float]

    def cut(self, pose: Pose, size: tuple[int, int], scale: float) -> Pixels:
        """The window of `size` (width, height) pixels around a pose, turned with it, `scale` pixels per card height."""
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        matrix = self._to_sheet(pose, size, scale)
        return np.asarray(cv2.warpAffine(self.pixels, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE))

    def paste(self, pose: Pose, mask: Mask, scale: float) -> None:
        """Paint 255 where the `mask` (h, w) of a window around a pose, `scale` pixels per card height, is true."""
        height, width = self.pixels.shape[:2]
        matrix = self._to_sheet(pose, (mask.shape[1], mask.shape[0]), scale)
        drawn = cv2.warpAffine(mask.astype(np.uint8) * 255, matrix, (width, height), flags=cv2.INTER_LINEAR)
        np.maximum(self.pixels, np.asarray(drawn, np.uint8), out=self.pixels)

    def _to_sheet(self, pose: Pose, size: tuple[int, int], scale: float) -> Floats:
        """(2, 3) from pixels of the window of `size` (width, height) around a pose to those of the sheet."""
        ratio = self.scale / scale
        cos, sin = np.cos(pose.angle) * ratio, np.sin(pose.angle) * ratio
        x, y = (pose.x - self.origin[0]) * self.scale - 0.5, (pose.y - self.origin[1]) * self.scale - 0.5
        u, v = (size[0] - 1) / 2, (size[1] - 1) / 2
        return np.array([(cos, -sin, x - cos * u + sin * v), (sin, cos, y - sin * u - cos * v)])

    def part(self, low: Floats, high: Floats) -> Sheet:
        """What lies between the corners `low` and `high` (plane units), as far as it is on the sheet."""
        height, width = self.pixels.shape[:2]
        left, top = (int(v) for v in np.clip(np.floor((low - self.origin) * self.scale), 0, (width - 1, height - 1)))
        right, bottom = (int(v) for v in np.ceil((high - self.origin) * self.scale))
        x, y = self.origin
        return Sheet(self.pixels[top:bottom, left:right], self.scale, (x + left / self.scale, y + top / self.scale))

    def at(self, scale: float) -> Sheet:
        """The same sheet at another scale."""
        ratio = scale / self.scale
        small = cv2.resize(self.pixels, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA)
        return Sheet(np.asarray(small, np.uint8), scale, self.origin)


def draw_sheet(picture: Picture, plane: TablePlane, scale: float, low: Floats, high: Floats) -> Sheet:
    """The plane between the corners `low` and `high` (plane units) at `scale` pixels per card height."""
    width, height = (int(v) for v in np.ceil((high - low) * scale))
    to_plane = np.array([(1 / scale, 0, low[0] + 0.5 / scale), (0, 1 / scale, low[1] + 0.5 / scale), (0, 0, 1)])
    drawn = picture.warp(plane.matrix @ to_plane, (width, height))
    return Sheet(drawn, scale, (float(low[0]), float(low[1])))
