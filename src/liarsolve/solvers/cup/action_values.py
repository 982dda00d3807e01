"""What the actions of a player of a cup game are worth if all go by their strategies."""

import numpy as np

from liarsolve._typing import F8
from liarsolve.game.cup.graph import CupGraph
from liarsolve.solvers.cup import _cfr_kernels as kernels

__all__ = ["action_values", "to_kernel"]


def to_kernel(graph: CupGraph) -> kernels.Graph:
    """The arrays of a graph, as kernels take them."""
    return kernels.Graph(
        graph.edge_start, graph.child, graph.prob, graph.player, graph.action, graph.level_start
    )


def action_values(graph: CupGraph, strategy: F8, player: int) -> F8:
    """Payoff of a player's actions, given what they know where they decide.

    The chances of what the player does not know are those that chance and the other players'
    strategies leave: what the player did before has no part in them.

    Parameters
    ----------
    graph : CupGraph
        The round.
    strategy : float64[A]
        Action probabilities of all players.
    player : int
        Whose actions; player 0 throws first.

    Returns
    -------
    float64[A]
        Expected payoff of that player; nan for actions of others, and where chance and the others
        never let the player get to.

    Examples
    --------
    >>> from liarsolve.game.cup.graph import build_cup_graph
    >>> from liarsolve.game.cup.memory import PERFECT_RECALL
    >>> from liarsolve.rules import CupRound, presets
    >>> table = CupRound(presets.LIAR_DIE.replace(faces=2), 2)
    >>> graph, infosets = build_cup_graph(table, [PERFECT_RECALL] * 2)
    >>> action_values(graph, np.full(infosets.first[-1], 0.5), 0).round(3).tolist()
    [0.5, -1.0, 0.5, 1.0, nan, nan]
    """
    arrays = to_kernel(graph)
    strategy = np.array(strategy, np.float64)  # what was loaded is read-only, another type to numba
    n_places, n_actions = graph.n_nodes + graph.payoff.shape[1], strategy.size
    reach, value = np.zeros(n_places), np.zeros(n_places)
    cfv = np.zeros(n_actions)
    kernels.reach_nodes(
        arrays, player, strategy, strategy, reach, np.zeros(n_places), np.zeros(n_actions)
    )
    value[graph.n_nodes :] = graph.payoff[player]
    kernels.regret_nodes(arrays, player, strategy, reach, value, cfv)
    total = np.zeros(n_actions)
    for node in np.flatnonzero(graph.player == player):
        first = graph.action[node]
        n = graph.edge_start[node + 1] - graph.edge_start[node]
        total[first : first + n] += reach[node]
    values: F8 = np.divide(cfv, total, out=np.full(n_actions, np.nan), where=total > 0.0)
    return values
