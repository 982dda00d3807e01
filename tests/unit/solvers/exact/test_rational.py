"""Proofs of values in rational arithmetic."""

from fractions import Fraction

import numpy as np
import pytest

from liarsolve import Round, presets
from liarsolve.game import Payoffs, StrategyProfile, build_complete_tree, compile_graph
from liarsolve.solvers import CFRSolver, certify, prove_value, solve_lp
from liarsolve.solvers.exact.rational import exact_br_value, round_strategy

GRAPH = compile_graph(Round(presets.COMMON.replace(faces=3), (1, 1)))
TREE = build_complete_tree(GRAPH)


def uniform():
    n_actions = np.diff(GRAPH.action_start)
    policies = []
    for player in range(2):
        policy = np.empty((TREE.children[player].size, 3))
        for state in np.flatnonzero(GRAPH.player[TREE.node] == player):
            first, n = TREE.first_edge[state], n_actions[TREE.node[state]]
            policy[first : first + n] = 1 / n
        policies.append(policy)
    return tuple(policies)


def test_an_optimal_strategy_proves_the_value():
    result = solve_lp(GRAPH)
    assert prove_value(TREE, [result.strategy], Payoffs()) == Fraction(-1, 9)


def test_a_proof_may_take_each_player_from_another_pair():
    best, plain = solve_lp(GRAPH).strategy, uniform()
    assert prove_value(TREE, [(best[0], plain[1])], Payoffs()) is None
    pairs = [(best[0], plain[1]), (plain[0], best[1])]
    assert prove_value(TREE, pairs, Payoffs()) == Fraction(-1, 9)


def test_nothing_is_proved_by_a_strategy_that_is_not_optimal():
    assert prove_value(TREE, [uniform()], Payoffs()) is None
    assert prove_value(TREE, [], Payoffs()) is None


def test_rounding_may_mend_a_near_miss():
    best = solve_lp(GRAPH).strategy
    near = tuple(0.999 * b + 0.001 * u for b, u in zip(best, uniform(), strict=True))
    assert certify(StrategyProfile(TREE, near)).exploitability > 1e-5
    assert prove_value(TREE, [near], Payoffs()) == Fraction(-1, 9)


def test_the_default_is_met_where_the_tree_has_no_state():
    solver = CFRSolver(GRAPH)
    solver.threshold = 1e-2
    for _ in range(30):
        solver.step()
    tree, strategy = solver.average_strategy()
    assert tree.n_states < TREE.n_states
    for player in range(2):
        exact = round_strategy(tree, 1 - player, strategy[1 - player], 10**9)
        value = exact_br_value(tree, exact, player, Payoffs())
        # Rounding to such denominators moves a probability by 1e-9 at the most.
        expected = certify(StrategyProfile(tree, strategy)).br_values[player]
        assert float(value) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("denominator", [1, 7, 1000])
def test_rounded_policies_sum_to_exactly_one(denominator):
    rng = np.random.default_rng(3)
    for player, policy in enumerate(uniform()):
        weights = policy * rng.random(policy.shape)
        n_actions = np.diff(GRAPH.action_start)
        for state in np.flatnonzero(GRAPH.player[TREE.node] == player):
            first, n = TREE.first_edge[state], n_actions[TREE.node[state]]
            weights[first : first + n] /= weights[first : first + n].sum(axis=0)
        rounded = np.array(round_strategy(TREE, player, weights, denominator), object)
        for state in np.flatnonzero(GRAPH.player[TREE.node] == player):
            first, n = TREE.first_edge[state], n_actions[TREE.node[state]]
            assert list(rounded[first : first + n].sum(axis=0)) == [1, 1, 1]
        if denominator == 1000:  # the largest takes what up to six others leave
            assert np.abs(rounded - weights).max() < 6 / 1000


def test_exact_best_responses_are_those_in_floats():
    rounded = [round_strategy(TREE, player, uniform()[player], 60) for player in range(2)]
    exact = [exact_br_value(TREE, rounded[1 - player], player, Payoffs()) for player in range(2)]
    assert all(isinstance(value, Fraction) for value in exact)
    assert certify(StrategyProfile(TREE, uniform())).br_values == pytest.approx(
        [float(v) for v in exact], abs=1e-14
    )
