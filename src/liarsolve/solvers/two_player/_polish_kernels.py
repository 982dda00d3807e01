"""What `polish` needs of a tree: which actions are nearly best, and the entries of a program.

A child has a larger id than its parent, so a loop over states in order meets parents first, and
one in reverse order meets them last. Rows over hands are padded to whole lanes in the tables of
the calls (`PassGraph`) alone.
"""

from typing import NamedTuple

from liarsolve._jit import inlined_kernel, kernel
from liarsolve._typing import B1, F8, I4, I8
from liarsolve.solvers.two_player._pass_kernels import PassGraph

NOTHING = -1
"""In place of a row or column that the program does not have."""


class Entries(NamedTuple):
    """Entries (row, column, coefficient) of a sparse matrix, and how many of everything there are.

    The arrays may be shorter than what is to be written: the rest is counted only.
    """

    row: I4
    column: I4
    coefficient: F8
    is_equality: B1  # by row: 0 on the right for all of them, the others are >= 0
    n_used: I8  # int64[3]: entries, rows, columns


@inlined_kernel
def _add_call(
    graph: PassGraph, leaf: int, reach: F8, row: int, n_opp: int, n_own: int, value: F8, at: int
) -> None:
    """Add what a call pays to each hand of the responder, row ``at`` of ``value``."""
    first = leaf * (graph.n_matches + 1)
    mass = 0.0
    for h in range(n_opp):
        mass += reach[row, h]
    for h in range(n_own):
        value[at, h] += mass * graph.payoff[first, h]
    for m in range(graph.n_matches):
        matching = 0.0
        for h in range(n_opp):
            matching += reach[row, h] * graph.is_match[graph.first_match[leaf] + m, h]
        if matching != 0.0:
            for h in range(n_own):
                value[at, h] += matching * graph.payoff[first + m + 1, h]


@kernel
def carry_reach(
    player: I8,
    node: I4,
    first_edge: I8,
    n_actions: I8,
    own: I4,
    other: I4,
    p: int,
    policy: F8,
    perturbation: float,
    reach: F8,
) -> None:
    """Chance of each hand of player ``p`` times his own actions, at every state.

    node, first_edge : [S], of the tree; player, n_actions : [G], of the graph
    own, other : int32[E], children of the edges of ``p`` and of the other player
    policy : float64[E, H] of ``p``
    perturbation : share of each policy that is spread over all actions
    reach : float64[S, H], modified in place; row 0 is set
    """
    for s in range(node.size):
        n, first = n_actions[node[s]], first_edge[s]
        for e in range(first, first + n):
            if player[node[s]] == p:
                if own[e] >= 0:
                    for h in range(reach.shape[1]):
                        x = (1.0 - perturbation) * policy[e, h] + perturbation / n
                        reach[own[e], h] = reach[s, h] * x
            elif other[e] >= 0:
                reach[other[e]] = reach[s]


@kernel
def mark_near_best(
    graph: PassGraph,
    node: I4,
    first_edge: I8,
    own: I4,
    other: I4,
    responder: int,
    policy: F8,
    perturbation: float,
    reach: F8,
    slack: float,
    value: F8,
    action_value: F8,
    is_near: B1,
) -> None:
    """Mark the actions that leave a hand of the responder little less than his best one.

    own, other : int32[E], children of the edges of the responder and of the other player
    policy : float64[E, H] of the other player; ``perturbation`` as for `carry_reach`
    reach : float64[S, H] of the other player, from `carry_reach`
    slack : what "little" is, for each unit of the other's reach
    value : float64[S, H] of the responder and float64[actions, H], overwritten
    is_near : bool[E, H] of the responder, modified in place: no mark is taken away
    """
    n_own, n_opp = value.shape[1], reach.shape[1]
    weighed = reach[:1].copy()
    for s in range(node.size - 1, -1, -1):
        g, first = node[s], first_edge[s]
        start = graph.action_start[g]
        n = graph.action_start[g + 1] - start
        mass = reach[s].sum()
        if graph.player[g] != responder:
            value[s] = 0.0
            for k in range(n):
                if graph.leaf[start + k] >= 0:
                    for h in range(n_opp):
                        x = (1.0 - perturbation) * policy[first + k, h] + perturbation / n
                        weighed[0, h] = reach[s, h] * x
                    _add_call(graph, graph.leaf[start + k], weighed, 0, n_opp, n_own, value, s)
                elif other[first + k] >= 0:
                    value[s] += value[other[first + k]]
            continue
        value[s] = graph.least * mass
        for k in range(n):
            if graph.leaf[start + k] >= 0:
                action_value[k] = 0.0
                _add_call(graph, graph.leaf[start + k], reach, s, n_opp, n_own, action_value, k)
            elif own[first + k] >= 0:
                action_value[k] = value[own[first + k]]
            else:  # nobody knows what it is worth
                action_value[k] = 2.0 * graph.least * mass
            for h in range(n_own):
                value[s, h] = max(value[s, h], action_value[k, h])
        for k in range(n):
            if graph.leaf[start + k] >= 0 or own[first + k] >= 0:
                for h in range(n_own):
                    if value[s, h] - action_value[k, h] <= slack * mass:
                        is_near[first + k, h] = True


@kernel
def mark_tight(
    graph: PassGraph,
    node: I4,
    first_edge: I8,
    own: I4,
    other: I4,
    responder: int,
    policy: F8,
    reach: F8,
    slack: float,
    value: F8,
    action_value: F8,
    is_met: B1,
    is_tight: B1,
) -> None:
    """Mark the actions of best responses, at all states to which best responses lead.

    own, other : int32[E], children of the edges of the responder and of the other player
    policy, reach : float64[E, H] and float64[S, H] of the other player
    slack : what an action may be worth less than the best one; but no more than a small part of the
        other's reach, or all actions would do where hardly anybody comes
    value, action_value : float64[S, H] and float64[E, H] of the responder, overwritten
    is_met : bool[S, H] of the responder, all false, overwritten
    is_tight : bool[E, H] of the responder, all false, modified in place
    """
    n_own, n_opp = value.shape[1], reach.shape[1]
    weighed = reach[:1].copy()
    for s in range(node.size - 1, -1, -1):
        g, first = node[s], first_edge[s]
        start = graph.action_start[g]
        n = graph.action_start[g + 1] - start
        if graph.player[g] != responder:
            value[s] = 0.0
            for k in range(n):
                if graph.leaf[start + k] >= 0:
                    for h in range(n_opp):
                        weighed[0, h] = reach[s, h] * policy[first + k, h]
                    _add_call(graph, graph.leaf[start + k], weighed, 0, n_opp, n_own, value, s)
                elif other[first + k] >= 0:
                    value[s] += value[other[first + k]]
            continue
        value[s] = 2.0 * graph.least * reach[s].sum()
        for k in range(n):
            if graph.leaf[start + k] >= 0:
                action_value[first + k] = 0.0
                _add_call(
                    graph, graph.leaf[start + k], reach, s, n_opp, n_own, action_value, first + k
                )
            elif own[first + k] >= 0:
                action_value[first + k] = value[own[first + k]]
            else:  # nobody knows what it is worth
                continue
            for h in range(n_own):
                value[s, h] = max(value[s, h], action_value[first + k, h])
    is_met[0] = True
    for s in range(node.size):
        g, first = node[s], first_edge[s]
        start = graph.action_start[g]
        mass = reach[s].sum()
        for k in range(graph.action_start[g + 1] - start):
            if graph.player[g] != responder:
                if other[first + k] >= 0:
                    is_met[other[first + k]] = is_met[s]
            elif graph.leaf[start + k] >= 0 or own[first + k] >= 0:
                for h in range(n_own):
                    less = value[s, h] - action_value[first + k, h]
                    if is_met[s, h] and less <= min(slack, 1e-4 * mass):
                        is_tight[first + k, h] = True
                if own[first + k] >= 0:
                    is_met[own[first + k]] = is_tight[first + k]


@inlined_kernel
def _add(entries: Entries, row: int, column: int, coefficient: float) -> None:
    i = entries.n_used[0]
    if i < entries.row.size:
        entries.row[i], entries.column[i] = row, column
        entries.coefficient[i] = coefficient
    entries.n_used[0] += 1


@inlined_kernel
def _new_row(entries: Entries, is_equality: bool) -> int:
    row = entries.n_used[1]
    if row < entries.is_equality.size:
        entries.is_equality[row] = is_equality
    entries.n_used[1] += 1
    return int(row)


@inlined_kernel
def _new_column(entries: Entries) -> int:
    entries.n_used[2] += 1
    return int(entries.n_used[2] - 1)


@inlined_kernel
def _add_call_entries(
    graph: PassGraph, leaf: int, sequence: I4, at: int, into: I4, into_row: int, entries: Entries
) -> None:
    """Take what a call pays from rows of the other's hands.

    sequence : int32[., H of the leader], columns of his weights in row ``at``
    into : int32[., H of the other], rows of the program in row ``into_row``
    """
    first = leaf * (graph.n_matches + 1)
    first_match = graph.first_match[leaf]
    n_own, n_other = sequence.shape[1], into.shape[1]
    n_hands = 0
    for h in range(n_own):
        n_hands += sequence[at, h] != NOTHING
    if n_hands <= graph.n_matches + 1:
        for h in range(n_own):
            if sequence[at, h] == NOTHING:
                continue
            for i in range(n_other):
                payoff = graph.payoff[first, i]
                for m in range(graph.n_matches):
                    payoff += graph.is_match[first_match + m, h] * graph.payoff[first + m + 1, i]
                if into[into_row, i] != NOTHING and payoff != 0.0:
                    _add(entries, into[into_row, i], sequence[at, h], -payoff)
        return
    # The leader's weights, summed by how many of his dice match, keep the rows short.
    for m in range(graph.n_matches + 1):
        column, row = NOTHING, NOTHING
        for h in range(n_own):
            is_in = m == 0 or graph.is_match[first_match + m - 1, h] != 0.0
            if sequence[at, h] != NOTHING and is_in:
                if column == NOTHING:
                    column, row = _new_column(entries), _new_row(entries, True)
                    _add(entries, row, column, -1.0)
                _add(entries, row, sequence[at, h], 1.0)
        if column == NOTHING:
            continue
        for h in range(n_other):
            payoff = graph.payoff[first + m, h]
            if into[into_row, h] != NOTHING and payoff != 0.0:
                _add(entries, into[into_row, h], column, -payoff)


@kernel
def list_entries(
    graph: PassGraph,
    most: float,
    node: I4,
    first_edge: I8,
    own: I4,
    other: I4,
    leader: int,
    is_allowed: B1,
    is_answer: B1,
    sequence: I4,
    answer: I4,
    edge_column: I4,
    entries: Entries,
) -> None:
    """Write the program of the leader: see `polish`.

    graph, most : as the other player, who answers, sees it, and the most that he can win
    own, other : int32[E], children of the edges of the leader and of the other player
    is_allowed : bool[E, H] of the leader: which actions his hands may take
    is_answer : bool[E, H] of the other player: which of his actions are held against the leader
    sequence : int32[S, H] of the leader, overwritten: column of the weight with which he comes to a
        state; its first row must be columns 0 to H - 1
    answer : int32[S, H] of the other player, overwritten: column of what he gets from there on,
        where he is to act; row that it is taken from, where the leader is
    edge_column : int32[E, H] of the leader, overwritten: column of the weight of an action
    """
    n_own, n_other = sequence.shape[1], answer.shape[1]
    sequence[1:] = NOTHING
    answer[:] = NOTHING
    edge_column[:] = NOTHING
    entries.n_used[0] = entries.n_used[1] = 0
    entries.n_used[2] = n_own + n_other
    for h in range(n_other):  # what the answers are worth in all; the sum of these is minimised
        answer[0, h] = n_own + h
        if graph.player[node[0]] == leader:
            answer[0, h] = _new_row(entries, False)
            _add(entries, answer[0, h], n_own + h, 1.0)
    for s in range(node.size):
        g, first = node[s], first_edge[s]
        start = graph.action_start[g]
        if graph.player[g] != leader:
            for h in range(n_other):
                has_answer = False
                for k in range(graph.action_start[g + 1] - start):
                    has_answer |= is_answer[first + k, h]
                if answer[s, h] != NOTHING and not has_answer:
                    # Nobody knows what there is to answer, so the leader should stay away.
                    row = _new_row(entries, False)
                    _add(entries, row, answer[s, h], 1.0)
                    for i in range(n_own):
                        if sequence[s, i] != NOTHING:
                            _add(entries, row, sequence[s, i], -most)
            for k in range(graph.action_start[g + 1] - start):
                rows = answer[s : s + 1].copy()
                for h in range(n_other):
                    if answer[s, h] != NOTHING:
                        rows[0, h] = NOTHING
                        if is_answer[first + k, h]:
                            rows[0, h] = _new_row(entries, False)
                            _add(entries, rows[0, h], answer[s, h], 1.0)
                if graph.leaf[start + k] >= 0:
                    _add_call_entries(graph, graph.leaf[start + k], sequence, s, rows, 0, entries)
                elif other[first + k] >= 0:
                    answer[other[first + k]] = rows[0]
                    sequence[other[first + k]] = sequence[s]
            continue
        balance = sequence[s : s + 1].copy()  # rows: what comes to the state goes on from there
        is_met = False
        for h in range(n_other):
            is_met |= answer[s, h] != NOTHING
        for h in range(n_own):
            if sequence[s, h] != NOTHING and is_met:
                balance[0, h] = _new_row(entries, True)
                _add(entries, balance[0, h], sequence[s, h], -1.0)
        for k in range(graph.action_start[g + 1] - start):
            if not is_met:
                break
            columns = sequence[s : s + 1].copy()
            is_played = False
            for h in range(n_own):
                if sequence[s, h] == NOTHING:
                    continue
                columns[0, h] = NOTHING
                if is_allowed[first + k, h]:
                    is_played = True
                    columns[0, h] = edge_column[first + k, h] = _new_column(entries)
                    _add(entries, balance[0, h], columns[0, h], 1.0)
            if not is_played:
                continue
            if graph.leaf[start + k] >= 0:
                _add_call_entries(graph, graph.leaf[start + k], columns, 0, answer, s, entries)
            elif own[first + k] >= 0:
                sequence[own[first + k]] = columns[0]
                for h in range(n_other):
                    if answer[s, h] != NOTHING:
                        column = _new_column(entries)
                        _add(entries, answer[s, h], column, -1.0)
                        answer[own[first + k], h] = column
