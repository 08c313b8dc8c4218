"""Records of Durian Dash: what is read, and every fault with its place."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durian_assist.dash.record import read_game
from durian_assist.dash.record_round import read_inventory, read_restock, read_turn
from durian_assist.dash.varieties import Preference
from durian_assist.records.document import load_record
from durian_assist.records.source import RecordError

GAME = """game = "dash"
[[players]]
name = "Hasan"
collection = { rp = 2, "Mao Shan Wang" = 2, black_pearl = 3, golden = 2, rotten = 2 }
love = ["red prawn"]
hate = ["gp"]
last_action = 12
[[players]]
name = "Jin"
collection = {}
love = []
"""
TURN = """game = "dash"
claimed = ["jin: take sultan", "Jin: give sultan to hasan", "Hasan: skip place"]
[rows]
pahang = ["sultan", "?"]
johor = []
[[players]]
name = "Jin"
collection = {}
action = 3
icons = ["take", "give"]
plantation = "pahang"
direction = "left"
give = ["sultan to Hasan"]
[[players]]
name = "Hasan"
action = 21
icons = ["place"]
plantation = "johor"
direction = "right"
"""
RESTOCK = """game = "dash"
players = 2
deck = 5
flipped = ["sultan", "rotten"]
claimed = ["refill pahang 2"]
[rows]
pahang = ["sultan"]
johor = ["rotten", "?"]
"""


def faults(text: str, read: object = read_game) -> list[str]:
    """`line:column message` of every fault."""
    with pytest.raises(RecordError) as caught:
        read(load_record("game.toml", text))  # type: ignore[operator]
    return [f"{fault.span.line}:{fault.span.column} {fault.message}" for fault in caught.value.faults]


def test_a_game() -> None:
    game = read_game(load_record("game.toml", GAME))
    hasan, jin = game.players
    assert hasan.collection == {"red-prawn": 2, "mao-shan-wang": 2, "black-pearl": 3, "golden-phoenix": 2, "rotten": 2}
    assert hasan.preference == Preference("red-prawn", (), "golden-phoenix")
    assert (hasan.last_action, jin.last_action, game.variant) == (12, None, "standard")
    assert jin.preference == Preference()


def test_a_turn() -> None:
    turn = read_turn(load_record("turn.toml", TURN))
    assert [(actor.name, actor.icons, actor.give) for actor in turn.actors] == [
        ("Jin", ("take", "give"), (("sultan", "Hasan"),)),
        ("Hasan", ("place",), ()),
    ]
    assert [str(move) for move in turn.claimed or ()] == [
        "Jin: take sultan",
        "Jin: give sultan to Hasan",
        "Hasan: skip place",
    ]
    assert turn.rows == {"pahang": ("sultan", "?"), "johor": ()}


def test_a_resupply() -> None:
    restock = read_restock(load_record("restock.toml", RESTOCK))
    assert restock.supply.deck == ("sultan", "rotten", "?", "?", "?")
    assert [str(claim) for claim in restock.claimed or ()] == ["refill pahang 2"]


def test_an_inventory() -> None:
    text = GAME.replace('game = "dash"', 'game = "dash"\ndeck = 4\nremoved = ["rotten", "?"]')
    inventory = read_inventory(load_record("game.toml", text))
    assert inventory.places == {
        "collection of Hasan": 11,
        "collection of Jin": 0,
        "Pahang": None,
        "Johor": None,
        "deck": 4,
        "removed": 2,
    }


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("rp = 2", "rd = 2", '4:16 "rd" is not known'),
        ("rp = 2", "rp = -1", "4:21 the number of"),
        ("rp = 2", 'rp = 2, "red prawn" = 1', "4:24 red-prawn stands twice"),
        ('love = ["red prawn"]', 'love = ["rotten"]', "5:9 no preference card names Rotten"),
        ('love = ["red prawn"]', 'love = ["msw"]', "5:9 no preference card names Mao Shan Wang"),
        ('love = ["red prawn"]', 'love = ["rp", "bp"]', "5:8 a preference card names at most 1 under love"),
        ('love = ["red prawn"]', 'like = ["rp", "bp", "sultan"]', "5:8 a preference card names at most 2 under like"),
        ('love = ["red prawn"]', 'love = ["gp"]', "6:9 golden-phoenix is named twice, under love and hate"),
        ("last_action = 12", "last_action = 0", '7:15 "last_action" is out of range'),
        ("last_action = 12", 'last_action = "x"', '7:15 "last_action" has the wrong type'),
        ('name = "Jin"', 'name = "hasan"', "2:1 hasan is named twice"),
        ('name = "Jin"', 'nam = "Jin"', '9:1 the key "nam" is not known in players'),
        ('game = "dash"', 'game = "durian"', "1:8 this record is of another game"),
        ('game = "dash"', 'variant = "hater"\nplayer = 1', '2:1 the key "player" is not known'),
    ],
)
def test_faults_of_a_game(old: str, new: str, expected: str) -> None:
    found = faults(GAME.replace(old, new, 1))
    assert any(line.startswith(expected) for line in found), found


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('"jin: take', '"jim: take', "2:12 no such player"),
        ('"jin: take sultan"', '"jin sultan"', "2:12 this is no move"),
        ("give sultan to hasan", "give sultan", "2:32 this is no gift"),
        ('icons = ["take", "give"]', 'icons = ["take", "throw"]', '10:18 "throw" is not known'),
        ('direction = "left"\n', "", '6:3 the key "direction" is missing'),
        ("action = 3", "action = -3", '9:10 "action" is out of range'),
        ("johor = []\n", "", '3:2 the key "johor" is missing in rows'),
    ],
)
def test_faults_of_a_turn(old: str, new: str, expected: str) -> None:
    found = faults(TURN.replace(old, new, 1), read_turn)
    assert any(line.startswith(expected) for line in found), found


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("players = 2", "players = 7", "2:11 this game has two to six players"),
        ("players = 2", "", '1:1 the key "players" is missing'),
        ("deck = 5", "deck = 1", "4:11 more cards were flipped than the deck had"),
        ("deck = 5", "", '1:1 the key "deck" is missing'),
        ("refill pahang 2", "fill up pahang", "5:12 this is no step"),
        ("refill pahang 2", "refill penang", '5:12 "penang" is not known'),
    ],
)
def test_faults_of_a_resupply(old: str, new: str, expected: str) -> None:
    found = faults(RESTOCK.replace(old, new, 1), read_restock)
    assert any(line.startswith(expected) for line in found), found


def test_all_faults_are_listed() -> None:
    text = GAME.replace("rp = 2", "rd = 2").replace("gp", "rotten").replace("= 12", "= 0")
    assert [line.split()[0] for line in faults(text)] == ["4:16", "6:9", "7:15"]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "pahang", "1"]), inner, max_size=3)
    ),
    max_leaves=8,
)
KEYS = ["players", "variant", "rows", "deck", "flipped", "removed", "claimed", "game"]
OWN = [
    "name",
    "collection",
    "love",
    "last_action",
    "action",
    "icons",
    "plantation",
    "direction",
    "take",
    "place",
    "give",
]


@given(VALUES, st.sampled_from(KEYS), VALUES, st.sampled_from(OWN))
def test_any_value_anywhere_is_a_fault_or_a_record(value: object, key: str, inner: object, own: str) -> None:
    record = {"players": [{"name": "Ann", "collection": {}, own: inner}], key: value}
    text = json.dumps(record)
    for read in (read_game, read_turn, read_restock, read_inventory):
        faulty = False
        try:
            read(load_record("game.json", text))
        except RecordError as error:
            faulty = not error.faults
        assert not faulty
