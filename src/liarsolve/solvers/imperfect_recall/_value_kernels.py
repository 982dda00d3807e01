"""What hands are worth at merged public states, if all play strategies as they are stored."""

from typing import NamedTuple

import numpy as np

from liarsolve._jit import inlined_kernel, kernel
from liarsolve._typing import F8, I8, U1, Real
from liarsolve.solvers.imperfect_recall._cfr_records import Others, States
from liarsolve.solvers.multiplayer._traversal_records import Seats


class Profile(NamedTuple):
    """Strategies that are read only, as they are stored."""

    weights: tuple[Real, ...]  # float[E, H] of each player, and empty ones up to six
    edge_start: I8  # int64[P]: where the edges of a player begin among all


class Asked(NamedTuple):
    """Whose value is wanted, and from where on."""

    player: int
    hand: int
    start: int  # a merged state


class ValueScratch(NamedTuple):
    """Where policies at one state are worked out."""

    policy: F8  # float64[> most actions, >= D]
    column: F8  # float64[> most actions, 1]


@inlined_kernel
def _average(
    weights: Real, default_action: I8, g: int, first: int, n: int, lo: int, hi: int, out: F8
) -> None:
    """Policy of hands ``lo:hi`` in proportion to ``weights``; the default where all are 0.

    weights : float[E, H] of the player to act
    first : first edge of the state, among their edges
    out : float64[> n, >= hi - lo], modified in place; row ``n`` is scratch
    """
    for h in range(hi - lo):
        out[n, h] = 0.0
    for k in range(n):
        for h in range(hi - lo):
            x = float(weights[first + k, lo + h])
            out[k, h] = x
            out[n, h] += x
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
                for k in range(chosen if chosen >= 0 else 0, chosen + 1 if chosen >= 0 else n):
                    out[k, h] = 1.0 / n if chosen < 0 else 1.0


@inlined_kernel
def _average_given(
    states: States,
    seats: Seats,
    profile: Profile,
    player: int,
    others: Others,
    s: int,
    scratch: ValueScratch,
) -> None:
    """Policy of all given hands of ``player`` at a state, into the columns of ``policy``."""
    policy, column = scratch.policy, scratch.column
    g = states.node[s]
    n = states.action_start[g + 1] - states.action_start[g]
    first = states.first_edge[s] - profile.edge_start[player]
    n_given = others.n_hands[player]
    weights, default = profile.weights[player], seats.default_action
    if n_given == seats.n_hands[player]:  # all of them, in their order
        _average(weights, default, g, first, n, int(np.int64(0)), n_given, policy)  # no literal
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
    asked: Asked,
    others: Others,
    is_below: U1,
    value: F8,
    scratch: ValueScratch,
) -> None:
    """Value of one hand of a player against joint hands of the others, from one state on.

    All play by ``profile``. Of the states that follow those are met to which some hand would come,
    and all that follow the start at once.

    is_below : uint8[S], 1 on entry at later states that are to be met too; modified in place: all
        that are met
    value : float64[S, M], modified in place there
    """
    player, hand, start, policy = asked.player, asked.hand, asked.start, scratch.policy
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
            _average_given(states, seats, profile, mover, others, s, scratch)
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
            _average_given(states, seats, profile, mover, others, s, scratch)
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
