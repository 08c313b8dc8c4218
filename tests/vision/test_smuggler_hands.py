"""Cards in front of a side, before the grid is full and after."""

from __future__ import annotations

import numpy as np
import pytest

from durian_assist.vision import smuggler_hands
from durian_assist.vision.recognise import Candidate, Identity, Recogniser
from durian_assist.vision.rectify import Picture
from durian_assist.vision.smuggler_hands import _likeliest
from durian_assist.vision.smuggler_reading import SURE, square_classes
from durian_assist.vision.smuggler_view import GridView, view_grid
from durian_assist.vision.table_plane import Pose
from tests.vision.smuggler_scenes import FULL, deck, photographed, table_of


@pytest.fixture(scope="module")
def view() -> GridView:
    picture = Picture(photographed(table_of(FULL), tilt=0.0).pixels)
    return view_grid(picture, Recogniser(square_classes(deck())), "scene.jpg")


@pytest.mark.parametrize(
    ("share", "glare", "waiting", "sure"),
    [
        (0.95, 0.0, True, True),
        (0.95, 0.2, True, False),  # cut off by the frame
        (0.75, 0.0, True, False),  # like a card, but less so than those of the grid
        (0.75, 0.2, False, True),
    ],
)
def test_people_hold_their_cards_while_the_grid_grows(
    view: GridView, monkeypatch: pytest.MonkeyPatch, share: float, glare: float, waiting: bool, sure: bool
) -> None:
    """What looks like a part of one then, or only somewhat like one, is asked about: it may be anything."""
    pose = Pose(float(view.lattice.origin[0]), float(view.lattice.origin[1] + 4), view.lattice.angle)
    named = (Candidate("yellow/durian/4", 0, share * view.usual, 1.0),)
    seen = Identity(named, 0.97, 0.97, np.asarray(view.quad(pose), np.float64), glare)
    monkeypatch.setattr(smuggler_hands, "_confirmed", lambda *_: seen)
    (card,) = _likeliest(view, 0, [pose], waiting, False)
    assert (card.sighting.confidence >= SURE) == sure
