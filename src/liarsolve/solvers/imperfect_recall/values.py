"""What strategies of players with imperfect recall are worth against given hands."""

import math
from collections.abc import Sequence

import numpy as np

from liarsolve._typing import F8, I4, I8
from liarsolve.game import NO_STATE, StrategyProfile
from liarsolve.solvers.imperfect_recall import _value_kernels as kernels
from liarsolve.solvers.imperfect_recall.layout import (
    all_joint_hands,
    draw_joint_hands,
    make_others,
    make_profile,
    make_states,
)
from liarsolve.solvers.multiplayer.growing_tree import make_seats

_DRAWN = 1_000
"""Joint hands of the others from which values are estimated where there are more."""
_BLOCK = 125
"""Joint hands that are taken at once, so that the values of a large round fit into memory."""


def values_of_actions(
    profile: StrategyProfile,
    player: int,
    hand_id: int,
    state: int,
    beliefs: Sequence[F8],
    *,
    n_drawn: int = _DRAWN,
) -> tuple[F8, F8]:
    """Value of every raise of ``player`` at a state where they act, and its standard error.

    All go on by their strategies. Between two players and where there are few joint hands all of
    them are met, and the values are exact; elsewhere ``n_drawn`` are drawn, always the same for
    the same beliefs.

    Parameters
    ----------
    profile : StrategyProfile
        As for `liarsolve.solvers.certify`.
    player, hand_id, state : int
        Whose hand, which one, and where.
    beliefs : sequence of float64[H]
        Chances of every player's hands; those of ``player`` are not used.
    n_drawn : int
        Joint hands of the others that are drawn if there are more than that.

    Returns
    -------
    float64[A], float64[A]
        By legal action of the state, also where the abstraction leaves it out; 0 for calls.

    Examples
    --------
    >>> from liarsolve import Recall, presets, solve
    >>> rules = presets.COMMON.replace(faces=2)
    >>> result = solve(rules, dice=(1, 1), abstraction=Recall(1), max_iterations=50).result
    >>> beliefs = result.tree.graph.hand_probs
    >>> values, errors = values_of_actions(result.profile, 0, 1, 0, beliefs)
    >>> values.shape, float(errors.max())
    ((4,), 0.0)
    """
    others = [belief.size for other, belief in enumerate(beliefs) if other != player]
    is_exact = len(others) == 1 or math.prod(others) <= n_drawn
    if is_exact:
        joint_hands, weights = all_joint_hands(beliefs, player)
        blocks = [slice(None)]
    else:
        rng = np.random.default_rng(0)
        joint_hands, weights = draw_joint_hands(beliefs, player, n_drawn, rng)
        blocks = [slice(i, i + _BLOCK) for i in range(0, weights.size, _BLOCK)]
    tree = profile.tree
    legal, node = tree.every_raise, tree.node[state]
    n_actions = int(legal.graph.action_start[node + 1] - legal.graph.action_start[node])
    first = int(legal.first_edge[state])
    children = legal.children[player][first : first + n_actions]
    is_raise = children != NO_STATE
    table = np.zeros((n_actions, weights.size))
    for block in blocks:
        against = values_against(
            profile,
            player,
            hand_id,
            state,
            also=children[is_raise],
            joint_hands=joint_hands[:, block],
        )
        table[is_raise, block] = against[children[is_raise]]
    values = table @ weights
    if is_exact:
        return values, np.zeros(n_actions)
    variance = (table - values[:, None]) ** 2 @ weights
    return values, np.sqrt(variance / (n_drawn - 1))


def values_against(
    profile: StrategyProfile,
    player: int,
    hand_id: int,
    state: int,
    *,
    also: I4 | None = None,
    joint_hands: I8 | None = None,
) -> F8:
    """Utility of one hand of ``player`` against joint hands of the others, from a state on.

    All go on by their strategies. Each merged state is met once, so this is quick however many
    histories lead on.

    Parameters
    ----------
    profile : StrategyProfile
        As for `liarsolve.solvers.certify`.
    player, hand_id, state : int
        Whose hand, which one, and where.
    also : int32[N], optional
        Larger states that are meant too, such as those after raises that nobody plays.
    joint_hands : int64[P, M], optional
        Hand of each player in each; the row of ``player`` is not used. If not given, all that
        there are: in a round of two players the hands of the opponent, in their order.

    Returns
    -------
    float64[S, M]
        At ``state``, at the states that follow it at once, at ``also``, and at those after them to
        which some hand would come; 0 elsewhere.

    Examples
    --------
    >>> from liarsolve import Recall, presets, solve
    >>> rules = presets.COMMON.replace(faces=2)
    >>> result = solve(rules, dice=(1, 1), abstraction=Recall(1), max_iterations=50).result
    >>> values_against(result.profile, 0, 1, 0)[0].shape
    (2,)
    """
    tree, graph = profile.tree, profile.tree.graph
    if joint_hands is None:
        joint_hands, _ = all_joint_hands(graph.hand_probs, player)
    others = make_others(graph, player, joint_hands)
    value = np.zeros((tree.n_states, joint_hands.shape[1]))
    n_rows = int(np.diff(graph.action_start).max()) + 1
    is_below = np.zeros(tree.n_states, np.uint8)
    if also is not None:
        is_below[also] = 1
    kernels.values_up(
        make_states(tree, profile.payoffs),
        make_seats(graph, profile.defaults),
        make_profile(tree, profile.weights),
        kernels.Asked(player, hand_id, state),
        others,
        is_below,
        value,
        kernels.ValueScratch(
            policy=np.empty((n_rows, others.hands.shape[1])), column=np.empty((n_rows, 1))
        ),
    )
    return value
