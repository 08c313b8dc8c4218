"""`check`: findings worst first, the verdict, repairs, recorded moves."""

from __future__ import annotations

from random import Random

import pytest

from durian_assist.common.readings import Readings
from durian_assist.smuggler.check import check
from durian_assist.smuggler.deck import DeckTable, LuggageType
from durian_assist.smuggler.geometry import ARROWS, SIDES, Side, cell_at, cells_of
from durian_assist.smuggler.table import Card, Luggage, Move, Table
from tests.smuggler.tables import played, table_of

DEFAULTS = Readings.defaults("smuggler")
NEVER = Readings.parse("smuggler", ["exemption=never"])
BACK = Luggage("red", "back")
FOUR: dict[Side, str] = {side: side for side in SIDES}
PAIR: dict[Side, str] = {"south": "Ann", "north": "Bo"}
BLIND: frozenset[Side] = frozenset({"west", "east"})


def grid(*cards: tuple[int, int, Side]) -> dict[int, Card]:
    return {cell_at(row, column): Card(BACK, side) for row, column, side in cards}


def rules(table: Table, readings: Readings = DEFAULTS, severity: str = "error") -> list[str]:
    return [finding.rule for finding in check(table, readings).findings if finding.severity == severity]


def full_grid(seed: int, seats: tuple[Side, ...] = SIDES) -> dict[int, Card]:
    own = played(Random(seed), seats, seats[0], 24, "no-cell-left")
    assert own is not None
    return {cell: Card(BACK, side) for side in seats for cell in cells_of(own[side])}


CASES: list[tuple[str, dict[int, Card], bool | None, list[str]]] = [
    ("an empty table", {}, True, []),
    ("one card at the centre", grid((2, 3, "east")), True, []),
    ("one card away from the centre", grid((1, 3, "east")), False, ["smuggler.first-card", "smuggler.history"]),
    ("two cards in turn", grid((2, 3, "south"), (1, 3, "west")), True, []),
    ("a gap", grid((2, 3, "south"), (5, 3, "west")), False, ["smuggler.growth", "smuggler.history"]),
    ("one side twice", grid((2, 3, "south"), (4, 3, "south")), False, ["smuggler.counts", "smuggler.history"]),
    (
        "own cards side by side in the second round",
        grid((2, 3, "south"), (3, 2, "west"), (3, 4, "north"), (4, 3, "east"), (3, 1, "west"))
        | grid((3, 5, "north"), (5, 3, "east"), (1, 3, "south")),
        False,
        ["smuggler.alignment"] * 4 + ["smuggler.history"],
    ),
]


@pytest.mark.parametrize(("cards", "legal", "errors"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_unfinished_grids(cards: dict[int, Card], legal: bool | None, errors: list[str]) -> None:
    table = Table(cards, FOUR, seated=True)
    assert check(table, DEFAULTS).legal is legal
    assert rules(table) == errors


def test_few_cards_of_nobody_named_may_be_those_of_three_players() -> None:
    cards = grid((2, 3, "south"), (4, 3, "north"))
    assert check(Table(cards, FOUR), DEFAULTS).legal is True
    assert check(Table(cards, FOUR, seated=True), DEFAULTS).legal is False


def test_the_order_given_starts_with_the_side_asked_for() -> None:
    table = Table(full_grid(4), FOUR, starts="south", seated=True)
    report = check(table, DEFAULTS)
    assert report.legal
    assert report.history.starts == ("south",)
    assert report.history.order[0][1] == "south"


def test_the_wrong_starting_side() -> None:
    cards = grid((2, 3, "south"), (1, 3, "west"))
    assert check(Table(cards, FOUR, starts="west", seated=True), DEFAULTS).legal is False
    assert check(Table(cards, FOUR, starts="south", seated=True), DEFAULTS).legal is True


def test_a_clash_is_legal_where_no_aligned_cell_was_left_and_never_by_the_reading() -> None:
    for seed in range(60):
        table = Table(full_grid(seed), FOUR, seated=True)
        report = check(table, DEFAULTS)
        clashes = [finding for finding in report.findings if finding.rule == "smuggler.exemption"]
        assert report.legal
        if clashes:
            assert {finding.severity for finding in clashes} == {"note"}
            assert report.readings[0]["key"] == "exemption"
            strict = check(table, NEVER)
            assert strict.legal is False
            assert strict.history.verdict == "unreachable"
            return
    pytest.fail("no grid with a clash among the seeds")


def test_a_turned_card_and_the_least_certain_first() -> None:
    cards = full_grid(4)
    turned = cell_at(2, 4)
    to: Side = "north" if cards[turned].side != "north" else "south"
    was = cards[turned].side
    report = check(Table({**cards, turned: Card(BACK, to)}, FOUR, seated=True), DEFAULTS)
    assert report.legal is False
    assert (turned, to, was) in [(turn.cell, turn.side, turn.to) for turn in report.history.repairs]
    assert next(f.rule for f in report.findings if f.severity == "error") == "smuggler.counts"
    last = report.history.repairs[-1].cell
    table = Table({**cards, turned: Card(BACK, to)}, FOUR, seated=True)
    unsure = check(table, DEFAULTS, sure={last: 0.4})
    assert unsure.history.repairs[0].cell == last
    history = next(finding for finding in unsure.findings if finding.rule == "smuggler.history")
    assert "would make it legal" in history.mend


def test_findings_come_worst_first() -> None:
    report = check(Table(grid((2, 3, "south"), (5, 3, "south")), FOUR, seated=True), DEFAULTS)
    order = ["error", "warning", "note"]
    ranks = [order.index(finding.severity) for finding in report.findings]
    assert ranks == sorted(ranks)


DECK = DeckTable({"red": LuggageType("red", 3, 1, 6), "blue": LuggageType("blue", 25, 20, 8)})


@pytest.mark.parametrize(
    ("first", "second", "rule"),
    [
        (Luggage("red", "durian", 6), Luggage("red", "durian", 6), "smuggler.deck"),
        (Luggage("red", "durian", 5), Luggage("red", "empty"), "smuggler.badge"),
    ],
)
def test_the_deck_table(first: Luggage, second: Luggage, rule: str) -> None:
    cards = {cell_at(2, 3): Card(first, "south"), cell_at(3, 2): Card(second, "west")}
    report = check(Table(cards, FOUR, seated=True), DEFAULTS, DECK)
    assert [finding.rule for finding in report.findings if finding.severity == "error"] == [rule]
    assert report.legal is False


def test_hands_count_against_the_deck_too() -> None:
    hand = (Luggage("red", "back"),) * 4
    report = check(Table(grid((2, 3, "south")), FOUR, hands={"south": hand}, seated=True), DEFAULTS, DECK)
    assert "5 red cards are on the table, but the deck has 3." in [finding.message for finding in report.findings]


def test_two_players_only_counts_growth_and_alignment() -> None:
    table = Table(grid((2, 3, "west"), (4, 3, "east")), PAIR, BLIND, seated=True)
    report = check(table, DEFAULTS)
    assert (report.legal, report.history.verdict) == (None, "not checked")
    assert "smuggler.two-players" in rules(table, severity="note")
    assert rules(Table(grid((2, 3, "west"), (2, 4, "west")), PAIR, BLIND, seated=True)) == [
        "smuggler.counts",
        "smuggler.alignment",
    ]
    assert rules(Table(grid((1, 1, "west")), PAIR, BLIND, seated=True)) == ["smuggler.first-card"]


def test_two_players_a_late_clash_cannot_be_decided() -> None:
    for seed in range(60):
        cards = full_grid(seed)
        table = Table(cards, PAIR, BLIND, seated=True)
        if "smuggler.exemption" in rules(table, severity="warning"):
            assert check(table, DEFAULTS).legal is None
            assert check(table, NEVER).legal is False
            return
    pytest.fail("no grid with a clash among the seeds")


def test_two_players_moves_decide_a_clash() -> None:
    """Each recorded move is checked, so that nothing is left open of two cards that touch."""
    for seed in range(60):
        cards = full_grid(seed)
        if "smuggler.exemption" in rules(Table(cards, PAIR, BLIND, seated=True), severity="warning"):
            order = check(Table(cards, FOUR, seated=True), DEFAULTS).history.order
            moves = tuple(Move(cell, side) for cell, side in order)
            report = check(Table(cards, PAIR, BLIND, moves=moves, seated=True), DEFAULTS)
            assert {f.severity for f in report.findings if f.rule == "smuggler.exemption"} == {"note"}
            said = [f.message for f in report.findings if f.rule == "smuggler.two-players"]
            assert said == [
                "Only counts, growth and alignment were checked, and the cell of each move: with one or two players "
                "whose turn it was is not decided."
            ]
            return
    pytest.fail("no grid with a clash among the seeds")


def ordered(seed: int = 4) -> tuple[dict[int, Card], list[tuple[int, Side]]]:
    """A full grid and one legal order of it, south starting."""
    cards = full_grid(seed)
    history = check(Table(cards, FOUR, starts="south", seated=True), DEFAULTS).history
    return cards, list(history.order)


def with_moves(cards: dict[int, Card], order: list[tuple[int, Side]]) -> Table:
    return Table(cards, FOUR, moves=tuple(Move(cell, side) for cell, side in order), seated=True)


def test_moves_that_keep_the_rules() -> None:
    cards, order = ordered()
    assert rules(with_moves(cards, order)) == []


def test_moves_out_of_turn() -> None:
    cards, order = ordered()
    order[5], order[6] = order[6], order[5]
    found = [f for f in check(with_moves(cards, order), DEFAULTS).findings if f.rule == "smuggler.turn-order"]
    assert any(finding.where == "move 6" and finding.severity == "error" for finding in found)


def test_moves_that_name_the_wrong_side_or_cell() -> None:
    cards, order = ordered()
    wrong = [(order[0][0], "west" if order[0][1] != "west" else "north"), *order[1:]]
    assert "smuggler.arrow" in rules(with_moves(cards, [(c, s) for c, s in wrong if s in SIDES]))
    assert "smuggler.moves" in rules(with_moves(cards, order[:-1]))
    assert "smuggler.moves" in rules(with_moves(cards, [*order[:-1], order[0]]))


def test_moves_onto_a_cell_that_touches_nothing() -> None:
    cards = grid((2, 3, "south"), (1, 3, "west"))
    table = with_moves(cards, [(cell_at(1, 3), "west"), (cell_at(2, 3), "south")])
    found = [finding for finding in check(table, DEFAULTS).findings if finding.severity == "error"]
    assert [(finding.rule, finding.where) for finding in found] == [
        ("smuggler.turn-order", "move 2"),
        ("smuggler.first-card", "move 1"),
    ]


def test_a_move_beside_an_own_card() -> None:
    cards = grid((2, 3, "south"), (3, 2, "west"), (3, 4, "north"), (4, 3, "east"), (3, 1, "west"))
    order: list[tuple[int, Side]] = [(cell, card.side) for cell, card in cards.items()]
    found = [f for f in check(with_moves(cards, order), DEFAULTS).findings if f.where == "move 5"]
    assert [finding.rule for finding in found] == ["smuggler.alignment"]
    assert "touches a card of west at row 3, column 2" in found[0].message


def test_text_of_a_grid() -> None:
    table = table_of("red-v . . . ./. . . . ./. . ## . ./. . . . ./. . . . .")
    assert rules(table) == ["smuggler.first-card", "smuggler.history"]
    assert ARROWS[table.grid[0].side] == "v"


def test_all_cards_of_one_side_are_refused_without_a_search() -> None:
    cards = {cell: Card(BACK, SIDES[0]) for cell in range(25) if cell != 12}
    for table in (Table(cards, FOUR, seated=True), Table(cards, PAIR, BLIND, seated=True)):
        report = check(table, DEFAULTS)
        assert report.legal is False
        assert report.findings[0].rule == "smuggler.counts"
    prefix = check(Table(cards, FOUR, seated=True), DEFAULTS).history.prefix
    assert prefix
    assert not prefix.exact


def test_a_clash_that_no_moment_explains_is_named() -> None:
    """South has two touching cards after six placements, when cells enough were open."""
    cards = grid((2, 3, "south"), (3, 2, "west"), (3, 4, "north"), (4, 3, "east"), (1, 1, "west"), (1, 2, "south"))
    cards |= grid((1, 3, "south"), (2, 1, "north"))
    report = check(Table(cards, FOUR, seated=True), DEFAULTS)
    named = [finding.where for finding in report.findings if finding.rule == "smuggler.alignment"]
    assert named == ["row 1, column 2 and row 1, column 3", "row 1, column 3 and row 2, column 3"]


def test_hands_at_the_end() -> None:
    hands: dict[Side, tuple[Luggage, ...]] = {"south": (BACK, BACK), "west": (BACK,)}
    table = Table(full_grid(4), FOUR, hands=hands, seated=True)
    assert "smuggler.one-card-left" in rules(table, severity="warning")


def test_more_cards_than_the_game_has() -> None:
    table = Table(full_grid(4), FOUR, hands={"south": (BACK,) * 5}, seated=True)
    messages = [finding.message for finding in check(table, DEFAULTS).findings if finding.severity == "error"]
    assert messages == ["29 cards are on the table, but the game has 28."]
    table = Table(full_grid(4), FOUR, hands={"south": (BACK,) * 4}, seated=True)
    assert check(table, DEFAULTS).legal is True


def test_more_types_than_the_game_has() -> None:
    names = ("red", "blue", "green", "plum", "pink", "grey", "white")
    cells = [cell for cell in range(25) if cell != 12]
    for count, warned in ((6, False), (7, True)):
        cards = {cell: Card(Luggage(name, "back"), "south") for cell, name in zip(cells, names[:count], strict=False)}
        assert ("smuggler.deck" in rules(Table(cards, FOUR, seated=True), severity="warning")) is warned


def test_a_deck_table_that_does_not_add_up() -> None:
    deck = DeckTable({"red": LuggageType("red", 27, 2, 6)})
    findings = check(Table(grid((2, 3, "south")), FOUR, seated=True), DEFAULTS, deck).findings
    assert ("warning", "The deck table has 27 cards, but the game has 28.") in [
        (f.severity, f.message) for f in findings
    ]
