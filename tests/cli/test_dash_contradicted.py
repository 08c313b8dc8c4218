"""A preference card that flags and a photo say differently."""

from __future__ import annotations

import json

import pytest

from durian_assist.resources import shipped
from tests.conftest import Run


@pytest.mark.parametrize(
    ("flag", "counted"),
    [
        ("love sultan", "love sultan, like golden-phoenix"),
        ("love red-prawn; like golden-phoenix; hate sultan", None),
        ("last 3", None),
    ],
)
def test_a_card_mixed_from_flag_and_photo_is_told(flag: str, counted: str | None, run: Run) -> None:
    photo = shipped("sample_images", "dash-collection-03.jpg")
    said = run("dash", "score", f"Hasan={photo}", "--player", f"Hasan: {flag}", "--deck", "harbour-dash", "--json")
    warnings = [w for w in json.loads(said.stdout)["warnings"] if "the photo shows" in w["message"]]
    shown = "the photo shows love red-prawn, like golden-phoenix, hate sultan"
    assert [w["message"] for w in warnings] == ([f"{shown}; counted is {counted}."] if counted else [])
