"""Which abstraction a round needs, if something is to be learnt about it in a given time."""

import numpy as np

from liarsolve.errors import GameTooLargeError
from liarsolve.game import Abstraction, BidGraph, MaxJump, Recall, merge_states
from liarsolve.solvers.imperfect_recall.cfr import estimate_bytes
from liarsolve.solvers.imperfect_recall.layout import LEAST_DRAWN

_CANDIDATES = ((Recall(3), 90), (Recall(2), 60), (Recall(1), 60))
"""The finest first, with the iterations after which each is worth asking. At 5 v 5 ``common`` after
two minutes recall 2 loses at least 0.060 a round (393 iterations), recall 3 at least 0.052 (90),
measured with a tremble of 1e-2 shared out among the actions."""
_COARSEST = Recall(1) & MaxJump(12)
_MOST_BIDS = 36
"""Bids of a round of two players up to which the growing tree does better."""
_MOST_BIDS_OF_MANY = 30
"""The same with more players."""
_ENTRIES_PER_SECOND = 200e6
"""(edge, hand) pairs that an iteration of all players gets through in a second."""

_N_THREADS = 2


def suggest_abstraction(
    graph: BidGraph, *, max_seconds: float, max_memory: float
) -> Abstraction | None:
    """The finest abstraction that a round can be solved with in a time, or None if it needs none.

    Parameters
    ----------
    graph : BidGraph
        The compiled round.
    max_seconds : float
        Time for the solver on two processors.
    max_memory : float
        Bytes for the solver.

    Examples
    --------
    >>> from liarsolve.game import compile_graph
    >>> from liarsolve.rules import Round, presets
    >>> def suggest(dice, seconds):
    ...     graph = compile_graph(Round(presets.COMMON, dice))
    ...     return suggest_abstraction(graph, max_seconds=seconds, max_memory=8e9)
    >>> suggest((2, 2), 20), suggest((5, 5), 20), suggest((5, 5), 3600)
    (None, Recall(2), Recall(3))
    """
    most_bids = _MOST_BIDS if graph.n_players == 2 else _MOST_BIDS_OF_MANY
    if len(graph.round.bids) <= most_bids:
        return None
    for abstraction, n_iterations in _CANDIDATES:
        most_entries = min(_ENTRIES_PER_SECOND * max_seconds / n_iterations, max_memory / 8)
        try:
            tree = merge_states(graph, abstraction, max_entries=most_entries)
        except GameTooLargeError:
            continue
        if estimate_bytes(tree, np.float32, LEAST_DRAWN, _N_THREADS) <= max_memory:
            return abstraction
    return _COARSEST
