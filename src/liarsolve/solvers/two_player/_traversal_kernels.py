"""Depth-first traversals of the public tree, with one vector over hands at every state.

Both traversals look at the game from one player, the *traverser*. Going down they carry the
opponent's reach (chance of their hand times their own action probabilities); coming back up they
return the traverser's counterfactual value of every hand. A traversal keeps its path on explicit
stacks: row d of a scratch array belongs to the state at depth d.
"""

from typing import NamedTuple

import numpy as np

from liarsolve._jit import inlined_kernel, kernel
from liarsolve._typing import F8, I4, I8, U1, Real

NO_STATE = -1
DONE = -1


class Graph(NamedTuple):
    """The bid graph and what its calls pay: the same for all traversals of a round."""

    player: I8  # int64[G]
    quantity: I8  # int64[G]
    match_class: I8  # int64[G]
    action_start: I8  # int64[G + 1]
    action_kind: I8  # int64[A]
    action_target: I8  # int64[A]
    payoff: F8  # float64[outcome, caller, P]
    most: F8  # float64[P]: the largest payoff of each player
    least: F8  # float64[P]: the smallest
    n_dice: I8  # int64[P]


class Tree(NamedTuple):
    """States of one tree; arrays may be longer than what is in use."""

    node: I4  # int32[S]: graph node of each state
    first_edge: I8  # int64[S]: first edge, among those of the player to act
    last_visit: I4  # int32[S]: iteration of the last visit by `cfr_pass`
    n_used: I8  # int64[1 + P]: states, then edges of each player


class Side(NamedTuple):
    """What belongs to one player. Arrays that a traversal does not use may be empty."""

    matches: I8  # int64[C, H]
    default_action: I8  # int64[G, H]: place of the action at its node, -1 for the uniform policy
    children: I4  # int32[E]: state, or NO_STATE
    is_live: U1  # uint8[E]: whether some hand has a positive regret, so that the row need be read
    cum_regret: Real  # float[E, H]
    prediction: Real  # float[E, H]: regrets of the last iteration, predictive variant only
    cum_policy: Real  # float[E, H]: weighted sum of policies, or any unnormalised strategy


class Question(NamedTuple):
    """What a traversal is to find out."""

    traverser: int
    is_best_response: bool  # or the traverser's own average strategy
    hand: int  # the only hand that counts, -1 for all
    threshold: float  # what the opponent reaches with no more is not traversed
    max_visits: int  # states to be traversed at the most


class Call(NamedTuple):
    """A call that ends the round, and the player whose values are asked for."""

    node: int  # of the graph: where the call is made
    kind: int  # 1 a challenge, 2 an exact call
    traverser: int


class Scratch(NamedTuple):
    """Stacks of one traversal: D exceeds the depth of the tree, H is the larger number of hands."""

    state: I8  # int64[D]
    node: I8  # int64[D]
    cursor: I8  # int64[D]: the action that is being traversed
    policy_start: I8  # int64[D]: first row of ``policy`` that belongs to the state
    reach_row: I8  # int64[D]: row of ``reach`` that holds the opponent's reach
    reach: F8  # float64[D, H]
    value: F8  # float64[D, H]
    policy: F8  # float64[actions of one path, H]
    match_sum: F8  # float64[dice + 2]
    mass: F8  # float64[D]: sum of the opponent's reach
    excess: F8  # float64[D]: how far the values may be too large, whatever the hand
    is_live: I8  # int64[actions of one path]: whether somebody plays the action
    progress: I8  # int64[3]: depth at which `evaluate` stands, states visited, where to pause


@inlined_kernel
def _scale(default_action: I8, g: int, n_actions: int, out: F8, is_live: I8) -> None:
    """Turn weights into a policy by the totals in row ``n_actions``; the default where it is 0."""
    n_hands = default_action.shape[1]
    smallest = np.inf
    for h in range(n_hands):
        total = out[n_actions, h]
        smallest = min(smallest, total)
        out[n_actions, h] = 1.0 / total if total > 0.0 else 0.0
    for k in range(n_actions):
        if is_live[k]:
            for h in range(n_hands):
                out[k, h] *= out[n_actions, h]
    if smallest == 0.0:
        for h in range(n_hands):
            if out[n_actions, h] == 0.0:
                chosen = default_action[g, h]
                for k in range(
                    chosen if chosen >= 0 else 0, chosen + 1 if chosen >= 0 else n_actions
                ):
                    out[k, h] = 1.0 / n_actions if chosen < 0 else 1.0
                    is_live[k] = 1


@inlined_kernel
def average_policy(side: Side, g: int, first: int, n_actions: int, out: F8, is_live: I8) -> None:
    """Policy in proportion to ``cum_policy`` at one state; the default where a hand never came.

    ``first`` is `NO_STATE` where there is no state: every hand plays the default.
    out : float64[> n_actions, H], modified in place; row ``n_actions`` is scratch
    is_live : int64[>= n_actions], modified in place: which rows of ``out`` are not all zero
    """
    n_hands = side.matches.shape[1]
    for h in range(n_hands):
        out[n_actions, h] = 0.0
    for k in range(n_actions):
        total = 0.0
        for h in range(n_hands):
            x = float(side.cum_policy[first + k, h]) if first >= 0 else 0.0
            out[k, h] = x
            out[n_actions, h] += x
            total += x
        is_live[k] = total > 0.0
    _scale(side.default_action, g, n_actions, out, is_live)


@kernel
def normalise(
    policy: Real,
    node: I4,
    first_edge: I8,
    n_actions: I8,
    default_action: I8,
    rows: F8,
    is_live: I8,
) -> None:
    """Turn the weights of one player at all their states into policies.

    policy : float[E, H], modified in place
    node, first_edge : int32[S] and int64[S], the player's states
    n_actions : int64[G]
    rows : float64[> largest of ``n_actions``, H], scratch
    is_live : int64[largest of ``n_actions``], scratch
    """
    for s in range(node.size):
        n = n_actions[node[s]]
        for h in range(rows.shape[1]):
            rows[n, h] = 0.0
        for k in range(n):
            is_live[k] = 1
            for h in range(rows.shape[1]):
                rows[k, h] = policy[first_edge[s] + k, h]
                rows[n, h] += rows[k, h]
        _scale(default_action, int(node[s]), n, rows, is_live)
        for k in range(n):
            for h in range(rows.shape[1]):
                policy[first_edge[s] + k, h] = rows[k, h]


@inlined_kernel
def showdown(
    graph: Graph,
    call: Call,
    own_matches: I8,
    opp_matches: I8,
    reach: F8,
    match_sum: F8,
    value: F8,
) -> None:
    """Counterfactual values of a call.

    The opponent's reach is summed by how many of their dice match, so that the work is
    O(hands + dice) and not O(hands squared).

    match_sum : float64[dice + 2], scratch
    value : float64[>= H of the traverser], modified in place
    """
    traverser = call.traverser
    caller = graph.player[call.node]
    quantity = graph.quantity[call.node]
    n_opp = graph.n_dice[1 - traverser]
    for m in range(n_opp + 2):
        match_sum[m] = 0.0
    for h in range(opp_matches.size):
        match_sum[opp_matches[h]] += reach[h]
    if call.kind == 1:  # challenge: outcomes 0 (bid false) and 1 (bid true)
        for m in range(n_opp - 1, -1, -1):  # now the reach of at least m matches
            match_sum[m] += match_sum[m + 1]
        base = graph.payoff[0, caller, traverser] * match_sum[0]
        gain = graph.payoff[1, caller, traverser] - graph.payoff[0, caller, traverser]
        for h in range(own_matches.size):
            need = min(max(quantity - own_matches[h], 0), n_opp + 1)
            value[h] = base + gain * match_sum[need]
    else:  # exact call: outcomes 2 (right) and 3 (wrong)
        total = 0.0
        for m in range(n_opp + 1):
            total += match_sum[m]
        base = graph.payoff[3, caller, traverser] * total
        gain = graph.payoff[2, caller, traverser] - graph.payoff[3, caller, traverser]
        for h in range(own_matches.size):
            need = quantity - own_matches[h]
            value[h] = base + gain * (match_sum[need] if 0 <= need <= n_opp else 0.0)


@kernel
def evaluate(
    graph: Graph,
    tree: Tree,
    own: Side,
    opp: Side,
    question: Question,
    scratch: Scratch,
) -> None:
    """Value of each of the traverser's hands against the opponent's average strategy.

    The traverser plays a best response, or their own average strategy; with ``question.hand`` 0 or
    more only that hand counts, and values of the others are not right. Where the tree has no state
    the average strategy is the default. It begins where `start_traversal` has set it; on return
    row 0 of ``scratch.value`` holds the counterfactual values.

    A subtree that the opponent reaches with no more than ``question.threshold`` is not traversed:
    every hand of the traverser gets the most that could be won there, so the values are upper
    bounds. After ``question.max_visits`` states everything that is left is treated so. Row 0 of
    ``scratch.excess`` says how much less the values are at the least: what is left out pays any
    hand at least the smallest payoff. Of alternatives the largest excess counts, since a difference
    of maxima or of averages is no larger than the largest difference; the opponent's are summed.

    The traversal pauses at the number of visits that ``scratch.progress`` says, and goes on when it
    is called again. When it is done, the depth there is `DONE`.
    """
    traverser, hand = question.traverser, question.hand
    threshold, max_visits = question.threshold, question.max_visits
    n_own, n_opp = own.matches.shape[1], opp.matches.shape[1]
    state, node, cursor = scratch.state, scratch.node, scratch.cursor
    policy_start, reach_row = scratch.policy_start, scratch.reach_row
    reach, value, policy = scratch.reach, scratch.value, scratch.policy
    mass_at, excess = scratch.mass, scratch.excess
    span = graph.most[traverser] - graph.least[traverser]
    depth, n_visits, pause = scratch.progress[0], scratch.progress[1], scratch.progress[2]
    if n_visits == 0:
        mass_at[0] = 0.0
        for h in range(n_opp):
            mass_at[0] += reach[0, h]
    while depth >= 0 and n_visits < pause:
        s, g = state[depth], node[depth]
        first = int(tree.first_edge[s]) if s >= 0 else NO_STATE
        action = graph.action_start[g]
        n_actions = graph.action_start[g + 1] - action
        is_own = graph.player[g] == traverser
        takes_best = is_own and question.is_best_response
        start = policy_start[depth]
        rows = policy[start : start + n_actions + 1]
        is_live = scratch.is_live[start:]
        here, below = value[depth], value[depth + 1]
        k = cursor[depth]
        has_values = k >= 0  # of action k, in ``below``
        if k < 0:
            n_visits += 1
            if not takes_best:
                average_policy(own if is_own else opp, g, first, n_actions, rows, is_live)
            for h in range(n_own):
                here[h] = -np.inf if takes_best else 0.0
            excess[depth] = 0.0
        while True:
            if has_values:
                if is_own:
                    excess[depth] = max(excess[depth], excess[depth + 1])
                else:
                    excess[depth] += excess[depth + 1]
                if takes_best:
                    for h in range(n_own):
                        here[h] = max(here[h], below[h])
                elif is_own:
                    for h in range(n_own):
                        here[h] += rows[k, h] * below[h]
                else:
                    for h in range(n_own):
                        here[h] += below[h]
            k += 1
            if k == n_actions:
                break
            has_values = True
            at_row = reach_row[depth]
            kind = graph.action_kind[action + k]
            mass = mass_at[depth]
            if is_own and not takes_best:
                played = rows[k, hand] if hand >= 0 else 0.0
                for h in range(n_own if hand < 0 else 0):
                    played += rows[k, h]
                if played == 0.0:
                    has_values = False
                    continue
            if not is_own:
                if not is_live[k]:
                    has_values = False
                    continue
                mass = 0.0
                for h in range(n_opp):
                    x = reach[at_row, h] * rows[k, h]
                    reach[depth + 1, h] = x
                    mass += x
                at_row = depth + 1
            if mass <= threshold or (n_visits >= max_visits and kind == 0):
                for h in range(n_own):
                    below[h] = graph.most[traverser] * mass
                excess[depth + 1] = span * mass
                continue
            at = g
            if kind == 0:
                at = graph.action_target[action + k]
                only = graph.action_start[at]
                if graph.action_start[at + 1] - only > 1:
                    child = NO_STATE
                    if s >= 0:
                        child = int((own if is_own else opp).children[first + k])
                    cursor[depth] = k
                    depth += 1
                    state[depth], node[depth], cursor[depth] = child, at, -1
                    reach_row[depth], mass_at[depth] = at_row, mass
                    policy_start[depth] = start + n_actions
                    break
                kind = graph.action_kind[only]  # nothing to decide there but to call
            c = graph.match_class[at]
            showdown(
                graph,
                Call(at, kind, traverser),
                own.matches[c],
                opp.matches[c],
                reach[at_row],
                scratch.match_sum,
                below,
            )
            excess[depth + 1] = 0.0
        if k == n_actions:
            depth -= 1
    scratch.progress[0], scratch.progress[1] = depth, n_visits
