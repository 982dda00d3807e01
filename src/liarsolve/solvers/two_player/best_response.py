"""Best responses, and the certificate that they give to a strategy."""

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from liarsolve._lanes import pad
from liarsolve._typing import F8, I8, Real
from liarsolve.errors import InputError
from liarsolve.game import BidGraph, Payoffs, PublicTree, default_actions
from liarsolve.solvers.two_player import _walk_kernels as kernels
from liarsolve.solvers.two_player.walks import make_graph, make_scratch, read_only, start_walk

_ROUNDING = 1e-12
"""More than the rounding error of a best response: values are sums of at most some thousand terms
that add up to 1 in size, and each addition is off by at most 1.1e-16 of the sum."""


_VISITS_PER_STATE, _MORE_VISITS = 4, 1_000
"""Work of a certificate, as a multiple of the states of a tree and some more. Where nothing has
been learned yet, walking all replies to the default would take for ever. On 2 v 2 ``common`` and
2 v 1 ``liars_dice`` the bounds are the same with and without this limit, from iteration 6 on."""


class InitialPolicy(Enum):
    """What a player does where nothing has been learned yet."""

    LIKELIEST = "likeliest"
    """What the odds say, see `default_actions`."""
    UNIFORM = "uniform"
    """Every action equally often, as textbooks start."""


def initial_actions(graph: BidGraph, initial: InitialPolicy) -> tuple[I8, ...]:
    """Initial action of each player by node and hand, int64[G, H]; -1 is the uniform policy."""
    if initial is InitialPolicy.LIKELIEST:
        return default_actions(graph)
    uniform = tuple(np.full((graph.n_nodes, n), -1, np.int64) for n in graph.n_hands)
    for actions in uniform:
        actions.flags.writeable = False
    return uniform


@dataclass(frozen=True, slots=True)
class Certificate:
    """What exact best responses in the true game prove about a pair of strategies.

    Player 0's strategy guarantees him at least ``value_bounds[0]`` whatever player 1 does, and
    player 1's holds him to at most ``value_bounds[1]``, so the value of the game lies between.
    """

    br_values: tuple[float, ...]
    """Utility of each player's best response to the others' strategies, or a little more."""
    payoff_range: tuple[float, float] = (-math.inf, math.inf)
    """Least and most that a round can be worth to player 0."""

    @classmethod
    def of(cls, br_values: Sequence[float], payoffs: Payoffs | None) -> "Certificate":
        """Certificate of a round with these payoffs, which no bound on its value exceeds.

        Examples
        --------
        >>> Certificate.of((0.5, 1.0), Payoffs()).value_bounds  # not a little below -1
        (-1.0, 0.500000000001)
        """
        utility = (payoffs or Payoffs()).table(2)[:, :, 0]
        return cls(tuple(br_values), (float(utility.min()), float(utility.max())))

    @property
    def value_bounds(self) -> tuple[float, float]:
        """Lower and upper bound on the value of the round to player 0, safe from rounding."""
        least, most = self.payoff_range
        lower, upper = -self.br_values[1] - _ROUNDING, self.br_values[0] + _ROUNDING
        return (min(max(lower, least), most), max(min(upper, most), least))

    @property
    def nash_conv(self) -> float:
        """Sum over players of what each could still gain; the game is zero-sum."""
        return max(sum(self.br_values), 0.0)  # less than 0 only by rounding

    @property
    def exploitability(self) -> float:
        """Half of `nash_conv`: what a strategy loses on average to a perfect opponent."""
        return self.nash_conv / 2


def certify(
    tree: PublicTree,
    strategy: tuple[Real, ...],
    payoffs: Payoffs | None = None,
    *,
    defaults: tuple[I8, ...] | None = None,
    threshold: float = 0.0,
    max_visits: int | None = None,
) -> Certificate:
    """Play exact best responses against a strategy for both players.

    The responses walk the rules, not the tree: where the tree has no state they meet the default
    strategy, and what is left out by ``threshold`` counts in full against the strategy.

    Parameters
    ----------
    tree : PublicTree
        The tree on which the strategy is written.
    strategy : tuple of float[E, H]
        Action probabilities or weights of each player; a hand whose weights are all zero at a
        state plays the default there.
    payoffs : Payoffs
        What the outcomes are worth.
    defaults : tuple of int64[G, H], optional
        Action by node and hand where the strategy says nothing, -1 for the uniform policy;
        `default_actions` if not given.
    threshold : float
        Subtrees that the opponent reaches with no more than this are not walked; the responder is
        taken to win the most that can be won there.
    max_visits : int, optional
        States that a response walks at the most; what is left then counts in the same way.

    References
    ----------
    Lanctot et al. (2017), arXiv:1711.00832, for ``nash_conv``. Johanson et al. (2011),
    "Accelerating best response calculation in large extensive games", for the walk over public
    states with one vector over hands.
    """
    values = [
        float(
            tree.graph.hand_probs[player]
            @ hand_values(
                tree,
                strategy,
                player,
                payoffs,
                defaults=defaults,
                threshold=threshold,
                max_visits=max_visits,
            )
        )
        for player in range(2)
    ]
    return Certificate.of(values, payoffs)


def bound_visits(n_states: int) -> int:
    """Work of a certificate for a tree of so many states."""
    return _VISITS_PER_STATE * n_states + _MORE_VISITS


def expected_value(
    tree: PublicTree, strategy: tuple[Real, ...], payoffs: Payoffs | None = None
) -> float:
    """Utility of player 0 when both players follow ``strategy``."""
    values = hand_values(tree, strategy, 0, payoffs, is_best_response=False)
    return float(tree.graph.hand_probs[0] @ values)


def hand_values(
    tree: PublicTree,
    strategy: tuple[Real, ...],
    player: int,
    payoffs: Payoffs | None = None,
    *,
    state: int = 0,
    node: int | None = None,
    reach: F8 | None = None,
    defaults: tuple[I8, ...] | None = None,
    threshold: float = 0.0,
    max_visits: int | None = None,
    is_best_response: bool = True,
    hand_id: int | None = None,
) -> F8:
    """Value of each of ``player``'s hands against the opponent's strategy.

    Parameters
    ----------
    tree, strategy, payoffs, defaults, threshold
        As for `certify`.
    player : int
        Whose hands.
    state : int
        Public state at which the walk starts, `NO_STATE` if the tree does not have it.
    node : int, optional
        Its graph node; needed only if the tree does not have the state.
    reach : float64[H of the opponent], optional
        The opponent's reach at ``state``; the chance of his hands if not given. The values are
        counterfactual: divide by the sum of ``reach`` for an expectation.
    max_visits : int, optional
        States to walk at the most; what is left then counts in full against the strategy.
    is_best_response : bool
        Whether ``player`` plays a best response from there on, or his own part of ``strategy``.
    hand_id : int, optional
        Follow ``strategy`` for this hand alone, which is quicker; other values are then not right.

    Returns
    -------
    float64[H of the player]
    """
    graph = tree.graph
    opponent = 1 - player
    for p, n_hands in enumerate(graph.n_hands):
        expected = (tree.children[p].size, n_hands)
        if strategy[p].shape not in (expected, (expected[0], pad(n_hands))):
            raise InputError(
                f"the strategy of player {p} must be float64[E, H] = {expected}, "
                f"got shape {strategy[p].shape}"
            )
    defaults = default_actions(graph) if defaults is None else defaults
    scratch = make_scratch(graph)
    reach = graph.hand_probs[opponent] if reach is None else reach
    start_walk(scratch, state, int(tree.node[state]) if node is None else node, reach)
    own, opp = (
        kernels.Side(
            matches=graph.matches[p],
            default_action=defaults[p],
            children=read_only(tree.children[p]),
            is_live=read_only(np.empty(0, np.uint8)),
            cum_regret=read_only(strategy[p][:0]),
            prediction=read_only(strategy[p][:0]),
            cum_policy=read_only(strategy[p]),
        )
        for p in (player, opponent)
    )
    kernels.evaluate(
        make_graph(graph, payoffs or Payoffs()),
        kernels.Tree(
            node=read_only(tree.node),
            first_edge=read_only(tree.first_edge),
            last_visit=np.empty(0, np.int32),
            n_used=np.empty(0, np.int64),
        ),
        own,
        opp,
        player,
        is_best_response,
        -1 if hand_id is None else hand_id,
        threshold,
        sys.maxsize if max_visits is None else max_visits,
        scratch,
    )
    return scratch.value[0, : graph.n_hands[player]].copy()
