"""Which states of a growing tree are still in use, in the order in which traversals meet them."""

from typing import NamedTuple

from liarsolve._jit import kernel
from liarsolve._typing import I4, I8
from liarsolve.solvers.two_player._traversal_kernels import Tree


class Listing(NamedTuple):
    """States and edges in a new order."""

    order: I4  # int32[S]: the states, also the stack of those to be listed
    rows_0: I8  # int64[E]: edges of player 0
    rows_1: I8  # int64[E]: edges of player 1


@kernel
def list_fresh(
    player: I8,
    action_start: I8,
    tree: Tree,
    children_0: I4,
    children_1: I4,
    oldest: int,
    listing: Listing,
) -> None:
    """List the states that a traversal has come to since iteration ``oldest``, depth first.

    A traversal that comes to a state has come to all states above it.

    player, action_start : int64[G] and int64[G + 1], of the bid graph
    tree : ``n_used`` is modified in place; how many states and edges are listed
    children_0, children_1 : int32[E] of each player
    listing : as long as there are states and edges, modified in place
    """
    order, n_listed = listing.order, tree.n_used
    n_listed[:] = 0
    # States that wait sit at the end of ``order``, the last to come out first.
    top = order.size - 1
    order[top] = 0
    while top < order.size:
        s = order[top]
        top += 1
        order[n_listed[0]] = s
        n_listed[0] += 1
        g = tree.node[s]
        p = player[g]
        n_actions = action_start[g + 1] - action_start[g]
        for k in range(n_actions):
            rows = listing.rows_0 if p == 0 else listing.rows_1
            rows[n_listed[1 + p] + k] = tree.first_edge[s] + k
        n_listed[1 + p] += n_actions
        for k in range(n_actions - 1, -1, -1):
            child = (children_0 if p == 0 else children_1)[tree.first_edge[s] + k]
            if child >= 0 and tree.last_visit[child] >= oldest:
                top -= 1
                order[top] = child
