"""Unrolling the bid graph into the public tree."""

import numpy as np

from liarsolve._jit import kernel
from liarsolve._typing import I4, I8


@kernel
def unroll(
    player: I8,
    action_start: I8,
    action_kind: I8,
    action_target: I8,
    edge_start: I8,
    node: I4,
    first_edge: I8,
    children: I4,
) -> None:
    """Number the states depth first.

    player, action_start, action_kind, action_target : the bid graph
    edge_start : int64[P + 1], where the edges of each player begin in ``children``
    node : int32[S], modified in place
    first_edge : int64[S], modified in place; counts within the player to act
    children : int32[E of all players], -1 on entry; modified in place, raises only
    """
    n_used = np.zeros(edge_start.size - 1, np.int64)
    # A path has at most one state for each node of the graph.
    path = np.empty(action_start.size, np.int64)
    cursor = np.empty(action_start.size, np.int64)
    n_states, depth = 1, 0
    path[0], cursor[0], node[0], first_edge[0] = 0, 0, 0, 0
    n_used[player[0]] = action_start[1] - action_start[0]
    while depth >= 0:
        state = path[depth]
        g = node[state]
        action = action_start[g] + cursor[depth]
        if action == action_start[g + 1]:
            depth -= 1
            continue
        cursor[depth] += 1
        if action_kind[action] == 0:
            child, target = n_states, action_target[action]
            n_states += 1
            edge = first_edge[state] + action - action_start[g]
            children[edge_start[player[g]] + edge] = child
            node[child] = target
            first_edge[child] = n_used[player[target]]
            n_used[player[target]] += action_start[target + 1] - action_start[target]
            depth += 1
            path[depth], cursor[depth] = child, 0
