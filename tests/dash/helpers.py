"""Short constructors for tests of Durian Dash."""

from __future__ import annotations

from hypothesis import strategies as st

from durian_assist.common.readings import Readings
from durian_assist.dash.scoring import Player
from durian_assist.dash.varieties import COMMON, VARIETIES, Preference

DEFAULTS = Readings.defaults("dash")
CARDS = st.sampled_from(VARIETIES)
SHORT = {
    "s": "sultan",
    "b": "black-pearl",
    "g": "golden-phoenix",
    "r": "red-prawn",
    "m": "mao-shan-wang",
    "x": "rotten",
}


def reading(**chosen: str) -> Readings:
    """The defaults with some readings changed; underscores stand for hyphens."""
    return Readings("dash", {**DEFAULTS.chosen, **{key.replace("_", "-"): value for key, value in chosen.items()}})


def cards(letters: str) -> tuple[str, ...]:
    """`sxb?` to Sultan, Rotten, Black Pearl and an unknown card."""
    return tuple(SHORT.get(letter, letter) for letter in letters)


@st.composite
def preferences(draw: st.DrawFn) -> Preference:
    """Any preference card that the rules allow."""
    order = draw(st.permutations(COMMON))
    love, like, hate = draw(st.integers(0, 1)), draw(st.integers(0, 2)), draw(st.integers(0, 1))
    return Preference(order[0] if love else None, tuple(order[1 : 1 + like]), order[3] if hate else None)


@st.composite
def games(draw: st.DrawFn, *, last: bool = True) -> list[Player]:
    """Two to six players with collections and preferences; action numbers all different, or some not recorded."""
    number = draw(st.integers(2, 6))
    counts = st.dictionaries(CARDS, st.integers(0, 3))
    actions = draw(st.lists(st.integers(1, 50), unique=True, min_size=number, max_size=number))
    known = [last or draw(st.booleans()) for _ in range(number)]
    return [Player(f"P{n}", draw(counts), draw(preferences()), actions[n] if known[n] else None) for n in range(number)]
