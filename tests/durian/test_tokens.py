"""Tokens and the end of the game (rulebook, 4 and 5)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durian_assist.durian.guide import LENGTHS, LONGEST
from durian_assist.durian.tokens import next_token, standing


@pytest.mark.parametrize(
    ("held", "over", "winners", "decided_by"),
    [
        ({"Ann": (1,), "Bo": (2,), "Cy": ()}, False, (), ""),
        ({"Ann": (3, 4), "Bo": (1,), "Cy": (2,)}, True, ("Bo",), "points"),
        ({"Ann": (1, 2, 4), "Bo": (3,), "Cy": ()}, True, ("Cy",), "points"),
        ({"Ann": (5,), "Bo": (1, 4), "Cy": (2, 3, 6)}, True, ("Ann",), "fewest tokens"),
        ({"Ann": (), "Bo": (), "Cy": (1, 2, 4), "Di": (3,)}, True, ("Ann", "Bo"), "shared"),
        ({"Ann": (7,), "Bo": (1, 5), "Cy": (2, 3), "Di": (4,), "Ed": (6,)}, True, ("Di",), "points"),
    ],
)
def test_5_end_of_the_game(
    held: dict[str, tuple[int, ...]], over: bool, winners: tuple[str, ...], decided_by: str
) -> None:
    result = standing(held)
    assert (result.over, result.winners, result.decided_by) == (over, winners, decided_by)


def test_final_names_who_is_ahead() -> None:
    assert standing({"Ann": (1,), "Bo": (2,)}, final=True).winners == ("Ann",)


def test_a_missing_token_leaves_winner_and_end_open() -> None:
    result = standing({"Ann": (1, 4), "Bo": (2,)})
    assert (result.over, result.winners) == (None, ())
    assert "token 3 is held by nobody" in result.findings[0].message
    result = standing({"Ann": (3, 4), "Bo": (2,)})
    assert (result.over, result.winners) == (True, ())


def test_tokens_of_one_player_have_points_but_no_winner() -> None:
    result = standing({"Ann": (6, 7)})
    assert (result.players["Ann"].points, result.over, result.winners) == (13, True, ())


def test_rounds_after_the_end_are_named() -> None:
    result = standing({"Ann": (3, 4), "Bo": (1, 5), "Cy": (2,)})
    assert [finding.rule for finding in result.findings] == ["durian.end"]
    assert "Ann had 7 points with token 4" in result.findings[0].message


@given(st.lists(st.integers(0, 6), max_size=7), st.integers(2, 7))
def test_any_game_played_in_order_is_complete(takers: list[int], players: int) -> None:
    """Tokens in ascending order until somebody has 7 points: never a finding, over at the right moment."""
    held: dict[str, tuple[int, ...]] = {f"P{n}": () for n in range(players)}
    for taker in takers:
        if standing(held).over:
            break
        name, token = f"P{taker % players}", next_token(held)
        assert token is not None
        held[name] = (*held[name], token)
        result = standing(held)
        assert result.findings == ()
        assert result.over == (sum(held[name]) >= 7)
        assert {n: place.points for n, place in result.players.items()} == {n: sum(own) for n, own in held.items()}
        best = min((sum(own), len(own)) for own in held.values())
        assert set(result.winners) == (
            {n for n, own in held.items() if (sum(own), len(own)) == best} if result.over else set()
        )


@pytest.mark.parametrize("players", range(2, 8))
def test_how_long_a_game_lasts(players: int) -> None:
    """Every way to hand out tokens, by brute force."""
    lengths: set[int] = set()

    def play(held: tuple[int, ...], token: int) -> None:
        if max(held) >= 7:
            lengths.add(token - 1)
            return
        for taker in range(players):
            play((*held[:taker], held[taker] + token, *held[taker + 1 :]), token + 1)

    play((0,) * min(players, 7), 1) if players < 5 else play_sorted(players, lengths)
    assert (min(lengths), max(lengths)) == LENGTHS.get(players, LONGEST)


def play_sorted(players: int, lengths: set[int]) -> None:
    """The same for many players: who holds what does not matter, so holdings are kept sorted."""
    states = {(0,) * players}
    for token in range(1, 8):
        grown = {tuple(sorted((*held[:i], held[i] + token, *held[i + 1 :]))) for held in states for i in range(players)}
        lengths |= {token for held in grown if max(held) >= 7}
        states = {held for held in grown if max(held) < 7}
