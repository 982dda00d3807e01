"""Walks that pause have the bits of those that do not; those that are cut have bounds that hold."""

import numpy as np
import pytest

from liarsolve import MaxJump, Recall, presets
from liarsolve.game import StrategyProfile, compile_graph, merge_states
from liarsolve.rules import Round
from liarsolve.solvers import (
    AbstractionCFR,
    CFRSolver,
    MultiplayerCFR,
    ProfileEvaluator,
    certify,
    certify_profile,
    hand_values,
    measure_in_full_game,
)
from liarsolve.solvers.core import halt as halt_module
from liarsolve.solvers.core.halt import Halt

RULES = presets.COMMON.replace(faces=3)


class HaltAfter(Halt):
    """Says so when it has been asked so many times."""

    def __init__(self, n_times):
        super().__init__()
        self.n_left = n_times

    def __call__(self):
        self.n_left -= 1
        return self.n_left < 0


def solve_a_little(dice, *, n=6, halt=None, **options):
    graph = compile_graph(Round(RULES, dice))
    solver = (CFRSolver if len(dice) == 2 else MultiplayerCFR)(graph, **options)
    for i in range(n):
        if i == n - 1 and halt is not None:
            solver.halt = halt
        solver.step()
    return solver


@pytest.mark.parametrize("dice", [(2, 1), (1, 1, 1)])
@pytest.mark.parametrize("piece", [1, 7, 1000])
def test_pauses_change_no_bit(monkeypatch, dice, piece):
    whole = solve_a_little(dice)
    expected = whole.certify()
    monkeypatch.setattr(halt_module, "_PIECE", piece)
    paused = solve_a_little(dice)
    assert paused.certify() == expected
    trees, strategies = zip(whole.average_strategy(), paused.average_strategy(), strict=True)
    assert np.array_equal(trees[0].node, trees[1].node)
    for one, other in zip(*strategies, strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("dice", [(2, 1), (1, 1, 1)])
def test_pauses_in_values_and_prices_change_no_bit(monkeypatch, dice):
    tree, strategy = solve_a_little(dice).average_strategy()
    payoffs = solve_a_little(dice, n=1).payoffs
    measure = certify if len(dice) == 2 else certify_profile
    profile = StrategyProfile(tree, strategy)

    def values():
        if len(dice) == 2:
            return hand_values(StrategyProfile(tree, strategy), 0, is_best_response=False)
        return ProfileEvaluator(StrategyProfile(tree, strategy, payoffs)).hand_values(0)

    expected, worth = measure(profile), values()
    monkeypatch.setattr(halt_module, "_PIECE", 5)
    assert measure(profile) == expected
    assert np.array_equal(values(), worth)


@pytest.mark.parametrize("is_split", [False, True])
@pytest.mark.parametrize("n_asked", [0, 1, 5, 40])
def test_a_step_that_is_cut_leaves_a_strategy(monkeypatch, n_asked, is_split):
    monkeypatch.setattr(halt_module, "_PIECE", 1)
    halt = HaltAfter(n_asked)
    solver = solve_a_little((2, 1), halt=halt, is_split=is_split, n_threads=1)
    before = solve_a_little((2, 1), n=5, is_split=is_split, n_threads=1)
    assert halt.n_left < 0
    assert solver.n_states <= solve_a_little((2, 1), is_split=is_split, n_threads=1).n_states
    tree, strategy = solver.average_strategy()
    for player, policy in enumerate(strategy):
        mine = tree.graph.player[tree.node] == player
        sums = np.add.reduceat(policy, tree.first_edge[mine])
        assert np.allclose(sums, 1.0, atol=1e-12)
    # A part of one iteration of six is little in the average.
    now, was = (
        s.exploitability for s in (certify(StrategyProfile(tree, strategy)), before.certify())
    )
    assert now < was + 0.1


@pytest.mark.parametrize("n_asked", [0, 1, 5, 40])
def test_a_step_of_many_players_that_is_cut_leaves_strategies(monkeypatch, n_asked):
    monkeypatch.setattr(halt_module, "_PIECE", 1)
    halt = HaltAfter(n_asked)
    solver = solve_a_little((1, 1, 1), halt=halt)
    assert halt.n_left < 0
    tree, strategy = solver.average_strategy()
    before = solve_a_little((1, 1, 1), n=5).certify().nash_conv
    assert certify_profile(StrategyProfile(tree, strategy)).nash_conv < before + 0.3


@pytest.mark.parametrize("dice", [(2, 1), (1, 1, 1)])
def test_nothing_grows_once_it_should_end(monkeypatch, dice):
    monkeypatch.setattr(halt_module, "_PIECE", 10**9)  # so that nobody asks but before growing
    begun = solve_a_little(dice, n=0)
    cut = solve_a_little(dice, n=1, halt=HaltAfter(1))
    assert cut.n_bytes == begun.n_bytes < solve_a_little(dice, n=1).n_bytes


def test_walks_of_many_players_that_have_not_begun_do_not_begin():
    before, cut = solve_a_little((1, 1, 1), n=5), solve_a_little((1, 1, 1), halt=HaltAfter(0))
    for one, other in zip(before.average_strategy()[1], cut.average_strategy()[1], strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("n_asked", [0, 3, 20])
def test_a_certificate_that_is_cut_is_an_upper_bound(monkeypatch, n_asked):
    monkeypatch.setattr(halt_module, "_PIECE", 1)
    tree, strategy = solve_a_little((2, 1)).average_strategy()
    exact = certify(StrategyProfile(tree, strategy))
    cut = certify(StrategyProfile(tree, strategy), halt=HaltAfter(n_asked))
    assert exact.br_values[0] < cut.br_values[0] <= 1.0
    assert exact.br_values[1] < cut.br_values[1] <= 1.0
    tree, strategy = solve_a_little((1, 1, 1)).average_strategy()
    exact_profile = certify_profile(StrategyProfile(tree, strategy))
    cut_profile = certify_profile(StrategyProfile(tree, strategy), halt=HaltAfter(n_asked))
    assert cut_profile.nash_conv > exact_profile.nash_conv


def test_values_of_a_strategy_that_were_not_walked_to_the_end_are_not_given():
    tree, strategy = solve_a_little((2, 1)).average_strategy()
    assert np.isnan(
        hand_values(StrategyProfile(tree, strategy), 0, is_best_response=False, max_visits=3)
    ).all()
    solver = solve_a_little((1, 1, 1))
    profile = ProfileEvaluator(StrategyProfile(*solver.average_strategy(), solver.payoffs))
    assert np.isnan(profile.hand_values(0, max_visits=3)).all()


def test_a_price_that_is_cut_is_not_complete():
    graph = compile_graph(Round(RULES, (2, 1)))
    solver = AbstractionCFR(merge_states(graph, Recall(1) & MaxJump(3)))
    solver.step()
    tree, strategy = solver.average_strategy()
    walk = {"max_visits": 10**6, "n_threads": 1}
    measured = measure_in_full_game(StrategyProfile(tree, strategy, solver.payoffs), **walk)
    cut = measure_in_full_game(
        StrategyProfile(tree, strategy, solver.payoffs), halt=HaltAfter(0), **walk
    )
    assert measured.is_complete
    assert not cut.is_complete
    assert cut.certificate.exploitability > measured.certificate.exploitability


def test_a_forgetful_step_that_is_cut_leaves_out_what_follows():
    graph = compile_graph(Round(RULES, (2, 1)))
    solver = AbstractionCFR(merge_states(graph, Recall(1)), n_threads=1)
    solver.step()
    before = solver.entries.copy()
    solver.halt = HaltAfter(0)
    solver.step()
    assert np.array_equal(solver.entries, before)
