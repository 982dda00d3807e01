"""Responders to one fixed strategy: beliefs at merged states, the best reply to them, and play.

A responder knows their own hand, the bids that they remember, and the whole strategy of their
opponent. The opponent's policy at a state is read from the rows of their strategy, which may have
been written for players who tell fewer states apart.
"""

import numpy as np

from liarsolve._jit import inlined_kernel, kernel
from liarsolve._typing import F4, F8, I8
from liarsolve.solvers.imperfect_recall._response_records import (
    Beliefs,
    Fixed,
    PlayScratch,
    ReachScratch,
    ReplyScratch,
    Responder,
    Unfolded,
    Values,
)


@inlined_kernel
def _policy(fixed: Fixed, state: int, g: int, n: int, out: F8) -> None:
    """Policy of the opponent for all their hands; the default where they have none.

    out : float64[> n, H], modified in place; row ``n`` is scratch
    """
    n_hands = out.shape[1]
    for j in range(n_hands):
        out[n, j] = 0.0
    if state >= 0:
        first = fixed.row[state]
        for k in range(n):
            for j in range(n_hands):
                x = float(fixed.weights[first + k, j])
                out[k, j] = x
                out[n, j] += x
    else:
        for k in range(n):
            for j in range(n_hands):
                out[k, j] = 0.0
    smallest = 1.0
    for j in range(n_hands):
        smallest = min(smallest, out[n, j])
        out[n, j] = 1.0 / out[n, j] if out[n, j] > 0.0 else 0.0
    for k in range(n):
        for j in range(n_hands):
            out[k, j] *= out[n, j]
    if smallest == 0.0:
        for j in range(n_hands):
            if out[n, j] == 0.0:
                chosen = fixed.default_action[g, j]
                for k in range(chosen if chosen >= 0 else 0, chosen + 1 if chosen >= 0 else n):
                    out[k, j] = 1.0 / n if chosen < 0 else 1.0


@inlined_kernel
def _call_value(fixed: Fixed, g: int, kind: int, hand: int, weight: F8) -> float:
    """Utility of a call at a node for one hand of the responder, summed over ``weight``.

    weight : float64[H] of the opponent's hands
    """
    c, caller = fixed.match_class[g], fixed.player[g]
    need = fixed.quantity[g] - fixed.own_matches[c, hand]
    hit, miss = 0.0, 0.0
    for j in range(weight.size):
        more = fixed.opp_matches[c, j] - need
        if more == 0 or (more > 0 and kind == 1):
            hit += weight[j]
        else:
            miss += weight[j]
    right, wrong = (1, 0) if kind == 1 else (2, 3)
    total: float = fixed.payoff[right, caller] * hit + fixed.payoff[wrong, caller] * miss
    return total


@inlined_kernel
def _call_values(
    fixed: Fixed, g: int, kind: int, weight: F8, scale: float, counts: F8, out: F8
) -> None:
    """Add the utility of a call, summed over ``weight``, for all hands of the responder.

    weight : float64[H] of the opponent's hands
    counts : float64[> dice of the opponent + 1], scratch
    out : float64[H] of the responder, modified in place
    """
    c, caller, quantity = fixed.match_class[g], fixed.player[g], fixed.quantity[g]
    counts[:] = 0.0
    total = 0.0
    for j in range(weight.size):
        counts[fixed.opp_matches[c, j]] += weight[j]
        total += weight[j]
    if kind == 1:  # from here on: chance of so many matches or more
        for count in range(counts.size - 2, -1, -1):
            counts[count] += counts[count + 1]
    right, wrong = (1, 0) if kind == 1 else (2, 3)
    won, lost = scale * fixed.payoff[right, caller], scale * fixed.payoff[wrong, caller]
    for h in range(out.size):
        need = quantity - fixed.own_matches[c, h]
        hit = 0.0
        if need < 0:
            hit = total if kind == 1 else 0.0
        elif need < counts.size:
            hit = counts[need]
        out[h] += won * hit + lost * (total - hit)


@kernel
def believe_down(
    fixed: Fixed,
    responder: Responder,
    beliefs: Beliefs,
    scratch: ReplyScratch,
    start: int,
    n_work: int,
) -> int:
    """Chance of every state and of both players' hands there, by the responder's last choices.

    The two are kept apart, as if they were independent at a state. That is so where all is
    remembered; elsewhere it is a guess by which replies are found, and no bound rests on it.
    Returns the state to go on from; all is done if that is the number of states.

    beliefs : the chances of the hands in row 0 and 0 elsewhere when it begins; modified in place
    n_work : numbers of rows after which there is a pause
    """
    choice, explore = responder.choice, responder.explore
    opp_belief, own_belief = beliefs.opp, beliefs.own
    policy, share = scratch.policy, scratch.share
    n_opp, n_own = opp_belief.shape[1], own_belief.shape[1]
    for s in range(start, fixed.node.size):
        if n_work <= 0:
            return int(s)
        n_work -= n_opp
        mass = 0.0
        for j in range(n_opp):
            mass += opp_belief[s, j]
        if mass == 0.0:
            continue
        g = fixed.node[s]
        first, action = fixed.first_edge[s], fixed.action_start[g]
        n = fixed.action_start[g + 1] - action
        n_work -= n * (n_opp + n_own)
        if fixed.player[g] == responder.player:
            own_mass = 0.0
            for k in range(n):
                share[k] = 0.0
            for h in range(n_own):
                own_mass += own_belief[s, h]
                if choice[s, h] >= 0:
                    share[choice[s, h]] += own_belief[s, h]
                else:
                    for k in range(n):
                        share[k] += own_belief[s, h] / n
            if own_mass == 0.0:
                continue
            for k in range(n):
                if fixed.action_kind[action + k] != 0:
                    continue
                child = fixed.own_children[first + k]
                part = (1.0 - explore) * share[k] / own_mass + explore / n
                for j in range(n_opp):
                    opp_belief[child, j] += part * opp_belief[s, j]
                for h in range(n_own):
                    if choice[s, h] < 0:
                        part = 1.0 / n
                    else:
                        part = explore / n
                        if choice[s, h] == k:
                            part += 1.0 - explore
                    own_belief[child, h] += part * own_belief[s, h]
            continue
        _policy(fixed, s, g, n, policy)
        for k in range(n):
            if fixed.action_kind[action + k] != 0:
                continue
            child = fixed.opp_children[first + k]
            part = 0.0
            for j in range(n_opp):
                x = opp_belief[s, j] * policy[k, j]
                part += x
                opp_belief[child, j] += x
            part /= mass
            if part > 0.0:
                for h in range(n_own):
                    own_belief[child, h] += part * own_belief[s, h]
    return int(fixed.node.size)


@kernel
def unfold_likely(
    fixed: Fixed,
    responder: Responder,
    least_mass: float,
    unfolded: Unfolded,
    beliefs: Beliefs,
    scratch: ReplyScratch,
    progress: I8,
    n_work: int,
) -> int:
    """Give every sequence of bids a state of its own, as long as play is likely to come there.

    Likely by the responder's choices and exploration, as in `believe_down`. Where it is not, play
    goes on from the states that there were.

    least_mass : chance of a sequence that still gets a state
    unfolded : modified in place
    beliefs : by the new states; the responder's are set in row 0 when it begins; modified in place
    progress : int64[4], all 0 when it begins; modified in place: new states that are done, new
        states, and edges of the responder and of the opponent
    n_work : numbers of rows after which there is a pause

    Returns
    -------
    int
        Whether all is done, as 0 or 1; -1 if ``unfolded`` has not enough room.
    """
    choice, explore = responder.choice, responder.explore
    origin, first_edge = unfolded.origin, unfolded.first_edge
    own_children, opp_children = unfolded.own_children, unfolded.opp_children
    opp_belief, own_belief = beliefs.opp, beliefs.own
    policy, share = scratch.policy, scratch.share
    n_opp, n_own = opp_belief.shape[1], own_belief.shape[1]
    if progress[1] == 0:
        progress[1] = 1
        origin[0] = 0
        for j in range(n_opp):
            opp_belief[0, j] = fixed.opp_probs[j]
    s, n_states, own_edges, opp_edges = progress[0], progress[1], progress[2], progress[3]
    while s < n_states:
        if n_work <= 0:
            break
        old = origin[s]
        g = fixed.node[old]
        action = fixed.action_start[g]
        n = fixed.action_start[g + 1] - action
        n_work -= n * (n_opp + n_own)
        is_own = fixed.player[g] == responder.player
        room = own_children.size - own_edges if is_own else opp_children.size - opp_edges
        if n > room:
            return -1
        mass, own_mass = 0.0, 0.0
        for j in range(n_opp):
            mass += opp_belief[s, j]
        for h in range(n_own):
            own_mass += own_belief[s, h]
        first_edge[s] = own_edges if is_own else opp_edges
        if is_own:
            for k in range(n):
                share[k] = 0.0
            for h in range(n_own):
                share[choice[old, h]] += own_belief[s, h]
        else:
            _policy(fixed, old, g, n, policy)
        for k in range(n):
            child = -1
            if fixed.action_kind[action + k] == 0:
                below = fixed.own_children if is_own else fixed.opp_children
                target = below[fixed.first_edge[old] + k]
                child = -2 - target
                part = 0.0
                if is_own:
                    part = (1.0 - explore) * share[k] / own_mass + explore / n
                else:
                    for j in range(n_opp):
                        part += opp_belief[s, j] * policy[k, j]
                    part /= mass
                if part * mass >= least_mass:
                    if n_states == origin.size:
                        return -1
                    child = n_states
                    n_states += 1
                    origin[child] = target
                    for j in range(n_opp):
                        x = part if is_own else policy[k, j]
                        opp_belief[child, j] = x * opp_belief[s, j]
                    for h in range(n_own):
                        x = part
                        if is_own:
                            x = explore / n
                            if choice[old, h] == k:
                                x += 1.0 - explore
                        own_belief[child, h] = x * own_belief[s, h]
            if is_own:
                own_children[own_edges + k] = child
            else:
                opp_children[opp_edges + k] = child
        if is_own:
            own_edges += n
        else:
            opp_edges += n
        s += 1
    progress[0], progress[1], progress[2], progress[3] = s, n_states, own_edges, opp_edges
    return 1 if s == n_states else 0


@kernel
def respond_up(
    fixed: Fixed,
    responder: Responder,
    beliefs: Beliefs,
    values: Values,
    scratch: ReplyScratch,
    start: int,
    n_work: int,
) -> int:
    """Best reply to the beliefs at every state, for all hands of the responder.

    It begins with the number of states as ``start``, and returns the state before which to go on;
    all is done if that is 0.

    responder : ``choice`` is modified in place where they are to act
    beliefs : ``opp`` as `believe_down` has left it; ``own`` is not used
    values : modified in place
    n_work : numbers of rows after which there is a pause
    """
    choice, opp_belief, value, raise_value = (
        responder.choice,
        beliefs.opp,
        values.round,
        values.after_raise,
    )
    policy, weight, counts, row = scratch.policy, scratch.weight, scratch.counts, scratch.row
    n_opp, n_own = opp_belief.shape[1], value.shape[1]
    least = fixed.payoff.min()
    for s in range(start - 1, -1, -1):  # children have larger ids
        if n_work <= 0:
            return int(s) + 1
        g = fixed.node[s]
        first, action = fixed.first_edge[s], fixed.action_start[g]
        n = fixed.action_start[g + 1] - action
        n_work -= n_opp + n_own
        mass = 0.0
        for j in range(n_opp):
            mass += opp_belief[s, j]
        for h in range(n_own):
            value[s, h] = least
            raise_value[s, h] = least
            choice[s, h] = n - 1
        if mass == 0.0:
            continue
        n_work -= n * (n_opp + n_own)
        if fixed.player[g] == responder.player:
            for h in range(n_own):
                value[s, h] = -np.inf
            for k in range(n):
                if fixed.action_kind[action + k] == 0:
                    child = fixed.own_children[first + k]
                    for h in range(n_own):
                        x = value[child, h]
                        raise_value[s, h] = max(raise_value[s, h], x)
                        if x > value[s, h]:
                            value[s, h] = x
                            choice[s, h] = k
                    continue
                row[:] = 0.0
                for j in range(n_opp):
                    weight[j] = opp_belief[s, j]
                kind = fixed.action_kind[action + k]
                _call_values(fixed, g, kind, weight, 1.0 / mass, counts, row)
                for h in range(n_own):
                    if row[h] > value[s, h]:
                        value[s, h] = row[h]
                        choice[s, h] = k
            continue
        _policy(fixed, s, g, n, policy)
        row[:] = 0.0
        for k in range(n):
            part = 0.0
            for j in range(n_opp):
                weight[j] = opp_belief[s, j] * policy[k, j]
                part += weight[j]
            if part == 0.0:
                continue
            kind = fixed.action_kind[action + k]
            if kind == 0:
                child = fixed.opp_children[first + k]
                part /= mass
                for h in range(n_own):
                    row[h] += part * value[child, h]
            else:
                _call_values(fixed, g, kind, weight, 1.0 / mass, counts, row)
        for h in range(n_own):
            value[s, h] = row[h]
    return 0


@kernel
def evaluate_choices(
    fixed: Fixed,
    responder: Responder,
    hand: int,
    threshold: float,
    scratch: ReachScratch,
    out: F8,
    start: int,
    n_work: int,
) -> int:
    """Utility of the responder's choices with one hand, exactly.

    Returns the state to go on from, as `believe_down` does; ``scratch`` is kept until all is done.

    threshold : states that the opponent reaches with no more count as if all were lost there
    out : float64[1], modified in place: what is found is added
    n_work : numbers of rows after which there is a pause
    """
    reach, is_reached, policy = scratch.reach, scratch.is_reached, scratch.policy
    n_opp = reach.shape[1]
    least = fixed.payoff.min()
    if start == 0:
        is_reached[:] = 0
        is_reached[0] = 1
        for j in range(n_opp):  # assigning rows takes 2 s longer to compile
            reach[0, j] = fixed.opp_probs[j]
    total = out[0]
    for s in range(start, fixed.node.size):
        if n_work <= 0:
            out[0] = total
            return int(s)
        n_work -= 1
        if is_reached[s] == 0:
            continue
        mass = 0.0
        for j in range(n_opp):
            mass += reach[s, j]
        if mass <= threshold:
            total += least * mass
            continue
        g = fixed.node[s]
        first, action = fixed.first_edge[s], fixed.action_start[g]
        n = fixed.action_start[g + 1] - action
        if fixed.player[g] == responder.player:
            k = responder.choice[s, hand]
            kind = fixed.action_kind[action + k]
            if kind != 0:
                total += _call_value(fixed, g, kind, hand, reach[s])
                continue
            child = fixed.own_children[first + k]
            if is_reached[child] == 0:
                is_reached[child] = 1
                for j in range(n_opp):
                    reach[child, j] = reach[s, j]
            else:
                for j in range(n_opp):
                    reach[child, j] += reach[s, j]
            continue
        n_work -= n * n_opp
        _policy(fixed, s, g, n, policy)
        for k in range(n):
            kind = fixed.action_kind[action + k]
            part = 0.0
            for j in range(n_opp):
                policy[k, j] *= reach[s, j]
                part += policy[k, j]
            if part == 0.0:
                continue
            if kind != 0:
                total += _call_value(fixed, g, kind, hand, policy[k])
                continue
            child = fixed.opp_children[first + k]
            if is_reached[child] == 0:
                is_reached[child] = 1
                for j in range(n_opp):
                    reach[child, j] = policy[k, j]
            else:
                for j in range(n_opp):
                    reach[child, j] += policy[k, j]
    out[0] = total
    return int(fixed.node.size)


@inlined_kernel
def _look_ahead(
    fixed: Fixed, state: int, g: int, hand: int, raise_value: F4, scratch: PlayScratch
) -> float:
    """Utility where the opponent is to act, if the responder then makes their best call.

    With a table the reply may also be a raise, worth what the table says.

    raise_value : float32[S, H] of the responder, or empty
    scratch : ``belief`` sums to 1; ``policy``, ``share`` and ``worth`` are modified in place
    """
    first = fixed.first_edge[state] if state >= 0 else 0
    action = fixed.action_start[g]
    n = fixed.action_start[g + 1] - action
    _policy(fixed, state, g, n, scratch.policy)
    total = 0.0
    for k in range(n):
        part = 0.0
        for j in range(scratch.belief.size):
            scratch.policy[k, j] *= scratch.belief[j]
            part += scratch.policy[k, j]
        scratch.share[k] = part
        scratch.worth[k] = 0.0
        if part == 0.0:
            continue
        kind = fixed.action_kind[action + k]
        if kind != 0:
            best = _call_value(fixed, g, kind, hand, scratch.policy[k]) / part
        else:
            best = -np.inf
            after = fixed.action_target[action + k]
            for call in range(fixed.action_start[after + 1] - 1, fixed.action_start[after] - 1, -1):
                kind = fixed.action_kind[call]
                if kind == 0:
                    break  # calls come last
                best = max(best, _call_value(fixed, after, kind, hand, scratch.policy[k]) / part)
            child = fixed.opp_children[first + k] if state >= 0 else -1
            if child >= 0 and raise_value.size > 0:
                best = max(best, float(raise_value[child, hand]))
        scratch.worth[k] = best
        total += part * best
    return total


@kernel
def play_deals(
    fixed: Fixed,
    responder: int,
    raise_value: F4,
    hands: I8,
    rng: np.random.Generator,
    scratch: PlayScratch,
    out: F8,
) -> None:
    """Play rounds of a responder who looks one reply ahead with exact beliefs.

    The opponent's hand is never drawn, only what they do, by the belief about it; and from each
    result is taken what the luck of the draw had promised, which is nothing on average.

    raise_value : float32[S, H] of the responder, or empty
    hands : int64[N], the responder's
    out : float64[N], modified in place: their utility in each round
    """
    n_opp = scratch.belief.size
    for i in range(hands.size):
        hand, total = hands[i], 0.0
        scratch.belief[:] = fixed.opp_probs
        state, g = 0, fixed.node[0]
        if fixed.player[g] != responder:
            total += _look_ahead(fixed, state, g, hand, raise_value, scratch)
        while True:
            if fixed.player[g] == responder:
                action = fixed.action_start[g]
                best, chosen = -np.inf, 0
                for k in range(fixed.action_start[g + 1] - action - 1, -1, -1):
                    kind = fixed.action_kind[action + k]
                    if kind != 0:
                        x = _call_value(fixed, g, kind, hand, scratch.belief)
                    else:
                        child = (
                            fixed.own_children[fixed.first_edge[state] + k] if state >= 0 else -1
                        )
                        after = fixed.action_target[action + k]
                        x = _look_ahead(fixed, child, after, hand, raise_value, scratch)
                    if x > best:
                        best, chosen = x, k
                total += best
                if fixed.action_kind[action + chosen] != 0:
                    break
                state = fixed.own_children[fixed.first_edge[state] + chosen] if state >= 0 else -1
                g = fixed.action_target[action + chosen]
                _look_ahead(fixed, state, g, hand, raise_value, scratch)
            action = fixed.action_start[g]
            n = fixed.action_start[g + 1] - action
            point, chosen = rng.random(), -1
            for k in range(n):
                if scratch.share[k] > 0.0:
                    chosen = k  # rounding may leave a crumb to the last
                    point -= scratch.share[k]
                    if point < 0.0:
                        break
            if fixed.action_kind[action + chosen] != 0:
                break  # the call is worth what was added, and its luck is taken back
            total -= scratch.worth[chosen]
            for j in range(n_opp):
                scratch.belief[j] = scratch.policy[chosen, j] / scratch.share[chosen]
            state = fixed.opp_children[fixed.first_edge[state] + chosen] if state >= 0 else -1
            g = fixed.action_target[action + chosen]
        out[i] = total
