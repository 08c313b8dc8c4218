"""Classes of a Dash deck compared with what is seen of a card."""

from __future__ import annotations

import numpy as np
import pytest

from durian_assist.vision.dash_library import SURE, Floats, Library, as_pixels


def lettered(seed: int) -> Floats:
    """A white card with thin strokes of its own in its upper half, as letters are, and a mark below that all have."""
    card = np.full((96, 62, 3), 0.95, np.float32)
    rng = np.random.default_rng(seed)
    for x, y, length in zip(rng.integers(6, 50, 24), rng.integers(8, 40, 24), rng.integers(3, 9, 24), strict=True):
        across = bool(rng.integers(2))
        card[y : y + (2 if across else length), x : x + (length if across else 2)] = 0.2
    card[4:92, 3:5] = card[4:92, 57:59] = card[4:6, 3:59] = (0.3, 0.4, 0.6)
    return card


@pytest.mark.parametrize("off", [(2, 1), (-2, 2), (0, -2)])
def test_a_half_covered_card_whose_print_lies_off_its_cut_is_told_by_its_letters(off: tuple[int, int]) -> None:
    library = Library(("one", "two", "three"), np.stack([lettered(seed) for seed in (1, 2, 3)]))
    visible = np.zeros((96, 62), np.bool_)
    visible[:44] = True
    for number, name in enumerate(library.names):
        verdict = library.verdict(np.roll(as_pixels(library.pictures[number]), off, (0, 1)), visible)
        assert (verdict.name, verdict.confidence > SURE) == (name, True)
