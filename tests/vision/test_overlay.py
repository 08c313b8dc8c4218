"""Overlays and crop sheets: readable, loud where uncertain, never upset by odd names or places."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durian_assist.vision.overlay import Label, _broken, crop_sheet, draw_overlay, plain

SQUARE = ((200.0, 150.0), (400.0, 160.0), (390.0, 350.0), (190.0, 340.0))
TABLE = np.full((600, 800, 3), 120, np.uint8)


def test_the_photo_itself_is_left_alone() -> None:
    before = TABLE.copy()
    draw_overlay(TABLE, [Label(SQUARE, ("red6v", "Ann 6"))])
    assert (before == TABLE).all()


def test_an_uncertain_card_changes_more_of_the_photo_than_a_sure_one() -> None:
    sure = (draw_overlay(TABLE, [Label(SQUARE, ("red6v",))]) != TABLE).any(-1).sum()
    unsure = (draw_overlay(TABLE, [Label(SQUARE, ("red6v",), uncertain=True)]) != TABLE).any(-1).sum()
    assert unsure > 1.5 * sure > 0


def test_the_outline_lies_on_the_card_and_nothing_is_drawn_far_from_it() -> None:
    changed = (draw_overlay(TABLE, [Label(SQUARE, ("red6v", "Ann", "-3"))]) != TABLE).any(-1)
    assert changed[150:156, 200:206].any()
    assert not changed[:, 450:].any()
    assert not changed[420:].any()


def test_the_label_of_a_card_cut_off_by_the_frame_is_in_the_picture() -> None:
    """Its letters, not only its outline: as much is drawn as on a card that is whole."""
    cut = tuple((x - 340.0, y) for x, y in SQUARE)
    whole, seen = draw_overlay(TABLE, [Label(SQUARE, ("red6v",))]), draw_overlay(TABLE, [Label(cut, ("red6v",))])
    assert (seen > 200).all(-1).sum() == pytest.approx((whole > 200).all(-1).sum(), rel=0.1)


@pytest.mark.parametrize(
    ("text", "drawn"),
    [("5½", "5.5"), ("Zoë", "Zoe"), ("Łukasz", "Lukasz"), ("王", "?"), ("−3", "-3"), ("a\u202eb\n", "ab"), ("", "")],
)
def test_names_are_drawn_in_letters_that_the_font_has(text: str, drawn: str) -> None:
    assert plain(text) == drawn


def tallest_letters(line: str) -> int:
    """How many rows of a card's picture the letters of its label take, with those between its lines."""
    named, bare = (draw_overlay(TABLE, [Label(SQUARE, lines)]) for lines in ((line,), ()))
    letters = (named.min(-1) > 200) & (bare.min(-1) <= 200)
    return len(np.flatnonzero(letters.max(1)))


def test_a_long_label_is_broken_into_lines_that_can_be_read() -> None:
    whole = "love-sultan_like-golden-phoenix_hate-black-pearl"
    strokes = whole.replace("_", "/")
    assert tallest_letters(strokes) > 3 * tallest_letters(whole)
    assert tallest_letters("banana 1 | grapes 3 flipped by mitch") > 2 * tallest_letters(whole)


@pytest.mark.parametrize(
    ("line", "parts", "lines"),
    [
        ("love-a/like-b/hate-c", 3, ["love-a/", "like-b/", "hate-c"]),
        ("banana 1 | grapes 3", 1, ["banana 1 | grapes 3"]),
        ("? strawberry 2 | grapes 1", 2, ["? strawberry 2", "grapes 1"]),
        ("? golden-phoenix", 4, ["? golden-phoenix"]),
        ("red6v", 4, ["red6v"]),
    ],
)
def test_lines_are_broken_between_words(line: str, parts: int, lines: list[str]) -> None:
    assert _broken([line], parts) == lines


def test_a_mark_or_two_are_written_larger_than_a_word_of_the_same_width() -> None:
    assert tallest_letters("7") > 1.4 * tallest_letters("red")


@settings(deadline=None, max_examples=40)
@given(st.text(max_size=12), st.lists(st.tuples(st.floats(-900, 1700), st.floats(-900, 1500)), max_size=6))
def test_any_name_and_any_place_can_be_drawn(name: str, corners: list[tuple[float, float]]) -> None:
    for uncertain in (False, True):
        assert draw_overlay(TABLE, [Label(corners, (name,), uncertain)]).shape == TABLE.shape


def test_a_sheet_has_a_tile_for_every_crop() -> None:
    crops = [(TABLE, SQUARE, f"{n}: row {n} column 2") for n in range(1, 6)]
    one, five = crop_sheet(crops[:1]), crop_sheet(crops)
    assert five.shape[0] == 2 * one.shape[0]
    assert five.shape[1] == 4 * one.shape[1]


def test_a_crop_is_upright_whichever_way_the_card_lies() -> None:
    table = TABLE.copy()
    table[150:250, 200:400] = (0, 0, 250)
    upright = ((200.0, 150.0), (400.0, 150.0), (400.0, 350.0), (200.0, 350.0))
    turned = (*upright[2:], *upright[:2])
    top, bottom = crop_sheet([(table, upright, "")]), crop_sheet([(table, turned, "")])
    assert top[100, 150, 2] > 200 > top[200, 150, 2]
    assert bottom[200, 150, 2] > 200 > bottom[100, 150, 2]


def test_a_token_with_many_corners_is_labelled_as_large_as_a_card() -> None:
    middle, corners = np.mean(SQUARE, axis=0), np.array(SQUARE)
    angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    ring = middle + np.stack([np.cos(angles), np.sin(angles)], -1) * np.ptp(corners, axis=0) / 2
    token = tuple((float(x), float(y)) for x, y in ring)

    def written(shape: tuple[tuple[float, float], ...]) -> int:
        named, bare = (draw_overlay(TABLE, [Label(shape, lines)]) for lines in (("4",), ()))
        return int((named != bare).any(-1).sum())

    assert written(token) > 0.5 * written(SQUARE)
