"""Records of a Smuggler table: every fault with its place, and round trips."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durian_assist.records.document import load_record, to_plain
from durian_assist.records.source import Fault, RecordError
from durian_assist.smuggler.deck import DeckTable, LuggageType
from durian_assist.smuggler.geometry import SIDES, Side
from durian_assist.smuggler.notation import parse_luggage
from durian_assist.smuggler.record import read_table
from durian_assist.smuggler.record_text import write_table
from durian_assist.smuggler.table import Card, Luggage, Move, Table
from tests.smuggler.tables import CELLS, table_of
from tests.smuggler.test_scoring import tables

DECK = DeckTable({name: LuggageType(name, 4, 2, badge) for name, badge in (("red", 6), ("blue", 8), ("black", 4))})
ROW = ". . . . ."
GRID = [ROW, ROW, ". . ## . .", ROW, ROW]


def record(*, row: str | None = None, rows: list[str] | None = None, more: str = "") -> str:
    """A record with `row` as its first row, or these rows, and further lines."""
    lines = rows or [row or ROW, *GRID[1:]]
    return 'game = "smuggler"\ngrid = """\n' + "\n".join(lines) + f'\n"""\n{more}\n'


# Each case: the record, and for each fault line, column and words of its message.
FAULTS = [
    ("negative badge", record(row="red-6v . . . ."), [(3, 4, "cannot be negative")]),
    ("huge badge", record(row="red1000000000v . . . ."), [(3, 4, "no Durian has this badge")]),
    ("badge nought", record(row=". red0v . . ."), [(3, 6, "no Durian has this badge")]),
    ("no side", record(row=". . red6 . ."), [(3, 8, "side that the arrow points to is missing")]),
    ("no face", record(row=". redv . . ."), [(3, 3, "face is missing")]),
    ("no type", record(row="6v . . . ."), [(3, 1, "luggage type is missing")]),
    ("strange type", record(row="r€d6v . . . ."), [(3, 1, "a word of letters")]),
    ("star without a deck", record(row="red*v . . . ."), [(3, 4, "stands in the deck table")]),
    ("two in one record", record(row="red-6v . red6 . ."), [(3, 4, "negative"), (3, 13, "side")]),
    ("four rows", record(rows=GRID[:4]), [(2, 8, "five rows")]),
    ("six rows", record(rows=[*GRID, ROW]), [(8, 1, "five rows")]),
    ("six columns", record(row=". . . . . ."), [(3, 11, "row 1 of the grid has five cells")]),
    ("four columns", record(row=". . . ."), [(3, 7, "row 1 of the grid has five cells")]),
    ("centre elsewhere", record(row=". ## . . ."), [(3, 3, "centre card lies in row 3, column 3")]),
    ("no centre", record(rows=[ROW] * 5), [(5, 5, "centre card lies in row 3, column 3")]),
    ("tabs are blanks", record(row=".\tred6\t.\t.\t."), [(3, 6, "side")]),
    ("unknown key", record(more="grids = 1"), [(9, 1, 'the key "grids" is not known')]),
    ("wrong type", record(more="mode = 3"), [(9, 8, "wrong type")]),
    ("wrong mode", record(more='mode = "solo"'), [(9, 8, "not known")]),
    ("no grid", 'game = "smuggler"', [(1, 1, '"grid" is missing')]),
    ("grid of numbers", 'grid = [1, 2]\ngame = "smuggler"', [(1, 8, "wrong type")]),
    ("another game", record().replace('"smuggler"', '"dash"'), [(1, 8, "another game")]),
    ("no such side", record(more='[seats]\nsoth = "Ann"'), [(10, 1, "did you mean south")]),
    ("a name that steers", record(more='[seats]\nsouth = "A\\u001b[31m"'), [(10, 9, "cannot be shown")]),
    ("one name twice", record(more='[seats]\nsouth = "Ann"\nwest = "ann"'), [(11, 8, "sits at two sides")]),
    ("one side twice", record(more='[seats]\nsouth = "Ann"\nSouth = "Bo"'), [(11, 1, "south stands twice")]),
    ("nameless", record(more='[seats]\nsouth = ""'), [(10, 9, "no player's name")]),
    ("hand of a stranger", record(more='hands = { east = ["red6"] }\n[seats]\nsouth="A"\nwest="B"\nnorth="C"'),
     [(9, 11, "nobody sits at east")]),
    ("card in hand with a side", record(more='hands = { east = ["red6v"] }'), [(9, 24, "here a card has no side")]),
    ("hand of numbers", record(more="hands = { east = [6] }"), [(9, 19, "a card in hand is a text")]),
    ("three players and a blind deck",
     record(more='[seats]\nsouth="A"\nwest="B"\nnorth="C"\neast="blind"'), [(9, 2, "blind decks belong to")]),
    ("cooperative Smuggler", record(more='smuggler = "west"'), [(9, 1, "nobody is the Smuggler")]),
    ("Smuggler unknown", record(more='mode = "competitive"'), [(1, 1, '"smuggler" is missing')]),
    ("four players, no Smuggler", record(more='mode = "competitive"\nsmuggler = "none"'), [(10, 12, "one of them is")]),
    ("two Smugglers", record(more='mode = "competitive"\nsmuggler = ["west", "east"]'), [(10, 12, "one Smuggler")]),
    ("alone against nobody", record(more='mode = "competitive"\n[seats]\nsouth = "A"'), [(9, 8, "two to four")]),
    ("starts nowhere", record(more='starts = "up"'), [(9, 10, "no such side")]),
    ("starts at an empty side",
     record(more='starts = "east"\n[seats]\nsouth="A"\nwest="B"\nnorth="C"'), [(9, 10, "no player sits at east")]),
    ("no move", record(more='moves = ["6,1"]'), [(9, 10, "this is no move")]),
    ("move on the centre", record(more='moves = ["3,3"]'), [(9, 10, "this is no move")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "faults"), [case[1:] for case in FAULTS], ids=[case[0] for case in FAULTS])
def test_faults(text: str, faults: list[tuple[int, int, str]]) -> None:
    with pytest.raises(RecordError) as caught:
        read_table(load_record("table.toml", text))
    found = [(fault.span.line, fault.span.column, fault.message) for fault in caught.value.faults]
    assert [place[:2] for place in found] == [place[:2] for place in faults], found
    for (_, _, words), (_, _, message) in zip(faults, found, strict=True):
        assert words in message


def test_all_of_ten_faults_are_listed() -> None:
    text = record(
        row="red-6v redv 6v red6 r€d6v", more='mode = "x"\nstarts = "y"\nkey = 1\nmoves = ["9,9"]\nsmuggler = 4'
    )
    with pytest.raises(RecordError) as caught:
        read_table(load_record("table.toml", text))
    assert len(caught.value.faults) == 10


def test_types_are_checked_against_a_deck() -> None:
    table = table_of(". . . . ./. . . . ./. . ## . ./. . . . ./. . . . .")
    assert table.grid == {}
    assert parse_luggage("r*", DECK) == Luggage("red", "durian", 6)
    with pytest.raises(RecordError) as caught:
        read_table(load_record("table.toml", record(row="bl-v rde6v . . .")), DECK)
    assert [fault.message for fault in caught.value.faults] == [
        'no such luggage type: "bl" could be blue or black',
        'no such luggage type: "rde" is not known; did you mean red?',
    ]


def test_json_and_lists_of_rows_read_alike() -> None:
    rows = ["red6v . . . .", *GRID[1:]]
    from_toml = read_table(load_record("a.toml", record(rows=rows)))
    as_lines = json.dumps({"game": "smuggler", "grid": rows})
    as_text = json.dumps({"game": "smuggler", "grid": "\n".join(rows)})
    assert from_toml == read_table(load_record("a.json", as_lines)) == read_table(load_record("a.json", as_text))


def test_names_in_any_script() -> None:
    more = '[seats]\nsouth = "O\'Neil \\"x\\""\nwest = "李"\nnorth = "مريم"\neast = "🙂"'
    table = read_table(load_record("a.toml", record(more=more)))
    assert list(table.players.values()) == ['O\'Neil "x"', "李", "مريم", "🙂"]


SEATS = [
    ("nobody named, empty table", "", "", SIDES, ()),
    ("nobody named, three sides used", "red-v red-< red-^ . .", "", ("south", "west", "north"), ()),
    ("nobody named, two sides used", "red-v red-< . . .", "", SIDES, ()),
    ("three named", ROW, 'south="A"\nwest="B"\neast="C"', ("south", "west", "east"), ()),
    ("two named", ROW, 'south="A"\nwest="B"', ("south", "west"), ("north", "east")),
    ("two named and one blind", "red-> . . . .", 'south="A"\nwest="B"\nnorth="blind"', ("south", "west"),
     ("north", "east")),
    ("one named", ROW, 'south="A"', ("south",), ("west", "north", "east")),
    ("only blind ones named", "red-v red-< red-^ red-> .", 'west="blind"\nnorth="blind"', ("south", "east"),
     ("west", "north")),
]  # fmt: skip


@pytest.mark.parametrize(("row", "seats", "players", "blind"), [c[1:] for c in SEATS], ids=[c[0] for c in SEATS])
def test_who_sits_where(row: str, seats: str, players: tuple[Side, ...], blind: tuple[Side, ...]) -> None:
    table = read_table(load_record("a.toml", record(row=row, more=f"[seats]\n{seats}" if seats else "")))
    assert tuple(table.players) == players
    assert table.blind == frozenset(blind)


@given(tables(), st.integers(0, 2**32), st.booleans())
def test_a_table_written_reads_back_the_same(table: Table, seed: int, moves: bool) -> None:
    rng = Random(seed)
    order = tuple(Move(cell, table.grid[cell].side) for cell in table.grid) if moves else ()
    starts = rng.choice((None, *table.seats))
    whole = Table(
        table.grid, table.players, table.blind, table.hands, table.mode, table.smuggler, starts, order, seated=True
    )
    text = write_table(whole)
    assert read_table(load_record("a.toml", text)) == whole
    as_json = json.dumps(to_plain(load_record("a.toml", text).root))
    assert read_table(load_record("a.json", as_json)) == whole


@given(st.text(max_size=200))
def test_no_text_brings_the_reader_down(text: str) -> None:
    with pytest.raises(RecordError):
        read_table(load_record("a.toml", "grid = " + json.dumps(text)))


@given(st.text(alphabet="reduvb<>^-*?0123456789.#é ", max_size=12))
def test_no_cell_brings_the_reader_down(cell: str) -> None:
    grid = "\n".join([f"{cell} . . . .", *GRID[1:]])
    faults, cards = faults_and_cards(json.dumps({"grid": grid}))
    assert all(fault.expected for fault in faults)
    assert all(isinstance(card, Card) for card in cards)


def faults_and_cards(text: str) -> tuple[tuple[Fault, ...], list[Card]]:
    try:
        return (), list(read_table(load_record("a.json", text)).grid.values())
    except RecordError as error:
        return error.faults, []


def test_every_cell_has_its_place() -> None:
    cells = [f"red{number + 1}v" for number in range(25)]
    cells[12] = "##"
    table = table_of("/".join(" ".join(cells[row * 5 : row * 5 + 5]) for row in range(5)))
    assert {cell: card.luggage.badge for cell, card in table.grid.items()} == {cell: cell + 1 for cell in CELLS}
