"""Whole processes measured from outside: wall time, peak memory, and ratios of two commands run in turn."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finished:
    """One finished process: wall time in seconds, peak memory in MB, exit code and standard output."""

    seconds: float
    megabytes: float
    code: int
    output: str


def finish(command: Sequence[str]) -> Finished:
    """Run a command to its end. Peak memory is that of this one child (`wait4`)."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    output = process.stdout.read().decode()
    process.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    unit = 1 if sys.platform == "darwin" else 1024  # ru_maxrss: bytes on macOS, kilobytes elsewhere
    return Finished(seconds, usage.ru_maxrss * unit / 1e6, process.returncode, output)


def ratio(command: Sequence[str], against: Sequence[str], runs: int = 9) -> tuple[float, float, float]:
    """Median seconds of both commands, run in turn after one warm-up each, and the median of their ratios."""
    finish(command), finish(against)
    pairs = [(finish(command).seconds, finish(against).seconds) for _ in range(runs)]
    ours, theirs = zip(*pairs, strict=True)
    return statistics.median(ours), statistics.median(theirs), statistics.median(a / b for a, b in pairs)
