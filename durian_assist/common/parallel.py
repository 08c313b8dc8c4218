"""Two things at once: OpenCV lets go of the interpreter while it works, so a second core can help."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Thread
from typing import Generic, TypeVar

T = TypeVar("T")


class Started(Generic[T]):
    """A call that runs in a thread of its own from now on. `result` waits for it, and raises what it raised.

    The interpreter waits for it at its end too: one that is torn down beneath a thread at work in OpenCV aborts.
    """

    def __init__(self, call: Callable[[], T]) -> None:
        self._call = call
        self._results: list[T] = []
        self._error: BaseException | None = None
        self._thread = Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._results.append(self._call())
        except BaseException as error:
            self._error = error

    def result(self) -> T:
        """What the call gave."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._results[0]


def side_by_side(calls: Iterable[Callable[[], T]]) -> list[T]:
    """The results of all calls, in their order, whichever ended first."""
    return [started.result() for started in [Started(call) for call in calls]]
