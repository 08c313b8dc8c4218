"""Which plane the first cards of a table at the bell are taken to lie on."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from durian_assist.vision import durian_looks
from durian_assist.vision.dash_plane import TablePlane
from durian_assist.vision.durian_looks import Found, Looks


@pytest.mark.parametrize(
    ("first", "second", "taken", "asked"),
    [
        (9, 0, "level", 1),  # the likelier plane met enough: the other is not tried
        (2, 7, "tilted", 2),
        (2, 1, "level", 2),
    ],
)
def test_of_two_planes_that_on_which_more_cards_are_met_is_taken(
    first: int, second: int, taken: str, asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    planes = {"level": TablePlane(np.diag([100.0, 100, 1])), "tilted": TablePlane(np.diag([150.0, 150, 1]))}
    met = {"level": first, "tilted": second}
    tried: list[str] = []

    def cards_on(_: Looks, plane: TablePlane, *__: Any) -> Found:
        tried.append(next(name for name, one in planes.items() if one is plane))
        cards = [SimpleNamespace(quality=0.9)] * met[tried[-1]]
        return Found(cast(Any, tried[-1]), cast(Any, cards), None, cast(Any, None))

    monkeypatch.setattr(durian_looks, "likely_planes", lambda *_: list(planes.values()))
    monkeypatch.setattr(Looks, "cards_on", cards_on)
    seen = SimpleNamespace(cards=[SimpleNamespace(corners=np.zeros((4, 2)))], picture=SimpleNamespace())
    seen.picture.pixels = np.zeros((600, 800, 3), np.uint8)
    looks = Looks(cast(Any, SimpleNamespace(aspect=1.4)), cast(Any, seen), cast(Any, None), cast(Any, None))
    assert (cast(Any, looks.found(None).table), len(tried)) == (taken, asked)
