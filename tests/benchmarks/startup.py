"""How long commands without a photo take, as ratios to an import, measured in one run.

python -m tests.benchmarks.startup
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.benchmarks.process import ratio

PYTHON = sys.executable
SMUGGLER = '''game = "smuggler"
grid = """
red6v   blue-<   green-^  red-<    plum4>
blue8<  red-^    red?v    blue->   green-^
red-^   green4v  ##       plum->   red-<
plum-v  red-<    blue-^   green-v  blue->
green-> plum-v   red-<    blue-^   plum-v
"""
'''
DURIAN = """game = "durian"
players = ["Ann", "Bo", "Cy"]
first = "Ann"
inventory = ["strawberry 1 | banana 3", "gorilla hannah", "grapes 2 | durian 1"]
orders = ["banana 3 | strawberry 1", "grapes 2 | banana 1"]
caller = "Cy"
"""
DASH = """game = "dash"
[[players]]
name = "Hasan"
collection = { red-prawn = 2, mao-shan-wang = 2, black-pearl = 3, golden-phoenix = 2, rotten = 2 }
love = ["red-prawn"]
hate = ["golden-phoenix"]
"""
ROWS = (
    ("--help", ["--help"], None, "click", 1.6),
    ("smuggler score RECORD", ["smuggler", "score"], SMUGGLER.replace("red?v", "red-v"), "click", 2.5),
    ("smuggler check RECORD", ["smuggler", "check"], SMUGGLER, "numpy", 2.5),
    ("durian call RECORD", ["durian", "call"], DURIAN, "click", 2.5),
    ("dash score RECORD", ["dash", "score"], DASH, "click", 2.5),
)


def main() -> None:
    """Print the table."""
    print(f"{'command':24} {'ours s':>8} {'import s':>9} {'ratio':>6}  at most")
    with tempfile.TemporaryDirectory() as folder:
        for name, args, record, module, most in ROWS:
            path = Path(folder) / "table.toml"
            path.write_text(record or "", encoding="utf-8")
            command = [PYTHON, "-m", "durian_assist", *args, *([str(path)] if record else [])]
            ours, theirs, times = ratio(command, [PYTHON, "-c", f"import {module}"])
            print(f"{name:24} {ours:8.3f} {theirs:9.3f} {times:6.2f}  {most} x import {module}")


if __name__ == "__main__":
    main()
