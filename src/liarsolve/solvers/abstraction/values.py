"""What strategies of forgetful players are worth against given hands."""

import numpy as np

from liarsolve._typing import F8, I8, Real
from liarsolve.game import Payoffs, PublicTree, default_actions
from liarsolve.solvers.abstraction import _cfr_kernels as kernels
from liarsolve.solvers.abstraction.layout import (
    all_joint_hands,
    make_others,
    make_profile,
    make_states,
)
from liarsolve.solvers.many_player.growing_tree import make_seats


def values_against(
    tree: PublicTree,
    strategy: tuple[Real, ...],
    payoffs: Payoffs,
    player: int,
    hand_id: int,
    state: int,
    *,
    joint_hands: I8 | None = None,
    defaults: tuple[I8, ...] | None = None,
) -> F8:
    """Utility of one hand of ``player`` against joint hands of the others, from a state on.

    All go on by ``strategy``. Each merged state is met once, so this is quick however many ways
    lead on.

    Parameters
    ----------
    tree, strategy, payoffs, defaults
        As for `liarsolve.solvers.certify`.
    player, hand_id, state : int
        Whose hand, which one, and where.
    joint_hands : int64[P, M], optional
        Hand of each player in each; the row of ``player`` is not used. If not given, all that
        there are: in a round of two players the hands of the opponent, in their order.

    Returns
    -------
    float64[S, M]
        At ``state``, at the states that follow it at once, and at those after them to which some
        hand would come; 0 elsewhere.
    """
    graph = tree.graph
    defaults = default_actions(graph) if defaults is None else defaults
    if joint_hands is None:
        joint_hands, _ = all_joint_hands(graph, player)
    others = make_others(graph, player, joint_hands)
    value = np.zeros((tree.n_states, joint_hands.shape[1]))
    n_rows = int(np.diff(graph.action_start).max()) + 1
    kernels.values_up(
        make_states(tree, payoffs),
        make_seats(graph, defaults),
        make_profile(tree, strategy),
        player,
        hand_id,
        others,
        state,
        np.zeros(tree.n_states, np.uint8),
        value,
        np.empty((n_rows, others.hands.shape[1])),
        np.empty((n_rows, 1)),
    )
    return value
