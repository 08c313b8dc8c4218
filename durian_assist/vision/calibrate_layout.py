"""What must be true of the pieces of a calibration photo, whatever their art; else it is refused with the reason.

They lie apart, all of one size, upright. Two photos of one class show one shape; and where the pictures of two classes
have changed places from photo to photo, the labels have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from durian_assist.errors import InputError
from durian_assist.vision.calibrate_checks import refuse
from durian_assist.vision.calibrate_references import Face, rectified
from durian_assist.vision.calibrate_weakest import SIDE, signature
from durian_assist.vision.correlation import best_shifted
from durian_assist.vision.deck_views import SHIFT
from durian_assist.vision.find_size import overlap
from durian_assist.vision.photo import Photo
from durian_assist.vision.rectify import Floats

Array = NDArray[np.float64]
# A picture and the photo that it is from.
_Dated = tuple[str, Floats]

# Share of the smaller of two pieces that may lie under the other: outlines are not exact.
MOST_OVERLAP = 0.04
# Degrees that a piece may be turned against the others, as the photo shows it.
MOST_TURN = 15.0
# Logarithms: sides within a photo, and aspects between photos (pieces without four sides have shadows).
SAME_SIDES, SAME_ASPECT, SAME_ODD_ASPECT = 0.08, 0.06, 0.15
# Correlation by which another class's picture must be nearer than the class's own, all round a circle of classes.
CHANGED_PLACES = 0.15

LAY_OUT = (
    "Lay the cards upright in rows with gaps on a plain table of another colour, in even light, "
    "and take the photo anew."
)


def check_layout(photo: Photo, faces: Sequence[Face], names: Sequence[str]) -> None:
    """Raise InputError where pieces of the photo overlap, are turned, or differ in size: then they are no pieces."""
    for (first, one), (second, other) in combinations(zip(names, faces, strict=True), 2):
        if overlap(one.corners, other.corners) > (MOST_OVERLAP if one.four_sided else 2 * MOST_OVERLAP):
            refuse(photo, f"what was found for {first} and {second} overlaps", LAY_OUT)
    tops = np.array([f.corners[1] - f.corners[0] + f.corners[2] - f.corners[3] for f in faces])
    turns = np.degrees(np.arctan2(tops[:, 1], tops[:, 0]))
    sides = np.log([face.sides for face in faces])
    for name, turn, own in zip(names, turns - np.median(turns), sides - np.median(sides, axis=0), strict=True):
        if abs((turn + 180) % 360 - 180) > MOST_TURN:
            refuse(photo, f"{name} lies askew by {abs(turn):.0f} degrees, or its edge is not seen", LAY_OUT)
        if np.abs(own).max() > (SAME_SIDES if faces[0].four_sided else SAME_ODD_ASPECT):
            share = 100 * (np.exp(own[np.abs(own).argmax()]) - 1)
            refuse(photo, f"{name} seems {abs(share):.0f} % {'larger' if share > 0 else 'smaller'} than the others"
                   ": its edge is not seen, or it is of another kind", LAY_OUT)  # fmt: skip


def check_agreement(faces: Mapping[str, Sequence[Face]]) -> None:
    """Raise InputError where the photos of one class show different things."""
    for name, own in faces.items():
        for one, other in combinations(own, 2):
            _check_shape(name, one, other)
    circle = _changed_places(faces)
    if circle:
        where = sorted({Path(face.photo).name for name in circle for face in faces[name]})
        raise InputError(
            f"the photos do not agree: what is {circle[0]} in one looks like {circle[1]} in another",
            where=", ".join(where),
            mend=f"Check the order of the labels of {', '.join(circle)} in each photo: row by row from the far left.",
        )


def _check_shape(name: str, one: Face, other: Face) -> None:
    first, second = (face.sides[0] / face.sides[1] for face in (one, other))
    # A shadow taken for part of the piece is as wide on its short side, of which it is a larger share.
    narrow = float(np.sqrt(max(first, 1 / first)))
    limit = narrow * (SAME_ASPECT if one.four_sided else SAME_ODD_ASPECT)
    if one.four_sided == other.four_sided and abs(np.log(first / second)) < limit:
        return
    kinds = ("four-sided" if face.four_sided else "round or odd" for face in (one, other))
    shapes = " and ".join(
        f"{kind}, {aspect:.2f} times as wide as high, in {Path(face.photo).name}"
        for kind, aspect, face in zip(kinds, (first, second), (one, other), strict=True)
    )
    raise InputError(
        f"{name} has two shapes: {shapes}",
        where=one.photo if one.photo == other.photo else f"{one.photo}, {other.photo}",
        mend=f"In one of them something else was taken for it. {LAY_OUT}",
    )


def _changed_places(faces: Mapping[str, Sequence[Face]]) -> list[str]:
    """Classes in a circle each of whose pictures is nearer to the next one's in another photo than to its own there."""
    several = {name: own for name, own in faces.items() if len({face.photo for face in own}) > 1}
    pictures = {
        name: [(f.photo, signature(rectified(f, (SIDE, SIDE)), f.outline)) for f in own]
        for name, own in several.items()
    }
    likes: dict[str, str] = {}
    for name in several:
        nearest = {
            other: _likeness(pictures[name], pictures[other]) for other in several if _same(several, name, other)
        }
        best = max(nearest, key=lambda other: nearest[other])
        if nearest[best] > nearest[name] + CHANGED_PLACES and _changed(pictures, name, best):
            likes[name] = best
    for start in likes:
        circle = [start]
        while circle[-1] in likes and likes[circle[-1]] not in circle:
            circle.append(likes[circle[-1]])
        if likes.get(circle[-1]) == start:
            return circle
    return []


def _same(faces: Mapping[str, Sequence[Face]], name: str, other: str) -> bool:
    one, two = faces[name][0], faces[other][0]
    return one.four_sided == two.four_sided and abs(np.log(np.divide(*one.sides) / np.divide(*two.sides))) < SAME_ASPECT


def _changed(pictures: Mapping[str, Sequence[_Dated]], name: str, other: str) -> bool:
    """Is a class nearer to another than to itself where the pictures are laid as they fit best, too?"""
    own, strange = (_likeness(pictures[name], pictures[one], _fitted) for one in (name, other))
    return strange > own + CHANGED_PLACES


def _fitted(one: Floats, two: Floats) -> float:
    return float(best_shifted([one], [two], SHIFT)[0, 0])


def _as_they_lie(one: Floats, two: Floats) -> float:
    return float((one * two).sum())


def _likeness(
    own: Sequence[_Dated], other: Sequence[_Dated], correlation: Callable[[Floats, Floats], float] = _as_they_lie
) -> float:
    """Mean correlation of the pictures of two classes in different photos."""
    pairs = [correlation(one, two) for photo, one in own for elsewhere, two in other if photo != elsewhere]
    return float(np.mean(pairs)) if pairs else -1.0
