"""What the walk kernels take: the round, the stacks, and where a walk starts."""

from typing import Any, TypeVar, cast

import numpy as np

from liarsolve._typing import F8
from liarsolve.game import BidGraph, Payoffs
from liarsolve.solvers.two_player import _walk_kernels as kernels

Array = TypeVar("Array", bound=np.ndarray[Any, Any])


def read_only(array: Array) -> Array:
    """View of an array, or of a memory map, in the one form for which the kernel is compiled."""
    view = np.ascontiguousarray(array).view(np.ndarray)
    view.flags.writeable = False
    return cast("Array", view)


def make_graph(graph: BidGraph, payoffs: Payoffs) -> kernels.Graph:
    """Arrays of the graph, as the kernels take them."""
    payoff = payoffs.table(graph.n_players)
    return kernels.Graph(
        player=graph.player,
        quantity=graph.quantity,
        match_class=graph.match_class,
        action_start=graph.action_start,
        action_kind=graph.action_kind,
        action_target=graph.action_target,
        payoff=payoff,
        most=payoff.max(axis=(0, 1)),
        least=payoff.min(axis=(0, 1)),
        n_dice=np.array(graph.round.dice),
    )


def make_scratch(graph: BidGraph) -> kernels.Scratch:
    """Stacks deep enough for every path: one level for each bid, the start and a call."""
    depth = len(graph.round.bids) + 2
    n_hands = max(graph.n_hands)
    # Actions on a path: the node after bid b has at most the later bids and two calls.
    n_rows = sum(range(depth)) + 3 * depth
    return kernels.Scratch(
        state=np.zeros(depth, np.int64),
        node=np.zeros(depth, np.int64),
        cursor=np.zeros(depth, np.int64),
        policy_start=np.zeros(depth, np.int64),
        reach_row=np.zeros(depth, np.int64),
        reach=np.zeros((depth, n_hands)),
        value=np.zeros((depth, n_hands)),
        policy=np.zeros((n_rows, n_hands)),
        match_sum=np.zeros(graph.round.total_dice + 2),
        weight=np.ones(depth),
        is_live=np.zeros(n_rows, np.int64),
        action_value=np.zeros((n_rows, n_hands)),
        action_weight=np.ones(n_rows),
    )


def start_walk(
    scratch: kernels.Scratch,
    state: int,
    node: int,
    reach: F8,
    weight: float = 1.0,
) -> None:
    """Set row 0 of the stacks: where a walk begins, the opponent's reach, iterations it is for."""
    scratch.state[0], scratch.node[0] = state, node
    scratch.cursor[0], scratch.policy_start[0], scratch.reach_row[0] = -1, 0, 0
    scratch.reach[0, : reach.size] = reach
    scratch.weight[0] = weight
