"""One pass of CFR over the public tree, with a vector over hands at every state.

A pass looks at the game from one player, the *traverser*. Going down it carries the opponent's
reach (chance of their hand times their own action probabilities); coming back up it returns the
traverser's counterfactual value of every hand. It keeps its path on explicit stacks: row d of a
scratch array belongs to the state at depth d.

Rows over hands are padded to whole lanes (`liarsolve._lanes`): what stands behind the last hand is
a copy of it that the chance never deals, so it changes nothing.
"""

from typing import NamedTuple

import numpy as np

from liarsolve._jit import inlined_kernel, kernel
from liarsolve._lanes import (
    LANES,
    add_lanes,
    all_positive,
    choose_by_sign,
    has_positive,
    invert,
    largest,
    load,
    spread,
    store,
)
from liarsolve._typing import F8, I4, I8, U1, Real
from liarsolve.solvers.core.variants import Step
from liarsolve.solvers.two_player._traversal_kernels import DONE, NO_STATE, Tree

NO_LEAF = -1


class PassGraph(NamedTuple):
    """The bid graph and what its calls pay to the traverser, in all traversals of a round."""

    player: I8  # int64[G]
    action_start: I8  # int64[G + 1]
    target: I8  # int64[A]: graph node
    leaf: I8  # int64[A]: the call that ends the round there, or NO_LEAF
    first_match: I8  # int64[leaves]: row of ``is_match`` of the leaf, for one match
    is_match: F8  # float64[., H]: 1 where the opponent's hand has so many
    payoff: F8  # float64[leaves * (n_matches + 1), H]: for no match, then what each number adds
    least: float  # the smallest payoff
    n_matches: int  # the most dice of the opponent that can match


class PassSide(NamedTuple):
    """What belongs to one player."""

    default_action: I8  # int64[G, H]: place of the action at its node, -1 for the uniform policy
    children: I4  # int32[E]: state, or NO_STATE
    is_live: U1  # uint8[E]: whether some hand has a positive regret, so that the row need be read
    cum_regret: Real  # float[E, H]
    prediction: Real  # float[E, H]: regrets of the last iteration, predictive variant only
    cum_policy: Real  # float[E, H]: weighted sum of policies


class PassScratch(NamedTuple):
    """Stacks of one pass: D is more than the depth of the tree, H the larger number of hands."""

    state: I8  # int64[D]
    cursor: I8  # int64[D]: the action that is being traversed
    policy_start: I8  # int64[D]: first row of ``policy`` that belongs to the state
    reach_row: I8  # int64[D]: row of ``reach`` that holds the opponent's reach
    reach: F8  # float64[D, H]
    mass: F8  # float64[D]: sum of the reach
    value: F8  # float64[D, H]
    policy: F8  # float64[actions of one path, H]
    weight: F8  # float64[D]: iterations that a visit stands for
    is_live: I8  # int64[actions of one path]: whether somebody plays the action
    action_value: F8  # float64[actions of one path, H]: counterfactual values of own actions
    action_weight: F8  # float64[actions of one path]: as ``weight``; 0 where it was left out
    n_left: I8  # int64[1]: times to come to a state before the traversal pauses


class ActionValues(NamedTuple):
    """Counterfactual values from which regrets follow; N is the number of actions kept."""

    of_state: F8  # float64[., H]
    of_action: F8  # float64[N, H]
    weight: F8  # float64[N]: iterations that a visit stands for; 0 where the action was left out


@inlined_kernel
def _match_regrets(
    side: PassSide,
    g: int,
    first: int,
    n_actions: int,
    is_predictive: bool,
    start: int,
    policy: F8,
    is_live: I8,
) -> None:
    """Policy in proportion to the positive regrets at one state; the default if none is positive.

    policy : float64[> start + n_actions, H], modified in place; the row behind is scratch
    is_live : int64[>= start + n_actions], modified in place: which rows of ``policy`` are not all
        zero; the others are not written
    """
    stop = start + n_actions
    n_hands = side.cum_regret.shape[1]
    for k in range(n_actions):
        is_live[start + k] = side.is_live[first + k]
    is_complete = True
    for h in range(0, n_hands, LANES):
        total = spread(0.0)
        for k in range(n_actions):
            if is_live[start + k]:
                x = load(side.cum_regret, first + k, h)
                if is_predictive:
                    x += load(side.prediction, first + k, h)
                x = largest(x, spread(0.0))
                store(policy, start + k, h, x)
                total += x
        is_complete = is_complete and all_positive(total)
        scale = invert(total)
        store(policy, stop, h, scale)
        for k in range(n_actions):
            if is_live[start + k]:
                store(policy, start + k, h, load(policy, start + k, h) * scale)
    if not is_complete:
        for h in range(n_hands):
            if policy[stop, h] == 0.0:
                chosen = side.default_action[g, h]
                for k in range(
                    chosen if chosen >= 0 else 0, chosen + 1 if chosen >= 0 else n_actions
                ):
                    if not is_live[start + k]:
                        is_live[start + k] = 1
                        policy[start + k] = 0.0
                    policy[start + k, h] = 1.0 / n_actions if chosen < 0 else 1.0


@inlined_kernel
def _end_round(
    graph: PassGraph, leaf: int, n_own: int, n_opp: int, row: int, at: int, scratch: PassScratch
) -> None:
    """Counterfactual values of a call: from row ``row`` of the reach into row ``at`` of values.

    What it pays depends on the opponent's hand only by how many of their dice match.
    """
    first = leaf * (graph.n_matches + 1)
    mass = scratch.mass[row]
    for h in range(0, n_own, LANES):
        store(scratch.value, at, h, mass * load(graph.payoff, first, h))
    for m in range(graph.n_matches):
        matching = spread(0.0)
        match_row = graph.first_match[leaf] + m
        for h in range(0, n_opp, LANES):
            matching += load(scratch.reach, row, h) * load(graph.is_match, match_row, h)
        mass = add_lanes(matching)
        for h in range(0, n_own, LANES):
            x = load(scratch.value, at, h) + mass * load(graph.payoff, first + m + 1, h)
            store(scratch.value, at, h, x)


@inlined_kernel
def _has_room(
    graph: PassGraph, tree: Tree, g: int, own: PassSide, opp: PassSide, own_id: int
) -> bool:
    """Whether the arrays are long enough for a new state at graph node ``g``."""
    player = graph.player[g]
    n_actions = graph.action_start[g + 1] - graph.action_start[g]
    children = own.children if player == own_id else opp.children
    n_states, n_edges = tree.n_used[0], tree.n_used[1 + player]
    return bool(n_states < tree.node.size and n_edges + n_actions <= children.size)


@inlined_kernel
def _create_state(graph: PassGraph, tree: Tree, g: int) -> int:
    """Take the next state and its edges into use."""
    player = graph.player[g]
    n_actions = graph.action_start[g + 1] - graph.action_start[g]
    state, first = tree.n_used[0], tree.n_used[1 + player]
    tree.n_used[0] += 1
    tree.n_used[1 + player] += n_actions
    tree.node[state] = g
    tree.first_edge[state] = first
    return int(state)


@kernel
def cfr_pass(
    graph: PassGraph,
    tree: Tree,
    own: PassSide,
    opp: PassSide,
    traverser: int,
    step: Step,
    depth: int,
    scratch: PassScratch,
) -> int:
    """Update the traverser's cumulative regrets and the opponent's average strategy, in place.

    It begins with ``depth`` 0 and row 0 of the stacks set by `start_traversal`; on return row 0 of
    ``scratch.value`` is the counterfactual value of each of the traverser's hands. The opponent's
    average is taken here, not in their own pass, because their reach is at hand: a subtree that
    they do not reach adds nothing to their average and has no regrets for the traverser, so it is
    left out.

    An action of the traverser that none of their hands plays has no part in the opponent's regrets
    either, so its subtree hardly changes: it is traversed once in ``step.revisit_period``
    iterations, and what it adds to regrets and averages counts for all of them. Inside such a
    subtree nothing more is left out, or some of it would never have its turn. (To leave out hand by
    hand what that hand does not play does not pay: on 2 v 2 ``common`` an iteration takes half the
    time with a period of 4, and 1e-3 takes 493 of them instead of 191.)

    States are created when they are first reached. Returns `DONE`, or the depth at which the arrays
    were too short for that: called again with longer ones and this ``depth``, the traversal goes on
    where it stopped. So it does where it paused, with nothing of ``scratch.n_left`` left.

    With an infinite ``step.threshold`` a traversal is brought to its end: what stands on the path
    enters the averages, nothing below is traversed, and no regret changes.
    """
    n_left = scratch.n_left[0]
    n_own, n_opp = own.cum_regret.shape[1], opp.cum_regret.shape[1]
    state, cursor, policy_start = scratch.state, scratch.cursor, scratch.policy_start
    reach, value, policy = scratch.reach, scratch.value, scratch.policy
    reach_row, is_live = scratch.reach_row, scratch.is_live
    found = ActionValues(value, scratch.action_value, scratch.action_weight)
    while depth >= 0:
        if n_left == 0:
            scratch.n_left[0] = 0
            return depth
        n_left -= 1
        s = state[depth]
        g = tree.node[s]
        first = tree.first_edge[s]
        action = graph.action_start[g]
        n_actions = graph.action_start[g + 1] - action
        is_own = graph.player[g] == traverser
        start = policy_start[depth]
        k = cursor[depth]
        has_values = k >= 0  # of action k, in the row below
        if k == -1:
            tree.last_visit[s] = step.iteration
            # Choosing between tuples of arrays would cost more than matching the regrets.
            if is_own:
                _match_regrets(own, g, first, n_actions, step.is_predictive, start, policy, is_live)
            else:
                _match_regrets(opp, g, first, n_actions, step.is_predictive, start, policy, is_live)
            for h in range(0, n_own, LANES):
                store(value, depth, h, spread(0.0))
        elif k < -1:  # the traversal stopped before action -2 - k for want of room
            k = -3 - k
        weight = scratch.weight[depth]
        while True:
            if has_values:
                if is_own:
                    for h in range(0, n_own, LANES):
                        x = load(value, depth + 1, h)
                        store(scratch.action_value, start + k, h, x)
                        if is_live[start + k]:
                            x = load(value, depth, h) + load(policy, start + k, h) * x
                            store(value, depth, h, x)
                else:
                    for h in range(0, n_own, LANES):
                        store(value, depth, h, load(value, depth, h) + load(value, depth + 1, h))
            k += 1
            if k == n_actions:
                break
            has_values = False
            at_row, weight_below = reach_row[depth], weight
            mass = 1.0
            if is_own:
                if step.revisit_period > 1 and weight == 1.0 and not is_live[start + k]:
                    weight_below = float(step.revisit_period)
                    if (step.iteration + s + k) % step.revisit_period != 0:
                        weight_below = 0.0
                scratch.action_weight[start + k] = weight_below
                if weight_below == 0.0:
                    continue
            else:
                if not is_live[start + k]:
                    continue
                at_row = depth + 1
                total = spread(0.0)
                for h in range(0, n_opp, LANES):
                    x = load(reach, reach_row[depth], h) * load(policy, start + k, h)
                    store(reach, at_row, h, x)
                    total += x
                mass = add_lanes(total)
                scratch.mass[at_row] = mass
                if mass == 0.0:
                    continue
            leaf = graph.leaf[action + k]
            child = NO_STATE
            if leaf < 0:
                child = int(own.children[first + k] if is_own else opp.children[first + k])
                if (
                    child < 0
                    and step.may_create
                    and mass > step.threshold
                    and not _has_room(graph, tree, graph.target[action + k], own, opp, traverser)
                ):
                    cursor[depth] = -2 - k
                    scratch.n_left[0] = n_left + 1  # this state will be come to again
                    return depth
            if not is_own:
                average_weight = step.average_weight * weight
                for h in range(0, n_opp, LANES):
                    x = load(opp.cum_policy, first + k, h) + average_weight * load(reach, at_row, h)
                    store(opp.cum_policy, first + k, h, x)
                if mass <= step.threshold:
                    continue
            if leaf >= 0:
                has_values = True
                _end_round(graph, leaf, n_own, n_opp, at_row, depth + 1, scratch)
                continue
            if child < 0:
                if not step.may_create:
                    if is_own:  # nobody knows what it is worth, so nobody should go there
                        has_values = True
                        for h in range(0, n_own, LANES):
                            store(value, depth + 1, h, spread(graph.least * scratch.mass[at_row]))
                    continue
                child = _create_state(graph, tree, graph.target[action + k])
                if is_own:
                    own.children[first + k] = child
                else:
                    opp.children[first + k] = child
            cursor[depth] = k
            depth += 1
            state[depth], cursor[depth], reach_row[depth] = child, -1, at_row
            policy_start[depth] = start + n_actions
            scratch.weight[depth] = weight_below
            break
        if k == n_actions:
            if is_own and step.threshold < np.inf:
                _settle(own, first, n_actions, step, depth, start, found)
            depth -= 1
    return DONE


@inlined_kernel
def _settle(
    own: PassSide,
    first: int,
    n_actions: int,
    step: Step,
    row: int,
    start: int,
    found: ActionValues,
) -> None:
    """Add the regrets of the actions that were traversed to their sums, and discount these.

    The state is row ``row`` of ``found``, its actions are those from ``start`` on.
    """
    for k in range(n_actions):
        weight = found.weight[start + k]
        if weight == 0.0:
            continue
        best = spread(0.0)
        for h in range(0, own.cum_regret.shape[1], LANES):
            regret = load(found.of_action, start + k, h) - load(found.of_state, row, h)
            x = load(own.cum_regret, first + k, h) + weight * regret
            x *= choose_by_sign(x, step.keep_positive, step.keep_negative)
            store(own.cum_regret, first + k, h, x)
            if step.is_predictive:
                store(own.prediction, first + k, h, regret)
                x += regret
            best = largest(best, x)
        own.is_live[first + k] = has_positive(best)


@kernel
def match_regrets(
    side: PassSide, n_actions: int, is_predictive: bool, policy: F8, is_live: I8
) -> None:
    """Policy at the root, whose edges come first: see `_match_regrets`."""
    _match_regrets(side, 0, 0, n_actions, is_predictive, 0, policy, is_live)


@kernel
def settle(
    own: PassSide, n_actions: int, step: Step, value: F8, action_value: F8, action_weight: F8
) -> None:
    """Add the regrets of the actions at the root, whose edges come first: see `_settle`."""
    found = ActionValues(value, action_value, action_weight)
    _settle(own, 0, n_actions, step, 0, 0, found)
