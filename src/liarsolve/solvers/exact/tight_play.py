"""Exact strategies from those that are optimal but for rounding.

At an optimal strategy most of what could be tight is not: actions that are never taken, and answers
that lose something, stay so when probabilities move in their last digits. What is tight, the other
player's equally good answers to the actions that are taken, makes linear equations in the chances
of the sequences of actions. Any solution near the strategy is as good as an optimal one, and an
exact solution makes it exact. Few states are met by both, so the equations are few: some thousand
for two dice against one.

Nothing rests on the guess of what is tight, since the strategies that come out are judged by best
responses to them.
"""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from liarsolve._typing import Real
from liarsolve.game import NO_STATE, StrategyProfile
from liarsolve.solvers.exact.elimination import solve_near
from liarsolve.solvers.exact.rational import ExactWeights
from liarsolve.solvers.two_player.polish import TightConstraints, list_tight_constraints

_FINE = 2**64
"""Whole numbers are so much finer than the equations need, for what these say nothing about."""
_FLOAT_BITS = 53


def find_exact_weights(
    profile: StrategyProfile,
    player: int,
    tolerance: float,
    on_step: Callable[[float], None],
) -> ExactWeights | None:
    """Exact strategy of one player near one that is optimal but for rounding.

    Parameters
    ----------
    profile, player, tolerance
        As for `list_tight_constraints`.
    on_step : callable
        Called with the part that is done, now and then; it may raise.

    Returns
    -------
    ExactWeights or None
        None if what seems to be tight cannot be so all at once.

    References
    ----------
    Koller, Megiddo and von Stengel (1996), "Efficient computation of equilibria for extensive
    two-person games", for the sequence form. Applegate, Cook, Dash and Espinoza (2007), "Exact
    solutions to linear programming problems", for exact values from what is tight in floats.
    """
    system = list_tight_constraints(profile, player, tolerance)
    has_column = system.columns != NO_STATE
    guess = dict(
        zip(system.columns[has_column].tolist(), system.weights[has_column].tolist(), strict=True)
    )
    known = dict(enumerate(profile.tree.graph.exact_hand_probs[player]))
    solution = solve_near(system.rows, known, guess, on_step)
    if solution is None or min(solution.values()) < 0:
        return None
    return _share_out(profile, player, system, solution)


def _share_out(
    profile: StrategyProfile,
    player: int,
    system: TightConstraints,
    solution: dict[int, Fraction],
) -> ExactWeights:
    """Whole numbers for all actions; where the equations say nothing, about as the policy does."""
    tree, graph = profile.tree, profile.tree.graph
    policy = np.asarray(profile.weights[player], np.float64)
    total = _FINE * math.lcm(*(x.denominator for x in solution.values()))
    defaults = profile.defaults[player]
    n_actions = np.diff(graph.action_start)
    coming: dict[int, dict[int, int]] = {
        0: {h: int(x * total) for h, x in enumerate(graph.exact_hand_probs[player])}
    }
    by_edge: dict[int, dict[int, int]] = {}
    for state in range(tree.n_states):
        weights = coming.pop(state, None)
        if not weights:
            continue
        node, first = int(tree.node[state]), int(tree.first_edge[state])
        edges = range(first, first + int(n_actions[node]))
        if graph.player[node] != player:
            for edge in edges:
                coming[int(tree.children[1 - player][edge])] = weights
            continue
        for hand, weight in weights.items():
            columns = [int(system.columns[edge, hand]) for edge in edges]
            if max(columns) != NO_STATE:
                parts = [0 if c == NO_STATE else int(solution[c] * total) for c in columns]
            else:
                likely = int(defaults[node, hand])
                parts = _split(weight, policy[first : edges.stop, hand], likely)
            for edge, part in zip(edges, parts, strict=True):
                if part:
                    by_edge.setdefault(edge, {})[hand] = part
        for edge in edges:
            coming[int(tree.children[player][edge])] = by_edge.get(edge, {})
    return ExactWeights(total, by_edge)


def _split(weight: int, policy: Real, default: int) -> list[int]:
    """Parts of a whole number, the largest of which takes what the others leave."""
    parts = [weight * int(prob * 2**_FLOAT_BITS) >> _FLOAT_BITS for prob in policy.tolist()]
    largest = int(policy.argmax()) if policy.max() > 0.0 else default
    parts[largest] += weight - sum(parts)
    return parts
