"""Durian Dash from the sample photos: one photo a player, the market's rows, overlays with what cards are worth."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from durian_assist.resources import shipped
from tests.conftest import Run

DECK = ("--deck", "harbour-dash")


def photo(name: str) -> Path:
    """A sample photo."""
    return shipped("sample_images", f"{name}.jpg")


def truth(name: str, role: str) -> list[dict[str, object]]:
    """The cards of a sample photo that have this role."""
    cards = json.loads(photo(name).with_suffix(".json").read_text(encoding="utf-8"))["cards"]
    return [card for card in cards if card["role"] == role]


def test_one_photo_a_player_with_overlays(run: Run, tmp_path: Path) -> None:
    names = {"Hasan": "dash-collection-00", "Jin": "dash-collection-03"}
    tables = [f"{player}={photo(name)}" for player, name in names.items()]
    seen = tmp_path / "seen.png"
    result = run("dash", "score", *tables, *DECK, "--accept", "--overlay", seen, "--json")
    assert result.exit_code == 0, result.stderr
    players = json.loads(result.stdout)["players"]
    for player, name in names.items():
        read = Counter({line["variety"]: line["count"] for line in players[player]["lines"] if line["count"]})
        assert read == Counter(str(card["id"]) for card in truth(name, "collection"))
    assert {path.name for path in tmp_path.glob("*.png")} == {"seen-1.png", "seen-2.png"}


def test_a_market_is_resupplied(run: Run) -> None:
    result = run(
        "dash", "resupply", photo("dash-market-00"), *DECK, "--accept", "--players", 3, "--deck-cards", 9, "--json"
    )
    assert result.exit_code == 0, result.stderr
    said = json.loads(result.stdout)
    rows: dict[object, list[str]] = {0: [], 1: []}
    for card in sorted(truth("dash-market-00", "market"), key=lambda card: str(card["col"])):
        rows[card["row"]].append(str(card["id"]))
    assert [said["rows"]["pahang"], said["rows"]["johor"]] == [rows[0], rows[1]]
    assert [step["action"] for step in said["steps"]] == ["leave", "leave"]


@pytest.mark.parametrize("fix", ["cards.5=rotten", "Zed.cards.1=rotten", "cards.99=sultan", "Ann=sultan"])
def test_a_correction_of_nobody_is_refused_before_reading(run: Run, fix: str, tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"no photo")
    result = run("dash", "score", f"Ann={tmp_path / 'a.jpg'}", *DECK, "--set", fix)
    assert result.exit_code == 2
    assert (
        f"--set {fix}: this names no player of these tables\n  Name the player first, such as --set Ann."
        in result.stderr
    )


def test_the_preference_card_of_one_players_photo_is_corrected(run: Run) -> None:
    table = f"Ann={photo('dash-collection-00')}"
    result = run("dash", "score", table, *DECK, "--accept", "--set", "Ann.preference=none", "--json")
    assert result.exit_code == 0, result.stderr
    rules = {line["rule"] for line in json.loads(result.stdout)["players"]["Ann"]["lines"] if line["count"]}
    assert rules <= {"dash.other", "dash.mao-shan-wang", "dash.rotten"}
