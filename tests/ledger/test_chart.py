"""Charts: the numbers drawn, text, SVG that parses, PNG that opens; names of any script."""

from __future__ import annotations

import io
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from durian_assist.common.text import width
from durian_assist.ledger import chart_png
from durian_assist.ledger.chart import Series, series_of, text_chart
from durian_assist.ledger.chart_layout import HEIGHT, WIDTH, Text, layout, shortened
from durian_assist.ledger.chart_png import png_chart
from durian_assist.ledger.chart_svg import svg_chart
from durian_assist.ledger.entries import Entry, Session, setup_to_json
from durian_assist.ledger.log import Step, replay
from durian_assist.ledger.rounds import RoundResult, Setup
from durian_assist.vision import lettering
from tests.ledger.helpers import game_of_dash, points, setup, taken


def session(opened: Setup, results: list[RoundResult]) -> Session:
    """A session in memory."""
    steps = [Step(1, "new"), *(Step(n + 1, "add", n) for n in range(1, len(results) + 1))]
    entries = [
        Entry(step.seq, "2026-11-29T20:15:00Z", "0", "0", step.kind, step.round, None, data, result)
        for step, data, result in zip(
            steps, [setup_to_json(opened), *({} for _ in results)], [None, *results], strict=True
        )
    ]
    return Session("uid", opened, tuple(entries), replay(steps))


def series(*lines: tuple[str, str], title: str = "Friday") -> Series:
    """`("Ann", "0 5 3")` lines as a series."""
    values = numbers(*(text for _, text in lines))
    return Series(title, "total points", tuple(name for name, _ in lines), values, 0)


def numbers(*lines: str) -> tuple[tuple[Fraction, ...], ...]:
    """Lines of numbers."""
    return tuple(tuple(Fraction(word) for word in text.split()) for text in lines)


def test_totals_start_at_nothing_and_add_up() -> None:
    drawn = series_of(session(setup(players="Ann Bo Cy"), [points("Ann 1, Bo -2, Cy 0"), points("Ann 5/2, Bo 1")]))
    assert drawn.values == numbers("0 1 7/2", "0 -2 -1", "0 0 0")
    assert (drawn.first, drawn.rounds, drawn.label) == (0, 2, "total points")


def test_durian_draws_the_tokens_points() -> None:
    drawn = series_of(session(setup("durian", "Ann Bo"), taken("Ann Bo Ann")))
    assert drawn.values == numbers("0 1 1 4", "0 0 2 2")
    assert drawn.label == "total points, fewest lead"


def test_haters_lead_with_the_fewest_thumbs() -> None:
    drawn = series_of(session(setup("dash", "Ann Bo"), [game_of_dash("Ann 1, Bo 2", "Ann", mode="haters")]))
    assert drawn.label == "total thumbs, fewest lead"


def test_a_cooperative_session_draws_each_rounds_result() -> None:
    rounds = [points("team 30", "cooperative"), points("team 45", "cooperative")]
    drawn = series_of(session(setup(), rounds))
    assert (drawn.names, drawn.values, drawn.first, drawn.rounds) == (("team",), numbers("30 45"), 1, 2)


def test_text_chart_puts_the_highest_on_top() -> None:
    lines = text_chart(series(("Ann", "0 5 10"), ("Bo", "0 0 -10"))).splitlines()
    assert lines[0] == "Friday: total points"
    assert lines[2] == " 10 |" + " " * 18 + "oo"
    assert lines[16] == "-10 |" + " " * 19 + "x"
    assert lines[-3:] == ["o Ann  10", "x Bo   -10", "= several"]


ANY = st.lists(st.integers(-(10**6), 10**6).map(lambda halves: Fraction(halves, 2)), min_size=1, max_size=30)


@settings(max_examples=40)
@given(st.lists(ANY, min_size=1, max_size=6).map(lambda rows: [row[: min(map(len, rows))] for row in rows]))
def test_every_chart_stays_on_its_canvas(rows: list[list[Fraction]]) -> None:
    drawn = Series("a" * 99, "points", tuple(f"{n} & <b>" for n in range(len(rows))), tuple(map(tuple, rows)), 0)
    drawing = layout(drawn)
    places = [(text.x, text.y) for text in drawing.texts] + [(mark.x, mark.y) for mark in drawing.markers]
    places += [point for line in drawing.lines for point in line.points]
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in places)
    ElementTree.fromstring(svg_chart(drawn))
    assert text_chart(drawn)


def test_labels_at_the_ends_do_not_cover_each_other() -> None:
    drawing = layout(series(*((name, "0 5") for name in "ABCDEF")))
    heights = sorted(text.y for text in drawing.texts if text.text.endswith(" 5"))
    assert len(heights) == 6
    assert all(below - above > 38 for above, below in pairwise(heights))


def test_svg_holds_names_as_they_are() -> None:
    root = ElementTree.fromstring(svg_chart(series(("小明", "0 3"), ("<&>", "0 5.5"), title='"Fri"')))
    texts = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {'"Fri"', "小明 3", "<&> 5.5"} <= texts


@pytest.mark.parametrize(
    ("name", "shown"), [("Ann", "Ann"), ("Bartholomew Longname", "Bartholomew..."), ("小" * 9, "小小小小小...")]
)
def test_long_names_are_cut(name: str, shown: str) -> None:
    assert shortened(name) == shown
    assert width(shown) <= 14


def ink(data: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A PNG as pixels."""
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))


def test_png_is_a_picture_with_every_players_colour() -> None:
    data, unreadable = png_chart(series(("Ann", "0 5 10"), ("Bo", "0 0 -10")))
    pixels = ink(data)
    assert pixels.shape == (HEIGHT, WIDTH, 3)
    assert unreadable == ()
    for colour in ((0x00, 0x72, 0xB2), (0xD5, 0x5E, 0x00)):
        assert (np.abs(pixels.astype(int) - colour).max(axis=2) < 30).sum() > 500


def drawn_text(name: str, monkeypatch: pytest.MonkeyPatch, **options: object) -> tuple[list[str], tuple[str, ...]]:
    """The texts that a PNG of one player draws, and the names that it numbers."""
    texts: list[str] = []
    draw = chart_png._Pen.text

    def record(pen: chart_png._Pen, text: Text) -> None:
        texts.append(text.text)
        draw(pen, text)

    monkeypatch.setattr(chart_png._Pen, "text", record)
    _, unreadable = png_chart(series((name, "0 3")), **options)  # type: ignore[arg-type]
    return texts, unreadable


@pytest.fixture
def no_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without fonts."""
    monkeypatch.setattr(chart_png, "_font_files", lambda: iter(()))
    chart_png._system_font.cache_clear()


@pytest.mark.usefixtures("no_fonts")
@pytest.mark.parametrize(
    ("name", "shown", "numbered"),
    [
        ("Ann", "Ann 3", ()),
        ("Zoë", "Zoe 3", ()),
        ("小明", "no. 1 3", ("小明",)),
        ("Ann 🍈", "Ann 3", ()),
        ("👩‍🚀 Zoë ❤️", "Zoe 3", ()),
        ("🎉", "no. 1 3", ("🎉",)),
        ("小明 🎉", "no. 1 3", ("小明 🎉",)),
    ],
)
def test_png_without_a_font_for_a_name_says_so(
    name: str, shown: str, numbered: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts, unreadable = drawn_text(name, monkeypatch)
    assert shown in texts
    assert unreadable == numbered


@pytest.mark.usefixtures("no_fonts")
def test_png_numbers_names_that_only_their_emoji_tell_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []
    monkeypatch.setattr(chart_png._Pen, "text", lambda _, text: texts.append(text.text))
    chart = replace(series(("Ann 🍈", "0 3"), ("Ann 🍎", "0 4"), ("Bo", "0 5")), title="Party 🎉")
    assert png_chart(chart)[1] == ("Ann 🍈", "Ann 🍎")
    assert {"Ann no. 1 3", "Ann no. 2 4", "Bo 5", "Party"} <= set(texts)


@pytest.mark.usefixtures("no_fonts")
def test_png_draws_a_name_with_the_font_handed_in(monkeypatch: pytest.MonkeyPatch) -> None:
    class Bars:
        def can_draw(self, text: str) -> bool:
            return True

        def text_mask(self, text: str, size: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
            return np.full((2 * size, 100), 255, np.uint8)

    texts, unreadable = drawn_text("小明", monkeypatch, lettering=Bars())
    assert "小明 3" in texts
    assert unreadable == ()
    # It draws from left to right only: a name that runs the other way is numbered rather than drawn backwards.
    assert drawn_text("שלום", monkeypatch, lettering=Bars())[1] == ("שלום",)


@pytest.mark.parametrize("name", ["小明", "Zoë", "Łukasz", "Дима", "한국", "あい", "שלום"])
def test_lettering_draws_names_where_opencv_has_the_font(name: str) -> None:
    import cv2

    assert lettering.can_draw(name) == hasattr(cv2, "FontFace")
    if lettering.can_draw(name):
        assert lettering.text_mask(name, 40).max() == 255


def test_lettering_knows_what_it_cannot_draw() -> None:
    assert not lettering.can_draw("Bo 🦍")
