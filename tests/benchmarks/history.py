"""The history of Smuggler grids, measured: is it right, and how long does it take?

python -m tests.benchmarks.history [--tables 20000] [--grids 2000] [--climb 20]

1. Random tables (legal play, then disturbed), each decided for every starting side and compared with a second, simple
   search that plays all ways forwards; every legal order given is replayed.
2. Full grids, random and adversarial, three and four players: time to decide all starting sides. The adversarial ones
   are shuffled, coloured like a chess board, made of legal play with exchanged cards, or climbed to: a grid is changed
   step by step as long as the search has to look at more positions.
3. Full grids with one turned card: time to find every card whose turning mends them.
Times are of this process (CPU seconds), so that other work on the machine counts less.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from random import Random
from statistics import median
from time import process_time

from durian_assist.smuggler.geometry import SIDES, Side, cells_of
from durian_assist.smuggler.history import Search
from durian_assist.smuggler.play import TurnOrder
from durian_assist.smuggler.reach import longest_prefix, reach, turns
from tests.smuggler.tables import BESIDE, CELLS, disturbed, played, random_case, replays, simple_search

DEFAULT = "no-cell-left"
Owned = dict[Side, int]


def compare(tables: int) -> tuple[int, int, int, int]:
    """Decisions that were reachable, unreachable, left out as too large for the simple search, and wrong."""
    yes = no = large = wrong = 0
    for seed in range(tables):
        rng = Random(seed)
        own, seats, exemption = random_case(rng, 1, 24 if seed % 20 == 0 else 14)
        found = reach(own, seats, seats, exemption)
        side_of = {cell: side for side, cards in own.items() for cell in cells_of(cards)}
        for start in seats:
            expected = simple_search(own, seats, start, exemption, 3_000)
            if expected is None:
                large += 1
                continue
            order = found.orders.get(start)
            good = (order is not None) == expected
            if order is not None:
                good = good and replays([(cell, side_of[cell]) for cell in order], seats, start, exemption)
            yes, no, wrong = yes + (good and expected), no + (good and not expected), wrong + (not good)
    return yes, no, large, wrong


def shuffled(rng: Random, seats: tuple[Side, ...]) -> Owned:
    sides = [side for side in seats for _ in range(24 // len(seats))]
    rng.shuffle(sides)
    return owned(dict(zip(CELLS, sides, strict=True)), seats)


def chess_board(rng: Random, seats: tuple[Side, ...]) -> Owned:
    """Hardly two touching cards of one side."""
    side_of = dict(zip(CELLS, [side for side in seats for _ in range(24 // len(seats))], strict=True))

    def clashes(cell: int) -> int:
        return sum(side_of.get(other) == side_of[cell] for other in BESIDE[cell])

    for _ in range(1500):
        one, other = rng.sample(CELLS, 2)
        before = clashes(one) + clashes(other)
        side_of[one], side_of[other] = side_of[other], side_of[one]
        if clashes(one) + clashes(other) > before:
            side_of[one], side_of[other] = side_of[other], side_of[one]
    return owned(side_of, seats)


def legal(rng: Random, seats: tuple[Side, ...], exchanged: int) -> Owned:
    own = played(rng, seats, rng.choice(seats), 24, DEFAULT)
    assert own is not None
    return disturbed(rng, own, exchanged) if exchanged else own


def owned(side_of: Mapping[int, Side], seats: tuple[Side, ...]) -> Owned:
    return {side: sum(1 << cell for cell, who in side_of.items() if who == side) for side in seats}


def work(own: Owned, seats: tuple[Side, ...]) -> int:
    """Positions that the search looks at for all starting sides."""
    visited = 0
    for start in seats:
        search = Search(own, TurnOrder(seats, start), DEFAULT)
        search.legal_order(sum(own.values()))
        visited += search.visited
    return visited


def climbed(rng: Random, seats: tuple[Side, ...], steps: int = 25) -> Owned:
    """A grid that costs more and more: cards are exchanged as long as that makes more work."""
    best = legal(rng, seats, 0)
    most = work(best, seats)
    for _ in range(steps):
        changed = disturbed(rng, best, 1)
        if len({cards.bit_count() for cards in changed.values()}) > 1:
            continue
        cost = work(changed, seats)
        if cost >= most:
            best, most = changed, cost
    return best


def grids(count: int, climb: int) -> Iterator[tuple[str, tuple[Side, ...], Owned]]:
    """Full grids of every kind, for four and for three players in turn."""
    for number in range(count):
        rng = Random(number)
        seats = SIDES if number % 2 else SIDES[:3]
        kind = ("legal", "exchanged", "shuffled", "chess board")[number // 2 % 4]
        if kind == "legal":
            yield kind, seats, legal(rng, seats, 0)
        elif kind == "exchanged":
            yield kind, seats, legal(rng, seats, 3)
        else:
            yield kind, seats, (shuffled if kind == "shuffled" else chess_board)(rng, seats)
    for number in range(climb):
        seats = SIDES if number % 4 == 3 else SIDES[:3]
        yield "climbed", seats, climbed(Random(10_000 + number), seats)


def timed(count: int, climb: int) -> None:
    """Print the times of deciding, by kind and players."""
    times: dict[str, list[float]] = {}
    for kind, seats, own in grids(count, climb):
        begin = process_time()
        reach(own, seats, seats, DEFAULT)
        spent = process_time() - begin
        for key in ("all", f"{kind}, {len(seats)} players"):
            times.setdefault(key, []).append(spent)
    for key, values in times.items():
        row = f"{len(values):6} {median(values) * 1000:9.1f} {max(values) * 1000:9.1f}"
        print(f"decide {key:28} {row}  (median, worst in ms; 100 and 1000 at most)")


def repaired(count: int) -> None:
    """Print the times of finding repairs, and of the longest legal play."""
    repairs, prefixes = [], []
    for seed in range(count):
        rng = Random(seed)
        seats = SIDES[: 3 + seed % 2]
        own = legal(rng, seats, 0)
        side, to = rng.sample(seats, 2)
        cell = rng.choice(list(cells_of(own[side])))
        own = {**own, side: own[side] ^ 1 << cell, to: own[to] | 1 << cell}
        begin = process_time()
        found = list(turns(own, seats, seats, DEFAULT))
        repairs.append(process_time() - begin)
        assert (cell, to, side) in [(turn.cell, turn.side, turn.to) for turn in found]
        begin = process_time()
        longest_prefix(own, seats, seats, DEFAULT)
        prefixes.append(process_time() - begin)
    print(f"repairs {count:4} grids: median {median(repairs):.2f} s, worst {max(repairs):.2f} s (5 at most)")
    print(f"longest legal play:  median {median(prefixes):.2f} s, worst {max(prefixes):.2f} s")


def main() -> None:
    """Measure and print; exit 1 where a decision was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=20_000)
    parser.add_argument("--grids", type=int, default=2_000)
    parser.add_argument("--climb", type=int, default=20)
    parser.add_argument("--repairs", type=int, default=40)
    args = parser.parse_args()
    wrong = 0
    if args.tables:
        yes, no, large, wrong = compare(args.tables)
        print(f"{args.tables} tables: {yes} reachable and {no} unreachable decided right, {wrong} wrong", flush=True)
        print(f"({large} decisions too large for the simple search)")
    if args.grids or args.climb:
        timed(args.grids, args.climb)
    if args.repairs:
        repaired(args.repairs)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
