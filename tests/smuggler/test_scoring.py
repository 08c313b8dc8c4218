"""Scoring by the rulebook's sections: cooperative, competitive, hands, blind decks, results, half points."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durian_assist.common.readings import Readings
from durian_assist.errors import InputError
from durian_assist.smuggler.geometry import SIDES, Side
from durian_assist.smuggler.scoring import Score, half, result_of, score
from durian_assist.smuggler.table import Card, Luggage, Table
from tests.smuggler.tables import CELLS, table_of

DEFAULTS = Readings.defaults("smuggler")
FOUR = 'south = "Ann"\nwest = "Bo"\nnorth = "Cy"\neast = "Di"'
EMPTY = ". . . . ."


def scored(*rows: str, hands: str = "", reading: str = "exact", seats: str = "", **keys: str) -> Score:
    """A partial score of some rows, row 3 being the middle one; missing rows are empty."""
    grid = [*rows, *[EMPTY] * (5 - len(rows))]
    grid[2] = grid[2] if "##" in grid[2] else ". . ## . ."
    tables = {"seats": seats, "hands": hands}
    below = "".join(f"\n[{key}]\n{value}\n" for key, value in tables.items() if value)
    head = "".join(f"{key} = {value}\n" for key, value in keys.items())
    from durian_assist.records.document import load_record
    from durian_assist.smuggler.record import read_table

    text = f'{head}grid = """\n' + "\n".join(grid) + f'\n"""\n{below}'
    table = read_table(load_record("test.toml", text))
    return score(table, Readings.parse("smuggler", [f"half-points={reading}"]), partial=True)


SECTIONS = [
    # section of the rulebook, rows, hands, total
    ("Scoring: alone, the whole badge", ["red6v . . . ."], "", 6),
    ("Scoring: beside another, half of each, lost", ["red8v blue6< . . ."], "", -7),
    ("Scoring Example: ((8 + 6) / 2) + 4 = 11 points lost", ["red8v blue6< . . ."], 'south = ["green4"]', -11),
    ("Scoring Example: a group of three", ["red8v blue6< green4^ . ."], "", -9),
    ("Scoring: corners do not touch", ["red8v . . . .", ". blue6< . . ."], "", 14),
    ("Scoring: up and down touch", ["red8v . . . .", "blue6< . . . ."], "", -7),
    ("Scoring: one row's end does not touch the next row's start", [". . . . red8v", "blue6< . . . ."], "", 14),
    ("Scoring: empty luggage links nothing", ["red8v green-< blue6^ . ."], "", 14),
    ("Scoring: one owner's Durians are neighbours too", ["red8v blue6v . . ."], "", -7),
    ("Scoring: left in hand, the whole badge lost", ["red8v . . . ."], 'north = ["blue6"]', 2),
    ("Scoring: empty luggage in hand", ["red8v . . . ."], 'north = ["blue-"]', 8),
    ("Placing Luggage: the centre card links nothing", [EMPTY, EMPTY, ". red8v ## blue6< ."], "", 14),
]


@pytest.mark.parametrize(("section", "rows", "hands", "total"), SECTIONS, ids=[row[0] for row in SECTIONS])
def test_cooperative(section: str, rows: list[str], hands: str, total: int) -> None:
    assert scored(*rows, hands=hands).total == total


COMPETITIVE = [
    ("Airport Security scores as in the cooperative mode", ["red8v . . . ."], "", {"south": 8, "west": 0}),
    ("the Smuggler gains half beside another", ["red8v blue6< . . ."], "", {"south": -4, "west": 3}),
    ("the Smuggler loses a whole badge alone", ["blue6< . . . ."], "", {"south": 0, "west": -6}),
    ("the Smuggler's hand costs too", ["blue6< red8v . . ."], 'west = ["green4"]', {"south": -4, "west": -1}),
    ("the Smuggler beside an own card", ["blue6< red8< . . ."], "", {"west": 7}),
]


@pytest.mark.parametrize(("rule", "rows", "hands", "points"), COMPETITIVE, ids=[row[0] for row in COMPETITIVE])
def test_competitive_scoring(rule: str, rows: list[str], hands: str, points: dict[Side, int]) -> None:
    result = scored(*rows, hands=hands, seats=FOUR, mode='"competitive"', smuggler='"west"')
    assert {side: result.seats[side].points for side in points} == points
    assert result.result is None


def test_competitive_ties_share_a_place() -> None:
    result = scored("red8v . blue8^ . .", seats=FOUR, mode='"competitive"', smuggler='"west"')
    assert {side: seat.place for side, seat in result.seats.items()} == {"south": 1, "west": 3, "north": 1, "east": 3}


BLIND = 'south = "Ann"\nnorth = "Bo"\nwest = "blind"\neast = "blind"'


def test_two_players_cooperative_blind_cards_count_for_the_team() -> None:
    assert scored("red8< . blue6v . .", seats=BLIND).total == 14


def test_two_players_competitive_blind_cards_score_for_nobody_but_are_neighbours() -> None:
    result = scored("red8< blue6v . . green4>", seats=BLIND, mode='"competitive"', smuggler='"north"')
    assert result.total == -3
    assert {line.rule for line in result.lines if line.side != "south"} == {"smuggler.blind-cards"}


def test_blind_decks_leftovers_never_count() -> None:
    assert scored("red8v . . . .", seats=BLIND, hands='west = ["blue6"]').total == 8
    assert scored("red8v . . . .", seats=BLIND, hands='north = ["blue6"]').total == 2


def test_solo_mode_scores_all_four_sides() -> None:
    seats = 'south = "Ann"\nwest = "blind"\nnorth = "blind"\neast = "blind"'
    result = scored("red8v . blue6< . green4>", seats=seats)
    assert result.total == 18
    assert [seat.role for seat in result.seats.values()] == ["security", "blind", "blind", "blind"]


@pytest.mark.parametrize(("reading", "lost"), [("exact", Fraction(11, 2)), ("down", 5), ("up", 6)])
def test_half_points(reading: str, lost: Fraction) -> None:
    result = scored("red5v blue6< . . .", reading=reading)
    assert result.total == -lost
    assert [note["value"] for note in result.readings] == [reading]


def test_the_reading_is_named_only_where_it_decided() -> None:
    assert scored("red8v blue6< . . .").readings == ()
    assert scored("red5v . . . .").readings == ()


@pytest.mark.parametrize(
    ("total", "result"),
    [
        (55, "huge promotion"),
        (54, "huge promotion"),
        (44, "huge promotion"),
        (Fraction(87, 2), "salary raise"),
        (43, "salary raise"),
        (33, "salary raise"),
        (Fraction(65, 2), "keep your job"),
        (20, "keep your job"),
        (Fraction(39, 2), "fired"),
        (19, "fired"),
        (-30, "fired"),
    ],
)
def test_list_of_results(total: Fraction, result: str) -> None:
    assert result_of(Fraction(total)) == result


FULL = """red8v  blue-< red-v blue-< red-v/blue-< red-v blue-< red-v blue-</red-^ green-> ## green-> red-^
green-> red-^ green-> red-^ green->/blue-^ red-> blue-^ red-< red-v""".replace("\n", "/")


def test_a_full_grid_is_final_and_has_a_line_for_every_card() -> None:
    result = score(table_of(FULL), DEFAULTS)
    assert (result.status, result.result) == ("final", "fired")
    assert result.total == 8
    assert len(result.lines) == 24
    assert "smuggler.hand" in {finding.rule for finding in result.warnings}


def test_a_grid_that_is_not_full_is_refused() -> None:
    table = table_of(FULL.replace("red8v", "."))
    with pytest.raises(InputError, match="1 card missing"):
        score(table, DEFAULTS)
    assert score(table, DEFAULTS, partial=True).status == "partial"


def test_face_down_cards_are_refused() -> None:
    table = table_of(FULL.replace("red8v", "red?v"))
    with pytest.raises(InputError, match=r"face down \(row 1, column 1\)"):
        score(table, DEFAULTS)
    assert score(table, DEFAULTS, partial=True).result is None


def test_wrong_counts_and_too_many_points_are_warned_of() -> None:
    result = score(table_of(FULL.replace("red8v", "red8<")), DEFAULTS)
    assert [f.where for f in result.warnings if f.rule == "smuggler.counts"] == ["south", "west"]
    result = score(table_of(FULL.replace("red8v", "red60v")), DEFAULTS)
    assert "smuggler.bands" in {finding.rule for finding in result.warnings}


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Grids of any fill with Durians anywhere, either mode, hands, blind decks."""
    rng = Random(draw(st.integers(0, 2**32)))
    players = draw(st.integers(1, 4))
    seats = SIDES[: max(players, 4 if players < 3 else players)]
    blind = frozenset(seats[players:]) if players < 3 else frozenset()
    competitive = players > 1 and draw(st.booleans())
    cells = rng.sample(CELLS, rng.randint(0, 24))
    faces = [Luggage("red", "durian", 6), Luggage("blue", "durian", 5), Luggage("green", "empty")]
    grid = {cell: Card(rng.choice(faces), rng.choice(seats)) for cell in cells}
    hands = {side: tuple(rng.choices(faces, k=rng.randint(0, 2))) for side in seats if rng.random() < 0.7}
    named: dict[Side, str] = {side: f"player {side}" for side in seats[:players]}
    smuggler = rng.choice(seats[:players]) if competitive else None
    return Table(grid, named, blind, hands, "competitive" if competitive else "cooperative", smuggler, seated=True)


@given(tables(), st.sampled_from(["exact", "down", "up"]))
def test_parts_sum_to_the_total(table: Table, reading: str) -> None:
    result = score(table, Readings.parse("smuggler", [f"half-points={reading}"]), partial=True)
    assert len(result.lines) == len(table.grid) + sum(map(len, table.hands.values()))
    assert sum(seat.points for seat in result.seats.values()) == result.total
    for line in result.lines:
        assert abs(line.points) <= (line.luggage.badge or 0)


@given(tables(), st.integers(1, 3))
def test_turning_the_table_changes_nothing(table: Table, quarters: int) -> None:
    before = score(table, DEFAULTS, partial=True)
    for _ in range(quarters):
        table = turned(table)
    after = score(table, DEFAULTS, partial=True)
    assert after.total == before.total
    assert sorted(line.points for line in after.lines) == sorted(line.points for line in before.lines)
    for side, seat in before.seats.items():
        moved = SIDES[(SIDES.index(side) + quarters) % 4]
        assert after.seats[moved].points == seat.points


def turned(table: Table) -> Table:
    """The table as seen from the next side: every card a quarter clockwise round the centre."""

    def side(old: Side) -> Side:
        return SIDES[(SIDES.index(old) + 1) % 4]

    def cell(old: int) -> int:
        row, column = divmod(old, 5)
        return column * 5 + 4 - row

    grid = {cell(at): Card(card.luggage, side(card.side)) for at, card in table.grid.items()}
    players = {side(at): name for at, name in table.players.items()}
    hands = {side(at): hand for at, hand in table.hands.items()}
    blind = frozenset(side(at) for at in table.blind)
    return Table(grid, players, blind, hands, table.mode, side(table.smuggler) if table.smuggler else None, seated=True)


def test_a_half_is_a_half() -> None:
    assert [half(7, reading) for reading in ("exact", "down", "up")] == [Fraction(7, 2), 3, 4]
    assert [half(8, reading) for reading in ("exact", "down", "up")] == [4, 4, 4]
