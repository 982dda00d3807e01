"""Long calls into compiled code that would keep Ctrl-C waiting."""

from collections.abc import Callable
from threading import Thread
from typing import TypeVar

T = TypeVar("T")

_SECONDS_BETWEEN_LOOKS = 0.1


def run_aside(work: Callable[[], T]) -> T:
    """Return what ``work`` returns; an interrupt is answered at once, even inside compiled code.

    The work is done by a thread of its own while this one waits for it. After an interrupt nobody
    does, and the thread ends with the program, or at a time limit of the work itself.
    """
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # raised where the result is waited for
            errors.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(_SECONDS_BETWEEN_LOOKS)
    if errors:
        raise errors[0]
    return results[0]
