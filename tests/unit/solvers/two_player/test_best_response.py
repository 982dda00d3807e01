"""Best responses and certificates, where the tree says everything and where it says little."""

import numpy as np
import pytest

from liarsolve import Round, presets
from liarsolve.errors import InputError
from liarsolve.game import (
    NO_STATE,
    Payoffs,
    PublicTree,
    Start,
    StrategyProfile,
    build_complete_tree,
    compile_graph,
    default_actions,
)
from liarsolve.solvers import (
    Certificate,
    CFRSolver,
    certify,
    expected_value,
    hand_values,
    normalise_strategy,
)

GRAPH = compile_graph(Round(presets.PERUDO.replace(faces=3, open_ones="yes"), (2, 1)))
PAYOFFS = Payoffs.for_exact_call((2, 0.5))
FIRST_ACTION = tuple(
    np.where(GRAPH.player[:, None] == p, 0, -1) * np.ones(n, np.int64)
    for p, n in enumerate(GRAPH.n_hands)
)
"""A weak policy: the lowest raise while there is one, then a challenge, whatever the dice."""
UNIFORM = tuple(np.full((GRAPH.n_nodes, n), -1) for n in GRAPH.n_hands)


def root_only():
    """A tree that has only its first state, and a uniform opening there."""
    n_openings = int(GRAPH.action_start[1])
    tree = PublicTree(
        GRAPH,
        np.zeros(1, np.int32),
        np.zeros(1, np.int64),
        tuple(np.full(n, NO_STATE, np.int32) for n in (n_openings, 0)),
    )
    return tree, (np.ones((n_openings, GRAPH.n_hands[0])), np.ones((0, GRAPH.n_hands[1])))


def filled(defaults):
    """The complete tree with the same uniform opening and the default everywhere else."""
    tree = build_complete_tree(GRAPH)
    weights = tuple(
        np.zeros((children.size, n))
        for children, n in zip(tree.children, GRAPH.n_hands, strict=True)
    )
    strategy = normalise_strategy(tree, weights, defaults)
    strategy[0][: GRAPH.action_start[1]] = 1.0
    return tree, strategy


@pytest.mark.parametrize("defaults", [FIRST_ACTION, UNIFORM], ids=["first action", "uniform"])
def test_certificate_sees_a_weak_default(defaults):
    seen = certify(StrategyProfile(*root_only(), PAYOFFS, defaults=defaults))
    told = certify(StrategyProfile(*filled(defaults), PAYOFFS))
    assert seen.br_values == pytest.approx(told.br_values, abs=1e-14)
    assert seen.exploitability > 0.3


def test_defaults_are_the_odds_unless_told_otherwise():
    by_odds = certify(StrategyProfile(*root_only(), PAYOFFS))
    assert by_odds == certify(
        StrategyProfile(*root_only(), PAYOFFS, defaults=default_actions(GRAPH))
    )
    assert by_odds != certify(StrategyProfile(*root_only(), PAYOFFS, defaults=FIRST_ACTION))


def test_walk_may_start_where_the_tree_has_no_state():
    tree, strategy = filled(FIRST_ACTION)
    root, opening = root_only()
    reach = (np.ones(3), np.array([0.2, 0.0, 0.3]))
    state = int(tree.children[0][1])  # after the second opening
    for is_best_response in (False, True):
        told = hand_values(
            StrategyProfile(tree, strategy, PAYOFFS),
            0,
            Start(state=state, reach=reach),
            is_best_response=is_best_response,
        )
        seen = hand_values(
            StrategyProfile(root, opening, PAYOFFS, defaults=FIRST_ACTION),
            0,
            Start(state=NO_STATE, node=int(tree.node[state]), reach=reach),
            is_best_response=is_best_response,
        )
        assert seen == pytest.approx(told, abs=1e-14)
        assert np.ptp(seen) > 0.0


@pytest.fixture(scope="module")
def solver():
    solver = CFRSolver(GRAPH, PAYOFFS)
    for _ in range(20):
        solver.step()
    return solver


@pytest.mark.parametrize("threshold", [1e-6, 1e-4, 1e-2, 0.1, 0.5])
def test_what_a_threshold_leaves_out_counts_against_the_strategy(solver, threshold):
    exact, loose = solver.certify(), solver.certify(threshold)
    for value, bound in zip(exact.br_values, loose.br_values, strict=True):
        assert bound >= value - 1e-15
    assert (loose.br_values == exact.br_values) == (threshold < 1e-5)
    assert loose.least_br_values < exact.least_br_values == exact.br_values


def test_a_threshold_above_everything_leaves_the_largest_payoff(solver):
    assert solver.certify(threshold=1.0).br_values == pytest.approx((2.0, 2.0), abs=1e-15)


def test_certificate_of_the_solver_is_that_of_its_average(solver):
    tree, strategy = solver.average_strategy()
    assert solver.certify().br_values == pytest.approx(
        certify(StrategyProfile(tree, strategy, PAYOFFS)).br_values, abs=1e-14
    )
    scaled = tuple(7.0 * policy for policy in strategy)
    assert certify(StrategyProfile(tree, scaled, PAYOFFS)).br_values == pytest.approx(
        certify(StrategyProfile(tree, strategy, PAYOFFS)).br_values, abs=1e-14
    )


def test_nobody_does_better_than_a_best_response(solver):
    tree, strategy = solver.average_strategy()
    value = expected_value(StrategyProfile(tree, strategy, PAYOFFS))
    lo, hi = certify(StrategyProfile(tree, strategy, PAYOFFS)).value_bounds
    assert lo < value < hi
    for player in range(2):
        own = hand_values(StrategyProfile(tree, strategy, PAYOFFS), player, is_best_response=False)
        best = hand_values(StrategyProfile(tree, strategy, PAYOFFS), player)
        assert np.all(own <= best + 1e-15)


def test_payoffs_are_of_plus_and_minus_one_unless_given(solver):
    tree, strategy = solver.average_strategy()
    assert certify(StrategyProfile(tree, strategy)) == certify(
        StrategyProfile(tree, strategy, Payoffs())
    )
    assert certify(StrategyProfile(tree, strategy)) != certify(
        StrategyProfile(tree, strategy, PAYOFFS)
    )


def test_single_precision_is_summed_in_double(solver):
    tree, strategy = solver.average_strategy()
    single = tuple(policy.astype(np.float32) for policy in strategy)
    # Each policy is off by 2**-24 of itself; there are at most 14 on a path.
    assert certify(StrategyProfile(tree, single, PAYOFFS)).br_values == pytest.approx(
        certify(StrategyProfile(tree, strategy, PAYOFFS)).br_values, abs=14 * 2.0**-23
    )


def test_bounds_come_from_both_responses():
    certificate = Certificate((0.5, -0.25))
    assert certificate.value_bounds == (0.25 - 1e-12, 0.5 + 1e-12)  # room for rounding
    assert certificate.nash_conv == 0.25
    assert certificate.exploitability == 0.125


def test_a_strategy_of_another_shape_is_refused(solver):
    tree, strategy = solver.average_strategy()
    with pytest.raises(InputError) as caught:
        certify(StrategyProfile(tree, (strategy[0][:, :1], strategy[1]), PAYOFFS))
    n_edges = tree.children[0].size
    assert str(caught.value) == (
        f"the strategy of player 0 must be float64[E, H] = ({n_edges}, 6), got shape ({n_edges}, 1)"
    )
