"""Reading Smuggler tables: whole grids, gaps, hands, sides of the camera, doubt, and what is refused."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from durian_assist.errors import InputError
from durian_assist.resources import shipped
from durian_assist.vision.deck_profile import DeckProfile
from durian_assist.vision.photo import Photo, load_photo
from durian_assist.vision.smuggler_cards import Face, Laid
from durian_assist.vision.smuggler_cells import Sighting, in_progress, weighed
from durian_assist.vision.smuggler_reading import SURE, SmugglerReading, read_smuggler
from tests.vision.smuggler_scenes import FULL, MIDDLE, PITCH, deck, lay, photographed, table_of

ARROWS = "v<^>"
BEGUN = """
.       .        red?v    .        .
.       blue?<   green?^  .        .
.       .        ##       purple?> .
.       .        .        red?^    .
.       .        .        .        .
"""


def cells(text: str) -> list[list[str]]:
    return [line.split() for line in text.strip().splitlines()]


def read_cells(reading: SmugglerReading) -> list[list[str]]:
    return cells(str(tomllib.loads(reading.to_record())["grid"]))


def turned(grid: list[list[str]]) -> list[list[str]]:
    """The same grid as somebody sees it to whose left the first one sat (a quarter turn against the clock)."""
    rows = [[grid[r][c] for r in range(5)] for c in reversed(range(5))]
    return [[x if x in (".", "##") else x[:-1] + ARROWS[ARROWS.index(x[-1]) - 1] for x in row] for row in rows]


@pytest.fixture(scope="module")
def full() -> SmugglerReading:
    return read_smuggler([photographed(table_of(FULL), tilt=0.0)], deck())


def test_every_card_of_a_full_grid_and_the_side_it_points_to_is_read() -> None:
    reading = read_smuggler([photographed(table_of(FULL))], deck())
    assert read_cells(reading) == cells(FULL)
    assert reading.uncertain == ()


@pytest.mark.parametrize("turn", [1, 2])
def test_the_grid_is_read_as_the_photo_shows_it_from_any_side(turn: int) -> None:
    wanted = cells(FULL)
    for _ in range(turn):
        wanted = turned(wanted)
    assert read_cells(read_smuggler([photographed(table_of(FULL), turn=turn)], deck())) == wanted


def test_a_grid_is_in_progress_until_most_of_its_cards_are_turned() -> None:
    back, front = (Laid(Face("red", kind, badge), 0) for kind, badge in (("back", None), ("durian", 6)))
    for backs, fronts, waiting in ((0, 0, True), (2, 1, True), (2, 2, True), (1, 2, False)):
        laid = [back] * backs + [front] * fronts + [None]
        found = {(0, c): Sighting(((card, 1.0),), np.zeros((4, 2))) for c, card in enumerate(laid)}
        assert in_progress(found) == waiting


def test_gaps_and_backs_of_a_grid_in_progress_are_read() -> None:
    reading = read_smuggler([photographed(table_of(BEGUN))], deck())
    assert read_cells(reading) == cells(BEGUN)
    assert reading.uncertain == ()


def test_cards_in_front_of_a_side_are_its_hand_and_a_deck_lying_askew_is_none() -> None:
    table = table_of(FULL, {"v": ("red-", 40.0, 4.0), "<": ("blue7", -60.0, -8.0), ">": ("purple?", 0.0, 41.0)})
    said = read_smuggler([photographed(table, tilt=0.05)], deck()).to_json()
    assert said["hands"] == {"south": ["red-"], "west": ["blue7"]}


def test_where_others_show_their_last_card_a_player_without_one_is_asked_about() -> None:
    """End of Game: each player has one card left. Where nobody shows one it is not known that they are to be seen;
    where two of four do, the others may be blind decks."""
    two = {"v": ("red-", 40.0, 4.0), "<": ("blue7", -60.0, -8.0)}
    three = {**two, ">": ("green-", 0.0, 3.0)}
    some = read_smuggler([photographed(table_of(FULL, three), tilt=0.0)], deck())
    assert [(u.key, u.candidates) for u in some.uncertain] == [("hand.north", (".",))]
    for hands in ({}, two):
        assert read_smuggler([photographed(table_of(FULL, hands), tilt=0.0)], deck()).uncertain == ()


def test_a_face_down_card_beside_a_grid_in_progress_is_never_surely_a_hand() -> None:
    """It may be the draw deck or a blind deck; beside a finished grid it is what a blind deck has left."""
    hand = {">": ("purple?", 0.0, 3.0)}
    waiting = read_smuggler([photographed(table_of(BEGUN, hand), tilt=0.05)], deck())
    assert [u.key for u in waiting.uncertain] == ["hand.east"]
    askew = read_smuggler([photographed(table_of(BEGUN, {">": ("purple?", 0.0, 16.0)}), tilt=0.0)], deck())
    assert (askew.uncertain, askew.to_json()["hands"]) == ((), {})
    done = read_smuggler([photographed(table_of(FULL, hand), tilt=0.05)], deck())
    assert done.to_json()["hands"] == {"east": ["purple?"]}
    assert done.uncertain == ()


def test_a_hand_card_cut_off_by_the_frame_is_not_dropped() -> None:
    table = table_of(FULL, {"<": ("yellow4", 30.0, 3.0)})
    cut = Photo("cut.jpg", np.ascontiguousarray(table[:, int(MIDDLE[0] - 3.72 * PITCH) :]))
    reading = read_smuggler([cut], deck())
    assert reading.to_json()["hands"] == {"west": ["yellow4"]} or any(u.key == "hand.west" for u in reading.uncertain)


def test_a_card_behind_glare_is_uncertain_and_never_an_empty_cell() -> None:
    photo = photographed(table_of(FULL), tilt=0.0)
    hidden = photo.pixels.copy()
    cv2.circle(hidden, (MIDDLE[0] - PITCH, MIDDLE[1] + PITCH), 72, (255, 255, 255), -1)
    reading = read_smuggler([Photo("glare.jpg", cv2.GaussianBlur(hidden, (0, 0), 2.0).astype(np.uint8))], deck())
    assert [u.key for u in reading.uncertain] == ["4,2"]
    comment = next(line for line in reading.to_record().splitlines() if line.startswith("#"))
    assert "row 4 column 2" in comment


IN_PROGRESS = """
.     .      .      .     .
.     red?>  blue?v .     .
.     red?^  ##     .     .
.     .      blue?< .     .
.     .      .      .     .
"""


def test_a_washed_out_card_of_a_grid_in_progress_is_uncertain() -> None:
    photo = photographed(table_of(IN_PROGRESS), tilt=0.0)
    x, y = MIDDLE[0], MIDDLE[1] - PITCH
    photo.pixels[y - 54 : y + 54, x - 54 : x + 54] = (252, 254, 253)
    assert "2,3" in [u.key for u in read_smuggler([photo], deck()).uncertain]


@pytest.mark.parametrize(
    ("kind", "face_down", "cloth"),
    [("empty", True, True), ("back", True, False), ("empty", False, False), ("back", False, True)],
)
def test_what_looks_a_little_like_a_card_the_other_way_up_is_cloth(kind: str, face_down: bool, cloth: bool) -> None:
    """Cards lie face down until the grid is full, and face up from then on; a clear card is what it is."""
    card = Laid(Face("red", kind), 0)
    seen = weighed(Sighting(((card, 0.51), (None, 0.49)), np.zeros((4, 2))), face_down)
    assert seen.best == (None if cloth else card)
    assert (seen.confidence >= SURE) == cloth
    clear = Sighting(((card, 0.97), (None, 0.03)), np.zeros((4, 2)))
    assert weighed(clear, face_down) == clear


def test_a_second_photo_from_another_side_settles_what_glare_hides() -> None:
    table = table_of(FULL)
    first = photographed(table, tilt=0.0)
    hidden = first.pixels.copy()
    cv2.circle(hidden, (MIDDLE[0] - PITCH, MIDDLE[1] + PITCH), 72, (255, 255, 255), -1)
    reading = read_smuggler([Photo("glare.jpg", hidden), photographed(table, turn=1)], deck())
    assert read_cells(reading) == cells(FULL)
    assert reading.uncertain == ()


def test_photos_of_two_tables_are_not_combined() -> None:
    other = "\n".join(" ".join(reversed(line.split())) for line in FULL.strip().splitlines()[::-1])
    shuffled = other.replace("red", "xx").replace("blue", "red").replace("xx", "blue").replace("red6", "red-")
    shuffled = shuffled.replace("blue6", "blue7").replace("red7", "red6")
    with pytest.raises(InputError, match="same table"):
        read_smuggler([photographed(table_of(FULL)), photographed(table_of(shuffled))], deck())


def test_corners_start_at_the_cards_own_top_left_and_go_clockwise(full: SmugglerReading) -> None:
    grid = json.loads(json.dumps(full.to_json()))["grid"]
    own_top_left = {"south": (-1, -1), "west": (1, -1), "north": (1, 1), "east": (-1, 1)}
    for card in (grid[r][c] for r in range(5) for c in range(5) if (r, c) != (2, 2)):
        corners = np.array(card["corners"])
        assert tuple(np.sign(corners[0] - corners.mean(0)).astype(int)) == own_top_left[card["points_to"]]
        assert cv2.contourArea(corners.astype(np.float32), oriented=True) > 0


def test_a_correction_settles_a_cell_and_a_hand(full: SmugglerReading) -> None:
    corrected = full.corrected("3,2", "gre9>").corrected("hand.south", "red6,blue-")
    assert read_cells(corrected)[2][1] == "green9>"
    assert corrected.to_json()["hands"] == {"south": ["red6", "blue-"]}
    assert read_cells(corrected.corrected("3,2", "."))[2][1] == "."


def test_a_clear_card_that_the_counts_speak_against_says_why(full: SmugglerReading) -> None:
    """South has 7 cards and east 5: a card seen clearly but not beyond doubt says so; an unclear one needs not."""
    places = dict(full.cells)
    for cell, confidence in (((-2, -2), 0.95), ((-2, -1), 0.6)):
        places[cell] = replace(places[cell], odds=((places[cell].best, confidence),))
    clear, unclear = replace(full, cells=places).uncertain
    assert clear.why == "the sides have not placed alike: south 7, west 6, north 6, east 5"
    assert (clear.entry["why"], unclear.why, "why" in unclear.entry) == (clear.why, "", False)
    crowded = full.corrected("1,2", "red-<").corrected("1,3", "red-^").corrected("1,5", "red-v")
    places = {**crowded.cells, (-2, -2): replace(full.cells[(-2, -2)], odds=((full.cells[(-2, -2)].best, 0.95),))}
    (seventh,) = replace(crowded, cells=places).uncertain
    assert re.fullmatch(r"\d+ cards of red would lie here, but the deck has \d", seventh.why)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("6,1", "red6v", "no place"),
        ("3,3", "red6v", "no place"),
        ("1,1", "red6", "which way"),
        ("1,1", "red7v", 'no card "red7"'),
        ("1,1", "rad6v", "not known"),
        ("1,1", "6v", "no card"),
        ("hand.up", "red6", "no side"),
    ],
)
def test_a_correction_that_cannot_be_is_refused(full: SmugglerReading, key: str, value: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        full.corrected(key, value)


def test_a_photo_without_a_table_is_refused() -> None:
    noise = np.random.default_rng(3).integers(60, 120, (900, 1200, 3)).astype(np.uint8)
    with pytest.raises(InputError, match="no Smuggler table"):
        read_smuggler([Photo("noise.jpg", noise)], deck())


def test_half_a_grid_is_refused() -> None:
    table = table_of(FULL)
    half = np.ascontiguousarray(table[:, : MIDDLE[0] + PITCH // 2 + 5])
    with pytest.raises(InputError, match="part of the grid"):
        read_smuggler([Photo("half.jpg", half)], deck())


def test_two_grids_are_refused() -> None:
    one = table_of(FULL)[350:1050, 400:1100]
    with pytest.raises(InputError, match="two grids"):
        read_smuggler([Photo("two.jpg", np.ascontiguousarray(np.hstack([one, one])))], deck())


def test_a_sixth_column_is_refused() -> None:
    table = table_of(FULL)
    lay(table, "blue/empty", (MIDDLE[0] + 3 * PITCH, MIDDLE[1]), 0)
    with pytest.raises(InputError, match="more than five"):
        read_smuggler([Photo("six.jpg", table)], deck())


def test_a_deck_without_luggage_cannot_read_a_grid() -> None:
    bare = DeckProfile("bare", "smuggler", Path(), tuple(c for c in deck().classes if c.name == "centre"))
    with pytest.raises(InputError, match="no luggage cards"):
        read_smuggler([photographed(table_of(FULL))], bare)


def test_more_cards_of_a_type_than_the_deck_has_cast_doubt_but_overrule_nothing() -> None:
    crowded = FULL.replace("purple-", "purple8")
    reading = read_smuggler([photographed(table_of(crowded))], deck())
    assert read_cells(reading) == cells(crowded)


@pytest.mark.parametrize("name", ["smuggler-final-02", "smuggler-final-06", "smuggler-midgame-01"])
def test_sample_photos_are_read_as_their_truth_says(name: str) -> None:
    photo = shipped("sample_images", f"{name}.jpg")
    truth = json.loads(photo.with_suffix(".json").read_text())
    grid = [["."] * 5 for _ in range(5)]
    for card in truth["cards"]:
        if card["role"] == "grid":
            grid[card["row"]][card["col"]] = _text(card["id"], card["rotation"])
    reading = read_smuggler([load_photo(photo)], deck())
    assert read_cells(reading) == grid
    assert reading.uncertain == ()


def _text(card: str, rotation: str) -> str:
    parts = card.split("/")
    if len(parts) == 1:
        return "##"
    mark = parts[2] if len(parts) == 3 else {"empty": "-", "back": "?"}[parts[1]]
    return parts[0] + mark + ARROWS["SWNE".index(rotation)]
