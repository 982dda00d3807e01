"""Best responses, and the certificate that they give to a strategy."""

import sys
from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

import numpy as np

from liarsolve._lanes import pad
from liarsolve._typing import F8, I8
from liarsolve.errors import InputError
from liarsolve.game import BidGraph, Payoffs, Start, StrategyProfile, default_actions
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
been learned yet, traversing all replies to the default would take for ever. On 2 v 2 ``common`` and
2 v 1 ``liars_dice`` the bounds are the same with and without this limit, from iteration 6 on."""


FIRST_BID = Start()
"""Where a round begins."""


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
    profile: StrategyProfile,
    *,
    threshold: float = 0.0,
    max_visits: int | None = None,
    halt: Halt = NEVER,
) -> Certificate:
    """Play exact best responses against the strategies of two players.

    The responses traverse the rules, not the tree: where the tree has no state they meet the
    default strategy, and what is left out by ``threshold`` counts in full against the strategies.
    The lower ends are what the responses are worth if it pays them the least that it can.

    Parameters
    ----------
    profile : StrategyProfile
        The strategies; where they say nothing, players act by its ``defaults``.
    threshold : float
        Subtrees that the opponent reaches with no more than this are left out; the responder is
        taken to win the most that can be won there.
    max_visits : int, optional
        States that a response visits at the most; what is left then counts in the same way.
    halt : Halt
        What ends a traversal before, in the same way.

    Examples
    --------
    >>> from liarsolve import presets, solve
    >>> result = solve(presets.COMMON.replace(faces=2), dice=(1, 1)).result
    >>> certificate = certify(result.profile)
    >>> certificate.exploitability <= 1e-3
    True
    >>> lo, hi = certificate.exploitability_bounds
    >>> lo == hi == certificate.exploitability  # nothing was left out
    True

    References
    ----------
    Lanctot et al. (2017), arXiv:1711.00832, for ``nash_conv``. Johanson et al. (2011),
    "Accelerating best response calculation in large extensive games", for the traversal of public
    states with one vector over hands.
    """
    return certificate_of(
        [
            bound_hands(profile, player, threshold=threshold, max_visits=max_visits, halt=halt)
            for player in range(2)
        ],
        profile.tree.graph,
        profile.payoffs,
    )


class HandBounds(NamedTuple):
    """What a best response is worth with each hand, where some of it was left out."""

    most: F8
    """Counterfactual value that no plan exceeds, float64[H]."""
    excess: float
    """The values are less by no more than this, whatever the hand."""


def certificate_of(
    found: Sequence[HandBounds], graph: BidGraph, payoffs: Payoffs | None
) -> Certificate:
    """What bounds of both players' best responses say about their strategies."""
    most = [
        float(probs @ bounds.most) for probs, bounds in zip(graph.hand_probs, found, strict=True)
    ]
    worst = (payoffs or Payoffs()).table(2).min(axis=(0, 1))
    least = [
        max(value - bounds.excess, min(float(worst[player]), value))
        for player, (value, bounds) in enumerate(zip(most, found, strict=True))
    ]
    return Certificate.of(most, payoffs, least)


def bound_visits(n_states: int) -> int:
    """Work of a certificate for a tree of so many states."""
    return _VISITS_PER_STATE * n_states + _MORE_VISITS


def expected_value(profile: StrategyProfile) -> float:
    """Utility of player 0 when both players follow their strategies.

    Examples
    --------
    >>> from liarsolve import presets, solve
    >>> result = solve(presets.COMMON.replace(faces=2), dice=(1, 1)).result
    >>> abs(expected_value(result.profile)) <= 1e-3  # the value of this round is 0
    True
    """
    values = hand_values(profile, 0, is_best_response=False)
    return float(profile.tree.graph.hand_probs[0] @ values)


def hand_values(
    profile: StrategyProfile,
    player: int,
    start: Start = FIRST_BID,
    *,
    threshold: float = 0.0,
    max_visits: int | None = None,
    is_best_response: bool = True,
    hand_id: int | None = None,
    halt: Halt = NEVER,
) -> F8:
    """Value of each of ``player``'s hands against the opponent's strategy.

    Parameters
    ----------
    profile, threshold
        As for `certify`.
    player : int
        Whose hands.
    start : Start
        Where the traversal starts. The values are counterfactual: divide by the sum of the
        opponent's reach for an expectation.
    max_visits : int, optional
        States to visit at the most; what is left then counts in full against the strategy. Where
        ``player`` does not play a best response, values are nan then.
    is_best_response : bool
        Whether ``player`` plays a best response from there on, or their own strategy.
    hand_id : int, optional
        Follow the strategy for this hand alone, which is quicker; other values are then not right.
    halt : Halt
        What ends the traversal before; what is left then is treated as after ``max_visits``.

    Returns
    -------
    float64[H of the player]

    Examples
    --------
    >>> from liarsolve import presets, solve
    >>> result = solve(presets.COMMON.replace(faces=2), dice=(1, 1)).result
    >>> hand_values(result.profile, 0).shape  # of both hands of the first bidder
    (2,)
    """
    question = kernels.Question(
        player,
        is_best_response,
        -1 if hand_id is None else hand_id,
        threshold,
        sys.maxsize if max_visits is None else max_visits,
    )
    bounds, n_visits = _traverse(profile, question, start, halt)
    if n_visits >= question.max_visits and not is_best_response:
        bounds.most[:] = np.nan  # what is left of a strategy has no value, only a bound
    return bounds.most


def bound_hands(
    profile: StrategyProfile,
    player: int,
    start: Start = FIRST_BID,
    *,
    threshold: float = 0.0,
    max_visits: int | None = None,
    halt: Halt = NEVER,
) -> HandBounds:
    """Bound the value of each of ``player``'s hands in a best response, see `hand_values`.

    Examples
    --------
    >>> from liarsolve import presets, solve
    >>> result = solve(presets.COMMON.replace(faces=2), dice=(1, 1)).result
    >>> bound_hands(result.profile, 0).excess  # nothing was left out
    0.0
    >>> bound_hands(result.profile, 0, max_visits=1).excess > 0
    True
    """
    question = kernels.Question(
        player, True, -1, threshold, sys.maxsize if max_visits is None else max_visits
    )
    return _traverse(profile, question, start, halt)[0]


def _traverse(
    profile: StrategyProfile, question: kernels.Question, start: Start, halt: Halt
) -> tuple[HandBounds, int]:
    """What a traversal finds out, and the states that it visited."""
    tree, graph, player = profile.tree, profile.tree.graph, question.traverser
    _check_shapes(profile)
    scratch = make_scratch(graph)
    reach = (graph.hand_probs if start.reach is None else start.reach)[1 - player]
    node = int(tree.node[start.state]) if start.node is None else start.node
    start_traversal(scratch, start.state, node, reach)
    n_visits = run_traversal(_traversal_of(profile, player), question, scratch, halt)
    values = scratch.value[0, : graph.n_hands[player]].copy()
    return HandBounds(values, float(scratch.excess[0])), n_visits


def _check_shapes(profile: StrategyProfile) -> None:
    tree, strategy = profile.tree, profile.weights
    for p, n_hands in enumerate(tree.graph.n_hands):
        expected = (tree.children[p].size, n_hands)
        if strategy[p].shape not in (expected, (expected[0], pad(n_hands))):
            raise InputError(
                f"the strategy of player {p} must be float64[E, H] = {expected}, "
                f"got shape {strategy[p].shape}"
            )


def _traversal_of(profile: StrategyProfile, player: int) -> Traversal:
    """The strategies as the kernels take them, for the hands of ``player``."""
    tree, strategy, graph = profile.tree, profile.weights, profile.tree.graph
    own, opp = (
        kernels.Side(
            matches=graph.matches[p],
            default_action=profile.defaults[p],
            children=read_only(tree.children[p]),
            is_live=read_only(np.empty(0, np.uint8)),
            cum_regret=read_only(strategy[p][:0]),
            prediction=read_only(strategy[p][:0]),
            cum_policy=read_only(strategy[p]),
        )
        for p in (player, 1 - player)
    )
    return Traversal(
        make_graph(graph, profile.payoffs),
        kernels.Tree(
            node=read_only(tree.node),
            first_edge=read_only(tree.first_edge),
            last_visit=np.empty(0, np.int32),
            n_used=np.empty(0, np.int64),
        ),
        own,
        opp,
    )
