"""When the work began that a time limit is about.

A command has begun, and loaded much, before it reaches a solver.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter

_began: ContextVar[float | None] = ContextVar("_began", default=None)


def work_began() -> float:
    """Time of `time.perf_counter` when the command began; now, if no command is running."""
    began = _began.get()
    return perf_counter() if began is None else began


@contextmanager
def counting_from(began: float) -> Iterator[None]:
    """Inside, limits of time count from ``began``."""
    token = _began.set(began)
    try:
        yield
    finally:
        _began.reset(token)
