"""Depth-first walks over the public tree, with one vector over hands at every state.

Both walks look at the game from one player, the *traverser*. Going down they carry the opponent's
reach (chance of his hand times his own action probabilities); coming back up they return the
traverser's counterfactual value of every hand. A walk keeps its path on explicit stacks: row d of
a scratch array belongs to the state at depth d.
"""

from typing import NamedTuple

import numpy as np

from liarsolve._jit import inlined_kernel, kernel
from liarsolve._typing import F8, I8


class Graph(NamedTuple):
    """The bid graph and the tree: what both players share."""

    player: I8  # int64[G]
    quantity: I8  # int64[G]
    match_class: I8  # int64[G]
    action_start: I8  # int64[G + 1]
    action_kind: I8  # int64[A]
    payoff: F8  # float64[outcome, caller, P]
    node: I8  # int64[S]
    first_edge: I8  # int64[S]


class Side(NamedTuple):
    """What belongs to one player. Arrays that a walk does not use may be empty."""

    children: I8  # int64[E]
    matches: I8  # int64[C, H]
    cum_regret: F8  # float64[E, H]
    prediction: F8  # float64[E, H]: regrets of the last iteration, predictive variant only
    cum_policy: F8  # float64[E, H]: weighted sum of policies, or any unnormalised strategy


class Step(NamedTuple):
    """What distinguishes the members of the CFR family in one iteration."""

    average_weight: float  # of the opponent's policy in his average strategy
    keep_positive: float  # factor on positive cumulative regrets after the update
    keep_negative: float  # factor on negative ones; 0 is regret matching plus
    is_predictive: bool  # the policy matches cum_regret + prediction


class Scratch(NamedTuple):
    """Stacks of one walk: D is more than the depth of the tree, H the larger number of hands."""

    state: I8  # int64[D]
    cursor: I8  # int64[D]: the action that is being walked
    policy_start: I8  # int64[D]: first row of ``policy`` that belongs to the state
    reach_row: I8  # int64[D]: row of ``reach`` that holds the opponent's reach
    reach: F8  # float64[D, H]
    value: F8  # float64[D, H]
    policy: F8  # float64[actions of one path, H]
    match_sum: F8  # float64[dice + 2]


@inlined_kernel
def match_regrets(side: Side, first: int, n_actions: int, is_predictive: bool, out: F8) -> None:
    """Policy in proportion to the positive regrets of ``n_actions`` edges; uniform if none is.

    out : float64[> n_actions, H], modified in place; row ``n_actions`` is scratch
    """
    n_hands = side.matches.shape[1]
    for h in range(n_hands):
        out[n_actions, h] = 0.0
    for k in range(n_actions):
        for h in range(n_hands):
            x = side.cum_regret[first + k, h]
            if is_predictive:
                x += side.prediction[first + k, h]
            x = max(x, 0.0)
            out[k, h] = x
            out[n_actions, h] += x
    _normalise(n_actions, n_hands, out)


@inlined_kernel
def average_policy(side: Side, first: int, n_actions: int, out: F8) -> None:
    """Policy in proportion to ``cum_policy``; uniform where a hand never came.

    out : float64[> n_actions, H], modified in place; row ``n_actions`` is scratch
    """
    n_hands = side.matches.shape[1]
    for h in range(n_hands):
        out[n_actions, h] = 0.0
    for k in range(n_actions):
        for h in range(n_hands):
            out[k, h] = side.cum_policy[first + k, h]
            out[n_actions, h] += out[k, h]
    _normalise(n_actions, n_hands, out)


@inlined_kernel
def _normalise(n_actions: int, n_hands: int, out: F8) -> None:
    """Divide by the totals in row ``n_actions``."""
    smallest = np.inf
    for h in range(n_hands):
        total = out[n_actions, h]
        smallest = min(smallest, total)
        out[n_actions, h] = 1.0 / total if total > 0.0 else 0.0
    for k in range(n_actions):
        for h in range(n_hands):
            out[k, h] *= out[n_actions, h]
    if smallest == 0.0:
        for h in range(n_hands):
            if out[n_actions, h] == 0.0:
                for k in range(n_actions):
                    out[k, h] = 1.0 / n_actions


@inlined_kernel
def showdown(
    graph: Graph,
    g: int,
    kind: int,
    traverser: int,
    own_matches: I8,
    opp_matches: I8,
    reach: F8,
    count: F8,
    value: F8,
) -> None:
    """Counterfactual values of a call at graph node ``g``.

    The opponent's reach is summed by how many of his dice match, so that the work is
    O(hands + dice) and not O(hands squared).

    count : float64[dice + 2], scratch
    value : float64[>= H of the traverser], modified in place
    """
    caller = graph.player[g]
    quantity = graph.quantity[g]
    n_opp = 0
    for m in range(count.size):
        count[m] = 0.0
    for h in range(opp_matches.size):
        m = opp_matches[h]
        count[m] += reach[h]
        n_opp = max(n_opp, m)
    if kind == 1:  # challenge: outcomes 0 (bid false) and 1 (bid true)
        for m in range(n_opp - 1, -1, -1):  # now the reach of at least m matches
            count[m] += count[m + 1]
        base = graph.payoff[0, caller, traverser] * count[0]
        gain = graph.payoff[1, caller, traverser] - graph.payoff[0, caller, traverser]
        for h in range(own_matches.size):
            need = min(max(quantity - own_matches[h], 0), n_opp + 1)
            value[h] = base + gain * count[need]
    else:  # exact call: outcomes 2 (right) and 3 (wrong)
        total = 0.0
        for m in range(n_opp + 1):
            total += count[m]
        base = graph.payoff[3, caller, traverser] * total
        gain = graph.payoff[2, caller, traverser] - graph.payoff[3, caller, traverser]
        for h in range(own_matches.size):
            need = quantity - own_matches[h]
            value[h] = base + gain * (count[need] if 0 <= need <= n_opp else 0.0)


@kernel
def cfr_pass(
    graph: Graph, own: Side, opp: Side, traverser: int, step: Step, scratch: Scratch
) -> None:
    """Update the traverser's cumulative regrets and the opponent's average strategy, in place.

    On entry row 0 of ``scratch.reach`` is the chance of the opponent's hands; on return row 0 of
    ``scratch.value`` is the value of each of the traverser's hands. The opponent's average is
    taken here, not in his own pass, because his reach is at hand: a subtree that he does not reach
    adds nothing to his average and has no regrets for the traverser, so it is left out.
    """
    n_own, n_opp = own.matches.shape[1], opp.matches.shape[1]
    state, cursor, policy_start = scratch.state, scratch.cursor, scratch.policy_start
    reach, value, policy, reach_row = (
        scratch.reach,
        scratch.value,
        scratch.policy,
        scratch.reach_row,
    )
    is_predictive = step.is_predictive
    depth = 0
    state[0], cursor[0], policy_start[0], reach_row[0] = 0, -1, 0, 0
    while depth >= 0:
        s = state[depth]
        g = graph.node[s]
        first = graph.first_edge[s]
        action = graph.action_start[g]
        n_actions = graph.action_start[g + 1] - action
        is_own = graph.player[g] == traverser
        start = policy_start[depth]
        rows = policy[start : start + n_actions + 1]
        here, below = value[depth], value[depth + 1]
        k = cursor[depth]
        has_values = k >= 0  # of action k, in ``below``
        if k < 0:
            match_regrets(own if is_own else opp, first, n_actions, is_predictive, rows)
            for h in range(n_own):
                here[h] = 0.0
        while True:
            if has_values:
                if is_own:
                    target = own.prediction if is_predictive else own.cum_regret
                    for h in range(n_own):
                        here[h] += rows[k, h] * below[h]
                    if is_predictive:
                        for h in range(n_own):
                            target[first + k, h] = below[h]
                    else:
                        for h in range(n_own):
                            target[first + k, h] += below[h]
                else:
                    for h in range(n_own):
                        here[h] += below[h]
            k += 1
            if k == n_actions:
                break
            has_values = True
            at_row = reach_row[depth]
            if not is_own:
                mass = 0.0
                for h in range(n_opp):
                    x = reach[at_row, h] * rows[k, h]
                    reach[depth + 1, h] = x
                    opp.cum_policy[first + k, h] += step.average_weight * x
                    mass += x
                at_row = depth + 1
                if mass == 0.0:
                    has_values = False
                    continue
            kind = graph.action_kind[action + k]
            at = g
            if kind == 0:
                child = own.children[first + k] if is_own else opp.children[first + k]
                at = graph.node[child]
                only = graph.action_start[at]
                if graph.action_start[at + 1] - only > 1:
                    cursor[depth] = k
                    depth += 1
                    state[depth], cursor[depth], reach_row[depth] = child, -1, at_row
                    policy_start[depth] = start + n_actions
                    break
                kind = graph.action_kind[only]  # nothing to decide there but to call
            c = graph.match_class[at]
            showdown(
                graph,
                at,
                kind,
                traverser,
                own.matches[c],
                opp.matches[c],
                reach[at_row],
                scratch.match_sum,
                below,
            )
        if k == n_actions:
            if is_own:
                _settle(own, first, n_actions, step, here)
            depth -= 1


@inlined_kernel
def _settle(own: Side, first: int, n_actions: int, step: Step, value: F8) -> None:
    """Turn the action values that were added into regrets, and discount their sums."""
    n_hands = own.matches.shape[1]
    for k in range(n_actions):
        if step.is_predictive:
            for h in range(n_hands):
                own.prediction[first + k, h] -= value[h]
                x = own.cum_regret[first + k, h] + own.prediction[first + k, h]
                own.cum_regret[first + k, h] = x * (
                    step.keep_positive if x > 0.0 else step.keep_negative
                )
        else:
            for h in range(n_hands):
                x = own.cum_regret[first + k, h] - value[h]
                own.cum_regret[first + k, h] = x * (
                    step.keep_positive if x > 0.0 else step.keep_negative
                )


@kernel
def evaluate(
    graph: Graph, own: Side, opp: Side, traverser: int, is_best_response: bool, scratch: Scratch
) -> None:
    """Value of each of the traverser's hands against the opponent's average strategy.

    The traverser plays a best response, or his own average strategy. The walk starts at
    ``scratch.state[0]`` with the opponent's reach in row 0 of ``scratch.reach``; on return row 0 of
    ``scratch.value`` holds the counterfactual values.
    """
    n_own, n_opp = own.matches.shape[1], opp.matches.shape[1]
    state, cursor, policy_start = scratch.state, scratch.cursor, scratch.policy_start
    reach, value, policy, reach_row = (
        scratch.reach,
        scratch.value,
        scratch.policy,
        scratch.reach_row,
    )
    depth = 0
    cursor[0], policy_start[0], reach_row[0] = -1, 0, 0
    while depth >= 0:
        s = state[depth]
        g = graph.node[s]
        first = graph.first_edge[s]
        n_actions = graph.action_start[g + 1] - graph.action_start[g]
        is_own = graph.player[g] == traverser
        takes_best = is_own and is_best_response
        rows = policy[policy_start[depth] :]
        k = cursor[depth]
        if k < 0:
            if not takes_best:
                average_policy(own if is_own else opp, first, n_actions, rows)
            for h in range(n_own):
                value[depth, h] = -np.inf if takes_best else 0.0
        k += 1
        cursor[depth] = k
        if k == n_actions:
            if depth > 0:
                _pass_up(graph, state[depth - 1], traverser, is_best_response, scratch, depth - 1)
            depth -= 1
            continue
        up = depth + 1
        reach_row[up] = reach_row[depth]
        if not is_own:
            reach_row[up] = up
            for h in range(n_opp):
                reach[up, h] = reach[reach_row[depth], h] * rows[k, h]
        action = graph.action_start[g] + k
        if graph.action_kind[action] == 0:
            state[up] = own.children[first + k] if is_own else opp.children[first + k]
            cursor[up] = -1
            policy_start[up] = policy_start[depth] + n_actions
            depth = up
        else:
            c = graph.match_class[g]
            showdown(
                graph,
                g,
                graph.action_kind[action],
                traverser,
                own.matches[c],
                opp.matches[c],
                reach[reach_row[up]],
                scratch.match_sum,
                value[up],
            )
            _pass_up(graph, s, traverser, is_best_response, scratch, depth)


@kernel
def _pass_up(
    graph: Graph, s: int, traverser: int, is_best_response: bool, scratch: Scratch, depth: int
) -> None:
    """Combine the values of one action, in row ``depth + 1``, into those of its state."""
    value = scratch.value
    if graph.player[graph.node[s]] != traverser:
        for h in range(value.shape[1]):
            value[depth, h] += value[depth + 1, h]
    elif is_best_response:
        for h in range(value.shape[1]):
            value[depth, h] = max(value[depth, h], value[depth + 1, h])
    else:
        row = scratch.policy_start[depth] + scratch.cursor[depth]
        for h in range(value.shape[1]):
            value[depth, h] += scratch.policy[row, h] * value[depth + 1, h]
