"""Both ends of the certificate of two players, where part of a traversal is left out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liarsolve import compact, presets, solve
from liarsolve.game import Payoffs, StrategyProfile, compile_graph
from liarsolve.rules import Round
from liarsolve.solvers import certify
from liarsolve.solvers.core.halt import Halt
from liarsolve.solvers.core.limits import Limits
from liarsolve.solvers.two_player.cfr import CFRSolver
from liarsolve.solvers.two_player.solve import solve_cfr

ROUNDING = 1e-12
"""Values are sums of some thousand terms that add up to 1 in size."""
SMALL = presets.COMMON.replace(faces=2)
NUMBERS = st.floats(-2, 2, allow_nan=False).map(lambda number: round(number, 2))


def grown(dice, payoffs=None, *, is_split=False, n_threads=1, n_steps=6, threshold=1e-3):
    solver = CFRSolver(
        compile_graph(Round(presets.COMMON.replace(faces=3), dice)),
        payoffs,
        is_split=is_split,
        n_threads=n_threads,
    )
    solver.threshold = threshold
    for _ in range(n_steps):
        solver.step()
    return solver


def assert_holds(certificate, exact):
    for least, value, most in zip(
        certificate.least_br_values, exact.br_values, certificate.br_values, strict=True
    ):
        assert least - ROUNDING <= value <= most + ROUNDING


@settings(max_examples=60, deadline=None)
@given(
    dice=st.sampled_from([(1, 1), (2, 1), (1, 2)]),
    payoffs=st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS),
    threshold=st.sampled_from([0.0, 1e-4, 1e-2, 0.3]),
    max_visits=st.sampled_from([None, 0, 1, 7, 100]),
    seed=st.integers(0, 10**6),
)
def test_both_ends_hold(dice, payoffs, threshold, max_visits, seed):
    names = ("bidder_loses", "challenger_loses", "exact_right", "exact_wrong")
    worth = Payoffs(**dict(zip(names, payoffs, strict=True)))
    tree, strategy = grown(dice, worth).average_strategy()
    rng = np.random.default_rng(seed)
    noisy = tuple(policy * rng.random(policy.shape) for policy in strategy)
    profile = StrategyProfile(tree, noisy, worth)
    exact = certify(profile)
    assert exact.least_br_values == exact.br_values
    assert_holds(certify(profile, threshold=threshold, max_visits=max_visits), exact)


@pytest.mark.parametrize("is_split", [False, True])
def test_bounds_on_the_way_are_those_of_the_strategy(is_split):
    solver = grown((2, 1), is_split=is_split)
    found = solver.certify(1e-3)
    assert sum(found.least_br_values) < sum(found.br_values)  # something was left out
    assert_holds(found, certify(StrategyProfile(*solver.average_strategy())))


def test_bounds_do_not_depend_on_threads():
    found = [grown((2, 1), is_split=True, n_threads=n).certify(1e-4) for n in (1, 2, 3)]
    assert found[0] == found[1] == found[2]


def test_what_a_halt_cuts_off_widens_the_bounds():
    solver = grown((2, 1))
    solver.halt = Halt(deadline=0.0)
    assert solver.certify().exploitability_bounds == (0.0, 1.0)


@pytest.mark.parametrize("target", [1e-2, 1e-4, 1e-9])
def test_a_solution_has_a_bracket(target):
    rules = presets.COMMON.replace(faces=3)
    solution = solve(rules, (2, 1), target=target)
    lo, hi = solution.exploitability_bounds
    exact = certify(solution.result.profile)
    assert lo - ROUNDING <= exact.exploitability <= hi + ROUNDING
    assert hi == solution.exploitability
    assert hi - lo <= 0.05 * hi + ROUNDING


def test_linear_programs_leave_both_ends():
    graph = compile_graph(Round(presets.COMMON.replace(faces=3), (1, 1)))
    result = solve_cfr(graph, limits=Limits(target=1e-9))
    assert result.method.endswith("then lp")
    assert len(result.certificate.least_br_values) == 2
    lo, hi = result.certificate.exploitability_bounds
    assert 0.0 <= lo <= hi <= 1e-9


@pytest.mark.parametrize("bits", [8, 16])
def test_a_compact_copy_has_a_bracket(bits):
    copy = compact(solve(presets.COMMON.replace(faces=3), (2, 1), target=1e-3), bits=bits)
    lo, hi = copy.exploitability_bounds
    assert 0.9 * hi < lo <= hi
    assert_holds(copy.certificate, certify(copy.result.profile))


def test_proved_strategies_have_equal_ends():
    solution = solve(SMALL, (1, 1), target=0, max_iterations=40)
    lo, hi = solution.exploitability_bounds
    assert lo <= hi
    assert_holds(solution.certificate, certify(solution.result.profile))
