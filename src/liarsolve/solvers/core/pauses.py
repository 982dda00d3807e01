"""Traversals that pause now and then, so that they can be ended."""

from collections.abc import Callable

from liarsolve._typing import I8
from liarsolve.solvers.core.halt import Halt, pause_after


def run_with_pauses(
    evaluate: Callable[[int], None], progress: I8, n_hands: int, max_visits: int, halt: Halt
) -> int:
    """Evaluate strategies to the end; returns the states visited.

    If ``halt`` ends it, everything that is left is treated as after ``max_visits`` states, and so
    many are returned at the least.

    Parameters
    ----------
    evaluate : callable
        Goes on with the traversal until it pauses or is done; it is told how many states may be
        visited.
    progress : int64[3]
        Depth at which the traversal stands, negative when it is done; states visited; and where to
        pause, which is set here.
    n_hands : int
        Hands of a row, on which the time between pauses depends.
    max_visits : int
        States to be visited at the most.
    halt : Halt
        Asked before the first piece and after each one.
    """
    piece = pause_after(n_hands)
    is_ended = halt()
    while True:
        progress[2] = progress[1] + piece
        evaluate(0 if is_ended else max_visits)
        n_visits = int(progress[1])
        if progress[0] < 0:
            return max(n_visits, max_visits) if is_ended else n_visits
        is_ended = is_ended or halt()
