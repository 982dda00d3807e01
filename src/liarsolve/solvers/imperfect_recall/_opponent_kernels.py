"""How the other players come to merged states with given hands, and what they do there."""

from liarsolve._jit import inlined_kernel, kernel
from liarsolve._typing import F8, I8, U1, Real
from liarsolve.solvers.imperfect_recall._cfr_records import (
    MoveScratch,
    OpponentReach,
    Others,
    States,
    Table,
    Twins,
)


@kernel
def reach_down(
    table: Table,
    traverser: int,
    others: Others,
    opp_reach: OpponentReach,
    is_met: U1,
    scratch: MoveScratch,
    progress: I8,
    n_work: int,
) -> int:
    """Chance that the others come to each state with their joint hands, and what they do there.

    It is a sum over all histories to the state, whatever the traverser does on them. If
    ``opp_reach`` has no room for all moves, those beyond are not written. Returns the state to go
    on from; all is done if that is the number of states.

    opp_reach : modified in place; on entry row 0 of ``reach`` is set, and the others are 0
    is_met : uint8[S], states that are wanted; where one is not, no state behind it is either
    progress : int64[3], modified in place: states, pairs and moves that are done
    n_work : additions of one reach after which there is a pause
    """
    states, twins, probs = table.states, table.twins, scratch.prob
    reach, pair, first_move = opp_reach.reach, opp_reach.pair, opp_reach.first_move
    n_joint = others.place.shape[1]
    n_pairs, n_moves = progress[1], progress[2]
    for s in range(progress[0], states.node.size):
        opp_reach.first_pair[s] = n_pairs
        if n_work <= 0:
            progress[0], progress[1], progress[2] = s, n_pairs, n_moves
            return int(s)
        n_work -= n_joint
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
                group = twins.group_done[s]
                _reach_from_twins(states, twins, group, is_met, reach, scratch.carried)
                n_work -= n_joint * (twins.first[group + 1] - twins.first[group])
            continue
        if n_pairs == opp_reach.first_pair[s]:
            continue
        for d in range(others.n_hands[player]):
            scratch.n_moves_of[d] = -1
        for i in range(opp_reach.first_pair[s], n_pairs):
            first_move[i] = n_moves
            m = opp_reach.joint_hand[i]
            d = others.place[player, m]
            if scratch.n_moves_of[d] < 0:
                scratch.n_moves_of[d] = _moves(table, others, s, d, scratch)
                n_work -= states.action_start[g + 1] - action
            n_work -= scratch.n_moves_of[d]
            for j in range(scratch.n_moves_of[d]):
                k = scratch.action[d, j]
                if n_moves < opp_reach.action.size:
                    opp_reach.action[n_moves], opp_reach.prob[n_moves] = k, probs[d, j]
                n_moves += 1
                if states.action_kind[action + k] == 0:
                    reach[states.children[first + k], m] += reach[s, m] * probs[d, j]
    opp_reach.first_pair[states.node.size] = n_pairs
    first_move[n_pairs] = n_moves
    progress[0], progress[1], progress[2] = states.node.size, n_pairs, n_moves
    return int(states.node.size)


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
def _moves(table: Table, others: Others, s: int, d: int, scratch: MoveScratch) -> int:
    """What the player to act does with a hand: in proportion to positive regrets, or the default.

    scratch : ``action`` and ``prob`` are modified in place in row ``d``: what they may do, and how
        likely; returns how many these are
    """
    states, seats, sums = table.states, table.seats, table.sums
    actions, probs = scratch.action, scratch.prob
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
