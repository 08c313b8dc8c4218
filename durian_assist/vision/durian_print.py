"""Cards found by their print alone, where no outline shows one: dark cards on a dark table.

Keypoints of the photo that look like those of the faces vote for whole cards, as they do for tokens. Which face it is
matters little: faces share their pictures, and those stand in the same places.
"""

from __future__ import annotations

from functools import partial

import cv2
import numpy as np

from durian_assist.common.parallel import Started
from durian_assist.vision.durian_faces import DurianDeck
from durian_assist.vision.durian_seeds import Seed, SeedFinder
from durian_assist.vision.rectify import Picture
from durian_assist.vision.token_votes import TokenVotes, keypoints

WIDTH = 200  # pixels across the canvas on which the faces' keypoints are found
# Of the picture in which keypoints are looked for: a card of a whole table is a tenth of it, its fine lines two pixels.
LONG_SIDE = 1400
CONTRAST = 0.01  # lower than for tokens: this is for dim print
MOST = 16  # places with most votes that are aligned


def by_print(picture: Picture, deck: DurianDeck, finder: SeedFinder) -> list[Seed]:
    """What keypoints vote for, aligned to the faces of the `finder`."""
    size = (WIDTH, round(WIDTH / deck.aspect))
    canvases = [
        np.asarray(cv2.resize(face.references[0], size, interpolation=cv2.INTER_AREA), np.uint8) for face in deck.faces
    ]
    height, width = picture.pixels.shape[:2]
    scale = min(1.0, LONG_SIDE / max(height, width))
    view = picture.warp(np.diag([1 / scale, 1 / scale, 1.0]), (round(width * scale), round(height * scale)))
    seen = Started(partial(keypoints, view, CONTRAST))
    voters = TokenVotes(canvases, np.full(size[::-1], 255, np.uint8))
    corners = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float64) - 0.5
    elected = voters.elect(seen.result(), scale)[:MOST]
    return [finder.aligned(picture, corners @ e.affine[:, :2].T + e.affine[:, 2]) for e in elected]
