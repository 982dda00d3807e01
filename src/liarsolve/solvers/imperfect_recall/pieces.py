"""Long work of kernels in pieces, between which it is seen whether it should end."""

from collections.abc import Callable

from liarsolve.solvers.core.halt import Halt

PIECE = 5_000_000
"""Numbers of rows that a kernel adds or multiplies between two looks at the clock: some hundredths
of a second."""


class HaltedError(Exception):
    """Work was ended before there was anything to return."""


def is_run(piece: Callable[[int, int], int], start: int, end: int, halt: Halt) -> bool:
    """Run a kernel from ``start`` to ``end``, unless ``halt`` ends it before; returns whether.

    piece : takes where to go on and how much to do, and returns where to go on next

    Examples
    --------
    >>> is_run(lambda start, n_work: start + 1, 0, 3, Halt()), is_run(max, 0, 3, Halt(deadline=0.0))
    (True, False)
    """
    while start != end:
        if halt():
            return False
        start = piece(start, PIECE)
    return True
