"""Depth-first traversals of the public tree of a round with any number of players.

As in `two_player._traversal_kernels` a traversal looks at the game from one player, the
*traverser*, and keeps its path on explicit stacks. Beliefs are a product: going down, a traversal
carries one vector for every other player, their reach by hand. The vectors live in rows of one
array: rows 0 to P - 1 hold the reach with which the traversal begins, row P + d what the player who
acts at depth d has reached below.

The kernels of two players do the same moves and stay apart, since a single vector needs no products
of masses, and passes read it eight hands at a time: with these kernels an iteration of two players
takes four times as long at 1 v 1 ``openspiel`` (1.2 ms, not 0.28) and twice as long at 2 v 2
``common`` (20.7 ms, not 9.4), and a certificate 4.6 times and twice as long (3.6 ms, not 0.78; 51
ms, not 25). `_scale` stands in both modules, because a kernel shares a module with those that it
calls.

What is stored at the states lies in one flat array for all players: edge k of a state owns the
entries ``first_entry + k * n_hands`` onward, one for every hand of the player to act.
"""

import numpy as np

from liarsolve._jit import inlined_kernel, kernel
from liarsolve._typing import F8, I8
from liarsolve.solvers.core.variants import Step
from liarsolve.solvers.multiplayer._traversal_records import Question, Scratch, Seats, Tree
from liarsolve.solvers.two_player._traversal_kernels import Call, Graph

NO_STATE = -1
DONE = -1


@inlined_kernel
def _scale(default_action: I8, g: int, n_actions: int, n_hands: int, out: F8, is_live: I8) -> None:
    """Turn weights into a policy by the totals in row ``n_actions``; the default where it is 0."""
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
def _match_regrets(
    tree: Tree,
    default_action: I8,
    s: int,
    n_actions: int,
    n_hands: int,
    is_predictive: bool,
    out: F8,
    is_live: I8,
) -> None:
    """Policy in proportion to the positive regrets at a state; the default if none is positive.

    out : float64[> n_actions, H], modified in place; row ``n_actions`` is scratch
    is_live : int64[>= n_actions], modified in place: which rows of ``out`` are not all zero
    """
    first, entry = tree.first_edge[s], tree.first_entry[s]
    for h in range(n_hands):
        out[n_actions, h] = 0.0
    for k in range(n_actions):
        is_live[k] = tree.is_live[first + k]
        if is_live[k]:
            at = entry + k * n_hands
            for h in range(n_hands):
                x = float(tree.cum_regret[at + h])
                if is_predictive:
                    x += tree.prediction[at + h]
                x = max(x, 0.0)
                out[k, h] = x
                out[n_actions, h] += x
        else:
            for h in range(n_hands):
                out[k, h] = 0.0
    _scale(default_action, tree.node[s], n_actions, n_hands, out, is_live)


@inlined_kernel
def _average_policy(
    tree: Tree,
    default_action: I8,
    s: int,
    g: int,
    n_actions: int,
    n_hands: int,
    out: F8,
    is_live: I8,
) -> None:
    """Policy in proportion to ``cum_policy`` at a state; the default where a hand never came.

    ``s`` is `NO_STATE` where there is no state: every hand plays the default.
    out : float64[> n_actions, H], modified in place; row ``n_actions`` is scratch
    is_live : int64[>= n_actions], modified in place: which rows of ``out`` are not all zero
    """
    entry = tree.first_entry[s] if s >= 0 else NO_STATE
    for h in range(n_hands):
        out[n_actions, h] = 0.0
    for k in range(n_actions):
        total = 0.0
        for h in range(n_hands):
            x = float(tree.cum_policy[entry + k * n_hands + h]) if entry >= 0 else 0.0
            out[k, h] = x
            out[n_actions, h] += x
            total += x
        is_live[k] = total > 0.0
    _scale(default_action, g, n_actions, n_hands, out, is_live)


@inlined_kernel
def _count_matches(
    graph: Graph, seats: Seats, g: int, traverser: int, depth: int, scratch: Scratch
) -> int:
    """Mass of the other players' hands by how many of all their dice match the bid at node ``g``.

    It is written to ``scratch.match_sum``; returns the number of their dice. One histogram for each
    player, then a convolution: O(players * hands + dice squared).
    """
    match_sum, one = scratch.match_sum, scratch.match_mass
    n_others = -1
    for player in range(seats.n_hands.size):
        if player == traverser:
            continue
        n_dice = graph.n_dice[player]
        into = match_sum if n_others < 0 else one
        for m in range(n_dice + 1):
            into[m] = 0.0
        row = scratch.reach_row[depth, player]
        for h in range(seats.n_hands[player]):
            into[seats.matches[player, graph.match_class[g], h]] += scratch.reach[row, h]
        if n_others < 0:
            n_others = n_dice
            continue
        for m in range(n_others + n_dice, -1, -1):  # from above, so that it can be done in place
            total = 0.0
            for j in range(max(0, m - n_others), min(n_dice, m) + 1):
                total += match_sum[m - j] * one[j]
            match_sum[m] = total
        n_others += n_dice
    match_sum[n_others + 1] = 0.0
    return int(n_others)


@inlined_kernel
def _showdown(
    graph: Graph,
    seats: Seats,
    call: Call,
    depth: int,
    others: float,
    scratch: Scratch,
    value: F8,
) -> None:
    """Counterfactual values of a call, by the reach at ``depth``.

    others : product of the masses of all players but the traverser
    value : float64[>= H of the traverser], modified in place
    """
    g, kind, traverser = call.node, call.kind, call.traverser
    caller = graph.player[g]
    quantity = graph.quantity[g]
    n_own = seats.n_hands[traverser]
    own_matches = seats.matches[traverser, graph.match_class[g]]
    win = 0 if kind == 1 else 3  # challenge: outcomes 0 and 1; exact call: 3 and 2
    base = graph.payoff[win, caller, traverser]
    gain = graph.payoff[1 if kind == 1 else 2, caller, traverser] - base
    if gain == 0.0 and seats.n_hands.size > 2:  # a player who looks on, for whom it is all one
        for h in range(n_own):
            value[h] = base * others
        return
    n_others = _count_matches(graph, seats, g, traverser, depth, scratch)
    match_sum = scratch.match_sum
    if kind == 1:
        for m in range(n_others - 1, -1, -1):  # now the mass of at least m matches
            match_sum[m] += match_sum[m + 1]
        base *= match_sum[0]
        for h in range(n_own):
            need = min(max(quantity - own_matches[h], 0), n_others + 1)
            value[h] = base + gain * match_sum[need]
    else:
        total = 0.0
        for m in range(n_others + 1):
            total += match_sum[m]
        base *= total
        for h in range(n_own):
            need = quantity - own_matches[h]
            value[h] = base + gain * (match_sum[need] if 0 <= need <= n_others else 0.0)


@inlined_kernel
def _move(
    n_players: int, n_hands: int, player: int, k: int, traverser: int, depth: int, scratch: Scratch
) -> float:
    """Reach of the player who acts at ``depth`` after action k; returns the product of masses.

    It is the product over all players but the traverser.
    """
    row = n_players + depth
    before = scratch.reach_row[depth, player]
    at = scratch.policy_start[depth] + k
    mass = 0.0
    for h in range(n_hands):
        x = scratch.reach[before, h] * scratch.policy[at, h]
        scratch.reach[row, h] = x
        mass += x
    scratch.mass[row] = mass
    others = mass
    for other in range(n_players):
        if other != traverser and other != player:
            others *= scratch.mass[scratch.reach_row[depth, other]]
    return others


@inlined_kernel
def _has_room(graph: Graph, seats: Seats, tree: Tree, g: int) -> bool:
    """Whether the arrays are long enough for a new state at graph node ``g``."""
    n_actions = graph.action_start[g + 1] - graph.action_start[g]
    n_entries = n_actions * seats.n_hands[graph.player[g]]
    return bool(
        tree.n_used[0] < tree.node.size
        and tree.n_used[1] + n_actions <= tree.children.size
        and tree.n_used[2] + n_entries <= tree.cum_policy.size
    )


@inlined_kernel
def _create_state(graph: Graph, seats: Seats, tree: Tree, g: int) -> int:
    """Take the next state, its edges and its entries into use."""
    n_actions = graph.action_start[g + 1] - graph.action_start[g]
    state = tree.n_used[0]
    tree.node[state] = g
    tree.first_edge[state] = tree.n_used[1]
    tree.first_entry[state] = tree.n_used[2]
    tree.n_used[0] += 1
    tree.n_used[1] += n_actions
    tree.n_used[2] += n_actions * seats.n_hands[graph.player[g]]
    return int(state)


@kernel
def cfr_pass(
    graph: Graph,
    seats: Seats,
    tree: Tree,
    traverser: int,
    averaged: int,
    step: Step,
    depth: int,
    scratch: Scratch,
) -> int:
    """Update the traverser's regrets and the average strategy of ``averaged``, in place.

    It begins with ``depth`` 0 and row 0 of the stacks set by `start_traversal`; on return row 0 of
    ``scratch.value`` is the counterfactual value of each of the traverser's hands.

    A subtree that the others together reach with no more than ``step.threshold`` has no regrets for
    the traverser. It is traversed all the same, for the average alone, as far as ``averaged``
    reaches it: their average is a sum over all iterations, whatever the third players do in them.
    (With two players there is nobody else, so such a subtree adds nothing to the average either.)

    Where an action of the traverser is played by none of their hands, or the rest of a traversal is
    for the average alone, the traversal goes on once in ``step.revisit_period`` iterations, and
    what it adds counts for all of them; inside nothing more is left out, or some of it would never
    have its turn.

    States are created when they are first reached. Returns `DONE`, or the depth at which the arrays
    were too short for that: called again with longer ones and this ``depth``, the traversal goes on
    where it stopped. So it does where it paused, with nothing of ``scratch.n_left`` left.

    With an infinite ``step.threshold`` a traversal is brought to its end: what stands on the path
    enters the average, nothing below is traversed, and no regret changes.
    """
    n_left = scratch.n_left[0]
    n_players = seats.n_hands.size
    n_own = seats.n_hands[traverser]
    state, cursor, policy_start = scratch.state, scratch.cursor, scratch.policy_start
    reach, value, policy = scratch.reach, scratch.value, scratch.policy
    reach_row = scratch.reach_row
    while depth >= 0:
        if n_left == 0:
            scratch.n_left[0] = 0
            return depth
        n_left -= 1
        s = state[depth]
        g = tree.node[s]
        player = graph.player[g]
        n_hands = seats.n_hands[player]
        first, entry = tree.first_edge[s], tree.first_entry[s]
        action = graph.action_start[g]
        n_actions = graph.action_start[g + 1] - action
        is_own = player == traverser
        only_average = scratch.only_average[depth]
        start = policy_start[depth]
        rows = policy[start : start + n_actions + 1]
        is_live = scratch.is_live[start:]
        here, below = value[depth], value[depth + 1]
        k = cursor[depth]
        has_values = k >= 0  # of action k, in ``below``
        if k == -1:
            if not only_average or player == averaged:
                _match_regrets(
                    tree,
                    seats.default_action,
                    s,
                    n_actions,
                    n_hands,
                    step.is_predictive,
                    rows,
                    is_live,
                )
            for h in range(n_own):
                here[h] = 0.0
        elif k < -1:  # the traversal stopped before action -2 - k for want of room
            k = -3 - k
        weight = scratch.weight[depth]
        while True:
            if has_values and not only_average:
                if is_own:
                    for h in range(n_own):
                        here[h] += rows[k, h] * below[h]
                        scratch.action_value[start + k, h] = below[h]
                else:
                    for h in range(n_own):
                        here[h] += below[h]
            k += 1
            if k == n_actions:
                break
            has_values = False
            kind = graph.action_kind[action + k]
            only_average_below = only_average
            weight_below, others = weight, scratch.others[depth]
            row = reach_row[depth, player]
            mass = np.inf  # of the player who acts
            is_quiet = False
            if is_own:
                is_quiet = not only_average and not is_live[k]
            elif player == averaged or not only_average:
                row = n_players + depth
                mass = 0.0
                if is_live[k]:
                    others = _move(n_players, n_hands, player, k, traverser, depth, scratch)
                    mass = scratch.mass[row]
                if mass == 0.0:
                    if player == averaged:
                        continue
                    others = 0.0
                if player != averaged and others <= step.threshold:
                    only_average_below, is_quiet = 1, True
            if is_quiet and step.revisit_period > 1 and weight == 1.0:
                weight_below = float(step.revisit_period)
                if (step.iteration + s + k) % step.revisit_period != 0:
                    weight_below = 0.0
            if is_own:
                scratch.action_weight[start + k] = weight_below
            if weight_below == 0.0:
                continue
            at, child = g, NO_STATE
            if kind == 0:
                at = graph.action_target[action + k]
                only = graph.action_start[at]
                child = int(tree.children[first + k])
                if graph.action_start[at + 1] - only == 1:
                    kind = graph.action_kind[only]  # nothing to decide there but to call
                elif (
                    child < 0
                    and step.may_create
                    and not only_average_below
                    and others > step.threshold
                    and not _has_room(graph, seats, tree, at)
                ):
                    cursor[depth] = -2 - k
                    scratch.n_left[0] = n_left + 1  # this state will be come to again
                    return depth
            if player == averaged:
                average_weight = step.average_weight * weight
                for h in range(n_hands):
                    tree.cum_policy[entry + k * n_hands + h] += average_weight * reach[row, h]
                if mass <= step.threshold:
                    continue
                if others <= step.threshold:
                    only_average_below = 1
            if step.threshold == np.inf or (only_average_below and (kind != 0 or child < 0)):
                continue
            if kind == 0:
                if child < 0:
                    if not step.may_create:
                        if is_own:  # nobody knows what it is worth, so nobody should go there
                            has_values = True
                            for h in range(n_own):
                                below[h] = graph.least[traverser] * others
                        continue
                    child = _create_state(graph, seats, tree, at)
                    tree.children[first + k] = child
                cursor[depth] = k
                for other in range(n_players):
                    reach_row[depth + 1, other] = reach_row[depth, other]
                reach_row[depth + 1, player] = row
                depth += 1
                state[depth], cursor[depth] = child, -1
                policy_start[depth] = start + n_actions
                scratch.only_average[depth] = only_average_below
                scratch.weight[depth], scratch.others[depth] = weight_below, others
                break
            has_values = True
            before = reach_row[depth, player]
            reach_row[depth, player] = row
            call = Call(at, kind, traverser)
            _showdown(graph, seats, call, depth, others, scratch, below)
            reach_row[depth, player] = before
        if k == n_actions:
            if is_own and not only_average and step.threshold < np.inf:
                _settle(
                    tree,
                    s,
                    n_actions,
                    n_own,
                    step,
                    here,
                    scratch.action_value[start:],
                    scratch.action_weight[start:],
                )
            depth -= 1
    return DONE


@inlined_kernel
def _settle(
    tree: Tree,
    s: int,
    n_actions: int,
    n_hands: int,
    step: Step,
    value: F8,
    action_value: F8,
    action_weight: F8,
) -> None:
    """Add the regrets of the actions that were traversed to their sums, and discount these.

    value : float64[H], of the state
    action_value : float64[n_actions, H]
    action_weight : float64[n_actions], 0 where the action was left out
    """
    for k in range(n_actions):
        weight = action_weight[k]
        if weight == 0.0:
            continue
        at = tree.first_entry[s] + k * n_hands
        best = 0.0
        for h in range(n_hands):
            regret = action_value[k, h] - value[h]
            x = tree.cum_regret[at + h] + weight * regret
            x *= step.keep_positive if x > 0.0 else step.keep_negative
            tree.cum_regret[at + h] = x
            if step.is_predictive:
                tree.prediction[at + h] = regret
                x += regret
            best = max(best, x)
        tree.is_live[tree.first_edge[s] + k] = best > 0.0


@kernel
def evaluate(graph: Graph, seats: Seats, tree: Tree, question: Question, scratch: Scratch) -> None:
    """Value of each of the traverser's hands while all others play their average strategies.

    The traverser plays a best response or their own average strategy; with ``question.hand`` 0 or
    more only that hand counts, and values of the others are not right. Where the tree has no state
    the average strategy is the default. The traversal begins where `start_traversal` has set it; on
    return row 0 of ``scratch.value`` holds the counterfactual values.

    In a subtree that the others together reach with no more than ``question.threshold`` every hand
    gets ``question.utility_left_out``, and so it does everywhere after ``question.max_visits``
    states: with the most that can be won the values are upper bounds, with the least lower bounds.

    The traversal pauses at the number of visits that ``scratch.progress`` says, and goes on when it
    is called again. When it is done, the depth there is `DONE`.
    """
    traverser, hand = question.traverser, question.hand
    n_players = seats.n_hands.size
    n_own = seats.n_hands[traverser]
    state, node, cursor = scratch.state, scratch.node, scratch.cursor
    policy_start, reach_row = scratch.policy_start, scratch.reach_row
    value, policy = scratch.value, scratch.policy
    depth, n_visits, pause = scratch.progress[0], scratch.progress[1], scratch.progress[2]
    while depth >= 0 and n_visits < pause:
        s, g = state[depth], node[depth]
        player = graph.player[g]
        n_hands = seats.n_hands[player]
        first = int(tree.first_edge[s]) if s >= 0 else NO_STATE
        action = graph.action_start[g]
        n_actions = graph.action_start[g + 1] - action
        is_own = player == traverser
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
                _average_policy(tree, seats.default_action, s, g, n_actions, n_hands, rows, is_live)
            for h in range(n_own):
                here[h] = -np.inf if takes_best else 0.0
        while True:
            if has_values:
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
            kind = graph.action_kind[action + k]
            row, others = reach_row[depth, player], scratch.others[depth]
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
                others = _move(n_players, n_hands, player, k, traverser, depth, scratch)
                row = n_players + depth
            if others <= question.threshold or (n_visits >= question.max_visits and kind == 0):
                for h in range(n_own):
                    below[h] = question.utility_left_out * others
                continue
            at = g
            if kind == 0:
                at = graph.action_target[action + k]
                only = graph.action_start[at]
                if graph.action_start[at + 1] - only > 1:
                    child = int(tree.children[first + k]) if s >= 0 else NO_STATE
                    cursor[depth] = k
                    for other in range(n_players):
                        reach_row[depth + 1, other] = reach_row[depth, other]
                    reach_row[depth + 1, player] = row
                    depth += 1
                    state[depth], node[depth], cursor[depth] = child, at, -1
                    scratch.others[depth] = others
                    policy_start[depth] = start + n_actions
                    break
                kind = graph.action_kind[only]  # nothing to decide there but to call
            before = reach_row[depth, player]
            reach_row[depth, player] = row
            call = Call(at, kind, traverser)
            _showdown(graph, seats, call, depth, others, scratch, below)
            reach_row[depth, player] = before
        if k == n_actions:
            depth -= 1
    scratch.progress[0], scratch.progress[1] = depth, n_visits
