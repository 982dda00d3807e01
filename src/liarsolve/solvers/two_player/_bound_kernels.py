"""Bounds of a best response by branch and bound: most raises need not be played out.

The *responder* plays against the opponent's strategy. At one of the responder's states let r be the
opponent's reach, one number for each of the opponent's hands. A raise is worth at most what it pays
if the opponent calls, which is exact, and the most that can be paid times the mass that does not.
Only raises by which some mass of the responder's hands could still gain are followed, the most
promising first. At the opponent's states all raises count with the most that can be paid, and the
heaviest is followed first, until the sum no longer matters to the responder above. Whatever is not
followed stands in the result with its bound, so that the result is a bound whatever was left out.
"""

from typing import NamedTuple

import numpy as np

from liarsolve._jit import inlined_kernel, kernel
from liarsolve._typing import F8, I4, I8, U1
from liarsolve.solvers.two_player._traversal_kernels import (
    DONE,
    NO_STATE,
    Call,
    Graph,
    Side,
    Tree,
    showdown,
)

ENTERED = -1


class BoundQuestion(NamedTuple):
    """Whose best response is bounded, and how closely."""

    responder: int
    tolerance: float  # a possible gain of less, as a share of the opponent's mass, is not followed
    max_visits: int  # states to visit at the most


class BoundScratch(NamedTuple):
    """Stacks of one search: D levels, R actions of one path, S states of the tree.

    H are the responder's hands, O the opponent's.
    """

    hand_prob: F8  # float64[H]: chance of each of the responder's hands
    state: I8  # int64[D]
    node: I8  # int64[D]
    cursor: I8  # int64[D]: the action that is being followed, or ENTERED
    first_row: I8  # int64[D]: first of the rows R that belong to the level
    mass: F8  # float64[D]: sum of the opponent's reach
    open_mass: F8  # float64[D]: mass of the opponent's raises that were not followed
    reach: F8  # float64[D, O]
    floor: F8  # float64[D, H]: a value up to which nothing changes above
    hi: F8  # float64[D, H]: bounds of the responder's counterfactual values
    lo: F8  # float64[D, H]
    bound: F8  # float64[R, H]: what a raise of the responder is worth at most
    action_mass: F8  # float64[R]: mass that has not called after the raise, or that raises so
    is_open: U1  # uint8[R]: whether the raise could be followed
    scale: F8  # float64[S, O]: 1 / sum of the opponent's weights, 0 where they are the default
    is_scaled: U1  # uint8[S]: whether the row has been filled
    match_sum: F8  # float64[dice + 2]
    value: F8  # float64[H]
    part: F8  # float64[O]
    progress: I8  # int64[4]: depth of the search, states visited, where to pause, states recorded
    met: I4  # int32[M, 3]: record of the parent, the action's place there, state; M = 0 is off
    met_mass: F8  # float64[M]: the opponent's reach there
    record: I4  # int32[D]: which record the level has, -1 if there was no room


@inlined_kernel
def _scale_state(graph: Graph, tree: Tree, opp: Side, s: int, scratch: BoundScratch) -> None:
    """Fill the row of ``scratch.scale`` of one of the opponent's states."""
    if scratch.is_scaled[s]:
        return
    scratch.is_scaled[s] = 1
    row = scratch.scale[s]
    g, first = tree.node[s], tree.first_edge[s]
    for h in range(row.size):
        row[h] = 0.0
    for e in range(first, first + graph.action_start[g + 1] - graph.action_start[g]):
        for h in range(row.size):
            row[h] += opp.cum_policy[e, h]
    for h in range(row.size):
        row[h] = 1.0 / row[h] if row[h] > 0.0 else 0.0


@inlined_kernel
def _reach_by(
    graph: Graph, tree: Tree, opp: Side, s: int, g: int, k: int, reach: F8, scratch: BoundScratch
) -> float:
    """Opponent's reach after action ``k`` of the opponent, into ``scratch.part``; its mass.

    ``s`` is `NO_STATE` where there is no state: every hand plays the default.
    """
    part, mass = scratch.part, 0.0
    n_actions = graph.action_start[g + 1] - graph.action_start[g]
    if s >= 0:
        row, scale = tree.first_edge[s] + k, scratch.scale[s]
        for h in range(part.size):
            part[h] = reach[h] * (opp.cum_policy[row, h] * scale[h])
    for h in range(part.size):
        if s < 0 or scratch.scale[s, h] == 0.0:
            chosen = opp.default_action[g, h]
            part[h] = 0.0
            if chosen < 0:
                part[h] = reach[h] / n_actions
            elif chosen == k:
                part[h] = reach[h]
        mass += part[h]
    return mass


@inlined_kernel
def _call_value(
    graph: Graph, own: Side, opp: Side, call: Call, reach: F8, scratch: BoundScratch
) -> None:
    """Counterfactual values of a call, into ``scratch.value``."""
    c = graph.match_class[call.node]
    showdown(graph, call, own.matches[c], opp.matches[c], reach, scratch.match_sum, scratch.value)


@inlined_kernel
def _open_own(
    graph: Graph,
    tree: Tree,
    own: Side,
    opp: Side,
    question: BoundQuestion,
    scratch: BoundScratch,
    depth: int,
) -> None:
    """Value the responder's calls at a state, and bound the raises."""
    responder = question.responder
    s, g, reach = scratch.state[depth], scratch.node[depth], scratch.reach[depth]
    first_action = graph.action_start[g]
    first = int(tree.first_edge[s]) if s >= 0 else NO_STATE
    hi, lo, value = scratch.hi[depth], scratch.lo[depth], scratch.value
    n_own = hi.size
    most, least = graph.most[responder], graph.least[responder]
    for h in range(n_own):
        hi[h], lo[h] = -np.inf, -np.inf
    for k in range(graph.action_start[g + 1] - first_action):
        row = scratch.first_row[depth] + k
        scratch.is_open[row] = 0
        at, kind = g, graph.action_kind[first_action + k]
        if kind == 0:
            at = graph.action_target[first_action + k]
            only = graph.action_start[at]
            if graph.action_start[at + 1] - only == 1:
                kind = graph.action_kind[only]  # nothing to decide there but to call
        if kind != 0:
            _call_value(graph, own, opp, Call(at, kind, responder), reach, scratch)
            for h in range(n_own):
                hi[h] = max(hi[h], value[h])
                lo[h] = max(lo[h], value[h])
            continue
        child = int(own.children[first + k]) if s >= 0 else NO_STATE
        if child >= 0:
            _scale_state(graph, tree, opp, child, scratch)
        bound, raised = scratch.bound[row], scratch.mass[depth]
        for h in range(n_own):
            bound[h] = 0.0
        for call in range(graph.action_start[at], graph.action_start[at + 1]):
            kind = graph.action_kind[call]
            if kind == 0:
                continue
            place = call - graph.action_start[at]
            called = _reach_by(graph, tree, opp, child, at, place, reach, scratch)
            if called > 0.0:
                raised -= called
                _call_value(graph, own, opp, Call(at, kind, responder), scratch.part, scratch)
                for h in range(n_own):
                    bound[h] += value[h]
        raised = max(raised, 0.0)
        scratch.action_mass[row] = raised
        scratch.is_open[row] = 1
        for h in range(n_own):
            lo[h] = max(lo[h], bound[h] + least * raised)
            bound[h] += most * raised


@inlined_kernel
def _choose_own(graph: Graph, question: BoundQuestion, scratch: BoundScratch, depth: int) -> int:
    """Raise by which most of the responder's hands could gain; -1 if none gains enough."""
    g, floor, hi = scratch.node[depth], scratch.floor[depth], scratch.hi[depth]
    least = graph.least[question.responder] * scratch.mass[depth]
    most_gain, chosen = question.tolerance * scratch.mass[depth], -1
    for k in range(graph.action_start[g + 1] - graph.action_start[g]):
        row = scratch.first_row[depth] + k
        if scratch.is_open[row]:
            bound, gain = scratch.bound[row], 0.0
            for h in range(hi.size):
                more = bound[h] - max(max(hi[h], floor[h]), least)
                gain += scratch.hand_prob[h] * max(more, 0.0)
            if gain > most_gain:
                most_gain, chosen = gain, k
    return chosen


@inlined_kernel
def _open_other(
    graph: Graph,
    tree: Tree,
    own: Side,
    opp: Side,
    question: BoundQuestion,
    scratch: BoundScratch,
    depth: int,
) -> None:
    """List the opponent's raises at a state; ``hi`` and ``lo`` hold what the calls are worth."""
    s, g, reach = scratch.state[depth], scratch.node[depth], scratch.reach[depth]
    responder = question.responder
    hi, lo, value = scratch.hi[depth], scratch.lo[depth], scratch.value
    most, least = graph.most[responder], graph.least[responder]
    if s >= 0:
        _scale_state(graph, tree, opp, s, scratch)
    scratch.open_mass[depth] = 0.0
    for k in range(graph.action_start[g + 1] - graph.action_start[g]):
        row = scratch.first_row[depth] + k
        scratch.is_open[row] = 0
        if graph.action_kind[graph.action_start[g] + k] != 0:
            continue
        mass = _reach_by(graph, tree, opp, s, g, k, reach, scratch)
        scratch.action_mass[row] = mass
        if mass == 0.0:
            continue
        at = graph.action_target[graph.action_start[g] + k]
        only = graph.action_start[at]
        if graph.action_start[at + 1] - only == 1:  # nothing to decide there but to call
            call = Call(at, graph.action_kind[only], responder)
            _call_value(graph, own, opp, call, scratch.part, scratch)
            for h in range(hi.size):
                hi[h] += value[h]
                lo[h] += value[h]
            continue
        scratch.is_open[row] = 1
        scratch.open_mass[depth] += mass
        for h in range(hi.size):
            hi[h] += most * mass
            lo[h] += least * mass


@inlined_kernel
def _choose_other(graph: Graph, question: BoundQuestion, scratch: BoundScratch, depth: int) -> int:
    """Heaviest raise of the opponent; -1 if the sum no longer matters above."""
    g, floor, hi = scratch.node[depth], scratch.floor[depth], scratch.hi[depth]
    allowed = question.tolerance * scratch.mass[depth]
    span = graph.most[question.responder] - graph.least[question.responder]
    if scratch.open_mass[depth] * span <= allowed:
        return -1
    gain = 0.0
    for h in range(hi.size):
        gain += scratch.hand_prob[h] * max(hi[h] - floor[h], 0.0)
    if gain <= allowed:
        return -1
    heaviest, chosen = 0.0, -1
    for k in range(graph.action_start[g + 1] - graph.action_start[g]):
        row = scratch.first_row[depth] + k
        if scratch.is_open[row] and scratch.action_mass[row] > heaviest:
            heaviest, chosen = scratch.action_mass[row], k
    return chosen


@inlined_kernel
def _close_own(graph: Graph, scratch: BoundScratch, depth: int) -> None:
    """Let raises that were not followed count with their bound."""
    g, hi = scratch.node[depth], scratch.hi[depth]
    for k in range(graph.action_start[g + 1] - graph.action_start[g]):
        row = scratch.first_row[depth] + k
        if scratch.is_open[row]:
            for h in range(hi.size):
                hi[h] = max(hi[h], scratch.bound[row, h])


@inlined_kernel
def _close_other(
    graph: Graph,
    tree: Tree,
    own: Side,
    opp: Side,
    question: BoundQuestion,
    scratch: BoundScratch,
    depth: int,
) -> None:
    """Let the responder call after raises that were not followed: a plan, if not the best one."""
    s, g, lo, value = (
        scratch.state[depth],
        scratch.node[depth],
        scratch.lo[depth],
        scratch.value,
    )
    responder = question.responder
    least = graph.least[responder]
    for k in range(graph.action_start[g + 1] - graph.action_start[g]):
        row = scratch.first_row[depth] + k
        if not scratch.is_open[row]:
            continue
        mass = _reach_by(graph, tree, opp, s, g, k, scratch.reach[depth], scratch)
        at = graph.action_target[graph.action_start[g] + k]
        call = graph.action_start[at + 1] - 1
        while call > graph.action_start[at] and graph.action_kind[call] != 1:
            call -= 1
        _call_value(graph, own, opp, Call(at, 1, responder), scratch.part, scratch)
        for h in range(lo.size):
            lo[h] += value[h] - least * mass


@inlined_kernel
def _record_state(scratch: BoundScratch, depth: int) -> None:
    """Note that the search has met a state, if its parent is noted and there is room."""
    n = scratch.progress[3]
    scratch.record[depth] = -1
    if n < scratch.met_mass.size and (depth == 0 or scratch.record[depth - 1] >= 0):
        scratch.met[n, 0] = scratch.record[depth - 1] if depth > 0 else -1
        scratch.met[n, 1] = scratch.cursor[depth - 1] if depth > 0 else 0
        scratch.met[n, 2] = scratch.state[depth]
        scratch.met_mass[n] = scratch.mass[depth]
        scratch.record[depth] = n
        scratch.progress[3] = n + 1


@kernel
def bound_response(
    graph: Graph,
    tree: Tree,
    own: Side,
    opp: Side,
    question: BoundQuestion,
    scratch: BoundScratch,
) -> None:
    """Bound the responder's best response against the opponent's strategy.

    It begins where `start_bound` has set it; on return rows 0 of ``scratch.hi`` and ``scratch.lo``
    hold bounds of the counterfactual value of each of the responder's hands. It pauses at the
    number of visits that ``scratch.progress`` says, and goes on when it is called again; when it is
    done, the depth there is `DONE`. After ``question.max_visits`` states nothing more is followed.
    """
    responder = question.responder
    most, least = graph.most[responder], graph.least[responder]
    depth, n_visits, pause = scratch.progress[0], scratch.progress[1], scratch.progress[2]
    while depth > DONE and n_visits < pause:
        s, g, k = scratch.state[depth], scratch.node[depth], scratch.cursor[depth]
        is_own = graph.player[g] == responder
        hi, lo = scratch.hi[depth], scratch.lo[depth]
        n_own = hi.size
        row = scratch.first_row[depth] + k
        if k == ENTERED:
            n_visits += 1
            _record_state(scratch, depth)
            if is_own:
                _open_own(graph, tree, own, opp, question, scratch, depth)
            else:
                _open_other(graph, tree, own, opp, question, scratch, depth)
        elif is_own:
            scratch.is_open[row] = 0
            for h in range(n_own):
                hi[h] = max(hi[h], scratch.hi[depth + 1, h])
                lo[h] = max(lo[h], scratch.lo[depth + 1, h])
        else:
            scratch.is_open[row] = 0
            mass = scratch.action_mass[row]
            scratch.open_mass[depth] -= mass
            for h in range(n_own):
                hi[h] += scratch.hi[depth + 1, h] - most * mass
                lo[h] += scratch.lo[depth + 1, h] - least * mass
        chosen = -1
        if n_visits < question.max_visits:
            if is_own:
                chosen = _choose_own(graph, question, scratch, depth)
            else:
                chosen = _choose_other(graph, question, scratch, depth)
        if chosen < 0:
            if is_own:
                _close_own(graph, scratch, depth)
            else:
                _close_other(graph, tree, own, opp, question, scratch, depth)
            depth -= 1
            continue
        scratch.cursor[depth] = chosen
        row = scratch.first_row[depth] + chosen
        n_actions = graph.action_start[g + 1] - graph.action_start[g]
        child = NO_STATE
        if s >= 0:
            child = int((own if is_own else opp).children[tree.first_edge[s] + chosen])
        below, mass = scratch.reach[depth + 1], scratch.action_mass[row]
        if is_own:
            raised = scratch.action_mass[row]
            for h in range(below.size):
                below[h] = scratch.reach[depth, h]
            for h in range(n_own):
                scratch.floor[depth + 1, h] = max(hi[h], scratch.floor[depth, h])
                calls = scratch.bound[row, h] - most * raised
                scratch.hi[depth + 1, h] = calls
                scratch.lo[depth + 1, h] = calls
            mass = scratch.mass[depth]
        else:
            _reach_by(graph, tree, opp, s, g, chosen, scratch.reach[depth], scratch)
            for h in range(below.size):
                below[h] = scratch.part[h]
            for h in range(n_own):
                scratch.floor[depth + 1, h] = scratch.floor[depth, h] - hi[h] + most * mass
        scratch.state[depth + 1] = child
        scratch.node[depth + 1] = graph.action_target[graph.action_start[g] + chosen]
        scratch.mass[depth + 1] = mass
        scratch.cursor[depth + 1] = ENTERED
        scratch.first_row[depth + 1] = scratch.first_row[depth] + n_actions
        depth += 1
    scratch.progress[0], scratch.progress[1] = depth, n_visits
