"""Cards that lie outside the grid in front of a side: that side's hand.

A hand card lies in the strip beside the grid with its bottom edge towards its side. Cards that outlines showed are
taken first; beside a side without any the strip is searched with all references, so that a card on a busy cloth or cut
off by the frame is not dropped. Draw decks lie askew or at a corner and are no hand.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from durian_assist.vision.correlation import features, unit
from durian_assist.vision.recognise import Identity, Recogniser
from durian_assist.vision.rectify import Floats, Mask, Points, blown, project, to_lab
from durian_assist.vision.smuggler_cards import Laid, face_of
from durian_assist.vision.smuggler_cells import Answer, Sighting, ordered, sighting
from durian_assist.vision.smuggler_seen import SURE, SeenCard
from durian_assist.vision.smuggler_view import BARE, GridView
from durian_assist.vision.table_plane import Pose

# In lattice steps from the middle: the grid ends at 2.5, people lay their last card within an arm's length of it.
NEAREST, FARTHEST = 2.75, 5.5
ALONG = 3.0
# Degrees between a card's bottom edge and its side: up to the first surely a hand, beyond the second surely none.
STRAIGHT, ASKEW = 22.0, 33.0

# Pixels a card in the search of a strip: thin frames correlate only to within a pixel of 20.
SCALE = 20
STRIP_TILTS = (-14.0, -7.0, 0.0, 7.0, 14.0)
LIKELY = 0.42  # least correlation at that scale
MOST_PEAKS = 4
# A strip of which the frame shows less is not searched.
LEAST_STRIP = 0.02
# Correlation of a peak with a reference before it is aligned: a card has 0.5 and more, one cut off by the frame less.
LEAST_ALIKE = 0.36
LEAST_SHOWN = 0.12
# Least confidence to be reported, with its doubt: a card that the frame cuts off is never as clear as a whole one.
LEAST_WHOLE, LEAST_CUT_OFF = 0.5, 0.3
WHOLE = 0.9
# A card that lies askew, or face down beside a grid in progress (it may be a draw deck or a blind deck), is more likely
# a hand than not, and never surely one.
NO_HAND = 0.4


@dataclass(frozen=True, slots=True)
class HandCard:
    """A card in front of side number `side`; its sighting's sides are those of the table as the photo shows it."""

    side: int
    sighting: Sighting


def read_hands(view: GridView) -> tuple[HandCard, ...]:
    """Every hand card, south first; a doubtful one is among them with its doubt."""
    cards = [h for h in (_outlined(view, card) for card in view.others) if h is not None]
    for side in range(4):
        if not any(card.side == side for card in cards):
            cards += _searched(view, side)
    if _in_progress(view):
        cards = [_doubted(card) if _face_down(card.sighting.best) else card for card in cards]
    return tuple(sorted(cards, key=lambda c: c.side))


def _in_progress(view: GridView) -> bool:
    """Do the cards of the grid lie face down? Players then still hold their hands."""
    faces = [face for card in view.cards.values() if (face := face_of(card.identity.best.name)) is not None]
    return 2 * sum(face.kind == "back" for face in faces) > len(faces)


def _face_down(answer: Answer) -> bool:
    return isinstance(answer, Laid) and answer.face.kind == "back"


def _doubted(card: HandCard) -> HandCard:
    """A card that may be no hand: it keeps its name, and a person must say whether it counts."""
    odds = [(answer, p * (1 - NO_HAND)) for answer, p in card.sighting.odds] + [(None, NO_HAND)]
    return HandCard(card.side, Sighting(ordered(odds), card.sighting.quad))


def _outlined(view: GridView, card: SeenCard) -> HandCard | None:
    """A sure card outside the grid as a hand card; None where it lies as no hand does."""
    place = _side_of(view, card.pose)
    if place is None:
        return None
    side, askew = place
    seen = sighting(view, card.identity)
    if askew > ASKEW or not isinstance(seen.best, Laid):
        return None
    if askew <= STRAIGHT:
        return HandCard(side, seen)
    return _doubted(HandCard(side, seen))


def _side_of(view: GridView, pose: Pose) -> tuple[int, float] | None:
    """The side in front of whose strip a card lies, and by how many degrees its bottom edge does not face it."""
    row, column = view.lattice.place(pose)
    out, along = max(abs(row), abs(column)), min(abs(row), abs(column))
    if not NEAREST < out < FARTHEST or along > ALONG:
        return None
    side = (0 if row > 0 else 2) if abs(row) > abs(column) else (3 if column > 0 else 1)
    turn = pose.angle - view.lattice.angle - side * np.pi / 2
    return side, abs(float(np.degrees((turn + np.pi) % (2 * np.pi) - np.pi)))


def _searched(view: GridView, side: int) -> list[HandCard]:
    """The hand card of one side that no outline showed, if there is one: that which is most like a reference."""
    found = [identity for pose in _peaks(view, side) if (identity := _confirmed(view, side, pose)) is not None]
    return [HandCard(side, sighting(view, max(found, key=lambda i: i.best.score)))] if found else []


def _confirmed(view: GridView, side: int, pose: Pose) -> Identity | None:
    """What lies at a pose, where it is a card of that side's hand, in doubt or not."""
    identity = view.recogniser.identify(view.picture, view.quad(pose), rotations=(0,), rigid=True, least=LEAST_ALIKE)
    place = _side_of(view, view.plane.pose(identity.corners))
    if place is None or place[0] != side or place[1] > ASKEW or face_of(identity.best.name) is None:
        return None
    shown = 1 - identity.glare
    least = LEAST_WHOLE if shown > WHOLE else LEAST_CUT_OFF
    doubtful = identity.card < SURE and identity.confidence < least
    return None if shown < LEAST_SHOWN or doubtful else identity


def _peaks(view: GridView, side: int) -> list[Pose]:
    """Where in a side's strip a reference comes near, the likeliest first."""
    bank = _upright_references(view.recogniser)
    found: list[tuple[float, Pose]] = []
    for tilt in STRIP_TILTS:
        found += _strip(view, side, tilt, bank, BARE * view.recogniser.contrast)
    found.sort(key=lambda f: -f[0])
    kept: list[Pose] = []
    for _, pose in found:
        if all(np.hypot(pose.x - k.x, pose.y - k.y) > 0.5 for k in kept):
            kept.append(pose)
        if len(kept) == MOST_PEAKS:
            break
    return kept


def _upright_references(recogniser: Recogniser) -> list[Floats]:
    """(SCALE, SCALE, 3) one small picture a luggage class, each channel's mean taken off, of length one."""
    cards = [card for card in recogniser.classes if face_of(card.name) is not None]
    small = [recogniser.reference(card, 0, (SCALE, SCALE)) for card in cards]
    flat = unit(features(np.stack(small)))
    return [np.ascontiguousarray(one.T.reshape(SCALE, SCALE, 3)) for one in flat]


def _strip(view: GridView, side: int, tilt: float, bank: list[Floats], least: float) -> list[tuple[float, Pose]]:
    """Likely places in the strip of a side, for cards turned by `tilt` degrees; `least` contrast in a card's window."""
    angle = view.lattice.angle + side * np.pi / 2 + np.radians(tilt)
    step = 0.5 * float(np.linalg.norm(view.lattice.right) + np.linalg.norm(view.lattice.down))
    low, high = (NEAREST - 0.5) * step, (FARTHEST + 0.5) * step
    size = (round((2 * ALONG * step + 1) * SCALE), round((high - low) * SCALE))
    outward = view.lattice.angle + side * np.pi / 2
    middle = view.lattice.origin + (low + high) / 2 * np.array([-np.sin(outward), np.cos(outward)])
    to_plane = _canvas_to_plane(middle, angle, size)
    to_photo = np.asarray(view.plane.to_photo @ to_plane, np.float64)
    inside = view.picture.inside(to_photo, size)
    if inside.mean() < LEAST_STRIP:
        return []
    crop = view.picture.warp(to_photo, size)
    use = inside & ~blown(crop)
    lab = to_lab(crop, view.white)
    scores, contrast, shown = _correlations(lab, use, bank)
    scores[(shown < LEAST_SHOWN) | (contrast < least)] = -1
    result = []
    for _ in range(MOST_PEAKS):
        row, column = divmod(int(scores.argmax()), scores.shape[1])
        if scores[row, column] <= LIKELY:
            break
        x, y = project(to_plane, np.array([[column + SCALE / 2 - 0.5, row + SCALE / 2 - 0.5]]))[0]
        pose = Pose(float(x), float(y), angle)
        if _side_of(view, pose) is not None:
            result.append((float(scores[row, column]), pose))
        scores[max(row - SCALE // 2, 0) : row + SCALE // 2, max(column - SCALE // 2, 0) : column + SCALE // 2] = -1
    return result


def _correlations(lab: Floats, use: Mask, bank: list[Floats]) -> tuple[Floats, Floats, Floats]:
    """For the window at each top left pixel: the best correlation with a reference, the contrast, the share in use.

    Pixels not in use are given the mean of what is in use round them, so that they say nothing, and what a reference
    has there does not count for its length either.
    """
    weight = use.astype(np.float32)
    filled = lab * weight[..., None]
    near = (2 * SCALE + 1, 2 * SCALE + 1)
    around = cv2.blur(filled, near) / (cv2.blur(weight, near) + 1e-3)[..., None]
    filled += around * (1 - weight[..., None])
    n = float(SCALE * SCALE)
    total, square = _sums(filled), _sums(filled * filled)
    spread = np.maximum(square - total * total / n, 0)
    length = np.sqrt(spread.sum(-1)) + 1e-3
    best = np.full(length.shape, -1, np.float32)
    for picture in bank:
        scores = cv2.matchTemplate(filled, picture, cv2.TM_CCORR) / length
        if not use.all():
            shown = cv2.matchTemplate(weight, np.square(picture).sum(-1), cv2.TM_CCORR)
            scores /= np.sqrt(np.maximum(shown, LEAST_SHOWN))
        np.maximum(best, scores, out=best)
    return best, np.sqrt(spread[..., 0] / n), _sums(weight) / n


def _sums(plane: Floats) -> Floats:
    """The sum over the window at each top left pixel."""
    summed = cv2.boxFilter(plane, cv2.CV_32F, (SCALE, SCALE), anchor=(0, 0), normalize=False)
    return np.asarray(summed[: plane.shape[0] - SCALE + 1, : plane.shape[1] - SCALE + 1], np.float32)


def _canvas_to_plane(middle: Points, angle: float, size: tuple[int, int]) -> Points:
    """(3, 3) from pixels of a canvas round `middle`, its x axis turned by `angle`, to the plane."""
    c, s = np.cos(angle) / SCALE, np.sin(angle) / SCALE
    x, y = (size[0] - 1) / 2, (size[1] - 1) / 2
    turn = np.array([[c, -s], [s, c]])
    shift = middle - turn @ np.array([x, y])
    return np.array([[c, -s, shift[0]], [s, c, shift[1]], [0, 0, 1]])
