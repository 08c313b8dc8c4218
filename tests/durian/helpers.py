"""Rounds of Durian for tests: short constructors, and random ones that keep the rules."""

from __future__ import annotations

from hypothesis import strategies as st

from durian_assist.common.readings import Readings
from durian_assist.durian.cards import Card, FruitCard, Gorilla, transcribed_deck
from durian_assist.durian.notation import parse_card, parse_entry
from durian_assist.durian.round import Entry, GorillaTurn, Order, Round

DEFAULTS = Readings.defaults("durian")
NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus")
CARDS = sorted(transcribed_deck().elements(), key=str)
PLAIN = ("strawberry 1 | banana 2", "grapes 1 | banana 2", "grapes 1 | strawberry 2")


def reading(**chosen: str) -> Readings:
    """The defaults with some readings changed; underscores stand for hyphens."""
    return Readings("durian", {**DEFAULTS.chosen, **{key.replace("_", "-"): value for key, value in chosen.items()}})


def round_of(*orders: str, stock: tuple[str, ...] = PLAIN, **more: object) -> Round:
    """A round of as many players as there are cards in stock, started by Ann."""
    players = NAMES[: len(stock)]
    values: dict[str, object] = {"players": players, "first": "Ann", **more}
    return Round(
        inventory=tuple(parse_card(text) for text in stock),
        entries=tuple(parse_entry(text) for text in orders),
        **values,  # type: ignore[arg-type]
    )


@st.composite
def legal_rounds(draw: st.DrawFn, most_turns: int = 14) -> Round:
    """A round dealt from the deck and played by the rules with random choices; the caller is on turn."""
    players = NAMES[: draw(st.integers(2, 7))]
    cards: list[Card] = draw(st.permutations(CARDS))
    inventory, pile = cards[: len(players)], cards[len(players) :]
    open_card = pile.pop() if len(players) == 2 else None
    entries: list[Entry] = []
    free: list[int] = []
    for card in pile[: draw(st.integers(1, most_turns))]:
        if isinstance(card, FruitCard):
            entries.append(Order(card, draw(st.sampled_from((card.one, card.many)))))
            free.append(sum(isinstance(entry, Order) for entry in entries))
        else:
            target = draw(st.sampled_from(free)) if free else None
            if target is not None:
                free.remove(target)
            entries.append(GorillaTurn(card.name, target))
    first = draw(st.sampled_from(players))
    caller = players[(players.index(first) + len(entries)) % len(players)]
    return Round(players, first, tuple(inventory), open_card, tuple(entries), caller, dict.fromkeys(players, ()))


def names_of(cards: tuple[Card | None, ...]) -> set[str]:
    """Gorillas among cards."""
    return {card.name for card in cards if isinstance(card, Gorilla)}
