"""Where a card lies, in words: for those that only a reading numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from durian_assist.cli import photo_in
from durian_assist.cli.tables_in import PhotoWishes
from durian_assist.cli.whereabouts import placed
from durian_assist.vision.photo import Photo
from durian_assist.vision.reading import Uncertain

PHOTO = Photo("a.jpg", np.zeros((300, 600, 3), np.uint8))


def question(key: str, x: float, y: float, photo: int = 0) -> Uncertain:
    """A question about a card of 20 by 20 pixels with this middle."""
    corners = ((x - 10, y - 10), (x + 10, y - 10), (x + 10, y + 10), (x - 10, y + 10))
    return Uncertain(key, "the card", ("red-prawn",), corners, {}, photo)


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        (50, 50, "top left"),
        (300, 150, "middle"),
        (300, 290, "bottom middle"),
        (599, 150, "middle right"),
        (650, -9, "top right"),
    ],
)
def test_a_numbered_card_is_told_by_its_part_of_the_photo(x: float, y: float, words: str) -> None:
    assert placed([question("tokens.3", x, y)], [PHOTO])[0].place == f"the card ({words} of photo)"


def test_of_several_photos_the_one_is_named() -> None:
    assert placed([question("cards.3", 50, 50, 1)], [PHOTO, PHOTO])[0].place == "the card (top left of photo 2)"


@pytest.mark.parametrize("key", ["3,2", "hand.south", "preference"])
def test_places_that_have_a_name_keep_it(key: str) -> None:
    assert placed([question(key, 50, 50)], [PHOTO])[0].place == "the card"


def test_on_the_terminal_a_question_says_whose_card_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    class Reading:
        """Stands for a reading with one uncertain card."""

        uncertain = (question("cards.5", 50, 50),)

        def corrected(self, key: str, value: str) -> Reading:
            """The reading with an answer in it."""
            return self

    asked = []

    def prompt(text: str, **_: object) -> str:
        asked.append(text)
        return "sultan"

    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr("click.prompt", prompt)
    photo_in.asked([PHOTO], cast("Any", Reading()), PhotoWishes(), "Ann")
    assert asked == ["[1/1] Ann, the card (top left of photo) (red-prawn?)"]


def test_the_sheet_of_uncertain_cards_is_named_after_its_photo_and_goes_with_the_questions(
    capsys: pytest.CaptureFixture[str],
) -> None:
    photo = Photo("/photos/of Friday.jpg", PHOTO.pixels)
    with photo_in.crops_shown([photo], [question("cards.5", 50, 50)]):
        sheet = Path(capsys.readouterr().err.strip().rpartition(": ")[2])
        assert sheet.name == "uncertain-cards-of-of-Friday.png"
        assert sheet.stat().st_size
    assert not sheet.parent.exists()
    with photo_in.crops_shown([photo], [question("cards.5", 50, 50)], "Ann/Bo"):
        assert "uncertain-cards-of-Ann-Bo.png" in capsys.readouterr().err


@pytest.mark.parametrize(("candidates", "explained"), [((".", "red-"), True), (("red-", "red6"), False)])
def test_a_dot_among_the_guesses_is_explained(candidates: tuple[str, ...], explained: bool) -> None:
    unsure = Uncertain("hand.west", "hand of west", candidates, (), {}, 0, "nothing can be seen there")
    error = photo_in.needs_person([unsure], PhotoWishes())
    assert f"hand of west: {candidates[0]} or {candidates[1]} (nothing can be seen there)" in error.what
    assert ("A dot is a place without a card." in error.mend) == explained
