"""Records of Durian: round trips, flags of every kind of fault, and that all are listed."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durian_assist.durian.cards import GORILLAS, Card, Gorilla
from durian_assist.durian.record import read_round, read_tokens, write_record
from durian_assist.durian.round import Round
from durian_assist.records.document import load_record
from durian_assist.records.source import RecordError
from tests.durian.helpers import CARDS, legal_rounds

GOOD = """game = "durian"
players = ["Ann", "Bo", "Cy"]
first = "ann"
inventory = ["strawberry 1 | banana 3", "gorilla hannah", "?"]
orders = ["banana 3 | strawberry 1", "gorilla murphy flips 1"]
caller = "C"
[tokens]
bo = [1]
"""


def faults(text: str, read: object = read_round) -> list[str]:
    """`line:column message` of every fault."""
    with pytest.raises(RecordError) as caught:
        read(load_record("table.toml", text))  # type: ignore[operator]
    return [f"{fault.span.line}:{fault.span.column} {fault.message}" for fault in caught.value.faults]


def test_names_are_found_without_regard_to_case() -> None:
    round_ = read_round(load_record("table.toml", GOOD))
    assert (round_.first, round_.caller) == ("Ann", "Cy")
    assert round_.tokens == {"Ann": (), "Bo": (1,), "Cy": ()}
    assert round_.inventory[2] is None


@given(legal_rounds())
def test_round_trip(round_: Round) -> None:
    assert read_round(load_record("table.toml", write_record(round_))) == round_


@given(legal_rounds(), st.lists(st.sampled_from(CARDS), unique=True, max_size=5))
def test_round_trip_with_a_deck(round_: Round, cards: list[Card]) -> None:
    deck = Counter(cards)
    deck.update({Gorilla(name): 1 - deck[Gorilla(name)] for name in GORILLAS})
    with_deck = replace(round_, deck=deck)
    assert read_round(load_record("table.toml", write_record(with_deck))) == with_deck


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('"gorilla hannah"', '"gorilla hanna b"', "4:42 this is no card"),
        ('"durian"', '"smuggler"', "1:8 this record is of another game"),
        ('caller = "C"', 'caller = "Zoe"', "6:10 no such player"),
        ('caller = "C"', "caller = 3", '6:10 "caller" has the wrong type'),
        ("bo = [1]", "bo = [1, 8]", "8:10 Bo cannot hold this token"),
        ("bo = [1]", "bo = [1, true]", "8:10 Bo cannot hold this token"),
        ("bo = [1]", "bo = [1, 1]", "8:10 token 1 exists once, but it stands twice here"),
        ("bo = [1]", "bo = [1]\nCy = [1]", "9:7 token 1 exists once, but it stands with Bo too"),
        ("bo = [1]", "bo = [1]\nBO = [2]", "9:1 the tokens of Bo stand twice"),
        ("bo = [1]", "zoe = [1]", "8:1 no such player"),
        ('"Cy"]', '"Bo"]', "2:25 Bo is named twice"),
        ('["Ann", "Bo", "Cy"]', '["Ann"]', "2:11 this game has two to seven players"),
        ("murphy flips 1", "murphy flips x", "5:60 a gorilla flips an order by its number"),
        ("banana 3 |", "banana 7 |", "5:19 a half of a fruit card shows one, two or three fruits"),
        ("[tokens]", "bell = true\n[tokens]", '7:1 the key "bell" is not known'),
        ('"?"]', '"?"]\nopen_card = "?"', "5:13 the open card lies face up"),
        ("[tokens]", '[deck]\n"banana 1 | banana 2" = 1\n[tokens]', "8:1 a fruit card shows two different fruits"),
    ],
)
def test_faults_with_their_places(old: str, new: str, expected: str) -> None:
    assert old in GOOD
    found = faults(GOOD.replace(old, new, 1))
    assert any(line.startswith(expected) for line in found), found


def test_all_faults_are_listed_in_order() -> None:
    text = GOOD.replace("banana 3 |", "banana 7 |", 1).replace("bo = [1]", "bo = [9]").replace("hannah", "hanah")
    assert [line.split()[0] for line in faults(text)] == ["4:50", "5:19", "8:7"]


def test_a_gorilla_beside_two_orders() -> None:
    orders = '["banana 3 | strawberry 1 flipped by mitch", "grapes 2 | durian 1 flipped by mitch"]'
    text = f'inventory = ["?"]\norders = {orders}'
    assert faults(text) == ["2:55 Mitch lies beside order 1 already"]


def test_what_must_be_there() -> None:
    assert faults('game = "durian"') == ['1:1 the key "inventory" is missing']
    assert faults('game = "durian"', read_tokens) == ['1:1 the key "tokens" is missing']


def test_json_records_have_the_same_keys() -> None:
    text = '{"inventory": ["strawberry 1 | banana 3"], "orders": ["banana 3 | strawberry 1"], "caller": "Bo"}'
    assert read_round(load_record("table.json", text)).caller == "Bo"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "Ann", "1"]), inner, max_size=3)
        ),
        max_leaves=8,
    ),
    st.sampled_from(["players", "first", "inventory", "open_card", "orders", "caller", "tokens", "deck", "game"]),
)
def test_any_value_anywhere_is_a_fault_or_a_round(value: object, key: str) -> None:
    record = {"inventory": ["gorilla mitch"], "players": ["Ann", "Bo"], key: value}
    document = load_record("table.json", json.dumps(record))
    try:
        round_ = read_round(document)
    except RecordError as error:
        told = bool(error.faults)
    else:
        told = read_round(load_record("again.toml", write_record(round_))) == round_
    assert told


@pytest.mark.parametrize("name", ["\\u001b[31mBo", "B\\u202eo", "B\\to"])
def test_names_that_cannot_be_shown(name: str) -> None:
    expected = "a player's name has characters that cannot be shown"
    assert faults(f'inventory = ["gorilla mitch"]\ncaller = "{name}"') == [f"2:10 {expected}"]
    assert f"2:19 {expected}" in faults(f'inventory = ["?"]\nplayers = ["Ann", "{name}"]')
    assert faults(f'[tokens]\n"{name}" = [1]', read_tokens) == [f"2:1 {expected}"]


def test_a_player_without_a_name() -> None:
    assert "1:19 a player has no name" in faults('players = ["Ann", " "]\ninventory = ["?"]')
