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


class SeenTree(NamedTuple):
    """The tree as the programs of one player see it."""

    player: int
    node: I4  # int32[S]: graph node of each state
    first_edge: I8  # int64[S]: first edge, among those of the player to act
    own: I4  # int32[E]: states to which the player's edges lead, negative where there is none
    other: I4  # int32[E]: those to which the other player's edges lead


class Opponent(NamedTuple):
    """How the other player acts."""

    policy: F8  # float64[E, H]
    perturbation: float  # share of each policy that is spread over all actions
    reach: F8  # float64[S, H], from `carry_reach`


class Choice(NamedTuple):
    """Which actions a program is about."""

    is_allowed: B1  # bool[E, H] of the leader: which actions their hands may take
    is_answer: B1  # bool[E, H] of the other player: which actions are held against the leader


class Columns(NamedTuple):
    """Where the columns and rows of a program are; all are overwritten by `list_entries`."""

    sequence: I4
    """int32[S, H] of the leader: column of the weight with which they come to a state; its first
    row must be columns 0 to H - 1."""
    answer: I4
    """int32[S, H] of the other player: column of what they get from there on, where they are to
    act; row that it is taken from, where the leader is."""
    of_edge: I4
    """int32[E, H] of the leader: column of the weight of an action."""


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
    mover: I8, n_actions: I8, tree: SeenTree, policy: F8, perturbation: float, reach: F8
) -> None:
    """Chance of each hand of ``tree.player`` times their own actions, at every state.

    mover, n_actions : int64[G], of the bid graph: who acts, and among how many actions
    policy : float64[E, H] of the player
    perturbation : share of each policy that is spread over all actions
    reach : float64[S, H], modified in place; row 0 is set
    """
    own, other = tree.own, tree.other
    for s in range(tree.node.size):
        n, first = n_actions[tree.node[s]], tree.first_edge[s]
        for e in range(first, first + n):
            if mover[tree.node[s]] == tree.player:
                if own[e] >= 0:
                    for h in range(reach.shape[1]):
                        x = (1.0 - perturbation) * policy[e, h] + perturbation / n
                        reach[own[e], h] = reach[s, h] * x
            elif other[e] >= 0:
                reach[other[e]] = reach[s]


@inlined_kernel
def _add_replies(
    graph: PassGraph, tree: SeenTree, opponent: Opponent, s: int, weighed: F8, value: F8
) -> None:
    """Value of each hand of ``tree.player`` at state ``s``, where the opponent is to act.

    weighed : float64[1, H] of the opponent, scratch
    value : float64[S, H], row ``s`` is modified in place
    """
    n_own, n_opp = value.shape[1], weighed.shape[1]
    start, first = graph.action_start[tree.node[s]], tree.first_edge[s]
    n = graph.action_start[tree.node[s] + 1] - start
    value[s] = 0.0
    for k in range(n):
        leaf, child = graph.leaf[start + k], tree.other[first + k]
        if leaf >= 0:
            for h in range(n_opp):
                x = (1.0 - opponent.perturbation) * opponent.policy[first + k, h]
                weighed[0, h] = opponent.reach[s, h] * (x + opponent.perturbation / n)
            _add_call(graph, leaf, weighed, 0, n_opp, n_own, value, s)
        elif child >= 0:
            value[s] += value[child]


@kernel
def mark_near_best(
    graph: PassGraph,
    tree: SeenTree,
    opponent: Opponent,
    slack: float,
    value: F8,
    action_value: F8,
    is_near: B1,
) -> None:
    """Mark the actions that leave a hand of ``tree.player`` little less than its best one.

    slack : what "little" is, for each unit of the opponent's reach
    value : float64[S, H] of the player and float64[actions, H], overwritten
    is_near : bool[E, H] of the player, modified in place: no mark is taken away
    """
    reach, own = opponent.reach, tree.own
    n_own, n_opp = value.shape[1], reach.shape[1]
    weighed = reach[:1].copy()
    for s in range(tree.node.size - 1, -1, -1):
        g, first = tree.node[s], tree.first_edge[s]
        start = graph.action_start[g]
        n = graph.action_start[g + 1] - start
        if graph.player[g] != tree.player:
            _add_replies(graph, tree, opponent, s, weighed, value)
            continue
        mass = reach[s].sum()
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
    tree: SeenTree,
    opponent: Opponent,
    slack: float,
    value: F8,
    action_value: F8,
    is_met: B1,
    is_tight: B1,
) -> None:
    """Mark the actions of best responses, at all states to which best responses lead.

    slack : what an action may be worth less than the best one; but no more than a small part of the
        opponent's reach, or all actions would do where hardly anybody comes
    value, action_value : float64[S, H] and float64[E, H] of ``tree.player``, overwritten
    is_met : bool[S, H] of the player, all false, overwritten
    is_tight : bool[E, H] of the player, all false, modified in place
    """
    reach, own = opponent.reach, tree.own
    n_own, n_opp = value.shape[1], reach.shape[1]
    weighed = reach[:1].copy()
    for s in range(tree.node.size - 1, -1, -1):
        g, first = tree.node[s], tree.first_edge[s]
        start = graph.action_start[g]
        if graph.player[g] != tree.player:
            _add_replies(graph, tree, opponent, s, weighed, value)
            continue
        value[s] = 2.0 * graph.least * reach[s].sum()
        for k in range(graph.action_start[g + 1] - start):
            e, leaf = first + k, graph.leaf[start + k]
            if leaf >= 0:
                action_value[e] = 0.0
                _add_call(graph, leaf, reach, s, n_opp, n_own, action_value, e)
            elif own[e] >= 0:
                action_value[e] = value[own[e]]
            else:  # nobody knows what it is worth
                continue
            for h in range(n_own):
                value[s, h] = max(value[s, h], action_value[e, h])
    is_met[0] = True
    for s in range(tree.node.size):
        _mark_tight_at(
            graph, tree, s, min(slack, 1e-4 * reach[s].sum()), value, action_value, is_met, is_tight
        )


@inlined_kernel
def _mark_tight_at(
    graph: PassGraph,
    tree: SeenTree,
    s: int,
    slack: float,
    value: F8,
    action_value: F8,
    is_met: B1,
    is_tight: B1,
) -> None:
    """Mark the actions of best responses at state ``s``, and where they lead: see `mark_tight`."""
    g, first = tree.node[s], tree.first_edge[s]
    start = graph.action_start[g]
    for k in range(graph.action_start[g + 1] - start):
        e = first + k
        if graph.player[g] != tree.player:
            if tree.other[e] >= 0:
                is_met[tree.other[e]] = is_met[s]
        elif graph.leaf[start + k] >= 0 or tree.own[e] >= 0:
            for h in range(value.shape[1]):
                if is_met[s, h] and value[s, h] - action_value[e, h] <= slack:
                    is_tight[e, h] = True
            if tree.own[e] >= 0:
                is_met[tree.own[e]] = is_tight[e]


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

    sequence : int32[., H of the leader], columns of their weights in row ``at``
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
    # The leader's weights, summed by how many of their dice match, keep the rows short.
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
    tree: SeenTree,
    choice: Choice,
    columns: Columns,
    entries: Entries,
) -> None:
    """Write the program of the leader, ``tree.player``: see `polish`.

    graph, most : as the other player, who answers, sees it, and the most that they can win
    """
    sequence, answer = columns.sequence, columns.answer
    n_own, n_other = sequence.shape[1], answer.shape[1]
    sequence[1:] = NOTHING
    answer[:] = NOTHING
    columns.of_edge[:] = NOTHING
    entries.n_used[0] = entries.n_used[1] = 0
    entries.n_used[2] = n_own + n_other
    for h in range(n_other):  # what the answers are worth in all; the sum of these is minimised
        answer[0, h] = n_own + h
        if graph.player[tree.node[0]] == tree.player:
            answer[0, h] = _new_row(entries, False)
            _add(entries, answer[0, h], n_own + h, 1.0)
    for s in range(tree.node.size):
        if graph.player[tree.node[s]] == tree.player:
            _list_actions(graph, tree, s, choice.is_allowed, columns, entries)
        else:
            _list_retreat(graph, most, tree, s, choice.is_answer, columns, entries)
            _list_answers(graph, tree, s, choice.is_answer, columns, entries)


@inlined_kernel
def _list_retreat(
    graph: PassGraph,
    most: float,
    tree: SeenTree,
    s: int,
    is_answer: B1,
    columns: Columns,
    entries: Entries,
) -> None:
    """Let the leader stay away from ``s`` where nobody knows what there is to answer."""
    sequence, answer = columns.sequence, columns.answer
    g, first = tree.node[s], tree.first_edge[s]
    for h in range(answer.shape[1]):
        has_answer = False
        for k in range(graph.action_start[g + 1] - graph.action_start[g]):
            has_answer |= is_answer[first + k, h]
        if answer[s, h] != NOTHING and not has_answer:
            row = _new_row(entries, False)
            _add(entries, row, answer[s, h], 1.0)
            for i in range(sequence.shape[1]):
                if sequence[s, i] != NOTHING:
                    _add(entries, row, sequence[s, i], -most)


@inlined_kernel
def _list_answers(
    graph: PassGraph, tree: SeenTree, s: int, is_answer: B1, columns: Columns, entries: Entries
) -> None:
    """Rows of a state where the other player is to act: they get what each answer is worth."""
    sequence, answer, other = columns.sequence, columns.answer, tree.other
    g, first = tree.node[s], tree.first_edge[s]
    start = graph.action_start[g]
    for k in range(graph.action_start[g + 1] - start):
        rows = answer[s : s + 1].copy()
        for h in range(answer.shape[1]):
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


@inlined_kernel
def _list_actions(
    graph: PassGraph, tree: SeenTree, s: int, is_allowed: B1, columns: Columns, entries: Entries
) -> None:
    """Rows of a state where the leader is to act: what comes there goes on from there."""
    sequence, answer, own = columns.sequence, columns.answer, tree.own
    n_own, n_other = sequence.shape[1], answer.shape[1]
    g, first = tree.node[s], tree.first_edge[s]
    start = graph.action_start[g]
    is_met = False
    for h in range(n_other):
        is_met |= answer[s, h] != NOTHING
    if not is_met:
        return
    balance = sequence[s : s + 1].copy()  # rows that share a weight out among the actions
    for h in range(n_own):
        if sequence[s, h] != NOTHING:
            balance[0, h] = _new_row(entries, True)
            _add(entries, balance[0, h], sequence[s, h], -1.0)
    for k in range(graph.action_start[g + 1] - start):
        e = first + k
        weights = sequence[s : s + 1].copy()  # their columns, where the action is taken
        is_played = False
        for h in range(n_own):
            if sequence[s, h] == NOTHING:
                continue
            weights[0, h] = NOTHING
            if is_allowed[e, h]:
                is_played = True
                weights[0, h] = columns.of_edge[e, h] = _new_column(entries)
                _add(entries, balance[0, h], weights[0, h], 1.0)
        if not is_played:
            continue
        if graph.leaf[start + k] >= 0:
            _add_call_entries(graph, graph.leaf[start + k], weights, 0, answer, s, entries)
        elif own[e] >= 0:
            sequence[own[e]] = weights[0]
            for h in range(n_other):
                if answer[s, h] != NOTHING:
                    column = _new_column(entries)
                    _add(entries, answer[s, h], column, -1.0)
                    answer[own[e], h] = column
