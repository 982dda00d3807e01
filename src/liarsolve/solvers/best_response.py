"""Best responses, and the certificate that they give to a strategy."""

from dataclasses import dataclass

import numpy as np

from liarsolve._typing import F8
from liarsolve.errors import InputError
from liarsolve.game import Payoffs, PublicTree
from liarsolve.game.graph import BidGraph
from liarsolve.solvers import _walk_kernels as kernels


@dataclass(frozen=True, slots=True)
class Certificate:
    """What exact best responses in the true game prove about a pair of strategies.

    Player 0's strategy guarantees him at least ``value_bounds[0]`` whatever player 1 does, and
    player 1's holds him to at most ``value_bounds[1]``, so the value of the game lies between.
    """

    br_values: tuple[float, ...]
    """Utility of each player's best response to the others' strategies."""

    @property
    def value_bounds(self) -> tuple[float, float]:
        """Lower and upper bound on the value of the round to player 0."""
        return (-self.br_values[1], self.br_values[0])

    @property
    def nash_conv(self) -> float:
        """Sum over players of what each could still gain; the game is zero-sum."""
        return sum(self.br_values)

    @property
    def exploitability(self) -> float:
        """Half of `nash_conv`: what a strategy loses on average to a perfect opponent."""
        return self.nash_conv / 2


def certify(
    tree: PublicTree, strategy: tuple[F8, ...], payoffs: Payoffs | None = None
) -> Certificate:
    """Play exact best responses against a strategy for both players.

    Parameters
    ----------
    tree : PublicTree
        The complete tree of a two-player round.
    strategy : tuple of float64[E, H]
        Action probabilities or weights of each player; a hand whose weights are all zero at a
        state plays uniformly.
    payoffs : Payoffs
        What the outcomes are worth.

    References
    ----------
    Lanctot et al. (2017), arXiv:1711.00832, for ``nash_conv``. Johanson et al. (2011),
    "Accelerating best response calculation in large extensive games", for the walk over public
    states with one vector over hands.
    """
    values = [
        float(tree.graph.hand_probs[player] @ hand_values(tree, strategy, player, payoffs))
        for player in range(2)
    ]
    return Certificate(tuple(values))


def expected_value(
    tree: PublicTree, strategy: tuple[F8, ...], payoffs: Payoffs | None = None
) -> float:
    """Utility of player 0 when both players follow ``strategy``."""
    values = hand_values(tree, strategy, 0, payoffs, is_best_response=False)
    return float(tree.graph.hand_probs[0] @ values)


def hand_values(
    tree: PublicTree,
    strategy: tuple[F8, ...],
    player: int,
    payoffs: Payoffs | None = None,
    *,
    state: int = 0,
    reach: F8 | None = None,
    is_best_response: bool = True,
) -> F8:
    """Value of each of ``player``'s hands against the opponent's strategy.

    Parameters
    ----------
    state : int
        Public state at which the walk starts.
    reach : float64[H of the opponent], optional
        The opponent's reach at ``state``; the chance of his hands if not given. The values are
        counterfactual: divide by the sum of ``reach`` for an expectation.
    is_best_response : bool
        Whether ``player`` plays a best response from there on, or his own part of ``strategy``.

    Returns
    -------
    float64[H of the player]
    """
    graph = tree.graph
    opponent = 1 - player
    for p, n_hands in enumerate(graph.n_hands):
        expected = (tree.children[p].size, n_hands)
        if strategy[p].shape != expected:
            raise InputError(
                f"the strategy of player {p} must be float64[E, H] = {expected}, "
                f"got shape {strategy[p].shape}"
            )
    scratch = make_scratch(graph)
    scratch.state[0] = state
    start = graph.hand_probs[opponent] if reach is None else reach
    scratch.reach[0, : start.size] = start
    own, opp = (
        kernels.Side(
            children=tree.children[p],
            matches=graph.matches[p],
            cum_regret=_NOTHING,
            prediction=_NOTHING,
            cum_policy=_writeable(strategy[p]),
        )
        for p in (player, opponent)
    )
    kernels.evaluate(
        make_graph(tree, payoffs or Payoffs()), own, opp, player, is_best_response, scratch
    )
    return scratch.value[0, : graph.n_hands[player]].copy()


_NOTHING = np.zeros((0, 0))


def _writeable(array: F8) -> F8:
    """Copy only what the kernels' one signature cannot take."""
    array = np.ascontiguousarray(array, np.float64)
    return array if array.flags.writeable else array.copy()


def make_graph(tree: PublicTree, payoffs: Payoffs) -> kernels.Graph:
    """Arrays of the graph and the tree, as the kernels take them."""
    graph = tree.graph
    return kernels.Graph(
        player=graph.player,
        quantity=graph.quantity,
        match_class=graph.match_class,
        action_start=graph.action_start,
        action_kind=graph.action_kind,
        payoff=payoffs.table(graph.n_players),
        node=tree.node,
        first_edge=tree.first_edge,
    )


def make_scratch(graph: BidGraph) -> kernels.Scratch:
    """Stacks deep enough for every path: one level for each bid, the start and a call."""
    depth = len(graph.round.bids) + 2
    n_hands = max(graph.n_hands)
    # Actions on a path: the node after bid b has at most the later bids and two calls.
    n_rows = sum(range(depth)) + 3 * depth
    return kernels.Scratch(
        state=np.zeros(depth, np.int64),
        cursor=np.zeros(depth, np.int64),
        policy_start=np.zeros(depth, np.int64),
        reach_row=np.zeros(depth, np.int64),
        reach=np.zeros((depth, n_hands)),
        value=np.zeros((depth, n_hands)),
        policy=np.zeros((n_rows, n_hands)),
        match_sum=np.zeros(graph.round.total_dice + 2),
    )
