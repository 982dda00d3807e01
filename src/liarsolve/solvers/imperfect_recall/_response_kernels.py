"""Responders to one fixed strategy: beliefs at merged states, the best reply to them, and play.

A responder knows their own hand, the bids that they remember, and the whole strategy of their
opponent. The opponent's policy at a state is read from the rows of their strategy, which may have
been written for players who tell fewer states apart.
"""

from typing import NamedTuple

import numpy as np

from liarsolve._jit import inlined_kernel, kernel
from liarsolve._typing import F4, F8, I2, I4, I8, U1, Real


class Fixed(NamedTuple):
    """The responder's states, the rules as they pay them, and what their opponent does."""

    node: I4  # int32[S]
    first_edge: I8  # int64[S]
    row: I8  # int64[S]: first row of the opponent's policy in ``weights``
    own_children: I4  # int32[E]
    opp_children: I4  # int32[E]
    player: I8  # int64[G]
    quantity: I8  # int64[G]
    match_class: I8  # int64[G]
    action_start: I8  # int64[G + 1]
    action_kind: I8  # int64[A]
    action_target: I8  # int64[A]
    payoff: F8  # float64[outcome, caller], to the responder
    own_matches: I8  # int64[C, H]
    opp_matches: I8  # int64[C, H]
    opp_probs: F8  # float64[H]
    default_action: I8  # int64[G, H]: place of the opponent's action, -1 for the uniform policy
    weights: Real  # float[rows, H], the opponent's strategy, of any scale


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
    responder: int,
    choice: I2,
    explore: float,
    opp_belief: F4,
    own_belief: F4,
    policy: F8,
    share: F8,
) -> None:
    """Chance of every state and of both players' hands there, by the responder's last choices.

    The two are kept apart, as if they were independent at a state. That is so where nothing is
    forgotten; elsewhere it is a guess by which replies are found, and no bound rests on it.

    choice : int16[S, H], the responder's action by its place; -1 for all alike
    explore : how often they do anything else, all actions alike
    opp_belief, own_belief : float32[S, H], the chances of the hands in row 0 and 0 elsewhere on
        entry; modified in place
    policy : float64[> most actions, H of the opponent], scratch
    share : float64[most actions], scratch
    """
    n_opp, n_own = opp_belief.shape[1], own_belief.shape[1]
    for s in range(fixed.node.size):
        mass = 0.0
        for j in range(n_opp):
            mass += opp_belief[s, j]
        if mass == 0.0:
            continue
        g = fixed.node[s]
        first, action = fixed.first_edge[s], fixed.action_start[g]
        n = fixed.action_start[g + 1] - action
        if fixed.player[g] == responder:
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


@kernel
def unfold_likely(
    fixed: Fixed,
    responder: int,
    choice: I2,
    explore: float,
    least_mass: float,
    origin: I8,
    first_edge: I8,
    own_children: I4,
    opp_children: I4,
    opp_belief: F4,
    own_belief: F4,
    policy: F8,
    share: F8,
) -> int:
    """Give every sequence of bids a state of its own, as long as play is likely to come there.

    Likely by the responder's choices and exploration, as in `believe_down`. Where it is not, play
    goes on from the states that there were.

    choice : int16[S, H]
    least_mass : chance of a sequence that still gets a state
    origin : int64[U], modified in place: old state in which each new one was; new states come with
        their parents first
    first_edge : int64[U], modified in place: among the edges of the player to act
    own_children, opp_children : int32[E], modified in place: new state that an edge leads to; -1
        for a call; and -2 - s for the old state s
    opp_belief, own_belief : float32[U, H], scratch
    policy, share : as for `believe_down`

    Returns
    -------
    int
        Number of new states; -1 if ``origin`` or the children have not enough room.
    """
    n_opp, n_own = opp_belief.shape[1], own_belief.shape[1]
    for j in range(n_opp):
        opp_belief[0, j] = fixed.opp_probs[j]
    origin[0] = 0
    n_states, own_edges, opp_edges, s = 1, 0, 0, 0
    while s < n_states:
        old = origin[s]
        g = fixed.node[old]
        action = fixed.action_start[g]
        n = fixed.action_start[g + 1] - action
        is_own = fixed.player[g] == responder
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
    return n_states


@kernel
def respond_up(
    fixed: Fixed,
    responder: int,
    opp_belief: F4,
    choice: I2,
    value: F4,
    raise_value: F4,
    policy: F8,
    weight: F8,
    counts: F8,
    row: F8,
) -> None:
    """Best reply to the beliefs at every state, for all hands of the responder.

    opp_belief : float32[S, H], as `believe_down` has left it
    choice : int16[S, H], modified in place where the responder is to act
    value : float32[S, H], modified in place: utility of the round from there on
    raise_value : float32[S, H], modified in place: the same if they raise
    policy : float64[> most actions, H of the opponent], scratch
    weight : float64[H of the opponent], scratch
    counts : float64[> dice of the opponent + 1], scratch
    row : float64[H of the responder], scratch
    """
    n_opp, n_own = opp_belief.shape[1], value.shape[1]
    least = fixed.payoff.min()
    for s in range(fixed.node.size - 1, -1, -1):  # children have larger ids
        g = fixed.node[s]
        first, action = fixed.first_edge[s], fixed.action_start[g]
        n = fixed.action_start[g + 1] - action
        mass = 0.0
        for j in range(n_opp):
            mass += opp_belief[s, j]
        for h in range(n_own):
            value[s, h] = least
            raise_value[s, h] = least
            choice[s, h] = n - 1
        if mass == 0.0:
            continue
        if fixed.player[g] == responder:
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


@kernel
def evaluate_choices(
    fixed: Fixed,
    responder: int,
    choice: I2,
    hands: I8,
    threshold: float,
    reach: F8,
    is_reached: U1,
    policy: F8,
    out: F8,
) -> None:
    """Utility of the responder's choices with each of some hands, exactly.

    choice : int16[S, H], their action by its place
    hands : int64[N]
    threshold : states that the opponent reaches with no more count as if all were lost there
    reach : float64[S, H of the opponent], scratch
    is_reached : uint8[S], scratch
    policy : float64[> most actions, H of the opponent], scratch
    out : float64[N], modified in place
    """
    n_opp = reach.shape[1]
    least = fixed.payoff.min()
    for i in range(hands.size):
        hand, total = hands[i], 0.0
        is_reached[:] = 0
        is_reached[0] = 1
        for j in range(n_opp):  # assigning rows takes 2 s longer to compile
            reach[0, j] = fixed.opp_probs[j]
        for s in range(fixed.node.size):
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
            if fixed.player[g] == responder:
                k = choice[s, hand]
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
        out[i] = total


class Scratch(NamedTuple):
    """Where one responder works out their next action; all of it is scratch."""

    belief: F8  # float64[H of the opponent]: their hands, given what they have done
    policy: F8  # float64[> most actions, H of the opponent]
    share: F8  # float64[most actions]: how often the opponent replies so
    worth: F8  # float64[most actions]: utility after each reply, as far as one looks ahead


@inlined_kernel
def _look_ahead(
    fixed: Fixed, state: int, g: int, hand: int, raise_value: F4, scratch: Scratch
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
    scratch: Scratch,
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
