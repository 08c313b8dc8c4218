"""Black and white views of a photo in which cards stand out from the table, each by another property.

No single threshold finds cards on every table, so several are taken: steps of colour, lightness against the
neighbourhood, lightness and saturation against the whole, and the table's own colours.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Plane = NDArray[np.float32]

# Lab units per pixel; paper against most tables is a step of 5 to 40.
EDGE_STEPS = (2.0, 4.0, 8.0)
# Chroma is noisier than lightness in a phone's JPEG but says more where a white card lies on light wood.
CHROMA_WEIGHT = 1.5
# Lightness counts for less where colours are told apart: shadows change it most.
COLOUR_WEIGHTS = np.array([0.6, 1.0, 1.0], np.float32)
# The rim of a picture, a share of its long side, and in how many colours it is summed up: wood has light and dark
# grain, and a shadow may lie over a part of it.
RIM, RIM_COLOURS, RIM_SAMPLES = 0.03, 6, 6000
# Shares of the level between table and pieces (Otsu's): bands of about the table's colour differ from it by less.
OFF_TABLE = (1.0, 0.7, 0.5, 0.35)


def colour_steps(lab: Pixels) -> Plane:
    """Strength of the local colour step, (h, w) float32 in Lab units per pixel."""
    steps = np.zeros(lab.shape[:2], np.float32)
    for channel, weight in ((0, 1.0), (1, CHROMA_WEIGHT), (2, CHROMA_WEIGHT)):
        plane = np.ascontiguousarray(lab[..., channel])
        across = cv2.Scharr(plane, cv2.CV_32F, 1, 0, scale=weight / 16)
        down = cv2.Scharr(plane, cv2.CV_32F, 0, 1, scale=weight / 16)
        steps = np.maximum(steps, cv2.magnitude(across, down))
    return steps


def table_masks(pixels: Pixels, quick: bool = False) -> Iterator[Pixels]:
    """Masks (h, w) uint8 of 0 and 1 for a BGR picture of about 1200 to 2000 pixels on its long side.

    `quick`: by colours that are off by a level or two, see `quick_lab`.
    """
    smooth = np.asarray(cv2.GaussianBlur(pixels, (5, 5), 0), np.uint8)
    lab = quick_lab(smooth) if quick else np.asarray(cv2.cvtColor(smooth, cv2.COLOR_BGR2Lab), np.uint8)
    yield from _edge_masks(lab)
    yield from _lightness_masks(np.ascontiguousarray(lab[..., 0]))
    yield from _saturation_masks(smooth)
    yield from _colour_masks(lab)


def light_masks(pixels: Pixels) -> Iterator[Pixels]:
    """Only those of `table_masks` that look at lightness and saturation: the quick ones."""
    smooth = np.asarray(cv2.GaussianBlur(pixels, (5, 5), 0), np.uint8)
    yield from _lightness_masks(_lightness(smooth))
    yield from _saturation_masks(smooth)


def _linear() -> NDArray[np.float64]:
    """(256,) the light of each level of an sRGB picture, 0 to 1."""
    level = np.arange(256) / 255
    return np.asarray(np.where(level > 0.04045, ((level + 0.055) / 1.055) ** 2.4, level / 12.92), np.float64)


# Blue, green, red of sRGB to X, Y, Z against white (D65); cube roots of these to L, a, b in OpenCV's levels.
_TO_XYZ = np.array([(0.189828, 0.376219, 0.433953), (0.072169, 0.715160, 0.212671), (0.872766, 0.109477, 0.017758)])
_TO_LAB = np.array([(0, 295.8, 0, -40.8), (500, -500, 0, 128), (0, 200, -200, 128)], np.float32)


def quick_lab(pixels: Pixels) -> Pixels:
    """(h, w, 3) CIE Lab of a BGR picture, off by a level or, in full colours, two.

    OpenCV sets up tables at its first conversion, which takes longer than all else that is done with one photo.
    """
    xyz = cv2.transform(cv2.LUT(pixels, _linear().astype(np.float32)[None]), _TO_XYZ.astype(np.float32))
    roots, dark = cv2.pow(xyz, 1 / 3), xyz < 0.008856
    roots[dark] = 7.787 * xyz[dark] + 16 / 116
    return np.asarray(np.clip(np.rint(cv2.transform(roots, _TO_LAB)), 0, 255), np.uint8)


def _lightness(pixels: Pixels) -> Pixels:
    """(h, w) nearly the lightness of CIE Lab, 0 to 255, see `quick_lab`."""
    linear = _linear()
    light = np.where(linear > 0.008856, 116 * np.cbrt(linear) - 16, 903.3 * linear)
    table = np.round(light * 2.55).astype(np.uint8)[None]
    return np.asarray(cv2.LUT(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), table), np.uint8)


def _edge_masks(lab: Pixels) -> Iterator[Pixels]:
    steps = colour_steps(lab)
    for step in EDGE_STEPS:
        edges = np.asarray(steps > step, np.uint8)
        yield edges
        yield np.asarray(cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8)), np.uint8)


def _lightness_masks(light: Pixels) -> Iterator[Pixels]:
    level, _ = cv2.threshold(light, 0, 255, cv2.THRESH_OTSU)
    for share in (0.75, 1.0, 1.25):
        yield np.asarray(light > min(level * share, 250), np.uint8)
    side = max(light.shape)
    for block in (side // 5 | 1, side // 16 | 1):
        for offset in (-6, 10):
            yield np.asarray(
                cv2.adaptiveThreshold(light, 1, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, block, offset), np.uint8
            )


def _saturation_masks(pixels: Pixels) -> Iterator[Pixels]:
    saturation = np.ascontiguousarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2HSV)[..., 1])
    level, _ = cv2.threshold(saturation, 0, 255, cv2.THRESH_OTSU)
    for share in (0.6, 1.0):
        yield np.asarray(saturation < level * share, np.uint8)


def _colour_masks(lab: Pixels, clusters: int = 5) -> Iterator[Pixels]:
    """One mask for each of the main colours of the picture: the table is one or two of them."""
    small = cv2.resize(lab, None, fx=0.125, fy=0.125, interpolation=cv2.INTER_AREA).reshape(-1, 3) * COLOUR_WEIGHTS
    centres = _centres(small.astype(np.float32), clusters)
    # The nearest centre is that with the largest product with a colour, twice, less its own square: a matrix product.
    products = np.column_stack([2 * centres * COLOUR_WEIGHTS, -np.square(centres).sum(axis=1)])
    nearness = cv2.split(cv2.transform(lab.astype(np.float32), products.astype(np.float32)))
    nearest, most = np.zeros(lab.shape[:2], np.uint8), nearness[0]
    for cluster in range(1, clusters):
        nearest[nearness[cluster] > most] = cluster
        most = np.maximum(most, nearness[cluster])
    for cluster in range(clusters):
        yield np.asarray(nearest == cluster, np.uint8)


def off_table_masks(pixels: Pixels) -> Iterator[Pixels]:
    """Masks (h, w) of what differs from the colours at the edge of the picture, where a calibration photo shows table.

    Bands as light as the table, from edge to edge of a dark card, part it in every other mask.
    """
    smooth = np.asarray(cv2.GaussianBlur(pixels, (5, 5), 0), np.uint8)
    lab = cv2.cvtColor(smooth, cv2.COLOR_BGR2Lab).astype(np.float32) * COLOUR_WEIGHTS
    deep = max(round(RIM * max(lab.shape[:2])), 1)
    rim = np.concatenate([side.reshape(-1, 3) for side in (lab[:deep], lab[-deep:], lab[:, :deep], lab[:, -deep:])])
    centres = _centres(rim[:: max(len(rim) // RIM_SAMPLES, 1)], RIM_COLOURS)
    away = np.sqrt(np.min([((lab - centre) ** 2).sum(axis=2) for centre in centres], axis=0))
    level, _ = cv2.threshold(np.minimum(away, 255).astype(np.uint8), 0, 255, cv2.THRESH_OTSU)
    for share in OFF_TABLE:
        mask = np.asarray(away > level * share, np.uint8)
        # Seams of the table and its grain are thin.
        yield np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)), np.uint8)


def _centres(colours: Plane, count: int) -> Plane:
    """The (count, 3) main colours of some (n, 3)."""
    cv2.setRNGSeed(1)
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 12, 1.0)
    start = np.zeros((len(colours), 1), np.int32)
    _, _, centres = cv2.kmeans(np.ascontiguousarray(colours), count, start, criteria, 1, cv2.KMEANS_PP_CENTERS)
    return np.asarray(centres, np.float32)
