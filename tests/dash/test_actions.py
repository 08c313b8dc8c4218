"""Rulebook, 2. Resolve Actions: Examples A to F and what the icons do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durian_assist.dash.actions import Resolution, resolve_round
from durian_assist.dash.moves import Actor, Move
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


def test_a_choice_goes_with_an_icon_that_is_carried_out() -> None:
    jin = actor("Jin", 3, "place take take place place", place=("sultan", "red-prawn"))
    found = resolve_round((jin, actor("Hasan", 31, "take")), rows("rsg"), DEFAULTS)
    assert moves(found)[0] == "Jin: skip place"
    assert moves(found)[3:] == ["Jin: place sultan", "Jin: place red-prawn", "Hasan: take red-prawn"]
    gift = actor("Jin", 3, "give take give", give=(("red-prawn", "Cy"),))
    found = resolve_round((gift, actor("Bo", 4, ""), actor("Cy", 5, "")), rows("r"), DEFAULTS)
    assert (found.complete, found.collections["Cy"]) == (True, {"red-prawn": 1})


@pytest.mark.parametrize(
    ("place", "rule", "severity"),
    [
        (("skip", "sultan", "rotten"), "", ""),
        (("sultan",), "", ""),
        (("sultan", "sultan", "sultan"), "dash.icons", "warning"),
        (("rotten", "sultan", "rotten"), "dash.skip", "error"),
        (("sultan", "skip"), "dash.skip", "error"),
        (("skip", "sultan", "rotten", "rotten"), "dash.icons", "warning"),
        (("rotten", "sultan", "rotten", "skip"), "dash.icons", "warning"),
    ],
)
def test_choices_where_an_icon_is_skipped(place: tuple[str, ...], rule: str, severity: str) -> None:
    """Jin, who holds nothing yet, has nothing for the first icon to place."""
    last = "rotten" if place.count("sultan") < 3 else "sultan"
    jin = actor("Jin", 1, "place take take place place", place=place)
    lying = rows("sx") if last == "rotten" else rows("ss")
    found = resolve_round((jin, actor("Bo", 2, "")), lying, DEFAULTS)
    assert [(finding.rule, finding.severity) for finding in found.findings] == [(rule, severity)] * bool(rule)
    if severity != "error":
        assert moves(found)[3:] == ["Jin: place sultan", f"Jin: place {last}"]


def test_an_unclear_choice_is_unrecorded_and_a_wrong_skip_is_not() -> None:
    unclear = actor("Jin", 1, "place take place", held="", place=("sultan", "rotten"))
    assert resolve_round((unclear, actor("Bo", 2, "")), rows("x"), DEFAULTS).unrecorded
    wrong = actor("Jin", 1, "take place", place=("skip",))
    assert not resolve_round((wrong, actor("Bo", 2, "")), rows("x"), DEFAULTS).unrecorded


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


@dataclass(frozen=True, slots=True)
class Played:
    """A round as it was played: who began with what, every icon with what was done at it, and what lay there after."""

    players: tuple[Actor, ...]
    before: dict[str, tuple[str, ...]]
    done: dict[str, tuple[tuple[str, str, str], ...]]  # icon, card ("" where it was skipped), receiver
    rows: dict[str, tuple[str, ...]]
    hands: dict[str, Counter[str]]


@st.composite
def played(draw: st.DrawFn) -> Played:
    """Plays a round card by card, with a count of its own."""
    numbers = sorted(draw(st.lists(st.integers(1, 50), unique=True, min_size=2, max_size=4)))
    names = [f"P{number}" for number in numbers]
    row = st.lists(CARDS, max_size=5)
    lying = {"pahang": draw(row), "johor": draw(row)}
    before = {name: tuple(cards) for name, cards in lying.items()}
    hands = {name: Counter(draw(st.lists(CARDS, max_size=2))) for name in names}
    started = {name: Counter(hand) for name, hand in hands.items()}
    players, did = [], {}
    for name, number in zip(names, numbers, strict=True):
        icons = draw(st.lists(st.sampled_from(("take", "place", "give")), min_size=1, max_size=5))
        plantation, left = draw(st.sampled_from(("pahang", "johor"))), draw(st.booleans())
        steps = []
        for icon in icons:
            own = sorted(hands[name].elements())
            if not (lying[plantation] if icon == "take" else own):
                steps.append((icon, "", ""))
                continue
            to = draw(st.sampled_from([other for other in names if other != name])) if icon == "give" else ""
            card = lying[plantation].pop(0 if left else -1) if icon == "take" else draw(st.sampled_from(own))
            hands[name][card] += 1 if icon == "take" else -1
            if icon == "place":
                lying[plantation] = [card, *lying[plantation]] if left else [*lying[plantation], card]
            if icon == "give":
                hands[to][card] += 1
            steps.append((icon, card, to))
        heads = f"{'left' if left else 'right'} {plantation}"
        players.append(replace(actor(name, number, " ".join(icons), heads), collection=started[name]))
        did[name] = tuple(steps)
    return Played(tuple(players), before, did, {n: tuple(c) for n, c in lying.items()}, hands)


def recorded(case: Played, skipped: Callable[[str], tuple[str, str] | None]) -> tuple[Actor, ...]:
    """The players with their choices; `skipped` tells what is recorded for an icon that was skipped, by its kind."""
    found = []
    for player in case.players:
        said = [(icon, (card, to) if card else skipped(icon)) for icon, card, to in case.done[player.name]]
        place = tuple(choice[0] for icon, choice in said if icon == "place" and choice)
        give = tuple(choice for icon, choice in said if icon == "give" and choice)
        found.append(replace(player, place=place, give=give))
    return tuple(found)


@given(played(), st.booleans())
def test_a_round_by_its_choices_ends_as_it_was_played(case: Played, told: bool) -> None:
    """Whether what was skipped is left out or recorded as such."""
    skip = ("skip", "") if told else None
    found = resolve_round(recorded(case, lambda _: skip), case.before, DEFAULTS)
    assert (found.complete, found.rows) == (True, case.rows)
    assert found.collections == {name: {c: n for c, n in hand.items() if n} for name, hand in case.hands.items()}
    assert not found.findings


@given(played(), CARDS)
def test_a_choice_made_up_for_a_skipped_icon_is_never_taken_for_another(case: Played, card: str) -> None:
    """The round ends as it was played, or stops and says why."""
    names = [player.name for player in case.players]
    made_up = recorded(case, lambda icon: (card, names[0] if icon == "give" else ""))
    found = resolve_round(made_up, case.before, DEFAULTS)
    assert found.unrecorded or found.rows == case.rows
    if found.unrecorded:
        assert found.findings[-1].rule == "dash.skip"
