"""Cards printed to their edges that lie on one another: a neighbour's edge is not a part of the card."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from durian_assist.vision import smuggler_cells
from durian_assist.vision.deck_profile import DeckProfile
from durian_assist.vision.smuggler_cards import Face, Laid
from durian_assist.vision.smuggler_cells import Sighting, _uncovered
from durian_assist.vision.smuggler_overlaps import ENOUGH, SIDE, left_by
from durian_assist.vision.smuggler_reading import read_smuggler
from tests.vision import smuggler_scenes
from tests.vision.smuggler_scenes import FULL, deck, photographed, table_of
from tests.vision.test_smuggler_reading import cells, read_cells

Points = NDArray[np.float64]
BORDER = 0.06  # of a side


def borderless() -> DeckProfile:
    """The shipped deck with its white borders cut off."""

    def cut(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        y, x = (round(BORDER * side) for side in picture.shape[:2])
        return np.ascontiguousarray(picture[y:-y, x:-x])

    classes = (replace(c, references=tuple(cut(picture) for picture in c.references)) for c in deck().classes)
    return replace(deck(), classes=tuple(classes))


@pytest.mark.parametrize(("pitch", "most"), [(98, 0), (95, 2)])
def test_cards_that_lie_on_their_neighbours_are_read(pitch: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of a card shows another one at 95 pixels from card to card of 105."""
    profile = borderless()
    monkeypatch.setattr(smuggler_scenes, "deck", lambda: profile)
    monkeypatch.setattr(smuggler_scenes, "PITCH", pitch)
    reading = read_smuggler([photographed(table_of(FULL))], profile)
    assert read_cells(reading) == cells(FULL)
    assert len(reading.uncertain) <= most


def square(x: float, y: float, side: float = 100.0) -> Points:
    return np.array([(x, y), (x + side, y), (x + side, y + side), (x, y + side)])


def test_what_neighbours_leave_of_a_place() -> None:
    left = left_by(square(0, 0), [square(90, 0), square(0, -95), square(101.5, 101.5)])
    assert left is not None
    shown = np.argwhere(left)
    assert (shown.min(axis=0) / SIDE).round(2).tolist() == pytest.approx([0.06, 0.0], abs=0.03)
    assert (shown.max(axis=0) / SIDE).round(2).tolist() == pytest.approx([0.98, 0.88], abs=0.03)
    assert left_by(square(0, 0), [square(150, 0)]) is None
    assert left_by(square(0, 0), [square(80 * ENOUGH, 0)]) is None


@pytest.mark.parametrize(("gain", "named"), [(0.2, True), (0.01, False), (-0.05, False)])
def test_less_of_a_card_names_it_only_where_it_fits_better(
    gain: float, named: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the strip left out was the card's own, what told two faces from each other may have lain in it."""
    card = Laid(Face("red", "empty", None), 0)

    def identify(*_: object, visible: object, **__: object) -> Any:
        return SimpleNamespace(best=SimpleNamespace(score=0.7 + (0.0 if visible is None else gain)))

    view: Any = SimpleNamespace(picture=None, recogniser=SimpleNamespace(identify=identify))
    monkeypatch.setattr(smuggler_cells, "sighting", lambda *_: Sighting(((card, 0.99),), square(0, 0)))
    seen = Sighting(((card, 0.7), (None, 0.2)), square(0, 0))
    again = _uncovered(view, seen, square(0, 0), np.ones((SIDE, SIDE), np.bool_))
    assert (again is not None) == named
