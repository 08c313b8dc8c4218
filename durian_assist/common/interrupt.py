"""Ctrl-C: the way out, with the exit code that shells expect of it; 1 would mean a broken rule here."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

INTERRUPTED = 130


class Stopped(SystemExit):
    """A person stopped the program."""

    def __init__(self) -> None:
        super().__init__(INTERRUPTED)


def leave_at_once() -> NoReturn:
    """End the process. Threads at work in OpenCV are not waited for: an interpreter torn down beneath them aborts."""
    sys.stderr.write("\ndurian-assist: stopped\n")
    sys.stderr.flush()
    os._exit(INTERRUPTED)
