"""Passes over merged public states: each state once, not once for every way that leads there.

Once the hands are fixed, what a state is worth depends on the state alone, however play came
there. So a pass fixes some joint hands of all players but the *traverser*, and goes over the
states up to three times: down with the chance that the others come there with these hands, summed
over the ways; down with the traverser's own reach, for his average strategy; and up with the value
of each of his hands against each of these. Everything that is stored for a hand depends on that
hand of the traverser alone, so a pass takes any range of hands, and threads share the hands out
between them.

What is stored lies in one flat array for all players, player by player: edge k of a state owns the
entries ``first_entry + k * n_hands`` onward, one for every hand of the player to act.
"""

from typing import NamedTuple

from liarsolve._jit import inlined_kernel, kernel
from liarsolve._typing import F8, I4, I8, U1, Real
from liarsolve.solvers.many_player._walk_kernels import Seats


class States(NamedTuple):
    """Merged states, parents before children, and the rules at their graph nodes."""

    node: I4  # int32[S]
    first_edge: I8  # int64[S], among the edges of all players
    first_entry: I8  # int64[S]
    children: I4  # int32[E of all players]
    player: I8  # int64[G]
    quantity: I8  # int64[G]
    match_class: I8  # int64[G]
    action_start: I8  # int64[G + 1]
    action_kind: I8  # int64[A]
    payoff: F8  # float64[outcome, caller, P]


class Sums(NamedTuple):
    """What the players learn."""

    cum_regret: Real  # float[entries]
    cum_policy: Real  # float[entries]
    is_live: U1  # uint8[blocks, E of all players]: whether a hand of a block regrets an edge


class Profile(NamedTuple):
    """Strategies that are read only, as they are stored."""

    weights: tuple[Real, ...]  # float[E, H] of each player, and empty ones up to six
    edge_start: I8  # int64[P]: where the edges of a player begin among all


class Others(NamedTuple):
    """Joint hands of all players but the traverser: M of them, made of D hands of each at most."""

    hands: I8  # int64[P, D]: different hands of each player
    n_hands: I8  # int64[P]: how many they are
    place: I8  # int64[P, M]: which of them a player holds in a joint hand
    matches: I8  # int64[C, M]: how many of all their dice match
    by_odds: U1  # uint8[P, D]: whether the player with this hand plays the default throughout


class Arrivals(NamedTuple):
    """How the others come to each state with their joint hands, and what they do there."""

    reach: F8  # float64[S, M]
    policy: F8  # float64[E of all players, D], where a player is reached
    is_played: U1  # uint8[E of all players], there: whether a policy is not all 0
    slot: I4  # int32[S, M]: numbers the pairs with which they come, -1 for all others


class Step(NamedTuple):
    """What one pass does with what it finds."""

    regret_weight: float  # of this pass in the cumulative regrets
    keep_negative: float  # factor on negative ones after the update; 0 is regret matching plus


@inlined_kernel
def _match_regrets(
    cum_regret: Real, default_action: I8, g: int, at: int, n: int, step: int, hand: int, out: F8
) -> None:
    """Policy of one hand in proportion to positive regrets; the default if there is none.

    at, step : place of the regret of its first action, and from there to the next
    out : float64[> n, 1], modified in place; row ``n`` is scratch
    """
    out[n, 0] = 0.0
    for k in range(n):
        x = max(float(cum_regret[at + k * step]), 0.0)
        out[k, 0] = x
        out[n, 0] += x
    _scale(default_action, g, n, hand, hand + 1, out)


@inlined_kernel
def _average(
    weights: Real, default_action: I8, g: int, first: int, n: int, lo: int, hi: int, out: F8
) -> None:
    """Policy of hands ``lo:hi`` in proportion to ``weights``; the default where all are 0.

    weights : float[E, H] of the player to act
    first : first edge of the state, among his edges
    out : float64[> n, >= hi - lo], modified in place; row ``n`` is scratch
    """
    for h in range(hi - lo):
        out[n, h] = 0.0
    for k in range(n):
        for h in range(hi - lo):
            x = float(weights[first + k, lo + h])
            out[k, h] = x
            out[n, h] += x
    _scale(default_action, g, n, lo, hi, out)


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
    seats: Seats,
    sums: Sums,
    traverser: int,
    others: Others,
    arrivals: Arrivals,
    is_needed: U1,
    column: F8,
) -> None:
    """Chance that the others come to each state with their joint hands, and what they do there.

    It is a sum over all ways to the state, whatever the traverser does on them.

    arrivals : modified in place; on entry row 0 of ``reach`` is set, and the others are 0
    is_needed : uint8[D], scratch
    column : float64[> most actions, 1], scratch
    """
    reach, policy, slot = arrivals.reach, arrivals.policy, arrivals.slot
    n_joint = others.place.shape[1]
    n_slots = 0
    for s in range(states.node.size):
        g = states.node[s]
        player = states.player[g]
        first = states.first_edge[s]
        action = states.action_start[g]
        n = states.action_start[g + 1] - action
        before = n_slots
        for m in range(n_joint):
            slot[s, m] = -1
            if reach[s, m] > 0.0:
                slot[s, m] = n_slots
                n_slots += 1
        if n_slots == before:
            continue
        if player == traverser:
            for k in range(n):
                if states.action_kind[action + k] == 0:
                    child = states.children[first + k]
                    for m in range(n_joint):
                        reach[child, m] += reach[s, m]
            continue
        place = others.place[player]
        n_given, n_hands = others.n_hands[player], seats.n_hands[player]
        for d in range(n_given):
            is_needed[d] = 0
        for m in range(n_joint):
            if reach[s, m] > 0.0:
                is_needed[place[m]] = 1
        for d in range(n_given):
            if is_needed[d]:
                h = others.hands[player, d]
                at = states.first_entry[s] + h
                default = seats.default_action
                if others.by_odds[player, d]:
                    for k in range(n + 1):
                        column[k, 0] = 0.0
                    _scale(default, g, n, h, h + 1, column)
                else:
                    _match_regrets(sums.cum_regret, default, g, at, n, n_hands, h, column)
                for k in range(n):
                    policy[first + k, d] = column[k, 0]
            else:
                for k in range(n):
                    policy[first + k, d] = 0.0
        for k in range(n):
            played = 0.0
            for d in range(n_given):
                played += policy[first + k, d]
            arrivals.is_played[first + k] = played > 0.0
            if states.action_kind[action + k] == 0 and played > 0.0:
                child = states.children[first + k]
                for m in range(n_joint):
                    reach[child, m] += reach[s, m] * policy[first + k, place[m]]


@inlined_kernel
def _live_policy(
    states: States,
    seats: Seats,
    sums: Sums,
    traverser: int,
    s: int,
    block: int,
    lo: int,
    hi: int,
    rows: I8,
    out: F8,
) -> int:
    """Policy of a block of the traverser's hands, in the rows of ``out`` that are not all 0.

    Few are: nine rows in ten, and more, are left out in a large round. Returns their number.

    rows : int64[actions], modified in place: which rows they are, in rising order
    out : float64[> n, >= hi - lo], modified in place there; row ``n`` is scratch
    """
    g, first = states.node[s], states.first_edge[s]
    n = states.action_start[g + 1] - states.action_start[g]
    n_hands = seats.n_hands[traverser]
    for h in range(hi - lo):
        out[n, h] = 0.0
    for k in range(n):
        rows[k] = sums.is_live[block, first + k]
        if rows[k]:
            at = states.first_entry[s] + k * n_hands + lo
            for h in range(hi - lo):
                x = max(float(sums.cum_regret[at + h]), 0.0)
                out[k, h] = x
                out[n, h] += x
    smallest = 1.0
    for h in range(hi - lo):
        smallest = min(smallest, out[n, h])
        out[n, h] = 1.0 / out[n, h] if out[n, h] > 0.0 else 0.0
    for k in range(n):
        if rows[k]:
            for h in range(hi - lo):
                out[k, h] *= out[n, h]
    if smallest == 0.0:
        for h in range(hi - lo):
            if out[n, h] == 0.0:
                chosen = seats.default_action[g, lo + h]
                for k in range(chosen if chosen >= 0 else 0, chosen + 1 if chosen >= 0 else n):
                    if not rows[k]:
                        rows[k] = 1
                        for other in range(hi - lo):
                            out[k, other] = 0.0
                    out[k, h] = 1.0 / n if chosen < 0 else 1.0
    n_live = 0
    for k in range(n):
        if rows[k]:
            rows[n_live] = k
            n_live += 1
    return n_live


@kernel
def average_down(
    states: States,
    seats: Seats,
    sums: Sums,
    traverser: int,
    average_weight: float,
    block: int,
    lo: int,
    hi: int,
    is_met: U1,
    reach: Real,
    rows: I8,
    policy: F8,
) -> None:
    """Add the traverser's policy to his average, weighted by how his hands come to each state.

    That is a sum over all ways to the state, whatever the others do on them.

    block, lo, hi : the hands of the traverser that are meant
    is_met : uint8[S], 0 on entry; modified in place: states to which one of them may come
    reach : float[S, >= hi - lo], modified in place there
    rows : int64[actions], scratch
    policy : float64[> most actions, hi - lo], scratch
    """
    n_hands, n_own = seats.n_hands[traverser], hi - lo
    is_met[0] = 1
    for h in range(n_own):
        reach[0, h] = 1.0
    for s in range(states.node.size):
        if not is_met[s]:
            continue
        g = states.node[s]
        first, entry = states.first_edge[s], states.first_entry[s]
        action = states.action_start[g]
        largest = 0.0
        for h in range(n_own):
            largest = max(largest, float(reach[s, h]))
        if largest == 0.0:
            continue
        if states.player[g] != traverser:
            for k in range(states.action_start[g + 1] - action):
                if states.action_kind[action + k] == 0:
                    child = states.children[first + k]
                    if is_met[child]:
                        for h in range(n_own):
                            reach[child, h] += reach[s, h]
                    else:
                        is_met[child] = 1
                        for h in range(n_own):
                            reach[child, h] = reach[s, h]
            continue
        n_live = _live_policy(states, seats, sums, traverser, s, block, lo, hi, rows, policy)
        for i in range(n_live):
            k = rows[i]
            at = entry + k * n_hands + lo
            for h in range(n_own):
                policy[k, h] *= reach[s, h]
                sums.cum_policy[at + h] += average_weight * policy[k, h]
            if states.action_kind[action + k] == 0:
                child = states.children[first + k]
                if is_met[child]:
                    for h in range(n_own):
                        reach[child, h] += policy[k, h]
                else:
                    is_met[child] = 1
                    for h in range(n_own):
                        reach[child, h] = policy[k, h]


@inlined_kernel
def _showdown(
    states: States,
    g: int,
    kind: int,
    traverser: int,
    own: I8,
    other: int,
    lo: int,
    hi: int,
    out: F8,
) -> None:
    """Utility of a call for each of the traverser's hands ``lo:hi``.

    own : int64[H], how many dice of each hand match
    other : how many dice of all other players match
    """
    caller = states.player[g]
    need = states.quantity[g] - other
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
    seats: Seats,
    sums: Sums,
    traverser: int,
    step: Step,
    others: Others,
    arrivals: Arrivals,
    block: int,
    lo: int,
    hi: int,
    value: Real,
    rows: I8,
    policy: F8,
    gain: F8,
    here: F8,
) -> None:
    """Add regrets of a block of the traverser's hands against joint hands of the others.

    others, arrivals : as `reach_down` has left them
    block, lo, hi : the hands of the traverser that are meant
    value : float[>= slots, >= hi - lo], modified in place: utility where the others come
    rows : int64[actions], scratch
    policy : float64[> most actions, hi - lo], scratch
    gain : float64[hi - lo], scratch
    here : float64[M + 1, hi - lo], scratch
    """
    reach, slot = arrivals.reach, arrivals.slot
    n_joint, n_own = others.place.shape[1], hi - lo
    n_hands = seats.n_hands[traverser]
    call = here[n_joint]
    for s in range(states.node.size - 1, -1, -1):  # children have larger ids
        last = -1
        for m in range(n_joint):
            last = max(last, slot[s, m])
        if last < 0:
            continue
        g = states.node[s]
        player = states.player[g]
        first, entry = states.first_edge[s], states.first_entry[s]
        action = states.action_start[g]
        n = states.action_start[g + 1] - action
        c = states.match_class[g]
        matches = seats.matches[traverser, c]
        for m in range(n_joint):
            for h in range(n_own):
                here[m, h] = 0.0
        if player != traverser:
            place = others.place[player]
            for k in range(n):
                if not arrivals.is_played[first + k]:
                    continue
                kind = states.action_kind[action + k]
                child = states.children[first + k]
                for m in range(n_joint):
                    p = arrivals.policy[first + k, place[m]]
                    if slot[s, m] < 0 or p == 0.0:
                        continue
                    if kind == 0:
                        at = slot[child, m]
                        if at >= 0:  # or the others come there with no chance that can be written
                            for h in range(n_own):
                                here[m, h] += p * value[at, h]
                    else:
                        other = others.matches[c, m]
                        _showdown(states, g, kind, traverser, matches, other, lo, hi, call)
                        for h in range(n_own):
                            here[m, h] += p * call[h]
        else:
            n_live = _live_policy(states, seats, sums, traverser, s, block, lo, hi, rows, policy)
            for i in range(n_live):
                k = rows[i]
                kind = states.action_kind[action + k]
                child = states.children[first + k]
                for m in range(n_joint):
                    if slot[s, m] < 0:
                        continue
                    if kind == 0:
                        at = slot[child, m]
                        for h in range(n_own):
                            here[m, h] += policy[k, h] * value[at, h]
                    else:
                        other = others.matches[c, m]
                        _showdown(states, g, kind, traverser, matches, other, lo, hi, call)
                        for h in range(n_own):
                            here[m, h] += policy[k, h] * call[h]
            for k in range(n):
                kind = states.action_kind[action + k]
                child = states.children[first + k]
                for h in range(n_own):
                    gain[h] = 0.0
                for m in range(n_joint):
                    r = reach[s, m]
                    if r == 0.0:
                        continue
                    if kind == 0:
                        at = slot[child, m]
                        for h in range(n_own):
                            gain[h] = (gain[h] + r * value[at, h]) - r * here[m, h]
                    else:
                        other = others.matches[c, m]
                        _showdown(states, g, kind, traverser, matches, other, lo, hi, call)
                        for h in range(n_own):
                            gain[h] = (gain[h] + r * call[h]) - r * here[m, h]
                at = entry + k * n_hands + lo
                best = 0.0
                for h in range(n_own):
                    x = sums.cum_regret[at + h] + step.regret_weight * gain[h]
                    if x < 0.0:
                        x *= step.keep_negative
                    sums.cum_regret[at + h] = x
                    best = max(best, x)
                sums.is_live[block, first + k] = best > 0.0
        for m in range(n_joint):
            at = slot[s, m]
            if at >= 0:
                for h in range(n_own):
                    value[at, h] = here[m, h]


@inlined_kernel
def _average_given(
    states: States,
    seats: Seats,
    profile: Profile,
    player: int,
    others: Others,
    s: int,
    policy: F8,
    column: F8,
) -> None:
    """Policy of all given hands of ``player`` at a state, into the columns of ``policy``."""
    g = states.node[s]
    n = states.action_start[g + 1] - states.action_start[g]
    first = states.first_edge[s] - profile.edge_start[player]
    n_given = others.n_hands[player]
    weights, default = profile.weights[player], seats.default_action
    if n_given == seats.n_hands[player]:  # all of them, in their order
        _average(weights, default, g, first, n, 0, n_given, policy)
        return
    for d in range(n_given):
        h = others.hands[player, d]
        _average(weights, default, g, first, n, h, h + 1, column)
        for k in range(n):
            policy[k, d] = column[k, 0]


@kernel
def values_up(
    states: States,
    seats: Seats,
    profile: Profile,
    player: int,
    hand: int,
    others: Others,
    start: int,
    is_below: U1,
    value: F8,
    policy: F8,
    column: F8,
) -> None:
    """Value of one hand of ``player`` against joint hands of the others, from one state on.

    All play by ``profile``. Of the states that follow those are met to which some hand would come,
    and all that follow ``start`` at once.

    is_below : uint8[S], 1 on entry at later states that are to be met too; modified in place: all
        that are met
    value : float64[S, M], modified in place there
    policy : float64[> most actions, >= D], scratch
    column : float64[> most actions, 1], scratch
    """
    n_joint = others.place.shape[1]
    is_below[start] = 1
    for s in range(start, states.node.size):
        if not is_below[s]:
            continue
        g = states.node[s]
        mover, first, action = states.player[g], states.first_edge[s], states.action_start[g]
        n = states.action_start[g + 1] - action
        n_given = 1
        if mover == player:
            at = first - profile.edge_start[mover]
            weights = profile.weights[mover]
            _average(weights, seats.default_action, g, at, n, hand, hand + 1, policy)
        else:
            n_given = others.n_hands[mover]
            _average_given(states, seats, profile, mover, others, s, policy, column)
        for k in range(n):
            played = 1.0 if s == start else 0.0
            for d in range(n_given):
                played += policy[k, d]
            if states.action_kind[action + k] == 0 and played > 0.0:
                is_below[states.children[first + k]] = 1
    for s in range(states.node.size - 1, start - 1, -1):
        if not is_below[s]:
            continue
        g = states.node[s]
        mover, first, action = states.player[g], states.first_edge[s], states.action_start[g]
        n = states.action_start[g + 1] - action
        c = states.match_class[g]
        is_own = mover == player
        place = others.place[mover]
        n_given = 1
        if is_own:
            at = first - profile.edge_start[mover]
            weights = profile.weights[mover]
            _average(weights, seats.default_action, g, at, n, hand, hand + 1, policy)
        else:
            n_given = others.n_hands[mover]
            _average_given(states, seats, profile, mover, others, s, policy, column)
        for m in range(n_joint):
            value[s, m] = 0.0
        for k in range(n):
            played = 0.0
            for d in range(n_given):
                played += policy[k, d]
            if played == 0.0:
                continue
            kind = states.action_kind[action + k]
            if kind == 0:
                child = states.children[first + k]
                for m in range(n_joint):
                    value[s, m] += policy[k, 0 if is_own else place[m]] * value[child, m]
                continue
            right, wrong = (1, 0) if kind == 1 else (2, 3)
            hit, miss = states.payoff[right, mover, player], states.payoff[wrong, mover, player]
            need = states.quantity[g] - seats.matches[player, c, hand]
            for m in range(n_joint):
                more = others.matches[c, m] - need
                is_hit = more >= 0 if kind == 1 else more == 0
                utility = hit if is_hit else miss
                value[s, m] += policy[k, 0 if is_own else place[m]] * utility
