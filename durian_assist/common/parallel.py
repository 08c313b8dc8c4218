"""Two things at once: OpenCV lets go of the interpreter while it works, so a second core can help."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Thread
from typing import Generic, TypeVar

S = TypeVar("S")
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


def in_halves(call: Callable[[S], T], values: Sequence[S]) -> list[T]:
    """The results of a call for each of some values, in their order; half of them in a thread of its own."""
    middle = len(values) // 2
    rest = Started(lambda: [call(value) for value in values[middle:]])
    return [*(call(value) for value in values[:middle]), *rest.result()]


def ahead(calls: Iterable[Callable[[], T]]) -> Iterator[T]:
    """The results of calls, one after the other: the next one is at work while the caller works on a result."""
    before: Started[T] | None = None
    for call in calls:
        after = Started(call)
        if before is not None:
            yield before.result()
        before = after
    if before is not None:
        yield before.result()
