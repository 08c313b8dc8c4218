"""The pictures of a class from several photos are held against each other; one that was cut wrongly is cut anew.

Where the art of one picture lies in the other photo, its corners should lie on those found there. Where they do not,
a line beside the edge (of a frame, a seam, a shadow) was taken for the edge in one of the photos, or a ring printed
inside it. Which of the two, neither's art can say, but the pieces beside it do (all have one size), and the edges: the
right corners have an edge along all sides in both photos. Two copies printed and cut by hand differ too, but both are
regular and on their edges.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from durian_assist.vision.calibrate_edges import seen, stands_out
from durian_assist.vision.calibrate_onto import Laid, Layer
from durian_assist.vision.calibrate_references import UNIT_SQUARE, Face
from durian_assist.vision.calibrate_skew import Pattern
from durian_assist.vision.find_frames import sides_of
from durian_assist.vision.find_shapes import along
from durian_assist.vision.find_sides import fit_sides
from durian_assist.vision.rectify import project

Array = NDArray[np.float64]
Points = NDArray[np.float32]

# Of a piece's size: corners that lie nearer to one another than this were cut alike.
APART = 0.008
# Of it too: an outline that lies so far inside another all round was drawn inside it. A shadow leaves one side free.
RING = 0.03
# What must speak for other corners: each hundredth of the size that they are more regular counts 1, an edge that is
# seen along their worst side while there is none along that of the old ones too.
GAIN, HUNDREDTHS = 0.1, 100.0
# How far a side that was put right may lie beside its edge, of the piece's size, and how much better that is seen.
SNAP, SEEN_BETTER = 0.012, 0.02
# So many times the usual skew of a photo's pieces, and so much of their size, is no bent card.
ASKEW, LEAST_ASKEW = 4.0, 0.0125

_MEND = (
    "Look at it with `calibrate show`. Lay it out once more upright on a plain table of another colour than its edge, "
    "in even light, take that photo anew and calibrate the deck again with --fresh."
)


@dataclass(slots=True)
class Agreement:
    """The faces of each class, those cut wrongly cut anew; `doubts`: what is wrong and cannot be mended, in words."""

    faces: dict[str, list[Face]]
    doubts: list[str] = field(default_factory=list)


def agreed(faces: Mapping[str, Sequence[Face]]) -> Agreement:
    """The faces held against one another, class by class."""
    own = _Cuts(_patterns([face for own in faces.values() for face in own]))
    result = Agreement({name: own.of_class(name, faces[name]) for name in faces})
    result.doubts = own.doubts + own.askew(result.faces)
    return result


def _patterns(faces: Sequence[Face]) -> dict[str, Pattern]:
    """Of each photo of four-sided pieces; all pieces of one photo have one shape, else it would have been refused."""
    photos: dict[str, list[Face]] = {}
    for face in faces:
        if face.four_sided:
            photos.setdefault(face.photo, []).append(face)
    return {photo: Pattern.of([face.corners for face in own], _size(own[0])) for photo, own in photos.items()}


def _size(face: Face) -> tuple[int, int]:
    """Width and height of the photo."""
    return face.pixels.shape[1], face.pixels.shape[0]


@dataclass(slots=True)
class _Cuts:
    """`patterns`: of the photos of four-sided pieces."""

    patterns: Mapping[str, Pattern]
    layer: Layer = field(default_factory=Layer)
    doubts: list[str] = field(default_factory=list)

    def of_class(self, name: str, faces: Sequence[Face]) -> list[Face]:
        """The faces of one class, each held against the most regular one of them; once more where that one was cut
        anew."""
        own = list(faces)
        best = min(range(len(own)), key=lambda k: self._skew(own[k], own[k].corners))
        for _ in range(2):
            known = own[best]
            for k in range(len(own)):
                if k != best:
                    own[best], own[k] = self._pair(name, own[best], own[k])
            if own[best] is known or len(own) == 2:
                break
        return own

    def askew(self, faces: Mapping[str, Sequence[Face]]) -> list[str]:
        """What is to be said of faces that differ from the other pieces of their photo still.

        A class that does so in each of several photos has a size of its own.
        """
        doubts = []
        for name, own in faces.items():
            wrong = [face for face in own if self._askew(face)]
            if len(wrong) < max(len(own), 2):
                doubts += [
                    f"the corners of {name} in {Path(face.photo).name} do not lie as those of the pieces beside it do: "
                    f"its edge was not found there. {_MEND}"
                    for face in wrong
                ]
        return doubts

    def _askew(self, face: Face) -> bool:
        pattern = self.patterns.get(face.photo)
        limit = max(LEAST_ASKEW, ASKEW * pattern.usual) if pattern else 0.0
        return pattern is not None and pattern.tells and pattern.skew(face.corners) > limit

    def _pair(self, name: str, one: Face, two: Face) -> tuple[Face, Face]:
        """Two faces of a class, one of them cut anew where that is called for."""
        of_one, of_two = self.layer.laid(one, two), self.layer.laid(two, one)
        if of_one.other_art and of_two.other_art:
            self._doubt(name, one, two, "look like pictures of two different pieces")
        if not (of_one.same_art and of_two.same_art):
            return one, two
        if _moved(two, of_one) < APART and _moved(one, of_two) < APART:
            return one, two
        one_anew, two_anew = _cut_as(one, two, of_two), _cut_as(two, one, of_one)
        for inner, outer, known in ((one, one_anew, two), (two, two_anew, one)):
            if _inside(_outline(inner), _outline(outer)):
                return self._larger(name, inner, outer, known, swapped=inner is two)
        if not one.four_sided:
            return one, two  # a shadow at one side, which all pieces of the shape are rid of together
        gains = (self._gain(one, one_anew), self._gain(two, two_anew))
        if max(gains) < GAIN:
            return one, two
        return (_snapped(one_anew), two) if gains[0] > gains[1] else (one, _snapped(two_anew))

    def _larger(self, name: str, inner: Face, outer: Face, known: Face, *, swapped: bool) -> tuple[Face, Face]:
        """The two faces where `inner` lies in the outline of the `known` one all round: the larger outline is the
        piece's, if an edge runs along it in both photos."""
        if stands_out(inner.pixels, _outline(outer)):
            inner = outer
        else:
            self._doubt(name, inner, known, "were cut along two different lines")
        return (known, inner) if swapped else (inner, known)

    def _gain(self, face: Face, anew: Face) -> float:
        """What speaks for the new corners: how much more regular they are and how much better their edges are seen."""
        old_edge, new_edge = seen(face.pixels, [face.corners, anew.corners])
        regular = self.patterns[face.photo].straighter(face.corners, anew.corners, _size(face))
        return HUNDREDTHS * regular + new_edge - old_edge

    def _skew(self, face: Face, corners: Points) -> float:
        return self.patterns[face.photo].skew(corners) if face.photo in self.patterns else 0.0

    def _doubt(self, name: str, one: Face, two: Face, what: str) -> None:
        photos = " and ".join(dict.fromkeys(Path(face.photo).name for face in (one, two)))
        doubt = f"the pictures of {name} in {photos} {what}: one of them was not cut along its edge. {_MEND}"
        self.doubts += [doubt] if doubt not in self.doubts else []


def _moved(face: Face, laid: Laid) -> float:
    """How far the worst corner is from where the other photo of the class has it, as a share of the piece's size."""
    size = np.sqrt(max(cv2.contourArea(face.corners), 1.0))
    return float(np.linalg.norm(laid.corners - face.corners, axis=1).max() / size)


def _cut_as(face: Face, known: Face, laid: Laid) -> Face:
    """The face cut as the known one is."""
    larger = sides_of(laid.corners.astype(np.float64)) / sides_of(face.corners.astype(np.float64))
    width, height = face.sides * larger
    return replace(face, corners=laid.corners, outline=known.outline, sides=(float(width), float(height)))


def _snapped(face: Face) -> Face:
    """The four-sided face with its sides on the edges beside them, where those are seen better there: on no two copies
    of a card lies the print in quite the same place."""
    reach = float(np.clip(SNAP * np.sqrt(max(cv2.contourArea(face.corners), 1.0)), 3.0, 8.0))
    quads, _ = fit_sides(face.pixels, face.corners[None], reach)
    quads, _ = fit_sides(face.pixels, quads, 3.0)
    before, after = seen(face.pixels, [face.corners, quads[0]])
    return replace(face, corners=quads[0]) if after > before + SEEN_BETTER else face


def _outline(face: Face) -> Points:
    """The outline (n, 2) in the photo."""
    to_photo = cv2.getPerspectiveTransform(UNIT_SQUARE.astype(np.float32), face.corners)
    return project(np.asarray(to_photo, np.float64), face.outline).astype(np.float32)


def _inside(inner: Points, outer: Points) -> bool:
    """Whether an outline lies inside another with a margin all round; a tenth of it may be off."""
    points, _ = along(outer, 96)
    away = [-cv2.pointPolygonTest(inner, (float(x), float(y)), True) for x, y in points]
    return float(np.percentile(away, 10)) > RING * float(np.sqrt(max(cv2.contourArea(outer), 1.0)))
