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
from liarsolve._typing import F8, U1, Real
from liarsolve.solvers.imperfect_recall._cfr_records import (
    Block,
    BlockScratch,
    OpponentReach,
    Others,
    States,
    Step,
    Table,
)


@inlined_kernel
def _live_policy(table: Table, block: Block, s: int, scratch: BlockScratch) -> int:
    """Policy of a block of the traverser's hands, in the rows that are not all 0.

    Few are: nine rows in ten, and more, are left out in a large round. Returns their number.

    scratch : ``rows`` is modified in place: first these rows, then the others; and ``policy``
        there, where the row after the last action is scratch
    """
    states, seats, sums = table.states, table.seats, table.sums
    lo, hi, rows, out = block.lo, block.hi, scratch.rows, scratch.policy
    g, first = states.node[s], states.first_edge[s]
    n = states.action_start[g + 1] - states.action_start[g]
    n_hands = seats.n_hands[block.traverser]
    for h in range(hi - lo):
        out[n, h] = 0.0
    for k in range(n):
        rows[n + k] = sums.is_live[block.number, first + k]
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


@inlined_kernel
def _padded(block: Block) -> int:
    """Numbers in a row for the hands of a block, in whole lanes."""
    return int(-(-(block.hi - block.lo) // LANES) * LANES)


@kernel
def average_down(
    table: Table,
    block: Block,
    average_weight: float,
    scratch: BlockScratch,
    start: int,
    n_work: int,
) -> int:
    """Add the traverser's policy to their average, weighted by how their hands come to each state.

    That is a sum over all histories to the state, whatever the others do on them. Returns the state
    to go on from; all is done if that is the number of states.

    block : ``is_met`` is 0 when it begins, and modified in place
    scratch : ``reach`` is kept until all is done
    n_work : numbers of rows after which there is a pause
    """
    states, reach, policy = table.states, scratch.reach, scratch.policy
    traverser, is_met = block.traverser, block.is_met
    n_hands, n_own = table.seats.n_hands[traverser], block.hi - block.lo
    width = _padded(block)
    if start == 0:
        is_met[0] = 1
        for h in range(width):
            reach[0, h] = 1.0 if h < n_own else 0.0
    for s in range(start, states.node.size):
        if n_work <= 0:
            return int(s)
        n_work -= 1
        if not is_met[s]:
            continue
        g = states.node[s]
        first, entry = states.first_edge[s], states.first_entry[s]
        action = states.action_start[g]
        n_work -= (states.action_start[g + 1] - action) * width
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
        n_live = _live_policy(table, block, s, scratch)
        for i in range(n_live):
            k = scratch.rows[i]
            for h in range(0, width, LANES):
                store(policy, k, h, load(policy, k, h) * load(reach, s, h))
            at = entry + k * n_hands + block.lo
            for h in range(n_own):
                table.sums.cum_policy[at + h] += average_weight * policy[k, h]
            if states.action_kind[action + k] == 0:
                _add_reach(reach, policy, k, states.children[first + k], width, is_met)
    return int(states.node.size)


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
def clear_chance(
    table: Table,
    block: Block,
    step: Step,
    opp_reach: OpponentReach,
    chance: Real,
    start: int,
    n_work: int,
) -> int:
    """Set the chances of pairs to what they are at the start of the round, for `weigh_down`.

    Returns the state to go on from, as `average_down` does.

    chance : float[>= pairs, >= padded hands], modified in place
    """
    width = _padded(block)
    is_quiet = step.visit_weight == 0.0
    for s in range(start, table.states.node.size):
        if n_work <= 0:
            return int(s)
        n_work -= 1
        if is_quiet and not block.is_met[s]:  # nor will anything be added there
            continue
        n_work -= (opp_reach.first_pair[s + 1] - opp_reach.first_pair[s]) * width
        for i in range(opp_reach.first_pair[s], opp_reach.first_pair[s + 1]):
            at_start = opp_reach.reach[0, opp_reach.joint_hand[i]] if s == 0 else 0.0
            for h in range(0, width, LANES):
                store(chance, i, h, spread(1.0) * at_start)
    return int(table.states.node.size)


@kernel
def weigh_down(
    table: Table,
    block: Block,
    step: Step,
    opp_reach: OpponentReach,
    scratch: BlockScratch,
    start: int,
    n_work: int,
) -> int:
    """How likely the pairs are, if the traverser comes there by what they do with each hand.

    Where different histories lead to what they remember, they came by those that they take. An
    action counts with ``1 - step.own_reach_floor`` times its probability, and
    ``step.own_reach_floor``: with 1, every history counts alike. What is left out is as in
    `regret_up`. Returns the state to go on from, as `average_down` does.

    block : ``is_met`` as `average_down` has left it
    opp_reach : as `reach_down` has left them
    scratch : ``chance`` is modified in place: as `clear_chance` has left it when it begins
    n_work : numbers of rows after which there is a pause
    """
    states, twins, chance, is_met = table.states, table.twins, scratch.chance, block.is_met
    width = _padded(block)
    is_quiet = step.visit_weight == 0.0
    for s in range(start, states.node.size):
        if n_work <= 0:
            return int(s)
        n_work -= 1
        first_pair, last_pair = opp_reach.first_pair[s], opp_reach.first_pair[s + 1]
        g = states.node[s]
        first, action = states.first_edge[s], states.action_start[g]
        is_own = states.player[g] == block.traverser
        if first_pair == last_pair or (is_quiet and not is_met[s]):
            pass
        elif is_own:
            n_live = _live_policy(table, block, s, scratch)
            n_work -= (states.action_start[g + 1] - action) * width
            n_work -= (last_pair - first_pair) * n_live * width
            least = step.own_reach_floor if is_quiet else 0.0
            for j in range(n_live):
                k = scratch.rows[j]
                if states.action_kind[action + k] != 0:
                    continue
                for i in range(first_pair, last_pair):
                    at = opp_reach.pair[states.children[first + k], opp_reach.joint_hand[i]]
                    for h in range(0, width, LANES):
                        taken = load(scratch.policy, k, h) * (1.0 - step.own_reach_floor) + least
                        store(chance, at, h, load(chance, at, h) + load(chance, i, h) * taken)
        else:
            n_work -= (opp_reach.first_move[last_pair] - opp_reach.first_move[first_pair]) * width
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
            n_work -= _floor_from_twins(
                table, step.own_reach_floor, opp_reach, twins.group_done[s], width, scratch
            )
    return int(states.node.size)


@inlined_kernel
def _floor_from_twins(
    table: Table,
    own_reach_floor: float,
    opp_reach: OpponentReach,
    group: int,
    width: int,
    scratch: BlockScratch,
) -> int:
    """Add what trembling carries from all twins to the states behind each raise, which they share.

    A state may have dozens of twins, so that each carrying by itself would be much more work.
    Returns how much it was, in numbers of rows.
    """
    states, twins = table.states, table.twins
    chance, below, carried = scratch.chance, scratch.below, scratch.carried
    n_joint = opp_reach.pair.shape[1]
    n_rows = n_joint
    for m in range(n_joint):
        below[m] = 0
    for t in range(twins.first[group], twins.first[group + 1]):
        s = twins.state[t]
        n_rows += opp_reach.first_pair[s + 1] - opp_reach.first_pair[s]
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
        n_rows += n_joint
        for m in range(n_joint):
            if below[m]:
                at = opp_reach.pair[states.children[first + k], m]
                for h in range(0, width, LANES):
                    store(chance, at, h, load(chance, at, h) + load(carried, m, h))
    return int(n_rows * width)


@kernel
def regret_up(
    table: Table,
    block: Block,
    step: Step,
    others: Others,
    opp_reach: OpponentReach,
    scratch: BlockScratch,
    start: int,
    n_work: int,
) -> int:
    """Add regrets of a block of the traverser's hands against joint hands of the others.

    If ``step.visit_weight`` is 0, what no hand of the block plays is left out. It begins with the
    number of states as ``start``, and returns the state before which to go on; all is done if that
    is 0.

    block : ``is_met`` as `average_down` has left it
    others, opp_reach : as `reach_down` has left them
    scratch : ``chance`` as `weigh_down` has left it; ``value`` is modified in place, and kept until
        all is done
    n_work : numbers of rows after which there is a pause
    """
    states, sums, gain, chance = table.states, table.sums, scratch.gain, scratch.chance
    n_own, n_hands = block.hi - block.lo, table.seats.n_hands[block.traverser]
    width = _padded(block)
    is_quiet = step.visit_weight == 0.0
    for s in range(start - 1, -1, -1):  # children have larger ids
        if n_work <= 0:
            return int(s) + 1
        n_work -= 1
        first_pair, last_pair = opp_reach.first_pair[s], opp_reach.first_pair[s + 1]
        if first_pair == last_pair or (is_quiet and not block.is_met[s]):
            continue
        g = states.node[s]
        if states.player[g] != block.traverser:
            n_work -= (opp_reach.first_move[last_pair] - opp_reach.first_move[first_pair]) * width
            for i in range(first_pair, last_pair):
                _value_of_others(table, block, others, opp_reach, s, i, scratch)
            continue
        first, entry = states.first_edge[s], states.first_entry[s]
        n = states.action_start[g + 1] - states.action_start[g]
        n_live = _live_policy(table, block, s, scratch)
        total = 0.0
        for h in range(0, width, LANES):
            store(gain, 1, h, spread(0.0))
        for i in range(first_pair, last_pair):
            total += opp_reach.reach[s, opp_reach.joint_hand[i]]
            _value_of_own(table, block, others, opp_reach, s, i, n_live, scratch)
            for h in range(0, width, LANES):
                store(gain, 1, h, load(gain, 1, h) + load(chance, i, h))
        for h in range(0, width, LANES):
            store(gain, 1, h, invert(load(gain, 1, h)) * total)
        n_tried = n_live if is_quiet else n
        n_work -= (n + (last_pair - first_pair) * (n_live + n_tried)) * width
        for j in range(n_tried):
            k = scratch.rows[j]
            _gain(table, block, others, opp_reach, s, k, scratch)
            passes = step.regret_weight
            if not is_quiet and not (j < n_live and block.is_met[s]):
                passes *= step.visit_weight
            at = entry + k * n_hands + block.lo
            best = 0.0
            for h in range(n_own):
                x = sums.cum_regret[at + h] + passes * gain[0, h]
                if x < 0.0:
                    x *= step.keep_negative
                sums.cum_regret[at + h] = x
                best = max(best, x)
            sums.is_live[block.number, first + k] = best > 0.0
    return 0


@inlined_kernel
def _value_of_others(
    table: Table,
    block: Block,
    others: Others,
    opp_reach: OpponentReach,
    s: int,
    i: int,
    scratch: BlockScratch,
) -> None:
    """Value of a pair where another player is to act, into its row of ``value``."""
    states, lo, width = table.states, block.lo, _padded(block)
    below, weight, value = scratch.below, scratch.weight, scratch.value
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
        hit, miss = _payoffs(states, g, block.traverser, kind)
        for h in range(0, width, LANES):
            x = _showdown(load(block.matches, c, lo + h), need, kind, hit, miss) * p
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
    table: Table,
    block: Block,
    others: Others,
    opp_reach: OpponentReach,
    s: int,
    i: int,
    n_live: int,
    scratch: BlockScratch,
) -> None:
    """Value of a pair where the traverser is to act, into its row of ``value``."""
    states, lo, width = table.states, block.lo, _padded(block)
    rows, policy, below, value = scratch.rows, scratch.policy, scratch.below, scratch.value
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
                matches = load(block.matches, c, lo + h)
                x += _showdown(matches, need, kind, hit, miss) * load(policy, rows[j], h)
        store(value, i, h, x)


@inlined_kernel
def _gain(
    table: Table,
    block: Block,
    others: Others,
    opp_reach: OpponentReach,
    s: int,
    k: int,
    scratch: BlockScratch,
) -> None:
    """Regret of an action, into row 0 of ``gain``; row 1 is what chances are multiplied by.

    Differences come first: what is worth the same is no regret at all, not a rounding error.
    """
    states, lo, width = table.states, block.lo, _padded(block)
    below, value, chance, gain = scratch.below, scratch.value, scratch.chance, scratch.gain
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
        matches = load(block.matches, c, lo + h)
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
