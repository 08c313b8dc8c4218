"""One card on the table's plane: its exact place, and which face it shows judged by the part of it that is seen.

A `Spot` is a card's place in plane units (height of a card = 1): centre, turn and size. Its canvas is an upright
picture of the card; masks are (h, w) of that canvas.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.correlation import LEAD_STEEPNESS, lead
from durian_assist.vision.dash_plane import TablePlane
from durian_assist.vision.durian_bank import Bank
from durian_assist.vision.durian_contrast import RIM, contrast, unglared
from durian_assist.vision.durian_faces import Face
from durian_assist.vision.durian_shade import evened, on_paper
from durian_assist.vision.rectify import Picture, blown
from durian_assist.vision.softened import softened
from durian_assist.vision.token_align import lightness, local_contrast

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

HEIGHT = 60  # of the canvas on which faces are told apart
ALIGN_HEIGHT = 32
ROUGH_HEIGHT = 20  # of that on which the likely ones are chosen
RIVALS = 6
SHORTLIST = 10  # faces and turns that are compared at full canvas size
MOST_GROWTH = 1.09  # a card differs no more from the plane's size
IDLE = 0.05  # correlation at the start below which alignment is in vain
# Alignment goes from coarse to fine: (reach of the local contrast as a share of the width, blur in pixels).
STAGES = ((0.3, 1.6), (0.1, 0.6))
HOPE = 0.35  # least correlation of the coarse stage that is worth the fine one
ROUNDED = 0.07  # of a card's height: corners are round, the table shows there


@dataclass(frozen=True, slots=True)
class Spot:
    """A card's place: centre (plane units), turn from the plane's upright (radians, clockwise), height."""

    x: float
    y: float
    angle: float
    size: float = 1.0

    def canvas(self, width: int, height: int) -> NDArray[np.float64]:
        """(3, 3) from canvas pixels to plane points."""
        cos, sin = math.cos(self.angle) * self.size / height, math.sin(self.angle) * self.size / height
        u, v = (width - 1) / 2, (height - 1) / 2
        x, y = self.x - cos * u + sin * v, self.y - sin * u - cos * v
        return np.array([(cos, -sin, x), (sin, cos, y), (0.0, 0.0, 1.0)])

    def corners(self, aspect: float) -> NDArray[np.float64]:
        """(4, 2) plane points: top left of the canvas first, clockwise."""
        half = 0.5 * self.size * np.array([(-aspect, -1.0), (aspect, -1.0), (aspect, 1.0), (-aspect, 1.0)])
        cos, sin = np.cos(self.angle), np.sin(self.angle)
        return np.asarray(half @ np.array([(cos, sin), (-sin, cos)]) + (self.x, self.y), np.float64)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a card shows: faces by index in the deck, `turned` by 180 degrees against the canvas, best first.

    `score` is the correlation of the best; `confidence` the probability that nothing else is right; `rivals` are the
    next best (face, turned, probability); `seen` is the share of the card that carries information, `half_seen` that of
    the half, left or right, of which less is seen: faces may differ in one half alone.
    """

    face: int
    turned: bool
    score: float
    confidence: float
    rivals: tuple[tuple[int, bool, float], ...]
    seen: float
    half_seen: float = 1.0


class FaceJudge:
    """All faces of the deck at canvas size, ready to be compared."""

    def __init__(self, faces: Sequence[Face], aspect: float) -> None:
        self.faces, self.aspect = faces, aspect
        self.size = (round(HEIGHT * aspect), HEIGHT)
        self.small = (round(ALIGN_HEIGHT * aspect), ALIGN_HEIGHT)
        self.tiny = (round(ROUGH_HEIGHT * aspect), ROUGH_HEIGHT)
        small = [[_shrunk(reference, self.size) for reference in face.references] for face in faces]
        self.owner = [k for k, stack in enumerate(small) for _ in stack]
        # Faces upright and then turned, by number, and where in the bank the rows of each begin.
        counts = np.array([len(stack) for stack in small] * 2)
        self._groups, self._starts = np.repeat(np.arange(len(counts)), counts), np.cumsum(counts) - counts
        # Of print on bare paper the shade is taken off before anything is compared.
        self.paper = on_paper([stack[0] for stack in small])
        upright = np.stack([contrast(self._plain(picture)) for stack in small for picture in stack])
        both = np.concatenate([upright, upright[:, ::-1, ::-1]])
        self.rough = Bank.of(np.stack([_shrunk_floats(picture, self.tiny) for picture in both]))
        self.fine = Bank.of(both)
        self.body = rounded(self.size)
        self._colours = [stack[0] for stack in small]
        self._aligners: dict[tuple[int, bool], tuple[Aligner, ...]] = {}

    def place(
        self,
        picture: Picture,
        plane: TablePlane,
        spot: Spot,
        face: int,
        turned: bool,
        seen: Mask,
        lit: Mask | None = None,
    ) -> tuple[Spot, float]:
        """The spot moved so that the canvas fits the face, and the correlation of lightness there.

        `lit` (h, w): what no streak of light hides.
        """
        aligners = self._aligners.get((face, turned))
        if aligners is None:
            upright = np.asarray(cv2.resize(self._colours[face], self.small, interpolation=cv2.INTER_AREA), np.uint8)
            light = lightness(self._plain(np.ascontiguousarray(upright[::-1, ::-1]) if turned else upright))
            aligners = tuple(Aligner.of(light, *stage, self.paper) for stage in STAGES)
            self._aligners[face, turned] = aligners
        mask = cv2.resize((seen & self.body).astype(np.uint8), self.small, interpolation=cv2.INTER_NEAREST) > 0
        small = None if lit is None else cv2.resize(lit.astype(np.uint8), self.small, interpolation=cv2.INTER_AREA) > 0
        score = 0.0
        for aligner in aligners:
            spot, score = aligner.fit(picture, plane, spot, mask, lit=small)
            if score < HOPE:
                break
        return spot, score

    def colours(self, face: int, turned: bool) -> Floats:
        """(h, w, 3) BGR the face at canvas size, as it was photographed for calibration."""
        pixels = self._colours[face][::-1, ::-1] if turned else self._colours[face]
        return np.asarray(pixels, np.float32)

    def look(
        self, picture: Picture, plane: TablePlane, spot: Spot, seen: Mask, rim: float = RIM, lit: Mask | None = None
    ) -> tuple[Floats, Mask]:
        """Local contrast (h, w, 3) of the card at the spot and which pixels (h, w) carry information.

        `lit` (h, w): what no streak of light hides.
        """
        to_photo = plane.matrix @ spot.canvas(*self.size)
        crop = picture.warp(to_photo, self.size)
        clear = _both(unglared(crop, rim=rim), lit)
        use = seen & self.body & ~blown(crop) & picture.inside(to_photo, self.size)
        return contrast(self._plain(crop), clear), use if clear is None else use & clear

    def _plain(self, crop: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """A card's canvas without the shade on it, where the deck is such that this can be told."""
        return evened(crop) if self.paper else crop

    def judge(self, picture: Picture, plane: TablePlane, spot: Spot, seen: Mask, lit: Mask | None = None) -> Verdict:
        """Which face lies at the spot, by the pixels `seen` that are `lit` evenly."""
        view, use = self.look(picture, plane, spot, seen, lit=lit)
        likely = self._likely(view, use)
        scores = self.fine.correlations(_planes(view), use.reshape(-1), likely)
        ranked = self._ranked(likely, scores, RIVALS)
        first, rest = ranked[0], ranked[1:]
        rows = np.array([other[3] for other in rest])
        alike = self.fine.correlations(self.fine.planes[:, first[3]], use.reshape(-1), rows)
        leads = [lead(first[0], other[0], float(a)) for other, a in zip(rest, alike, strict=True)]
        odds = [float(np.exp(-LEAD_STEEPNESS * x)) for x in leads]
        total = 1.0 + sum(odds)
        rivals = tuple((o[1], o[2], odd / total) for o, odd in zip(rest, odds, strict=True))
        middle = use.shape[1] // 2
        half_seen = min(float(use[:, :middle].mean()), float(use[:, middle:].mean()))
        return Verdict(first[1], first[2], first[0], 1.0 / total, rivals, float(use.mean()), half_seen)

    def _likely(self, view: Floats, use: Mask) -> NDArray[np.int64]:
        """Rows of the bank of the faces that come nearest in a small picture."""
        small = _planes(_shrunk_floats(view, self.tiny))
        mask = cv2.resize(use.astype(np.uint8), self.tiny, interpolation=cv2.INTER_NEAREST).reshape(-1) > 0
        scores = self.rough.correlations(small, mask, np.arange(2 * len(self.owner)))
        best = np.maximum.reduceat(scores, self._starts)
        chosen = np.zeros(len(best), np.bool_)
        chosen[np.argsort(best)[-SHORTLIST:]] = True
        return np.flatnonzero(chosen[self._groups])

    def _ranked(self, rows: NDArray[np.int64], scores: Floats, most: int) -> list[tuple[float, int, bool, int]]:
        """(score, face, turned, row) of the `most` best faces and turns by their best rows, best first."""
        ranked: list[tuple[float, int, bool, int]] = []
        known: set[int] = set()
        for k in np.argsort(-scores).tolist():
            group = int(self._groups[rows[k]])
            if group not in known and len(known) < most:
                known.add(group)
                face, turned = group % len(self.faces), group >= len(self.faces)
                ranked.append((float(scores[k]), face, turned, int(rows[k])))
        return ranked


@dataclass(frozen=True, slots=True)
class Aligner:
    """Moves a spot so that its canvas fits one picture: shift, turn and size (inverse compositional Gauss-Newton).

    Baker and Matthews, Lucas-Kanade 20 years on (2004), on local contrast.
    """

    target: Floats  # (h, w)
    slopes: Floats  # (4, h w): by shift across and down, turn, growth
    reach: float
    blur: float
    paper: bool = False
    _plain: dict[bytes, _Weighed] = field(default_factory=dict, compare=False)

    @staticmethod
    def of(light: Floats, reach: float, blur: float, paper: bool = False) -> Aligner:
        """`light` (h, w) of the known picture; `reach` of the local contrast (share of the width); `blur` in pixels.

        `paper`: it is print on bare paper, of which shade is taken off.
        """
        target = local_contrast(np.asarray(cv2.GaussianBlur(light, (0, 0), blur), np.float32), reach)
        height, width = target.shape
        across = cv2.Sobel(target, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
        down = cv2.Sobel(target, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
        x, y = np.meshgrid(np.arange(width) - (width - 1) / 2, np.arange(height) - (height - 1) / 2)
        slopes = np.stack([across, down, across * -y + down * x, across * x + down * y])
        return Aligner(target, slopes.reshape(4, -1).astype(np.float32), reach, blur, paper)

    def fit(
        self, picture: Picture, plane: TablePlane, spot: Spot, mask: Mask, rounds: int = 7, lit: Mask | None = None
    ) -> tuple[Spot, float]:
        """Where the masked canvas fits best (the start where it only gets worse), and the correlation there.

        What a lamp's reflection hides counts nowhere, nor what is not `lit` evenly (h, w).
        """
        height, width = self.target.shape
        whole = mask.reshape(-1).astype(np.float32)
        plain = self._kept(mask, whole)
        best, best_score = spot, -1.0
        for _ in range(rounds):
            crop = picture.warp(plane.matrix @ spot.canvas(width, height), (width, height))
            clear = _both(unglared(crop), lit)
            weighed = plain if clear is None else self._weighed(whole * clear.reshape(-1))
            smooth = softened(lightness(evened(crop) if self.paper else crop), self.blur)
            light = weighed.evened(local_contrast(smooth, self.reach, clear).reshape(-1))
            score = float(light @ weighed.target) / weighed.total
            if score <= best_score + 1e-4:
                break
            best, best_score = spot, score
            if score < IDLE:
                break
            dx, dy, turn, growth = weighed.solver @ np.clip(light - weighed.target, -1.5, 1.5)
            spot = _moved(
                spot, height, -float(dx), -float(dy), -float(turn), min(max(1 / (1 + float(growth)), 0.93), 1.07)
            )
        return best, best_score

    def _kept(self, mask: Mask, weight: Floats) -> _Weighed:
        """What a mask's weights make of the target: most spots are looked at by the whole card or one of its parts."""
        key = np.packbits(mask).tobytes()
        if key not in self._plain:
            self._plain[key] = self._weighed(weight)
        return self._plain[key]

    def _weighed(self, weight: Floats) -> _Weighed:
        total = float(weight.sum()) + 1e-3
        flat = self.target.reshape(-1)
        target = (flat - float(flat @ weight) / total) * weight
        spread = float(np.sqrt(target @ target / total)) + 1e-6
        slopes = self.slopes * weight / spread
        normal = (slopes @ slopes.T).astype(np.float64) + np.diag([1e-3, 1e-3, 1.0, 4.0])
        solver = np.linalg.solve(normal, slopes).astype(np.float32)
        return _Weighed(weight, total, np.asarray(target / spread, np.float32), solver)


@dataclass(frozen=True, slots=True)
class _Weighed:
    """An aligner's target (p,) under weights (p,), of mean 0 and spread 1, and what solves for the four motions."""

    weight: Floats
    total: float
    target: Floats
    solver: Floats

    def evened(self, light: Floats) -> Floats:
        """(p,) the same of what is seen."""
        light = (light - float(light @ self.weight) / self.total) * self.weight
        return np.asarray(light / (float(np.sqrt(light @ light / self.total)) + 1e-6), np.float32)


def _moved(spot: Spot, height: int, dx: float, dy: float, turn: float, growth: float) -> Spot:
    """The spot after a shift in canvas pixels, a turn about its centre and a growth."""
    unit = spot.size / height
    cos, sin = math.cos(spot.angle), math.sin(spot.angle)
    return Spot(
        spot.x + unit * (cos * dx - sin * dy),
        spot.y + unit * (sin * dx + cos * dy),
        spot.angle + min(max(turn, -0.1), 0.1),
        min(max(spot.size * growth, 1 / MOST_GROWTH), MOST_GROWTH),
    )


def _both(one: Mask | None, other: Mask | None) -> Mask | None:
    """(h, w) what both masks have; one that is None has everything."""
    if one is None or other is None:
        return one if other is None else other
    return one & other


def rounded(size: tuple[int, int]) -> Mask:
    """(h, w) the card without its corners."""
    width, height = size
    r = ROUNDED * height
    x, y = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    dx = np.maximum(np.maximum(r - x, x - (width - r)), 0)
    dy = np.maximum(np.maximum(r - y, y - (height - r)), 0)
    return np.asarray(dx * dx + dy * dy <= r * r, np.bool_)


def _planes(picture: Floats) -> Floats:
    """(h, w, 3) to (3, p)."""
    return np.ascontiguousarray(picture.reshape(-1, 3).T)


def _shrunk_floats(picture: Floats, size: tuple[int, int]) -> Floats:
    return np.asarray(cv2.resize(np.ascontiguousarray(picture), size, interpolation=cv2.INTER_AREA), np.float32)


def _shrunk(reference: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    return np.asarray(cv2.resize(reference, size, interpolation=cv2.INTER_AREA), np.uint8)
