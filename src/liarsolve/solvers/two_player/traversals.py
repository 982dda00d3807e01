"""What the traversal kernels take: the round, the stacks, and where a traversal starts."""

from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

from liarsolve._lanes import aligned, aligned_zeros, pad
from liarsolve._typing import F8, I8
from liarsolve.game import BidGraph, Payoffs
from liarsolve.solvers.core.halt import NEVER, Halt
from liarsolve.solvers.core.pauses import run_with_pauses
from liarsolve.solvers.two_player import _pass_kernels as pass_kernels
from liarsolve.solvers.two_player import _traversal_kernels as kernels

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


def padded_hands(n_hands: int) -> I8:
    """Hands by column of a row that is padded to whole lanes: the last one is repeated."""
    return np.minimum(np.arange(pad(n_hands)), n_hands - 1)


def padded_reach(reach: F8) -> F8:
    """Reach by column; what stands behind the last hand is never dealt."""
    return np.pad(reach, (0, pad(reach.size) - reach.size))


def make_pass_graph(graph: BidGraph, payoffs: Payoffs, traverser: int) -> pass_kernels.PassGraph:
    """The graph and what its calls pay to ``traverser``, as `cfr_pass` takes them."""
    opponent = 1 - traverser
    node = np.repeat(np.arange(graph.n_nodes), np.diff(graph.action_start))
    kind = graph.action_kind
    calls, leaves = _number_leaves(graph, node)
    own = graph.matches[traverser][:, padded_hands(graph.n_hands[traverser])]
    opp = graph.matches[opponent][:, padded_hands(graph.n_hands[opponent])]
    n_matches = int(opp.max())
    at, numbers = node[calls], np.arange(n_matches + 1)
    match_class = graph.match_class[at]
    total = own[match_class][:, None, :] + numbers[None, :, None]
    quantity = graph.quantity[at][:, None, None]
    is_challenge = (kind[calls] == 1)[:, None, None]
    is_hit = np.where(is_challenge, total >= quantity, total == quantity)
    outcome = np.where(is_challenge, is_hit, 3 - is_hit)  # exact calls: 2 is right, 3 is wrong
    caller = graph.player[at][:, None, None]
    table = payoffs.table(graph.n_players)[..., traverser]
    payoff = table[outcome, caller]
    payoff[:, 1:] -= payoff[:, :1]
    is_match = (opp[:, None, :] == numbers[None, 1:, None]).astype(np.float64)
    return pass_kernels.PassGraph(
        player=graph.player,
        action_start=graph.action_start,
        target=graph.action_target,
        leaf=leaves,
        first_match=match_class * n_matches,
        is_match=aligned(is_match.reshape(-1, opp.shape[1])),
        payoff=aligned(payoff.reshape(-1, own.shape[1])),
        least=float(table.min()),
        n_matches=n_matches,
    )


def _number_leaves(graph: BidGraph, node: I8) -> tuple[I8, I8]:
    """Calls that end the round, and which of them each action makes, int64[A].

    node : int64[A], where the action is taken
    """
    kind = graph.action_kind
    # A bid after which there is nothing to decide but to call ends the round as well.
    next_node = np.where(kind == 0, graph.action_target, node)
    is_forced = (kind == 0) & (np.diff(graph.action_start)[next_node] == 1)
    call = np.where(is_forced, graph.action_start[next_node], np.arange(kind.size))
    is_leaf = kind[call] != 0
    calls, leaf = np.unique(call[is_leaf], return_inverse=True)
    leaves = np.full(kind.size, pass_kernels.NO_LEAF)
    leaves[is_leaf] = leaf
    return calls, leaves


def make_pass_scratch(graph: BidGraph) -> pass_kernels.PassScratch:
    """Stacks of `cfr_pass`, as deep as those of `make_scratch`."""
    depth, n_rows = stack_sizes(graph)
    n_hands = pad(max(graph.n_hands))
    return pass_kernels.PassScratch(
        state=np.zeros(depth, np.int64),
        cursor=np.zeros(depth, np.int64),
        policy_start=np.zeros(depth, np.int64),
        reach_row=np.zeros(depth, np.int64),
        reach=aligned_zeros(depth, n_hands),
        mass=np.zeros(depth),
        value=aligned_zeros(depth, n_hands),
        policy=aligned_zeros(n_rows, n_hands),
        weight=np.ones(depth),
        is_live=np.zeros(n_rows, np.int64),
        action_value=aligned_zeros(n_rows, n_hands),
        action_weight=np.ones(n_rows),
        n_left=np.zeros(1, np.int64),
    )


def start_pass(scratch: pass_kernels.PassScratch, reach: F8, weight: float) -> None:
    """Set row 0 of the stacks: the opponent's padded reach at state 0, iterations it is for."""
    scratch.cursor[0] = -1
    scratch.reach[0, : reach.size] = reach
    scratch.mass[0] = reach.sum()
    scratch.weight[0] = weight


def stack_sizes(graph: BidGraph) -> tuple[int, int]:
    """Levels of every path, one for each bid, the start and a call; and actions along it."""
    depth = len(graph.round.bids) + 2
    # The node after bid b has at most the later bids and two calls.
    return depth, sum(range(depth)) + 3 * depth


def make_scratch(graph: BidGraph) -> kernels.Scratch:
    """Stacks of `evaluate`, deep enough for every path."""
    depth, n_rows = stack_sizes(graph)
    n_hands = max(graph.n_hands)
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
        mass=np.zeros(depth),
        excess=np.zeros(depth),
        is_live=np.zeros(n_rows, np.int64),
        progress=np.zeros(3, np.int64),
    )


def start_traversal(
    scratch: kernels.Scratch,
    state: int,
    node: int,
    reach: F8,
) -> None:
    """Set row 0 of the stacks: where a traversal begins, and the opponent's reach."""
    scratch.state[0], scratch.node[0] = state, node
    scratch.cursor[0], scratch.policy_start[0], scratch.reach_row[0] = -1, 0, 0
    scratch.reach[0, : reach.size] = reach
    scratch.progress[:] = 0


class Traversal(NamedTuple):
    """Whose strategies `evaluate` meets, and where."""

    graph: kernels.Graph
    tree: kernels.Tree
    own: kernels.Side
    opp: kernels.Side


def run_traversal(
    traversal: Traversal, question: kernels.Question, scratch: kernels.Scratch, halt: Halt = NEVER
) -> int:
    """Evaluate a strategy from where `start_traversal` has set it; returns the states visited.

    If ``halt`` ends it, everything that is left is treated as after ``max_visits`` states, and so
    many are returned at the least.
    """

    def evaluate(max_visits: int) -> None:
        kernels.evaluate(*traversal, question._replace(max_visits=max_visits), scratch)

    n_hands = scratch.value.shape[1]
    return run_with_pauses(evaluate, scratch.progress, n_hands, question.max_visits, halt)
