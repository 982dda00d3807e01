"""Passes over merged public states: each state once, not once for every history that leads there.

Once the hands are fixed, what a state is worth depends on the state alone, however play came
there. So a pass fixes some joint hands of all players but the *traverser*, and goes over the
states up to three times: down with the traverser's own reach, for their average strategy; down with
the chance that the others come there with these hands, summed over the histories; and up with the
value of each of their hands against each of these. Everything that is stored for a hand depends on
that hand of the traverser alone, so their hands are taken in *blocks*, which threads share out
between them. Rows over the hands of a block are padded to whole lanes (`liarsolve._lanes`): what
stands behind the last hand is finite and changes nothing.

What is stored lies in one flat array for all players, player by player: edge k of a state owns the
entries ``first_entry + k * n_hands`` onward, one for every hand of the player to act.
"""

from typing import NamedTuple

from liarsolve._jit import inlined_kernel, kernel
from liarsolve._lanes import (
    LANES,
    choose_by_sign,
    has_positive,
    invert,
    largest,
    load,
    spread,
    store,
)
from liarsolve._typing import F8, I4, I8, U1, Real
from liarsolve.solvers.multiplayer._traversal_records import Seats


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


class Twins(NamedTuple):
    """Groups of states from which every action leads to the same: all come before those."""

    state: I4  # int32[S]: all states, the twins of a group side by side
    first: I8  # int64[groups + 1]
    group_done: I4  # int32[S]: the group of which a state is the last, or -1


class Sums(NamedTuple):
    """What the players learn."""

    cum_regret: Real  # float[entries]
    cum_policy: Real  # float[entries]
    is_live: U1  # uint8[blocks, E of all players]: whether a hand of a block regrets an edge
    block_size: I8  # int64[P]: hands of each player in a block


class Others(NamedTuple):
    """Joint hands of all players but the traverser: M of them, made of D hands of each at most."""

    hands: I8  # int64[P, D]: different hands of each player
    n_hands: I8  # int64[P]: how many they are
    place: I8  # int64[P, M]: which of them a player holds in a joint hand
    matches: I8  # int64[C, M]: how many of all their dice match
    by_odds: U1  # uint8[P, D]: whether the player with this hand plays the default throughout


class OpponentReach(NamedTuple):
    """How the others come to each state with their joint hands, and what they do there.

    They come to few states with few hands, so these *pairs* are numbered, state by state.
    """

    reach: Real  # float[S, M]
    pair: I4  # int32[S, M]: number of the pair, -1 where they do not come
    first_pair: I8  # int64[S + 1]
    joint_hand: I4  # int32[>= pairs]
    first_move: I8  # int64[> pairs]: what the others do; nothing where the traverser is to act
    action: I4  # int32[>= moves]: by its place at the node
    prob: Real  # float[>= moves]


class Step(NamedTuple):
    """What one pass does with what it finds."""

    regret_weight: float  # of this pass in the cumulative regrets
    keep_negative: float  # factor on negative ones after the update; 0 is regret matching plus
    visit_weight: float  # passes that one to what the traverser does not play stands for; or 0
    own_reach_floor: float  # see `weigh_down`


@kernel
def reach_down(
    states: States,
    twins: Twins,
    seats: Seats,
    sums: Sums,
    traverser: int,
    others: Others,
    opp_reach: OpponentReach,
    is_met: U1,
    n_moves_of: I8,
    actions: I4,
    probs: F8,
    carried: F8,
) -> int:
    """Chance that the others come to each state with their joint hands, and what they do there.

    It is a sum over all histories to the state, whatever the traverser does on them. Returns the
    number of moves; if ``opp_reach`` has no room for so many, those beyond are not written.

    opp_reach : modified in place; on entry row 0 of ``reach`` is set, and the others are 0
    is_met : uint8[S], states that are wanted; where one is not, no state behind it is either
    n_moves_of : int64[D], scratch
    actions : int32[D, most actions], scratch
    probs : float64[D, most actions], scratch
    carried : float64[M], scratch
    """
    reach, pair, first_move = opp_reach.reach, opp_reach.pair, opp_reach.first_move
    n_joint = others.place.shape[1]
    n_pairs, n_moves = 0, 0
    for s in range(states.node.size):
        opp_reach.first_pair[s] = n_pairs
        g = states.node[s]
        player = states.player[g]
        first, action = states.first_edge[s], states.action_start[g]
        for m in range(n_joint):
            pair[s, m] = -1
            if is_met[s] and reach[s, m] > 0.0:
                pair[s, m] = n_pairs
                opp_reach.joint_hand[n_pairs] = m
                first_move[n_pairs] = n_moves
                n_pairs += 1
        if player == traverser:
            if twins.group_done[s] >= 0:
                _reach_from_twins(states, twins, twins.group_done[s], is_met, reach, carried)
            continue
        if n_pairs == opp_reach.first_pair[s]:
            continue
        for d in range(others.n_hands[player]):
            n_moves_of[d] = -1
        for i in range(opp_reach.first_pair[s], n_pairs):
            first_move[i] = n_moves
            m = opp_reach.joint_hand[i]
            d = others.place[player, m]
            if n_moves_of[d] < 0:
                n_moves_of[d] = _moves(states, seats, sums, others, s, d, actions, probs)
            for j in range(n_moves_of[d]):
                k = actions[d, j]
                if n_moves < opp_reach.action.size:
                    opp_reach.action[n_moves], opp_reach.prob[n_moves] = k, probs[d, j]
                n_moves += 1
                if states.action_kind[action + k] == 0:
                    reach[states.children[first + k], m] += reach[s, m] * probs[d, j]
    opp_reach.first_pair[states.node.size] = n_pairs
    first_move[n_pairs] = n_moves
    return n_moves


@inlined_kernel
def _reach_from_twins(
    states: States, twins: Twins, group: int, is_met: U1, reach: Real, carried: F8
) -> None:
    """Add the reach of all twins to that of the states behind each raise, which they share."""
    n_joint = reach.shape[1]
    total = 0.0
    for m in range(n_joint):
        carried[m] = 0.0
    for t in range(twins.first[group], twins.first[group + 1]):
        s = twins.state[t]
        if is_met[s]:
            for m in range(n_joint):
                carried[m] += reach[s, m]
                total += reach[s, m]
    if total == 0.0:
        return
    s = twins.state[twins.first[group]]
    first, action = states.first_edge[s], states.action_start[states.node[s]]
    for k in range(states.action_start[states.node[s] + 1] - action):
        if states.action_kind[action + k] == 0:
            child = states.children[first + k]
            for m in range(n_joint):
                reach[child, m] += carried[m]


@inlined_kernel
def _moves(
    states: States,
    seats: Seats,
    sums: Sums,
    others: Others,
    s: int,
    d: int,
    actions: I4,
    probs: F8,
) -> int:
    """What the player to act does with a hand: in proportion to positive regrets, or the default.

    actions, probs : modified in place in row ``d``: what they may do, and how likely; returns how
        many these are
    """
    g, first = states.node[s], states.first_edge[s]
    player = states.player[g]
    n = states.action_start[g + 1] - states.action_start[g]
    h = others.hands[player, d]
    block = h // sums.block_size[player]
    n_live, total = 0, 0.0
    for k in range(0 if others.by_odds[player, d] else n):
        if sums.is_live[block, first + k]:
            x = float(sums.cum_regret[states.first_entry[s] + k * seats.n_hands[player] + h])
            if x > 0.0:
                actions[d, n_live], probs[d, n_live] = k, x
                total += x
                n_live += 1
    if n_live > 0:
        scale = 1.0 / total
        for j in range(n_live):
            probs[d, j] *= scale
        return n_live
    chosen = seats.default_action[g, h]
    if chosen >= 0:
        actions[d, 0], probs[d, 0] = chosen, 1.0
        return 1
    for k in range(n):
        actions[d, k], probs[d, k] = k, 1.0 / n
    return int(n)


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

    rows : int64[2 * actions], modified in place: first these rows, then the others
    out : float64[> n, >= hi - lo], modified in place there; row ``n`` is scratch
    """
    g, first = states.node[s], states.first_edge[s]
    n = states.action_start[g + 1] - states.action_start[g]
    n_hands = seats.n_hands[traverser]
    for h in range(hi - lo):
        out[n, h] = 0.0
    for k in range(n):
        rows[n + k] = sums.is_live[block, first + k]
        if rows[n + k]:
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
        if rows[n + k]:
            for h in range(hi - lo):
                out[k, h] *= out[n, h]
    if smallest == 0.0:
        for h in range(hi - lo):
            if out[n, h] == 0.0:
                chosen = seats.default_action[g, lo + h]
                for k in range(chosen if chosen >= 0 else 0, chosen + 1 if chosen >= 0 else n):
                    if not rows[n + k]:
                        rows[n + k] = 1
                        for other in range(hi - lo):
                            out[k, other] = 0.0
                    out[k, h] = 1.0 / n if chosen < 0 else 1.0
    n_live = 0
    for k in range(n):
        if rows[n + k]:
            rows[n_live] = k
            n_live += 1
    n_listed = n_live
    for k in range(n):
        if not rows[n + k]:
            rows[n_listed] = k
            n_listed += 1
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
    """Add the traverser's policy to their average, weighted by how their hands come to each state.

    That is a sum over all histories to the state, whatever the others do on them.

    block, lo, hi : the hands of the traverser that are meant
    is_met : uint8[S], 0 on entry; modified in place: states to which one of them may come
    reach : float[S, >= padded hands], modified in place there
    rows : int64[2 * actions], scratch
    policy : float64[> most actions, >= padded hands], scratch
    """
    n_hands, n_own = seats.n_hands[traverser], hi - lo
    width = -(-n_own // LANES) * LANES
    is_met[0] = 1
    for h in range(width):
        reach[0, h] = 1.0 if h < n_own else 0.0
    for s in range(states.node.size):
        if not is_met[s]:
            continue
        g = states.node[s]
        first, entry = states.first_edge[s], states.first_entry[s]
        action = states.action_start[g]
        most = load(reach, s, 0)
        for h in range(LANES, width, LANES):
            most = largest(most, load(reach, s, h))
        if not has_positive(most):
            continue
        if states.player[g] != traverser:
            for k in range(states.action_start[g + 1] - action):
                if states.action_kind[action + k] == 0:
                    _add_reach(reach, reach, s, states.children[first + k], width, is_met)
            continue
        n_live = _live_policy(states, seats, sums, traverser, s, block, lo, hi, rows, policy)
        for i in range(n_live):
            k = rows[i]
            for h in range(0, width, LANES):
                store(policy, k, h, load(policy, k, h) * load(reach, s, h))
            at = entry + k * n_hands + lo
            for h in range(n_own):
                sums.cum_policy[at + h] += average_weight * policy[k, h]
            if states.action_kind[action + k] == 0:
                _add_reach(reach, policy, k, states.children[first + k], width, is_met)


@inlined_kernel
def _add_reach(reach: Real, source: Real, row: int, child: int, width: int, is_met: U1) -> None:
    """Add a row to the reach of a child, which begins at 0 where it is met first."""
    for h in range(0, width, LANES):
        x = load(source, row, h)
        if is_met[child]:
            x += load(reach, child, h)
        store(reach, child, h, x)
    is_met[child] = 1


@kernel
def weigh_down(
    states: States,
    twins: Twins,
    seats: Seats,
    sums: Sums,
    traverser: int,
    step: Step,
    opp_reach: OpponentReach,
    block: int,
    lo: int,
    hi: int,
    is_met: U1,
    chance: Real,
    rows: I8,
    policy: F8,
    below: I8,
    carried: F8,
) -> None:
    """How likely the pairs are, if the traverser comes there by what they do with each hand.

    Where different histories lead to what they remember, they came by those that they take. An
    action counts with ``1 - step.own_reach_floor`` times its probability, and
    ``step.own_reach_floor``: with 1, every history counts alike. What is left out is as in
    `regret_up`.

    opp_reach : as `reach_down` has left them
    block, lo, hi : the hands of the traverser that are meant
    is_met : uint8[S], states to which one of them may come, as `average_down` has left it
    chance : float[>= pairs, >= padded hands], modified in place: up to a factor for each hand
    rows : int64[2 * actions], scratch
    policy : float64[> most actions, >= padded hands], scratch
    below : int64[>= M], scratch
    carried : float64[M, >= padded hands], scratch
    """
    width = -(-(hi - lo) // LANES) * LANES
    is_quiet = step.visit_weight == 0.0
    for s in range(states.node.size):
        if is_quiet and not is_met[s]:  # nor will anything be added there
            continue
        for i in range(opp_reach.first_pair[s], opp_reach.first_pair[s + 1]):
            start = opp_reach.reach[0, opp_reach.joint_hand[i]] if s == 0 else 0.0
            for h in range(0, width, LANES):
                store(chance, i, h, spread(1.0) * start)
    for s in range(states.node.size):
        first_pair, last_pair = opp_reach.first_pair[s], opp_reach.first_pair[s + 1]
        g = states.node[s]
        first, action = states.first_edge[s], states.action_start[g]
        is_own = states.player[g] == traverser
        if first_pair == last_pair or (is_quiet and not is_met[s]):
            pass
        elif is_own:
            n_live = _live_policy(states, seats, sums, traverser, s, block, lo, hi, rows, policy)
            least = step.own_reach_floor if is_quiet else 0.0
            for j in range(n_live):
                k = rows[j]
                if states.action_kind[action + k] != 0:
                    continue
                for i in range(first_pair, last_pair):
                    at = opp_reach.pair[states.children[first + k], opp_reach.joint_hand[i]]
                    for h in range(0, width, LANES):
                        taken = load(policy, k, h) * (1.0 - step.own_reach_floor) + least
                        store(chance, at, h, load(chance, at, h) + load(chance, i, h) * taken)
        else:
            for i in range(first_pair, last_pair):
                m = opp_reach.joint_hand[i]
                for j in range(opp_reach.first_move[i], opp_reach.first_move[i + 1]):
                    k, p = opp_reach.action[j], float(opp_reach.prob[j])
                    if states.action_kind[action + k] == 0:
                        at = opp_reach.pair[states.children[first + k], m]
                        if at >= 0:  # as in `regret_up`
                            for h in range(0, width, LANES):
                                store(chance, at, h, load(chance, at, h) + load(chance, i, h) * p)
        if is_own and not is_quiet and twins.group_done[s] >= 0:
            _floor_from_twins(
                states,
                twins,
                step.own_reach_floor,
                opp_reach,
                twins.group_done[s],
                width,
                chance,
                below,
                carried,
            )


@inlined_kernel
def _floor_from_twins(
    states: States,
    twins: Twins,
    own_reach_floor: float,
    opp_reach: OpponentReach,
    group: int,
    width: int,
    chance: Real,
    below: I8,
    carried: F8,
) -> None:
    """Add what trembling carries from all twins to the states behind each raise, which they share.

    A state may have dozens of twins, so that each carrying by itself would be much more work.
    """
    n_joint = opp_reach.pair.shape[1]
    for m in range(n_joint):
        below[m] = 0
    for t in range(twins.first[group], twins.first[group + 1]):
        s = twins.state[t]
        for i in range(opp_reach.first_pair[s], opp_reach.first_pair[s + 1]):
            m = opp_reach.joint_hand[i]
            for h in range(0, width, LANES):
                x = load(chance, i, h) * own_reach_floor
                if below[m]:
                    x += load(carried, m, h)
                store(carried, m, h, x)
            below[m] = 1
    s = twins.state[twins.first[group]]
    first, action = states.first_edge[s], states.action_start[states.node[s]]
    for k in range(states.action_start[states.node[s] + 1] - action):
        if states.action_kind[action + k] != 0:
            continue
        for m in range(n_joint):
            if below[m]:
                at = opp_reach.pair[states.children[first + k], m]
                for h in range(0, width, LANES):
                    store(chance, at, h, load(chance, at, h) + load(carried, m, h))


@kernel
def regret_up(
    states: States,
    seats: Seats,
    sums: Sums,
    traverser: int,
    step: Step,
    others: Others,
    opp_reach: OpponentReach,
    own_matches: F8,
    block: int,
    lo: int,
    hi: int,
    is_met: U1,
    chance: Real,
    value: Real,
    rows: I8,
    policy: F8,
    below: I8,
    weight: F8,
    gain: F8,
) -> None:
    """Add regrets of a block of the traverser's hands against joint hands of the others.

    If ``step.visit_weight`` is 0, what no hand of the block plays is left out.

    others, arrivals : as `reach_down` has left them
    own_matches : float64[C, >= padded hands]: how many dice of each of their hands match
    block, lo, hi : the hands of the traverser that are meant
    is_met : uint8[S], states to which one of them may come, as `average_down` has left it
    chance : float[>= pairs, >= padded hands], as `weigh_down` has left it
    value : float[>= pairs, >= padded hands], modified in place: utility where the others come
    rows : int64[2 * actions], scratch
    policy : float64[> most actions, >= padded hands], scratch
    below : int64[max(M, actions)], scratch
    weight : float64[max(M, actions)], scratch
    gain : float64[2, >= padded hands], scratch
    """
    n_own, n_hands = hi - lo, seats.n_hands[traverser]
    width = -(-n_own // LANES) * LANES
    is_quiet = step.visit_weight == 0.0
    for s in range(states.node.size - 1, -1, -1):  # children have larger ids
        first_pair, last_pair = opp_reach.first_pair[s], opp_reach.first_pair[s + 1]
        if first_pair == last_pair or (is_quiet and not is_met[s]):
            continue
        g = states.node[s]
        if states.player[g] != traverser:
            for i in range(first_pair, last_pair):
                _value_of_others(
                    states,
                    others,
                    opp_reach,
                    own_matches,
                    traverser,
                    s,
                    i,
                    lo,
                    width,
                    below,
                    weight,
                    value,
                )
            continue
        first, entry = states.first_edge[s], states.first_entry[s]
        n = states.action_start[g + 1] - states.action_start[g]
        n_live = _live_policy(states, seats, sums, traverser, s, block, lo, hi, rows, policy)
        total = 0.0
        for h in range(0, width, LANES):
            store(gain, 1, h, spread(0.0))
        for i in range(first_pair, last_pair):
            total += opp_reach.reach[s, opp_reach.joint_hand[i]]
            _value_of_own(
                states,
                others,
                opp_reach,
                own_matches,
                s,
                i,
                lo,
                width,
                n_live,
                rows,
                policy,
                below,
                value,
            )
            for h in range(0, width, LANES):
                store(gain, 1, h, load(gain, 1, h) + load(chance, i, h))
        for h in range(0, width, LANES):
            store(gain, 1, h, invert(load(gain, 1, h)) * total)
        for j in range(n_live if is_quiet else n):
            k = rows[j]
            _gain(
                states, others, opp_reach, own_matches, s, k, lo, width, below, value, chance, gain
            )
            passes = step.regret_weight
            if not is_quiet and not (j < n_live and is_met[s]):
                passes *= step.visit_weight
            at = entry + k * n_hands + lo
            best = 0.0
            for h in range(n_own):
                x = sums.cum_regret[at + h] + passes * gain[0, h]
                if x < 0.0:
                    x *= step.keep_negative
                sums.cum_regret[at + h] = x
                best = max(best, x)
            sums.is_live[block, first + k] = best > 0.0


@inlined_kernel
def _value_of_others(
    states: States,
    others: Others,
    opp_reach: OpponentReach,
    own_matches: F8,
    traverser: int,
    s: int,
    i: int,
    lo: int,
    width: int,
    below: I8,
    weight: F8,
    value: Real,
) -> None:
    """Value of a pair where another player is to act, into its row of ``value``."""
    g, m = states.node[s], opp_reach.joint_hand[i]
    first, action, c = states.first_edge[s], states.action_start[g], states.match_class[g]
    n_below = 0
    is_called = False
    for j in range(opp_reach.first_move[i], opp_reach.first_move[i + 1]):
        k, p = opp_reach.action[j], float(opp_reach.prob[j])
        kind = states.action_kind[action + k]
        if kind == 0:
            at = opp_reach.pair[states.children[first + k], m]
            if at >= 0:  # or the others come there with no chance that can be written
                below[n_below], weight[n_below] = at, p
                n_below += 1
            continue
        need = float(states.quantity[g] - others.matches[c, m])
        hit, miss = _payoffs(states, g, traverser, kind)
        for h in range(0, width, LANES):
            x = _showdown(load(own_matches, c, lo + h), need, kind, hit, miss) * p
            if is_called:
                x += load(value, i, h)
            store(value, i, h, x)
        is_called = True
    for h in range(0, width, LANES):
        x = load(value, i, h) if is_called else spread(0.0)
        for j in range(n_below):
            x += load(value, below[j], h) * weight[j]
        store(value, i, h, x)


@inlined_kernel
def _value_of_own(
    states: States,
    others: Others,
    opp_reach: OpponentReach,
    own_matches: F8,
    s: int,
    i: int,
    lo: int,
    width: int,
    n_live: int,
    rows: I8,
    policy: F8,
    below: I8,
    value: Real,
) -> None:
    """Value of a pair where the traverser is to act, into its row of ``value``."""
    g, m = states.node[s], opp_reach.joint_hand[i]
    first, action, c = states.first_edge[s], states.action_start[g], states.match_class[g]
    need = float(states.quantity[g] - others.matches[c, m])
    for j in range(n_live):
        if states.action_kind[action + rows[j]] == 0:
            below[j] = opp_reach.pair[states.children[first + rows[j]], m]
    for h in range(0, width, LANES):
        x = spread(0.0)
        for j in range(n_live):
            kind = states.action_kind[action + rows[j]]
            if kind == 0:
                x += load(value, below[j], h) * load(policy, rows[j], h)
            else:
                hit, miss = _payoffs(states, g, states.player[g], kind)
                matches = load(own_matches, c, lo + h)
                x += _showdown(matches, need, kind, hit, miss) * load(policy, rows[j], h)
        store(value, i, h, x)


@inlined_kernel
def _gain(
    states: States,
    others: Others,
    opp_reach: OpponentReach,
    own_matches: F8,
    s: int,
    k: int,
    lo: int,
    width: int,
    below: I8,
    value: Real,
    chance: Real,
    gain: F8,
) -> None:
    """Regret of an action, into row 0 of ``gain``; row 1 is what chances are multiplied by.

    Differences come first: what is worth the same is no regret at all, not a rounding error.
    """
    g, first_pair = states.node[s], opp_reach.first_pair[s]
    n_pairs = opp_reach.first_pair[s + 1] - first_pair
    kind = states.action_kind[states.action_start[g] + k]
    if kind == 0:
        child = states.children[states.first_edge[s] + k]
        for i in range(n_pairs):
            below[i] = opp_reach.pair[child, opp_reach.joint_hand[first_pair + i]]
        for h in range(0, width, LANES):
            store(gain, 0, h, spread(0.0))
        for i in range(n_pairs):  # one row after the other, since they lie far apart
            for h in range(0, width, LANES):
                more = load(value, below[i], h) - load(value, first_pair + i, h)
                x = load(gain, 0, h) + more * load(chance, first_pair + i, h)
                store(gain, 0, h, x)
        for h in range(0, width, LANES):
            store(gain, 0, h, load(gain, 0, h) * load(gain, 1, h))
        return
    c = states.match_class[g]
    hit, miss = _payoffs(states, g, states.player[g], kind)
    for h in range(0, width, LANES):
        matches = load(own_matches, c, lo + h)
        x = spread(0.0)
        for i in range(n_pairs):
            need = float(
                states.quantity[g] - others.matches[c, opp_reach.joint_hand[first_pair + i]]
            )
            utility = _showdown(matches, need, kind, hit, miss)
            more = utility - load(value, first_pair + i, h)
            x += more * load(chance, first_pair + i, h)
        store(gain, 0, h, x * load(gain, 1, h))


@inlined_kernel
def _payoffs(states: States, g: int, traverser: int, kind: int) -> tuple[float, float]:
    """What the traverser gets if the bid that is called holds, or holds exactly; and if not."""
    caller = states.player[g]
    hit, miss = (1, 0) if kind == 1 else (2, 3)
    return states.payoff[hit, caller, traverser], states.payoff[miss, caller, traverser]


@inlined_kernel
def _showdown(matches: F8, need: float, kind: int, hit: float, miss: float) -> F8:
    """Utility of a call for lanes of hands with so many matches, if so many are needed."""
    more = matches - need
    if kind == 1:
        return choose_by_sign(more + 0.5, hit, miss)
    return choose_by_sign(more * more * -1.0 + 0.25, hit, miss)
