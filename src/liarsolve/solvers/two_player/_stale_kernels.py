"""Which states of a growing tree are still in use, in the order in which walks come to them."""

from liarsolve._jit import kernel
from liarsolve._typing import I4, I8


@kernel
def list_fresh(
    player: I8,
    action_start: I8,
    node: I4,
    first_edge: I8,
    last_visit: I4,
    children_0: I4,
    children_1: I4,
    oldest: int,
    order: I4,
    rows_0: I8,
    rows_1: I8,
    n_listed: I8,
) -> None:
    """List the states that a walk has come to since iteration ``oldest``, depth first.

    A walk that comes to a state has come to all states above it.

    player, action_start : int64[G] and int64[G + 1], of the bid graph
    node, first_edge, last_visit : [S]
    children_0, children_1 : int32[E] of each player
    order : int32[S], modified in place; the states, also the stack of those to be listed
    rows_0, rows_1 : int64[E] of each player, modified in place; their edges in this order
    n_listed : int64[1 + P], modified in place; how many states and edges
    """
    n_listed[:] = 0
    # States that wait sit at the end of ``order``, the last to come out first.
    top = order.size - 1
    order[top] = 0
    while top < order.size:
        s = order[top]
        top += 1
        order[n_listed[0]] = s
        n_listed[0] += 1
        g = node[s]
        p = player[g]
        n_actions = action_start[g + 1] - action_start[g]
        for k in range(n_actions):
            rows = rows_0 if p == 0 else rows_1
            rows[n_listed[1 + p] + k] = first_edge[s] + k
        n_listed[1 + p] += n_actions
        for k in range(n_actions - 1, -1, -1):
            child = (children_0 if p == 0 else children_1)[first_edge[s] + k]
            if child >= 0 and last_visit[child] >= oldest:
                top -= 1
                order[top] = child
