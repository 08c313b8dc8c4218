"""House readings."""

from __future__ import annotations

import pytest

from durian_assist.common.readings import QUESTIONS, Readings
from durian_assist.errors import UsageError


def test_defaults_are_choices_of_their_question() -> None:
    for game, questions in QUESTIONS.items():
        for question in questions:
            assert question.default in question.choices
            assert Readings.defaults(game)[question.key] == question.default


def test_a_reading_is_chosen_and_says_so() -> None:
    readings = Readings.parse("smuggler", ["Half Points=down"])
    assert readings["half-points"] == "down"
    assert readings.note("half-points")["source"] == "chosen"
    assert readings.note("exemption")["source"] == "default"
    assert readings.settings() == ("half-points=down",)


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("half-points", "a reading is KEY=VALUE"),
        ("half=down=up", '"down=up" is not known'),
        ("exemption=nevr", "did you mean never?"),
        ("exempt ion=never", "did you mean exemption?"),
    ],
)
def test_readings_that_are_none(setting: str, says: str) -> None:
    with pytest.raises(UsageError) as caught:
        Readings.parse("smuggler", [setting])
    assert says in str(caught.value)
