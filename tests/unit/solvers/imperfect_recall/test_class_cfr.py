"""CFR for players to whom some hands are alike: threads, draws, memory, and what it costs."""

from dataclasses import replace

import numpy as np
import pytest

from liarsolve import Round, presets
from liarsolve.errors import GameTooLargeError, InputError
from liarsolve.game import (
    MaxJump,
    Recall,
    SimilarHands,
    StrategyProfile,
    compile_graph,
    group_hands,
    measure_merged_states,
    merge_states,
)
from liarsolve.solvers import (
    PREDICTIVE_CFR_PLUS,
    AbstractionCFR,
    AbstractionOptions,
    Limits,
    measure_in_full_game,
    solve_abstraction,
)
from liarsolve.solvers.imperfect_recall import cfr
from liarsolve.solvers.imperfect_recall.cfr import estimate_bytes

COMMON = compile_graph(Round(presets.COMMON.replace(faces=4), (3, 2)))
PERUDO = compile_graph(Round(presets.PERUDO.replace(faces=3), (2, 1, 2)))
ALIKE = Recall(2) & MaxJump(4) & SimilarHands(1)


def averages(graph, abstraction=ALIKE, *, n_steps=5, **options):
    solver = AbstractionCFR(merge_states(graph, abstraction), **options)
    for _ in range(n_steps):
        solver.step()
    return solver.average_strategy()[1]


@pytest.mark.parametrize("n_drawn", [None, 3])
@pytest.mark.parametrize("graph", [COMMON, PERUDO], ids=repr)
def test_hands_of_a_class_are_played_alike(graph, n_drawn):
    tree, classes = merge_states(graph, ALIKE), group_hands(graph, ALIKE)
    strategy = averages(graph, n_drawn=n_drawn)
    again = classes.spread(tree, classes.gather(tree, strategy))
    for policy, same, n_hands in zip(strategy, again, graph.n_hands, strict=True):
        assert np.array_equal(policy, same)
        assert policy.shape[1] == n_hands
    for state in range(tree.n_states):
        player, node = int(graph.player[tree.node[state]]), tree.node[state]
        edges = slice(
            tree.first_edge[state], tree.first_edge[state] + len(tree.graph.actions(node))
        )
        assert np.allclose(strategy[player][edges].sum(axis=0), 1.0)


@pytest.mark.parametrize("n_drawn", [None, 3])
def test_the_number_of_threads_changes_no_bit(n_drawn, monkeypatch):
    monkeypatch.setattr(cfr, "_LARGE_ENTRIES", 0)  # so that hands are shared out
    found = [averages(COMMON, n_drawn=n_drawn, n_threads=n) for n in (1, 2, 3)]
    for strategy in found[1:]:
        assert all(np.array_equal(a, b) for a, b in zip(strategy, found[0], strict=True))


def test_draws_come_from_the_seed():
    one, same, other = (averages(COMMON, n_drawn=2, seed=seed) for seed in (1, 1, 2))
    assert all(np.array_equal(a, b) for a, b in zip(one, same, strict=True))
    assert any(not np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_telling_more_hands_apart_costs_less():
    measures = []
    for n in (1, 2, 3):
        result = solve_abstraction(
            COMMON,
            Recall(2) & SimilarHands(n),
            limits=Limits(target=0, max_iterations=100),
            options=AbstractionOptions(n_threads=1),
        )
        assert result.is_traversed
        measures.append(result.certificate.exploitability)
    assert measures == sorted(measures, reverse=True)
    plain = solve_abstraction(
        COMMON,
        Recall(2),
        limits=Limits(target=0, max_iterations=100),
        options=AbstractionOptions(n_threads=1),
    )
    assert measures[0] > plain.certificate.exploitability + 0.02
    # Counts of three faces of four say the fourth: only the highest bids see fewer hands.
    assert measures[2] == pytest.approx(plain.certificate.exploitability, abs=0.01)


def test_a_locked_face_makes_classes_few_and_costs_nothing():
    graph = compile_graph(Round(presets.PERUDO.replace(faces=4), (2, 2), palifico=True))
    alike = Recall(2) & SimilarHands(9)
    assert set(group_hands(graph, alike).n_classes[1:]) == {3}
    sizes = [measure_merged_states(graph, a).n_entries for a in (Recall(2), alike)]
    assert sizes[1] < 0.6 * sizes[0]
    solvers = [AbstractionCFR(merge_states(graph, a)) for a in (Recall(2), alike)]
    for solver in solvers:
        for _ in range(200):
            solver.step()
    measures = [
        measure_in_full_game(
            StrategyProfile(s.tree, s.weights(), s.payoffs), max_visits=10**6
        ).certificate
        for s in solvers
    ]
    assert measures[1].exploitability == pytest.approx(measures[0].exploitability, abs=3e-3)


# --- what makes no sense ----------------------------------------------------------------------


def test_options_that_make_no_sense_are_refused():
    tree = merge_states(COMMON, ALIKE)
    with pytest.raises(InputError, match="cannot be used with an abstraction"):
        AbstractionCFR(tree, variant=PREDICTIVE_CFR_PLUS)
    with pytest.raises(InputError, match="a hand or more, got n_drawn=0"):
        AbstractionCFR(tree, n_drawn=0)


def test_memory_is_checked_before_it_is_used():
    needed = estimate_bytes(merge_states(COMMON, ALIKE), np.float32, None, 1)
    limits = Limits(target=0, max_iterations=1, max_memory=needed)
    options = AbstractionOptions(n_threads=1)
    result = solve_abstraction(COMMON, ALIKE, limits=limits, options=options)
    assert needed / 2 < result.peak_memory_mb * 1e6 <= needed
    with pytest.raises(GameTooLargeError, match="hands by the next 1 of common"):
        solve_abstraction(
            COMMON, ALIKE, limits=replace(limits, max_memory=needed - 1), options=options
        )
