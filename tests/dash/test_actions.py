"""Rulebook, 2. Resolve Actions: Examples A to F and what the icons do."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durian_assist.dash.actions import Actor, Move, Resolution, resolve_round
from tests.dash.helpers import CARDS, DEFAULTS, cards, reading


def actor(name: str, action: int, icons: str, heads: str = "left pahang", held: str = "", **choices: object) -> Actor:
    """`actor("Jin", 3, "take place", "left pahang", "sx")`."""
    direction, plantation = heads.split()
    return Actor(name, Counter(cards(held)), action, tuple(icons.split()), plantation, direction, **choices)  # type: ignore[arg-type]


def rows(pahang: str, johor: str = "") -> dict[str, tuple[str, ...]]:
    """Rows from letters."""
    return {"pahang": cards(pahang), "johor": cards(johor)}


def moves(found: Resolution) -> list[str]:
    """The moves as people write them."""
    return [str(step.move) for step in found.steps]


EXAMPLE_A = (
    actor("Hasan", 21, "take take give", give=(("sultan", "Jin"),)),
    actor("Jin", 3, "take place"),
)


def test_example_a_jin_is_first_and_places_her_only_card_back() -> None:
    found = resolve_round(EXAMPLE_A, rows("sssxr"), DEFAULTS)
    assert found.order == ("Jin", "Hasan")
    assert moves(found)[:2] == ["Jin: take sultan", "Jin: place sultan"]
    assert [step.rule for step in found.steps[:2]] == ["dash.take", "dash.place"]


def test_example_b_hasan_takes_two_sultans_and_gives_one_to_jin() -> None:
    found = resolve_round(EXAMPLE_A, rows("sssxr"), DEFAULTS)
    assert moves(found)[2:] == ["Hasan: take sultan", "Hasan: take sultan", "Hasan: give sultan to Jin"]
    assert found.rows["pahang"] == cards("sxr")
    assert found.collections == {"Jin": {"sultan": 1}, "Hasan": {"sultan": 1}}


def test_supplementary_examples_d_to_f() -> None:
    """Jin heads right into Johor for a Golden Phoenix, Hasan right into Pahang for three."""
    hasan, jin = actor("Hasan", 30, "take take take", "right pahang"), actor("Jin", 9, "take", "right johor")
    found = resolve_round((hasan, jin), rows("xsmrb", "bsg"), DEFAULTS)
    assert moves(found) == [
        "Jin: take golden-phoenix",
        "Hasan: take black-pearl",
        "Hasan: take red-prawn",
        "Hasan: take mao-shan-wang",
    ]
    assert found.rows == rows("xs", "bs")


def test_icons_are_carried_out_from_top_to_bottom() -> None:
    first = resolve_round(
        (actor("Jin", 1, "take place", held="x", place=("rotten",)), actor("Bo", 2, "")), rows("sb"), DEFAULTS
    )
    assert first.rows["pahang"] == cards("xb")
    second = resolve_round((actor("Jin", 1, "place take", held="x"), actor("Bo", 2, "")), rows("sb"), DEFAULTS)
    assert second.rows["pahang"] == cards("sb")


@pytest.mark.parametrize("icons", ["place", "give"])
def test_place_or_give_with_nothing_is_skipped(icons: str) -> None:
    found = resolve_round((actor("Jin", 1, icons), actor("Bo", 2, "take")), rows("s"), DEFAULTS)
    assert moves(found)[0] == f"Jin: skip {icons}"
    assert found.steps[0].rule == "dash.skip"


def test_take_from_an_empty_row_is_skipped() -> None:
    found = resolve_round((actor("Jin", 1, "take"), actor("Bo", 2, "take")), rows("s"), DEFAULTS)
    assert moves(found) == ["Jin: take sultan", "Bo: skip take"]


@pytest.mark.parametrize(
    ("one", "rule", "words"),
    [
        (actor("Jin", 2, "take"), "dash.order", "cannot both play action card 2"),
        (actor("Jin", 1, "place", held="sx"), "dash.place", "which card Jin decides to place is not recorded"),
        (actor("Jin", 1, "give", held="sx"), "dash.give", "which card Jin decides to give"),
        (actor("Jin", 1, "place", held="s", place=("rotten",)), "dash.place", "not in the collection"),
        (actor("Jin", 1, "give", held="s", give=(("sultan", "Jin"),)), "dash.give", "gives to another player"),
        (actor("Jin", 1, "take", take=("rotten",)), "dash.take", "Sultan lies there, not Rotten"),
    ],
)
def test_what_stops_a_round(one: Actor, rule: str, words: str) -> None:
    found = resolve_round((one, actor("Bo", 2, "take")), rows("sx"), DEFAULTS)
    assert not found.complete
    assert (found.findings[0].rule, words in found.findings[0].message) == (rule, True)


def test_choices_beyond_the_icons_are_a_warning() -> None:
    one = actor("Jin", 1, "place", held="sx", place=("rotten", "sultan"))
    found = resolve_round((one, actor("Bo", 2, "")), rows("s"), DEFAULTS)
    assert found.complete
    assert [(finding.rule, finding.severity) for finding in found.findings] == [("dash.icons", "warning")]


def test_any_card_of_the_row_with_the_other_reading() -> None:
    one = actor("Jin", 1, "take", take=("mao-shan-wang",))
    found = resolve_round((one, actor("Bo", 2, "")), rows("smx"), reading(take="any"))
    assert found.rows["pahang"] == cards("sx")
    twice = actor("Jin", 1, "take", "right pahang", take=("sultan",))
    found = resolve_round((twice, actor("Bo", 2, "")), rows("smsx"), reading(take="any"))
    assert found.rows["pahang"] == cards("smx")
    lost = resolve_round((actor("Jin", 1, "take"), actor("Bo", 2, "")), rows("smx"), reading(take="any"))
    assert lost.findings[0].rule == "dash.take"


RIGHT = (
    Move("Jin", "take", "sultan"),
    Move("Jin", "place", "sultan"),
    Move("Hasan", "take", "sultan"),
    Move("Hasan", "take", "sultan"),
    Move("Hasan", "give", "sultan", "Jin"),
)


@pytest.mark.parametrize(
    ("claimed", "step", "rule"),
    [
        (RIGHT, None, ""),
        ((RIGHT[2], *RIGHT[:2], *RIGHT[3:]), 1, "dash.order"),
        ((Move("Jin", "take", "rotten"), *RIGHT[1:]), 1, "dash.take"),
        ((RIGHT[1], RIGHT[0], *RIGHT[2:]), 1, "dash.icons"),
        ((RIGHT[0], Move("Jin", "skip", "place"), *RIGHT[2:]), 2, "dash.place"),
        (RIGHT[:4], 5, "dash.give"),
        ((*RIGHT, Move("Hasan", "take", "rotten")), 6, "dash.icons"),
    ],
)
def test_the_first_claim_that_differs(claimed: tuple[Move, ...], step: int | None, rule: str) -> None:
    found = resolve_round(EXAMPLE_A, rows("sssxr"), DEFAULTS, claimed)
    if step is None:
        assert found.difference is None
    else:
        assert found.difference is not None
        assert (found.difference.step, found.difference.rule) == (step, rule)


def test_a_free_choice_is_taken_from_the_claim() -> None:
    one = actor("Jin", 1, "place give", held="sx")
    players = (one, actor("Bo", 2, ""), actor("Cy", 3, ""))
    claimed = (Move("Jin", "place", "rotten"), Move("Jin", "give", "sultan", "Cy"))
    found = resolve_round(players, rows("b"), DEFAULTS, claimed)
    assert found.difference is None
    assert found.rows["pahang"] == cards("xb")
    assert found.collections["Cy"] == {"sultan": 1}


@st.composite
def rounds(draw: st.DrawFn) -> tuple[tuple[Actor, ...], dict[str, tuple[str, ...]]]:
    """Players with any icons; each holds cards of one variety, and with two players gifts have one receiver."""
    numbers = draw(st.lists(st.integers(1, 50), unique=True, min_size=2, max_size=2))
    players = []
    for n, action in enumerate(numbers):
        icons = " ".join(draw(st.lists(st.sampled_from(("take", "place", "give")), max_size=4)))
        heads = f"{draw(st.sampled_from(('left', 'right')))} {draw(st.sampled_from(('pahang', 'johor')))}"
        players.append(actor(f"P{n}", action, icons, heads))
    row = st.lists(CARDS, max_size=6).map(tuple)
    return tuple(players), {"pahang": draw(row), "johor": draw(row)}


@given(rounds())
def test_no_card_is_lost_and_the_claim_of_the_rules_is_right(
    case: tuple[tuple[Actor, ...], dict[str, tuple[str, ...]]],
) -> None:
    players, lying = case
    found = resolve_round(players, lying, DEFAULTS)
    before = Counter(card for row in lying.values() for card in row)
    after = Counter(card for row in found.rows.values() for card in row)
    for hand in found.collections.values():
        after.update(hand)
    assert after == before
    claimed = tuple(step.move for step in found.steps)
    assert resolve_round(players, lying, DEFAULTS, claimed).difference is None
    actions = {player.name: player.action for player in players}
    turns = [actions[step.move.player] for step in found.steps]
    assert turns == sorted(turns)
