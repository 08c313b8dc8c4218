"""Standings by each game's own rules: totals, places, leaders, the end."""

from __future__ import annotations

from fractions import Fraction

import pytest

from durian_assist.errors import InputError
from durian_assist.ledger.rounds import RoundResult
from durian_assist.ledger.standing import admit, stand
from tests.ledger.helpers import game_of_dash, points, setup, taken


def test_competitive_mode_adds_scores_over_rounds_and_ties_share_a_place() -> None:
    standing = stand(setup(), [points("Ann 8, Bo 3, Cy 11/2"), points("Ann -3, Bo 2, Cy -5/2")])
    assert standing.totals == {"Ann": 5, "Bo": 5, "Cy": 3}
    assert standing.places == {"Ann": 1, "Bo": 1, "Cy": 3}
    assert standing.leaders == ("Ann", "Bo")
    assert not standing.over


def test_half_points_stay_exact() -> None:
    standing = stand(setup(), [points("Ann 1/2, Bo 1, Cy 0")] * 2)
    assert standing.totals["Ann"] == Fraction(1)
    assert standing.leaders == ("Bo",)


def test_nobody_leads_before_the_first_round() -> None:
    for game in ("smuggler", "durian", "dash"):
        standing = stand(setup(game), [])
        assert standing.leaders == ()
        assert not standing.over


def test_a_player_without_points_in_a_round_is_named() -> None:
    standing = stand(setup(), [points("Ann 8, Bo 3"), points("Ann 1, Bo 2, Cy 4")])
    assert standing.totals["Cy"] == 4
    assert standing.notes == ("not everybody has points in all 2 rounds: Cy 1",)


def test_two_players_competitive_one_round_is_half_a_game() -> None:
    standing = stand(setup(players="Ann Bo"), [points("Ann 8, Bo 3", smuggler="Ann")])
    assert not standing.over
    assert standing.more["pair"] == {"rounds": [1], "totals": {"Ann": 8, "Bo": 3}, "winners": []}


def test_two_players_competitive_the_pair_of_rounds_is_added_and_won() -> None:
    rounds = [points("Ann 8, Bo 3", smuggler="Ann"), points("Ann 1, Bo 9", smuggler="Bo")]
    standing = stand(setup(players="Ann Bo"), rounds)
    assert standing.over
    assert standing.leaders == ("Bo",)
    assert standing.more["pair"] == {"rounds": [1, 2], "totals": {"Ann": 9, "Bo": 12}, "winners": ["Bo"]}
    assert standing.notes == ()


def test_two_players_competitive_a_third_round_opens_the_next_pair() -> None:
    rounds = [points("Ann 8, Bo 3"), points("Ann 1, Bo 9"), points("Ann 2, Bo 2")]
    standing = stand(setup(players="Ann Bo"), rounds)
    assert not standing.over
    assert standing.more["pair"] == {"rounds": [3], "totals": {"Ann": 2, "Bo": 2}, "winners": []}


def test_two_players_competitive_the_same_smuggler_twice_is_said() -> None:
    rounds = [points("Ann 8, Bo 3", smuggler="Ann"), points("Ann 1, Bo 9", smuggler="Ann")]
    (note,) = stand(setup(players="Ann Bo"), rounds).notes
    assert "Ann was the Smuggler in rounds 1 and 2" in note


def test_cooperative_mode_keeps_the_results_and_the_best() -> None:
    rounds = [
        points("team 30", "cooperative", outcome="keep your job"),
        points("team 45", "cooperative", outcome="huge promotion"),
        points("team 45", "cooperative", outcome="huge promotion"),
    ]
    standing = stand(setup(), rounds)
    assert standing.more["best"] == {"round": 2, "points": 45, "result": "huge promotion"}
    assert standing.more["results"] == {"keep your job": 1, "huge promotion": 2}
    assert standing.leaders == ()
    assert standing.mode == "cooperative"


@pytest.mark.parametrize(
    ("takers", "totals", "over", "winners"),
    [
        ("Ann Bo", {"Ann": 1, "Bo": 2, "Cy": 0}, False, []),
        ("Ann Bo Cy Bo Ann", {"Ann": 6, "Bo": 6, "Cy": 3}, False, []),
        ("Ann Bo Cy Cy", {"Ann": 1, "Bo": 2, "Cy": 7}, True, ["Ann"]),
        ("Ann Ann Bo Cy Cy", {"Ann": 3, "Bo": 3, "Cy": 9}, True, ["Bo"]),
    ],
)
def test_durian_section_5_tokens_end_and_winner(
    takers: str, totals: dict[str, int], over: bool, winners: list[str]
) -> None:
    standing = stand(setup("durian"), taken(takers))
    assert standing.totals == totals
    assert standing.over == over
    assert standing.more["winners"] == winners


def test_durian_section_5_fewest_tokens_break_a_tie_in_places() -> None:
    standing = stand(setup("durian"), taken("Ann Ann Bo Cy Cy"))
    assert standing.places == {"Bo": 1, "Ann": 2, "Cy": 3}


def test_durian_section_5_equal_points_and_tokens_share_the_win() -> None:
    standing = stand(setup("durian", "Ann Bo Cy Di"), taken("Ann Bo Bo Ann"))
    assert not standing.over
    assert standing.places == {"Ann": 3, "Bo": 3, "Cy": 1, "Di": 1}


def test_durian_tokens_as_they_lie_replace_what_was_counted() -> None:
    rounds = [*taken("Ann Bo"), RoundResult(tokens={"Ann": (1, 3), "Bo": (2,)}), *taken("Cy")]
    assert stand(setup("durian"), rounds).more["tokens"] == {"Ann": [1, 3], "Bo": [2], "Cy": [4]}


def test_durian_rounds_after_the_end_are_counted_and_said() -> None:
    standing = stand(setup("durian"), taken("Cy Cy Cy Cy Ann"))
    assert standing.notes == ("the game was over after round 4; the rounds after it are counted all the same",)


def test_dash_counts_thumbs_and_wins_over_games() -> None:
    rounds = [game_of_dash("Ann 11, Bo 5, Cy 5", "Ann"), game_of_dash("Ann 2, Bo 8, Cy 3", "Bo")]
    standing = stand(setup("dash"), rounds)
    assert standing.leaders == ("Ann", "Bo")
    assert standing.more["wins"] == {"Ann": 1, "Bo": 1, "Cy": 0}
    assert standing.more["most_wins"] == ["Ann", "Bo"]


def test_dash_durian_haters_variant_the_lowest_leads() -> None:
    rounds = [game_of_dash("Ann 11, Bo 5, Cy -2", "Cy", mode="haters")]
    standing = stand(setup("dash"), rounds)
    assert standing.leaders == ("Cy",)
    assert standing.places == {"Cy": 1, "Bo": 2, "Ann": 3}


def test_dash_end_of_the_game_a_tie_that_was_not_broken_is_nobodys_win() -> None:
    standing = stand(setup("dash"), [game_of_dash("Ann 5, Bo 5, Cy 0", "Ann", "Bo")])
    assert standing.more["unresolved"] == [1]
    assert standing.more["wins"] == {"Ann": 0, "Bo": 0, "Cy": 0}


@pytest.mark.parametrize(
    ("game", "before", "result", "reason"),
    [
        ("smuggler", [points("Ann 1")], points("team 40", "cooperative"), "this round is cooperative"),
        ("dash", [game_of_dash("Ann 1", "Ann")], game_of_dash("Ann 1", "Ann", mode="haters"), "this round is haters"),
        ("smuggler", [], points("Zoe 1"), "Zoe is no player"),
        ("smuggler", [], points("team 1"), "team is no player"),
        ("smuggler", [], points("Ann 1", "cooperative"), "Ann is no player"),
        ("smuggler", [], RoundResult(takes="Ann"), "no result of a round"),
        ("durian", [], points("Ann 1"), "no result of a round"),
        ("durian", [], RoundResult(), "no result of a round"),
        ("durian", [], RoundResult(tokens={"Ann": (1, 3)}), "no result of a round"),
        ("durian", taken("Ann"), RoundResult(takes="Bo", token=1), "the lowest one left is 2"),
        ("durian", taken("Ann Bo"), RoundResult(tokens={"Ann": (1, 2)}), "held already"),
        ("durian", taken("Cy Cy Cy Cy"), RoundResult(takes="Ann"), "the game is over"),
    ],
)
def test_a_round_that_cannot_follow_is_refused(
    game: str, before: list[RoundResult], result: RoundResult, reason: str
) -> None:
    with pytest.raises(InputError, match=reason):
        admit(setup(game), before, result, len(before) + 1)
