"""A table of Dash cards in one photo: the first cards, the plane that they fix, and what a reading on it is worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from durian_assist.vision.beyond import goes_on
from durian_assist.vision.dark_photo import lightened
from durian_assist.vision.dash_frames import inner_frames, wholes
from durian_assist.vision.dash_laying import PLANE_SEEDS
from durian_assist.vision.dash_plane import ENOUGH_FOR_FOCAL, Floats
from durian_assist.vision.dash_search import search_quads
from durian_assist.vision.dash_seeds import CERTAIN, Seed, SeedFinder, apart, outlines
from durian_assist.vision.dash_seen import DashDeck, SeenTable, is_variety
from durian_assist.vision.dash_table import TableReader
from durian_assist.vision.deck_profile import Pixels
from durian_assist.vision.rectify import Picture


def read_table(pixels: Pixels, deck: DashDeck) -> SeenTable:
    """Every card of the table in a photo (height, width, 3)."""
    picture = Picture(lightened(pixels))
    table = _best_table(picture, deck)
    if table.thin:  # nobody can be sure that there are no more cards: where they may be is told
        table = replace(table, cards=(*table.cards, *table.maybe))
    return _ending(picture, table)


def _ending(picture: Picture, table: SeenTable) -> SeenTable:
    """The table without what is in doubt and goes on beyond a card's outline, as the stripe of a cloth does."""
    pieces = [*table.cards, *table.others]
    kept = [
        card
        for card in table.cards
        if not card.candidates
        or card.seen
        or not goes_on(picture, card.corners, [p.corners for p in pieces if p is not card])
    ]
    return replace(table, cards=tuple(kept))


def _best_table(picture: Picture, deck: DashDeck) -> SeenTable:
    """The reading that makes most sense of a photo.

    Slower ways to find the first cards are tried only where a faster one has not made sense of the table.
    """
    finder = SeedFinder(deck.everything)
    best, everything, mended = SeenTable(), list[Seed](), list[Sequence[Seed]]()
    for seeds, quads in _looks(picture, deck, finder):
        everything += seeds
        table = _read(picture, deck, finder, seeds, quads, mended)
        best = max(best, table, key=_worth)
        if best.sound:
            return best
        # In a fan no card may have an outline of its own, and beside it a preference card has one: it fixes the plane
        # as well, and better than what only looks like a variety.
        best = max(best, _read(picture, deck, finder, everything, quads, mended, others=True), key=_worth)
        if best.sound:
            return best
    return best


def _looks(picture: Picture, deck: DashDeck, finder: SeedFinder) -> Iterator[tuple[list[Seed], list[Floats]]]:
    """What may be first cards, and the outlines (4, 2) found on the way; the slower ways last."""
    quads = outlines(picture.pixels)
    yield finder.seeds(picture, quads), quads
    if parts := wholes(quads, inner_frames(deck.fine), deck.aspect):
        yield finder.seeds(picture, parts), quads
    quads = search_quads(picture, deck.seek.shapes)
    yield finder.seeds(picture, quads), quads
    yield finder.searched(picture, quads), quads
    quads = outlines(picture.pixels, thorough=True)
    yield finder.seeds(picture, quads), quads


def _worth(table: SeenTable) -> tuple[int, ...]:
    """What tells which of two readings of a photo made more sense of it, or else which has the better plane."""
    return len(table.cards) - table.doubts, len(table.cards), len(table.others), table.support


def _read(
    picture: Picture,
    deck: DashDeck,
    finder: SeedFinder,
    seeds: Sequence[Seed],
    quads: Sequence[Floats],
    mended: list[Sequence[Seed]],
    *,
    others: bool = False,
) -> SeenTable:
    """The table on the plane of the seeds that are varieties, or with `others` on that of other cards.

    `mended`: the seeds of planes that were mended before; those of this one are added.
    """
    trusted = _trusted(picture, finder, seeds, others)
    if not trusted:
        return SeenTable()
    reader = TableReader(picture, deck, finder, seeds, trusted)
    if len(trusted) < ENOUGH_FOR_FOCAL and len(better := reader.as_seeds()) > len(trusted):
        trusted = better
        reader = TableReader(picture, deck, finder, seeds, trusted)
    table = _laid(reader, quads, len(trusted), mended=False)
    # Cards that streaks of light hid from the first looks are found on the plane of a few others, and mend it.
    while not table.sound and len(trusted) < ENOUGH_FOR_FOCAL:
        better = reader.sure_seeds(table)
        if len(better) <= len(trusted) or any(len(apart([*old, *better])) == len(old) for old in mended):
            break
        mended.append(trusted := better)
        reader = TableReader(picture, deck, finder, seeds, trusted)
        table = max(table, _laid(reader, quads, len(trusted), mended=True), key=_worth)
    return table.doubted() if table.thin else table


def _laid(reader: TableReader, quads: Sequence[Floats], support: int, *, mended: bool) -> SeenTable:
    """The table as the reader sees it; `support` and `mended` as in SeenTable."""
    reader.lay()
    table = replace(reader.table(quads), support=support, mended=mended)
    if support >= ENOUGH_FOR_FOCAL and not mended:
        return table
    table = replace(table, maybe=reader.maybe(table))
    return replace(table, alone=not table.maybe and reader.alone(table))


def _trusted(picture: Picture, finder: SeedFinder, seeds: Sequence[Seed], others: bool) -> list[Seed]:
    """The best seeds of varieties, or of other cards, aligned, on which the plane may rest."""
    names = finder.bank.names
    likely = [seed for seed in seeds if is_variety(names[seed.kind]) != others]
    likely.sort(key=lambda seed: -seed.score)
    aligned = [finder.aligned(picture, seed) for seed in apart(likely)[:PLANE_SEEDS]]
    return [seed for seed in apart(aligned) if seed.score >= CERTAIN and is_variety(names[seed.kind]) != others]
