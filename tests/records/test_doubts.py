"""Comments that mark guesses in a record: recognised as readings write them, and gone when a person takes them out."""

from __future__ import annotations

import pytest

from durian_assist.records.document import load_record
from durian_assist.records.doubts import Doubt, doubts_of


@pytest.mark.parametrize(
    ("comment", "place", "guesses"),
    [
        ("# uncertain: row 2 column 2: yellow4^ or orange5^", "row 2 column 2", "yellow4^ or orange5^"),
        ("  #uncertain: hand of south: red6, blue- or .  ", "hand of south", "red6, blue- or ."),
        ("# uncertain: Ann, card 5: no guess", "Ann, card 5", "no guess"),
        ("# uncertain: row 1 column 1:", "row 1 column 1", ""),
        ("# card 3 is uncertain: sultan or red-prawn (--set cards.3=...)", "card 3", "sultan or red-prawn"),
        ("# the preference card is uncertain: no guess (--set preference=...)", "the preference card", "no guess"),
    ],
)
def test_what_a_reading_writes_is_recognised(comment: str, place: str, guesses: str) -> None:
    assert doubts_of(f'game = "dash"\n{comment}\n') == (Doubt(place, guesses, 2),)


@pytest.mark.parametrize(
    "text", ["", 'name = "# uncertain: a: b"\n', "# I was uncertain about these rules\n", "#\n# uncertain\n"]
)
def test_other_text_is_no_doubt(text: str) -> None:
    assert doubts_of(text) == ()


def test_a_doubt_stays_with_its_record_until_it_is_settled() -> None:
    doubt = Doubt("row 2 column 2", "red6v or blue6v")
    document = load_record("a.toml", doubt.comment + 'game = "smuggler"\n')
    changed = document.with_flag(["mode"], "cooperative", "--mode cooperative")
    assert [left.comment for left in changed.doubts] == [doubt.comment]
    assert changed.settled("row 2 column 1").doubts
    assert changed.settled("row 2 column 2").doubts == ()


def test_json_has_no_comments() -> None:
    assert load_record("a.json", '{"name": "x"}').doubts == ()
