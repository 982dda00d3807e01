"""CFR: an iteration beside OpenSpiel's, and a whole solve.

Run with ``pytest benchmarks/test_cfr.py``; ``python benchmarks/peers.py`` prints the ratio, and
``python benchmarks/certified.py`` the table of certified games.
"""

import pytest
from games import graph_of, textbook_solver

from liarsolve import presets, solve
from liarsolve.solvers import VARIANTS, certify

TEXTBOOK = {"1v1, 6 faces": ((1, 1), 6), "2v2, 3 faces": ((2, 2), 3)}


@pytest.mark.parametrize("name", TEXTBOOK)
def test_iteration_of_cfr_plus(benchmark, name):
    dice, faces = TEXTBOOK[name]
    solver = textbook_solver(graph_of("openspiel", dice, faces=faces))
    solver.step()  # compile, and create the tree
    uniform = solver.certify().nash_conv
    benchmark(solver.step)
    assert solver.iteration > 1
    assert solver.certify().nash_conv < uniform / 3


@pytest.mark.parametrize("name", TEXTBOOK)
def test_iteration_of_openspiel(benchmark, name):
    pyspiel = pytest.importorskip("pyspiel")
    dice, faces = TEXTBOOK[name]
    game = pyspiel.load_game(f"liars_dice(numdice={dice[0]},dice_sides={faces})")
    solver = pyspiel.CFRPlusSolver(game)
    start = dict(solver.average_policy().action_probabilities(_first_state(game)))
    benchmark.pedantic(solver.evaluate_and_update_policy, rounds=5, warmup_rounds=1)
    assert dict(solver.average_policy().action_probabilities(_first_state(game))) != start


def _first_state(game):
    """The first decision of a round, after the first outcome of every die."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    return state


def test_both_programs_run_the_same_algorithm():
    pytest.importorskip("pyspiel")
    from peers import compare_progress

    ours, theirs = compare_progress((1, 1), 4, 20)
    assert ours == pytest.approx(theirs, rel=1e-9)


@pytest.mark.parametrize("name", VARIANTS)
def test_iteration_of_every_variant(benchmark, name):
    solver = textbook_solver(graph_of("openspiel", (1, 1)), VARIANTS[name])
    solver.step()
    benchmark(solver.step)
    assert solver.certify().nash_conv < 0.5


def test_one_against_two_to_1e_4(benchmark):
    """Two dice against one, no wild face, six faces: the largest game with an exact value."""
    solve(presets.COMMON, (1, 1), target=0.1)  # compile
    solution = benchmark.pedantic(
        lambda: solve(presets.COMMON, (1, 2), target=1e-4), rounds=3, iterations=1
    )
    lower, upper = solution.value_bounds
    assert solution.exploitability <= 1e-4
    assert lower <= -22 / 81 <= upper


def test_certificate(benchmark):
    result = solve(presets.COMMON, (1, 2), target=1e-3).result
    certificate = benchmark(certify, result.tree, result.strategy)
    assert certificate.exploitability <= 1e-3
