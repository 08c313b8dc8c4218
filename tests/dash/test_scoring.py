"""Rulebook, End of the Game and Scoring, and the haters variant."""

from __future__ import annotations

import pytest
from hypothesis import given

from durian_assist.dash.scoring import Player, result, tally
from durian_assist.dash.varieties import COMMON, VARIETIES, Preference
from tests.dash.helpers import games

HASAN = Player(
    "Hasan",
    {"red-prawn": 2, "mao-shan-wang": 2, "black-pearl": 3, "golden-phoenix": 2, "rotten": 2},
    Preference("red-prawn", (), "golden-phoenix"),
    12,
)


def test_example_g_hasans_tally_is_11() -> None:
    found = tally(HASAN)
    assert (found.up, found.down, found.points) == (15, 4, 11)
    by_variety = {line.where: int(line.points) for line in found.lines}
    assert by_variety == {
        "red-prawn": 6,
        "mao-shan-wang": 6,
        "black-pearl": 3,
        "golden-phoenix": -2,
        "rotten": -2,
        "sultan": 0,
    }


@pytest.mark.parametrize("variety", COMMON)
@pytest.mark.parametrize(
    ("key", "value", "rule"),
    [("love", 3, "dash.love"), ("like", 2, "dash.like"), ("hate", -1, "dash.hate"), ("", 1, "dash.other")],
)
def test_scoring_table(variety: str, key: str, value: int, rule: str) -> None:
    preference = Preference(
        variety if key == "love" else None, (variety,) if key == "like" else (), variety if key == "hate" else None
    )
    assert preference.value(variety) == (value, rule)


@pytest.mark.parametrize(("variety", "value"), [("mao-shan-wang", 3), ("rotten", -1)])
def test_scoring_what_is_the_same_for_all(variety: str, value: int) -> None:
    assert Preference("sultan", ("red-prawn", "black-pearl"), "golden-phoenix").value(variety)[0] == value


@given(games())
def test_scoring_every_card_counts_by_itself(players: list[Player]) -> None:
    """Thumbs card by card, from loose cards, are the tally; there is a line for every variety."""
    for player in players:
        preference = player.preference or Preference()
        loose = [preference.value(variety)[0] for variety, count in player.collection.items() for _ in range(count)]
        found = tally(player)
        assert found.up == sum(value for value in loose if value > 0)
        assert found.down == -sum(value for value in loose if value < 0)
        assert found.points == sum(int(line.points) for line in found.lines)
        assert tuple(line.where for line in found.lines) == VARIETIES


@given(games())
def test_end_of_the_game_order_of_players(players: list[Player]) -> None:
    """With all action numbers recorded a sort by (points, rotten, last action) is the standing, in both variants."""
    for variant in ("standard", "haters"):
        found = result(players, variant)
        sign = 1 if variant == "haters" else -1

        def key(player: Player, sign: int = sign) -> tuple[int, int, int]:
            return sign * tally(player).points, player.collection.get("rotten", 0), player.last_action or 0

        ranked = sorted(players, key=key)
        assert [found.players[player.name].place for player in ranked] == list(range(1, len(players) + 1))
        assert found.winners == (ranked[0].name,)
        first, second = key(ranked[0]), key(ranked[1])
        decided = (
            "points" if first[0] != second[0] else "fewest rotten" if first[1] != second[1] else "lowest last action"
        )
        assert found.decided_by == decided


@given(games(last=False))
def test_end_of_the_game_what_is_not_recorded_is_never_guessed(players: list[Player]) -> None:
    """A winner who is named wins whatever the missing action numbers are."""
    found = result(players)
    for missing in (0, 99):
        filled = [
            Player(p.name, p.collection, p.preference, missing - n if p.last_action is None else p.last_action)
            for n, p in enumerate(players)
        ]
        full = result(filled)
        if found.decided_by == "unresolved":
            assert full.winners[0] in found.winners
        else:
            assert full.winners == found.winners


def two(one: dict[str, int], other: dict[str, int], last: tuple[int | None, int | None] = (None, None)) -> list[Player]:
    """Hasan and Jin with preference cards that name nothing."""
    return [Player("Hasan", one, Preference(), last[0]), Player("Jin", other, Preference(), last[1])]


@pytest.mark.parametrize(
    ("players", "winners", "decided_by", "places"),
    [
        (two({"sultan": 3}, {"sultan": 2}), ("Hasan",), "points", (1, 2)),
        (two({"sultan": 3, "rotten": 1}, {"sultan": 2}), ("Jin",), "fewest rotten", (2, 1)),
        (two({"sultan": 2}, {"red-prawn": 2}, (12, 3)), ("Jin",), "lowest last action", (2, 1)),
        (two({"sultan": 2}, {"red-prawn": 2}, (12, None)), ("Hasan", "Jin"), "unresolved", (1, 1)),
        (two({"sultan": 2}, {"red-prawn": 2}, (3, 3)), ("Hasan", "Jin"), "unresolved", (1, 1)),
        (two({"rotten": 3}, {"rotten": 2}), ("Jin",), "points", (2, 1)),
    ],
)
def test_end_of_the_game_ties(
    players: list[Player], winners: tuple[str, ...], decided_by: str, places: tuple[int, int]
) -> None:
    found = result(players)
    assert (found.winners, found.decided_by) == (winners, decided_by)
    assert tuple(tally.place for tally in found.players.values()) == places


def test_haters_variant_the_least_wins_and_ties_stay() -> None:
    assert result(two({"sultan": 3}, {"sultan": 2}), "haters").winners == ("Jin",)
    assert result(two({"sultan": 3, "rotten": 1}, {"sultan": 2}), "haters").winners == ("Jin",)


@pytest.mark.parametrize(("players", "most"), [(2, 30), (3, 40), (4, 50), (5, 60), (6, 60)])
def test_game_setup_more_cards_than_the_game_holds(players: int, most: int) -> None:
    for held, warned in ((most, False), (most + 1, True)):
        group = [Player(f"P{n}", {"sultan": held if n == 0 else 0}, Preference(), n + 1) for n in range(players)]
        assert ("dash.cards" in {finding.rule for finding in result(group).findings}) == warned


def test_one_player_has_points_but_no_winner() -> None:
    found = result([HASAN])
    assert (found.players["Hasan"].points, found.winners, found.decided_by) == (11, (), "")


def test_a_preference_that_is_not_recorded_is_said() -> None:
    found = result([HASAN, Player("Jin", {"sultan": 1})])
    assert [finding.rule for finding in found.findings] == ["dash.preference"]
