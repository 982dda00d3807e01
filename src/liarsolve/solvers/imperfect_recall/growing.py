"""Merged states that are told apart while they are solved: what a solver takes along."""

import math

import numpy as np

from liarsolve._typing import I8, U1, Real
from liarsolve.game import PublicTree
from liarsolve.solvers.imperfect_recall.cfr import AbstractionCFR
from liarsolve.solvers.imperfect_recall.layout import split_entries
from liarsolve.solvers.imperfect_recall.solve import choose_revisit_period

FIRST_REGRET_KEPT, REGRET_KEPT = 20.0, 80.0
"""Iterations for which the regrets of before count that refined states begin with, when merged
states are told apart for the first time and later. At 2, 2 dice of ``common`` with recall 1,
refined after 63, 62 and 80 iterations, 0.0079, 0.0041, 0.0044 is lost after as many and 80 more
with 4 each time; with 20, 0.0080, 0.0044, 0.0036; with 60, 0.0090, 0.0035, 0.0032; with 200, 0.022,
0.0043, 0.0023; with 600, 0.045, 0.031, 0.022."""
FIRST_SHARE_KEPT, SHARE_KEPT = 1 / 3, 1.0
"""The same as shares of the iterations that were done, if that is less."""
AVERAGE_KEPT = 1.0
"""The same for their averages, in units of the first iteration."""


def refine_solver(
    solver: AbstractionCFR, tree: PublicTree, origin: I8, *, is_first: bool = True
) -> AbstractionCFR:
    """A solver on refined states, as `refine_states` returns them, which begins anew.

    Each state starts with the regrets and averages of the state that it comes from, made so small
    that they soon do not matter, since they belong to what was mixed up.
    """
    grown = AbstractionCFR(
        tree,
        solver.payoffs,
        solver.variant,
        dtype=solver.entries.dtype,
        n_drawn=solver.n_drawn,
        revisit_period=choose_revisit_period(tree),
        own_reach_floor=solver.own_reach_floor,
        seed=solver.seed,
        n_threads=solver.n_threads,
    )
    values, old = solver.to_state()
    _, new = grown.to_state()
    n, exponent = max(solver.iteration, 1), solver.variant.average_exponent
    average = AVERAGE_KEPT / sum(math.pow(t, exponent) for t in range(1, n + 1))
    kept = min(REGRET_KEPT, SHARE_KEPT * n)
    if is_first:
        kept = min(FIRST_REGRET_KEPT, FIRST_SHARE_KEPT * n)
    regret = kept / (n * values["regret_weight"])
    for name, share in (("cum_regret", regret), ("cum_policy", average)):
        _copy_rows(solver.tree, old[name], tree, new[name], origin, share)
    _mark_regretted(grown, new["cum_regret"], new["is_live"])
    return grown


def _copy_rows(
    old_tree: PublicTree, old: Real, tree: PublicTree, new: Real, origin: I8, share: float
) -> None:
    """Give every state a part of the entries of the one that it comes from.

    new : float[entries], modified in place
    """
    graph = tree.graph
    n_actions = np.diff(graph.action_start)[tree.node]
    old_parts, new_parts = split_entries(old_tree, old), split_entries(tree, new)
    for player in range(graph.n_players):
        own = np.flatnonzero(graph.player[tree.node] == player)
        for k in range(int(n_actions[own].max(initial=0))):
            states = own[n_actions[own] > k]
            rows = old_parts[player][old_tree.first_edge[origin[states]] + k]
            new_parts[player][tree.first_edge[states] + k] = rows * rows.dtype.type(share)


def _mark_regretted(solver: AbstractionCFR, cum_regret: Real, is_live: U1) -> None:
    """Note which actions hands of a block regret.

    is_live : uint8[blocks, edges of all players], modified in place
    """
    start = 0
    for player, part in enumerate(split_entries(solver.tree, cum_regret)):
        for block, (lo, hi) in solver.blocks(player):
            is_live[block, start : start + len(part)] = (part[:, lo:hi] > 0.0).any(axis=1)
        start += len(part)
