"""Passes over merged public states for players who do not tell all hands apart.

As in `_cfr_kernels`, a pass fixes some joint hands of the others and goes over the states with a
vector over the traverser's hands. But what he learns is stored by class: which hands are alike
depends on the graph node, and edge k of a state owns the entries ``first_entry + k * n_classes``
onward. Hands of a class meet in one entry, each with its chance. So that threads can share the
hands out, what some hands add goes into a *share* of its own first. What no class plays is left
out where it changes nothing, as there.
"""

from typing import NamedTuple

from liarsolve._jit import inlined_kernel, kernel
from liarsolve._typing import F8, I2, I8, U1, Real
from liarsolve.solvers.abstraction._cfr_kernels import Others, States, Step
from liarsolve.solvers.many_player._walk_kernels import Seats


class Classes(NamedTuple):
    """Which hands are alike, and what the players have learned."""

    of_hand: I2  # int16[G, most hands]
    n_classes: I8  # int64[G]
    hand_probs: F8  # float64[P, most hands]
    share_start: I8  # int64[P]: where a player's entries begin among all
    cum_regret: Real  # float[entries]
    is_live: U1  # uint8[E of all players]: whether some class has a positive regret


@inlined_kernel
def _live_policy(
    states: States, classes: Classes, seats: Seats, s: int, lo: int, hi: int, rows: I8, out: F8
) -> int:
    """Policy of hands ``lo:hi`` by the positive regrets of their classes; else the default.

    rows : int64[>= n], modified in place: the actions that some hand may play, which are returned
    out : float64[> n, >= hi - lo], modified in place in these rows; row ``n`` is scratch
    """
    g = states.node[s]
    first, entry = states.first_edge[s], states.first_entry[s]
    n = states.action_start[g + 1] - states.action_start[g]
    alike = classes.of_hand[g]
    n_live = 0
    for h in range(hi - lo):
        out[n, h] = 0.0
    for k in range(n):
        if not classes.is_live[first + k]:
            continue
        rows[n_live] = k
        n_live += 1
        at = entry + k * classes.n_classes[g]
        for h in range(hi - lo):
            x = max(float(classes.cum_regret[at + alike[lo + h]]), 0.0)
            out[k, h] = x
            out[n, h] += x
    smallest = 1.0
    for h in range(hi - lo):
        smallest = min(smallest, out[n, h])
        out[n, h] = 1.0 / out[n, h] if out[n, h] > 0.0 else 0.0
    for i in range(n_live):
        for h in range(hi - lo):
            out[rows[i], h] *= out[n, h]
    if smallest > 0.0:
        return n_live
    for k in range(n):
        is_wanted = False
        for h in range(hi - lo):
            chosen = seats.default_action[g, lo + h]
            if out[n, h] == 0.0 and (chosen < 0 or chosen == k):
                is_wanted = True
        if not is_wanted:
            continue
        if not classes.is_live[first + k]:
            rows[n_live] = k
            n_live += 1
            for h in range(hi - lo):
                out[k, h] = 0.0
        for h in range(hi - lo):
            chosen = seats.default_action[g, lo + h]
            if out[n, h] == 0.0 and (chosen < 0 or chosen == k):
                out[k, h] = 1.0 / n if chosen < 0 else 1.0
    return n_live


@kernel
def reach_down(
    states: States,
    seats: Seats,
    classes: Classes,
    traverser: int,
    others: Others,
    reach: F8,
    policy: F8,
    rows: I8,
    column: F8,
) -> None:
    """Chance that the others come to each state with their joint hands, and what they do there.

    reach : float64[S, M], row 0 set and the others 0 on entry; modified in place
    policy : float64[E of all players, D], 0 on entry; modified in place where a player is reached
    rows : int64[actions], scratch
    column : float64[> most actions, 1], scratch
    """
    n_joint = others.place.shape[1]
    for s in range(states.node.size):
        g = states.node[s]
        player = states.player[g]
        first, action = states.first_edge[s], states.action_start[g]
        n = states.action_start[g + 1] - action
        total = 0.0
        for m in range(n_joint):
            total += reach[s, m]
        if total == 0.0:
            continue
        if player == traverser:
            for k in range(n):
                if states.action_kind[action + k] == 0:
                    child = states.children[first + k]
                    for m in range(n_joint):
                        reach[child, m] += reach[s, m]
            continue
        place = others.place[player]
        for d in range(others.n_hands[player]):
            h = others.hands[player, d]
            n_live = _live_policy(states, classes, seats, s, h, h + 1, rows, column)
            for i in range(n_live):
                policy[first + rows[i], d] = column[rows[i], 0]
        for k in range(n):
            if states.action_kind[action + k] == 0:
                child = states.children[first + k]
                for m in range(n_joint):
                    reach[child, m] += reach[s, m] * policy[first + k, place[m]]


@kernel
def average_down(
    states: States,
    seats: Seats,
    classes: Classes,
    traverser: int,
    average_weight: float,
    lo: int,
    hi: int,
    is_met: U1,
    reach: Real,
    rows: I8,
    policy: F8,
    share: Real,
) -> None:
    """Add the traverser's policy to his average, by how his hands ``lo:hi`` come to each state.

    is_met : uint8[S], 0 on entry; modified in place: states to which some hand comes
    reach : float[S, >= hi - lo], modified in place at these
    rows : int64[actions], scratch
    policy : float64[> most actions, hi - lo], scratch
    share : float[entries of the traverser], modified in place
    """
    probs, n_own = classes.hand_probs[traverser], hi - lo
    is_met[0] = 1
    for h in range(n_own):
        reach[0, h] = 1.0
    for s in range(states.node.size):
        if not is_met[s]:
            continue
        g = states.node[s]
        first, entry, action = states.first_edge[s], states.first_entry[s], states.action_start[g]
        is_own = states.player[g] == traverser
        largest = 0.0
        for h in range(n_own):
            largest = max(largest, float(reach[s, h]))
        if largest == 0.0:
            continue
        n_played = states.action_start[g + 1] - action
        if is_own:
            n_played = _live_policy(states, classes, seats, s, lo, hi, rows, policy)
        alike = classes.of_hand[g]
        for i in range(n_played):
            k = rows[i] if is_own else i
            if is_own:
                at = entry + k * classes.n_classes[g] - classes.share_start[traverser]
                for h in range(n_own):
                    policy[k, h] *= reach[s, h]
                    share[at + alike[lo + h]] += average_weight * probs[lo + h] * policy[k, h]
            if states.action_kind[action + k] != 0:
                continue
            child = states.children[first + k]
            if not is_met[child]:
                is_met[child] = 1
                for h in range(n_own):
                    reach[child, h] = 0.0
            if is_own:
                for h in range(n_own):
                    reach[child, h] += policy[k, h]
            else:
                for h in range(n_own):
                    reach[child, h] += reach[s, h]


@kernel
def regret_up(
    states: States,
    seats: Seats,
    classes: Classes,
    traverser: int,
    others: Others,
    reach: F8,
    others_policy: F8,
    lo: int,
    hi: int,
    value: Real,
    rows: I8,
    policy: F8,
    gain: F8,
    here: F8,
    share: Real,
) -> None:
    """Add regrets of the traverser's hands ``lo:hi`` against joint hands of the others.

    others, reach, others_policy : as `reach_down` has left them
    value : float[S, >= M, >= hi - lo], modified in place: utility where the others come
    rows : int64[actions], scratch
    policy : float64[> most actions, hi - lo], scratch
    gain : float64[hi - lo], scratch
    here : float64[M + 1, hi - lo], scratch
    share : float[entries of the traverser], modified in place
    """
    n_joint, n_own, probs = others.place.shape[1], hi - lo, classes.hand_probs[traverser]
    call = here[n_joint]
    for s in range(states.node.size - 1, -1, -1):  # children have larger ids
        g = states.node[s]
        player = states.player[g]
        first, entry, action = states.first_edge[s], states.first_entry[s], states.action_start[g]
        n = states.action_start[g + 1] - action
        is_own = player == traverser
        total = 0.0
        for m in range(n_joint):
            total += reach[s, m]
        if total == 0.0:
            continue
        n_played = n
        if is_own:
            n_played = _live_policy(states, classes, seats, s, lo, hi, rows, policy)
        for m in range(n_joint):
            if reach[s, m] == 0.0:
                continue
            for h in range(n_own):
                here[m, h] = 0.0
            for i in range(n_played):
                k = rows[i] if is_own else i
                p = 1.0 if is_own else others_policy[first + k, others.place[player, m]]
                if p == 0.0:
                    continue
                kind = states.action_kind[action + k]
                if kind != 0:
                    _showdown(states, seats, others, g, kind, traverser, m, lo, hi, call)
                    for h in range(n_own):
                        here[m, h] += (policy[k, h] if is_own else p) * call[h]
                    continue
                child = states.children[first + k]
                if is_own:
                    for h in range(n_own):
                        here[m, h] += policy[k, h] * value[child, m, h]
                else:
                    for h in range(n_own):
                        here[m, h] += p * value[child, m, h]
            for h in range(n_own):
                value[s, m, h] = here[m, h]
        if not is_own:
            continue
        alike = classes.of_hand[g]
        for k in range(n):
            kind, child = states.action_kind[action + k], states.children[first + k]
            for h in range(n_own):
                gain[h] = 0.0
            for m in range(n_joint):
                r = reach[s, m]
                if r == 0.0:
                    continue
                if kind == 0:
                    for h in range(n_own):
                        gain[h] += r * (value[child, m, h] - here[m, h])
                else:
                    _showdown(states, seats, others, g, kind, traverser, m, lo, hi, call)
                    for h in range(n_own):
                        gain[h] += r * (call[h] - here[m, h])
            at = entry + k * classes.n_classes[g] - classes.share_start[traverser]
            for h in range(n_own):
                share[at + alike[lo + h]] += probs[lo + h] * gain[h]


@inlined_kernel
def _showdown(
    states: States,
    seats: Seats,
    others: Others,
    g: int,
    kind: int,
    traverser: int,
    m: int,
    lo: int,
    hi: int,
    out: F8,
) -> None:
    """Utility of a call for each of the traverser's hands ``lo:hi`` against a joint hand."""
    c, caller = states.match_class[g], states.player[g]
    own = seats.matches[traverser, c]
    need = states.quantity[g] - others.matches[c, m]
    right, wrong = (1, 0) if kind == 1 else (2, 3)
    hit, miss = states.payoff[right, caller, traverser], states.payoff[wrong, caller, traverser]
    for h in range(hi - lo):
        more = own[lo + h] - need
        is_hit = more >= 0 if kind == 1 else more == 0
        out[h] = hit if is_hit else miss


@kernel
def settle(
    states: States, classes: Classes, traverser: int, step: Step, reach: F8, share: Real
) -> None:
    """Add what ``share`` holds to the regrets of the traverser's classes where the others come.

    reach : float64[S, M], as `reach_down` has left it
    share : float[entries of the traverser]
    """
    start = classes.share_start[traverser]
    for s in range(states.node.size):
        g = states.node[s]
        total = 0.0
        for m in range(reach.shape[1]):
            total += reach[s, m]
        if states.player[g] != traverser or total == 0.0:
            continue
        for k in range(states.action_start[g + 1] - states.action_start[g]):
            entry = states.first_entry[s] + k * classes.n_classes[g]
            best = 0.0
            for i in range(entry, entry + classes.n_classes[g]):
                x = classes.cum_regret[i] + step.regret_weight * share[i - start]
                if x < 0.0:
                    x *= step.keep_negative
                classes.cum_regret[i] = x
                best = max(best, float(classes.cum_regret[i]))
            classes.is_live[states.first_edge[s] + k] = best > 0.0
