"""Abstractions that are refined where they are exploited."""

import signal
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liarsolve import Recall, Round, presets
from liarsolve.errors import GameTooLargeError, InputError
from liarsolve.game import (
    Payoffs,
    Sequences,
    StrategyProfile,
    build_complete_tree,
    check_tree,
    compile_graph,
    join_sequences,
    merge_states,
    refine_states,
)
from liarsolve.rules import Bid
from liarsolve.solvers import (
    AbstractionCFR,
    AbstractionOptions,
    Limits,
    StopReason,
    certify,
    measure_in_full_game,
    solve_abstraction,
    solve_refined,
)
from liarsolve.solvers.core.checkpoints import Callbacks
from liarsolve.solvers.imperfect_recall.growing import refine_solver
from liarsolve.solvers.imperfect_recall.layout import find_twins, make_states
from liarsolve.solvers.two_player.bounded_response import search_response
from liarsolve.solvers.two_player.cfr import normalise_strategy

ROUNDING = 1e-6
"""Strategies are float32; sums are taken in another order."""
COMMON = compile_graph(Round(presets.COMMON.replace(faces=3), (2, 1)))
PERUDO = compile_graph(Round(presets.PERUDO.replace(faces=2), (2, 1)))
LIARS_DICE = compile_graph(Round(presets.LIARS_DICE.replace(faces=2), (1, 2)))
GRAPHS = [COMMON, PERUDO, LIARS_DICE]


def lift(tree, strategy):
    """The same strategy on the complete tree, every sequence of bids on its own."""
    graph = tree.graph
    complete = build_complete_tree(graph)
    lifted = [np.empty((c.size, h)) for c, h in zip(complete.children, graph.n_hands, strict=True)]
    waiting = [(0, 0)]
    while waiting:
        merged, state = waiting.pop()
        node = tree.node[merged]
        player, actions = int(graph.player[node]), graph.actions(node)
        here, there = tree.first_edge[merged], complete.first_edge[state]
        lifted[player][there : there + len(actions)] = strategy[player][here : here + len(actions)]
        for k, action in enumerate(actions):
            if isinstance(action, Bid):
                children = (tree.children[player][here + k], complete.children[player][there + k])
                waiting.append(children)
    return complete, tuple(lifted)


def solve(graph, *, max_iterations=80, recall=1, n_threads=1, **options):
    limits = Limits(target=0.0, max_iterations=max_iterations, **options)
    options = AbstractionOptions(n_threads=n_threads)
    return solve_refined(graph, Recall(recall), limits=limits, options=options)


@pytest.mark.parametrize("graph", GRAPHS, ids=repr)
def test_what_is_lost_is_that_of_the_strategy_on_all_sequences(graph):
    result = solve(graph)
    assert result.tree.n_states > merge_states(graph, Recall(1)).n_states
    complete, lifted = lift(result.tree, result.strategy)
    expected = certify(StrategyProfile(complete, lifted))
    assert result.certificate.br_values == pytest.approx(expected.br_values, abs=1e-4)
    measured = measure_in_full_game(result.profile, max_visits=10**6)
    assert measured.certificate.br_values == pytest.approx(expected.br_values, abs=ROUNDING)


def random_profile(tree, rng):
    """Strategies of which a third of the actions and some hands have no weight."""
    shapes = [(c.size, n) for c, n in zip(tree.children, tree.graph.n_hands, strict=True)]
    weights = [(rng.random(shape) * (rng.random(shape) > 0.33)) for shape in shapes]
    return StrategyProfile(tree, tuple(policy.astype(np.float32) for policy in weights))


@settings(max_examples=30, deadline=None)
@given(graph=st.sampled_from(GRAPHS), recall=st.integers(1, 2), seed=st.integers(0, 10**6))
def test_random_strategies_are_measured_as_on_all_sequences(graph, recall, seed):
    rng = np.random.default_rng(seed)
    tree = merge_states(graph, Recall(recall))
    for _ in range(2):  # told apart, and once more
        profile = random_profile(tree, rng)
        met = [search_response(profile, p, n_records=int(rng.integers(1, 40)))[1] for p in (0, 1)]
        sequences = [
            Sequences(*(np.ascontiguousarray(c) for c in part.record.T), part.mass) for part in met
        ]
        tree, _ = refine_states(tree, join_sequences(sequences))
    check_tree(tree)
    profile = random_profile(tree, rng)
    weights = normalise_strategy(tree, profile.weights, profile.defaults)
    expected = certify(StrategyProfile(*lift(tree, weights)))
    measured = measure_in_full_game(profile, max_visits=10**6)
    assert measured.certificate.br_values == pytest.approx(expected.br_values, abs=ROUNDING)


@pytest.mark.parametrize("graph", GRAPHS, ids=repr)
def test_refinement_brings_the_exploitability_down(graph):
    limits = Limits(target=0.0, max_iterations=80)
    coarse = solve_abstraction(graph, Recall(1), limits=limits)
    fine = solve(graph)
    least, _ = coarse.certificate.exploitability_bounds
    assert fine.certificate.exploitability < 0.5 * least
    assert fine.method == "discounted, refined"


@pytest.mark.parametrize("graph", GRAPHS, ids=repr)
def test_the_result_is_the_best_that_was_measured(graph):
    told = []
    limits = Limits(target=0.0, max_iterations=60)
    result = solve_refined(
        graph, Recall(1), limits=limits, callbacks=Callbacks(on_progress=told.append)
    )
    losses = [progress.distance for progress in told]
    assert losses == sorted(losses, reverse=True)
    assert result.certificate.exploitability <= min(losses)


def test_threads_do_not_change_a_bit():
    results = [solve(COMMON, n_threads=n) for n in (1, 2)]
    assert results[0].tree.n_states == results[1].tree.n_states
    for one, other in zip(results[0].strategy, results[1].strategy, strict=True):
        assert np.array_equal(one, other)
    assert results[0].certificate == results[1].certificate


@pytest.mark.parametrize("graph", GRAPHS, ids=repr)
def test_searches_say_what_they_met(graph):
    tree = merge_states(graph, Recall(1))
    solver = AbstractionCFR(tree, dtype=np.float32)
    for _ in range(5):
        solver.step()
    profile = StrategyProfile(*solver.average_strategy())
    found, met = search_response(profile, 0, n_records=10_000)
    parent, action, state = met.record.T
    assert parent[0] == -1
    assert state[0] == 0
    assert np.all(parent < np.arange(parent.size))
    assert len({(int(p), int(k)) for p, k in zip(parent, action, strict=True)}) == parent.size
    for p, k, s in met.record[1:]:
        mover = graph.player[tree.node[state[p]]]
        assert tree.children[mover][tree.first_edge[state[p]] + k] == s
    assert np.all(met.mass[1:] <= met.mass[parent[1:]] + 1e-12)
    few, some = search_response(profile, 0, n_records=3)
    assert few == found == search_response(profile, 0)[0]
    assert np.array_equal(some.record, met.record[:3])
    assert search_response(profile, 0)[1].mass.size == 0


def test_a_refined_solver_begins_with_what_was_learned():
    solver = AbstractionCFR(merge_states(COMMON, Recall(1)), dtype=np.float32)
    for _ in range(20):
        solver.step()
    met = search_response(StrategyProfile(*solver.average_strategy()), 0, n_records=100)[1]
    sequences = Sequences(*(np.ascontiguousarray(c) for c in met.record.T), met.mass)
    tree, origin = refine_states(solver.tree, sequences)
    grown = refine_solver(solver, tree, origin)
    assert grown.tree.n_states > solver.tree.n_states
    _, before = solver.average_strategy()
    _, after = grown.average_strategy()
    for state, old in enumerate(origin):
        player = COMMON.player[tree.node[state]]
        n = int(np.diff(COMMON.action_start)[tree.node[state]])
        rows = after[player][tree.first_edge[state] :][:n]
        assert rows == pytest.approx(before[player][solver.tree.first_edge[old] :][:n], abs=1e-5)


def test_states_that_share_some_children_only_are_no_twins():
    solver = AbstractionCFR(merge_states(COMMON, Recall(1)), dtype=np.float32)
    solver.step()
    met = search_response(StrategyProfile(*solver.average_strategy()), 0, n_records=8)[1]
    sequences = Sequences(*(np.ascontiguousarray(c) for c in met.record.T), met.mass)
    tree, _ = refine_states(solver.tree, sequences)
    twins = find_twins(make_states(tree, Payoffs()))
    rows = {}
    for state, g in enumerate(tree.node.tolist()):
        children = tree.children[COMMON.player[g]][tree.first_edge[state] :]
        n = int(np.diff(COMMON.action_start)[g])
        rows.setdefault((g, *children[:n].tolist()), set()).add(state)
    groups = [
        set(twins.state[a:b].tolist())
        for a, b in zip(twins.first[:-1], twins.first[1:], strict=True)
    ]
    assert sorted(map(sorted, groups)) == sorted(map(sorted, rows.values()))
    for group, states in enumerate(groups):
        assert twins.group_done[max(states)] == group


def test_memory_bounds_what_is_told_apart():
    free = solve(COMMON, recall=1)
    kept = solve(COMMON, recall=1, max_memory=50_000)
    assert kept.tree.n_states < free.tree.n_states
    assert kept.peak_memory_mb <= 0.05
    with pytest.raises(GameTooLargeError):
        solve(COMMON, recall=1, max_memory=1_000)


def test_an_interrupt_keeps_the_best():
    told = []

    def interrupt(progress):
        told.append(progress.distance)
        if len(told) == 3:
            signal.raise_signal(signal.SIGINT)

    limits = Limits(target=0.0, max_iterations=1_000)
    result = solve_refined(
        COMMON, Recall(1), limits=limits, callbacks=Callbacks(on_progress=interrupt)
    )
    assert result.stop is StopReason.INTERRUPTED
    assert result.certificate.exploitability == told[-1]


def test_time_is_a_limit_too():
    result = solve_refined(COMMON, Recall(1), limits=Limits(target=0.0, max_seconds=0.5))
    assert result.stop is StopReason.TIME_LIMIT


def test_a_target_ends_it():
    result = solve_refined(COMMON, Recall(1), limits=Limits(target=0.05, max_iterations=1_000))
    assert result.stop is StopReason.CONVERGED
    assert result.iterations < 1_000
    assert result.certificate.exploitability <= 0.05


def test_what_was_not_refined_does_not_say_so():
    result = solve(COMMON, max_iterations=1)
    assert result.method == "discounted"
    assert result.tree.n_states == merge_states(COMMON, Recall(1)).n_states


THREE = compile_graph(Round(presets.COMMON.replace(faces=2), (1, 1, 1)))


@pytest.mark.parametrize(
    ("graph", "abstraction", "payoffs", "callbacks", "message"),
    [
        (THREE, Recall(1), None, Callbacks(), "refine is for rounds of two players, got 3"),
        (
            PERUDO,
            Recall(1),
            replace(Payoffs(), exact_right=((2.0, -1.0), (-1.0, 2.0))),
            Callbacks(),
            "refine is for two players who play for the same stake",
        ),
        (
            PERUDO,
            Recall(1),
            None,
            Callbacks(on_checkpoint=lambda state: None),
            "a solve that refines its states cannot be resumed yet",
        ),
    ],
)
def test_what_cannot_be_refined_is_refused(graph, abstraction, payoffs, callbacks, message):
    with pytest.raises(InputError, match=message):
        solve_refined(graph, abstraction, payoffs=payoffs, callbacks=callbacks)
