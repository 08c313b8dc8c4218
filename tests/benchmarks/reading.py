"""How well photos are read, against their truth files, and how long and how much memory that takes.

    python -m tests.benchmarks.reading [FOLDER...] [--deck GAME=DECK] [--only TEXT]

Without FOLDER: `sample_images`. A card is right, uncertain (and then nothing is claimed), or silently wrong: the fault
that must not happen. Time is that of the whole process against one that only decodes the photo with cv2.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from durian_assist.resources import shipped
from tests.benchmarks.process import Finished, finish
from tests.truth import Judged, judge

DECKS = {"smuggler": "harbour-smuggler", "durian": "harbour-durian", "dash": "harbour-dash"}


@dataclass(slots=True)
class Row:
    """What was measured of one kind of photo."""

    judged: list[Judged] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    refused: int = 0

    def add(self, truth: dict[str, Any], photo: Path, deck: str) -> None:
        """Read one photo in a process of its own and judge it."""
        run = read(truth["game"], photo, deck)
        decode = finish([sys.executable, "-c", "import sys, cv2; cv2.imread(sys.argv[1])", str(photo)])
        self.times.append(run.seconds / decode.seconds)
        self.memory.append(run.megabytes)
        if run.code in (0, 4):
            self.judged.append(judge(truth, json.loads(run.output)))
        else:
            self.refused += 1

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        sums = sum((Counter(j.as_dict()) for j in self.judged), Counter[str]())
        cards = max(sums["cards"], 1)
        return (
            str(len(self.times)),
            str(sum(j.cards == j.right and not j.uncertain for j in self.judged)),
            str(self.refused),
            str(sums["cards"]),
            f"{100 * sums['right'] / cards:.2f}",
            f"{100 * sums['uncertain'] / cards:.2f}",
            str(sums["silent"]),
            f"{statistics.median(self.times):.2f}",
            f"{max(self.memory):.0f}",
        )


def read(game: str, photo: Path, deck: str) -> Finished:
    """`read GAME PHOTO --deck DECK --json` as a process."""
    command = [sys.executable, "-m", "durian_assist", "read", game, str(photo), "--deck", deck, "--json"]
    return finish(command)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--deck", action="append", default=[], metavar="GAME=DECK")
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    decks = DECKS | dict(pair.split("=", 1) for pair in args.deck)
    rows: dict[str, Row] = {}
    for path in sorted(p for folder in args.folders or [shipped("sample_images")] for p in folder.glob("*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        if truth["kind"] != "calibration" and args.only in path.name and truth["game"] in decks:
            photo = path.with_name(truth["image"])
            rows.setdefault(truth["kind"], Row()).add(truth, photo, decks[truth["game"]])
    head = ("photos", "all right", "refused", "cards", "right %", "uncertain %", "silent", "x decode", "peak MB")
    print(f"{'kind':18}" + "".join(f"{name:>13}" for name in head))
    for kind, row in rows.items():
        print(f"{kind:18}" + "".join(f"{cell:>13}" for cell in row.cells()))


if __name__ == "__main__":
    main()
