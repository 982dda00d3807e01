"""Passes over merged public states: each state once, not once for every way that leads there.

Once the hands are fixed, what a state is worth depends on the state alone, however play came
there. So a pass fixes some hands of the opponent, and goes over the states up to three times: down
with the chance that the opponent comes there with these hands, summed over the ways; down with the
traverser's own reach, for his average strategy; and up with the value of each of his hands against
each of these. Everything that is stored for a hand depends on that hand of the traverser alone, so
a pass takes any range of hands, and threads share the hands out between them.
"""

from typing import NamedTuple

from liarsolve._jit import inlined_kernel, kernel
from liarsolve._typing import F8, I4, I8, U1, Real


class States(NamedTuple):
    """Merged states, parents before children, and the rules at their graph nodes."""

    node: I4  # int32[S]
    first_edge: I8  # int64[S]
    player: I8  # int64[G]
    quantity: I8  # int64[G]
    match_class: I8  # int64[G]
    action_start: I8  # int64[G + 1]
    action_kind: I8  # int64[A]
    payoff: F8  # float64[outcome, caller, P]


class Side(NamedTuple):
    """What belongs to one player."""

    matches: I8  # int64[C, H]
    default_action: I8  # int64[G, H]: place of the action at its node, -1 for the uniform policy
    children: I4  # int32[E]
    cum_regret: Real  # float[E, H]
    cum_policy: Real  # float[E, H]


class Step(NamedTuple):
    """What one pass does with what it finds."""

    regret_weight: float  # of this pass in the cumulative regrets
    keep_negative: float  # factor on negative ones after the update; 0 is regret matching plus


@inlined_kernel
def _match_regrets(side: Side, g: int, first: int, n: int, lo: int, hi: int, out: F8) -> None:
    """Policy of hands ``lo:hi`` in proportion to positive regrets; the default if there is none.

    out : float64[> n, >= hi - lo], modified in place; row ``n`` is scratch
    """
    for h in range(hi - lo):
        out[n, h] = 0.0
    for k in range(n):
        for h in range(hi - lo):
            x = max(float(side.cum_regret[first + k, lo + h]), 0.0)
            out[k, h] = x
            out[n, h] += x
    _scale(side.default_action, g, n, lo, hi, out)


@inlined_kernel
def _average(side: Side, g: int, first: int, n: int, lo: int, hi: int, out: F8) -> None:
    """Policy of hands ``lo:hi`` in proportion to ``cum_policy``; the default where all are 0.

    out : float64[> n, >= hi - lo], modified in place; row ``n`` is scratch
    """
    for h in range(hi - lo):
        out[n, h] = 0.0
    for k in range(n):
        for h in range(hi - lo):
            x = float(side.cum_policy[first + k, lo + h])
            out[k, h] = x
            out[n, h] += x
    _scale(side.default_action, g, n, lo, hi, out)


@inlined_kernel
def _scale(default_action: I8, g: int, n: int, lo: int, hi: int, out: F8) -> None:
    """Turn weights into a policy by the totals in row ``n``; the default where it is 0."""
    smallest = 1.0
    for h in range(hi - lo):
        smallest = min(smallest, out[n, h])
        out[n, h] = 1.0 / out[n, h] if out[n, h] > 0.0 else 0.0
    for k in range(n):
        for h in range(hi - lo):
            out[k, h] *= out[n, h]
    if smallest == 0.0:
        for h in range(hi - lo):
            if out[n, h] == 0.0:
                chosen = default_action[g, lo + h]
                for k in range(n):
                    if chosen < 0:
                        out[k, h] = 1.0 / n
                    elif chosen == k:
                        out[k, h] = 1.0


@kernel
def reach_down(
    states: States,
    own: Side,
    opp: Side,
    traverser: int,
    hands: I8,
    reach: F8,
    policy: F8,
    column: F8,
) -> None:
    """Chance that the opponent comes to each state with some of his hands, and what he does there.

    It is a sum over all ways to the state, whatever the traverser does on them.

    hands : int64[M], hands of the opponent
    reach : float64[S, M], row 0 set and the others 0 on entry; modified in place
    policy : float64[E of the opponent, M], modified in place where he is reached
    column : float64[> most actions, 1], scratch
    """
    n_given = hands.size
    for s in range(states.node.size):
        g = states.node[s]
        first = states.first_edge[s]
        action = states.action_start[g]
        n = states.action_start[g + 1] - action
        total = 0.0
        for m in range(n_given):
            total += reach[s, m]
        if total == 0.0:
            continue
        if states.player[g] == traverser:
            for k in range(n):
                if states.action_kind[action + k] == 0:
                    child = own.children[first + k]
                    for m in range(n_given):
                        reach[child, m] += reach[s, m]
            continue
        for m in range(n_given):
            if reach[s, m] > 0.0:
                h = hands[m]
                _match_regrets(opp, g, first, n, h, h + 1, column)
                for k in range(n):
                    policy[first + k, m] = column[k, 0]
            else:
                for k in range(n):
                    policy[first + k, m] = 0.0
        for k in range(n):
            if states.action_kind[action + k] == 0:
                child = opp.children[first + k]
                for m in range(n_given):
                    reach[child, m] += reach[s, m] * policy[first + k, m]


@kernel
def average_down(
    states: States,
    own: Side,
    opp: Side,
    traverser: int,
    average_weight: float,
    lo: int,
    hi: int,
    reach: Real,
    policy: F8,
) -> None:
    """Add the traverser's policy to his average, weighted by how his hands come to each state.

    That is a sum over all ways to the state, whatever the opponent does on them.

    lo, hi : the hands of the traverser that are meant
    reach : float[S, >= hi - lo], 1 in row 0 and 0 in the others on entry; modified in place
    policy : float64[> most actions, hi - lo], scratch
    """
    for s in range(states.node.size):
        g = states.node[s]
        first = states.first_edge[s]
        action = states.action_start[g]
        n = states.action_start[g + 1] - action
        largest = 0.0
        for h in range(hi - lo):
            largest = max(largest, float(reach[s, h]))
        if largest == 0.0:
            continue
        if states.player[g] != traverser:
            for k in range(n):
                if states.action_kind[action + k] == 0:
                    child = opp.children[first + k]
                    for h in range(hi - lo):
                        reach[child, h] += reach[s, h]
            continue
        _match_regrets(own, g, first, n, lo, hi, policy)
        for k in range(n):
            for h in range(hi - lo):
                policy[k, h] *= reach[s, h]
                own.cum_policy[first + k, lo + h] += average_weight * policy[k, h]
            if states.action_kind[action + k] == 0:
                child = own.children[first + k]
                for h in range(hi - lo):
                    reach[child, h] += policy[k, h]


@inlined_kernel
def _showdown(
    states: States, g: int, kind: int, traverser: int, own: I8, opp: int, lo: int, hi: int, out: F8
) -> None:
    """Utility of a call for each of the traverser's hands ``lo:hi`` against one hand."""
    caller = states.player[g]
    need = states.quantity[g] - opp
    if kind == 1:
        hit, miss = states.payoff[1, caller, traverser], states.payoff[0, caller, traverser]
        for h in range(hi - lo):
            out[h] = hit if own[lo + h] >= need else miss
    else:
        hit, miss = states.payoff[2, caller, traverser], states.payoff[3, caller, traverser]
        for h in range(hi - lo):
            out[h] = hit if own[lo + h] == need else miss


@kernel
def regret_up(
    states: States,
    own: Side,
    opp: Side,
    traverser: int,
    step: Step,
    hands: I8,
    reach: F8,
    opp_policy: F8,
    lo: int,
    hi: int,
    value: Real,
    policy: F8,
    gain: F8,
    rows: F8,
) -> None:
    """Add regrets of the traverser's hands ``lo:hi`` against some hands of the opponent.

    hands, reach, opp_policy : as `reach_down` has left them
    value : float[S, >= M, >= hi - lo], modified in place: utility where the opponent comes
    policy, gain : float64[> most actions, hi - lo], scratch
    rows : float64[2, hi - lo], scratch
    """
    n_given, n_own = hands.size, hi - lo
    here, call = rows[0], rows[1]
    for s in range(states.node.size - 1, -1, -1):  # children have larger ids
        g = states.node[s]
        first = states.first_edge[s]
        action = states.action_start[g]
        n = states.action_start[g + 1] - action
        c = states.match_class[g]
        is_own = states.player[g] == traverser
        is_reached = False
        for m in range(n_given):
            if reach[s, m] == 0.0:
                continue
            if is_own and not is_reached:
                _match_regrets(own, g, first, n, lo, hi, policy)
                for k in range(n):
                    for h in range(n_own):
                        gain[k, h] = 0.0
            is_reached = True
            for h in range(n_own):
                here[h] = 0.0
            for k in range(n):
                kind = states.action_kind[action + k]
                p = 1.0 if is_own else opp_policy[first + k, m]
                if p == 0.0:
                    continue
                if kind == 0:
                    child = own.children[first + k] if is_own else opp.children[first + k]
                    for h in range(n_own):
                        call[h] = value[child, m, h]
                else:
                    matches, theirs = own.matches[c], opp.matches[c, hands[m]]
                    _showdown(states, g, kind, traverser, matches, theirs, lo, hi, call)
                if is_own:
                    for h in range(n_own):
                        here[h] += policy[k, h] * call[h]
                        gain[k, h] += reach[s, m] * call[h]
                else:
                    for h in range(n_own):
                        here[h] += p * call[h]
            for h in range(n_own):
                value[s, m, h] = here[h]
            if is_own:
                for k in range(n):
                    for h in range(n_own):
                        gain[k, h] -= reach[s, m] * here[h]
        if is_own and is_reached:
            for k in range(n):
                for h in range(n_own):
                    x = own.cum_regret[first + k, lo + h] + step.regret_weight * gain[k, h]
                    if x < 0.0:
                        x *= step.keep_negative
                    own.cum_regret[first + k, lo + h] = x


@kernel
def values_up(
    states: States,
    own: Side,
    opp: Side,
    player: int,
    hand: int,
    start: int,
    is_below: U1,
    value: F8,
    policy: F8,
) -> None:
    """Value of one hand of ``player`` against each of the opponent's, from one state on.

    Both play by ``cum_policy``, or any unnormalised strategy.

    is_below : uint8[S], 0 on entry; modified in place: states that may follow ``start``
    value : float64[S, H of the opponent], modified in place there
    policy : float64[> most actions, H of the opponent], scratch
    """
    n_opp = opp.matches.shape[1]
    is_below[start] = 1
    for s in range(start, states.node.size):
        if is_below[s]:
            g = states.node[s]
            first, action = states.first_edge[s], states.action_start[g]
            for k in range(states.action_start[g + 1] - action):
                if states.action_kind[action + k] == 0:
                    is_own = states.player[g] == player
                    is_below[own.children[first + k] if is_own else opp.children[first + k]] = 1
    for s in range(states.node.size - 1, start - 1, -1):
        if not is_below[s]:
            continue
        g = states.node[s]
        first, action = states.first_edge[s], states.action_start[g]
        n = states.action_start[g + 1] - action
        c = states.match_class[g]
        is_own = states.player[g] == player
        if is_own:
            _average(own, g, first, n, hand, hand + 1, policy)
        else:
            _average(opp, g, first, n, 0, n_opp, policy)
        for h in range(n_opp):
            value[s, h] = 0.0
        for k in range(n):
            kind = states.action_kind[action + k]
            if kind == 0:
                child = own.children[first + k] if is_own else opp.children[first + k]
                for h in range(n_opp):
                    value[s, h] += policy[k, 0 if is_own else h] * value[child, h]
                continue
            right, wrong = (1, 0) if kind == 1 else (2, 3)
            caller = states.player[g]
            for h in range(n_opp):
                count = own.matches[c, hand] + opp.matches[c, h]
                more = count - states.quantity[g]
                is_hit = more >= 0 if kind == 1 else more == 0
                utility = states.payoff[right if is_hit else wrong, caller, player]
                value[s, h] += policy[k, 0 if is_own else h] * utility
