"""The loop that lets traversals pause, and ends them when it is told to."""

import numpy as np
import pytest

from liarsolve.solvers.core.halt import NEVER
from liarsolve.solvers.core.pauses import run_with_pauses

N_STATES = 10_000_000


class Traversal:
    """Visits states until it pauses, has visited all, or may visit no more."""

    def __init__(self):
        self.progress = np.zeros(3, np.int64)
        self.asked = []

    def __call__(self, max_visits):
        self.asked.append(max_visits)
        visits = min(self.progress[2], N_STATES, max(max_visits, self.progress[1]))
        self.progress[1] = visits
        if visits == N_STATES or visits >= max_visits:
            self.progress[0] = -1


def test_it_goes_on_after_each_pause_until_all_is_visited():
    traversal = Traversal()
    assert run_with_pauses(traversal, traversal.progress, 1000, 2 * N_STATES, NEVER) == N_STATES
    assert len(traversal.asked) > 1
    assert set(traversal.asked) == {2 * N_STATES}


@pytest.mark.parametrize("n_pieces", [0, 1])
def test_when_it_is_ended_no_more_may_be_visited_and_it_says_so(n_pieces):
    traversal = Traversal()

    def halt():
        return len(traversal.asked) >= n_pieces

    assert run_with_pauses(traversal, traversal.progress, 1000, 2 * N_STATES, halt) == 2 * N_STATES
    assert traversal.asked == [2 * N_STATES] * n_pieces + [0]
    assert traversal.progress[1] < N_STATES
