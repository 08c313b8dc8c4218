"""Pieces of several photos as one table, sides of tokens, corrections, JSON and records of a reading."""

from __future__ import annotations

import tomllib

import numpy as np
import pytest
from numpy.typing import NDArray

from durian_assist.errors import InputError
from durian_assist.vision import durian_reading
from durian_assist.vision.durian_combine import MEND, check_same, combined
from durian_assist.vision.durian_items import Item, Pieces, same_card, summed
from durian_assist.vision.durian_photo import token_sides
from durian_assist.vision.durian_reading import DurianReading
from durian_assist.vision.photo import Photo
from durian_assist.vision.reading import NOT_THE_SAME
from tests.vision.durian_scene import drawn_deck

BOX = ((0.0, 0.0), (10.0, 0.0), (10.0, 5.0), (0.0, 5.0))
HALVES = ("banana 1", "banana 3", "durian 2", "grapes 2", "strawberry 1")


def item(text: str, p: float = 0.99, photo: int = 0, side: str = "") -> Item:
    rest = 1 - p
    return Item(((text, p), ("banana 1 | durian 2", rest)), BOX, photo, side)


def reading(pieces: Pieces) -> DurianReading:
    return DurianReading(pieces, HALVES, ("mitch", "murphy", "hannah"), (1, 2, 3, 4, 5, 6, 7))


TABLE = Pieces(
    inventory=(item("strawberry 1 | banana 3"), item("gorilla hannah"), item("grapes 2 | banana 1", 0.6)),
    orders=(item("banana 3 | strawberry 1"), item("strawberry 1 | banana 3 flipped by murphy")),
)


def token(value: str, side: str, p: float = 0.99, photo: int = 0) -> Item:
    return Item(((value, p), ("7", 1 - p)), BOX, photo, side)


TOKENS = Pieces(tokens=(token("4", "north"), token("2", "south", 0.5), token("1", "south")))


class TestJson:
    def test_table(self) -> None:
        said = reading(TABLE).to_json()
        assert said["tokens"] == []
        assert said["inventory"] == ["strawberry 1 | banana 3", "gorilla hannah", "grapes 2 | banana 1"]
        assert said["orders"] == [
            {
                "accepted": "banana 3",
                "other": "strawberry 1",
                "gorilla": None,
                "confidence": 0.99,
                "corners": [list(c) for c in BOX],
            },
            {
                "accepted": "strawberry 1",
                "other": "banana 3",
                "gorilla": "murphy",
                "confidence": 0.99,
                "corners": [list(c) for c in BOX],
            },
        ]
        assert said["uncertain"] == [
            {
                "part": "inventory",
                "position": 3,
                "corners": [list(c) for c in BOX],
                "candidates": ["grapes 2 | banana 1", "banana 1 | durian 2"],
            }
        ]

    def test_tokens_are_numbers(self) -> None:
        tokens = Pieces(tokens=(Item((("4", 0.99),), BOX, 0, "north"), Item((("2", 0.5), ("3", 0.4)), BOX, 0, "south")))
        said = reading(tokens).to_json()
        assert said["tokens"] == [
            {"value": 4, "confidence": 0.99, "corners": [list(c) for c in BOX], "side": "north"},
            {"value": 2, "confidence": 0.5, "corners": [list(c) for c in BOX], "side": "south"},
        ]
        assert [u.entry["candidates"] for u in reading(tokens).uncertain] == [[2, 3]]
        assert [u.key for u in reading(tokens).uncertain] == ["tokens.2"]


class TestRecord:
    def test_table(self) -> None:
        text = reading(TABLE).to_record()
        assert tomllib.loads(text) == {
            "game": "durian",
            "inventory": ["strawberry 1 | banana 3", "gorilla hannah", "grapes 2 | banana 1"],
            "orders": ["banana 3 | strawberry 1", "strawberry 1 | banana 3 flipped by murphy"],
        }
        assert "# uncertain: inventory card 3: grapes 2 | banana 1 or banana 1 | durian 2" in text

    def test_tokens_by_side(self) -> None:
        assert tomllib.loads(reading(TOKENS).to_record())["tokens"] == {"south": [2, 1], "north": [4]}


def test_a_question_about_a_token_does_not_read_as_its_value() -> None:
    assert [u.place for u in reading(TOKENS).uncertain] == ["the second token, the 2 of south"]


class TestCorrected:
    @pytest.mark.parametrize(
        ("key", "value", "best"),
        [
            ("inventory.3", "Banana 3|STRAWBERRY 1", "banana 3 | strawberry 1"),
            ("inventory.3", "gorilla mit", "gorilla mitch"),
            ("orders.1", "dur | gr flipped by han", "durian 2 | grapes 2 flipped by hannah"),
        ],
    )
    def test_table(self, key: str, value: str, best: str) -> None:
        after = reading(TABLE).corrected(key, value)
        part, _, number = key.partition(".")
        changed: Item = getattr(after.pieces, part)[int(number) - 1]
        assert (changed.best, changed.confidence, changed.sure) == (best, 1.0, True)

    def test_a_settled_token_is_certain(self) -> None:
        after = reading(TOKENS).corrected("tokens.2", " 6 ")
        assert after.uncertain == ()
        assert [i.best for i in after.pieces.tokens] == ["4", "6", "1"]

    @pytest.mark.parametrize(
        ("key", "value", "message"),
        [
            ("inventory.4", "gorilla mitch", "no place of this reading"),
            ("inventory.0", "gorilla mitch", "no place of this reading"),
            ("inventory.x", "gorilla mitch", "no place of this reading"),
            ("1,2", "gorilla mitch", "no place of this reading"),
            ("tokens.1", "2", "no place of this reading"),
            ("inventory.1", "banana 3", "is no card"),
            ("inventory.1", "banana 3 | kiwi 1", "not known"),
            ("inventory.1", "gorilla kong", "not known"),
            ("orders.1", "gorilla mitch", "is no card"),
            ("orders.1", "banana 3 | grapes 2 flipped by kong", "not known"),
        ],
    )
    def test_what_is_refused(self, key: str, value: str, message: str) -> None:
        with pytest.raises(InputError, match=message) as error:
            reading(TABLE).corrected(key, value)
        assert error.value.mend

    @pytest.mark.parametrize("value", ["8", "x", "", "1.0", "٣"])
    def test_no_such_token(self, value: str) -> None:
        with pytest.raises(InputError, match="no token of this deck"):
            reading(TOKENS).corrected("tokens.1", value)


def test_marks_name_every_piece() -> None:
    marks = reading(Pieces(TOKENS.tokens, TABLE.inventory, TABLE.orders)).marks()
    assert [m.key for m in marks] == [
        *("tokens.1", "tokens.2", "tokens.3"),
        *("inventory.1", "inventory.2", "inventory.3"),
        *("orders.1", "orders.2"),
    ]
    assert [m.key for m in marks if m.uncertain] == ["tokens.2", "inventory.3"]


class TestCombined:
    def test_tokens_and_table_from_two_photos(self) -> None:
        assert combined([TABLE, TOKENS]) == Pieces(
            (TOKENS.tokens[0], TOKENS.tokens[2], TOKENS.tokens[1]), TABLE.inventory, TABLE.orders
        )

    def test_the_surer_sight_counts(self) -> None:
        doubtful = Pieces(inventory=(item("grapes 2 | banana 1", 0.5),))
        clear = Pieces(inventory=(item("strawberry 1 | banana 3", 0.97, photo=1),))
        assert combined([doubtful, clear]).inventory == clear.inventory

    def test_the_same_card_seen_the_other_way_round_is_no_difference(self) -> None:
        one, two = (Pieces(inventory=(item(text),)) for text in ("strawberry 1 | banana 3", "banana 3 | strawberry 1"))
        assert combined([one, two]).inventory[0].sure

    def test_two_sure_photos_that_differ_need_a_person(self) -> None:
        one, two = (Pieces(orders=(item(text),)) for text in ("strawberry 1 | banana 3", "banana 3 | strawberry 1"))
        order = combined([one, two]).orders[0]
        assert not order.sure
        assert set(order.candidates) >= {"strawberry 1 | banana 3", "banana 3 | strawberry 1"}

    def test_rows_of_different_length_are_not_sure(self) -> None:
        longer = Pieces(orders=(item("strawberry 1 | banana 3"), item("banana 3 | strawberry 1")))
        shorter = Pieces(orders=longer.orders[:1])
        merged = combined([shorter, longer]).orders
        assert [i.best for i in merged] == [i.best for i in longer.orders]
        assert not any(i.sure for i in merged)

    def test_a_token_seen_twice_is_one_token(self) -> None:
        again = Pieces(tokens=(token("4", "north", 0.95, photo=1), token("3", "east", photo=1)))
        assert sorted(i.best for i in combined([TOKENS, again]).tokens) == ["1", "3", "4"]

    def test_two_photos_that_each_lack_tokens_of_the_other_are_of_two_tables(self) -> None:
        ann = Pieces(tokens=(token("1", "south"), token("2", "south")))
        bo = Pieces(tokens=(token("1", "south"), token("5", "south")))
        with pytest.raises(InputError, match=NOT_THE_SAME) as refused:
            check_same([TABLE, ann, bo], ["table.jpg", "ann.jpg", "bo.jpg"])
        assert refused.value.where == "bo.jpg"
        assert refused.value.mend == MEND
        with pytest.raises(InputError, match=NOT_THE_SAME):
            check_same([Pieces(tokens=ann.tokens[:1]), ann, bo], ["edge.jpg", "ann.jpg", "bo.jpg"])

    def test_photos_of_two_tables_are_not_read_as_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        rows = [Pieces(tokens=(token(value, "south"),)) for value in "12"]
        monkeypatch.setattr(durian_reading, "read_photo", lambda photo, deck, number: rows[number])
        photos = [Photo(name, np.zeros((4, 4, 3), np.uint8)) for name in ("ann.jpg", "bo.jpg")]
        with pytest.raises(InputError, match=NOT_THE_SAME):
            durian_reading.read_durian(photos, drawn_deck())

    def test_a_photo_may_show_some_of_the_tokens_of_another_or_be_in_doubt_of_them(self) -> None:
        whole = Pieces(tokens=(token("1", "south"), token("2", "south"), token("4", "east")))
        edge = Pieces(inventory=TABLE.inventory, tokens=(token("2", "north"),))
        doubtful = Pieces(tokens=(token("1", "south"), Item((("2", 0.6), ("4", 0.4)), BOX)))
        check_same([edge, whole], ["edge.jpg", "whole.jpg"])
        check_same([doubtful, Pieces(tokens=whole.tokens[1:])], ["doubtful.jpg", "other.jpg"])
        check_same([TABLE, Pieces()], ["table.jpg", "empty.jpg"])


def test_equal_answers_add_up() -> None:
    assert dict(summed([("a", 0.2), ("b", 0.3), ("a", 0.4)])) == pytest.approx({"a": 0.6, "b": 0.3})
    assert summed([("a", 0.2), ("b", 0.3), ("a", 0.4)])[0][0] == "a"
    assert same_card("banana 3 | grapes 1", "grapes 1|banana 3")
    assert not same_card("banana 3 | grapes 1", "banana 2 | grapes 1")


def at(x: float, y: float) -> NDArray[np.float64]:
    return np.array([(x - 5, y - 3), (x + 5, y - 3), (x + 5, y + 3), (x - 5, y + 3)], np.float64)


class TestSides:
    def test_one_cluster_is_the_photographers(self) -> None:
        assert token_sides([at(0, 0), at(12, 4), at(30, 0)], None) == ["south"] * 3
        # A player's tokens lie as far apart as two more would take.
        assert token_sides([at(0, 0), at(30, 4), at(30, 36)], None) == ["south"] * 3

    def test_two_players_tokens_lie_further_apart(self) -> None:
        assert token_sides([at(0, 0), at(12, 0), at(0, 40)], None) == ["north", "north", "south"]

    def test_four_clusters_round_the_middle(self) -> None:
        places = [at(0, -90), at(95, 5), at(-100, 0), at(5, 100), at(20, 100)]
        assert token_sides(places, None) == ["north", "east", "west", "south", "south"]

    def test_the_board_is_the_middle_where_it_is_seen(self) -> None:
        assert token_sides([at(0, 0)], at(100, 0)) == ["west"]
        assert token_sides([at(0, 0), at(12, 0)], at(5, 90)) == ["north", "north"]

    def test_no_tokens_no_sides(self) -> None:
        assert token_sides([], None) == []
