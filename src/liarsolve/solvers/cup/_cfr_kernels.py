"""Inner loops of CFR and of best responses on the graph of a cup game."""

from typing import NamedTuple

from liarsolve._jit import kernel
from liarsolve._typing import F8, I4, I8


class Graph(NamedTuple):
    """The arrays of a `CupGraph`: N nodes, E edges."""

    edge_start: I8
    child: I4
    prob: F8
    player: I4
    action: I4
    level_start: I8


class Weights(NamedTuple):
    """How an iteration counts."""

    average: float
    """Weight in the average strategy."""
    keep_positive: float
    """Share of positive regrets that is kept."""
    keep_negative: float
    is_predictive: bool
    """Whether the last regrets count twice in matching."""


class Tables(NamedTuple):
    """What is kept of every action, float64[A], and the policies that come of it."""

    cfv: F8
    own_sum: F8
    regret: F8
    policy: F8
    strategy_sum: F8


@kernel
def reach_nodes(
    graph: Graph, traverser: int, policy: F8, fair: F8, reach: F8, own: F8, own_sum: F8
) -> None:
    """Chances of reaching every node, from the start on.

    policy  : float64[A]
    fair    : float64[A], uniform policies
    reach   : float64[N + L], modified in place; chance and the other players alone
    own     : float64[N + L], modified in place; the traverser's own part, others playing ``fair``
    own_sum : float64[A], modified in place; ``own`` summed over each information set of the
        traverser, written at its first action
    """
    n_nodes = graph.player.size
    reach[:] = 0.0
    own[:] = 0.0
    own_sum[:] = 0.0
    reach[0] = 1.0
    own[0] = 1.0
    for x in range(n_nodes):
        first, stop = graph.edge_start[x], graph.edge_start[x + 1]
        r, o = reach[x], own[x]
        player, action = graph.player[x], graph.action[x]
        if player == traverser:
            own_sum[action] += o
            for e in range(first, stop):
                child = graph.child[e]
                reach[child] += r
                own[child] += o * policy[action + e - first]
        elif player < 0:
            for e in range(first, stop):
                child = graph.child[e]
                reach[child] += r * graph.prob[e]
                own[child] += o * graph.prob[e]
        else:
            for e in range(first, stop):
                child = graph.child[e]
                reach[child] += r * policy[action + e - first]
                own[child] += o * fair[action + e - first]


@kernel
def regret_nodes(graph: Graph, traverser: int, policy: F8, reach: F8, value: F8, cfv: F8) -> None:
    """Values from the end back, and counterfactual values of the traverser's actions.

    value : float64[N + L], modified in place; payoffs of the traverser at the ends
    cfv   : float64[A], modified in place; added to
    """
    for x in range(graph.player.size - 1, -1, -1):
        r = reach[x]
        if r == 0.0:  # nobody asks for the value: an edge of chance 0 leads here
            value[x] = 0.0
            continue
        first, stop = graph.edge_start[x], graph.edge_start[x + 1]
        player, action = graph.player[x], graph.action[x]
        total = 0.0
        if player < 0:
            for e in range(first, stop):
                total += graph.prob[e] * value[graph.child[e]]
        elif player == traverser:
            for e in range(first, stop):
                v = value[graph.child[e]]
                cfv[action + e - first] += r * v
                total += policy[action + e - first] * v
        else:
            for e in range(first, stop):
                total += policy[action + e - first] * value[graph.child[e]]
        value[x] = total


@kernel
def update_infosets(first: I8, owner: I8, traverser: int, weights: Weights, tables: Tables) -> None:
    """Add to the average strategy and to the regrets of the traverser, and match regrets.

    first  : int64[I + 1], actions of each information set
    owner  : int64[I], whose they are
    tables : modified in place; counterfactual values are left at 0
    """
    cfv, regret, policy = tables.cfv, tables.regret, tables.policy
    for i in range(owner.size):
        if owner[i] != traverser:
            continue
        start, stop = first[i], first[i + 1]
        mean = 0.0
        weight = weights.average * tables.own_sum[start]
        for a in range(start, stop):
            mean += policy[a] * cfv[a]
            tables.strategy_sum[a] += weight * policy[a]
        total = 0.0
        for a in range(start, stop):
            gain = cfv[a] - mean
            cfv[a] = 0.0
            keep = weights.keep_positive if regret[a] > 0.0 else weights.keep_negative
            regret[a] = keep * regret[a] + gain
            guess = regret[a] + gain if weights.is_predictive else regret[a]
            policy[a] = max(guess, 0.0)
            total += policy[a]
        for a in range(start, stop):
            policy[a] = policy[a] / total if total > 0.0 else 1.0 / (stop - start)


@kernel
def respond(
    graph: Graph,
    responder: int,
    policy: F8,
    reach: F8,
    value: F8,
    cfv: F8,
    best: I8,
) -> None:
    """Best response of one player, level by level from the end back.

    policy    : float64[A], of the other players
    reach     : float64[N + L], modified in place; chance and the other players alone
    value     : float64[N + L], modified in place; payoffs of the responder at the ends
    cfv       : float64[B], modified in place; 0 at the start
    best      : int64[B], modified in place; at the first action of an information set, the action
        that the responder takes there, counted from 0
    """
    reach[:] = 0.0
    reach[0] = 1.0
    for x in range(graph.player.size):
        first, stop = graph.edge_start[x], graph.edge_start[x + 1]
        player, action = graph.player[x], graph.action[x]
        r = reach[x]
        for e in range(first, stop):
            if player < 0:
                reach[graph.child[e]] += r * graph.prob[e]
            elif player == responder:
                reach[graph.child[e]] += r
            else:
                reach[graph.child[e]] += r * policy[action + e - first]
    for level in range(graph.level_start.size - 2, -1, -1):
        low, high = graph.level_start[level], graph.level_start[level + 1]
        for x in range(low, high):
            if graph.player[x] == responder:
                first, action = graph.edge_start[x], graph.action[x]
                for e in range(first, graph.edge_start[x + 1]):
                    cfv[action + e - first] += reach[x] * value[graph.child[e]]
        for x in range(low, high):
            first, stop = graph.edge_start[x], graph.edge_start[x + 1]
            player, action = graph.player[x], graph.action[x]
            total = 0.0
            if player == responder:
                choice = best[action]
                if choice < 0:
                    choice = 0
                    for a in range(1, stop - first):
                        if cfv[action + a] > cfv[action + choice]:
                            choice = a
                    best[action] = choice
                total = value[graph.child[first + choice]]
            elif player < 0:
                for e in range(first, stop):
                    total += graph.prob[e] * value[graph.child[e]]
            else:
                for e in range(first, stop):
                    total += policy[action + e - first] * value[graph.child[e]]
            value[x] = total


@kernel
def normalise_infosets(first: I8, weight: F8, policy: F8) -> None:
    """Policies in proportion to weights, uniform where there are none.

    policy : float64[A], modified in place
    """
    for i in range(first.size - 1):
        start, stop = first[i], first[i + 1]
        total = 0.0
        for a in range(start, stop):
            total += weight[a]
        for a in range(start, stop):
            policy[a] = weight[a] / total if total > 0.0 else 1.0 / (stop - start)
