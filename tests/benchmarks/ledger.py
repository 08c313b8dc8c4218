"""The session book under kills, many writers and many rounds.

python -m tests.benchmarks.ledger [kills|writers|show|replay|exchange]...
"""

from __future__ import annotations

import json
import random
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from fractions import Fraction
from pathlib import Path

from durian_assist.common.readings import Readings
from durian_assist.errors import InputError
from durian_assist.ledger.book import Book
from durian_assist.ledger.exchange import export_json, import_into, parse_export
from durian_assist.ledger.rounds import Brought, RoundResult, Setup
from tests.benchmarks.process import finish

PLAYERS = ("Ann", "Bo", "Cy")
SESSION = "Friday"
BROUGHT = Brought(None, "typed in")
# Adds, each told on standard output as soon as it is in the book.
WORKER = """
import sys
from durian_assist.cli.main import app
book, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for number in range(first, first + count):
    points = [f"--points={name}={number}" for name in ("Ann", "Bo", "Cy")]
    code = app(["session", "add", "Friday", *points, "--db", book, "--json"], standalone_mode=False)
    if code:
        sys.exit(code)
    print(f"acknowledged {number}", flush=True)
"""


def opened(path: Path) -> Book:
    """A book with one competitive session of three."""
    book = Book(path)
    book.new(Setup(SESSION, "smuggler", PLAYERS, Readings.defaults("smuggler"), "competitive"))
    return book


def result(number: int) -> RoundResult:
    """A round in which everybody gets `number` points."""
    return RoundResult({name: Fraction(number) for name in PLAYERS}, "competitive")


def numbers(book: Book) -> list[int]:
    """The points of each round, after checking that it is whole: the same for everybody."""
    rounds = []
    for row in book.glance(SESSION).rows:
        points = json.loads(row)["points"]
        assert set(points) == set(PLAYERS), f"half a round: {row}"
        assert len(set(points.values())) == 1, f"half a round: {row}"
        rounds.append(int(points["Ann"]))
    return rounds


def sound(book: Book) -> None:
    """Raises AssertionError where SQLite or the log finds the book unsound."""
    with closing(sqlite3.connect(book.store.path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert book.check() == []


def worker(path: Path, first: int, count: int) -> subprocess.Popen[str]:
    """A process that adds rounds `first` ... through the command line's own entry."""
    command = [sys.executable, "-c", WORKER, str(path), str(first), str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def acknowledged(output: str) -> list[int]:
    """The rounds that a worker said are saved; a line cut off by the kill does not count."""
    lines = [line for line in output.split("\n")[:-1] if line.startswith("acknowledged ")]
    return [int(line.split()[1]) for line in lines]


def kills(times: int, folder: Path) -> str:
    """Kill -9 a process that adds rounds, at a random moment, again and again."""
    book, rng, promised = opened(folder / "kills.sqlite"), random.Random(7), set[int]()
    for attempt in range(times):
        process = worker(folder / "kills.sqlite", attempt * 10 + 1, 10)
        assert process.stdout is not None
        first = process.stdout.readline() if attempt % 2 else ""
        time.sleep(rng.uniform(0, 0.25 if attempt % 2 else 0.6))
        process.send_signal(signal.SIGKILL)
        output = first + process.communicate()[0]
        promised.update(acknowledged(output))
        there = numbers(book)
        assert promised <= set(there), f"lost: {sorted(promised - set(there))}"
        assert len(there) == len(set(there)), "a round is there twice"
        sound(book)
    return f"{times} kills, {len(promised)} rounds acknowledged, all there; {len(numbers(book))} rounds, all whole"


def writers(processes: int, each: int, folder: Path) -> str:
    """Many processes add rounds at once."""
    book = opened(folder / "writers.sqlite")
    start = time.perf_counter()
    running = [worker(folder / "writers.sqlite", n * each + 1, each) for n in range(processes)]
    outputs = [process.communicate() for process in running]
    seconds = time.perf_counter() - start
    for process, (_, errors) in zip(running, outputs, strict=True):
        assert process.returncode == 0, errors
    assert sorted(numbers(book)) == list(range(1, processes * each + 1))
    sound(book)
    return f"{processes} x {each}: {len(numbers(book))} rounds, none lost, none double, {seconds:.1f} s"


def long_session(path: Path, rounds: int, record: str | None = None) -> Book:
    """A book with a session of many rounds, imported at once."""
    book = opened(path)
    book.add(SESSION, Brought(record, "table.toml"), result(1))
    book.add(SESSION, Brought(record, "table.toml"), result(2))
    document = json.loads(export_json(book.sessions()))
    entries = document["sessions"][0]["entries"]
    pattern = entries.pop()
    for number in range(2, rounds + 1):
        points = {name: str((number * 7 + len(name)) % 13 - 3) for name in PLAYERS}
        entries.append(
            {**pattern, "seq": number + 1, "round": number, "result": {"points": points, "mode": "competitive"}}
        )
    path.unlink()
    import_into(book, parse_export(json.dumps(document), "long"))
    return book


def show(few: int, many: int, folder: Path, runs: int = 15) -> str:
    """`session show` as a whole process, long session against short."""
    record = "x" * 1500
    short, long = folder / "short.sqlite", folder / "long.sqlite"
    long_session(short, few, record), long_session(long, many, record)
    lines = []
    for extra in ([], ["--json"], ["--all"]):
        command = [sys.executable, "-m", "durian_assist", "session", "show", SESSION, *extra, "--db"]
        pairs = [(finish([*command, str(long)]).seconds, finish([*command, str(short)]).seconds) for _ in range(runs)]
        slow, fast = (statistics.median(column) for column in zip(*pairs, strict=True))
        times = statistics.median(a / b for a, b in pairs)
        lines.append(f"show {' '.join(extra):6} {many} rounds {slow:.3f} s, {few} rounds {fast:.3f} s: {times:.2f} x")
    start = time.perf_counter()
    Book(long).add(SESSION, BROUGHT, result(1))
    lines.append(f"one more round on {many} ({long.stat().st_size / 1e6:.1f} MB): {time.perf_counter() - start:.3f} s")
    return "\n  ".join(lines)


def change_at_random(book: Book, rng: random.Random) -> None:
    """One random change; one that cannot be made is refused and changes nothing."""
    rounds = book.glance(SESSION, 1).rounds
    changes: Sequence[Callable[[], object]] = (
        lambda: book.add(SESSION, BROUGHT, result(rng.randint(-9, 20))),
        lambda: book.amend(SESSION, rng.randint(1, rounds + 1), BROUGHT, result(rng.randint(-9, 20))),
        lambda: book.undo(SESSION),
        lambda: book.redo(SESSION),
        lambda: book.note(SESSION, "note", rng.choice([None, 1, rounds or 1])),
    )
    try:
        rng.choices(changes, (5, 3, 4, 3, 1))[0]()
    except InputError as error:
        if "there is no" not in error.what and "nothing to" not in error.what:
            raise


def replay(sequences: int, length: int, folder: Path) -> str:
    """Random changes; after each sequence the stored totals must follow from the log."""
    for seed in range(sequences):
        path = folder / f"replay{seed}.sqlite"
        book, rng = opened(path), random.Random(seed)
        for _ in range(length):
            change_at_random(book, rng)
        sound(book)
        path.unlink()
    return f"{sequences} sequences of {length} random changes: stored totals = replayed log"


def exchange(rounds: int, folder: Path) -> str:
    """Export, import into an empty book, export."""
    book, rng = long_session(folder / "from.sqlite", rounds), random.Random(1)
    for _ in range(20):
        change_at_random(book, rng)
    text = export_json(book.sessions())
    other = Book(folder / "to.sqlite")
    import_into(other, parse_export(text, "export"))
    assert export_json(other.sessions()) == text
    sound(other)
    return f"{rounds} rounds, {len(text) / 1e6:.1f} MB: identical after import into an empty book"


def main(wanted: Sequence[str]) -> None:
    """Run the parts named, or all."""
    parts: dict[str, Callable[[Path], str]] = {
        "kills": lambda folder: kills(300, folder),
        "writers": lambda folder: writers(8, 50, folder),
        "show": lambda folder: show(20, 2000, folder),
        "replay": lambda folder: replay(40, 60, folder),
        "exchange": lambda folder: exchange(2000, folder),
    }
    for name in wanted or parts:
        with tempfile.TemporaryDirectory() as folder:
            print(f"{name}: {parts[name](Path(folder))}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
