"""The garbage collector, held back."""

from __future__ import annotations

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager

# A command makes some ten thousand objects while it loads its modules: none of them is garbage.
MANY = 100_000


def collect_rarely() -> None:
    """For the whole of a short process: no search while modules are loaded, and none at the end over all they made.

    The system takes the memory back at once; two searches at the end took a sixth of the time in which a photo is read.
    """
    gc.set_threshold(MANY)
    atexit.register(gc.freeze)


@contextmanager
def without_collecting() -> Iterator[None]:
    """No search for reference cycles within: for work that makes many small things and hardly any cycle.

    What nothing refers to any more is freed all the same.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
