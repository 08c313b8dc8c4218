"""What must be true of the pieces of calibration photos, and what is said about classes that look alike."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from durian_assist.errors import InputError
from durian_assist.vision.calibrate_deck import Labelled, calibrated
from durian_assist.vision.calibrate_layout import _changed, check_agreement, check_layout
from durian_assist.vision.calibrate_references import UNIT_SQUARE, Face
from durian_assist.vision.calibrate_sheet import contact_sheet
from durian_assist.vision.calibrate_weakest import confused, signature, weakest_pairs
from durian_assist.vision.deck_profile import CardClass, DeckProfile, Pixels
from durian_assist.vision.photo import Photo
from tests.vision.drawn import Style, photo

BLANK = np.full((600, 900, 3), 128, np.uint8)
GREEN, WOOD = (60, 120, 50), (120, 160, 190)
ROUND = np.array([[0.5 + 0.5 * np.cos(a), 0.5 + 0.5 * np.sin(a)] for a in np.arange(24) / 24 * 2 * np.pi])


def face(left: float, size: tuple[float, float] = (100, 140), turn: float = 0.0, photo_name: str = "a.jpg") -> Face:
    """An upright piece at that place, turned by some degrees about its top left corner."""
    angle = np.radians(turn)
    way = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    corners = UNIT_SQUARE * size @ way + (left, 100)
    return Face(BLANK, corners.astype(np.float32), UNIT_SQUARE, size, photo_name)


@pytest.mark.parametrize(
    ("last", "says"),
    [
        pytest.param(face(350), "", id="in order"),
        pytest.param(face(230), "what was found for b and c overlaps", id="overlapping"),
        pytest.param(face(210, (60, 84)), "overlaps", id="nested"),
        pytest.param(face(400, turn=25), "c lies askew by 25 degrees", id="askew"),
        pytest.param(face(350, (120, 168)), "c seems 20 % larger than the others", id="larger"),
        pytest.param(face(350, (100, 120)), "c seems 14 % smaller than the others", id="lower"),
    ],
)
def test_pieces_lie_apart_upright_and_of_one_size(last: Face, says: str) -> None:
    faces, shown = [face(50), face(200), last], Photo("a.jpg", BLANK)
    if not says:
        check_layout(shown, faces, "abc")
        return
    with pytest.raises(InputError, match=says) as refusal:
        check_layout(shown, faces, "abc")
    assert refusal.value.where == "a.jpg"
    assert "rows with gaps" in str(refusal.value.mend)


def test_two_photos_of_a_class_show_one_shape() -> None:
    token = Face(BLANK, face(0).corners, ROUND, (100.0, 100.0), "b.jpg")
    with pytest.raises(InputError, match=r"token/1 has two shapes: four-sided, 0.71 .* round or odd, 1.00 .*b.jpg"):
        check_agreement({"token/1": [face(0), token]})
    with pytest.raises(InputError, match="two shapes"):
        check_agreement({"red": [face(0), face(0, (100, 126), photo_name="b.jpg")]})
    check_agreement({"red": [face(0), face(0, (100, 137), photo_name="b.jpg")]})
    check_agreement({"board/order": [face(0, (330, 100)), face(0, (330, 108), photo_name="b.jpg")]})


def two_photos(second: tuple[str, ...]) -> list[Labelled]:
    first = photo([11, 12, 13], Style(), GREEN, columns=3)
    other = photo([11, 12, 13], Style(), WOOD, columns=3, tilt=0.04)
    return [
        Labelled(Photo("one.png", first.pixels), ("red", "blue", "white")),
        Labelled(Photo("two.png", other.pixels), second),
    ]


def test_labels_that_changed_places_are_found() -> None:
    with pytest.raises(InputError, match="what is blue in one looks like white in another") as refusal:
        calibrated("mine", "cards", Path("mine"), two_photos(("red", "white", "blue")))
    assert refusal.value.where == "one.png, two.png"
    assert "order of the labels of blue, white" in str(refusal.value.mend)


def test_photos_that_agree_make_a_deck_with_clear_margins() -> None:
    profile = calibrated("mine", "cards", Path("mine"), two_photos(("red", "blue", "white")))
    assert profile.weakest
    assert not confused(profile.weakest)


def shaded(seed: int, light: float, mark: int) -> Pixels:
    """A card face lit from the left (1) or the right (-1), with a small mark that tells it from its twin."""
    rng = np.random.default_rng(seed)
    art = np.kron(rng.integers(60, 200, (6, 4, 3)), np.ones((20, 20, 1)))
    art[50:58, 38:46] = mark
    return (art * (1 + 0.5 * light * np.linspace(-1, 1, 80))[None, :, None]).clip(0, 255).astype(np.uint8)


def test_the_light_of_a_photo_does_not_make_two_classes_alike() -> None:
    lights = (1.0, -1.0)
    classes = [
        CardClass(name, tuple(shaded(3, light, mark) for light in lights), UNIT_SQUARE, "cards-1")
        for name, mark in (("a", 20), ("b", 235))
    ]
    assert not confused(weakest_pairs(classes))
    assert confused([("a", "b", -0.01), ("a", "c", 0.0), ("a", "d", 0.01)]) == [("a", "b"), ("a", "c")]


def cut_askew(seed: int, mark: int, by: int) -> Pixels:
    """A card face cut so many pixels beside its print, with a mark that tells it from its twin."""
    rng = np.random.default_rng(seed)
    art = np.kron(rng.integers(60, 200, (20, 15, 3)), np.ones((8, 8, 1)))
    art[56:96, 40:76] = mark
    return np.asarray(art[8 + by : 152 + by, 8 + by : 112 + by], np.uint8)


def test_cards_cut_a_little_beside_their_print_are_no_weak_pairs_and_have_not_changed_places() -> None:
    """Their pictures are aligned with a photo before they are compared, so they are with each other."""
    classes = [
        CardClass(name, (cut_askew(5, mark, by), cut_askew(5, mark, -by)), UNIT_SQUARE, "cards-1")
        for name, mark, by in (("a", 20, 1), ("b", 235, -1))
    ]
    assert not confused(weakest_pairs(classes))
    dated = {
        c.name: list(zip(("one", "two"), (signature(r, c.outline) for r in c.references), strict=True)) for c in classes
    }
    assert not any(_changed(dated, one, other) for one, other in (("a", "b"), ("b", "a")))


def test_what_lies_outside_a_token_counts_for_nothing() -> None:
    """Neither in the margins nor on the contact sheet is there anything of the table beside a round piece."""
    rng = np.random.default_rng(8)
    art = [np.kron(rng.integers(40, 220, (5, 5, 3)), np.ones((20, 20, 1))).astype(np.uint8) for _ in range(2)]
    y, x = np.mgrid[:100, :100]
    outside = np.hypot(x - 49.5, y - 49.5) > 50
    pictures = []
    for picture in (art[0], art[0], art[1], art[1]):
        pictures.append(picture.copy())
        pictures[-1][outside] = rng.integers(0, 255, (int(outside.sum()), 3))
    classes = tuple(
        CardClass(name, tuple(pictures[i : i + 2]), ROUND, "tokens-1") for name, i in (("token/1", 0), ("token/2", 2))
    )
    assert weakest_pairs(classes)[0][2] > 0.85
    sheet = contact_sheet(DeckProfile("mine", "durian", Path(), classes))
    assert (sheet[10, 10] == sheet[0, 0]).all()
    assert not (sheet[105, 105] == sheet[0, 0]).all()
