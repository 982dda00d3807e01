"""Best responses, and the certificate that they give to a strategy."""

import sys
from enum import Enum

import numpy as np

from liarsolve._lanes import pad
from liarsolve._typing import F8, I8, Real
from liarsolve.errors import InputError
from liarsolve.game import BidGraph, Payoffs, PublicTree, default_actions
from liarsolve.solvers.core.certificate import Certificate
from liarsolve.solvers.core.halt import NEVER, Halt
from liarsolve.solvers.two_player import _traversal_kernels as kernels
from liarsolve.solvers.two_player.traversals import (
    Traversal,
    make_graph,
    make_scratch,
    read_only,
    run_traversal,
    start_traversal,
)

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


def certify(
    tree: PublicTree,
    strategy: tuple[Real, ...],
    payoffs: Payoffs | None = None,
    *,
    defaults: tuple[I8, ...] | None = None,
    threshold: float = 0.0,
    max_visits: int | None = None,
    halt: Halt = NEVER,
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
    halt : Halt
        What ends a walk before, in the same way.

    Examples
    --------
    >>> from liarsolve import presets, solve
    >>> result = solve(presets.COMMON.replace(faces=2), dice=(1, 1)).result
    >>> certificate = certify(result.tree, result.strategy)
    >>> certificate.exploitability <= 1e-3
    True

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
                halt=halt,
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
    """Utility of player 0 when both players follow ``strategy``.

    Examples
    --------
    >>> from liarsolve import presets, solve
    >>> result = solve(presets.COMMON.replace(faces=2), dice=(1, 1)).result
    >>> abs(expected_value(result.tree, result.strategy)) <= 1e-3  # the value of this round is 0
    True
    """
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
    halt: Halt = NEVER,
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
        States to walk at the most; what is left then counts in full against the strategy. Where
        ``player`` does not play a best response, values are nan then.
    is_best_response : bool
        Whether ``player`` plays a best response from there on, or his own part of ``strategy``.
    hand_id : int, optional
        Follow ``strategy`` for this hand alone, which is quicker; other values are then not right.
    halt : Halt
        What ends the walk before; what is left then is treated as after ``max_visits``.

    Returns
    -------
    float64[H of the player]

    Examples
    --------
    >>> from liarsolve import presets, solve
    >>> result = solve(presets.COMMON.replace(faces=2), dice=(1, 1)).result
    >>> hand_values(result.tree, result.strategy, 0).shape  # of both hands of the first bidder
    (2,)
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
    start_traversal(scratch, state, int(tree.node[state]) if node is None else node, reach)
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
    walk = Traversal(
        make_graph(graph, payoffs or Payoffs()),
        kernels.Tree(
            node=read_only(tree.node),
            first_edge=read_only(tree.first_edge),
            last_visit=np.empty(0, np.int32),
            n_used=np.empty(0, np.int64),
        ),
        own,
        opp,
    )
    question = kernels.Question(
        player,
        is_best_response,
        -1 if hand_id is None else hand_id,
        threshold,
        sys.maxsize if max_visits is None else max_visits,
    )
    n_visits = run_traversal(walk, question, scratch, halt)
    if n_visits >= question.max_visits and not is_best_response:
        scratch.value[0] = np.nan  # what is left of a strategy has no value, only a bound
    return scratch.value[0, : graph.n_hands[player]].copy()
